package lax

import (
	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
)

// OrP is the bitwise or logical or.
var OrP = core.NewPrimitive("or")

func init() {
	OrP.Define(core.Rules{
		AbstractEval: nary("or", same, acceptBoolOrInt, acceptBoolOrInt),
		JVP:          ad.ZeroJVP(OrP),
		Batch:        batching.Broadcasting(OrP),
		Lower:        lowerBinary("or"),
	})
}

// Or gives the bitwise or logical or. Types must agree; package jnp promotes them.
func Or(x, y any) array.Array { return apply(OrP, x, y) }

func or(x, y core.Value) core.Value { return OrP.Bind1(nil, x, y) }
