package lax

import (
	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
)

// ShiftRightArithmeticP is the elements shifted (shift right arithmetic).
var ShiftRightArithmeticP = core.NewPrimitive("shift_right_arithmetic")

func init() {
	ShiftRightArithmeticP.Define(core.Rules{
		AbstractEval: nary("shift_right_arithmetic", same, acceptInt, acceptInt),
		JVP:          ad.ZeroJVP(ShiftRightArithmeticP),
		Batch:        batching.Broadcasting(ShiftRightArithmeticP),
		Lower:        lowerBinary("shift_right_arithmetic"),
	})
}

// ShiftRightArithmetic gives the elements shifted (shift right arithmetic). Types must agree; package jnp promotes them.
func ShiftRightArithmetic(x, y any) array.Array { return apply(ShiftRightArithmeticP, x, y) }
