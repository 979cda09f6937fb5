package lax

import (
	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
)

// DivP is the quotient of two arrays; integers are truncated.
var DivP = core.NewPrimitive("div")

func init() {
	DivP.Define(core.Rules{
		AbstractEval: nary("div", same, acceptNum, acceptNum),
		JVP: ad.Std(DivP,
			func(t, _ core.Value, in []core.Value, _ core.Params) core.Value { return div(t, in[1]) },
			func(t, _ core.Value, in []core.Value, _ core.Params) core.Value {
				return mul(mul(neg(t), in[0]), integerPow(in[1], -2))
			},
		),
		Transpose: func(cts, args []core.Value, _ core.Params) []core.Value {
			if core.IsZero(cts[0]) {
				return []core.Value{core.Zero{Of: args[0].Aval()}, nil}
			}
			return []core.Value{unbroadcast(args[0].Aval(), div(cts[0], args[1])), nil}
		},
		Batch: batching.Broadcasting(DivP),
		Lower: lowerBinary("divide"),
	})
}

// Div gives the quotient of two arrays; integers are truncated. Types must agree; package jnp promotes them.
func Div(x, y any) array.Array { return apply(DivP, x, y) }

func div(x, y core.Value) core.Value { return DivP.Bind1(nil, x, y) }
