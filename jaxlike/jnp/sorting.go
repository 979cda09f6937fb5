package jnp

import (
	"fmt"

	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
	"gopherlo/jaxlike/kw"
	"gopherlo/jaxlike/lax"
)

func orTrue(b *bool) bool { return b == nil || *b }

// lastAxis is the axis of an option, the last one if it is not given.
func lastAxis(s kw.Set, x array.Array) int {
	if len(s.Axis) == 0 {
		return core.CanonicalAxis(-1, x.NDim())
	}
	return core.CanonicalAxis(s.Axis[0], x.NDim())
}

// flatOr is x, as a vector where kw.Axis names no dimension.
func flatOr(x array.Array, s kw.Set) array.Array {
	if s.Axis != nil && len(s.Axis) == 0 {
		return Ravel(x)
	}
	return x
}

func sortKey(s kw.Set) string {
	return fmt.Sprint(s.Axis, s.Axis == nil, orTrue(s.Stable), s.Descending)
}

// Sort sorts along the last dimension, or kw.Axis; kw.Axis() without a number
// sorts the array as a vector.
func Sort(a any, opts ...kw.SortOption) array.Array {
	s := kw.Collect(opts)
	return named("sort", sortKey(s), func(xs []array.Array) array.Array {
		x := flatOr(xs[0], s)
		dim := lastAxis(s, x)
		out := lax.Sort(x, dim, orTrue(s.Stable))
		if s.Descending {
			out = lax.Rev(out, []int{dim})
		}
		return out
	}, value("sort", "a", a))
}

// ArgSort gives the positions that sort the elements.
func ArgSort(a any, opts ...kw.SortOption) array.Array {
	s := kw.Collect(opts)
	return named("argsort", sortKey(s), func(xs []array.Array) array.Array {
		x := flatOr(xs[0], s)
		dim, stable := lastAxis(s, x), orTrue(s.Stable)
		at := lax.BroadcastedIota(dtype.DefaultInt(core.X64()), x.Shape(), dim)
		if s.Descending && stable {
			x, at = lax.Rev(x, []int{dim}), lax.Rev(at, []int{dim})
		}
		_, out := lax.SortKeyVal(x, at, dim, stable)
		if s.Descending {
			out = lax.Rev(out, []int{dim})
		}
		return out
	}, value("argsort", "a", a))
}

// CumSum gives the sums of the elements up to each one: of the array as a
// vector, or along kw.Axis.
func CumSum(a any, opts ...kw.CumulativeOption) array.Array {
	return cumulative("cumsum", a, kw.Collect(opts), lax.CumSum)
}

// CumProd gives the products of the elements up to each one.
func CumProd(a any, opts ...kw.CumulativeOption) array.Array {
	return cumulative("cumprod", a, kw.Collect(opts), lax.CumProd)
}

func cumulative(name string, a any, s kw.Set, op func(x any, axis int, reverse bool) array.Array) array.Array {
	return named(name, fmt.Sprint(s.Axis, s.Axis == nil, s.DType), func(xs []array.Array) array.Array {
		x := xs[0]
		axis := 0
		if s.Axis == nil || x.NDim() == 0 {
			x = lax.Reshape(x, []int{x.Size()})
		}
		if s.Axis != nil {
			axis = core.CanonicalAxis(s.Axis[0], x.NDim())
		}
		out := x.DType()
		switch {
		case s.DType != dtype.Invalid:
			out = core.UserDType(name, s.DType)
		case out.IsBool():
			out = widen(out)
		}
		work := out
		if out.IsBool() {
			if !x.DType().IsBool() {
				x = x.Ne(0)
			}
			work = widen(out)
		}
		return lax.ConvertElementType(op(lax.ConvertElementType(x, work), axis, false), out)
	}, value(name, "a", a))
}

// ArgMax gives the position of the largest element: of the array as a vector,
// or along kw.Axis.
func ArgMax(a any, opts ...kw.ArgMaxOption) array.Array {
	return argBest("argmax", a, kw.Collect(opts), lax.ArgMax)
}

// ArgMin gives the position of the smallest element.
func ArgMin(a any, opts ...kw.ArgMaxOption) array.Array {
	return argBest("argmin", a, kw.Collect(opts), lax.ArgMin)
}

func argBest(name string, a any, s kw.Set, op func(x any, axis int, d dtype.DType) array.Array) array.Array {
	x := arraylike(name, 0, a)
	return inline("_"+name, fmt.Sprint(s.Axis, s.Axis == nil, s.KeepDims), func(xs []array.Array) array.Array {
		x := xs[0]
		dims, axis := upTo(x.NDim()), 0
		if s.Axis == nil {
			x = Ravel(x)
		} else {
			if n := x.NDim(); s.Axis[0] < -n || s.Axis[0] >= n { // JAX looks at the size first
				core.Raise("IndexError", "tuple index out of range")
			}
			dims, axis = s.Axis[:1], core.CanonicalAxis(s.Axis[0], x.NDim())
		}
		if x.Shape()[axis] == 0 {
			core.ValueErrorf("attempt to get %s of an empty sequence", name)
		}
		out := op(x, axis, dtype.DefaultInt(core.X64()))
		if s.KeepDims {
			out = ExpandDims(out, dims...)
		}
		return out
	}, x.Value())
}
