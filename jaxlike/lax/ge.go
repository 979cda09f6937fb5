package lax

import (
	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
)

// GeP is the comparison x >= y of each element.
var GeP = core.NewPrimitive("ge")

func init() {
	GeP.Define(core.Rules{
		AbstractEval: nary("ge", toBool, acceptOrdered, acceptOrdered),
		JVP:          ad.ZeroJVP(GeP),
		Batch:        batching.Broadcasting(GeP),
		Lower:        lowerCompare("GE"),
	})
}

// Ge gives the comparison x >= y of each element. Types must agree; package jnp promotes them.
func Ge(x, y any) array.Array { return apply(GeP, x, y) }

func ge(x, y core.Value) core.Value { return GeP.Bind1(nil, x, y) }
