package lax

import (
	"math"

	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
)

// evalReduce is the type rule of reductions over the parameter axes.
func evalReduce(name string, accept accepted, keepWeak bool) abstractEval {
	return func(in []*core.ShapedArray, p core.Params) []*core.ShapedArray {
		x, axes := in[0], p.Ints("axes")
		gone := map[int]bool{}
		for _, a := range axes {
			if gone[a] {
				core.ValueErrorf("duplicate value in 'axes' of reduction: %s", shapeText(axes))
			}
			if a < 0 || a >= x.NDim() {
				core.ValueErrorf("reduction axes %s contains out-of-bounds indices for ShapedArray(%s).", shapeText(axes), x.Long())
			}
			gone[a] = true
		}
		if !accept.has(x.DType) {
			core.TypeErrorf("%s does not accept dtype %s. Accepted dtypes are subtypes of %s.", name, x.DType, accept.name)
		}
		shape := []int{}
		for i, d := range x.Shape {
			if !gone[i] {
				shape = append(shape, d)
			}
		}
		return []*core.ShapedArray{{Shape: shape, DType: x.DType, Weak: x.Weak && keepWeak}}
	}
}

// acceptNumber is what sums and products take.
var acceptNumber = accepted{"number", acceptNum.has}

// lowerReduce lowers to a reduction with an operation and its identity.
func lowerReduce(op string, identity func(dtype.DType) any) core.LowerRule {
	return func(c *core.LowerCtx, args []hloValue, p core.Params) []hloValue {
		init := c.B.Scalar(elem(c.Out[0].DType), identity(c.Out[0].DType))
		return []hloValue{c.B.ReduceOp(args[0], init, int64s(p.Ints("axes")), op)}
	}
}

// lowerReduceExtreme is lowerReduce for maximum and minimum, which complex
// numbers have in terms of their parts.
func lowerReduceExtreme(op, direction string, identity func(dtype.DType) any) core.LowerRule {
	return func(c *core.LowerCtx, args []hloValue, p core.Params) []hloValue {
		init := c.B.Scalar(elem(c.Out[0].DType), identity(c.Out[0].DType))
		return c.B.Reduce(args, []hloValue{init}, int64s(p.Ints("axes")), func(acc, e []hloValue) []hloValue {
			return []hloValue{extreme(c, op, direction, acc[0], e[0])}
		})
	}
}

func zeroIdentity(dtype.DType) any { return 0 }

func oneIdentity(dtype.DType) any { return 1 }

// lowestIdentity is the value that a maximum starts from.
func lowestIdentity(d dtype.DType) any {
	switch {
	case d.IsBool():
		return false
	case d.IsInt():
		lo, _ := dtype.IntRange(d)
		return lo
	case d.IsFloat() && !dtype.HasInf(d):
		return -dtype.MaxFloat(d)
	}
	return math.Inf(-1)
}

// highestIdentity is the value that a minimum starts from.
func highestIdentity(d dtype.DType) any {
	switch {
	case d.IsBool():
		return true
	case d.IsInt():
		_, hi := dtype.IntRange(d)
		return hi
	case d.IsFloat() && !dtype.HasInf(d):
		return dtype.MaxFloat(d)
	}
	return math.Inf(1)
}

// onesIdentity is the value that a bitwise and starts from.
func onesIdentity(d dtype.DType) any {
	if d.IsBool() {
		return true
	}
	return -1
}

// jvpChooser is the rule of maximum and minimum: the tangent of the chosen
// elements, shared equally among ties.
func jvpChooser(prim *core.Primitive) ad.JVPRule {
	return ad.Std(prim, func(t, out core.Value, in []core.Value, p core.Params) core.Value {
		x, axes := in[0], p.IntTuple("axes")
		shape := append([]int{}, x.Aval().Shape...)
		for _, a := range axes {
			shape[a.V] = 1
		}
		chosen := convert(eq(x, reshape(out, shape)), t.Aval().DType, false)
		count := reduceSum(chosen, axes)
		return div(reduceSum(mul(t, chosen), axes), count)
	})
}

func bindReduce(prim *core.Primitive, x core.Value, axes core.Ints) core.Value {
	return prim.Bind1(core.P("axes", axes, "out_sharding", nil), x)
}
