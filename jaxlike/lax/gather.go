package lax

import (
	"math"
	"slices"

	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
	"gopherlo/xla/stablehlo"
)

// IndexMode says what gather and scatter do with indices out of bounds
// (GatherScatterMode in JAX).
type IndexMode string

// The modes: move indices to the nearest valid ones; give a fill value or drop
// the update; trust the caller.
const (
	IndexClip     IndexMode = "CLIP"
	IndexFill     IndexMode = "FILL_OR_DROP"
	IndexInBounds IndexMode = "PROMISE_IN_BOUNDS"
)

// PyRepr prints the mode as the enumerator that it is in JAX.
func (m IndexMode) PyRepr() string { return "GatherScatterMode." + string(m) }

// ParseIndexMode reads a mode as JAX's users write it; "" is otherwise.
func ParseIndexMode(s string, otherwise IndexMode) IndexMode {
	switch s {
	case "":
		return otherwise
	case "clip":
		return IndexClip
	case "fill", "drop":
		return IndexFill
	case "promise_in_bounds":
		return IndexInBounds
	}
	core.ValueErrorf("Unknown gather mode %q", s)
	return ""
}

// GatherDims are the dimension numbers of a gather. The index vectors are in
// the last dimension of the indices.
type GatherDims struct {
	Offset, Collapsed, StartIndexMap, OperandBatching, IndicesBatching core.Ints
}

// PyRepr prints the dimension numbers as JAX's named tuple.
func (d GatherDims) PyRepr() string {
	return "GatherDimensionNumbers(offset_dims=" + core.PyRepr(d.Offset) + ", collapsed_slice_dims=" + core.PyRepr(d.Collapsed) +
		", start_index_map=" + core.PyRepr(d.StartIndexMap) + ", operand_batching_dims=" + core.PyRepr(d.OperandBatching) +
		", start_indices_batching_dims=" + core.PyRepr(d.IndicesBatching) + ")"
}

// GatherParams are the settings of a gather.
type GatherParams struct {
	Dims           GatherDims
	Sizes          []int
	Mode           IndexMode
	Unique, Sorted bool
	// Fill is the number that stands for elements out of bounds; nil for the
	// default.
	Fill any
}

// GatherP collects slices at indices (gather_p in jax/_src/lax/slicing.py).
var GatherP = core.NewPrimitive("gather")

func init() {
	GatherP.Define(core.Rules{
		AbstractEval: evalGather,
		JVP: ad.Std(GatherP, func(t, _ core.Value, in []core.Value, p core.Params) core.Value {
			g := gatherOf(p)
			g.Fill = 0
			return gather(t, in[1], g)
		}, nil),
		Transpose: func(cts, args []core.Value, p core.Params) []core.Value {
			if core.IsZero(cts[0]) {
				return []core.Value{core.Zero{Of: args[0].Aval()}, nil}
			}
			g, ct := gatherOf(p), cts[0]
			z := broadcast(Stage(scalarConst(0, ct.Aval().DType, false)), args[0].Aval().Shape)
			return []core.Value{scatter(ScatterAddP, z, args[1], ct, scatterParams{
				dims: g.Dims.scatter(), unique: g.Unique, sorted: g.Sorted, mode: g.Mode,
			}), nil}
		},
		Batch: batchGather,
		Lower: lowerGather,
	})
}

// Gather collects slices of x at the indices.
func Gather(x, indices any, g GatherParams) array.Array {
	return array.New(gather(toValue("gather", x, 0), toValue("gather", indices, 1), g))
}

func gather(x, indices core.Value, g GatherParams) core.Value {
	if g.Mode == "" {
		g.Mode = IndexInBounds
	}
	switch {
	case g.Mode != IndexFill:
		g.Fill = nil
	case g.Fill == nil:
		g.Fill = defaultFill(x.Aval().DType)
	}
	return GatherP.Bind1(core.P("dimension_numbers", g.Dims, "slice_sizes", core.NewInts(g.Sizes...),
		"unique_indices", g.Unique, "indices_are_sorted", g.Sorted, "mode", g.Mode, "fill_value", g.Fill), x, indices)
}

func gatherOf(p core.Params) GatherParams {
	d, _ := p.Get("dimension_numbers").(GatherDims)
	m, _ := p.Get("mode").(IndexMode)
	return GatherParams{
		Dims: d, Sizes: p.Ints("slice_sizes"), Mode: m,
		Unique: p.Bool("unique_indices"), Sorted: p.Bool("indices_are_sorted"), Fill: p.Get("fill_value"),
	}
}

