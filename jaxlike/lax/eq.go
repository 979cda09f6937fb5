package lax

import (
	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
)

// EqP is the comparison x == y of each element.
var EqP = core.NewPrimitive("eq")

func init() {
	EqP.Define(core.Rules{
		AbstractEval: nary("eq", toBool, acceptAny, acceptAny),
		JVP:          ad.ZeroJVP(EqP),
		Batch:        batching.Broadcasting(EqP),
		Lower:        lowerCompare("EQ"),
	})
}

// Eq gives the comparison x == y of each element. Types must agree; package jnp promotes them.
func Eq(x, y any) array.Array { return apply(EqP, x, y) }

func eq(x, y core.Value) core.Value { return EqP.Bind1(nil, x, y) }
