package jnp

import (
	"fmt"
	"slices"

	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
	"gopherlo/jaxlike/kw"
	"gopherlo/jaxlike/lax"
)

// Take gives elements of the array as a vector, or slices along kw.Axis.
func Take(a, indices any, opts ...kw.TakeOption) array.Array {
	s := kw.Collect(opts)
	key := fmt.Sprint(s.Axis, s.Axis == nil, s.Mode, s.UniqueIndices, s.IndicesAreSorted, s.FillValue)
	return named("_take", key, func(xs []array.Array) array.Array { return take(xs[0], xs[1], s) },
		arraylike("take", 0, a).Value(), arraylike("take", 1, indices).Value())
}

func take(x, at array.Array, s kw.Set) array.Array {
	axis := 0
	if s.Axis == nil {
		x = Ravel(x)
	} else {
		axis = core.CanonicalAxis(s.Axis[0], x.NDim())
	}
	n := x.Shape()[axis]
	mode := lax.IndexFill
	switch s.Mode {
	case "", "fill":
		at = where(at.Lt(0), at.Add(n), at)
	case "clip":
		mode = lax.IndexClip
	case "wrap":
		mode, at = lax.IndexInBounds, Mod(at, lax.ConstLike(at, float64(n)))
	case "raise":
		core.Raise("NotImplementedError", "The 'raise' mode to jnp.take is not supported.")
	default:
		core.ValueErrorf("Invalid mode '%s' for np.take", s.Mode)
	}
	if n == 0 {
		if at.Size() != 0 {
			core.Raise("IndexError", "Cannot do a non-empty jnp.take() from an empty axis.")
		}
		return x
	}
	if at.Size() == 0 {
		shape := slices.Concat(x.Shape()[:axis], at.Shape(), x.Shape()[axis+1:])
		return lax.Broadcast(lax.Number(0, x.DType(), x.WeakType()), shape)
	}
	g := lax.GatherParams{Sizes: x.Shape(), Mode: mode, Unique: s.UniqueIndices, Sorted: s.IndicesAreSorted, Fill: hostFill(s.FillValue)}
	g.Sizes[axis] = 1
	for i := range axis {
		g.Dims.Offset = append(g.Dims.Offset, core.Int{V: i})
	}
	for i := axis + at.NDim(); i < x.NDim()+at.NDim()-1; i++ {
		g.Dims.Offset = append(g.Dims.Offset, core.Int{V: i})
	}
	g.Dims.Collapsed, g.Dims.StartIndexMap = core.NewInts(axis), core.NewInts(axis)
	return lax.Gather(x, lax.ExpandDims(at, []int{at.NDim()}), g)
}

// TakeAlongAxis gives, along the axis, the elements that the array of indices
// names in each row.
func TakeAlongAxis(arr, indices any, axis int, opts ...kw.TakeAlongAxisOption) array.Array {
	s := kw.Collect(opts)
	return named("take_along_axis", fmt.Sprint(axis, s.Mode, s.FillValue, s.NoWrap), func(xs []array.Array) array.Array {
		return takeAlong(xs[0], xs[1], axis, s)
	}, arraylike("take_along_axis", 0, arr).Value(), arraylike("take_along_axis", 1, indices).Value())
}

func takeAlong(x, at array.Array, axis int, s kw.Set) array.Array {
	if !at.DType().IsInt() {
		core.TypeErrorf("take_along_axis indices must be of integer type, got %s", at.DType())
	}
	if x.NDim() != at.NDim() {
		core.ValueErrorf("indices and arr must have the same number of dimensions; %d vs. %d", at.NDim(), x.NDim())
	}
	axis = core.CanonicalAxis(axis, x.NDim())
	n, shape, idx := x.Shape()[axis], x.Shape(), at.Shape()
	shape[axis] = 1
	out := lax.BroadcastShapes(idx, shape)
	if n == 0 {
		return lax.Full(out, 0, x.DType())
	}
	if !s.NoWrap {
		at = lax.ConvertElementType(at, dtype.Int32)
		at = fromEnd(at, n)
	}
	var g lax.GatherParams
	ints := func(t *core.Ints, v int) { *t = append(*t, core.Int{V: v}) }
	var squeeze, rows []int
	pos := 0
	for i := range shape {
		if i == axis || idx[i] != 1 {
			rows = append(rows, out[i])
		}
		switch {
		case i == axis:
			g.Sizes = append(g.Sizes, 1)
			ints(&g.Dims.StartIndexMap, pos)
			ints(&g.Dims.Collapsed, pos)
			pos++
		case idx[i] == 1:
			ints(&g.Dims.Offset, i)
			g.Sizes = append(g.Sizes, shape[i])
			pos++
		case shape[i] == 1:
			squeeze = append(squeeze, i)
		default:
			g.Sizes = append(g.Sizes, min(1, shape[i]))
			ints(&g.Dims.OperandBatching, pos)
			ints(&g.Dims.IndicesBatching, len(rows)-1)
			pos++
		}
	}
	at = lax.Reshape(at, append(rows, 1))
	g.Mode, g.Fill = lax.ParseIndexMode(s.Mode, lax.IndexFill), hostFill(s.FillValue)
	return lax.Gather(lax.Squeeze(x, squeeze), at, g)
}

