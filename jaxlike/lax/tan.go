package lax

import (
	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
)

// TanP is the tangent of each element.
var TanP = core.NewPrimitive("tan")

func init() {
	TanP.Define(core.Rules{
		AbstractEval: unop("tan", acceptInexact, same),
		JVP: ad.Std(TanP, func(t, out core.Value, in []core.Value, _ core.Params) core.Value {
			return mul(t, add(constLike(in[0], 1), square(out)))
		}),
		Batch: batching.Vectorized(TanP),
		Lower: lowerUnary("tan"),
	})
}

// Tan gives the tangent of each element.
func Tan(x any) array.Array { return apply(TanP, x) }
