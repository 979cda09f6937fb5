package stablehlo

import "gopherlo/xla/hlo"

// Reduce appends a reduction over dims. fn builds the reducer from the
// accumulators and the elements and gives the new accumulators.
func (b *Builder) Reduce(xs, inits []*Value, dims []int64, fn func(acc, elems []*Value) []*Value) []*Value {
	gone := make(map[int64]bool, len(dims))
	for _, d := range dims {
		gone[d] = true
	}
	results := make([]Type, len(xs))
	for i, x := range xs {
		var keep []int64
		for j, d := range x.Type.Dims {
			if !gone[int64(j)] {
				keep = append(keep, d)
			}
		}
		results[i] = x.Type.WithDims(keep...)
	}
	o := b.Op("reduce", concat(xs, inits), results, Named{"dimensions", Ints(dims)})
	b.reducer(o, types(inits), types(inits), fn)
	return o.Results
}

// reducer adds the region of a reduction-like op.
func (b *Builder) reducer(o *Op, acc, elems []Type, fn func(acc, elems []*Value) []*Value) {
	args := append(append([]Type(nil), acc...), elems...)
	b.Region(o, args, func(a []*Value) {
		b.Return(fn(a[:len(acc)], a[len(acc):])...)
	})
}

// ReduceOp is Reduce of one operand with an op of two operands such as "add".
func (b *Builder) ReduceOp(x, init *Value, dims []int64, op string) *Value {
	return b.Reduce([]*Value{x}, []*Value{init}, dims, func(acc, e []*Value) []*Value {
		return []*Value{b.Binary(op, acc[0], e[0])}
	})[0]
}

// Window is the window of reduce_window. Padding has a low and a high number
// per dimension. Nil dilations print as ones.
type Window struct {
	Dimensions, Strides, BaseDilations, WindowDilations []int64

	Padding [][2]int64
}

func (w Window) attrs() []Named {
	ones := make([]int64, len(w.Dimensions))
	for i := range ones {
		ones[i] = 1
	}
	or := func(s []int64) Ints {
		if s == nil {
			return ones
		}
		return s
	}
	return []Named{
		{"base_dilations", or(w.BaseDilations)},
		{"padding", PaddingAttr(w.Padding)},
		{"window_dilations", or(w.WindowDilations)},
		{"window_dimensions", Ints(w.Dimensions)},
		{"window_strides", or(w.Strides)},
	}
}

// PaddingAttr is the n x 2 constant that windows and convolutions take.
func PaddingAttr(p [][2]int64) *Dense {
	var data []byte
	for _, q := range p {
		data = appendUint(data, uint64(q[0]), 8)
		data = appendUint(data, uint64(q[1]), 8)
	}
	d, err := NewDense(T(hlo.S64, int64(len(p)), 2), data)
	if err != nil {
		return &Dense{Type: T(hlo.S64, 0, 2)}
	}
	return d
}

// ReduceWindow appends a windowed reduction with the given result types.
func (b *Builder) ReduceWindow(xs, inits []*Value, results []Type, w Window, fn func(acc, elems []*Value) []*Value) []*Value {
	o := b.Op("reduce_window", concat(xs, inits), results, w.attrs()...)
	b.reducer(o, types(inits), types(inits), fn)
	return o.Results
}

// SelectAndScatter appends the gradient of a windowed selection.
func (b *Builder) SelectAndScatter(x, source, init *Value, w Window, sel, scatter func(a, c *Value) *Value) *Value {
	attrs := []Named{
		{"padding", PaddingAttr(w.Padding)},
		{"window_dimensions", Ints(w.Dimensions)},
		{"window_strides", Ints(w.Strides)},
	}
	o := b.Op("select_and_scatter", []*Value{x, source, init}, []Type{x.Type}, attrs...)
	for _, fn := range []func(a, c *Value) *Value{sel, scatter} {
		b.Region(o, []Type{init.Type, init.Type}, func(a []*Value) { b.Return(fn(a[0], a[1])) })
	}
	return o.Results[0]
}

// While appends a loop. Region 0 is cond, region 1 body; their arguments have
// the types of the initial values.
func (b *Builder) While(init []*Value, cond func(args []*Value) *Value, body func(args []*Value) []*Value) *Op {
	ts := types(init)
	o := b.Op("while", init, ts)
	b.Region(o, ts, func(a []*Value) { b.Return(cond(a)) })
	b.Region(o, ts, func(a []*Value) { b.Return(body(a)...) })
	return o
}

// Case appends a choice between branches by an S32 index; a branch uses the
// values around it directly.
func (b *Builder) Case(index *Value, results []Type, branches ...func() []*Value) *Op {
	o := b.Op("case", []*Value{index}, results)
	for _, br := range branches {
		b.Region(o, nil, func([]*Value) { b.Return(br()...) })
	}
	return o
}

// Sort appends a sort along dim. less gets for each operand the left and the
// right element, in the order left0, right0, left1, right1.
func (b *Builder) Sort(xs []*Value, dim int64, stable bool, less func(args []*Value) *Value) []*Value {
	o := b.Op("sort", xs, types(xs), Named{"dimension", Int{Value: dim}}, Named{"is_stable", Bool(stable)})
	var args []Type
	for _, x := range xs {
		args = append(args, T(x.Type.Elem), T(x.Type.Elem))
	}
	b.Region(o, args, func(a []*Value) { b.Return(less(a)) })
	return o.Results
}

