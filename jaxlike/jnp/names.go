package jnp

import (
	"math"

	"gopherlo/jaxlike/dtype"
)

// DType is the type of the element types: []jnp.DType{jnp.Float32, jnp.Int8}.
type DType = dtype.DType

// The element types.
const (
	Bool       = dtype.Bool
	Int4       = dtype.Int4
	Int8       = dtype.Int8
	Int16      = dtype.Int16
	Int32      = dtype.Int32
	Int64      = dtype.Int64
	Uint4      = dtype.Uint4
	Uint8      = dtype.Uint8
	Uint16     = dtype.Uint16
	Uint32     = dtype.Uint32
	Uint64     = dtype.Uint64
	BFloat16   = dtype.BFloat16
	Float16    = dtype.Float16
	Float32    = dtype.Float32
	Float64    = dtype.Float64
	Complex64  = dtype.Complex64
	Complex128 = dtype.Complex128
)

// Constants of jax.numpy.
const (
	Pi = math.Pi
	E  = math.E
)

// Inf and NaN are the floating-point numbers of these names.
var (
	Inf = math.Inf(1)
	NaN = math.NaN()
)
