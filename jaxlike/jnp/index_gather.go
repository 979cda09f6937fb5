package jnp

import (
	"slices"

	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
	"gopherlo/jaxlike/kw"
	"gopherlo/jaxlike/lax"
)

// expandBools replaces masks by the positions of their true elements, which
// must be known.
func (p *index) expandBools() *index {
	out := &index{shape: p.shape}
	axis := 0
	for position, it := range p.items {
		if it.kind != indexBool {
			out.items = append(out.items, it)
			axis += it.axes
			continue
		}
		c, ok := it.arr.Value().(*core.Const)
		if !ok {
			core.RaiseBooleanIndex(it.arr.Value())
		}
		shape := it.arr.Shape()
		want := p.shape[axis : axis+it.axes]
		for i, n := range shape {
			if n != 0 && n != want[i] {
				core.Raise("IndexError", "boolean index did not match shape of indexed array in index %d: got %s, expected %s",
					position, core.PyRepr(core.NewInts(shape...)), core.PyRepr(core.List(anyInts(want))))
			}
		}
		axis += it.axes
		if len(shape) == 0 {
			out.items = append(out.items, it)
			continue
		}
		for _, where := range trueAt(c, shape) {
			out.items = append(out.items, indexItem{kind: indexArray, arr: hostArray(where, dtype.Int32), axes: 1})
		}
	}
	return out
}

func anyInts(vs []int) []any {
	out := make([]any, len(vs))
	for i, v := range vs {
		out[i] = v
	}
	return out
}

// trueAt lists, per dimension, the positions of the true elements.
func trueAt(c *core.Const, shape []int) [][]int {
	data, err := c.Host()
	if err != nil {
		core.Raise("RuntimeError", "%s", err)
	}
	out := make([][]int, len(shape))
	for k := range data {
		if data[k] == 0 {
			continue
		}
		rest := k
		for d := len(shape) - 1; d >= 0; d-- {
			out[d] = append(out[d], rest%shape[d])
			rest /= shape[d]
		}
	}
	return out
}

// hostArray makes a constant vector of integers.
func hostArray(vs []int, d dtype.DType) array.Array {
	data := make([]byte, d.Size()*len(vs))
	for i, v := range vs {
		d.PutInt(data[i*d.Size():], int64(v))
	}
	return array.New(core.NewHostConst(core.NewAval(d, len(vs)), data))
}

// expandScalarBools gives scalar masks a dimension of their own, which has one
// element or none; dims are these dimensions.
func (p *index) expandScalarBools() (q *index, dims []int) {
	q = &index{shape: slices.Clone(p.shape)}
	for i, it := range p.full() {
		if it.kind == indexBool {
			dims = append(dims, i)
			q.shape = slices.Insert(q.shape, i, 1)
			it = indexItem{kind: indexArray, axes: 1, arr: hostArray(make([]int, int(hostNumber(it.arr, ""))), dtype.Int32)}
		}
		q.items = append(q.items, it)
	}
	return q, dims
}

// normalize makes negative positions count from the end.
func (p *index) normalize() {
	axis := 0
	for i, it := range p.items {
		switch it.kind {
		case indexInt:
			if it.i < 0 {
				p.items[i].i += p.shape[axis]
			}
		case indexArray:
			p.items[i].arr = fromEnd(it.arr, p.shape[axis])
		}
		axis += it.axes
	}
}

func fromEnd(ix array.Array, size int) array.Array {
	if ix.DType().IsUnsigned() {
		return ix
	}
	return lax.Select(Less(ix, 0), lax.Add(ix, lax.ConstLike(ix, float64(size))), ix)
}

// gatherPlan is an index as a gather or scatter (_GatherIndexer in JAX).
type gatherPlan struct {
	sliceShape             []int // of the result, with new dimensions
	sizes                  []int
	dims                   lax.GatherDims
	indices                array.Array
	unique                 bool
	reverse, added, scalar []int

	parts []indexPart // joined to indices
	shape []int       // of indices, without the last dimension
}

