package lax

import (
	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
)

// AbsP is the magnitude of each element.
var AbsP = core.NewPrimitive("abs")

func init() {
	AbsP.Define(core.Rules{
		AbstractEval: unop("abs", acceptSigned, same),
		JVP: ad.Std(AbsP, func(t, _ core.Value, in []core.Value, _ core.Params) core.Value {
			return selectBool(ge(in[0], zero(in[0])), t, neg(t))
		}),
		Batch: batching.Vectorized(AbsP),
		Lower: lowerUnary("abs"),
	})
}

// Abs gives the magnitude of each element.
func Abs(x any) array.Array { return apply(AbsP, x) }

func abs(x core.Value) core.Value { return AbsP.Bind1(nil, x) }
