package lax

import (
	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
)

// ExpP is the exponential of each element.
var ExpP = core.NewPrimitive("exp")

func init() {
	ExpP.Define(core.Rules{
		AbstractEval: unop("exp", acceptInexact, same),
		JVP: ad.Std(ExpP, func(t, out core.Value, _ []core.Value, _ core.Params) core.Value {
			return mul(t, out)
		}),
		Batch: batching.Vectorized(ExpP),
		Lower: lowerUnary("exponential"),
	})
}

// Exp gives the exponential of each element.
func Exp(x any) array.Array { return apply(ExpP, x) }

func exp(x core.Value) core.Value { return ExpP.Bind1(nil, x) }
