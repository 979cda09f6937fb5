package lax

import (
	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
	"gopherlo/xla/stablehlo"
)

// ConvertElementTypeP changes the element type (new_dtype) and the weakness
// (weak_type).
var ConvertElementTypeP = core.NewPrimitive("convert_element_type")

func init() {
	ConvertElementTypeP.Define(core.Rules{
		AbstractEval: func(in []*core.ShapedArray, p core.Params) []*core.ShapedArray {
			return []*core.ShapedArray{in[0].WithDType(p.DType("new_dtype"), p.Bool("weak_type"))}
		},
		JVP:         jvpConvert,
		Transpose:   ad.Linear(transposeConvert),
		Batch:       batching.Vectorized(ConvertElementTypeP),
		Lower:       lowerConvert,
		ConstFold:   foldConvert,
		Forward:     forwardConvert,
		PrintParams: hide("sharding"),
	})
}

// ConvertElementType gives x with another, strong element type.
func ConvertElementType(x any, dt dtype.DType) array.Array {
	return array.New(convert(toValue("convert_element_type", x, 0), dt.Canonical(core.X64()), false))
}

// Convert gives x with another element type and weakness.
func Convert(x any, dt dtype.DType, weak bool) array.Array {
	return array.New(convert(toValue("convert_element_type", x, 0), dt, weak))
}

func jvpConvert(in, ts []core.Value, p core.Params) ([]core.Value, []core.Value) {
	out := ConvertElementTypeP.Bind1(p, in...)
	if core.IsZero(ts[0]) || !p.DType("new_dtype").IsInexact() {
		return []core.Value{out}, []core.Value{ad.ZeroOf(out)}
	}
	return []core.Value{out}, []core.Value{ConvertElementTypeP.Bind1(p, ts[0])}
}

// transposeConvert goes back to the operand's type and weakness.
func transposeConvert(ct core.Value, args []core.Value, _ core.Params) []core.Value {
	a := args[0].Aval()
	if !a.DType.IsInexact() {
		return []core.Value{core.Zero{Of: a.Tangent()}}
	}
	p := core.P("new_dtype", a.DType, "weak_type", a.Weak, "sharding", nil)
	return []core.Value{ConvertElementTypeP.Bind1(p, ct)}
}

// foldConvert converts numbers while staging.
func foldConvert(consts []*core.Const, p core.Params, out []*core.ShapedArray) []*core.Const {
	c := consts[0]
	if c == nil || c.Py == nil || len(out[0].Shape) > 0 || out[0].DType.IsExtended() {
		return nil
	}
	s := convertScalar(c, p.DType("new_dtype"), out[0].Weak)
	if s == nil {
		return nil
	}
	return []*core.Const{s}
}

// forwardConvert drops conversions that change nothing.
func forwardConvert(in []*core.ShapedArray, _ core.Params, out []*core.ShapedArray) ([]int, bool) {
	if in[0].Equal(out[0]) && !out[0].DType.IsExtended() {
		return []int{0}, true
	}
	return []int{-1}, false
}

// lowerConvert has HLO's semantics, but a conversion to bool asks for x != 0.
func lowerConvert(c *core.LowerCtx, args []hloValue, _ core.Params) []hloValue {
	x, from, to := args[0], c.In[0], c.Out[0].DType
	if from.DType.IsComplex() && !to.IsComplex() {
		from = from.WithDType(from.DType.Real(), false)
		x = c.B.UnaryTo("real", x, elem(from.DType))
	}
	if to.IsBool() {
		x = c.B.CompareAs("NE", stablehlo.CompareType(elem(from.DType)), x, lowerFull(c, from, 0))
	}
	return []hloValue{c.B.Convert(x, elem(to))}
}
