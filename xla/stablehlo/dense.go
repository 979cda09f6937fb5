package stablehlo

import (
	"bytes"
	"fmt"

	"gopherlo/xla/hlo"
)

// Dense is a constant tensor. Data is row-major and little-endian; types of
// less than a byte, and PRED, take one byte per element. A splat holds one
// element, however many the type has.
type Dense struct {
	Type  Type
	Splat bool
	Data  []byte
}

// NewDense makes a constant from its bytes. When all elements are the same it
// is a splat, as in MLIR.
func NewDense(t Type, data []byte) (*Dense, error) {
	es, n := t.Elem.Bytes(), t.Size()
	if es == 0 || n < 0 || int64(len(data)) != n*int64(es) {
		return nil, fmt.Errorf("constant of type %s: got %d bytes", t, len(data))
	}
	d := &Dense{Type: t, Data: data}
	if n > 0 && allSame(data, es) {
		d.Splat, d.Data = true, data[:es:es]
	}
	return d, nil
}

// allSame reports whether data repeats its first es bytes.
func allSame(data []byte, es int) bool {
	return bytes.Equal(data[es:], data[:len(data)-es])
}

// Scalar makes a constant without dimensions from a Go bool, number or complex
// number, rounded to the element type.
func Scalar(e hlo.PrimitiveType, v any) *Dense { return Splat(T(e), v) }

// Splat makes a constant whose elements are all v.
func Splat(t Type, v any) *Dense {
	d := &Dense{Type: t, Splat: true, Data: AppendElem(nil, t.Elem, v)}
	if t.Size() == 0 {
		d.Splat, d.Data = false, nil
	}
	return d
}

// Size is the number of elements.
func (d *Dense) Size() int64 { return d.Type.Size() }

// Elem gives the bytes of element i.
func (d *Dense) Elem(i int64) []byte {
	es := int64(d.Type.Elem.Bytes())
	if d.Splat {
		return d.Data[:es]
	}
	return d.Data[i*es : (i+1)*es]
}

// Expand gives the bytes of all elements.
func (d *Dense) Expand() []byte {
	if !d.Splat {
		return d.Data
	}
	return bytes.Repeat(d.Data, int(d.Size()))
}

// Float gives element i of a real floating-point or integer constant.
func (d *Dense) Float(i int64) float64 {
	if d.Type.Elem.IsFloat() {
		return DecodeFloat(d.Type.Elem, loadUint(d.Elem(i)))
	}
	if d.Type.Elem.IsSigned() {
		return float64(d.Int(i))
	}
	return float64(uint64(d.Int(i)))
}

// Int gives element i of an integer or PRED constant; unsigned 64-bit numbers
// wrap.
func (d *Dense) Int(i int64) int64 {
	u := loadUint(d.Elem(i))
	switch d.Type.Elem {
	case hlo.S8, hlo.S4, hlo.S2, hlo.S1:
		return int64(int8(u))
	case hlo.S16:
		return int64(int16(u))
	case hlo.S32:
		return int64(int32(u))
	}
	return int64(u)
}

// Complex gives element i as a complex number.
func (d *Dense) Complex(i int64) complex128 {
	b := d.Elem(i)
	switch d.Type.Elem {
	case hlo.C64:
		return complex(DecodeFloat(hlo.F32, loadUint(b[:4])), DecodeFloat(hlo.F32, loadUint(b[4:])))
	case hlo.C128:
		return complex(DecodeFloat(hlo.F64, loadUint(b[:8])), DecodeFloat(hlo.F64, loadUint(b[8:])))
	}
	return complex(d.Float(i), 0)
}

// Equal reports whether both have the same type and the same bits.
func (d *Dense) Equal(o *Dense) bool {
	if !d.Type.Equal(o.Type) {
		return false
	}
	if d.Splat != o.Splat {
		return false
	}
	return bytes.Equal(d.Data, o.Data)
}

// AppendElem appends one element of type e. v is a Go bool, integer, float or
// complex number; it is rounded or wrapped to the type.
func AppendElem(buf []byte, e hlo.PrimitiveType, v any) []byte {
	switch e {
	case hlo.C64:
		c := toComplex(v)
		buf = appendUint(buf, EncodeFloat(hlo.F32, real(c)), 4)
		return appendUint(buf, EncodeFloat(hlo.F32, imag(c)), 4)
	case hlo.C128:
		c := toComplex(v)
		buf = appendUint(buf, EncodeFloat(hlo.F64, real(c)), 8)
		return appendUint(buf, EncodeFloat(hlo.F64, imag(c)), 8)
	}
	var u uint64
	if e.IsFloat() {
		u = EncodeFloat(e, real(toComplex(v)))
	} else {
		u = wrap(e, toInt(v))
	}
	return appendUint(buf, u, e.Bytes())
}

func appendUint(buf []byte, u uint64, size int) []byte {
	for i := range size {
		buf = append(buf, byte(u>>(8*i)))
	}
	return buf
}

func loadUint(b []byte) uint64 {
	var u uint64
	for i, c := range b {
		u |= uint64(c) << (8 * i)
	}
	return u
}

// wrap cuts an integer to the type's bits; signed types of less than a byte
// are sign-extended to the byte.
func wrap(e hlo.PrimitiveType, u uint64) uint64 {
	switch e {
	case hlo.PRED:
		if u != 0 {
			return 1
		}
		return 0
	case hlo.S4:
		return uint64(uint8(int8(u<<4) >> 4))
	case hlo.U4:
		return u & 15
	case hlo.S2:
		return uint64(uint8(int8(u<<6) >> 6))
	case hlo.U2:
		return u & 3
	case hlo.S1:
		return uint64(uint8(int8(u<<7) >> 7))
	case hlo.U1:
		return u & 1
	}
	if s := e.Bytes(); s < 8 {
		return u & (1<<(8*s) - 1)
	}
	return u
}

func toComplex(v any) complex128 {
	switch v := v.(type) {
	case complex128:
		return v
	case complex64:
		return complex128(v)
	case float64:
		return complex(v, 0)
	case float32:
		return complex(float64(v), 0)
	case uint64:
		return complex(float64(v), 0)
	}
	return complex(float64(int64(toInt(v))), 0)
}

func toInt(v any) uint64 {
	switch v := v.(type) {
	case bool:
		if v {
			return 1
		}
		return 0
	case int:
		return uint64(v)
	case int8:
		return uint64(v)
	case int16:
		return uint64(v)
	case int32:
		return uint64(v)
	case int64:
		return uint64(v)
	case uint:
		return uint64(v)
	case uint8:
		return uint64(v)
	case uint16:
		return uint64(v)
	case uint32:
		return uint64(v)
	case uint64:
		return v
	case float64:
		return uint64(int64(v))
	case float32:
		return uint64(int64(v))
	case complex128:
		return uint64(int64(real(v)))
	}
	return 0
}
