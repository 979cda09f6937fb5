package lax

import (
	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
)

// LogisticP is the logistic function 1/(1+exp(-x)) of each element.
var LogisticP = core.NewPrimitive("logistic")

func init() {
	LogisticP.Define(core.Rules{
		AbstractEval: unop("logistic", acceptInexact, same),
		JVP: ad.Std(LogisticP, func(t, out core.Value, _ []core.Value, _ core.Params) core.Value {
			return mul(t, mul(out, sub(one(out), out)))
		}),
		Batch: batching.Vectorized(LogisticP),
		Lower: lowerFun(func(in []core.Value, _ core.Params) core.Value {
			c := constLike(in[0], 1)
			return div(c, add(c, exp(neg(in[0]))))
		}),
	})
}

// Logistic gives the logistic function 1/(1+exp(-x)) of each element.
func Logistic(x any) array.Array { return apply(LogisticP, x) }
