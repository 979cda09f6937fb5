package jnp

import (
	"fmt"
	"slices"

	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/kw"
	"gopherlo/jaxlike/lax"
)

// Flip reverses an array along all dimensions, or those of kw.Axis.
func Flip(m any, opts ...kw.FlipOption) array.Array {
	return flip("flip", m, kw.Collect(opts).Axis)
}

// FlipLR reverses the second dimension.
func FlipLR(m any) array.Array { return flip("fliplr", m, []int{1}) }

// FlipUD reverses the first dimension.
func FlipUD(m any) array.Array { return flip("flipud", m, []int{0}) }

func flip(fun string, m any, axis []int) array.Array {
	x := arraylike(fun, 0, m)
	return named("_flip", fmt.Sprint(axis, axis == nil), func(xs []array.Array) array.Array {
		if axis == nil {
			return lax.Rev(xs[0], upTo(xs[0].NDim()))
		}
		dims := make([]int, len(axis))
		for i, d := range axis {
			dims[i] = core.CanonicalAxis(d, xs[0].NDim())
		}
		return lax.Rev(xs[0], dims)
	}, x.Value())
}

// Roll moves elements on; those that leave the end come in at the start. shift
// is a number, a []int beside kw.Axis, or an Array.
func Roll(a, shift any, opts ...kw.RollOption) array.Array {
	x, axis := arraylike("roll", 0, a), kw.Collect(opts).Axis
	if axis == nil {
		return Reshape(Roll(Ravel(x), shift, kw.Axis(0)), x.Shape())
	}
	dims := make([]int, len(axis))
	for i, d := range axis {
		dims[i] = core.CanonicalAxis(d, x.NDim())
	}
	if s, ok := shift.(array.Array); ok {
		if c, isConst := s.Value().(*core.Const); isConst && s.DType().IsInt() {
			shift = hostIntsOf(c)
		} else {
			return rollDynamic(x, s, dims)
		}
	}
	shifts := shapeOf("roll", shift)
	n := max(len(shifts), len(dims))
	return named("_roll_static", fmt.Sprint(shifts, dims), func(xs []array.Array) array.Array {
		x := xs[0]
		for k := range n {
			x = rollBy(x, shifts[k%len(shifts)], dims[k%len(dims)])
		}
		return x
	}, x.Value())
}

func rollBy(x array.Array, shift, axis int) array.Array {
	n := x.Shape()[axis]
	if n == 0 {
		return x
	}
	i := ((-shift)%n + n) % n
	return lax.Concatenate([]array.Array{lax.SliceInDim(x, i, n, 1, axis), lax.SliceInDim(x, 0, i, 1, axis)}, axis)
}

func rollDynamic(x, shift array.Array, dims []int) array.Array {
	return named("_roll_dynamic", fmt.Sprint(dims), func(xs []array.Array) array.Array {
		x, shift := xs[0], xs[1]
		shifts := broadcastTo(shift, []int{len(dims)})
		for i, s := range lax.Unstack(shifts, 0) {
			n := lax.Number(float64(x.Shape()[dims[i]]), Int32, false)
			s = Remainder(lax.ConvertElementType(s, Int32), lax.Max(n, lax.Number(1, Int32, false)))
			twice := lax.Concatenate([]array.Array{x, x}, dims[i])
			x = lax.DynamicSliceInDim(twice, Subtract(n, s), x.Shape()[dims[i]], dims[i])
		}
		return x
	}, x.Value(), shift.Value())
}

// Pad surrounds an array: width is a number, (before, after) as []int, or such
// a pair for each dimension as [][]int. kw.Mode is "constant" (with
// kw.ConstantValues), "edge", "wrap", "reflect" or "symmetric".
func Pad(a, width any, opts ...kw.PadOption) array.Array {
	s := kw.Collect(opts)
	x := arraylike("pad", 0, a)
	w := padWidths(width, x.NDim())
	mode := s.Mode
	if mode == "" {
		mode = "constant"
	}
	fill := s.ConstantValues
	if fill == nil {
		fill = 0
	}
	f := padModes[mode]
	if f == nil && mode != "constant" {
		core.Raise("NotImplementedError", "Unimplemented padding mode '%s' for np.pad.", mode)
	}
	return named("_pad", fmt.Sprint(w, mode), func(xs []array.Array) array.Array {
		for _, p := range w {
			if p[0] < 0 || p[1] < 0 {
				core.ValueErrorf("index can't contain negative values")
			}
		}
		if xs[0].NDim() == 0 {
			return xs[0]
		}
		if mode == "constant" {
			return padConstant(xs[0], xs[1], w)
		}
		return f(xs[0], w)
	}, x.Value(), AsArray(fill).Value())
}

// padModes are the ways to pad that look at the array alone.
var padModes map[string]func(array.Array, [][2]int) array.Array

