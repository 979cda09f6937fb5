// Package batching vectorizes: BatchTrace carries values with a batch
// dimension, primitives' Batch rules move it, and jaxprs are batched whole
// (jax/_src/interpreters/batching.py of JAX 0.12.0.1).
package batching

import (
	"slices"

	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/partialeval"
)

// Ops are the array operations that batching needs; package lax provides them.
type Ops struct {
	BroadcastInDim func(x core.Value, shape []int, dims core.Ints) core.Value
	Transpose      func(x core.Value, perm []int) core.Value
	ExpandDims     func(x core.Value, dims []int) core.Value
}

var ops Ops

// SetOps installs the array operations; called once, from an init.
func SetOps(o Ops) { ops = o }

// Tag tells the tracers of one batching from those of another.
type Tag struct{ _ byte }

// Trace applies Batch rules.
type Trace struct {
	parent core.Trace
	tag    *Tag
	Axis   core.AxisData
}

// Tracer is a value with a batch dimension.
type Tracer struct {
	trace *Trace
	val   core.Value
	dim   int
	aval  *core.ShapedArray
}

// NewTrace makes a batching trace above parent.
func NewTrace(parent core.Trace, axis core.AxisData) *Trace {
	return &Trace{parent: parent, tag: new(Tag), Axis: axis}
}

// Wrap makes a tracer of v batched along dim; v itself when it is not mapped.
func (t *Trace) Wrap(v core.Value, dim int) core.Value {
	if dim == core.NotMapped {
		return v
	}
	a := v.Aval()
	shape := slices.Delete(slices.Clone(a.Shape), dim, dim+1)
	return &Tracer{t, v, dim, a.With(shape)}
}

// Aval is the type of one element of the batch.
func (t *Tracer) Aval() *core.ShapedArray { return t.aval }

// Owner is the tracer's trace.
func (t *Tracer) Owner() core.Trace { return t.trace }

// FullLower is the tracer itself.
func (t *Tracer) FullLower() core.Value { return t }

// Repr is the tracer as JAX prints it.
func (t *Tracer) Repr() string {
	return "VmapTracer(aval=" + t.aval.LongWeak() + ", batched=" + t.val.Aval().LongWeak() + ")"
}

// TypeName is the class that JAX's messages name.
func (t *Tracer) TypeName() string { return "BatchTracer" }

// Parent is the trace that batched operations run under.
func (t *Trace) Parent() core.Trace { return t.parent }

// Info gives the batched value and its batch dimension.
func (t *Trace) Info(v core.Value) (core.Value, int) {
	if x, ok := v.(*Tracer); ok && x.trace.tag == t.tag {
		return x.val, x.dim
	}
	return v, core.NotMapped
}

func (t *Trace) infos(vs []core.Value) ([]core.Value, []int) {
	vals, dims := make([]core.Value, len(vs)), make([]int, len(vs))
	for i, v := range vs {
		vals[i], dims[i] = t.Info(v)
	}
	return vals, dims
}

func (t *Trace) wraps(vals []core.Value, dims []int) []core.Value {
	out := make([]core.Value, len(vals))
	for i := range vals {
		out[i] = t.Wrap(vals[i], dims[i])
	}
	return out
}

// Process applies p's Batch rule under the parent trace.
func (t *Trace) Process(p *core.Primitive, args []core.Value, params core.Params) []core.Value {
	vals, dims := t.infos(args)
	if p.Batch == nil {
		if !AllUnmapped(dims) {
			core.Raise("NotImplementedError", "Batching rule for '%s' not implemented", p.Name)
		}
		return t.parent.Process(p, vals, params)
	}
	var out []core.Value
	var outDims []int
	core.WithTrace(t.parent, func() { out, outDims = p.Batch(t.Axis, vals, dims, params) })
	return t.wraps(out, outDims)
}

// AllUnmapped tells whether no value is batched.
func AllUnmapped(dims []int) bool {
	for _, d := range dims {
		if d != core.NotMapped {
			return false
		}
	}
	return true
}

// Batch runs f on values batched along inDims and gives results moved to the
// dimensions that outDims says (asked after f has run, by then the number of
// results is known).
func Batch(f func([]core.Value) []core.Value, axis core.AxisData, vals []core.Value, inDims []int, outDims func(srcs []int) []int) []core.Value {
	parent := core.CurrentTrace()
	t := NewTrace(parent, axis)
	var res []core.Value
	core.With(func(s *core.State) {
		s.Axes = append(slices.Clone(s.Axes), axis)
		s.Names = s.Names.Transform("vmap")
	}, func() {
		var outs []core.Value
		core.WithTrace(t, func() { outs = f(t.wraps(vals, inDims)) })
		var srcs []int
		res, srcs = t.infos(outs)
		dsts := outDims(srcs)
		for i := range res {
			res[i] = Match(axis, srcs[i], dsts[i], res[i])
		}
	})
	return res
}

