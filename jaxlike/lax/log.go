package lax

import (
	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
)

// LogP is the natural logarithm of each element.
var LogP = core.NewPrimitive("log")

func init() {
	LogP.Define(core.Rules{
		AbstractEval: unop("log", acceptInexact, same),
		JVP: ad.Std(LogP, func(t, _ core.Value, in []core.Value, _ core.Params) core.Value {
			return div(t, in[0])
		}),
		Batch: batching.Vectorized(LogP),
		Lower: lowerUnary("log"),
	})
}

// Log gives the natural logarithm of each element.
func Log(x any) array.Array { return apply(LogP, x) }

func log(x core.Value) core.Value { return LogP.Bind1(nil, x) }
