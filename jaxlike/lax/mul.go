package lax

import (
	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
)

// MulP is the product of two arrays.
var MulP = core.NewPrimitive("mul")

func init() {
	MulP.Define(core.Rules{
		AbstractEval: nary("mul", same, acceptNum, acceptNum),
		JVP: ad.Std(MulP,
			func(t, _ core.Value, in []core.Value, _ core.Params) core.Value { return mul(t, in[1]) },
			func(t, _ core.Value, in []core.Value, _ core.Params) core.Value { return mul(in[0], t) },
		),
		Transpose: ad.Bilinear(
			func(ct, x, y core.Value, _ core.Params) core.Value { return unbroadcast(x.Aval(), mul(ct, y)) },
			func(ct, x, y core.Value, _ core.Params) core.Value { return unbroadcast(y.Aval(), mul(x, ct)) },
		),
		Batch: batching.Broadcasting(MulP),
		Lower: lowerBinary("multiply"),
	})
}

// Mul gives the product of two arrays. Types must agree; package jnp promotes them.
func Mul(x, y any) array.Array { return apply(MulP, x, y) }

func mul(x, y core.Value) core.Value { return MulP.Bind1(nil, x, y) }