// Match moves the batch dimension of x from src to dst; an unbatched x is
// broadcast. A batched x where none is wanted is the caller's error.
func Match(axis core.AxisData, src, dst int, x core.Value) core.Value {
	if dst < core.NotMapped {
		dst += x.Aval().NDim() + 1
		if src == core.NotMapped {
			dst++
		}
	}
	switch {
	case src == dst:
		return x
	case src == core.NotMapped:
		return Broadcast(x, axis.Size, dst)
	case dst == core.NotMapped:
		core.ValueErrorf("at vmap out_axes, got axis spec None but output was batched on axis %d", src)
	case dst < 0 || dst >= x.Aval().NDim():
		core.ValueErrorf("axis %d is out of bounds for array of dimension %d", dst, x.Aval().NDim())
	}
	return Moveaxis(x, src, dst)
}

// FromEnd is the destination of a negative axis, -1 being the last one; the
// number itself would mean that nothing is mapped.
func FromEnd(axis int) int { return axis - 1 }

// Moveaxis moves dimension src to dst.
func Moveaxis(x core.Value, src, dst int) core.Value {
	if src == dst {
		return x
	}
	perm := make([]int, 0, x.Aval().NDim())
	for i := range x.Aval().NDim() {
		if i != src {
			perm = append(perm, i)
		}
	}
	return ops.Transpose(x, slices.Insert(perm, dst, src))
}

// Broadcast inserts a dimension of the given size. JAX computes the dimension
// list with NumPy, and it prints so.
func Broadcast(x core.Value, size, axis int) core.Value {
	a := x.Aval()
	shape := slices.Insert(slices.Clone(a.Shape), axis, size)
	dims := make([]int, 0, a.NDim())
	for i := range shape {
		if i != axis {
			dims = append(dims, i)
		}
	}
	return ops.BroadcastInDim(x, shape, core.NPInts(dims...))
}

// Front moves the batch dimension to the front; an unmapped x gets a new
// dimension of the given size there.
func Front(x core.Value, dim, size int) core.Value {
	if dim == core.NotMapped {
		return Broadcast(x, size, 0)
	}
	return Moveaxis(x, dim, 0)
}

// CustomJVP batches function and rule.
func (t *Trace) CustomJVP(c *core.CustomJVP, args []core.Value) []core.Value {
	vals, dims := t.infos(args)
	var outDims []int
	b := *c
	b.Fun = func(vs []core.Value) []core.Value {
		var out []core.Value
		out, outDims = t.sub(c.Fun, vs, dims)
		return out
	}
	b.Rule = func(vs []core.Value) []core.Value {
		out, ds := t.sub(c.Rule, vs, append(slices.Clone(dims), dims...))
		n := len(out) / 2
		merged := make([]int, n)
		for i := range n {
			merged[i] = ds[i]
			if merged[i] == core.NotMapped {
				merged[i] = ds[n+i]
			}
			out[i] = Match(t.Axis, ds[i], merged[i], out[i])
			out[n+i] = Match(t.Axis, ds[n+i], merged[i], out[n+i])
		}
		outDims = merged
		return out
	}
	out := t.parent.CustomJVP(&b, vals)
	return t.wraps(out, outDims)
}

// CustomVJP batches function, forward and backward rule.
func (t *Trace) CustomVJP(c *core.CustomVJP, args []core.Value) []core.Value {
	vals, dims := t.infos(args)
	var outDims, resDims []int
	b := *c
	b.Fun = func(vs []core.Value) []core.Value {
		var out []core.Value
		out, outDims = t.sub(c.Fun, vs, dims)
		return out
	}
	b.Fwd = func(vs []core.Value) []core.Value {
		out, ds := t.sub(c.Fwd, vs, dims)
		n := c.NumRes()
		resDims, outDims = ds[:n], ds[n:]
		return out
	}
	b.Bwd = func(vs []core.Value) []core.Value {
		out, ds := t.sub(c.Bwd, vs, append(slices.Clone(resDims), outDims...))
		for i := range out {
			out[i] = t.matchSum(ds[i], dims[i], out[i])
		}
		return out
	}
	return t.wraps(t.parent.CustomVJP(&b, vals), outDims)
}

