package lax

import (
	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
)

// TanhP is the hyperbolic tangent of each element.
var TanhP = core.NewPrimitive("tanh")

func init() {
	TanhP.Define(core.Rules{
		AbstractEval: unop("tanh", acceptInexact, same),
		JVP: ad.Std(TanhP, func(t, out core.Value, _ []core.Value, _ core.Params) core.Value {
			return mul(t, oneMinusSquare(out))
		}),
		Batch: batching.Vectorized(TanhP),
		Lower: lowerUnary("tanh"),
	})
}

// Tanh gives the hyperbolic tangent of each element.
func Tanh(x any) array.Array { return apply(TanhP, x) }
