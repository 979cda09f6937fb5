package lax

import (
	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
)

// MaxP is the larger of two elements.
var MaxP = core.NewPrimitive("max")

func init() {
	MaxP.Define(core.Rules{
		AbstractEval: nary("max", same, acceptAny, acceptAny),
		JVP: ad.Std(MaxP,
			func(t, _ core.Value, in []core.Value, _ core.Params) core.Value {
				return mul(t, balancedCmp(in[0], in[1]))
			},
			func(t, _ core.Value, in []core.Value, _ core.Params) core.Value {
				return mul(t, balancedCmp(in[1], in[0]))
			},
		),
		Batch: batching.Broadcasting(MaxP),
		Lower: lowerExtreme("maximum", "GT"),
	})
}

// Max gives the larger of two elements. Types must agree; package jnp promotes them.
func Max(x, y any) array.Array { return apply(MaxP, x, y) }

func maximum(x, y core.Value) core.Value { return MaxP.Bind1(nil, x, y) }

// balancedCmp is 1 where x > y, half where they are equal, 0 elsewhere: the
// share of x in the derivative of their maximum.
func balancedCmp(x, y core.Value) core.Value {
	g, e := gt(x, y), eq(x, y)
	d := x.Aval().DType
	whole, none, half := fullLikeAs(g, 1, d), fullLikeAs(g, 0, d), fullLikeAs(g, 0.5, d)
	return selectBool(g, whole, selectBool(e, half, none))
}