// matchSum is Match where a batched cotangent of an unbatched input is summed.
func (t *Trace) matchSum(src, dst int, x core.Value) core.Value {
	if z, ok := x.(core.Zero); ok {
		if dst != core.NotMapped {
			z.Of = z.Of.With(slices.Insert(slices.Clone(z.Of.Shape), dst, t.Axis.Size))
		}
		return z
	}
	if src != core.NotMapped && dst == core.NotMapped {
		return sumAxis(x, src)
	}
	return Match(t.Axis, src, dst, x)
}

var sumAxis func(x core.Value, axis int) core.Value

// SetSum installs the sum over one dimension; called once, from an init.
func SetSum(f func(x core.Value, axis int) core.Value) { sumAxis = f }

// sub runs f under a batching of the same tag above the current trace.
func (t *Trace) sub(f func([]core.Value) []core.Value, vals []core.Value, dims []int) ([]core.Value, []int) {
	nt := &Trace{parent: core.CurrentTrace(), tag: t.tag, Axis: t.Axis}
	var out []core.Value
	core.WithTrace(nt, func() { out = f(nt.wraps(vals, dims)) })
	return nt.infos(out)
}

// Batched is a batched jaxpr with the batch dimensions of its outputs.
type Batched struct {
	Jaxpr   *core.Jaxpr
	OutDims []int
}

// Dest says where the batch dimensions of a jaxpr's outputs go.
type Dest struct {
	key string
	to  func(srcs []int) []int
}

// AsTheyAre leaves the outputs' batch dimensions where they come out.
var AsTheyAre = Dest{"", func(srcs []int) []int { return srcs }}

// Exactly moves them to dims; outputs that are not batched are broadcast.
func Exactly(dims []int) Dest {
	return Dest{"=" + core.PyRepr(core.NewInts(dims...)), func([]int) []int { return dims }}
}

// ZeroIf moves batched outputs to dimension 0, and broadcasts those that force
// marks.
func ZeroIf(force []bool) Dest {
	return Dest{"0" + core.BoolKey(force), func(srcs []int) []int {
		out := make([]int, len(srcs))
		for i, s := range srcs {
			out[i] = core.NotMapped
			if s != core.NotMapped || force[i] {
				out[i] = 0
			}
		}
		return out
	}}
}

// Jaxpr batches j for inputs batched along dims; outputs that do not depend on
// them stay unbatched. The result is shared.
func Jaxpr(j *core.Jaxpr, axis core.AxisData, dims []int) Batched {
	return JaxprAxes(j, axis, dims, AsTheyAre)
}

// JaxprAxes is Jaxpr with the outputs' batch dimensions moved to dest.
func JaxprAxes(j *core.Jaxpr, axis core.AxisData, dims []int, dest Dest) Batched {
	key := "batch:" + axis.Name + ":" + core.PyRepr(axis.Size) + core.PyRepr(core.NewInts(dims...)) +
		dest.key + core.Current().Metadata.Key()
	return j.Memo(key, func() any { return batchJaxpr(j, axis, dims, dest) }).(Batched)
}

func batchJaxpr(j *core.Jaxpr, axis core.AxisData, dims []int, dest Dest) Batched {
	avals := make([]*core.ShapedArray, len(dims))
	for i, a := range j.InAvals() {
		avals[i] = a
		if dims[i] != core.NotMapped {
			avals[i] = a.With(slices.Insert(slices.Clone(a.Shape), dims[i], axis.Size))
		}
	}
	var b Batched
	f := func(vals []core.Value) []core.Value {
		t := NewTrace(core.CurrentTrace(), axis)
		var outs []core.Value
		core.With(func(s *core.State) {
			s.Trace = t
			s.Axes = append(slices.Clone(s.Axes), axis)
		}, func() { outs = core.EvalJaxpr(j, t.wraps(vals, dims)) })
		res, srcs := t.infos(outs)
		b.OutDims = dest.to(srcs)
		for i := range res {
			res[i] = Match(axis, srcs[i], b.OutDims[i], res[i])
		}
		return res
	}
	debug := &core.DebugInfo{}
	if j.Debug != nil {
		debug.FuncName, debug.TracedFor, debug.FuncSource = j.Debug.FuncName, j.Debug.TracedFor, j.Debug.FuncSource
	}
	core.WithTrace(core.Eval, func() { b.Jaxpr = partialeval.TraceToJaxpr(f, avals, debug) })
	return b
}
