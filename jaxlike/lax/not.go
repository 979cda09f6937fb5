package lax

import (
	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
)

// NotP is the bitwise or logical complement of each element.
var NotP = core.NewPrimitive("not")

func init() {
	NotP.Define(core.Rules{
		AbstractEval: unop("not", acceptBoolOrInt, same),
		JVP:          ad.ZeroJVP(NotP),
		Batch:        batching.Vectorized(NotP),
		Lower:        lowerUnary("not"),
	})
}

// Not gives the bitwise or logical complement of each element.
func Not(x any) array.Array { return apply(NotP, x) }
