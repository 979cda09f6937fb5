package lax

import (
	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
)

// RoundingMethod says where halves go.
type RoundingMethod int

// The rounding methods.
const (
	AwayFromZero  RoundingMethod = 0
	ToNearestEven RoundingMethod = 1
)

// RoundP rounds to whole numbers.
var RoundP = core.NewPrimitive("round")

func init() {
	RoundP.Define(core.Rules{
		AbstractEval: unop("round", acceptFloat, same),
		JVP:          ad.ZeroJVP(RoundP),
		Batch:        batching.Vectorized(RoundP),
		Lower: func(c *core.LowerCtx, args []hloValue, p core.Params) []hloValue {
			op := "round_nearest_afz"
			if RoundingMethod(p.Int("rounding_method")) == ToNearestEven {
				op = "round_nearest_even"
			}
			return []hloValue{c.B.Unary(op, args[0])}
		},
	})
}

// Round gives the nearest whole numbers.
func Round(x any, method RoundingMethod) array.Array {
	return array.New(RoundP.Bind1(core.P("rounding_method", int(method)), toValue("round", x, 0)))
}
