package lax

import (
	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
)

// GtP is the comparison x > y of each element.
var GtP = core.NewPrimitive("gt")

func init() {
	GtP.Define(core.Rules{
		AbstractEval: nary("gt", toBool, acceptOrdered, acceptOrdered),
		JVP:          ad.ZeroJVP(GtP),
		Batch:        batching.Broadcasting(GtP),
		Lower:        lowerCompare("GT"),
	})
}

// Gt gives the comparison x > y of each element. Types must agree; package jnp promotes them.
func Gt(x, y any) array.Array { return apply(GtP, x, y) }

func gt(x, y core.Value) core.Value { return GtP.Bind1(nil, x, y) }
