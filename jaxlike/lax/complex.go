package lax

import (
	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
)

// ComplexP makes complex numbers of real and imaginary parts.
var ComplexP = core.NewPrimitive("complex")

func init() {
	ComplexP.Define(core.Rules{
		AbstractEval: nary("complex", dtype.DType.ToComplex, acceptRealParts, acceptRealParts),
		JVP:          ad.LinearJVP(ComplexP),
		Transpose:    transposeComplex,
		Batch:        batching.Broadcasting(ComplexP),
		Lower: func(c *core.LowerCtx, args []hloValue, _ core.Params) []hloValue {
			xs := broadcastArgs(c, args)
			return []hloValue{c.B.Complex(xs[0], xs[1])}
		},
	})
}

// Complex gives x + iy.
func Complex(x, y any) array.Array { return apply(ComplexP, x, y) }

func complexOf(x, y core.Value) core.Value { return ComplexP.Bind1(nil, x, y) }

func transposeComplex(cts, args []core.Value, _ core.Params) []core.Value {
	ct, out := cts[0], make([]core.Value, 2)
	for i, a := range args {
		switch {
		case !core.IsUndefined(a):
		case core.IsZero(ct):
			out[i] = core.Zero{Of: a.Aval()}
		case i == 0:
			out[i] = unbroadcast(a.Aval(), realPart(ct))
		default:
			out[i] = unbroadcast(a.Aval(), imagPart(neg(ct)))
		}
	}
	return out
}
