// Package arraytext prints arrays as JAX prints them, which is NumPy 2.5's
// array2string under JAX's frame:
//
//	a := arraytext.Array{DType: dtype.Float32, Shape: []int{2}, Data: raw}
//	a.Repr() // Array([1. , 2.5], dtype=float32)
//	a.Str()  // [1.  2.5]
//
// The rules are those of numpy/_core/arrayprint.py and of jax/_src/array.py
// (0.12.0.1), with NumPy's default print options.
package arraytext
