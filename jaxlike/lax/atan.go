package lax

import (
	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
)

// AtanP is the arc tangent of each element.
var AtanP = core.NewPrimitive("atan")

func init() {
	AtanP.Define(core.Rules{
		AbstractEval: unop("atan", acceptInexact, same),
		JVP: ad.Std(AtanP, func(t, _ core.Value, in []core.Value, _ core.Params) core.Value {
			return div(t, add(constLike(in[0], 1), square(in[0])))
		}),
		Batch: batching.Vectorized(AtanP),
		Lower: lowerUnary("chlo.atan"),
	})
}

// Atan gives the arc tangent of each element.
func Atan(x any) array.Array { return apply(AtanP, x) }
