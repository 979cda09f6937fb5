package lax

import (
	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
)

// FloorP is the next integer below each element.
var FloorP = core.NewPrimitive("floor")

func init() {
	FloorP.Define(core.Rules{
		AbstractEval: unop("floor", acceptFloat, same),
		JVP:          ad.ZeroJVP(FloorP),
		Batch:        batching.Vectorized(FloorP),
		Lower:        lowerUnary("floor"),
	})
}

// Floor gives the next integer below each element.
func Floor(x any) array.Array { return apply(FloorP, x) }

func floor(x core.Value) core.Value { return FloorP.Bind1(nil, x) }