// defaultFill is what elements out of bounds are by default.
func defaultFill(d dtype.DType) any {
	switch {
	case d.IsInexact():
		return math.NaN()
	case d.IsSigned():
		lo, _ := dtype.IntRange(d)
		return int(lo)
	case d.IsBool():
		return true
	case d.IsExtended():
		return math.MaxUint32
	}
	_, hi := dtype.IntRange(d)
	if hi > math.MaxInt64 {
		return hi
	}
	return int(hi)
}

func (d GatherDims) scatter() ScatterDims {
	return ScatterDims{Window: d.Offset, Inserted: d.Collapsed, ToOperand: d.StartIndexMap, OperandBatching: d.OperandBatching, IndicesBatching: d.IndicesBatching}
}

func evalGather(in []*core.ShapedArray, p core.Params) []*core.ShapedArray {
	x, indices, g := in[0], in[1], gatherOf(p)
	if !indices.DType.IsInt() {
		core.ValueErrorf("indices must have an integer type")
	}
	checkGather(x, indices, g)
	batch := indices.Shape[:indices.NDim()-1]
	var window []int
	for i, s := range g.Sizes {
		if !contains(g.Dims.Collapsed, i) && !contains(g.Dims.OperandBatching, i) {
			window = append(window, s)
		}
	}
	shape := make([]int, len(batch)+len(g.Dims.Offset))
	w, b := 0, 0
	for i := range shape {
		if contains(g.Dims.Offset, i) {
			shape[i] = window[w]
			w++
		} else {
			shape[i] = batch[b]
			b++
		}
	}
	return []*core.ShapedArray{x.With(shape)}
}

func checkGather(x, indices *core.ShapedArray, g GatherParams) {
	if indices.NDim() == 0 {
		core.TypeErrorf("Gather index leaf dimension must be within [0, rank(indices) + 1). rank(indices) is 0 and gather index leaf dimension is -1.")
	}
	if n := indices.Shape[indices.NDim()-1]; len(g.Dims.StartIndexMap) != n {
		core.TypeErrorf("Gather op has %d elements in start_index_map and the bound of dimension index_vector_dim=%d of indices is %d. These two numbers must be equal.",
			len(g.Dims.StartIndexMap), indices.NDim()-1, n)
	}
	if len(g.Sizes) != x.NDim() {
		core.TypeErrorf("Gather op must have one slice size for every input dimension; got: len(slice_sizes)=%d, input_shape.rank=%d", len(g.Sizes), x.NDim())
	}
	if n := len(g.Dims.Offset) + len(g.Dims.Collapsed) + len(g.Dims.OperandBatching); len(g.Sizes) != n {
		core.TypeErrorf("All components of the offset index in a gather op must either be a offset dimension or explicitly collapsed/batching; got len(slice_sizes)=%d, output_slice_sizes=%s, collapsed_slice_dims=%s, operand_batching_dims=%s.",
			len(g.Sizes), core.PyRepr(g.Dims.Offset), core.PyRepr(g.Dims.Collapsed), core.PyRepr(g.Dims.OperandBatching))
	}
	for i, s := range g.Sizes {
		if s < 0 || s > x.Shape[i] {
			core.TypeErrorf("Slice size at index %d in gather op is out of range, must be within [0, %d + 1), got %d.", i, x.Shape[i], s)
		}
	}
}

func contains(t core.Ints, v int) bool {
	return slices.ContainsFunc(t, func(i core.Int) bool { return i.V == v })
}

// plusOne shifts dimensions past a new leading one; JAX does it with NumPy.
func plusOne(t core.Ints) core.Ints {
	out := make(core.Ints, len(t))
	for i, v := range t {
		out[i] = core.Int{V: v.V + 1, NP: true}
	}
	return out
}

func withFirst(t core.Ints) core.Ints { return append(core.Ints{{}}, t...) }

func batchGather(_ core.AxisData, args []core.Value, dims []int, p core.Params) ([]core.Value, []int) {
	if batching.AllUnmapped(dims) {
		return GatherP.Bind(p, args...), []int{core.NotMapped}
	}
	return []core.Value{batchedGather(args[0], args[1], dims[0], dims[1], gatherOf(p))}, []int{0}
}

func batchedGather(x, indices core.Value, xd, id int, g GatherParams) core.Value {
	d := g.Dims
	switch {
	case id == core.NotMapped:
		x = batching.Moveaxis(x, xd, 0)
		g.Sizes = append([]int{x.Aval().Shape[0]}, g.Sizes...)
		g.Dims = GatherDims{withFirst(plusOne(d.Offset)), plusOne(d.Collapsed), plusOne(d.StartIndexMap), plusOne(d.OperandBatching), d.IndicesBatching}
	case xd == core.NotMapped:
		indices = batching.Moveaxis(indices, id, 0)
		offset := make(core.Ints, len(d.Offset))
		for i, v := range d.Offset {
			offset[i] = core.Int{V: v.V + 1, NP: v.NP}
		}
		g.Dims = GatherDims{offset, d.Collapsed, d.StartIndexMap, d.OperandBatching, plusOne(d.IndicesBatching)}
		g.Unique, g.Sorted = false, false
	default:
		x, indices = batching.Moveaxis(x, xd, 0), batching.Moveaxis(indices, id, 0)
		g.Sizes = append([]int{min(1, x.Aval().Shape[0])}, g.Sizes...)
		g.Dims = GatherDims{plusOne(d.Offset), plusOne(d.Collapsed), plusOne(d.StartIndexMap), withFirst(plusOne(d.OperandBatching)), withFirst(plusOne(d.IndicesBatching))}
	}
	return gather(x, indices, g)
}

