package lax

import (
	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/kw"
)

// The collectives that move data along a named axis, after the rules of
// jax/_src/lax/parallel.py (JAX 0.12.0.1); vmap turns them into operations on
// the dimension that has the name.
var (
	// AllGatherP gathers the values of a whole axis. Parameters:
	// all_gather_dimension, axis_index_groups, axis_name, axis_size, tiled.
	AllGatherP = core.NewPrimitive("all_gather")
	// PPermuteP sends values along an axis. Parameters: axis_name, perm.
	PPermuteP = core.NewPrimitive("ppermute")
	// AllToAllP exchanges an axis and a dimension. Parameters: axis_index_groups,
	// axis_name, concat_axis, split_axis, tiled.
	AllToAllP = core.NewPrimitive("all_to_all")
	// ReduceScatterP sums over an axis and spreads a dimension along it.
	// Parameters: axis_index_groups, axis_name, axis_size, scatter_dimension, tiled.
	ReduceScatterP = core.NewPrimitive("reduce_scatter")
)

func init() {
	move := func(prim *core.Primitive, eval func(a *core.ShapedArray, p core.Params) *core.ShapedArray,
		batch func(m moved) (core.Value, int), transpose func(ct core.Value, p core.Params) core.Value,
	) {
		prim.Define(core.Rules{
			AbstractEval: func(in []*core.ShapedArray, p core.Params) []*core.ShapedArray {
				checkAxes(core.Tuple{axisName(p)}, prim.Name)
				return []*core.ShapedArray{eval(in[0], p)}
			},
			JVP: ad.LinearJVP(prim),
			Transpose: func(cts, args []core.Value, p core.Params) []core.Value {
				if core.IsZero(cts[0]) {
					return []core.Value{core.Zero{Of: args[0].Aval()}}
				}
				return []core.Value{transpose(cts[0], p)}
			},
			Batch: func(axis core.AxisData, args []core.Value, dims []int, p core.Params) ([]core.Value, []int) {
				m := moved{axis: axis, x: args[0], d: dims[0], p: p, mine: axis.Name != "" && axis.Name == axisName(p)}
				if m.d == core.NotMapped && !m.mine {
					return prim.Bind(p, m.x), []int{core.NotMapped}
				}
				v, d := batch(m)
				return []core.Value{v}, []int{d}
			},
			Lower: func(_ *core.LowerCtx, _ []hloValue, p core.Params) []hloValue {
				core.Raise("NameError", "unbound axis name: %s", axisName(p))
				return nil
			},
		})
	}
	move(PPermuteP, func(a *core.ShapedArray, _ core.Params) *core.ShapedArray { return a }, batchPPermute, transposePPermute)
	move(AllGatherP, evalAllGather, batchAllGather, func(ct core.Value, p core.Params) core.Value {
		return bindReduceScatter(ct, axisName(p), p.Int("all_gather_dimension"), p.Int("axis_size"), p.Bool("tiled"))
	})
	move(ReduceScatterP, evalReduceScatter, batchReduceScatter, func(ct core.Value, p core.Params) core.Value {
		return bindAllGather(ct, axisName(p), p.Int("scatter_dimension"), p.Int("axis_size"), p.Bool("tiled"))
	})
	move(AllToAllP, evalAllToAll, batchAllToAll, func(ct core.Value, p core.Params) core.Value {
		return allToAll(ct, axisName(p), p.Int("concat_axis"), p.Int("split_axis"), p.Bool("tiled"))
	})
}

// moved is one application under a vmap; mine tells that its axis is the one
// that is named.
type moved struct {
	axis core.AxisData
	x    core.Value
	d    int
	p    core.Params
	mine bool
}

// axisName is the name of the axis: all_to_all has it bare, the others in a tuple.
func axisName(p core.Params) string {
	if t, ok := p.Get("axis_name").(core.Tuple); ok {
		name, _ := t[0].(string)
		return name
	}
	return p.Str("axis_name")
}

// shifted is dimension dim beside a mapped dimension d.
func shifted(dim, d int) int {
	if d <= dim {
		return dim + 1
	}
	return dim
}

func splitAxis(x core.Value, axis, factor int) core.Value {
	shape := x.Aval().Shape
	split := append(append(append([]int{}, shape[:axis]...), factor, shape[axis]/factor), shape[axis+1:]...)
	return Reshape(x, split).Value()
}

func foldAxis(x core.Value, axis int) core.Value {
	shape := x.Aval().Shape
	folded := append(append(append([]int{}, shape[:axis]...), shape[axis]*shape[axis+1]), shape[axis+2:]...)
	return Reshape(x, folded).Value()
}

func resized(a *core.ShapedArray, shape []int, weak bool) *core.ShapedArray {
	out := *core.NewAval(a.DType, shape...)
	out.Weak = weak
	return &out
}