// indexPart is one component of the index vectors, aligned to a dimension of
// the indices.
type indexPart struct {
	arr array.Array
	dim int
}

// toGather plans the index.
func (p *index) toGather(wrap bool) *gatherPlan {
	together := p.advancedTogether()
	q, scalar := p.expandScalarBools()
	if wrap {
		q.normalize()
	}
	g := &gatherPlan{unique: true, scalar: scalar, shape: []int{}, sliceShape: []int{}}
	b := gatherBuilder{gatherPlan: g, index: q}
	b.findAdvanced()
	for at, it := range q.items {
		if len(b.advanced) > 0 && (together && at == b.advancedAt[0] || !together && at == 0) {
			b.placeAdvanced()
		}
		b.item(at, it)
	}
	g.joinIndices()
	sortInts(b.collapsed)
	g.dims = lax.GatherDims{Offset: core.NewInts(b.offset...), Collapsed: core.NewInts(b.collapsed...), StartIndexMap: core.NewInts(b.startMap...)}
	return g
}

func sortInts(vs []int) { slices.Sort(vs) }

// advancedTogether tells whether the entries that are positions stand next to
// each other.
func (p *index) advancedTogether() bool {
	last := -1
	for i, it := range p.items {
		if it.kind != indexArray && it.kind != indexInt {
			continue
		}
		if last >= 0 && i != last+1 {
			return false
		}
		last = i
	}
	return true
}

// gatherBuilder walks over an index.
type gatherBuilder struct {
	*gatherPlan
	index                        *index
	advanced                     []array.Array
	advancedAt, advancedAxes     []int
	offset, collapsed, startMap  []int
	xAxis, yAxis, collapsedYAxis int
}

// findAdvanced collects the positions where arrays of them are among the
// entries; then integers count as arrays.
func (b *gatherBuilder) findAdvanced() {
	if !slices.ContainsFunc(b.index.items, func(it indexItem) bool { return it.kind == indexArray && it.arr.NDim() > 0 }) {
		return
	}
	axis := 0
	for i, it := range b.index.items {
		switch it.kind {
		case indexArray:
			b.advanced = append(b.advanced, it.arr)
		case indexInt:
			b.advanced = append(b.advanced, AsArray(it.i))
		}
		if it.kind == indexArray || it.kind == indexInt {
			b.advancedAt, b.advancedAxes = append(b.advancedAt, i), append(b.advancedAxes, axis)
		}
		if it.kind != indexNew {
			axis++
		}
	}
	b.unique = false
}

func (b *gatherBuilder) placeAdvanced() {
	arrs := broadcastArrays(b.advanced...)
	shape := arrs[0].Shape()
	start := len(b.shape)
	for _, a := range arrs {
		b.parts = append(b.parts, indexPart{lax.ConvertElementType(a, dtype.Int32), start})
	}
	b.shape = append(b.shape, shape...)
	b.startMap, b.collapsed = append(b.startMap, b.advancedAxes...), append(b.collapsed, b.advancedAxes...)
	b.sliceShape = append(b.sliceShape, shape...)
	b.yAxis += len(shape)
	b.collapsedYAxis += len(shape)
}

func (b *gatherBuilder) item(at int, it indexItem) {
	switch {
	case slices.Contains(b.advancedAt, at):
		b.xAxis++
		b.sizes = append(b.sizes, 1)
	case it.kind == indexNew:
		b.sliceShape = append(b.sliceShape, 1)
		b.added = append(b.added, b.yAxis)
		b.yAxis++
	case it.kind == indexRange:
		b.span(it.span)
	default:
		if b.index.shape[b.xAxis] == 0 {
			core.Raise("IndexError", "index is out of bounds for axis %d with size 0", b.xAxis)
		}
		i := any(it.i)
		if it.kind == indexArray {
			i = it.arr
		}
		b.parts = append(b.parts, indexPart{lax.ConvertElementType(i, dtype.Int32), len(b.shape)})
		b.collapsed, b.startMap, b.sizes = append(b.collapsed, b.xAxis), append(b.startMap, b.xAxis), append(b.sizes, 1)
		b.xAxis++
	}
}

