package lax

import (
	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
)

// Expm1P is exp(x)-1 of each element, precise near 0.
var Expm1P = core.NewPrimitive("expm1")

func init() {
	Expm1P.Define(core.Rules{
		AbstractEval: unop("expm1", acceptInexact, same),
		JVP: ad.Std(Expm1P, func(t, _ core.Value, in []core.Value, _ core.Params) core.Value {
			return mul(t, exp(in[0]))
		}),
		Batch: batching.Vectorized(Expm1P),
		Lower: lowerUnary("exponential_minus_one"),
	})
}

// Expm1 gives exp(x)-1 of each element, precise near 0.
func Expm1(x any) array.Array { return apply(Expm1P, x) }

func expm1(x core.Value) core.Value { return Expm1P.Bind1(nil, x) }
