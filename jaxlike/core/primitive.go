package core

import (
	"sort"
	"sync"
)

// NotMapped is the batch dimension of a value that is not batched.
const NotMapped = -1

// AxisData describes the axis that vmap adds.
type AxisData struct {
	Name string // "" when the axis has no name
	Size int
}

// Undefined marks, for a transpose rule, the operand that the equation is
// linear in (UndefinedPrimal in JAX).
type Undefined struct{ Of *ShapedArray }

// Aval is the operand's type.
func (u Undefined) Aval() *ShapedArray { return u.Of }

// IsUndefined tells a linear operand from a value.
func IsUndefined(v Value) bool {
	_, ok := v.(Undefined)
	return ok
}

// Accum collects the cotangents of one linear value (ad.GradAccum in JAX).
// Fancy transpose rules get it in place of the operand.
type Accum interface {
	Value
	Accumulate(ct Value)
}

// Linearized is what a linearization rule gives: the outputs, which of them
// have a tangent, and the linear function of the tangents, to be run under the
// tangent trace. Tangents in and out may be [Zero].
type Linearized struct {
	Out    []Value
	NZ     []bool
	Linear func(tangents []Value) []Value
}

// Rules are what the transformations need to know of a primitive. One literal
// in the primitive's file holds them all.
type Rules struct {
	// Multi is set when the primitive has a list of results.
	Multi bool
	// AbstractEval gives the types of the results; it raises JAX's errors.
	AbstractEval func(in []*ShapedArray, p Params) []*ShapedArray
	// JVP applies the primitive and gives the tangents of its results.
	JVP func(primals, tangents []Value, p Params) (out, tangentsOut []Value)
	// Linearize, where given, is used instead of JVP + partial evaluation.
	Linearize func(nz []bool, primals []Value, p Params) Linearized
	// Transpose maps cotangents of the results to cotangents of the operands
	// that are Undefined (nil for the others).
	Transpose func(cts []Value, args []Value, p Params) []Value
	// FancyTranspose gets Accums for linear operands and delivers into them.
	FancyTranspose func(cts []Value, args []Value, p Params)
	// Batch applies the primitive to values with batch dimensions dims.
	Batch func(axis AxisData, args []Value, dims []int, p Params) (out []Value, outDims []int)
	// Lower emits StableHLO.
	Lower LowerRule
	// LowerInPlace marks rules that JAX applies in place (not cacheable in its
	// terms): a result may be an operand itself and its operation is tagged still,
	// and a transformation at the end of the names around wraps the names inside.
	// JAX lowers the others once, under no names, and puts the names around before
	// those inside.
	LowerInPlace bool
	// Outlined marks primitives that become a function of the module, named as
	// they are, and a call of it (inline=False in JAX's registrations).
	Outlined bool
	// Impl, where given, runs the primitive on concrete values; the default is
	// to compile it alone.
	Impl func(args []Value, p Params) []Value
	// PartialEval, where given, splits off what is known when some operands are
	// not: the parameters of the known part, which operands it takes and which
	// results it gives. The whole equation is kept for the other results.
	PartialEval func(unknown []bool, p Params) (known Params, knownIn, knownOut []bool, ok bool)
	// Partial, where given, applies the primitive under a trace that computes
	// what is known and records the rest; some operands are unknown.
	Partial func(t Trace, args []Value, p Params) []Value
	// SplitPolicy, where given, splits an equation into what is computed now and
	// what is computed again when it is needed (jax.checkpoint). unknown says
	// which operands are not known, inst which are at hand in the later part.
	SplitPolicy func(policy *Policy, unknown, inst []bool, e *Eqn) PolicySplit
	// Rebind, where given, applies a staged equation again; calls with rules of
	// the user's own are no ordinary primitives then.
	Rebind func(args []Value, p Params) []Value
	// Stage, where given, replaces the emission of an equation while staging.
	// It gets the staging trace and tracers.
	Stage func(t Trace, args []Value, p Params) []Value
	// ConstFold folds a primitive of known scalars while staging; nil results
	// mean that nothing was folded. consts[i] is nil for unknown operands.
	ConstFold func(consts []*Const, p Params, out []*ShapedArray) []*Const
	// Forward tells, per result, the operand that it equals (-1: none), and
	// whether the equation can be left out.
	Forward func(in []*ShapedArray, p Params, out []*ShapedArray) (fwd []int, drop bool)
	// DCE shrinks an equation of which only some results are used.
	DCE func(used []bool, e *Eqn) (usedIn []bool, out *Eqn)
	// PrintParams gives the parameters to print, in printed order; the default
	// is all of them, sorted by name.
	PrintParams func(e *Eqn) Params
	// SharesNames is set for jit: its body prints with its caller's names.
	SharesNames bool
	// Effectful equations are never dropped.
	Effectful bool
	// NotDifferentiable, Sequential etc. give the reason for a missing rule.
	NotDifferentiable string
	NoTranspose       string
	NoBatch           string
}

// Policy says which known values of a checkpointed function are kept; nil keeps
// none.
type Policy struct {
	Name string // of the function, as jaxprs print it
	Save func(prim *Primitive, in []*ShapedArray, p Params) bool
}

// PyRepr prints the function.
func (p *Policy) PyRepr() string {
	if p == nil {
		return "None"
	}
	return "<function " + p.Name + " at 0xXXXXXXXXXXXX>"
}

// Saves tells whether the results of an equation are kept.
func (p *Policy) Saves(e *Eqn) bool {
	if p == nil {
		return false
	}
	in := make([]*ShapedArray, len(e.In))
	for i, a := range e.In {
		in[i] = a.Aval()
	}
	return p.Save(e.Prim, in, e.Params)
}

// PolicySplit is an equation split in two, either of which may be missing:
// which results are unknown, which are at hand in the later part, and the
// variables that go from one to the other.
type PolicySplit struct {
	Known, Staged *Eqn
	Unknown, Inst []bool
	Residuals     []*Var
}

// Primitive is an operation. Its rules are set once, by Define, in an init.
type Primitive struct {
	Name string
	Rules
}

var (
	registryMu sync.Mutex
	registry   = map[string]*Primitive{}
)

// NewPrimitive makes and registers a primitive without rules.
func NewPrimitive(name string) *Primitive {
	p := &Primitive{Name: name}
	registryMu.Lock()
	defer registryMu.Unlock()
	if registry[name] != nil {
		panic("core: primitive " + name + " registered twice")
	}
	registry[name] = p
	return p
}

// Define sets the primitive's rules.
func (p *Primitive) Define(r Rules) { p.Rules = r }

// String is the primitive's name.
func (p *Primitive) String() string { return p.Name }

// Primitives lists all registered primitives by name.
func Primitives() []*Primitive {
	registryMu.Lock()
	defer registryMu.Unlock()
	out := make([]*Primitive, 0, len(registry))
	for _, p := range registry {
		out = append(out, p)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Name < out[j].Name })
	return out
}

// Lookup is the primitive of that name, or nil.
func Lookup(name string) *Primitive {
	registryMu.Lock()
	defer registryMu.Unlock()
	return registry[name]
}

// Bind applies the primitive under the current trace.
func (p *Primitive) Bind(params Params, args ...Value) []Value {
	return CurrentTrace().Process(p, args, params)
}

// Bind1 is Bind for primitives with one result.
func (p *Primitive) Bind1(params Params, args ...Value) Value {
	return CurrentTrace().Process(p, args, params)[0]
}
