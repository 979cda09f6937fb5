package lax

import (
	"math"
	"slices"
	"sync"

	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
	"gopherlo/jaxlike/partialeval"
	"gopherlo/xla/stablehlo"
)

// ScatterDims are the dimension numbers of a scatter, the mirror image of
// GatherDims.
type ScatterDims struct {
	Window, Inserted, ToOperand, OperandBatching, IndicesBatching core.Ints
}

// PyRepr prints the dimension numbers as JAX's named tuple.
func (d ScatterDims) PyRepr() string {
	return "ScatterDimensionNumbers(update_window_dims=" + core.PyRepr(d.Window) + ", inserted_window_dims=" + core.PyRepr(d.Inserted) +
		", scatter_dims_to_operand_dims=" + core.PyRepr(d.ToOperand) + ", operand_batching_dims=" + core.PyRepr(d.OperandBatching) +
		", scatter_indices_batching_dims=" + core.PyRepr(d.IndicesBatching) + ")"
}

func (d ScatterDims) gather() GatherDims {
	return GatherDims{Offset: d.Window, Collapsed: d.Inserted, StartIndexMap: d.ToOperand, OperandBatching: d.OperandBatching, IndicesBatching: d.IndicesBatching}
}

// scatterParams are the settings of a scatter.
type scatterParams struct {
	dims           ScatterDims
	unique, sorted bool
	mode           IndexMode
}

// ScatterP writes slices at indices (scatter_p in jax/_src/lax/slicing.py).
var ScatterP = core.NewPrimitive("scatter")

// ScatterKind says what a scatter does with the old elements.
type ScatterKind string

// The kinds of scatter for indexed updates.
const (
	ScatterSet ScatterKind = "scatter"
	ScatterAdd ScatterKind = "scatter-add"
	ScatterSub ScatterKind = "scatter-sub"
	ScatterMul ScatterKind = "scatter-mul"
	ScatterMin ScatterKind = "scatter-min"
	ScatterMax ScatterKind = "scatter-max"
)

// combinations are the scalar functions of the kinds.
var combinations = map[ScatterKind]func(old, upd core.Value) core.Value{
	ScatterSet: func(_, upd core.Value) core.Value { return upd },
	ScatterAdd: add,
	ScatterSub: sub,
	ScatterMul: mul,
	ScatterMin: func(x, y core.Value) core.Value { return MinP.Bind1(nil, x, y) },
	ScatterMax: maximum,
}

func init() {
	ScatterP.Define(core.Rules{
		AbstractEval: evalScatter,
		JVP:          jvpScatter,
		Transpose:    transposeScatter,
		Batch:        batchScatter(ScatterP),
		Lower:        lowerScatter,
	})
}

// Scatter writes updates into x at the indices with the dimension numbers of
// the gather that reads them.
func (k ScatterKind) Scatter(x, indices, updates any, g GatherParams) array.Array {
	name := string(k)
	return array.New(scatter(core.Lookup(name), toValue(name, x, 0), toValue(name, indices, 1), toValue(name, updates, 2),
		scatterParams{dims: g.Dims.scatter(), unique: g.Unique, sorted: g.Sorted, mode: g.Mode}))
}

func scatter(prim *core.Primitive, x, indices, updates core.Value, s scatterParams) core.Value {
	if s.mode == "" {
		s.mode = IndexFill
	}
	var j any
	if prim != ScatterP {
		j = reductionJaxpr(prim, x.Aval().DType)
	}
	return prim.Bind1(core.P("update_jaxpr", j, "update_consts", core.Tuple(nil), "dimension_numbers", s.dims,
		"indices_are_sorted", s.sorted, "unique_indices", s.unique, "mode", s.mode), x, indices, updates)
}

func scatterOf(p core.Params) scatterParams {
	d, _ := p.Get("dimension_numbers").(ScatterDims)
	m, _ := p.Get("mode").(IndexMode)
	return scatterParams{d, p.Bool("unique_indices"), p.Bool("indices_are_sorted"), m}
}

// reductions holds the jaxprs of scatters' combinations: equal ones are one
// object, as in JAX.
var reductions struct {
	sync.Mutex
	jaxprs map[string]*core.Jaxpr
}

func reductionJaxpr(prim *core.Primitive, d dtype.DType) *core.Jaxpr {
	reductions.Lock()
	defer reductions.Unlock()
	key := prim.Name + ":" + d.String() + core.Current().Metadata.Key()
	if j := reductions.jaxprs[key]; j != nil {
		return j
	}
	combine := combinations[ScatterKind(prim.Name)]
	a := core.NewAval(d)
	var j *core.Jaxpr
	core.With(func(s *core.State) { *s = core.State{Trace: core.Eval, Metadata: s.Metadata} }, func() {
		j = partialeval.TraceToJaxpr(func(in []core.Value) []core.Value { return []core.Value{combine(in[0], in[1])} },
			[]*core.ShapedArray{a, a}, &core.DebugInfo{})
	})
	if reductions.jaxprs == nil {
		reductions.jaxprs = map[string]*core.Jaxpr{}
	}
	reductions.jaxprs[key] = j
	return j
}

