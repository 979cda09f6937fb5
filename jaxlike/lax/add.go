package lax

import (
	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
)

// AddP is the sum of two arrays.
var AddP = core.NewPrimitive("add")

func init() {
	AddP.Define(core.Rules{
		AbstractEval: nary("add", same, acceptNum, acceptNum),
		JVP:          jvpAdd,
		Transpose: func(cts, args []core.Value, _ core.Params) []core.Value {
			ct, x, y := cts[0], cotangentAval(args[0]), cotangentAval(args[1])
			if core.IsZero(ct) {
				return []core.Value{core.Zero{Of: x}, core.Zero{Of: y}}
			}
			return []core.Value{unbroadcast(x, ct), unbroadcast(y, ct)}
		},
		Batch: batching.Broadcasting(AddP),
		Lower: lowerBinary("add"),
	})
}

// Add gives the sum of two arrays. Types must agree; package jnp promotes them.
func Add(x, y any) array.Array { return apply(AddP, x, y) }

func add(x, y core.Value) core.Value { return AddP.Bind1(nil, x, y) }

// jvpAdd joins both tangents in one add, or passes the only one on.
func jvpAdd(in, ts []core.Value, _ core.Params) ([]core.Value, []core.Value) {
	out := add(in[0], in[1])
	var t core.Value
	switch shape := out.Aval().Shape; {
	case core.IsZero(ts[0]) && core.IsZero(ts[1]):
		t = ad.ZeroOf(out)
	case core.IsZero(ts[0]):
		t = broadcastTo(shape, ts[1])
	case core.IsZero(ts[1]):
		t = broadcastTo(shape, ts[0])
	default:
		t = add(ts[0], ts[1])
	}
	return []core.Value{out}, []core.Value{t}
}
