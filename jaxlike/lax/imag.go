package lax

import (
	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
)

// ImagP is the imaginary part of each element.
var ImagP = core.NewPrimitive("imag")

func init() {
	ImagP.Define(core.Rules{
		AbstractEval: unop("imag", acceptComplex, dtype.DType.Real),
		JVP:          ad.LinearJVP(ImagP),
		Transpose: ad.Linear(func(ct core.Value, _ []core.Value, _ core.Params) []core.Value {
			return []core.Value{complexOf(scalarConst(0, ct.Aval().DType, false), neg(ct))}
		}),
		Batch: batching.Vectorized(ImagP),
		Lower: lowerUnary("imag"),
	})
}

// Imag gives the imaginary part of each element.
func Imag(x any) array.Array { return apply(ImagP, x) }

func imagPart(x core.Value) core.Value { return ImagP.Bind1(nil, x) }
