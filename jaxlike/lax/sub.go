package lax

import (
	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
)

// SubP is the difference of two arrays.
var SubP = core.NewPrimitive("sub")

func init() {
	SubP.Define(core.Rules{
		AbstractEval: nary("sub", same, acceptNum, acceptNum),
		JVP:          jvpSub,
		Transpose: func(cts, args []core.Value, _ core.Params) []core.Value {
			ct, x, y := cts[0], cotangentAval(args[0]), cotangentAval(args[1])
			if core.IsZero(ct) {
				return []core.Value{core.Zero{Of: x}, core.Zero{Of: y}}
			}
			return []core.Value{unbroadcast(x, ct), unbroadcast(y, neg(ct))}
		},
		Batch: batching.Broadcasting(SubP),
		Lower: lowerBinary("subtract"),
	})
}

// Sub gives the difference of two arrays. Types must agree; package jnp promotes them.
func Sub(x, y any) array.Array { return apply(SubP, x, y) }

func sub(x, y core.Value) core.Value { return SubP.Bind1(nil, x, y) }

// jvpSub joins both tangents in one sub, or passes the only one on.
func jvpSub(in, ts []core.Value, _ core.Params) ([]core.Value, []core.Value) {
	out := sub(in[0], in[1])
	var t core.Value
	switch shape := out.Aval().Shape; {
	case core.IsZero(ts[0]) && core.IsZero(ts[1]):
		t = ad.ZeroOf(out)
	case core.IsZero(ts[0]):
		t = broadcastTo(shape, neg(ts[1]))
	case core.IsZero(ts[1]):
		t = broadcastTo(shape, ts[0])
	default:
		t = sub(ts[0], ts[1])
	}
	return []core.Value{out}, []core.Value{t}
}