func (b *gatherBuilder) span(r Range) {
	size := b.index.shape[b.xAxis]
	start, stop, step := r.indices(size)
	n := rangeLen(start, stop, step)
	b.sliceShape = append(b.sliceShape, n)
	if step == 1 {
		if n != size { // else the whole dimension is taken
			b.parts = append(b.parts, indexPart{lax.ConvertElementType(start, dtype.Int32), len(b.shape)})
			b.startMap = append(b.startMap, b.xAxis)
		}
		b.sizes, b.offset = append(b.sizes, n), append(b.offset, b.collapsedYAxis)
	} else {
		i32 := kw.DType(dtype.Int32)
		ix := Array(start, i32).Add(Array(step, i32).Mul(lax.Iota(dtype.Int32, n)))
		if step < 0 {
			b.reverse = append(b.reverse, b.collapsedYAxis)
			ix = lax.Rev(ix, []int{0})
		}
		b.sizes = append(b.sizes, 1)
		b.parts = append(b.parts, indexPart{ix, len(b.shape)})
		b.startMap, b.collapsed = append(b.startMap, b.xAxis), append(b.collapsed, b.xAxis)
		b.shape = append(b.shape, n)
	}
	b.collapsedYAxis++
	b.yAxis++
	b.xAxis++
}

// joinIndices makes the array of index vectors.
func (g *gatherPlan) joinIndices() {
	switch len(g.parts) {
	case 0:
		g.indices = hostArray(nil, dtype.Int32)
		return
	case 1:
		g.indices = lax.ExpandDims(g.parts[0].arr, []int{g.parts[0].arr.NDim()})
		return
	}
	shape := append(slices.Clone(g.shape), 1)
	cols := make([]array.Array, len(g.parts))
	for i, q := range g.parts {
		dims := make([]int, q.arr.NDim())
		for d := range dims {
			dims[d] = q.dim + d
		}
		cols[i] = lax.BroadcastInDim(q.arr, shape, dims)
	}
	g.indices = lax.Concatenate(cols, len(g.shape))
}

func emptyShape(shape []int) bool { return slices.Contains(shape, 0) }

// gather reads what the index names.
func (p *index) gather(x array.Array, s kw.Set) array.Array {
	g := p.toGather(!s.NoWrap)
	if len(g.scalar) > 0 {
		x = lax.ExpandDims(x, g.scalar)
	}
	if emptyShape(g.sliceShape) {
		return lax.Broadcast(lax.Number(0, x.DType(), x.WeakType()), g.sliceShape)
	}
	if !emptyShape(g.indices.Shape()) {
		x = lax.Gather(x, g.indices, lax.GatherParams{
			Dims: g.dims, Sizes: g.sizes, Mode: lax.ParseIndexMode(s.Mode, lax.IndexInBounds),
			Unique: s.UniqueIndices || g.unique, Sorted: s.IndicesAreSorted || g.unique, Fill: hostFill(s.FillValue),
		})
	}
	return finishIndex(x, g.reverse, nil, g.added)
}

// hostFill is a fill value as a plain number.
func hostFill(v any) any {
	a, ok := v.(array.Array)
	if !ok {
		return v
	}
	if a.NDim() != 0 {
		core.ValueErrorf("fill_value argument to indexed get() must be a scalar")
	}
	c, ok := a.Value().(*core.Const)
	if !ok {
		core.RaiseConcretization(a.Value(), "fill_value argument to indexed get()")
	}
	data, err := c.Host()
	if err != nil {
		core.Raise("RuntimeError", "%s", err)
	}
	switch v := a.DType().Get(data).(type) {
	case int64:
		return int(v)
	default:
		return v
	}
}
