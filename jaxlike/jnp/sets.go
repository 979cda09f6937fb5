package jnp

import (
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/kw"
	"gopherlo/jaxlike/lax"
)

// Unique gives the different elements in order; NaNs count as one. The array
// must be known: under jit the number of elements is not.
func Unique(ar any) array.Array {
	x := arraylike("unique", 0, ar)
	if _, ok := x.Value().(*core.Const); !ok {
		core.RaiseConcretization(x.Value(), "The error arose for the first argument of jnp.unique(). To make jnp.unique() compatible with JIT and other transforms, you can specify a concrete value for the size argument, which will determine the output size.")
	}
	x = Sort(Ravel(x))
	if x.Size() < 2 {
		return x
	}
	next, prev := x.Index(Slice(1, nil)), x.Index(Slice(nil, -1))
	fresh := lax.Ne(next, prev)
	if x.DType().IsInexact() {
		fresh = fresh.And(LogicalNot(IsNaN(next).And(IsNaN(prev))))
	}
	first := lax.Full([]int{1}, true, Bool)
	return x.Index(lax.Concatenate([]array.Array{first, fresh}, 0))
}

// IsIn tells which elements are among the test elements.
func IsIn(element, testElements any) array.Array {
	return named("isin", "", func(xs []array.Array) array.Array {
		x, t := xs[0], Ravel(xs[1])
		if t.Size() == 0 {
			return lax.Full(x.Shape(), false, Bool)
		}
		return Any(lax.ExpandDims(x, []int{x.NDim()}).Eq(t), anyLast)
	}, arraylike("isin", 0, element).Value(), arraylike("isin", 1, testElements).Value())
}

// BinCount gives how often each number below length occurs.
func BinCount(x any, length int) array.Array {
	v := Ravel(arraylike("bincount", 0, x))
	if !v.DType().IsInt() {
		core.TypeErrorf("x argument to bincount must have an integer type; got %s", v.DType())
	}
	at := lax.Max(v, lax.ConstLike(v, 0))
	return lax.Full([]int{length}, 0, Int32).At(at).Add(1)
}

// anyLast reduces the last dimension.
var anyLast = kw.Axis(-1)
