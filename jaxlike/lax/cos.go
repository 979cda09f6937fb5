package lax

import (
	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
)

// CosP is the cosine of each element.
var CosP = core.NewPrimitive("cos")

func init() {
	CosP.Define(core.Rules{
		AbstractEval: unop("cos", acceptInexact, same),
		JVP: ad.Std(CosP, func(t, _ core.Value, in []core.Value, _ core.Params) core.Value {
			return neg(mul(t, sin(in[0])))
		}),
		Batch: batching.Vectorized(CosP),
		Lower: lowerTrig("cosine", cosComplex),
	})
}

// Cos gives the cosine of each element.
func Cos(x any) array.Array { return apply(CosP, x) }

func cos(x core.Value) core.Value { return CosP.Bind1(nil, x) }
