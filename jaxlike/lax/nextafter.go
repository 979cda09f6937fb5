package lax

import (
	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
	"gopherlo/xla/stablehlo"
)

// NextAfterP is the next floating-point number from x towards y.
var NextAfterP = core.NewPrimitive("nextafter")

func init() {
	NextAfterP.Define(core.Rules{
		AbstractEval: nary("nextafter", same, acceptFloat, acceptFloat),
		JVP: ad.Std(NextAfterP, func(t, out core.Value, _ []core.Value, _ core.Params) core.Value {
			return broadcastTo(out.Aval().Shape, t)
		}, nil),
		Batch: batching.Broadcasting(NextAfterP),
		Lower: func(c *core.LowerCtx, args []hloValue, _ core.Params) []hloValue {
			xs := broadcastArgs(c, args)
			return []hloValue{c.B.Op("chlo.next_after", xs, []stablehlo.Type{typeOf(c.Out[0])}).Results[0]}
		},
	})
}

// NextAfter gives the next floating-point number from x towards y.
func NextAfter(x, y any) array.Array { return apply(NextAfterP, x, y) }
