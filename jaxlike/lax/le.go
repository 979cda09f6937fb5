package lax

import (
	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
)

// LeP is the comparison x <= y of each element.
var LeP = core.NewPrimitive("le")

func init() {
	LeP.Define(core.Rules{
		AbstractEval: nary("le", toBool, acceptOrdered, acceptOrdered),
		JVP:          ad.ZeroJVP(LeP),
		Batch:        batching.Broadcasting(LeP),
		Lower:        lowerCompare("LE"),
	})
}

// Le gives the comparison x <= y of each element. Types must agree; package jnp promotes them.
func Le(x, y any) array.Array { return apply(LeP, x, y) }

func le(x, y core.Value) core.Value { return LeP.Bind1(nil, x, y) }
