package stablehlo

import (
	"strconv"

	"gopherlo/xla/hlo"
)

// appendType appends a type as MLIR prints it.
func appendType(buf []byte, t Type) []byte {
	switch t.Elem {
	case hlo.Token:
		return append(buf, "!stablehlo.token"...)
	case hlo.Tuple:
		buf = append(buf, "tuple<"...)
		for i, e := range t.Tuple {
			if i > 0 {
				buf = append(buf, ", "...)
			}
			buf = appendType(buf, e)
		}
		return append(buf, '>')
	}
	buf = append(buf, "tensor<"...)
	for _, d := range t.Dims {
		buf = strconv.AppendInt(buf, d, 10)
		buf = append(buf, 'x')
	}
	buf = append(buf, elemNames[t.Elem]...)
	return append(buf, '>')
}
