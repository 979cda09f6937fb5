package lax

import (
	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
)

// AcoshP is the inverse hyperbolic cosine of each element.
var AcoshP = core.NewPrimitive("acosh")

func init() {
	AcoshP.Define(core.Rules{
		AbstractEval: unop("acosh", acceptInexact, same),
		JVP: ad.Std(AcoshP, func(t, _ core.Value, in []core.Value, _ core.Params) core.Value {
			return mul(t, mul(rsqrt(sub(in[0], one(in[0]))), rsqrt(add(in[0], one(in[0])))))
		}),
		Batch: batching.Vectorized(AcoshP),
		Lower: lowerUnary("chlo.acosh"),
	})
}

// Acosh gives the inverse hyperbolic cosine of each element.
func Acosh(x any) array.Array { return apply(AcoshP, x) }
