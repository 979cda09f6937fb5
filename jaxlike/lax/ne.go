package lax

import (
	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
)

// NeP is the comparison x != y of each element.
var NeP = core.NewPrimitive("ne")

func init() {
	NeP.Define(core.Rules{
		AbstractEval: nary("ne", toBool, acceptAny, acceptAny),
		JVP:          ad.ZeroJVP(NeP),
		Batch:        batching.Broadcasting(NeP),
		Lower:        lowerCompare("NE"),
	})
}

// Ne gives the comparison x != y of each element. Types must agree; package jnp promotes them.
func Ne(x, y any) array.Array { return apply(NeP, x, y) }

func ne(x, y core.Value) core.Value { return NeP.Bind1(nil, x, y) }
