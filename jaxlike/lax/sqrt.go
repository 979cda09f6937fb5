package lax

import (
	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
)

// SqrtP is the square root of each element.
var SqrtP = core.NewPrimitive("sqrt")

func init() {
	SqrtP.Define(core.Rules{
		AbstractEval: unop("sqrt", acceptInexact, same),
		JVP: ad.Std(SqrtP, func(t, out core.Value, in []core.Value, _ core.Params) core.Value {
			return mul(t, div(constLike(in[0], 0.5), out))
		}),
		Batch: batching.Vectorized(SqrtP),
		Lower: lowerUnary("sqrt"),
	})
}

// Sqrt gives the square root of each element.
func Sqrt(x any) array.Array { return apply(SqrtP, x) }

func sqrt(x core.Value) core.Value { return SqrtP.Bind1(nil, x) }
