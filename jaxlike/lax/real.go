package lax

import (
	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
)

// RealP is the real part of each element.
var RealP = core.NewPrimitive("real")

func init() {
	RealP.Define(core.Rules{
		AbstractEval: unop("real", acceptComplex, dtype.DType.Real),
		JVP:          ad.LinearJVP(RealP),
		Transpose: ad.Linear(func(ct core.Value, _ []core.Value, _ core.Params) []core.Value {
			return []core.Value{complexOf(ct, scalarConst(0, ct.Aval().DType, false))}
		}),
		Batch: batching.Vectorized(RealP),
		Lower: lowerUnary("real"),
	})
}

// Real gives the real part of each element.
func Real(x any) array.Array { return apply(RealP, x) }

func realPart(x core.Value) core.Value { return RealP.Bind1(nil, x) }
