package dtype

// DType is an element type. Its number is XLA's PrimitiveType (xla_data.proto),
// so that no table is needed to lower it; types that XLA does not know have
// numbers from 1000 on.
type DType int32

// The element types.
const (
	Invalid DType = 0

	Bool  DType = 1
	Int1  DType = 30
	Int2  DType = 26
	Int4  DType = 21
	Int8  DType = 2
	Int16 DType = 3
	Int32 DType = 4
	Int64 DType = 5

	Uint1  DType = 31
	Uint2  DType = 27
	Uint4  DType = 22
	Uint8  DType = 6
	Uint16 DType = 7
	Uint32 DType = 8
	Uint64 DType = 9

	Float4E2M1FN      DType = 32
	Float8E3M4        DType = 29
	Float8E4M3        DType = 28
	Float8E8M0FNU     DType = 33
	Float8E4M3B11FNUZ DType = 23
	Float8E4M3FN      DType = 20
	Float8E4M3FNUZ    DType = 25
	Float8E5M2        DType = 19
	Float8E5M2FNUZ    DType = 24
	BFloat16          DType = 16
	Float16           DType = 10
	Float32           DType = 11
	Float64           DType = 12

	Complex64  DType = 15
	Complex128 DType = 18

	// Float0 is the type of tangents of integers and booleans: no information.
	Float0 DType = 1000
	// KeyFry is the type of random keys (threefry); an element is two uint32.
	KeyFry DType = 1001
)

// Kind groups element types.
type Kind uint8

// The kinds, in the order of the promotion lattice.
const (
	KindInvalid Kind = iota
	KindBool
	KindUint
	KindInt
	KindFloat
	KindComplex
	KindFloat0
	KindKey
)

type info struct {
	name  string // NumPy's name
	short string // as in a jaxpr; JAX derives it from name (dtypes.short_dtype_name)
	kind  Kind
	bits  int // logical width; bool counts 8, as JAX's itemsize_bits
}

var infos = map[DType]info{
	Bool:              {"bool", "bool", KindBool, 8},
	Int1:              {"int1", "i1", KindInt, 1},
	Int2:              {"int2", "i2", KindInt, 2},
	Int4:              {"int4", "i4", KindInt, 4},
	Int8:              {"int8", "i8", KindInt, 8},
	Int16:             {"int16", "i16", KindInt, 16},
	Int32:             {"int32", "i32", KindInt, 32},
	Int64:             {"int64", "i64", KindInt, 64},
	Uint1:             {"uint1", "u1", KindUint, 1},
	Uint2:             {"uint2", "u2", KindUint, 2},
	Uint4:             {"uint4", "u4", KindUint, 4},
	Uint8:             {"uint8", "u8", KindUint, 8},
	Uint16:            {"uint16", "u16", KindUint, 16},
	Uint32:            {"uint32", "u32", KindUint, 32},
	Uint64:            {"uint64", "u64", KindUint, 64},
	Float4E2M1FN:      {"float4_e2m1fn", "f4_e2m1fn", KindFloat, 4},
	Float8E3M4:        {"float8_e3m4", "f8_e3m4", KindFloat, 8},
	Float8E4M3:        {"float8_e4m3", "f8_e4m3", KindFloat, 8},
	Float8E8M0FNU:     {"float8_e8m0fnu", "f8_e8m0fnu", KindFloat, 8},
	Float8E4M3B11FNUZ: {"float8_e4m3b11fnuz", "f8_e4m3b11fnuz", KindFloat, 8},
	Float8E4M3FN:      {"float8_e4m3fn", "f8_e4m3fn", KindFloat, 8},
	Float8E4M3FNUZ:    {"float8_e4m3fnuz", "f8_e4m3fnuz", KindFloat, 8},
	Float8E5M2:        {"float8_e5m2", "f8_e5m2", KindFloat, 8},
	Float8E5M2FNUZ:    {"float8_e5m2fnuz", "f8_e5m2fnuz", KindFloat, 8},
	BFloat16:          {"bfloat16", "bf16", KindFloat, 16},
	Float16:           {"float16", "f16", KindFloat, 16},
	Float32:           {"float32", "f32", KindFloat, 32},
	Float64:           {"float64", "f64", KindFloat, 64},
	Complex64:         {"complex64", "c64", KindComplex, 64},
	Complex128:        {"complex128", "c128", KindComplex, 128},
	Float0:            {"float0", "float0", KindFloat0, 0},
	KeyFry:            {"key<fry>", "key<fry>", KindKey, 64},
}

var byName = func() map[string]DType {
	m := make(map[string]DType, 2*len(infos))
	for d, i := range infos {
		m[i.name], m[i.short] = d, d
	}
	return m
}()

// Parse returns the type of that name, long ("float32") or short ("f32").
func Parse(name string) (DType, bool) {
	d, ok := byName[name]
	return d, ok
}

// Valid reports whether d is one of the known types.
func (d DType) Valid() bool { _, ok := infos[d]; return ok }

// String returns NumPy's name, such as "float32".
func (d DType) String() string {
	if i, ok := infos[d]; ok {
		return i.name
	}
	return "invalid dtype"
}

// Short returns the name that jaxprs use, such as "f32".
func (d DType) Short() string {
	if i, ok := infos[d]; ok {
		return i.short
	}
	return "invalid dtype"
}

// Kind returns the group that d belongs to.
func (d DType) Kind() Kind { return infos[d].kind }

// Bits returns the width of an element in bits: 4 for int4, 8 for bool.
func (d DType) Bits() int { return infos[d].bits }

// Size returns the bytes that an element takes in host memory; types narrower
// than a byte take a whole one there.
func (d DType) Size() int { return (infos[d].bits + 7) / 8 }

// PrimitiveType returns the number of the XLA type that d is lowered to.
func (d DType) PrimitiveType() int32 {
	switch d {
	case Float0:
		return int32(Bool)
	case KeyFry:
		return int32(Uint32)
	}
	return int32(d)
}

// IsBool reports whether d is bool.
func (d DType) IsBool() bool { return d == Bool }

// IsInt reports whether d is a signed or unsigned integer type.
func (d DType) IsInt() bool { k := d.Kind(); return k == KindInt || k == KindUint }

// IsSigned reports whether d is a signed integer type.
func (d DType) IsSigned() bool { return d.Kind() == KindInt }

// IsUnsigned reports whether d is an unsigned integer type.
func (d DType) IsUnsigned() bool { return d.Kind() == KindUint }

// IsFloat reports whether d is a real floating-point type.
func (d DType) IsFloat() bool { return d.Kind() == KindFloat }

// IsComplex reports whether d is a complex type.
func (d DType) IsComplex() bool { return d.Kind() == KindComplex }

// IsInexact reports whether d is a floating-point or complex type, that is,
// whether values of d can be differentiated.
func (d DType) IsInexact() bool { return d.IsFloat() || d.IsComplex() }

// IsExtended reports whether d has no arithmetic at all (random keys).
func (d DType) IsExtended() bool { return d.Kind() == KindKey }

// Real returns the type of a part of a complex type, and d itself otherwise.
func (d DType) Real() DType {
	switch d {
	case Complex64:
		return Float32
	case Complex128:
		return Float64
	}
	return d
}

// Tangent returns the type of tangents of values of type d: d itself if it is
// inexact, [Float0] otherwise.
func (d DType) Tangent() DType {
	if d.IsInexact() {
		return d
	}
	return Float0
}
