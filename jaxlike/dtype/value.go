package dtype

import (
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
)

// OfValue returns the type of a bare Go number as JAX types a Python one:
// bool, int, float and complex are weak defaults (bool is never weak), sized Go
// types are strong.
func OfValue(x64 bool, v any) (Type, bool) {
	if v == nil {
		return Type{}, false
	}
	return OfGoType(x64, reflect.TypeOf(v))
}

// OfGoType is [OfValue] for a type. Go's int, float64 and complex128 are what
// untyped constants become, so they play the part of Python's numbers.
func OfGoType(x64 bool, t reflect.Type) (Type, bool) {
	switch t.Kind() {
	case reflect.Bool:
		return Strong(Bool), true
	case reflect.Int:
		return Weak(DefaultInt(x64)), true
	case reflect.Float64:
		return Weak(DefaultFloat(x64)), true
	case reflect.Complex128:
		return Weak(DefaultComplex(x64)), true
	}
	d, ok := ElemOfGo(t.Kind())
	return Strong(d.Canonical(x64)), ok
}

// ElemOfGo returns the type that holds a Go kind without loss.
func ElemOfGo(k reflect.Kind) (DType, bool) {
	d, ok := map[reflect.Kind]DType{
		reflect.Bool: Bool, reflect.Int: Int64, reflect.Int8: Int8, reflect.Int16: Int16,
		reflect.Int32: Int32, reflect.Int64: Int64, reflect.Uint: Uint64, reflect.Uint8: Uint8,
		reflect.Uint16: Uint16, reflect.Uint32: Uint32, reflect.Uint64: Uint64,
		reflect.Float32: Float32, reflect.Float64: Float64,
		reflect.Complex64: Complex64, reflect.Complex128: Complex128,
	}[k]
	return d, ok
}

