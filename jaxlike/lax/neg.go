package lax

import (
	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
)

// NegP is the negative of each element.
var NegP = core.NewPrimitive("neg")

func init() {
	NegP.Define(core.Rules{
		AbstractEval: unop("neg", acceptNum, same),
		JVP:          ad.LinearJVP(NegP),
		Transpose: ad.Linear(func(ct core.Value, _ []core.Value, _ core.Params) []core.Value {
			return []core.Value{neg(ct)}
		}),
		Batch: batching.Vectorized(NegP),
		Lower: lowerUnary("negate"),
	})
}

// Neg gives the negative of each element.
func Neg(x any) array.Array { return apply(NegP, x) }

func neg(x core.Value) core.Value { return NegP.Bind1(nil, x) }
