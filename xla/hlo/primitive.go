package hlo

import "fmt"

// PrimitiveType is an element type, numbered as in XLA's xla_data.proto.
type PrimitiveType int32

// XLA's element types. Tuple, OpaqueType and Token are not array types.
const (
	InvalidType   PrimitiveType = 0
	PRED          PrimitiveType = 1
	S8            PrimitiveType = 2
	S16           PrimitiveType = 3
	S32           PrimitiveType = 4
	S64           PrimitiveType = 5
	U8            PrimitiveType = 6
	U16           PrimitiveType = 7
	U32           PrimitiveType = 8
	U64           PrimitiveType = 9
	F16           PrimitiveType = 10
	F32           PrimitiveType = 11
	F64           PrimitiveType = 12
	Tuple         PrimitiveType = 13
	OpaqueType    PrimitiveType = 14
	C64           PrimitiveType = 15
	BF16          PrimitiveType = 16
	Token         PrimitiveType = 17
	C128          PrimitiveType = 18
	F8E5M2        PrimitiveType = 19
	F8E4M3FN      PrimitiveType = 20
	S4            PrimitiveType = 21
	U4            PrimitiveType = 22
	F8E4M3B11FNUZ PrimitiveType = 23
	F8E5M2FNUZ    PrimitiveType = 24
	F8E4M3FNUZ    PrimitiveType = 25
	S2            PrimitiveType = 26
	U2            PrimitiveType = 27
	F8E4M3        PrimitiveType = 28
	F8E3M4        PrimitiveType = 29
	S1            PrimitiveType = 30
	U1            PrimitiveType = 31
	F4E2M1FN      PrimitiveType = 32
	F8E8M0FNU     PrimitiveType = 33
	BufferType    PrimitiveType = 34
	F6E3M2FN      PrimitiveType = 35
	F6E2M3FN      PrimitiveType = 36
)

type kind uint8

const (
	kindOther kind = iota
	kindPred
	kindSigned
	kindUnsigned
	kindFloat
	kindComplex
)

// primitives has a row per element type: its name in HLO text, what it is, its
// width in bits and the bytes one element takes in a Literal.
var primitives = [...]struct {
	name  string
	kind  kind
	bits  int
	bytes int
}{
	InvalidType:   {"primitive_type_invalid", kindOther, 0, 0},
	PRED:          {"pred", kindPred, 8, 1},
	S8:            {"s8", kindSigned, 8, 1},
	S16:           {"s16", kindSigned, 16, 2},
	S32:           {"s32", kindSigned, 32, 4},
	S64:           {"s64", kindSigned, 64, 8},
	U8:            {"u8", kindUnsigned, 8, 1},
	U16:           {"u16", kindUnsigned, 16, 2},
	U32:           {"u32", kindUnsigned, 32, 4},
	U64:           {"u64", kindUnsigned, 64, 8},
	F16:           {"f16", kindFloat, 16, 2},
	F32:           {"f32", kindFloat, 32, 4},
	F64:           {"f64", kindFloat, 64, 8},
	Tuple:         {"tuple", kindOther, 0, 0},
	OpaqueType:    {"opaque", kindOther, 0, 0},
	C64:           {"c64", kindComplex, 64, 8},
	BF16:          {"bf16", kindFloat, 16, 2},
	Token:         {"token", kindOther, 0, 0},
	C128:          {"c128", kindComplex, 128, 16},
	F8E5M2:        {"f8e5m2", kindFloat, 8, 1},
	F8E4M3FN:      {"f8e4m3fn", kindFloat, 8, 1},
	S4:            {"s4", kindSigned, 4, 1},
	U4:            {"u4", kindUnsigned, 4, 1},
	F8E4M3B11FNUZ: {"f8e4m3b11fnuz", kindFloat, 8, 1},
	F8E5M2FNUZ:    {"f8e5m2fnuz", kindFloat, 8, 1},
	F8E4M3FNUZ:    {"f8e4m3fnuz", kindFloat, 8, 1},
	S2:            {"s2", kindSigned, 2, 1},
	U2:            {"u2", kindUnsigned, 2, 1},
	F8E4M3:        {"f8e4m3", kindFloat, 8, 1},
	F8E3M4:        {"f8e3m4", kindFloat, 8, 1},
	S1:            {"s1", kindSigned, 1, 1},
	U1:            {"u1", kindUnsigned, 1, 1},
	F4E2M1FN:      {"f4e2m1fn", kindFloat, 4, 1},
	F8E8M0FNU:     {"f8e8m0fnu", kindFloat, 8, 1},
	BufferType:    {"b", kindOther, 0, 0},
	F6E3M2FN:      {"f6e3m2fn", kindFloat, 6, 1},
	F6E2M3FN:      {"f6e2m3fn", kindFloat, 6, 1},
}

var primitiveByName = func() map[string]PrimitiveType {
	m := make(map[string]PrimitiveType, len(primitives))
	for i, p := range primitives {
		if i != int(InvalidType) {
			m[p.name] = PrimitiveType(i)
		}
	}
	return m
}()

// PrimitiveTypeByName returns the type that HLO text calls name ("f32").
func PrimitiveTypeByName(name string) (PrimitiveType, bool) {
	t, ok := primitiveByName[name]
	return t, ok
}

func (t PrimitiveType) known() bool { return t > 0 && int(t) < len(primitives) }

func (t PrimitiveType) kind() kind {
	if !t.known() {
		return kindOther
	}
	return primitives[t].kind
}

// String returns the name that HLO text uses: "f32", "pred", "tuple".
func (t PrimitiveType) String() string {
	if t < 0 || int(t) >= len(primitives) {
		return fmt.Sprintf("primitive_type_%d", int32(t))
	}
	return primitives[t].name
}

// IsArray reports whether values of the type are arrays (not tuples, tokens or opaque).
func (t PrimitiveType) IsArray() bool { return t.kind() != kindOther }

// IsPred reports whether t is the boolean type.
func (t PrimitiveType) IsPred() bool { return t.kind() == kindPred }

// IsSigned reports whether t is a signed integer type.
func (t PrimitiveType) IsSigned() bool { return t.kind() == kindSigned }

// IsUnsigned reports whether t is an unsigned integer type (not pred).
func (t PrimitiveType) IsUnsigned() bool { return t.kind() == kindUnsigned }

// IsInteger reports whether t is a signed or unsigned integer type (not pred).
func (t PrimitiveType) IsInteger() bool { return t.IsSigned() || t.IsUnsigned() }

// IsFloat reports whether t is a real floating-point type.
func (t PrimitiveType) IsFloat() bool { return t.kind() == kindFloat }

// IsComplex reports whether t is a complex type.
func (t PrimitiveType) IsComplex() bool { return t.kind() == kindComplex }

// Bits is the width of the type: 32 for f32, 4 for s4, 8 for pred.
func (t PrimitiveType) Bits() int {
	if !t.known() {
		return 0
	}
	return primitives[t].bits
}

// Bytes is the number of bytes that one element takes in a [Literal]
// (1 for the types narrower than a byte; 0 for non-array types).
func (t PrimitiveType) Bytes() int {
	if !t.known() {
		return 0
	}
	return primitives[t].bytes
}

// ComplexPart returns f32 for c64, f64 for c128 and t itself for other types.
func (t PrimitiveType) ComplexPart() PrimitiveType {
	switch t {
	case C64:
		return F32
	case C128:
		return F64
	}
	return t
}
