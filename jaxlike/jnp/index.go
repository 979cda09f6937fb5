package jnp

import (
	"slices"

	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/lax"
	"gopherlo/jaxlike/tree"
)

// Range is a slice of one dimension; see [Slice].
type Range struct{ start, stop, step any }

type marker int

// Ellipsis stands for all dimensions that an index does not name, NewAxis for
// a new dimension of size 1.
const (
	Ellipsis marker = iota
	NewAxis
)

// Slice is start:stop:step as an index: Slice(stop), Slice(start, stop) or
// Slice(start, stop, step). A bound may be nil.
func Slice(bounds ...any) Range {
	switch len(bounds) {
	case 1:
		return Range{stop: bounds[0]}
	case 2:
		return Range{start: bounds[0], stop: bounds[1]}
	case 3:
		return Range{bounds[0], bounds[1], bounds[2]}
	}
	core.TypeErrorf("slice expected 1 to 3 arguments, got %d", len(bounds))
	return Range{}
}

func init() { array.Ops.Index = Index }

// Index gives x[index...]: integers, ranges, Ellipsis and NewAxis.
func Index(x array.Array, index []any) array.Array {
	p := planIndex(x, index)
	if p.cut {
		var strides []int
		if slices.ContainsFunc(p.strides, func(s int) bool { return s != 1 }) {
			strides = p.strides
		}
		x = lax.Slice(x, p.start, p.limit, strides)
	}
	if len(p.reverse) > 0 {
		x = lax.Rev(x, p.reverse)
	}
	x = lax.Squeeze(x, p.squeeze)
	if len(p.added) > 0 {
		x = lax.ExpandDims(x, p.added)
	}
	return x
}

// indexPlan is an index as operations.
type indexPlan struct {
	start, limit, strides   []int
	cut                     bool // the bounds leave something out
	reverse, squeeze, added []int
}

func planIndex(x array.Array, index []any) *indexPlan {
	shape := x.Shape()
	p := &indexPlan{start: make([]int, len(shape)), limit: shape, strides: slices.Repeat([]int{1}, len(shape))}
	dim, out := 0, 0
	for _, ix := range expandEllipsis(len(shape), index) {
		switch v := ix.(type) {
		case marker: // NewAxis
			p.added = append(p.added, out)
			out++
			continue
		case Range:
			p.span(dim, shape[dim], v)
			out++
		default:
			p.at(dim, shape[dim], v)
		}
		dim++
	}
	return p
}

// expandEllipsis replaces Ellipsis, or adds at the end, full ranges for the
// dimensions that the index does not name.
func expandEllipsis(rank int, index []any) []any {
	named, at := 0, -1
	for i, ix := range index {
		switch ix {
		case any(Ellipsis):
			if at >= 0 {
				core.Raise("IndexError", "an index can only have a single ellipsis ('...')")
			}
			at = i
		case any(NewAxis):
		default:
			named++
		}
	}
	if named > rank {
		core.Raise("IndexError", "Too many indices: array is %d-dimensional, but %d were indexed", rank, named)
	}
	rest := make([]any, rank-named)
	for i := range rest {
		rest[i] = Range{}
	}
	if at < 0 {
		return slices.Concat(index, rest)
	}
	return slices.Concat(index[:at], rest, index[at+1:])
}

// at takes one element of a dimension. Indices beyond the ends are moved to
// the nearest element, as JAX does.
func (p *indexPlan) at(dim, size int, v any) {
	i, ok := v.(int)
	if !ok {
		core.TypeErrorf("Indexer must have integer or boolean type, got indexer with type %s at position %d; static integers, slices, Ellipsis and NewAxis are supported here", tree.ClassOf(v), dim)
	}
	if size == 0 {
		core.Raise("IndexError", "index is out of bounds for axis %d with size 0", dim)
	}
	if i < 0 {
		i += size
	}
	i = min(max(i, 0), size-1)
	p.start[dim], p.limit[dim] = i, i+1
	p.cut = p.cut || size != 1
	p.squeeze = append(p.squeeze, dim)
}

// span takes a range of a dimension, as Python's slice.indices.
func (p *indexPlan) span(dim, size int, r Range) {
	step := bound(r.step, 1)
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
		start, stop := clip(r.start, 0, 0, size), clip(r.stop, size, 0, size)
		p.set(dim, size, start, max(start, stop), step)
		return
	}
	start, stop := clip(r.start, size-1, -1, size-1), clip(r.stop, -1, -1, size-1)
	n := max(0, (start-stop-step-1)/-step)
	if n == 0 {
		p.set(dim, size, 0, 0, 1)
		return
	}
	p.set(dim, size, start+(n-1)*step, start+1, -step)
	p.reverse = append(p.reverse, dim)
}

func (p *indexPlan) set(dim, size, start, limit, step int) {
	p.start[dim], p.limit[dim], p.strides[dim] = start, limit, step
	p.cut = p.cut || start != 0 || limit != size || step != 1
}

func bound(v any, otherwise int) int {
	if v == nil {
		return otherwise
	}
	i, ok := v.(int)
	if !ok {
		core.TypeErrorf("slice indices must be integers or None, got %s", tree.ClassOf(v))
	}
	return i
}
