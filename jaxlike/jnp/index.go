package jnp

import (
	"reflect"
	"slices"

	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
	"gopherlo/jaxlike/kw"
	"gopherlo/jaxlike/lax"
	"gopherlo/jaxlike/tree"
)

// Range is a slice of one dimension; see [Slice].
type Range struct{ start, stop, step any }

// Marker is what an index holds beside numbers, ranges and Arrays: [Ellipsis] or
// [NewAxis].
type Marker int

// Ellipsis stands for all dimensions that an index does not name, NewAxis for
// a new dimension of size 1.
const (
	Ellipsis Marker = iota
	NewAxis
)

// Slice is start:stop:step as an index: Slice(stop), Slice(start, stop) or
// Slice(start, stop, step). A bound may be nil; Slice() is all of the dimension.
func Slice(bounds ...any) Range {
	switch len(bounds) {
	case 0:
		return Range{}
	case 1:
		return Range{stop: bounds[0]}
	case 2:
		return Range{start: bounds[0], stop: bounds[1]}
	case 3:
		return Range{bounds[0], bounds[1], bounds[2]}
	}
	core.TypeErrorf("slice expected at most 3 arguments, got %d", len(bounds))
	return Range{}
}

func init() {
	array.Ops.Rows = func(x array.Array) []array.Array { return lax.Unstack(x, 0) }
	array.Ops.Index = func(x array.Array, index []any) array.Array { return Index(x, index) }
}

// Index gives x[index...]: integers, ranges, Ellipsis, NewAxis and Arrays of
// integers or booleans.
func Index(x array.Array, index []any, opts ...kw.GetOption) array.Array {
	s := kw.Collect(opts)
	p := parseIndex(x, index)
	if s.Mode == "" || s.Mode == "promise_in_bounds" || s.Mode == "clip" {
		if c, ok := p.static(s.Mode == "clip", !s.NoWrap); ok {
			return c.apply(x)
		}
		if out, ok := p.dynamic(x, !s.NoWrap); ok {
			return out
		}
	}
	return p.expandBools().gather(x, s)
}

// indexKind groups what may stand in an index.
type indexKind int

const (
	indexInt indexKind = iota
	indexArray
	indexBool
	indexRange
	indexEllipsis
	indexNew
)

// indexItem is one entry of an index; axes is the number of dimensions that it
// consumes.
type indexItem struct {
	kind indexKind
	i    int
	span Range
	arr  array.Array
	axes int
}

// index is an index of an array of the given shape (NDIndexer in JAX).
type index struct {
	shape []int
	items []indexItem
}

func parseIndex(x array.Array, ix []any) *index {
	p := &index{shape: x.Shape(), items: make([]indexItem, len(ix))}
	consumed, ellipsis := 0, -1
	for k, v := range ix {
		if r, ok := v.(Range); ok {
			r.checkStatic(k)
		}
		it := parseItem(v, len(ix) == 1)
		if it.kind == indexEllipsis {
			if ellipsis >= 0 {
				core.Raise("IndexError", "an index can only have a single ellipsis ('...')")
			}
			ellipsis = k
		}
		consumed += it.axes
		p.items[k] = it
	}
	if consumed > len(p.shape) {
		core.Raise("IndexError", "Too many indices: array is %d-dimensional, but %d were indexed", len(p.shape), consumed)
	}
	if ellipsis >= 0 {
		p.items[ellipsis].axes = len(p.shape) - consumed
	}
	return p
}

// checkStatic refuses traced bounds of the slice at a position of an index.
func (r Range) checkStatic(position int) {
	for _, v := range []any{r.start, r.stop, r.step} {
		a, ok := v.(array.Array)
		if !ok || core.TracerClass(a.Value()) == "" {
			continue
		}
		core.Raise("IndexError", "Array slice indices must have static start/stop/step to be used with NumPy indexing syntax. "+
			"Got slice(%s, %s, %s) at position %d. "+
			"To index an array at a dynamic position with a static slice size, use x[jax.ds(start, size)] or lax.dynamic_slice/dynamic_update_slice instead "+
			"(JAX does not support dynamically sized arrays within traced functions).%s",
			boundText(r.start), boundText(r.stop), boundText(r.step), position, core.Origin(a.Value()))
	}
}

func boundText(v any) string {
	if a, ok := v.(array.Array); ok {
		return a.Repr()
	}
	return core.PyRepr(v)
}

