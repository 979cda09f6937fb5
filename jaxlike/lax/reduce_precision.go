package lax

import (
	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
)

// ReducePrecisionP rounds to fewer exponent and mantissa bits.
var ReducePrecisionP = core.NewPrimitive("reduce_precision")

func init() {
	ReducePrecisionP.Define(core.Rules{
		AbstractEval: func(in []*core.ShapedArray, p core.Params) []*core.ShapedArray {
			exp, man := p.Int("exponent_bits"), p.Int("mantissa_bits")
			if exp < 1 {
				core.ValueErrorf("reduce_precision: exponent_bits must be positive; got %d", exp)
			}
			if man < 0 {
				core.ValueErrorf("reduce_precision: mantissa_bits must be non-negative; got %d", man)
			}
			return unop("reduce_precision", acceptFloat, same)(in, p)
		},
		JVP: ad.Std(ReducePrecisionP, func(t, _ core.Value, _ []core.Value, p core.Params) core.Value {
			return ReducePrecisionP.Bind1(p, t)
		}),
		Transpose: ad.Linear(func(ct core.Value, _ []core.Value, p core.Params) []core.Value {
			return ReducePrecisionP.Bind(p, ct)
		}),
		Batch: batching.Vectorized(ReducePrecisionP),
		Lower: func(c *core.LowerCtx, args []hloValue, p core.Params) []hloValue {
			return []hloValue{c.B.ReducePrecision(args[0], int64(p.Int("exponent_bits")), int64(p.Int("mantissa_bits")))}
		},
	})
}

// ReducePrecision rounds x to the given numbers of exponent and mantissa bits.
func ReducePrecision(x any, exponentBits, mantissaBits int) array.Array {
	return array.New(reducePrecision(toValue("reduce_precision", x, 0), exponentBits, mantissaBits))
}

func reducePrecision(x core.Value, exponentBits, mantissaBits int) core.Value {
	return ReducePrecisionP.Bind1(core.P("exponent_bits", exponentBits, "mantissa_bits", mantissaBits), x)
}
