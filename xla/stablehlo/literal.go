package stablehlo

import (
	"strconv"

	"gopherlo/xla/hlo"
)

// hexElements is the number of elements above which JAX prints the bytes of a
// constant instead of its elements.
const hexElements = 100

// appendDense appends dense<...> : tensor<...>.
func appendDense(buf []byte, d *Dense) []byte {
	buf = append(buf, "dense<"...)
	n := d.Size()
	switch {
	case n == 0:
	case d.Splat:
		buf = appendElem(buf, d.Type.Elem, d.Data)
	case n > hexElements:
		buf = appendHex(buf, d.Data)
	default:
		buf, _ = appendNested(buf, d, d.Type.Dims, 0)
	}
	buf = append(buf, "> : "...)
	return appendType(buf, d.Type)
}

// appendNested appends the elements from i on in brackets per dimension and
// gives the index of the element after them.
func appendNested(buf []byte, d *Dense, dims []int64, i int64) ([]byte, int64) {
	if len(dims) == 0 {
		return appendElem(buf, d.Type.Elem, d.Elem(i)), i + 1
	}
	buf = append(buf, '[')
	for k := range dims[0] {
		if k > 0 {
			buf = append(buf, ", "...)
		}
		buf, i = appendNested(buf, d, dims[1:], i)
	}
	return append(buf, ']'), i
}

// appendHex appends the bytes of elements as one string, a byte for a PRED.
func appendHex(buf, data []byte) []byte {
	const digits = "0123456789ABCDEF"
	buf = append(buf, `"0x`...)
	for _, c := range data {
		buf = append(buf, digits[c>>4], digits[c&15])
	}
	return append(buf, '"')
}

// appendElem appends one element.
func appendElem(buf []byte, e hlo.PrimitiveType, b []byte) []byte {
	switch {
	case e.IsPred():
		return strconv.AppendBool(buf, b[0] != 0)
	case e.IsComplex():
		part, h := e.ComplexPart(), len(b)/2
		buf = appendFloat(append(buf, '('), part, loadUint(b[:h]))
		buf = appendFloat(append(buf, ','), part, loadUint(b[h:]))
		return append(buf, ')')
	case e.IsFloat():
		return appendFloat(buf, e, loadUint(b))
	case e.IsSigned():
		u := loadUint(b)
		sh := 64 - 8*len(b)
		return strconv.AppendInt(buf, int64(u<<sh)>>sh, 10)
	}
	return strconv.AppendUint(buf, loadUint(b), 10)
}

// mantissaBits are the significant bits of the float types, the hidden one
// included.
var mantissaBits = map[hlo.PrimitiveType]int{
	hlo.F64: 53, hlo.F32: 24, hlo.F16: 11, hlo.BF16: 8,
	hlo.F8E5M2: 3, hlo.F8E5M2FNUZ: 3, hlo.F8E4M3: 4, hlo.F8E4M3FN: 4, hlo.F8E4M3FNUZ: 4, hlo.F8E4M3B11FNUZ: 4,
	hlo.F8E3M4: 5, hlo.F4E2M1FN: 2, hlo.F8E8M0FNU: 1, hlo.F6E3M2FN: 3, hlo.F6E2M3FN: 4,
}