func parseItem(v any, alone bool) indexItem {
	switch v := v.(type) {
	case Marker:
		if v == Ellipsis {
			return indexItem{kind: indexEllipsis}
		}
		return indexItem{kind: indexNew}
	case nil:
		return indexItem{kind: indexNew}
	case Range:
		return indexItem{kind: indexRange, span: v, axes: 1}
	case int:
		return indexItem{kind: indexInt, i: v, axes: 1}
	case bool:
		return indexItem{kind: indexBool, arr: AsArray(v)}
	case string:
		core.TypeErrorf("JAX does not support string indexing; got idx='%s'", v)
	case float64, float32, complex128, complex64:
		x, _ := array.ToValue(v)
		d := x.Aval().DType
		if _, ok := v.(float64); ok {
			d = dtype.Float64
		} else if _, ok := v.(complex128); ok {
			d = dtype.Complex128
		}
		core.TypeErrorf("Indexer must have integer or boolean type, got indexer with type %s", d)
	}
	if i, ok := integer(v); ok {
		return indexItem{kind: indexInt, i: i, axes: 1}
	}
	if a, isArray := v.(array.Array); !isArray || a.Results() != nil && a.Info() == nil {
		if class := tree.ClassOf(v); alone && class == "<class 'list'>" {
			core.TypeErrorf("Using a non-tuple sequence for multidimensional indexing is not allowed; use `arr[array(seq)]` instead of `arr[seq]`. See https://github.com/jax-ml/jax/issues/4564 for more information.")
		}
	}
	w, ok := array.ToValue(v)
	if !ok {
		core.Raise("IndexError", "only integers, slices (`:`), ellipsis (`...`), newaxis (`None`) and integer or boolean arrays are valid indices. Got %s", core.PyStr(v))
	}
	switch a := w.Aval(); {
	case a.DType.IsBool():
		return indexItem{kind: indexBool, arr: array.New(w), axes: a.NDim()}
	case a.DType.IsInt() || a.Size() == 0:
		if a.NDim() == 0 {
			if c, ok := w.(*core.Const); ok && c.Py != nil { // a sized Go integer
				return indexItem{kind: indexInt, i: int(hostNumber(array.New(w), "")), axes: 1}
			}
		}
		return indexItem{kind: indexArray, arr: array.New(w), axes: 1}
	default:
		core.TypeErrorf("Indexer must have integer or boolean type, got indexer with type %s", a.DType)
	}
	return indexItem{}
}

// full replaces Ellipsis, and the dimensions that the index does not name, by
// full ranges.
func (p *index) full() []indexItem {
	var out []indexItem
	consumed := 0
	for _, it := range p.items {
		consumed += it.axes
		if it.kind != indexEllipsis {
			out = append(out, it)
			continue
		}
		for range it.axes {
			out = append(out, indexItem{kind: indexRange, axes: 1})
		}
	}
	for range len(p.shape) - consumed {
		out = append(out, indexItem{kind: indexRange, axes: 1})
	}
	return out
}

func (p *index) has(kinds ...indexKind) bool {
	return slices.ContainsFunc(p.items, func(it indexItem) bool { return slices.Contains(kinds, it.kind) })
}

// span is start, stop and step as Python's slice.indices gives them.
func (r Range) indices(size int) (start, stop, step int) {
	step = bound(r.step, 1)
	if step == 0 {
		core.ValueErrorf("slice step cannot be zero")
	}
	clip := func(v any, otherwise, low, high int) int {
		if v == nil {
			return otherwise
		}
		i := bound(v, 0)
		if i < 0 {
			i += size
		}
		return min(max(i, low), high)
	}
	if step > 0 {
		return clip(r.start, 0, 0, size), clip(r.stop, size, 0, size), step
	}
	return clip(r.start, size-1, -1, size-1), clip(r.stop, -1, -1, size-1), step
}

// count is the number of elements of start:stop:step.
func rangeLen(start, stop, step int) int {
	if step > 0 {
		return max(0, (stop-start+step-1)/step)
	}
	return max(0, (start-stop-step-1)/-step)
}

func bound(v any, otherwise int) int {
	switch v := v.(type) {
	case nil:
		return otherwise
	case int:
		return v
	case array.Array:
		if c, ok := v.Value().(*core.Const); ok && c.Aval().DType.IsInt() && c.Aval().NDim() == 0 {
			return int(hostNumber(v, ""))
		}
	default:
		if i, ok := integer(v); ok {
			return i
		}
	}
	core.TypeErrorf("slice indices must be integers or None or have an __index__ method")
	return 0
}

