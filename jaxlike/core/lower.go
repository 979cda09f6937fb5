package core

import "gopherlo/xla/stablehlo"

// LowerRule emits an equation as StableHLO operations and gives the values of
// its results.
type LowerRule func(c *LowerCtx, args []*stablehlo.Value, p Params) []*stablehlo.Value

// LowerNever is the lowering rule of what no program may hold: it raises.
func LowerNever(raise func()) LowerRule {
	return func(*LowerCtx, []*stablehlo.Value, Params) []*stablehlo.Value {
		raise()
		return nil
	}
}

// LowerCtx is what a lowering rule works with.
type LowerCtx struct {
	// B emits operations into the function that is being lowered, with the
	// equation's location and metadata context.
	B *stablehlo.Builder
	// In and Out are the types of the equation's operands and results.
	In, Out []*ShapedArray
	Eqn     *Eqn
	// Names is the full name stack of the equation, for rules that name
	// operations of their own (jit's call).
	Names NameStack
	// Module lowers sub-jaxprs.
	Module ModuleLowering
	// Apart says that the jaxpr to inline is lowered as a function of its own,
	// whose operations then get the type of their call.
	Apart bool
	// Fresh says that the jaxpr to inline was traced while the equation is
	// lowered: what the functions it calls do is at the equation's place.
	Fresh bool
}

// ModuleLowering lowers jaxprs into the module under construction; package
// lowering implements it.
type ModuleLowering interface {
	// Call lowers j to a private function called name (once per jaxpr and
	// name) and calls it. The call op is returned for attributes.
	Call(c *LowerCtx, name string, j *Jaxpr, args []*stablehlo.Value) (*stablehlo.Op, []*stablehlo.Value)
	// Inline lowers j's equations where the builder stands (region bodies).
	Inline(c *LowerCtx, b *stablehlo.Builder, j *Jaxpr, args []*stablehlo.Value) []*stablehlo.Value
	// Loc is the location of an operation of the equation under these names.
	Loc(c *LowerCtx, names NameStack) *stablehlo.Loc
	// Constant emits a constant.
	Constant(c *LowerCtx, v *Const) *stablehlo.Value
}
