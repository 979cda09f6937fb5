package lax

import (
	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
)

// IsFiniteP is whether each element is finite.
var IsFiniteP = core.NewPrimitive("is_finite")

func init() {
	IsFiniteP.Define(core.Rules{
		AbstractEval: unop("is_finite", acceptFloat, toBool),
		JVP:          ad.ZeroJVP(IsFiniteP),
		Batch:        batching.Vectorized(IsFiniteP),
		Lower:        lowerUnary("is_finite"),
	})
}

// IsFinite gives whether each element is finite.
func IsFinite(x any) array.Array { return apply(IsFiniteP, x) }
