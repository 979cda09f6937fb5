package lax

import (
	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
)

// AtanhP is the inverse hyperbolic tangent of each element.
var AtanhP = core.NewPrimitive("atanh")

func init() {
	AtanhP.Define(core.Rules{
		AbstractEval: unop("atanh", acceptInexact, same),
		JVP: ad.Std(AtanhP, func(t, _ core.Value, in []core.Value, _ core.Params) core.Value {
			return div(t, oneMinusSquare(in[0]))
		}),
		Batch: batching.Vectorized(AtanhP),
		Lower: lowerUnary("chlo.atanh"),
	})
}

// Atanh gives the inverse hyperbolic tangent of each element.
func Atanh(x any) array.Array { return apply(AtanhP, x) }
