package lax

import (
	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
)

// ConjP is the complex conjugate; a real operand becomes complex.
var ConjP = core.NewPrimitive("conj")

func init() {
	accept := accepted{"float32, float64, complexfloating", func(d dtype.DType) bool { return acceptRealParts.has(d) || d.IsComplex() }}
	ConjP.Define(core.Rules{
		AbstractEval: unop("conj", accept, dtype.DType.ToComplex),
		JVP:          ad.LinearJVP(ConjP),
		Transpose: ad.Linear(func(ct core.Value, _ []core.Value, p core.Params) []core.Value {
			if p.DType("input_dtype").IsComplex() {
				return []core.Value{conj(ct)}
			}
			return []core.Value{realPart(ct)}
		}),
		Batch: batching.Vectorized(ConjP),
		Lower: lowerFun(func(in []core.Value, _ core.Params) core.Value {
			x := in[0]
			if x.Aval().DType.IsComplex() {
				return complexOf(realPart(x), neg(imagPart(x)))
			}
			return complexOf(x, zeros(x))
		}),
	})
}

// Conj gives the complex conjugate of each element.
func Conj(x any) array.Array { return array.New(conj(toValue("conj", x, 0))) }

func conj(x core.Value) core.Value {
	return ConjP.Bind1(core.P("input_dtype", x.Aval().DType), x)
}
