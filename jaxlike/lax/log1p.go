package lax

import (
	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
)

// Log1pP is log(1+x) of each element, precise near 0.
var Log1pP = core.NewPrimitive("log1p")

func init() {
	Log1pP.Define(core.Rules{
		AbstractEval: unop("log1p", acceptInexact, same),
		JVP: ad.Std(Log1pP, func(t, _ core.Value, in []core.Value, _ core.Params) core.Value {
			return div(t, add(in[0], one(in[0])))
		}),
		Batch: batching.Vectorized(Log1pP),
		Lower: lowerUnary("log_plus_one"),
	})
}

// Log1p gives log(1+x) of each element, precise near 0.
func Log1p(x any) array.Array { return apply(Log1pP, x) }

func log1p(x core.Value) core.Value { return Log1pP.Bind1(nil, x) }