func evalScatter(in []*core.ShapedArray, p core.Params) []*core.ShapedArray {
	x, indices, updates, d := in[0], in[1], in[2], scatterOf(p).dims
	if !indices.DType.IsInt() {
		core.ValueErrorf("indices must have an integer type")
	}
	checkSameDTypes("scatter", []*core.ShapedArray{x, updates})
	if n := len(d.Window) + len(d.Inserted) + len(d.OperandBatching); n != x.NDim() {
		core.TypeErrorf("Scatter op has window of size %d; doesn't match operand of rank %d.", n, x.NDim())
	}
	last := indices.NDim() - 1
	if n := indices.Shape[last]; n != len(d.ToOperand) {
		core.TypeErrorf("Scatter op has %d elements in scatter_dims_to_operand_dims and the bound of dimension index_vector_dim=%d of indices is %d. These two numbers must be equal",
			len(d.ToOperand), last, n)
	}
	batch := 0
	for i, n := range updates.Shape {
		if contains(d.Window, i) {
			continue
		}
		if batch >= last || n != indices.Shape[batch] {
			core.TypeErrorf("Bounds of the scatter dimensions of updates must be the same as the bounds of the corresponding dimensions of scatter indices. For scatter dimension %d, updates bound is %d, indices bound is %d.",
				i, n, indices.Shape[min(batch, last)])
		}
		batch++
	}
	return []*core.ShapedArray{x}
}

// windowSizes are the slice sizes of the gather that undoes a scatter.
func windowSizes(x, updates *core.ShapedArray, d ScatterDims) []int {
	sizes := make([]int, x.NDim())
	pos := 0
	for i := range sizes {
		if contains(d.Inserted, i) || contains(d.OperandBatching, i) {
			sizes[i] = 1
			continue
		}
		sizes[i] = updates.Shape[d.Window[pos].V]
		pos++
	}
	return sizes
}

// undo gathers from x what a scatter with settings s would overwrite.
func (s scatterParams) undo(x, indices core.Value, updates *core.ShapedArray, g GatherParams) core.Value {
	g.Dims, g.Sizes = s.dims.gather(), windowSizes(x.Aval(), updates, s.dims)
	return gather(x, indices, g)
}

// jvpScatter follows JAX: where indices may repeat, each update gets a number,
// and those that won are found by gathering the numbers again.
func jvpScatter(in, ts []core.Value, p core.Params) ([]core.Value, []core.Value) {
	if core.IsZero(ts[0]) && core.IsZero(ts[2]) {
		out := ScatterP.Bind(p, in...)
		return out, []core.Value{ad.ZeroOf(out[0])}
	}
	s := scatterOf(p)
	x, indices, updates := in[0], in[1], in[2]
	tx, tu := ad.Instantiate(ts[0]), ad.Instantiate(ts[2])
	if s.unique {
		return []core.Value{scatter(ScatterP, x, indices, updates, s)}, []core.Value{scatter(ScatterP, tx, indices, tu, s)}
	}
	shape := slices.Clone(updates.Aval().Shape)
	n := 1
	for i := range shape {
		if contains(s.dims.Window, i) {
			shape[i] = 1
		}
		n *= shape[i]
	}
	u32 := dtype.Uint32
	ids := add(reshape(Iota(u32, n).Value(), shape), fullLikeAs(updates, 1, u32))
	written := scatter(ScatterP, broadcast(Stage(scalarConst(0, u32, false)), x.Aval().Shape), indices, ids, s)
	won := s.undo(written, indices, updates.Aval(), GatherParams{})
	untouched := func(v core.Value) core.Value { return selectBool(eq(written, zeros(written)), v, zeros(v)) }
	winners := func(v core.Value) core.Value { return selectBool(eq(ids, won), v, zeros(v)) }
	mx, mu := untouched(x), winners(updates)
	mtx, mtu := untouched(tx), winners(tu)
	return []core.Value{scatter(ScatterAddP, mx, indices, mu, s)}, []core.Value{scatter(ScatterAddP, mtx, indices, mtu, s)}
}