func evalAllGather(a *core.ShapedArray, p core.Params) *core.ShapedArray {
	dim, size := p.Int("all_gather_dimension"), p.Int("axis_size")
	shape := append([]int{}, a.Shape...)
	if p.Bool("tiled") {
		shape[dim] *= size
	} else {
		shape = append(shape[:dim:dim], append([]int{size}, shape[dim:]...)...)
	}
	return resized(a, shape, a.Weak)
}

func batchAllGather(m moved) (core.Value, int) {
	dim, size, tiled := m.p.Int("all_gather_dimension"), m.p.Int("axis_size"), m.p.Bool("tiled")
	if !m.mine {
		return bindAllGather(m.x, axisName(m.p), shifted(dim, m.d), size, tiled), besides(m.d, dim, tiled)
	}
	y := m.x
	if m.d == core.NotMapped {
		shape, kept := append([]int{}, m.x.Aval().Shape...), upToDims(m.x.Aval().NDim()+1)
		shape = append(shape[:dim:dim], append([]int{size}, shape[dim:]...)...)
		y = BroadcastInDim(m.x, shape, append(kept[:dim], kept[dim+1:]...)).Value()
	} else {
		y = batching.Moveaxis(y, m.d, dim)
	}
	if tiled {
		y = foldAxis(y, dim)
	}
	return y, core.NotMapped
}

// besides is where JAX 0.12.0.1 (lax/parallel.py) says that the batch dimension d
// is after an operation along dim of another axis; tiled ones keep the rank.
func besides(d, dim int, tiled bool) int {
	if d > dim && !tiled {
		d++
	}
	return d
}

func evalReduceScatter(a *core.ShapedArray, p core.Params) *core.ShapedArray {
	dim, size := p.Int("scatter_dimension"), p.Int("axis_size")
	shape := append([]int{}, a.Shape...)
	switch n := shape[dim]; {
	case p.Bool("tiled") && n%size != 0:
		core.ValueErrorf("tiled reduce_scatter operand scatter dimension size %d must be divisible by shard_count %d", n, size)
	case p.Bool("tiled"):
		shape[dim] = n / size
	case n != size:
		core.ValueErrorf("reduce_scatter operand scatter dimension size %d must match shard count %d", n, size)
	default:
		shape = append(shape[:dim], shape[dim+1:]...)
	}
	return resized(a, shape, a.Weak)
}

func batchReduceScatter(m moved) (core.Value, int) {
	dim, size, tiled := m.p.Int("scatter_dimension"), m.p.Int("axis_size"), m.p.Bool("tiled")
	if !m.mine {
		return bindReduceScatter(m.x, axisName(m.p), shifted(dim, m.d), size, tiled), besides(m.d, dim, tiled)
	}
	y := m.x
	if m.d == core.NotMapped {
		y = array.New(y).Mul(size).Value()
	} else {
		y = bindReduce(ReduceSumP, y, core.NewInts(m.d))
	}
	if tiled {
		y = splitAxis(y, dim, size)
	}
	return y, dim
}

func evalAllToAll(a *core.ShapedArray, p core.Params) *core.ShapedArray {
	shape, size := append([]int{}, a.Shape...), axisSize([]string{axisName(p)})
	shape[p.Int("split_axis")] /= size
	shape[p.Int("concat_axis")] *= size
	return resized(a, shape, false)
}

func batchAllToAll(m moved) (core.Value, int) {
	split, concat := m.p.Int("split_axis"), m.p.Int("concat_axis")
	if !m.mine {
		return bindAllToAll(m.x, axisName(m.p), shifted(split, m.d), shifted(concat, m.d), m.p.Bool("tiled")), m.d
	}
	x, d, size := m.x, m.d, m.axis.Size
	if d == core.NotMapped {
		x, d = Broadcast(x, []int{size}).Value(), 0
	}
	if split != concat {
		joined := foldAxis(batching.Moveaxis(x, d, concat), concat)
		return splitAxis(joined, split, size), split
	}
	axis, before := shifted(split, d), d
	x = splitAxis(x, axis, size)
	if axis <= d {
		d++
	}
	perm := upToDims(x.Aval().NDim())
	perm[d], perm[axis] = axis, d
	return foldAxis(Transpose(x, perm).Value(), axis), before
}

