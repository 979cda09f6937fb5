package lax

import (
	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
)

// XorP is the bitwise or logical exclusive or.
var XorP = core.NewPrimitive("xor")

func init() {
	XorP.Define(core.Rules{
		AbstractEval: nary("xor", same, acceptBoolOrInt, acceptBoolOrInt),
		JVP:          ad.ZeroJVP(XorP),
		Batch:        batching.Broadcasting(XorP),
		Lower:        lowerBinary("xor"),
	})
}

// Xor gives the bitwise or logical exclusive or. Types must agree; package jnp promotes them.
func Xor(x, y any) array.Array { return apply(XorP, x, y) }