// NonZero gives, for each dimension, the positions of the elements that are not
// zero. The array must be known: under jit their number is not.
func NonZero(a any, opts ...kw.NonZeroOption) []array.Array {
	s := kw.Collect(opts)
	x := arraylike("nonzero", 0, a)
	if x.NDim() == 0 {
		core.ValueErrorf("Calling nonzero on 0d arrays is not allowed. Use jnp.atleast_1d(scalar).nonzero() instead.")
	}
	mask := x
	if !mask.DType().IsBool() {
		mask = mask.Ne(0)
	}
	c, known := mask.Value().(*core.Const)
	if s.Size != nil {
		return nonZeroOfSize(mask, *s.Size, s.FillValue)
	}
	if !known {
		core.RaiseConcretization(mask.Sum().Value(), "The size argument of jnp.nonzero must be statically specified to use jnp.nonzero within JAX transformations.")
	}
	var out []array.Array
	for _, at := range trueAt(c, x.Shape()) {
		out = append(out, hostArray(at, dtype.DefaultInt(core.X64())))
	}
	return out
}

// nonZeroOfSize finds a known number of positions; where there are fewer, the
// rest are the fill value.
func nonZeroOfSize(mask array.Array, size int, fill any) []array.Array {
	if fill == nil {
		fill = 0
	}
	flat := Ravel(mask)
	count := CumSum(flat)
	at := Zeros([]int{size}, kw.DType(dtype.DefaultInt(core.X64()))).At(where(flat, count.Sub(1), AsArray(size))).Set(Arange(flat.Size()), kw.Mode("drop"))
	valid := Arange(size).Lt(Sum(flat))
	shape := mask.Shape()
	out := make([]array.Array, len(shape))
	stride := 1
	for d := len(shape) - 1; d >= 0; d-- {
		out[d] = where(valid, Remainder(FloorDivide(at, stride), max(1, shape[d])), AsArray(fill))
		stride *= max(1, shape[d])
	}
	return out
}

// WhereTrue gives the positions where the condition holds, as jnp.where with
// one argument: for each dimension an array.
func WhereTrue(condition any, opts ...kw.NonZeroOption) []array.Array {
	return NonZero(condition, opts...)
}

// FlatNonZero gives the positions of elements of the array as a vector.
func FlatNonZero(a any, opts ...kw.NonZeroOption) array.Array { return NonZero(Ravel(a), opts...)[0] }

// ArgWhere gives the positions of the elements that are not zero, one a row.
func ArgWhere(a any, opts ...kw.NonZeroOption) array.Array {
	return Transpose(VStack(NonZero(Atleast1D(a), opts...)))
}

// Select gives for each element that of the first choice whose condition holds.
func Select(conditions, choices []any, otherwise any) array.Array {
	if len(conditions) != len(choices) {
		core.ValueErrorf("condlist must have length equal to choicelist (%d vs %d)", len(conditions), len(choices))
	}
	out := AsArray(otherwise)
	for i := len(conditions) - 1; i >= 0; i-- {
		out = Where(conditions[i], choices[i], out)
	}
	return out
}

// SearchSorted gives the positions where the values v would go in the sorted
// vector a; kw.Side is "left" (before equal elements) or "right".
func SearchSorted(a, v any, opts ...kw.SearchSortedOption) array.Array {
	s := kw.Collect(opts)
	return named("searchsorted", s.Side, func(xs []array.Array) array.Array {
		p := promoteTypes(same, xs...)
		x, q := p[0], p[1]
		if x.NDim() != 1 {
			core.ValueErrorf("a should be 1-dimensional")
		}
		shape := append(slices.Repeat([]int{1}, q.NDim()), x.Shape()[0])
		row, col := lax.Reshape(x, shape), lax.ExpandDims(q, []int{q.NDim()})
		below := row.Lt(col)
		if s.Side == "right" {
			below = row.Le(col)
		}
		if x.DType().IsFloat() { // NaN sorts last
			below = below.Or(IsNaN(col).And(LogicalNot(IsNaN(row))))
		}
		return Sum(below, kw.Axis(-1), kw.DType(dtype.DefaultInt(core.X64())))
	}, arraylike("searchsorted", 0, a).Value(), arraylike("searchsorted", 1, v).Value())
}
