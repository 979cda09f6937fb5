package stablehlo

import "gopherlo/xla/hlo"

// DecodeFloat gives the value of the bits of a real floating-point type.
func DecodeFloat(e hlo.PrimitiveType, bits uint64) float64 {
	return decodeFloat(e, appendUint(nil, bits, e.Bytes()))
}

func decodeFloat(e hlo.PrimitiveType, b []byte) float64 {
	l := hlo.Literal{Shape: hlo.Shape{ElementType: e}, Data: b}
	return l.Float(0)
}

// EncodeFloat rounds v to a real floating-point type, to nearest, ties to even.
func EncodeFloat(e hlo.PrimitiveType, v float64) uint64 {
	l := hlo.NewLiteral(e)
	l.SetFloat(0, v)
	return loadUint(l.Data)
}
