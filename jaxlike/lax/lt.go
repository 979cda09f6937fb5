package lax

import (
	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
)

// LtP is the comparison x < y of each element.
var LtP = core.NewPrimitive("lt")

func init() {
	LtP.Define(core.Rules{
		AbstractEval: nary("lt", toBool, acceptOrdered, acceptOrdered),
		JVP:          ad.ZeroJVP(LtP),
		Batch:        batching.Broadcasting(LtP),
		Lower:        lowerCompare("LT"),
	})
}

// Lt gives the comparison x < y of each element. Types must agree; package jnp promotes them.
func Lt(x, y any) array.Array { return apply(LtP, x, y) }

func lt(x, y core.Value) core.Value { return LtP.Bind1(nil, x, y) }