func init() {
	stat := func(s reduction) func(array.Array, int) array.Array {
		return func(x array.Array, axis int) array.Array {
			return s.apply(x, kw.Set{Axis: []int{axis}, KeepDims: true})
		}
	}
	padModes = map[string]func(array.Array, [][2]int) array.Array{
		"edge": padEdge, "wrap": padWrap, "reflect": padReflect, "symmetric": padSymmetric,
		"maximum": padStat(stat(maxReduction)), "minimum": padStat(stat(minReduction)),
		"mean": padStat(func(x array.Array, axis int) array.Array {
			return meanValue(x, kw.Set{Axis: []int{axis}, KeepDims: true})
		}),
		"median": padStat(func(x array.Array, axis int) array.Array { return Median(x, kw.Axis(axis), kw.KeepDims(true)) }),
		"empty":  func(x array.Array, w [][2]int) array.Array { return padConstant(x, AsArray(0), w) },
	}
}

// padStat pads with a statistic of each row.
func padStat(stat func(x array.Array, axis int) array.Array) func(array.Array, [][2]int) array.Array {
	return func(x array.Array, w [][2]int) array.Array {
		d := x.DType()
		for i, p := range w {
			if p[0] == 0 && p[1] == 0 {
				continue
			}
			v := stat(x, i)
			if d.IsInt() {
				v = Round(v)
			}
			v = lax.ConvertElementType(v, d)
			before, after := x.Shape(), x.Shape()
			before[i], after[i] = p[0], p[1]
			x = lax.Concatenate([]array.Array{lax.BroadcastInDim(v, before, upTo(x.NDim())), x, lax.BroadcastInDim(v, after, upTo(x.NDim()))}, i)
		}
		return x
	}
}

// padWidths gives each dimension its widths before and after.
func padWidths(width any, rank int) [][2]int {
	out := make([][2]int, rank)
	each := func(f func(i int) [2]int) [][2]int {
		for i := range out {
			out[i] = f(i)
		}
		return out
	}
	switch w := width.(type) {
	case int:
		return each(func(int) [2]int { return [2]int{w, w} })
	case [][2]int:
		if len(w) == 1 || len(w) == rank {
			return each(func(i int) [2]int { return w[i%len(w)] })
		}
	case [][]int:
		if len(w) == 1 || len(w) == rank {
			return each(func(i int) [2]int { return [2]int{w[i%len(w)][0], w[i%len(w)][len(w[i%len(w)])-1]} })
		}
	case []any:
		if len(w) == 0 {
			return out
		}
		if _, isInt := w[0].(int); isInt {
			return padWidths(shapeOf("pad", w), rank)
		}
		rows := make([][]int, len(w))
		for i, r := range w {
			rows[i] = shapeOf("pad", r)
		}
		return padWidths(rows, rank)
	case []int:
		if len(w) == 1 || len(w) == 2 {
			return each(func(int) [2]int { return [2]int{w[0], w[len(w)-1]} })
		}
	}
	core.ValueErrorf("jnp.pad: pad_width with nd=%d has unsupported shape %s. Valid shapes are (%d, 2), (1, 2), (2,), (1,), or ().", rank, core.PyRepr(core.NewInts(widthsShape(width)...)), rank)
	return nil
}

// widthsShape is the shape that a list of widths has.
func widthsShape(width any) []int {
	switch w := width.(type) {
	case []int:
		return []int{len(w)}
	case [][2]int:
		return []int{len(w), 2}
	case [][]int:
		if len(w) > 0 {
			return []int{len(w), len(w[0])}
		}
	}
	return []int{0}
}

func padConstant(x, fill array.Array, w [][2]int) array.Array {
	fill = lax.Convert(fill, x.DType(), x.WeakType())
	config := make([]lax.PadDim, len(w)) // JAX keeps the widths in a NumPy array
	for i, p := range w {
		config[i] = lax.PadDim{Low: core.Int{V: p[0], NP: true}, High: core.Int{V: p[1], NP: true}}
	}
	switch {
	case fill.NDim() == 0:
		return lax.PadDims(x, fill, config)
	case fill.NDim() == 1 && fill.Shape()[0] == 1:
		return lax.PadDims(x, Squeeze(fill), config)
	}
	fill = broadcastTo(fill, []int{x.NDim(), 2})
	for i, p := range w {
		for side := range 2 {
			if p[side] == 0 {
				continue
			}
			one := make([][3]int, len(w))
			one[i][side] = p[side]
			x = lax.Pad(x, fill.Index(i, side), one)
		}
	}
	return x
}

