package lax

import (
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/kw"
	"gopherlo/jaxlike/stages"
	"gopherlo/jaxlike/tree"
)

// Map applies f to the elements of xs along the first dimension, one after the
// other, and stacks the results. With BatchSize so many elements are worked on
// together (0: all).
func Map(f, xs any, opts ...kw.MapOption) array.Array {
	fn := callable(f, "lax.map: f argument should be a callable.")
	size := kw.Collect(opts).BatchSize
	x := takeApart(xs, elementPlace(fn, 0))
	if size == nil {
		return mapScan(fn, x)
	}
	return mapBatches(fn, x, *size)
}

// mapScan is a scan without carry.
func mapScan(fn *stages.Callable, x *operand) array.Array {
	step := fn.Around(func(args []any) any { return tree.Tuple{tree.Tuple{}, apply1(fn, args[1])} })
	step.Name = "<lambda>"
	_, ys := scan(scanCall{fn: step, api: "scan", names: mapNames(x), init: takeApart(tree.Tuple{}, nil), xs: x})
	return ys
}

func mapBatches(fn *stages.Callable, x *operand, size int) array.Array {
	if len(x.vals) == 0 {
		return mapScan(fn, x)
	}
	n := x.avals[0].Shape[0]
	batches, rest := 0, n
	if size > 0 {
		batches, rest = n/size, n%size
	}
	if batches == 0 {
		vals, def := vmapLeading(fn, x)
		return result(def, vals)
	}
	full := batches * size
	head, tail := make([]core.Value, len(x.vals)), make([]core.Value, len(x.vals))
	for i, v := range x.vals {
		a := array.New(v)
		if rest > 0 {
			a = array.New(sliceRows(v, 0, full))
		}
		head[i] = a.Reshape(append([]int{batches, size}, v.Aval().Shape[1:]...)...).Value()
		if rest > 0 {
			tail[i] = sliceRows(v, full, n)
		}
	}
	step := fn.Around(func(args []any) any {
		vals, def := vmapLeading(fn, takeApart(args[1], nil))
		return tree.Tuple{tree.Tuple{}, treeOf(def, vals)}
	})
	_, ys := scan(scanCall{fn: step, api: "scan", init: takeApart(tree.Tuple{}, nil), xs: x.retyped(head)})
	stacked, def := treeParts(ys)
	var last []core.Value
	if rest > 0 {
		last, _ = vmapLeading(fn, x.retyped(tail))
	}
	for i, y := range stacked {
		shape := y.Aval().Shape
		stacked[i] = reshape(y, append([]int{full}, shape[2:]...))
		if rest > 0 {
			stacked[i] = concatenate([]core.Value{stacked[i], last[i]}, 0)
		}
	}
	return result(def, stacked)
}

// sliceRows takes rows, as x[from:to] does.
func sliceRows(v core.Value, from, to int) core.Value {
	a := v.Aval()
	lo, hi := make([]int, a.NDim()), append([]int{}, a.Shape...)
	lo[0], hi[0] = from, to
	return slice(v, core.NewInts(lo...), core.NewInts(hi...), nil)
}

func treeParts(a array.Array) ([]core.Value, *tree.Def) {
	if r := a.Results(); r != nil {
		return append([]core.Value{}, r.Leaves...), r.Def
	}
	return []core.Value{a.Value()}, tree.LeafDef()
}

// vmapLeading maps fn over the first dimension of all leaves.
func vmapLeading(fn *stages.Callable, x *operand) ([]core.Value, *tree.Def) {
	var def *tree.Def
	dims := make([]int, len(x.vals))
	outs := batching.Batch(func(vals []core.Value) []core.Value {
		var out []core.Value
		out, def = fn.FlattenResult(apply1(fn, treeOf(x.def, vals)), "vmap")
		return out
	}, core.AxisData{Size: x.avals[0].Shape[0]}, x.vals, dims, func(srcs []int) []int { return make([]int, len(srcs)) })
	return outs, def
}

// mapNames are the names of the elements' leaves in error texts: JAX maps by a
// function of its own, whose parameter is x.
func mapNames(x *operand) []string { return pathNames("x", x.def) }
