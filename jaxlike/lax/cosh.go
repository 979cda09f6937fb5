package lax

import (
	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
)

// CoshP is the hyperbolic cosine of each element.
var CoshP = core.NewPrimitive("cosh")

func init() {
	CoshP.Define(core.Rules{
		AbstractEval: unop("cosh", acceptInexact, same),
		JVP: ad.Std(CoshP, func(t, _ core.Value, in []core.Value, _ core.Params) core.Value {
			return mul(t, sinh(in[0]))
		}),
		Batch: batching.Vectorized(CoshP),
		Lower: lowerUnary("chlo.cosh"),
	})
}

// Cosh gives the hyperbolic cosine of each element.
func Cosh(x any) array.Array { return apply(CoshP, x) }

func cosh(x core.Value) core.Value { return CoshP.Bind1(nil, x) }
