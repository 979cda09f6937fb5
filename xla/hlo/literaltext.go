package hlo

import (
	"encoding/binary"
	"math"
	"strconv"
)

// String returns l as it stands in HLO text: "{ {1, 2}, {3, 4} }".
func (l *Literal) String() string { return string(l.AppendText(nil)) }

// AppendText appends l as it stands in HLO text.
func (l *Literal) AppendText(b []byte) []byte {
	switch t := l.Shape.ElementType; {
	case l.Elided:
		return append(b, "{...}"...)
	case t == Tuple:
		if len(l.Tuple) == 0 {
			return append(b, "(  )"...)
		}
		b = append(b, "( "...)
		for i, e := range l.Tuple {
			if i > 0 {
				b = append(b, ", "...)
			}
			b = e.AppendText(b)
		}
		return append(b, " )"...)
	case t == Token:
		return append(b, "token"...)
	case !t.IsArray():
		return append(b, t.String()...)
	}
	n := l.Shape.NumElements()
	if n < 0 || int64(len(l.Data)) != n*int64(l.Shape.ElementType.Bytes()) {
		return append(b, "{...}"...) // not a value of its shape; Verify says so
	}
	dims := l.Shape.Dimensions
	if len(dims) == 0 {
		return l.appendElement(b, 0, false)
	}
	w := literalWriter{l: l, dims: dims}
	return w.block(b, 0, 0)
}

// literalWriter prints the elements of an array in nested braces.
type literalWriter struct {
	l    *Literal
	dims []int64
	at   int // next element
}

// block prints dimension d; i is its index within dimension d-1, which arrays
// of rank 4 and more show at the start of all but rows.
func (w *literalWriter) block(b []byte, d int, i int64) []byte {
	n := w.dims[d]
	if d == len(w.dims)-1 {
		return w.row(b, n, d)
	}
	b = append(b, "{ "...)
	if d > 0 && len(w.dims) >= 4 {
		b = append(b, "/*i"...)
		b = strconv.AppendInt(b, int64(d-1), 10)
		b = append(b, '=')
		b = strconv.AppendInt(b, i, 10)
		b = append(b, "*/"...)
		if n > 0 {
			b = append(b, ' ')
		}
	}
	for k := range n {
		if k > 0 {
			b = append(b, ", "...)
		}
		b = w.block(b, d+1, k)
	}
	return append(b, " }"...)
}

func (w *literalWriter) row(b []byte, n int64, d int) []byte {
	// Vectors are tight, rows of a matrix have blanks inside unless alone.
	open, shut := "{", "}"
	if d > 0 && n > 1 {
		open, shut = "{ ", " }"
	}
	b = append(b, open...)
	for i := range n {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = w.l.appendElement(b, w.at, true)
		w.at++
	}
	return append(b, shut...)
}

// appendElement appends element i; pred is 1 or 0 in an array, else true or false.
func (l *Literal) appendElement(b []byte, i int, inArray bool) []byte {
	t := l.Shape.ElementType
	switch t.kind() {
	case kindPred:
		switch v := l.Data[i] != 0; {
		case !inArray:
			return strconv.AppendBool(b, v)
		case v:
			return append(b, '1')
		}
		return append(b, '0')
	case kindSigned:
		return strconv.AppendInt(b, l.Int(i), 10)
	case kindUnsigned:
		return strconv.AppendUint(b, l.Uint(i), 10)
	case kindFloat:
		return appendFloat(b, t, l.Element(i))
	}
	e := l.Element(i)
	h := len(e) / 2
	b = append(b, '(')
	b = appendFloat(b, t.ComplexPart(), e[:h])
	b = append(b, ", "...)
	b = appendFloat(b, t.ComplexPart(), e[h:])
	return append(b, ')')
}

// appendG formats v like C's %.*g.
func appendG(b []byte, v float64, prec int) []byte { return strconv.AppendFloat(b, v, 'g', prec, 64) }

func appendFloat(b []byte, t PrimitiveType, e []byte) []byte {
	switch t {
	case F32:
		return appendFloat32(b, binary.LittleEndian.Uint32(e))
	case F64:
		return appendFloat64(b, binary.LittleEndian.Uint64(e))
	}
	f := smallFloats[t]
	code := uint32(e[0])
	if len(e) == 2 {
		code = uint32(binary.LittleEndian.Uint16(e))
	}
	if f.isNaN(code) {
		neg := !f.unsigned && code&f.signBit() != 0
		if f.fnuz || f.noInf {
			return appendNaN(b, neg, 0, 0)
		}
		if t != F16 && t != BF16 { // XLA shows payloads of the standard types only
			return appendNaN(b, neg, 0, 0)
		}
		return appendNaN(b, neg, uint64(code&(1<<f.man-1)), 1<<(f.man-1))
	}
	v := f.decode(code)
	if math.IsInf(v, 0) {
		return appendInf(b, v < 0)
	}
	return appendG(b, v, smallPrecision(t))
}

// smallPrecision is the number of digits that tells all values of t apart
// (max_digits10 of the type).
func smallPrecision(t PrimitiveType) int {
	switch t {
	case F16:
		return 5
	case BF16:
		return 4
	case F8E5M2, F8E5M2FNUZ, F8E8M0FNU, F4E2M1FN:
		return 2
	}
	return 3
}

func appendInf(b []byte, neg bool) []byte {
	if neg {
		b = append(b, '-')
	}
	return append(b, "inf"...)
}

// appendNaN prints a payload that is not just the quiet bit.
func appendNaN(b []byte, neg bool, payload, quiet uint64) []byte {
	if neg {
		b = append(b, '-')
	}
	b = append(b, "nan"...)
	if payload != quiet {
		b = append(b, "(0x"...)
		b = strconv.AppendUint(b, payload, 16)
		b = append(b, ')')
	}
	return b
}

// appendFloat32 prints 6 digits if they give the value back, else 9.
func appendFloat32(b []byte, bits uint32) []byte {
	v := math.Float32frombits(bits)
	switch {
	case v != v:
		return appendNaN(b, bits>>31 != 0, uint64(bits&(1<<23-1)), 1<<22)
	case math.IsInf(float64(v), 0):
		return appendInf(b, v < 0)
	}
	start := len(b)
	b = appendG(b, float64(v), 6)
	if r, _ := strconv.ParseFloat(string(b[start:]), 32); float32(r) == v {
		return b
	}
	return appendG(b[:start], float64(v), 9)
}

// appendFloat64 prints 15 digits if they give the value back, else 17.
func appendFloat64(b []byte, bits uint64) []byte {
	v := math.Float64frombits(bits)
	switch {
	case v != v:
		return appendNaN(b, bits>>63 != 0, bits&(1<<52-1), 1<<51)
	case math.IsInf(v, 0):
		return appendInf(b, v < 0)
	}
	start := len(b)
	b = appendG(b, v, 15)
	if r, _ := strconv.ParseFloat(string(b[start:]), 64); r == v {
		return b
	}
	return appendG(b[:start], v, 17)
}
