package lax

import (
	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
)

// CeilP is the next integer above each element.
var CeilP = core.NewPrimitive("ceil")

func init() {
	CeilP.Define(core.Rules{
		AbstractEval: unop("ceil", acceptFloat, same),
		JVP:          ad.ZeroJVP(CeilP),
		Batch:        batching.Vectorized(CeilP),
		Lower:        lowerUnary("ceil"),
	})
}

// Ceil gives the next integer above each element.
func Ceil(x any) array.Array { return apply(CeilP, x) }