func lowerGather(c *core.LowerCtx, args []hloValue, p core.Params) []hloValue {
	g := gatherOf(p)
	out := c.Out[0]
	if out.DType.IsExtended() { // the words of a key are one more dimension
		g.Dims.Offset = append(slices.Clone(g.Dims.Offset), core.Int{V: out.NDim()})
		g.Sizes = append(g.Sizes, 2)
		in := []*core.ShapedArray{physical(c.In[0]), c.In[1]}
		return lowerGatherAs(c, in, physical(out), args, g)
	}
	return lowerGatherAs(c, c.In, out, args, g)
}

func lowerGatherAs(c *core.LowerCtx, in []*core.ShapedArray, out *core.ShapedArray, args []hloValue, g GatherParams) []hloValue {
	if g.Mode == IndexFill {
		return lowerProgram(c, in, args, func(vs []core.Value) core.Value { return gatherFill(vs[0], vs[1], g, out.Shape) })
	}
	if out.Size() == 0 {
		return []hloValue{lowerFull(c, out, 0)}
	}
	d := &stablehlo.GatherDims{
		OffsetDims: int64s(g.Dims.Offset.Values()), CollapsedSliceDims: int64s(g.Dims.Collapsed.Values()),
		OperandBatchingDims: int64s(g.Dims.OperandBatching.Values()), StartIndicesBatchingDims: int64s(g.Dims.IndicesBatching.Values()),
		StartIndexMap: int64s(g.Dims.StartIndexMap.Values()), IndexVectorDim: int64(in[1].NDim() - 1),
	}
	return []hloValue{c.B.Gather(args[0], args[1], typeOf(out), d, int64s(g.Sizes), g.Sorted)}
}

// gatherFill is a gather with a mask for indices out of bounds (_gather_fill).
func gatherFill(x, indices core.Value, g GatherParams, shape []int) core.Value {
	xs := x.Aval().Shape
	indices = convert(indices, dtype.Int32, false)
	n := indices.Aval().NDim() - 1
	bound := make([]int, len(g.Dims.StartIndexMap))
	for i, d := range g.Dims.StartIndexMap {
		bound[i] = xs[d.V] - g.Sizes[d.V]
	}
	low := ge(indices, scalarConst(0, dtype.Int32, false))
	mask := and(low, le(indices, expandDims(hostInts(bound), count(0, n))))
	mask = ReduceAndP.Bind1(core.P("axes", core.NewInts(n)), mask)
	var batchDims []int
	for i := range shape {
		if !contains(g.Dims.Offset, i) {
			batchDims = append(batchDims, i)
		}
	}
	plain := g
	plain.Mode, plain.Unique = IndexInBounds, false
	out := gather(x, indices, plain)
	fill := core.NewScalar(pyOf(g.Fill, out.Aval().DType), out.Aval().DType, out.Aval().Weak)
	return selectBool(broadcastInDim(mask, shape, core.NewInts(batchDims...)), out, broadcast(fill, out.Aval().Shape))
}

// pyOf is a number in the form that constants of the type hold.
func pyOf(v any, d dtype.DType) any {
	f := 0.0
	switch v := v.(type) {
	case bool:
		if d.IsBool() {
			return v
		}
		if v {
			f = 1
		}
	case int:
		switch {
		case d.IsUnsigned():
			return uint64(v)
		case d.IsInt():
			return int64(v)
		}
		f = float64(v)
	case uint64:
		if d.IsUnsigned() {
			return v
		}
		f = float64(v)
	case float64:
		f = v
	case complex128:
		return v
	}
	switch {
	case d.IsBool():
		return f != 0
	case d.IsUnsigned():
		return uint64(int64(f))
	case d.IsInt():
		return int64(f)
	case d.IsComplex():
		return complex(f, 0)
	}
	return f
}

// hostInts makes a constant vector of int32.
func hostInts(vs []int) core.Value {
	data := make([]byte, 4*len(vs))
	for i, v := range vs {
		dtype.Int32.PutInt(data[4*i:], int64(v))
	}
	return core.NewHostConst(core.NewAval(dtype.Int32, len(vs)), data)
}
