package stablehlo

import (
	"math"

	"gopherlo/xla/hlo"
)

// DecodeFloat gives the value of the bits of a real floating-point type.
func DecodeFloat(e hlo.PrimitiveType, bits uint64) float64 {
	return decodeFloat(e, appendUint(nil, bits, e.Bytes()))
}

func decodeFloat(e hlo.PrimitiveType, b []byte) float64 {
	l := hlo.Literal{Shape: hlo.Shape{ElementType: e}, Data: b}
	return l.Float(0)
}

// EncodeFloat rounds v to a real floating-point type, to nearest, ties to even.
// A NaN becomes the quiet NaN without payload, of v's sign.
func EncodeFloat(e hlo.PrimitiveType, v float64) uint64 {
	if math.IsNaN(v) { // Go's own NaN has a payload
		v = math.Copysign(math.Float64frombits(0x7ff8<<48), v)
	}
	l := hlo.NewLiteral(e)
	l.SetFloat(0, v)
	return loadUint(l.Data)
}
