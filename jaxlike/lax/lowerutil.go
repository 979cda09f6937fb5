package lax

import (
	"slices"

	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
	"gopherlo/jaxlike/lowering"
	"gopherlo/jaxlike/partialeval"
	"gopherlo/xla/hlo"
	"gopherlo/xla/stablehlo"
)

type hloValue = *stablehlo.Value

// elem is the XLA element type of a dtype.
func elem(d dtype.DType) hlo.PrimitiveType { return hlo.PrimitiveType(d.PrimitiveType()) }

// typeOf is the StableHLO type of an abstract value.
func typeOf(a *core.ShapedArray) stablehlo.Type { return lowering.TypeOf(a) }

func int64s(vs []int) []int64 {
	out := make([]int64, len(vs))
	for i, v := range vs {
		out[i] = int64(v)
	}
	return out
}

// lowerUnary lowers to one StableHLO operation.
func lowerUnary(op string) core.LowerRule {
	return func(c *core.LowerCtx, args []hloValue, _ core.Params) []hloValue {
		return []hloValue{c.B.UnaryTo(op, args[0], elem(c.Out[0].DType))}
	}
}

// lowerBinary lowers to one StableHLO operation after broadcasting operands.
func lowerBinary(op string) core.LowerRule {
	return func(c *core.LowerCtx, args []hloValue, _ core.Params) []hloValue {
		xs := broadcastArgs(c, args)
		return []hloValue{c.B.Binary(op, xs[0], xs[1])}
	}
}

// broadcastArgs broadcasts operands to the result's shape.
func broadcastArgs(c *core.LowerCtx, args []hloValue) []hloValue {
	out := make([]hloValue, len(args))
	for i, x := range args {
		t := typeOf(c.Out[0].WithDType(c.In[i].DType, false))
		out[i] = x
		if !x.Type.Equal(t) {
			out[i] = c.B.BroadcastInDim(x, t, trailing(len(t.Dims), x.Type.Rank())...)
		}
	}
	return out
}

// trailing lists the last n of rank dimensions.
func trailing(rank, n int) []int64 {
	out := make([]int64, n)
	for i := range out {
		out[i] = int64(rank - n + i)
	}
	return out
}

// lowerFull is an array of one number, made on the way to a result
// (full_like_aval in JAX).
func lowerFull(c *core.LowerCtx, a *core.ShapedArray, v any) hloValue {
	return c.B.BroadcastInDim(c.B.Scalar(elem(a.DType), v), typeOf(a))
}

// lowerFun lowers a primitive by the program that f applies to its operands
// (mlir.lower_fun in JAX).
func lowerFun(f func(in []core.Value, p core.Params) core.Value) core.LowerRule {
	return func(c *core.LowerCtx, args []hloValue, p core.Params) []hloValue {
		return lowerProgram(c, c.In, args, func(in []core.Value) core.Value { return f(in, p) })
	}
}

// lowerProgram lowers by the program that f applies to operands of the given
// types.
func lowerProgram(c *core.LowerCtx, in []*core.ShapedArray, args []hloValue, f func(in []core.Value) core.Value) []hloValue {
	return lowerPrograms(c, in, args, func(in []core.Value) []core.Value { return []core.Value{f(in)} })
}

// physical is the type of the words that hold values of an extended type: two
// for a random key.
func physical(a *core.ShapedArray) *core.ShapedArray {
	if !a.DType.IsExtended() {
		return a
	}
	return core.NewAval(dtype.Uint32, append(slices.Clone(a.Shape), 2)...)
}

// lowerPrograms is lowerProgram for several results. The program is traced in
// the equation's metadata context, which all of its operations carry.
func lowerPrograms(c *core.LowerCtx, in []*core.ShapedArray, args []hloValue, f partialeval.Fun) []hloValue {
	var j *core.Jaxpr
	core.With(func(s *core.State) { *s = core.State{Trace: core.Eval, Metadata: c.Eqn.Ctx.Metadata} }, func() {
		j = partialeval.TraceToJaxpr(f, in, &core.DebugInfo{FuncName: "lower_fun"})
	})
	fresh := *c
	fresh.Fresh = true
	return c.Module.Inline(&fresh, c.B, j, args)
}

// lowerExtreme lowers a minimum or maximum. Complex numbers are compared by
// their real parts, then by their imaginary ones.
func lowerExtreme(op, direction string) core.LowerRule {
	return func(c *core.LowerCtx, args []hloValue, _ core.Params) []hloValue {
		xs := broadcastArgs(c, args)
		return []hloValue{extreme(c, op, direction, xs[0], xs[1])}
	}
}

// extreme is the larger or smaller of x and y. Complex numbers are compared by
// their real parts, then by their imaginary parts (_minmax_hlo in JAX).
func extreme(c *core.LowerCtx, op, direction string, x, y hloValue) hloValue {
	if !c.In[0].DType.IsComplex() {
		return c.B.Binary(op, x, y)
	}
	part := elem(c.In[0].DType.Real())
	re := func(x hloValue) hloValue { return c.B.UnaryTo("real", x, part) }
	im := func(x hloValue) hloValue { return c.B.UnaryTo("imag", x, part) }
	rx, ry := re(x), re(y)
	equal := c.B.CompareAs("EQ", "FLOAT", rx, ry)
	first := c.B.CompareAs(direction, "FLOAT", rx, ry)
	second := c.B.CompareAs(direction, "FLOAT", im(x), im(y))
	return c.B.Select(c.B.Select(equal, second, first), x, y)
}
