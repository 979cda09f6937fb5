package lax

import (
	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
)

// SinhP is the hyperbolic sine of each element.
var SinhP = core.NewPrimitive("sinh")

func init() {
	SinhP.Define(core.Rules{
		AbstractEval: unop("sinh", acceptInexact, same),
		JVP: ad.Std(SinhP, func(t, _ core.Value, in []core.Value, _ core.Params) core.Value {
			return mul(t, cosh(in[0]))
		}),
		Batch: batching.Vectorized(SinhP),
		Lower: lowerUnary("chlo.sinh"),
	})
}

// Sinh gives the hyperbolic sine of each element.
func Sinh(x any) array.Array { return apply(SinhP, x) }

func sinh(x core.Value) core.Value { return SinhP.Bind1(nil, x) }
