package lax

import (
	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
)

// ShiftRightLogicalP is the elements shifted (shift right logical).
var ShiftRightLogicalP = core.NewPrimitive("shift_right_logical")

func init() {
	ShiftRightLogicalP.Define(core.Rules{
		AbstractEval: nary("shift_right_logical", same, acceptInt, acceptInt),
		JVP:          ad.ZeroJVP(ShiftRightLogicalP),
		Batch:        batching.Broadcasting(ShiftRightLogicalP),
		Lower:        lowerBinary("shift_right_logical"),
	})
}

// ShiftRightLogical gives the elements shifted (shift right logical). Types must agree; package jnp promotes them.
func ShiftRightLogical(x, y any) array.Array { return apply(ShiftRightLogicalP, x, y) }
