package lax

import (
	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
)

// Atan2P is the angle of the point (y, x): the arc tangent of x/y in its quadrant.
var Atan2P = core.NewPrimitive("atan2")

func init() {
	Atan2P.Define(core.Rules{
		AbstractEval: nary("atan2", same, acceptInexact, acceptInexact),
		JVP: ad.Std(Atan2P,
			func(t, _ core.Value, in []core.Value, _ core.Params) core.Value {
				return mul(t, div(in[1], add(square(in[0]), square(in[1]))))
			},
			func(t, _ core.Value, in []core.Value, _ core.Params) core.Value {
				return mul(t, div(neg(in[0]), add(square(in[0]), square(in[1]))))
			},
		),
		Batch: batching.Broadcasting(Atan2P),
		Lower: lowerBinary("atan2"),
	})
}

// Atan2 gives the angle of the point (y, x): the arc tangent of x/y in its quadrant. Types must agree; package jnp promotes them.
func Atan2(x, y any) array.Array { return apply(Atan2P, x, y) }

func atan2(x, y core.Value) core.Value { return Atan2P.Bind1(nil, x, y) }
