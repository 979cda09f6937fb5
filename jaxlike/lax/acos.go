package lax

import (
	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
)

// AcosP is the arc cosine of each element.
var AcosP = core.NewPrimitive("acos")

func init() {
	AcosP.Define(core.Rules{
		AbstractEval: unop("acos", acceptInexact, same),
		JVP: ad.Std(AcosP, func(t, _ core.Value, in []core.Value, _ core.Params) core.Value {
			return mul(t, neg(rsqrt(oneMinusSquare(in[0]))))
		}),
		Batch: batching.Vectorized(AcosP),
		Lower: lowerUnary("chlo.acos"),
	})
}

// Acos gives the arc cosine of each element.
func Acos(x any) array.Array { return apply(AcosP, x) }
