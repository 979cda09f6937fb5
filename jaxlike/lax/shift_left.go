package lax

import (
	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
)

// ShiftLeftP is the elements shifted (shift left).
var ShiftLeftP = core.NewPrimitive("shift_left")

func init() {
	ShiftLeftP.Define(core.Rules{
		AbstractEval: nary("shift_left", same, acceptInt, acceptInt),
		JVP:          ad.ZeroJVP(ShiftLeftP),
		Batch:        batching.Broadcasting(ShiftLeftP),
		Lower:        lowerBinary("shift_left"),
	})
}

// ShiftLeft gives the elements shifted (shift left). Types must agree; package jnp promotes them.
func ShiftLeft(x, y any) array.Array { return apply(ShiftLeftP, x, y) }
