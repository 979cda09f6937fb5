package lax

import (
	"strconv"

	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
)

// IntegerPowP is each element to a fixed integer power, the parameter y.
var IntegerPowP = core.NewPrimitive("integer_pow")

func init() {
	IntegerPowP.Define(core.Rules{
		AbstractEval: func(in []*core.ShapedArray, p core.Params) []*core.ShapedArray {
			out := unop("integer_pow", acceptNum, same)(in, p)
			if y := p.Int("y"); y < 0 && in[0].DType.IsInt() {
				core.TypeErrorf("Integers cannot be raised to negative powers, got integer_pow(%s, %d)", in[0].LongWeak(), y)
			}
			return out
		},
		JVP: ad.Std(IntegerPowP, func(t, _ core.Value, in []core.Value, p core.Params) core.Value {
			x, y := in[0], p.Int("y")
			switch y {
			case 0:
				return zeros(t)
			case 1:
				return t
			case 2:
				return mul(t, mul(constLike(x, 2), x))
			}
			return mul(t, mul(constLike(x, float64(y)), integerPow(x, y-1)))
		}),
		Batch: batching.Vectorized(IntegerPowP),
		Lower: lowerIntegerPow,
	})
}

// IntegerPow gives x to the power y.
func IntegerPow(x any, y int) array.Array {
	return array.New(integerPow(toValue("integer_pow", x, 0), y))
}

func integerPow(x core.Value, y int) core.Value { return IntegerPowP.Bind1(core.P("y", y), x) }

func lowerIntegerPow(c *core.LowerCtx, args []hloValue, p core.Params) []hloValue {
	x := args[0]
	square := func() hloValue { return c.B.Binary("multiply", x, x) }
	switch p.Int("y") {
	case 1:
		return args
	case 2:
		return []hloValue{square()}
	case 3:
		return []hloValue{c.B.Binary("multiply", square(), x)}
	case -1:
		return []hloValue{c.B.Binary("divide", lowerFull(c, c.In[0], 1), x)}
	}
	return lowerFun(bySquaring)(c, args, p)
}

// bySquaring multiplies a power out.
func bySquaring(in []core.Value, p core.Params) core.Value {
	x, y := in[0], p.Int("y")
	if y == 0 {
		return ones(x)
	}
	var acc core.Value
	bits := strconv.FormatInt(int64(max(y, -y)), 2)
	for i := len(bits) - 1; i >= 0; i-- {
		if bits[i] == '1' {
			if acc == nil {
				acc = x
			} else {
				acc = mul(acc, x)
			}
		}
		if i > 0 {
			x = mul(x, x)
		}
	}
	if y < 0 {
		return div(ones(acc), acc)
	}
	return acc
}
