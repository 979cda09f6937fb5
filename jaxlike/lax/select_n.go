package lax

import (
	"slices"
	"strings"

	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
	"gopherlo/xla/stablehlo"
)

// SelectNP takes each element from the case that its first operand names.
var SelectNP = core.NewPrimitive("select_n")

func init() {
	SelectNP.Define(core.Rules{
		AbstractEval: evalSelect,
		JVP:          jvpSelect,
		Transpose:    transposeSelect,
		Batch:        batchSelect,
		Lower:        lowerSelect,
	})
}

// Select gives onTrue where pred is true, else onFalse.
func Select(pred, onTrue, onFalse any) array.Array { return apply(SelectNP, pred, onFalse, onTrue) }

// SelectN gives, for each element, that of the case that which names.
func SelectN(which any, cases ...any) array.Array {
	if len(cases) == 0 {
		core.ValueErrorf("select_n() must have at least one case")
	}
	return apply(SelectNP, append([]any{which}, cases...)...)
}

func selectBool(pred, onTrue, onFalse core.Value) core.Value { return selectN(pred, onFalse, onTrue) }

func selectN(which core.Value, cases ...core.Value) core.Value {
	return SelectNP.Bind1(nil, append([]core.Value{which}, cases...)...)
}

func evalSelect(in []*core.ShapedArray, _ core.Params) []*core.ShapedArray {
	which, cases := in[0], in[1:]
	shapes := make([]string, len(cases))
	differ := false
	for i, c := range cases {
		shapes[i] = shapeText(c.Shape)
		differ = differ || !slices.Equal(c.Shape, cases[0].Shape)
	}
	if differ {
		core.TypeErrorf("select cases must have the same shapes, got [%s].", strings.Join(shapes, ", "))
	}
	if which.NDim() > 0 && !slices.Equal(which.Shape, cases[0].Shape) {
		core.TypeErrorf("select `which` must be scalar or have the same shape as cases, got `which` shape %s but case shape %s.", shapeText(which.Shape), shapes[0])
	}
	checkSameDTypes("select", cases)
	if !acceptBoolOrInt.has(which.DType) {
		core.TypeErrorf("select `which` must be boolean or integer type, got %s.", which.DType)
	}
	if which.DType.IsBool() && len(cases) > 2 {
		core.TypeErrorf("select with boolean `which` cannot have > 2 cases.")
	}
	return []*core.ShapedArray{{Shape: cases[0].Shape, DType: cases[0].DType, Weak: allWeak(cases)}}
}

func jvpSelect(in, ts []core.Value, _ core.Params) ([]core.Value, []core.Value) {
	out := selectN(in[0], in[1:]...)
	some := slices.IndexFunc(ts[1:], func(t core.Value) bool { return !core.IsZero(t) })
	if some < 0 {
		return []core.Value{out}, []core.Value{ad.ZeroOf(out)}
	}
	z := zeros(ts[1+some])
	cases := slices.Clone(ts[1:])
	for i, t := range cases {
		if core.IsZero(t) {
			cases[i] = z
		}
	}
	return []core.Value{out}, []core.Value{selectN(in[0], cases...)}
}

func transposeSelect(cts, args []core.Value, _ core.Params) []core.Value {
	ct, which, cases := cts[0], args[0], args[1:]
	out := make([]core.Value, len(args))
	switch {
	case core.IsZero(ct):
		for i, c := range cases {
			if core.IsUndefined(c) {
				out[1+i] = core.Zero{Of: c.Aval()}
			}
		}
	case len(cases) == 1:
		out[1] = ct
	case which.Aval().DType.IsBool():
		z := zeros(ct)
		if core.IsUndefined(cases[0]) {
			out[1] = selectBool(which, z, ct)
		}
		if core.IsUndefined(cases[1]) {
			out[2] = selectBool(which, ct, z)
		}
	default:
		z := zeros(ct)
		which = clamp(constLike(which, 0), which, constLike(which, float64(len(cases)-1)))
		for i, c := range cases {
			if core.IsUndefined(c) {
				out[1+i] = selectBool(eq(which, constLike(which, float64(i))), ct, z)
			}
		}
	}
	return out
}

func batchSelect(_ core.AxisData, args []core.Value, dims []int, p core.Params) ([]core.Value, []int) {
	which, cases, wd, cd := args[0], args[1:], dims[0], dims[1:]
	if batching.AllUnmapped(dims) {
		return SelectNP.Bind(p, args...), []int{core.NotMapped}
	}
	one := func(v core.Value, d int) ([]core.Value, []int) { return []core.Value{v}, []int{d} }
	sameDims := !slices.ContainsFunc(cd, func(d int) bool { return d != cd[0] })
	switch {
	case sameDims && wd == cd[0]:
		if !slices.Equal(which.Aval().Shape, cases[0].Aval().Shape) {
			which = broadcastInDim(which, cases[0].Aval().Shape, core.NewInts(wd))
		}
		return one(selectN(which, cases...), wd)
	case which.Aval().NDim() == 0 && !slices.Contains(cd, core.NotMapped):
		if sameDims {
			return one(selectN(which, cases...), cd[0])
		}
		if sameShapes(cases) {
			moved := slices.Clone(cases)
			for i := range moved {
				moved[i] = batching.Moveaxis(cases[i], cd[i], cd[0])
			}
			return one(selectN(which, moved...), cd[0])
		}
	}
	return one(selectFront(which, cases, wd, cd, batching.Size(args, dims)), 0)
}

func sameShapes(vs []core.Value) bool {
	for _, v := range vs {
		if !slices.Equal(v.Aval().Shape, vs[0].Aval().Shape) {
			return false
		}
	}
	return true
}

// selectFront moves all batch dimensions to the front.
func selectFront(which core.Value, cases []core.Value, wd int, cd []int, size int) core.Value {
	if which.Aval().NDim() > 0 {
		which = batching.Front(which, wd, size)
	}
	out := slices.Clone(cases)
	for i, c := range cases {
		if c.Aval().NDim() > 0 || !sameShapes(cases) {
			out[i] = batching.Front(c, cd[i], size)
		}
	}
	shape := out[0].Aval().Shape
	switch n := which.Aval().NDim(); {
	case n > 0 && n < len(shape):
		which = broadcastInDim(which, shape, core.NewInts(0))
	case n > len(shape):
		for i, c := range out {
			out[i] = broadcast(c, which.Aval().Shape)
		}
	}
	return selectN(which, out...)
}

func lowerSelect(c *core.LowerCtx, args []hloValue, _ core.Params) []hloValue {
	which, cases := args[0], args[1:]
	if len(cases) == 1 {
		return cases
	}
	if c.Eqn.Out[0].Aval().DType.IsExtended() { // all words of a key are chosen alike
		t := stablehlo.Type{Elem: which.Type.Elem, Dims: cases[0].Type.Dims}
		which = c.B.BroadcastInDim(which, t, trailing(which.Type.Rank(), which.Type.Rank())...)
	}
	if c.In[0].DType.IsBool() {
		return []hloValue{c.B.Select(which, cases[1], cases[0])}
	}
	kind := stablehlo.CompareType(elem(c.In[0].DType))
	var choose func(offset int, cases []hloValue) hloValue
	choose = func(offset int, cases []hloValue) hloValue {
		if len(cases) == 1 {
			return cases[0]
		}
		mid := len(cases) / 2
		pred := c.B.CompareAs("LT", kind, which, lowerFull(c, c.In[0], offset+mid))
		return c.B.Select(pred, choose(offset, cases[:mid]), choose(offset+mid, cases[mid:]))
	}
	return []hloValue{choose(0, cases)}
}
