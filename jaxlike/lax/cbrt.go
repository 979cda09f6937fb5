package lax

import (
	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
)

// CbrtP is the cube root of each element.
var CbrtP = core.NewPrimitive("cbrt")

func init() {
	CbrtP.Define(core.Rules{
		AbstractEval: unop("cbrt", acceptFloat, same),
		JVP: ad.Std(CbrtP, func(t, out core.Value, in []core.Value, _ core.Params) core.Value {
			return mul(t, mul(constLike(in[0], 1./3), integerPow(out, -2)))
		}),
		Batch: batching.Vectorized(CbrtP),
		Lower: lowerUnary("cbrt"),
	})
}

// Cbrt gives the cube root of each element.
func Cbrt(x any) array.Array { return apply(CbrtP, x) }
