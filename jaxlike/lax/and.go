package lax

import (
	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
)

// AndP is the bitwise or logical and.
var AndP = core.NewPrimitive("and")

func init() {
	AndP.Define(core.Rules{
		AbstractEval: nary("and", same, acceptBoolOrInt, acceptBoolOrInt),
		JVP:          ad.ZeroJVP(AndP),
		Batch:        batching.Broadcasting(AndP),
		Lower:        lowerBinary("and"),
	})
}

// And gives the bitwise or logical and. Types must agree; package jnp promotes them.
func And(x, y any) array.Array { return apply(AndP, x, y) }

func and(x, y core.Value) core.Value { return AndP.Bind1(nil, x, y) }