func padEdge(x array.Array, w [][2]int) array.Array {
	for i, p := range w {
		n := x.Shape()[i]
		if n == 0 && (p[0] > 0 || p[1] > 0) {
			core.ValueErrorf("Cannot apply 'edge' padding to empty axis")
		}
		before, after := x.Shape(), x.Shape()
		before[i], after[i] = p[0], p[1]
		dims := upTo(x.NDim())
		x = lax.Concatenate([]array.Array{
			lax.BroadcastInDim(lax.SliceInDim(x, 0, 1, 1, i), before, dims), x,
			lax.BroadcastInDim(lax.SliceInDim(x, n-1, n, 1, i), after, dims),
		}, i)
	}
	return x
}

func padWrap(x array.Array, w [][2]int) array.Array {
	for i, p := range w {
		n := x.Shape()[i]
		if n == 0 {
			core.ValueErrorf("Cannot apply 'wrap' padding to empty axis")
		}
		parts := []array.Array{}
		if r := p[0] % n; r > 0 {
			parts = append(parts, lax.SliceInDim(x, n-r, n, 1, i))
		}
		for range p[0]/n + 1 + p[1]/n {
			parts = append(parts, x)
		}
		if r := p[1] % n; r > 0 {
			parts = append(parts, lax.SliceInDim(x, 0, r, 1, i))
		}
		x = lax.Concatenate(parts, i)
	}
	return x
}

func padReflect(x array.Array, w [][2]int) array.Array { return padMirror(x, w, 1) }

func padSymmetric(x array.Array, w [][2]int) array.Array { return padMirror(x, w, 0) }

// padMirror mirrors the array at its ends; offset 1 leaves the end itself out.
func padMirror(x array.Array, w [][2]int, offset int) array.Array {
	for i, p := range w {
		if x.Shape()[i] == 0 && (p[0] > 0 || p[1] > 0) {
			core.ValueErrorf("Cannot apply 'reflect' padding to empty axis")
		}
		n := x.Shape()[i]
		x = mirrorSide(x, i, n, p[0], offset, true)
		x = mirrorSide(x, i, n, p[1], offset, false)
	}
	return x
}

func mirrorSide(x array.Array, axis, n, width, offset int, before bool) array.Array {
	if n == 1 && offset == 1 {
		edge := x.Shape()
		edge[axis] = width
		part := lax.BroadcastInDim(lax.SliceInDim(x, 0, 1, 1, axis), edge, upTo(x.NDim()))
		return joinSide(x, part, axis, before)
	}
	for width > 0 {
		step := min(width, x.Shape()[axis]-offset)
		size := x.Shape()[axis]
		from := offset
		if !before {
			from = size - offset - step
		}
		x = joinSide(x, lax.Rev(lax.SliceInDim(x, from, from+step, 1, axis), []int{axis}), axis, before)
		width -= step
	}
	return x
}

func joinSide(x, part array.Array, axis int, before bool) array.Array {
	parts := []array.Array{x, part}
	if before {
		slices.Reverse(parts)
	}
	return lax.Concatenate(parts, axis)
}

// Rot90 turns an array by 90 degrees k times in its first two dimensions.
func Rot90(m any, k int) array.Array {
	x := arraylike("rot90", 0, m)
	return named("rot90", fmt.Sprint(k), func(xs []array.Array) array.Array {
		x := xs[0]
		if x.NDim() < 2 {
			core.ValueErrorf("rot90 requires its first argument to have ndim at least two, but got first argument of shape %s, which has ndim %d", core.PyRepr(core.NewInts(x.Shape()...)), x.NDim())
		}
		switch ((k % 4) + 4) % 4 {
		case 1:
			return SwapAxes(Flip(x, kw.Axis(1)), 0, 1)
		case 2:
			return Flip(Flip(x, kw.Axis(0)), kw.Axis(1))
		case 3:
			return Flip(SwapAxes(x, 0, 1), kw.Axis(1))
		}
		return x
	}, x.Value())
}

// Diff gives the differences of neighbours, kw.N times, along the last
// dimension or kw.Axis.
func Diff(a any, opts ...kw.DiffOption) array.Array {
	s := kw.Collect(opts)
	n, axis := 1, -1
	if s.N != nil {
		n = *s.N
	}
	if s.Axis != nil {
		axis = s.Axis[0]
	}
	return named("diff", fmt.Sprint(n, axis), func(xs []array.Array) array.Array {
		x := xs[0]
		switch {
		case n == 0:
			return x
		case n < 0:
			core.ValueErrorf("order must be non-negative but got %d", n)
		case x.NDim() == 0:
			core.ValueErrorf("diff requires input that is at least one dimensional; got %v", x)
		}
		d := core.CanonicalAxis(axis, x.NDim())
		high, low := make([]any, d+1), make([]any, d+1)
		for i := range d {
			high[i], low[i] = Range{}, Range{}
		}
		high[d], low[d] = Slice(1, nil), Slice(nil, -1)
		for range n {
			if x.DType().IsBool() {
				x = x.Index(high...).Ne(x.Index(low...))
			} else {
				x = x.Index(high...).Sub(x.Index(low...))
			}
		}
		return x
	}, value("diff", "a", a))
}