func upToDims(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

func batchPPermute(m moved) (core.Value, int) {
	if !m.mine {
		return PPermuteP.Bind1(m.p, m.x), m.d
	}
	perm, _ := m.p.Get("perm").(core.Tuple)
	if len(perm) != m.axis.Size {
		core.Raise("AssertionError", "Permutation doesn't match the axis size!")
	}
	if m.d == core.NotMapped {
		return m.x, m.d
	}
	from := make([]int, m.axis.Size)
	for _, pair := range perm {
		p := pair.(core.Ints)
		from[p[1].V] = p[0].V
	}
	return array.Ops.Take(array.New(m.x), from, m.d).Value(), m.d
}

func transposePPermute(ct core.Value, p core.Params) core.Value {
	perm, _ := p.Get("perm").(core.Tuple)
	inverse := make(core.Tuple, len(perm))
	for i, pair := range perm {
		p := pair.(core.Ints)
		inverse[i] = core.Ints{p[1], p[0]}
	}
	return PPermuteP.Bind1(p.With("perm", inverse), ct)
}

func bindAllGather(x core.Value, axis string, dim, size int, tiled bool) core.Value {
	return AllGatherP.Bind1(core.P("all_gather_dimension", dim, "axis_index_groups", nil, "axis_name", core.Tuple{axis}, "axis_size", size, "tiled", tiled), x)
}

func bindReduceScatter(x core.Value, axis string, dim, size int, tiled bool) core.Value {
	return ReduceScatterP.Bind1(core.P("axis_index_groups", nil, "axis_name", core.Tuple{axis}, "axis_size", size, "scatter_dimension", dim, "tiled", tiled), x)
}

func bindAllToAll(x core.Value, axis string, split, concat int, tiled bool) core.Value {
	return AllToAllP.Bind1(core.P("axis_index_groups", nil, "axis_name", axis, "concat_axis", concat, "split_axis", split, "tiled", tiled), x)
}

// AllGather gives each place of the named axis the values of all of them, x being
// an array or a tree of arrays: in a new dimension, by default the first, or with
// kw.Tiled joined along one.
func AllGather(x any, axis string, opts ...kw.AllGatherOption) array.Array {
	s, size := kw.Collect(opts), axisSize([]string{axis})
	return mapTree(x, func(v core.Value) core.Value {
		dim, rank := 0, v.Aval().NDim()
		if !s.Tiled {
			rank++
		}
		if s.Axis != nil {
			dim = s.Axis[0]
		}
		return bindAllGather(v, axis, core.CanonicalAxis(dim, rank), size, s.Tiled)
	})
}

// PPermute sends the values at places of the named axis to other places; perm
// lists pairs of source and destination.
func PPermute(x any, axis string, perm [][2]int) array.Array {
	pairs := make(core.Tuple, len(perm))
	for i, p := range perm {
		pairs[i] = core.NewInts(p[0], p[1])
	}
	return mapTree(x, func(v core.Value) core.Value {
		return PPermuteP.Bind1(core.P("axis_name", core.Tuple{axis}, "perm", pairs), v)
	})
}

// PSumScatter sums x over the named axis and leaves a part of the sum at each
// place: dimension kw.ScatterDimension goes, or with kw.Tiled is divided.
func PSumScatter(x any, axis string, opts ...kw.PSumScatterOption) array.Array {
	s, size := kw.Collect(opts), axisSize([]string{axis})
	return mapTree(x, func(v core.Value) core.Value {
		return bindReduceScatter(v, axis, core.CanonicalAxis(s.ScatterDimension, v.Aval().NDim()), size, s.Tiled)
	})
}

// AllToAll spreads dimension split of x along the named axis and puts what was
// along it into dimension concat; with kw.Tiled both dimensions stay.
func AllToAll(x any, axis string, split, concat int, opts ...kw.AllToAllOption) array.Array {
	s := kw.Collect(opts)
	return mapTree(x, func(v core.Value) core.Value { return allToAll(v, axis, split, concat, s.Tiled) })
}

func allToAll(x core.Value, axis string, split, concat int, tiled bool) core.Value {
	split, concat = core.CanonicalAxis(split, x.Aval().NDim()), core.CanonicalAxis(concat, x.Aval().NDim())
	size, n := axisSize([]string{axis}), x.Aval().Shape[split]
	switch {
	case tiled && n%size != 0:
		core.ValueErrorf("The size of all_to_all split_axis (%d) has to be divisible by the size of the named axis %s (%d)", n, axis, size)
	case tiled:
		return bindAllToAll(x, axis, split, concat, true)
	case n != size:
		core.ValueErrorf("all_to_all requires the size of the mapped axis axis_name to equal x.shape[split_axis], but they are %d and %d respectively.", size, n)
	case split == concat:
		return bindAllToAll(x, axis, split, concat, false)
	case split < concat:
		concat++ // counted without the dimension that goes
		x = ExpandDims(x, []int{concat}).Value()
	default:
		x = ExpandDims(x, []int{concat}).Value()
		split++
	}
	return Squeeze(bindAllToAll(x, axis, split, concat, false), []int{split}).Value()
}

// PSwapAxes exchanges the named axis and dimension axis of x, which have the same
// size.
func PSwapAxes(x any, axisName string, axis int) array.Array {
	return AllToAll(x, axisName, axis, axis)
}

// PShuffle sends the values at places of the named axis to other places: place i
// gets that of place perm[i].
func PShuffle(x any, axisName string, perm []int) array.Array {
	pairs, seen := make([][2]int, len(perm)), make([]bool, len(perm))
	for to, from := range perm {
		if from < 0 || from >= len(perm) || seen[from] {
			core.ValueErrorf("`perm` does not represent a permutation: %s", core.PyRepr(core.List(anys(perm))))
		}
		seen[from], pairs[to] = true, [2]int{from, to}
	}
	return PPermute(x, axisName, pairs)
}
