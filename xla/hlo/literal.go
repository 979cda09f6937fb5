package hlo

import (
	"encoding/binary"
	"fmt"
	"math"
)

// Literal is a constant value. Data holds the elements in logical row-major
// order whatever the layout of Shape, little-endian, Shape.ElementType.Bytes()
// bytes each; types narrower than a byte take the low bits of one byte per
// element (not sign-extended, as in XLA's protos), pred is 0 or 1, complex
// numbers are real then imaginary part. A tuple has Tuple instead.
type Literal struct {
	Shape Shape
	Data  []byte
	Tuple []*Literal
	// Elided says that the value is not known: the text it was read from had
	// "{...}" in its place.
	Elided bool

	unknown []byte
}

// NewLiteral returns a zero literal of an array shape.
func NewLiteral(elem PrimitiveType, dims ...int64) *Literal {
	s := ArrayShape(elem, dims...)
	return &Literal{Shape: s, Data: make([]byte, max(0, s.NumElements())*int64(elem.Bytes()))}
}

// FloatLiteral returns a scalar of a float type with value v, rounded to nearest even.
func FloatLiteral(elem PrimitiveType, v float64) *Literal {
	l := NewLiteral(elem)
	l.SetFloat(0, v)
	return l
}

// IntLiteral returns a scalar of an integer type or pred with value v.
func IntLiteral(elem PrimitiveType, v int64) *Literal {
	l := NewLiteral(elem)
	l.SetInt(0, v)
	return l
}

// NumElements is the number of elements of an array literal.
func (l *Literal) NumElements() int {
	b := l.Shape.ElementType.Bytes()
	if b == 0 {
		return 0
	}
	return len(l.Data) / b
}

// Element returns the bytes of element i (not a copy).
func (l *Literal) Element(i int) []byte {
	b := l.Shape.ElementType.Bytes()
	return l.Data[i*b : (i+1)*b : (i+1)*b]
}

// Splat returns an array of l's element type and the given dimensions in which
// every element is the first element of l.
func (l *Literal) Splat(dims ...int64) *Literal {
	r := NewLiteral(l.Shape.ElementType, dims...)
	e := l.Element(0)
	for i := 0; i < len(r.Data); i += len(e) {
		copy(r.Data[i:], e)
	}
	return r
}

// IsSplat reports whether l is an array with at least one element and all
// elements have the same bits.
func (l *Literal) IsSplat() bool {
	n := l.NumElements()
	if n == 0 {
		return false
	}
	b := l.Shape.ElementType.Bytes()
	for i := b; i < len(l.Data); i++ {
		if l.Data[i] != l.Data[i-b] {
			return false
		}
	}
	return true
}

// Uint returns element i of an integer or pred literal, zero-extended.
func (l *Literal) Uint(i int) uint64 {
	e := l.Element(i)
	switch t := l.Shape.ElementType; t.Bytes() {
	case 1:
		return uint64(e[0]) & (1<<t.Bits() - 1)
	case 2:
		return uint64(binary.LittleEndian.Uint16(e))
	case 4:
		return uint64(binary.LittleEndian.Uint32(e))
	default:
		return binary.LittleEndian.Uint64(e)
	}
}

// Int returns element i of an integer or pred literal; u64 values above 1<<63 wrap.
func (l *Literal) Int(i int) int64 {
	u := l.Uint(i)
	if !l.Shape.ElementType.IsSigned() {
		return int64(u)
	}
	sh := 64 - l.Shape.ElementType.Bits()
	return int64(u<<sh) >> sh
}

// SetInt sets element i of an integer or pred literal, keeping the low bits of v.
func (l *Literal) SetInt(i int, v int64) {
	e := l.Element(i)
	switch t := l.Shape.ElementType; t.Bytes() {
	case 1:
		e[0] = byte(v) & byte(1<<t.Bits()-1)
	case 2:
		binary.LittleEndian.PutUint16(e, uint16(v))
	case 4:
		binary.LittleEndian.PutUint32(e, uint32(v))
	default:
		binary.LittleEndian.PutUint64(e, uint64(v))
	}
}

// Bool returns element i of a pred literal.
func (l *Literal) Bool(i int) bool { return l.Data[i] != 0 }

// Float returns element i of a float literal.
func (l *Literal) Float(i int) float64 { return decodeFloat(l.Shape.ElementType, l.Element(i)) }

// SetFloat sets element i of a float literal to v, rounded to nearest even.
func (l *Literal) SetFloat(i int, v float64) { encodeFloat(l.Shape.ElementType, l.Element(i), v) }

// Complex returns element i of a complex literal.
func (l *Literal) Complex(i int) complex128 {
	e := l.Element(i)
	p, h := l.Shape.ElementType.ComplexPart(), len(e)/2
	return complex(decodeFloat(p, e[:h]), decodeFloat(p, e[h:]))
}

// SetComplex sets element i of a complex literal.
func (l *Literal) SetComplex(i int, v complex128) {
	e := l.Element(i)
	p, h := l.Shape.ElementType.ComplexPart(), len(e)/2
	encodeFloat(p, e[:h], real(v))
	encodeFloat(p, e[h:], imag(v))
}

func decodeFloat(t PrimitiveType, e []byte) float64 {
	switch t {
	case F32:
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(e)))
	case F64:
		return math.Float64frombits(binary.LittleEndian.Uint64(e))
	}
	f, ok := smallFloats[t]
	if !ok {
		panic(fmt.Sprintf("hlo: %s is not a float type", t))
	}
	if t.Bytes() == 2 {
		return f.decode(uint32(binary.LittleEndian.Uint16(e)))
	}
	return f.decode(uint32(e[0]))
}

func encodeFloat(t PrimitiveType, e []byte, v float64) {
	switch t {
	case F32:
		binary.LittleEndian.PutUint32(e, math.Float32bits(float32(v)))
		return
	case F64:
		binary.LittleEndian.PutUint64(e, math.Float64bits(v))
		return
	}
	f, ok := smallFloats[t]
	if !ok {
		panic(fmt.Sprintf("hlo: %s is not a float type", t))
	}
	b := f.encode(v)
	if t.Bytes() == 2 {
		binary.LittleEndian.PutUint16(e, uint16(b))
		return
	}
	e[0] = byte(b)
}