// integer is the value of a Go integer of any kind.
func integer(v any) (int, bool) {
	switch rv := reflect.ValueOf(v); {
	case rv.CanInt():
		return int(rv.Int()), true
	case rv.CanUint():
		return int(rv.Uint()), true
	}
	return 0, false
}

// cut is an index as a slice with constant bounds.
type cut struct {
	start, limit, strides   []int
	some                    bool // the bounds leave something out
	reverse, squeeze, added []int
}

// static gives the index as a slice with constant bounds; false if it is none.
func (p *index) static(clip, wrap bool) (*cut, bool) {
	if p.has(indexArray, indexBool) {
		return nil, false
	}
	c := &cut{}
	dim := 0
	for _, it := range p.full() {
		switch it.kind {
		case indexNew:
			c.added = append(c.added, len(c.start)-len(c.squeeze)+len(c.added))
			continue
		case indexInt:
			size, i := p.shape[dim], it.i
			if wrap && i < 0 {
				i += size
			}
			if size == 0 || !clip && (i < 0 || i >= size) {
				return nil, false
			}
			i = min(max(i, 0), size-1)
			c.take(size, i, i+1, 1)
			c.squeeze = append(c.squeeze, dim)
		case indexRange:
			c.span(dim, p.shape[dim], it.span)
		}
		dim++
	}
	return c, true
}

func (c *cut) take(size, start, limit, stride int) {
	c.start, c.limit, c.strides = append(c.start, start), append(c.limit, limit), append(c.strides, stride)
	c.some = c.some || start != 0 || limit != size || stride != 1
}

func (c *cut) span(dim, size int, r Range) {
	start, stop, step := r.indices(size)
	if step > 0 {
		c.take(size, start, max(start, stop), step)
		return
	}
	rest := (start - stop - 1) % -step
	if rest < 0 { // Python's remainder
		rest += -step
	}
	first := min(size, stop+1+rest)
	c.take(size, first, max(first, start+1), -step)
	c.reverse = append(c.reverse, dim)
}

func (c *cut) apply(x array.Array) array.Array {
	if c.some {
		var strides []int
		if slices.ContainsFunc(c.strides, func(s int) bool { return s != 1 }) {
			strides = c.strides
		}
		x = lax.Slice(x, c.start, c.limit, strides)
	}
	return finishIndex(x, c.reverse, c.squeeze, c.added)
}

func finishIndex(x array.Array, reverse, squeeze, added []int) array.Array {
	if len(reverse) > 0 {
		x = lax.Rev(x, reverse)
	}
	if len(squeeze) > 0 {
		x = lax.Squeeze(x, squeeze)
	}
	if len(added) > 0 {
		x = lax.ExpandDims(x, added)
	}
	return x
}

// dynamic takes a slice at positions that are values: scalar Arrays, and
// integers out of bounds, which are moved to the nearest element.
func (p *index) dynamic(x array.Array, wrap bool) (array.Array, bool) {
	for _, it := range p.items {
		step := 1
		if it.kind == indexRange {
			step = bound(it.span.step, 1)
		}
		if it.kind == indexBool || it.kind == indexArray && it.arr.NDim() > 0 || step != 1 && step != -1 {
			return x, false
		}
	}
	c := &cut{}
	var starts []any
	var sizes []int
	trivial, dim := true, 0
	for _, it := range p.full() {
		switch it.kind {
		case indexNew:
			c.added = append(c.added, len(starts)-len(c.squeeze)+len(c.added))
			continue
		case indexInt, indexArray:
			trivial = false
			if p.shape[dim] == 0 {
				return x, false
			}
			at := any(it.arr)
			if it.kind == indexInt {
				at = AsArray(it.i)
			}
			starts, sizes = append(starts, at), append(sizes, 1)
			c.squeeze = append(c.squeeze, dim)
		case indexRange:
			start, stop, step := it.span.indices(p.shape[dim])
			trivial = trivial && it.span == Range{}
			if step < 0 {
				first := stop + 1
				starts, sizes = append(starts, first), append(sizes, max(0, start+1-first))
				c.reverse = append(c.reverse, dim)
			} else {
				starts, sizes = append(starts, start), append(sizes, max(0, stop-start))
			}
		}
		dim++
	}
	if len(starts) > 1 {
		for i, s := range starts {
			starts[i] = lax.ConvertElementType(s, dtype.Int32)
		}
	}
	if !trivial {
		x = lax.DynamicSliceWrap(x, starts, sizes, wrap)
	}
	return finishIndex(x, c.reverse, c.squeeze, c.added), true
}