// Gather appends a gather with result type t.
func (b *Builder) Gather(x, indices *Value, t Type, dims *GatherDims, sliceSizes []int64, sorted bool) *Value {
	return b.one("gather", t, []*Value{x, indices},
		Named{"dimension_numbers", dims}, Named{"indices_are_sorted", Bool(sorted)}, Named{"slice_sizes", Ints(sliceSizes)})
}

// Scatter appends a scatter; fn combines the old and the new elements.
func (b *Builder) Scatter(xs []*Value, indices *Value, updates []*Value, dims *ScatterDims, sorted, unique bool, fn func(old, upd []*Value) []*Value) []*Value {
	operands := append(append(append([]*Value(nil), xs...), indices), updates...)
	o := b.Op("scatter", operands, types(xs), Named{"indices_are_sorted", Bool(sorted)},
		Named{"scatter_dimension_numbers", dims}, Named{"unique_indices", Bool(unique)})
	ts := make([]Type, len(xs))
	for i, x := range xs {
		ts[i] = T(x.Type.Elem)
	}
	b.reducer(o, ts, ts, fn)
	return o.Results
}

// Convolution are the attributes of a convolution.
type Convolution struct {
	Dims                              *ConvDims
	Strides, LHSDilation, RHSDilation []int64
	Padding                           [][2]int64
	Reversal                          []bool // nil: all false
	FeatureGroups, BatchGroups        int64
	Precision                         []string // nil: none
}

// Convolution appends a convolution with result type t.
func (b *Builder) Convolution(x, kernel *Value, t Type, c Convolution) *Value {
	rev := c.Reversal
	if rev == nil {
		rev = make([]bool, len(c.Dims.InputSpatial))
	}
	attrs := []Named{
		{"batch_group_count", Int{Value: c.BatchGroups}},
		{"dimension_numbers", c.Dims},
		{"feature_group_count", Int{Value: c.FeatureGroups}},
		{"lhs_dilation", Ints(c.LHSDilation)},
		{"padding", PaddingAttr(c.Padding)},
		{"rhs_dilation", Ints(c.RHSDilation)},
		{"window_reversal", Bools(rev)},
		{"window_strides", Ints(c.Strides)},
	}
	if c.Precision != nil {
		attrs = append(attrs, Named{"precision_config", Precision(c.Precision...)})
	}
	return b.one("convolution", t, []*Value{x, kernel}, attrs...)
}

// FFT appends a Fourier transform of kind FFT, IFFT, RFFT or IRFFT.
func (b *Builder) FFT(x *Value, t Type, kind string, length []int64) *Value {
	return b.one("fft", t, []*Value{x}, Named{"fft_length", Ints(length)}, Named{"fft_type", Enum{"fft_type", kind}})
}

// Cholesky appends a Cholesky decomposition.
func (b *Builder) Cholesky(x *Value, lower bool) *Value {
	return b.one("cholesky", x.Type, []*Value{x}, Named{"lower", Bool(lower)})
}

// TriangularSolve appends a triangular solve; transpose is NO_TRANSPOSE,
// TRANSPOSE or ADJOINT.
func (b *Builder) TriangularSolve(a, y *Value, leftSide, lower, unitDiagonal bool, transpose string) *Value {
	return b.one("triangular_solve", y.Type, []*Value{a, y},
		Named{"left_side", Bool(leftSide)}, Named{"lower", Bool(lower)},
		Named{"transpose_a", Enum{"transpose", transpose}}, Named{"unit_diagonal", Bool(unitDiagonal)})
}

// RngBitGenerator appends a generator with algorithm DEFAULT, THREE_FRY or
// PHILOX; it gives the new state and the bits.
func (b *Builder) RngBitGenerator(state *Value, t Type, algorithm string) (newState, bits *Value) {
	o := b.Op("rng_bit_generator", []*Value{state}, []Type{state.Type, t}, Named{"rng_algorithm", Enum{"rng_algorithm", algorithm}})
	return o.Results[0], o.Results[1]
}

// TopK appends chlo.top_k: the k largest elements of the last dimension and
// their indices.
func (b *Builder) TopK(x *Value, k int64) (values, indices *Value) {
	dims := append([]int64(nil), x.Type.Dims...)
	dims[len(dims)-1] = k
	o := b.Op("chlo.top_k", []*Value{x}, []Type{x.Type.WithDims(dims...), T(hlo.S32, dims...)}, Named{"k", Int{Value: k}})
	return o.Results[0], o.Results[1]
}

// CustomCall appends a call of a native target; attrs are its attributes such
// as backend_config, mhlo.backend_config, operand_layouts, api_version.
func (b *Builder) CustomCall(target string, operands []*Value, results []Type, attrs ...Named) []*Value {
	attrs = append(attrs, Named{"call_target_name", String(target)})
	return b.Op("custom_call", operands, results, attrs...).Results
}

func concat(xs, ys []*Value) []*Value { return append(append([]*Value(nil), xs...), ys...) }
