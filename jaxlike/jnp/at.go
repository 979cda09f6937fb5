package jnp

import (
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
	"gopherlo/jaxlike/kw"
	"gopherlo/jaxlike/lax"
)

func init() {
	array.Ops.Get = func(x array.Array, index []any, opts []any) array.Array {
		return Index(x, index, optionsOf[kw.GetOption]("get", 1, opts)...)
	}
	kinds := map[string]lax.ScatterKind{
		"set": lax.ScatterSet, "add": lax.ScatterAdd, "subtract": lax.ScatterSub, "multiply": lax.ScatterMul,
		"min": lax.ScatterMin, "max": lax.ScatterMax,
	}
	array.Ops.Update = func(op string, x array.Array, index []any, values any, opts []any) array.Array {
		s := kw.Collect(optionsOf[kw.UpdateOption](op, 2, opts))
		switch op {
		case "divide", "power":
			f := TrueDivide
			if op == "power" {
				f = Power
			}
			return f(x, update(OnesLike(x), index, values, lax.ScatterMul, s))
		}
		return update(x, index, values, kinds[op], s)
	}
}

// optionsOf are the keywords of a method of x.At(…), which takes so many arguments,
// itself among them, by position.
func optionsOf[T kw.Option](fun string, positional int, opts []any) []T {
	out := make([]T, len(opts))
	for i, o := range opts {
		t, ok := o.(T)
		if !ok {
			core.TypeErrorf("_IndexUpdateRef.%s() takes %d positional argument%s but %d were given", fun, positional, "s"[:positional-1], positional+len(opts))
		}
		out[i] = t
	}
	return out
}

// update computes x with values written at the index (_scatter_update in JAX).
func update(x array.Array, ix []any, values any, kind lax.ScatterKind, s kw.Set) array.Array {
	d, weak := x.DType(), x.WeakType()
	var y array.Array
	if n, ok := values.(int); ok && d.IsInt() && fits(n, x) {
		y = AsArray(n, kw.DType(d))
	} else {
		y = AsArray(values)
	}
	g := parseIndex(x, ix).expandBools().toGather(!s.NoWrap)
	if emptyShape(g.sliceShape) {
		return x
	}
	p := promoteTypes(same, x, y)
	x, y = p[0], broadcastTo(p[1], g.sliceShape)
	y = Squeeze(y, kw.Axis(append([]int{}, g.added...)...))
	if len(g.reverse) > 0 {
		y = lax.Rev(y, g.reverse)
	}
	if len(g.scalar) > 0 {
		x = lax.ExpandDims(x, g.scalar)
	}
	out := kind.Scatter(x, g.indices, y, lax.GatherParams{
		Dims: g.dims, Mode: lax.ParseIndexMode(s.Mode, lax.IndexFill),
		Unique: s.UniqueIndices || g.unique, Sorted: s.IndicesAreSorted || g.unique,
	})
	if len(g.scalar) > 0 {
		out = lax.Squeeze(out, g.scalar)
	}
	return lax.Convert(out, d, weak)
}

// fits tells whether a number is in the range of x's integer type.
func fits(n int, x array.Array) bool {
	lo, hi := intRange(x.DType())
	return int64(n) >= lo && (n < 0 || uint64(n) <= hi)
}

func intRange(d dtype.DType) (lo int64, hi uint64) { return dtype.IntRange(d) }
