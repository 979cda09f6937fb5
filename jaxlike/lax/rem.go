package lax

import (
	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
)

// RemP is the remainder with the sign of the dividend.
var RemP = core.NewPrimitive("rem")

func init() {
	RemP.Define(core.Rules{
		AbstractEval: nary("rem", same, acceptIntFloat, acceptIntFloat),
		JVP: ad.Std(RemP,
			func(t, _ core.Value, in []core.Value, _ core.Params) core.Value {
				return broadcastTo(BroadcastShapes(in[0].Aval().Shape, in[1].Aval().Shape), t)
			},
			func(t, _ core.Value, in []core.Value, _ core.Params) core.Value {
				return mul(neg(t), mul(sign(div(in[0], in[1])), floor(abs(div(in[0], in[1])))))
			},
		),
		Batch: batching.Broadcasting(RemP),
		Lower: lowerBinary("remainder"),
	})
}

// Rem gives the remainder with the sign of the dividend. Types must agree; package jnp promotes them.
func Rem(x, y any) array.Array { return apply(RemP, x, y) }