func transposeScatter(cts, args []core.Value, p core.Params) []core.Value {
	s := scatterOf(p)
	if !s.unique {
		core.Raise("NotImplementedError", "scatter transpose is only implemented where unique_indices=True")
	}
	return transposeScatterOf(cts, args, func(ct core.Value) core.Value {
		u := args[2].Aval()
		z := broadcast(Stage(scalarConst(0, ct.Aval().DType, false)), u.Shape)
		return scatter(ScatterP, ct, args[1], z, s)
	}, func(ct core.Value) core.Value {
		return s.undo(ct, args[1], args[2].Aval(), GatherParams{Mode: s.mode, Fill: 0})
	})
}

// transposeScatterOf gives the cotangents of operand and updates where they are
// wanted.
func transposeScatterOf(cts, args []core.Value, toOperand, toUpdates func(ct core.Value) core.Value) []core.Value {
	out := make([]core.Value, 3)
	for i, rule := range []func(core.Value) core.Value{toOperand, nil, toUpdates} {
		switch {
		case !core.IsUndefined(args[i]):
		case core.IsZero(cts[0]):
			out[i] = core.Zero{Of: args[i].Aval()}
		default:
			out[i] = rule(cts[0])
		}
	}
	return out
}

func batchScatter(prim *core.Primitive) batching.BatchRule {
	return func(_ core.AxisData, args []core.Value, dims []int, p core.Params) ([]core.Value, []int) {
		if batching.AllUnmapped(dims) {
			return prim.Bind(p, args...), []int{core.NotMapped}
		}
		size := batching.Size(args, dims)
		x, updates := batching.Front(args[0], dims[0], size), batching.Front(args[2], dims[2], size)
		d, indices := scatterOf(p).dims, args[1]
		b := ScatterDims{plusOne(d.Window), plusOne(d.Inserted), plusOne(d.ToOperand), plusOne(d.OperandBatching), d.IndicesBatching}
		if dims[1] == core.NotMapped {
			b.Window = withFirst(b.Window)
		} else {
			indices = batching.Front(indices, dims[1], size)
			b.OperandBatching, b.IndicesBatching = withFirst(b.OperandBatching), withFirst(plusOne(d.IndicesBatching))
		}
		return prim.Bind(p.With("dimension_numbers", b), x, indices, updates), []int{0}
	}
}

func lowerScatter(c *core.LowerCtx, args []hloValue, p core.Params) []hloValue {
	s, in, out := scatterOf(p), slices.Clone(c.In), c.Out[0]
	if out.DType.IsExtended() {
		s.dims.Window = append(slices.Clone(s.dims.Window), core.Int{V: in[2].NDim()})
		in[0], in[2], out = physical(in[0]), physical(in[2]), physical(out)
	}
	if s.mode == IndexClip {
		args = slices.Clone(args)
		args[1] = lowerProgram(c, in, args, func(vs []core.Value) core.Value { return clampIndices(vs[0], vs[1], vs[2], s.dims) })[0]
	}
	j := p.Jaxpr("update_jaxpr")
	if j == nil {
		j = reductionJaxpr(ScatterP, out.DType)
	}
	d := &stablehlo.ScatterDims{
		UpdateWindowDims: int64s(s.dims.Window.Values()), InsertedWindowDims: int64s(s.dims.Inserted.Values()),
		InputBatchingDims: int64s(s.dims.OperandBatching.Values()), ScatterIndicesBatchingDims: int64s(s.dims.IndicesBatching.Values()),
		ScatterDimsToOperandDims: int64s(s.dims.ToOperand.Values()), IndexVectorDim: int64(in[1].NDim() - 1),
	}
	return c.B.Scatter(args[:1], args[1], args[2:], d, s.sorted, s.unique, func(old, upd []hloValue) []hloValue {
		return lowerReducer(c, j, []hloValue{old[0], upd[0]})
	})
}

// lowerReducer lowers the body of a reduction.
func lowerReducer(c *core.LowerCtx, j *core.Jaxpr, args []hloValue) []hloValue {
	return c.Module.Inline(c, c.B, j, args)
}

// clampIndices limits the indices of a scatter (_clamp_scatter_indices).
func clampIndices(x, indices, updates core.Value, d ScatterDims) core.Value {
	sizes := windowSizes(x.Aval(), updates.Aval(), d)
	bound := make([]int, len(d.ToOperand))
	for i, t := range d.ToOperand {
		bound[i] = x.Aval().Shape[t.V] - sizes[t.V]
	}
	a := indices.Aval()
	_, highest := dtype.IntRange(a.DType)
	limit := scalarConst(float64(min(math.MaxInt32, highest)), dtype.Int32, false)
	upper := MinP.Bind1(nil, hostInts(bound), broadcastInDim(limit, []int{len(bound)}, nil))
	upper = broadcastInDim(convert(upper, a.DType, false), a.Shape, core.NewInts(a.NDim()-1))
	return clamp(scalarConst(0, a.DType, false), indices, upper)
}
