package lax

import (
	"slices"
	"strings"

	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
)

// PadDim says how one dimension is padded: before, after and between elements.
// Negative numbers cut.
type PadDim struct{ Low, High, Interior core.Int }

// padConfig is the parameter of a pad.
type padConfig []PadDim

// PyRepr prints the parameter as a tuple of triples.
func (c padConfig) PyRepr() string {
	parts := make([]string, len(c))
	for i, d := range c {
		parts[i] = core.PyRepr(core.Ints{d.Low, d.High, d.Interior})
	}
	if len(parts) == 1 {
		return "(" + parts[0] + ",)"
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// PadP surrounds an array with a value.
var PadP = core.NewPrimitive("pad")

func init() {
	PadP.Define(core.Rules{
		AbstractEval: evalPad,
		JVP:          ad.LinearJVP(PadP),
		Transpose:    transposePad,
		Batch:        batchPad,
		Lower: func(c *core.LowerCtx, args []hloValue, p core.Params) []hloValue {
			var low, high, interior []int64
			for _, d := range padOf(p) {
				low, high, interior = append(low, int64(d.Low.V)), append(high, int64(d.High.V)), append(interior, int64(d.Interior.V))
			}
			return []hloValue{c.B.Pad(args[0], args[1], low, high, interior)}
		},
	})
}

// Pad surrounds x with the scalar v; config has (low, high, interior) for each
// dimension.
func Pad(x, v any, config [][3]int) array.Array {
	dims := make([]PadDim, len(config))
	for i, c := range config {
		dims[i] = PadDim{core.Int{V: c[0]}, core.Int{V: c[1]}, core.Int{V: c[2]}}
	}
	return PadDims(x, v, dims)
}

// PadDims is Pad with numbers that may be marked as NumPy's.
func PadDims(x, v any, dims []PadDim) array.Array {
	return array.New(pad(toValue("pad", x, 0), toValue("pad", v, 1), dims))
}

func pad(x, v core.Value, dims []PadDim) core.Value {
	return PadP.Bind1(core.P("padding_config", padConfig(dims)), x, v)
}

func padOf(p core.Params) padConfig { c, _ := p.Get("padding_config").(padConfig); return c }

func evalPad(in []*core.ShapedArray, p core.Params) []*core.ShapedArray {
	x, v, config := in[0], in[1], padOf(p)
	if v.NDim() != 0 {
		core.ValueErrorf("padding_value must be a scalar; got np.shape(padding_value)=%s", shapeText(v.Shape))
	}
	if len(config) != x.NDim() {
		core.ValueErrorf("length of padding_config must equal the number of axes of operand, got padding_config %s for operand shape %s", config.PyRepr(), shapeText(x.Shape))
	}
	shape := make([]int, len(config))
	for i, d := range config {
		if d.Interior.V < 0 {
			core.ValueErrorf("interior padding in padding_config must be nonnegative, got padding_config %s", config.PyRepr())
		}
		n := x.Shape[i]
		shape[i] = d.Low.V + d.High.V + n + max(0, n-1)*d.Interior.V
	}
	for _, d := range shape {
		if d < 0 {
			core.ValueErrorf("Dimension size after padding is not at least 0, got result shape %s, for padding_config %s and operand shape %s", shapeText(shape), config.PyRepr(), shapeText(x.Shape))
		}
	}
	if x.DType != v.DType {
		core.TypeErrorf("pad operand and padding_value must be same dtype: got %s and %s.", x.DType, v.DType)
	}
	return []*core.ShapedArray{{Shape: shape, DType: x.DType, Weak: allWeak(in)}}
}

// transposePad cuts the padding off again; what was cut away goes to the value.
func transposePad(cts, args []core.Value, p core.Params) []core.Value {
	t := cts[0]
	out := make([]core.Value, 2)
	if core.IsZero(t) {
		for i, a := range args {
			if core.IsUndefined(a) {
				out[i] = core.Zero{Of: a.Aval()}
			}
		}
		return out
	}
	config := padOf(p)
	cut := make([]PadDim, len(config))
	var start, strides core.Ints
	for i, d := range config {
		cut[i] = PadDim{core.Int{V: -d.Low.V, NP: true}, core.Int{V: -d.High.V, NP: true}, core.Int{NP: true}}
		start = append(start, core.Int{NP: true})
		strides = append(strides, core.Int{V: d.Interior.V + 1, NP: true})
	}
	inner := func() core.Value {
		u := pad(t, scalarConst(0, t.Aval().DType, false), cut)
		return slice(u, start, core.NewInts(u.Aval().Shape...), strides)
	}
	total := func(v core.Value) core.Value { return reduceSum(v, core.NewInts(count(0, v.Aval().NDim())...)) }
	if core.IsUndefined(args[0]) {
		out[0] = inner()
	}
	if core.IsUndefined(args[1]) {
		rest := out[0]
		if rest == nil {
			rest = inner()
		}
		out[1] = sub(total(t), total(rest))
	}
	return out
}

func batchPad(axis core.AxisData, args []core.Value, dims []int, p core.Params) ([]core.Value, []int) {
	x, v, d := args[0], args[1], dims[0]
	if batching.AllUnmapped(dims) {
		return PadP.Bind(p, args...), []int{core.NotMapped}
	}
	if d == core.NotMapped {
		x, d = broadcast(x, []int{axis.Size}), 0
	}
	config := slices.Insert(slices.Clone([]PadDim(padOf(p))), d, PadDim{})
	if dims[1] == core.NotMapped {
		return []core.Value{pad(x, v, config)}, []int{d}
	}
	out := pad(x, zero(x), config)
	mask := pad(fullLikeAs(x, 1, dtype.Bool), scalarConst(0, dtype.Bool, false), config)
	return []core.Value{selectBool(mask, out, broadcastInDim(v, out.Aval().Shape, core.NewInts(d)))}, []int{d}
}
