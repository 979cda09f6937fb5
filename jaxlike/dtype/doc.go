// Package dtype knows the element types of arrays: their names as JAX writes
// them, their sizes and kinds, how host numbers are stored in them, and which
// type an operation on several of them gives (the promotion lattice with weak
// types).
//
// The type to start with is [DType]:
//
//	dtype.Float32.String()   // "float32", as in an array's repr
//	dtype.Float32.Short()    // "f32", as in a jaxpr
//	dtype.Promote(false, dtype.Weak(dtype.Int32), dtype.Strong(dtype.BFloat16))
//
// Whether 64-bit types exist is a setting of the caller (jax_enable_x64), so
// functions that depend on it take it as an argument.
package dtype
