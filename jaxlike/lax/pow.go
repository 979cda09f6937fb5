package lax

import (
	"slices"

	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
)

// PowP is x to the power y; y may be of an integer type.
var PowP = core.NewPrimitive("pow")

func init() {
	acceptPower := accepted{acceptNum.name, acceptNum.has}
	PowP.Define(core.Rules{
		AbstractEval: func(in []*core.ShapedArray, _ core.Params) []*core.ShapedArray {
			shape := broadcastOperands("pow", in)
			checkAccepted("pow", in, []accepted{acceptInexact, acceptPower})
			x, y := in[0].DType, in[1].DType
			if x != y && !y.IsInt() {
				core.TypeErrorf("the first argument to pow must have an inexact dtype (float or complex), and the second argument must have an inexact or integer dtype, and two inexact dtypes must match, but got %s and %s respectively.", x, y)
			}
			return []*core.ShapedArray{{Shape: shape, DType: x, Weak: allWeak(in)}}
		},
		JVP:   ad.Std(PowP, powLeft, powRight),
		Batch: batching.Broadcasting(PowP),
		Lower: lowerPow,
	})
}

// Pow gives x to the power y.
func Pow(x, y any) array.Array { return apply(PowP, x, y) }

func pow(x, y core.Value) core.Value { return PowP.Bind1(nil, x, y) }

// powLeft is the part of x: g * y * x**(y-1), without 0*inf for integer y.
func powLeft(g, _ core.Value, in []core.Value, _ core.Params) core.Value {
	x, y := in[0], in[1]
	integer := y.Aval().DType.IsInt()
	t, err := dtype.Promote(core.X64(), weakOf(x), weakOf(y))
	if err != nil {
		core.Raise("TypePromotionError", "%s", err)
	}
	x, y = convert(x, t.DType, false), convert(y, t.DType, false)
	if !integer {
		return mul(g, mul(y, pow(x, sub(y, ones(y)))))
	}
	if !slices.Equal(x.Aval().Shape, y.Aval().Shape) {
		shape := BroadcastShapes(x.Aval().Shape, y.Aval().Shape)
		x, y = broadcastTo(shape, x), broadcastTo(shape, y)
	}
	isZero := eq(y, constLike(y, 0))
	return mul(g, selectBool(isZero, zeros(y), mul(replaceZero(y), pow(x, sub(y, ones(y))))))
}

// powRight is the part of y: g * log(x) * x**y.
func powRight(g, out core.Value, in []core.Value, _ core.Params) core.Value {
	x, y := in[0], in[1]
	return convert(mul(g, mul(log(replaceZero(x)), out)), y.Aval().DType, false)
}

// replaceZero puts 1 where x is 0.
func replaceZero(x core.Value) core.Value { return selectBool(eq(x, constLike(x, 0)), ones(x), x) }

func weakOf(x core.Value) dtype.Type {
	a := x.Aval()
	return dtype.Type{DType: a.DType, Weak: a.Weak}
}

func lowerPow(c *core.LowerCtx, args []hloValue, p core.Params) []hloValue {
	if c.In[0].DType == c.In[1].DType {
		return lowerBinary("power")(c, args, p)
	}
	sub := *c
	sub.In = []*core.ShapedArray{c.In[0], c.In[1].WithDType(c.Out[0].DType, false)}
	y := c.B.Convert(args[1], elem(c.Out[0].DType))
	return lowerBinary("power")(&sub, []hloValue{args[0], y}, p)
}