// Put stores a Go number as the element at the start of b. Floats become
// integers by truncation, saturating; integers wrap; NaN becomes 0.
func (d DType) Put(b []byte, v any) error {
	rv := reflect.ValueOf(v)
	switch rv.Kind() {
	case reflect.Bool:
		n := int64(0)
		if rv.Bool() {
			n = 1
		}
		d.PutInt(b, n)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		d.PutInt(b, rv.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		d.putUint(b, rv.Uint())
	case reflect.Float32, reflect.Float64:
		d.PutFloat(b, rv.Float())
	case reflect.Complex64, reflect.Complex128:
		d.PutComplex(b, rv.Complex())
	default:
		return fmt.Errorf("a value of type %T is no number: give a bool, integer, float or complex", v)
	}
	return nil
}

// PutInt stores an integer.
func (d DType) PutInt(b []byte, v int64) {
	switch d.Kind() {
	case KindInt, KindUint:
		putBits(b, d.Size(), uint64(v)&intMask(d))
	case KindBool:
		b[0] = boolByte(v != 0)
	case KindFloat0, KindInvalid, KindKey:
	default:
		d.PutFloat(b, float64(v))
	}
}

func (d DType) putUint(b []byte, v uint64) {
	if d.IsInexact() {
		d.PutFloat(b, float64(v))
		return
	}
	d.PutInt(b, int64(v)) // wraps; bool only asks for zero
}

// PutFloat stores a floating-point number.
func (d DType) PutFloat(b []byte, v float64) {
	switch d.Kind() {
	case KindFloat:
		putBits(b, d.Size(), FloatBits(d, v))
	case KindComplex:
		d.PutComplex(b, complex(v, 0))
	case KindBool:
		b[0] = boolByte(v != 0)
	case KindInt, KindUint:
		putBits(b, d.Size(), saturate(d, v)&intMask(d))
	}
}

// PutComplex stores a complex number; its real part where d is not complex.
func (d DType) PutComplex(b []byte, v complex128) {
	switch d {
	case Complex64:
		putBits(b, 4, FloatBits(Float32, real(v)))
		putBits(b[4:], 4, FloatBits(Float32, imag(v)))
	case Complex128:
		putBits(b, 8, math.Float64bits(real(v)))
		putBits(b[8:], 8, math.Float64bits(imag(v)))
	case Bool:
		b[0] = boolByte(v != 0)
	default:
		d.PutFloat(b, real(v))
	}
}

// Get returns the element at the start of b as bool, int64, uint64, float64 or
// complex128.
func (d DType) Get(b []byte) any {
	switch d.Kind() {
	case KindBool:
		return b[0] != 0
	case KindInt:
		return d.GetInt(b)
	case KindUint:
		return bits(b, d.Size()) & intMask(d)
	case KindFloat:
		return FromFloatBits(d, bits(b, d.Size()))
	case KindComplex:
		return d.GetComplex(b)
	}
	return false
}

// GetInt returns the element as an integer; unsigned 64-bit values wrap.
func (d DType) GetInt(b []byte) int64 {
	switch d.Kind() {
	case KindInt:
		shift := 64 - d.Bits()
		return int64(bits(b, d.Size())<<shift) >> shift
	case KindUint:
		return int64(bits(b, d.Size()) & intMask(d))
	case KindBool:
		return int64(boolByte(b[0] != 0))
	}
	return int64(d.GetFloat(b))
}

// GetFloat returns the element as a float64; the real part of a complex one.
func (d DType) GetFloat(b []byte) float64 {
	switch d.Kind() {
	case KindFloat:
		return FromFloatBits(d, bits(b, d.Size()))
	case KindUint:
		return float64(bits(b, d.Size()) & intMask(d))
	case KindComplex:
		return real(d.GetComplex(b))
	}
	return float64(d.GetInt(b))
}

// GetComplex returns the element as a complex number.
func (d DType) GetComplex(b []byte) complex128 {
	switch d {
	case Complex64:
		return complex(FromFloatBits(Float32, bits(b, 4)), FromFloatBits(Float32, bits(b[4:], 4)))
	case Complex128:
		return complex(math.Float64frombits(bits(b, 8)), math.Float64frombits(bits(b[8:], 8)))
	}
	return complex(d.GetFloat(b), 0)
}

// Convert returns the elements of raw, of type from, as elements of type to.
func Convert(to, from DType, raw []byte) []byte {
	if to == from {
		return append([]byte(nil), raw...)
	}
	fs, ts := from.Size(), to.Size()
	if fs == 0 {
		return nil
	}
	out := make([]byte, len(raw)/fs*ts)
	for i, j := 0, 0; i+fs <= len(raw); i, j = i+fs, j+ts {
		src, dst := raw[i:], out[j:]
		switch from.Kind() {
		case KindFloat:
			to.PutFloat(dst, from.GetFloat(src))
		case KindComplex:
			to.PutComplex(dst, from.GetComplex(src))
		case KindUint:
			to.putUint(dst, bits(src, fs)&intMask(from))
		default:
			to.PutInt(dst, from.GetInt(src))
		}
	}
	return out
}

// IntRange returns the smallest and largest value of an integer type.
func IntRange(d DType) (lo int64, hi uint64) {
	if d.IsUnsigned() {
		return 0, intMask(d)
	}
	return -1 << (d.Bits() - 1), 1<<(d.Bits()-1) - 1
}

func saturate(d DType, v float64) uint64 {
	lo, hi := IntRange(d)
	switch {
	case math.IsNaN(v):
		return 0
	case v <= float64(lo):
		return uint64(lo)
	case v >= float64(hi):
		return hi
	case d.IsUnsigned():
		return uint64(v)
	}
	return uint64(int64(v))
}

func intMask(d DType) uint64 { return ^uint64(0) >> (64 - d.Bits()) }

func boolByte(v bool) byte {
	if v {
		return 1
	}
	return 0
}

func putBits(b []byte, size int, v uint64) {
	switch size {
	case 1:
		b[0] = byte(v)
	case 2:
		binary.LittleEndian.PutUint16(b, uint16(v))
	case 4:
		binary.LittleEndian.PutUint32(b, uint32(v))
	case 8:
		binary.LittleEndian.PutUint64(b, v)
	}
}

func bits(b []byte, size int) uint64 {
	switch size {
	case 1:
		return uint64(b[0])
	case 2:
		return uint64(binary.LittleEndian.Uint16(b))
	case 4:
		return uint64(binary.LittleEndian.Uint32(b))
	case 8:
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}
