package lax

import (
	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
)

// MinP is the smaller of two elements.
var MinP = core.NewPrimitive("min")

func init() {
	MinP.Define(core.Rules{
		AbstractEval: nary("min", same, acceptAny, acceptAny),
		JVP: ad.Std(MinP,
			func(t, _ core.Value, in []core.Value, _ core.Params) core.Value {
				return mul(t, balancedCmp(in[1], in[0]))
			},
			func(t, _ core.Value, in []core.Value, _ core.Params) core.Value {
				return mul(t, balancedCmp(in[0], in[1]))
			},
		),
		Batch: batching.Broadcasting(MinP),
		Lower: lowerExtreme("minimum", "LT"),
	})
}

// Min gives the smaller of two elements. Types must agree; package jnp promotes them.
func Min(x, y any) array.Array { return apply(MinP, x, y) }

func minimum(x, y core.Value) core.Value { return MinP.Bind1(nil, x, y) }
