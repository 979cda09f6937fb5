package lax

import (
	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
)

// AsinP is the arc sine of each element.
var AsinP = core.NewPrimitive("asin")

func init() {
	AsinP.Define(core.Rules{
		AbstractEval: unop("asin", acceptInexact, same),
		JVP: ad.Std(AsinP, func(t, _ core.Value, in []core.Value, _ core.Params) core.Value {
			return mul(t, rsqrt(oneMinusSquare(in[0])))
		}),
		Batch: batching.Vectorized(AsinP),
		Lower: lowerAsin,
	})
}

// lowerAsin: JAX lowers real numbers itself.
func lowerAsin(c *core.LowerCtx, args []hloValue, p core.Params) []hloValue {
	if c.In[0].DType.IsComplex() {
		return lowerUnary("chlo.asin")(c, args, p)
	}
	return lowerFun(func(in []core.Value, _ core.Params) core.Value {
		x, c := in[0], constLike(in[0], 1)
		return atan2(x, sqrt(mul(sub(c, x), add(c, x))))
	})(c, args, p)
}

// Asin gives the arc sine of each element.
func Asin(x any) array.Array { return apply(AsinP, x) }
