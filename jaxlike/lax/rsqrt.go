package lax

import (
	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
)

// RsqrtP is the reciprocal square root of each element.
var RsqrtP = core.NewPrimitive("rsqrt")

func init() {
	RsqrtP.Define(core.Rules{
		AbstractEval: unop("rsqrt", acceptInexact, same),
		JVP: ad.Std(RsqrtP, func(t, out core.Value, in []core.Value, _ core.Params) core.Value {
			return mul(t, mul(constLike(in[0], -0.5), div(out, in[0])))
		}),
		Batch: batching.Vectorized(RsqrtP),
		Lower: lowerUnary("rsqrt"),
	})
}

// Rsqrt gives the reciprocal square root of each element.
func Rsqrt(x any) array.Array { return apply(RsqrtP, x) }

func rsqrt(x core.Value) core.Value { return RsqrtP.Bind1(nil, x) }
