//go:build cgo

package pjrt

import (
	"gopherlo/xla"
	"gopherlo/xla/hlo"
)

// bufferTypes has PJRT_Buffer_Type's number for each element type
// (pjrt_c_api.h 0.81): the order is not that of XLA's PrimitiveType.
var bufferTypes = map[hlo.PrimitiveType]int32{
	hlo.PRED: 1, hlo.S8: 2, hlo.S16: 3, hlo.S32: 4, hlo.S64: 5,
	hlo.U8: 6, hlo.U16: 7, hlo.U32: 8, hlo.U64: 9,
	hlo.F16: 10, hlo.F32: 11, hlo.F64: 12, hlo.BF16: 13, hlo.C64: 14, hlo.C128: 15,
	hlo.F8E5M2: 16, hlo.F8E4M3FN: 17, hlo.F8E4M3B11FNUZ: 18, hlo.F8E5M2FNUZ: 19, hlo.F8E4M3FNUZ: 20,
	hlo.S4: 21, hlo.U4: 22, hlo.Token: 23, hlo.S2: 24, hlo.U2: 25,
	hlo.F8E4M3: 26, hlo.F8E3M4: 27, hlo.F8E8M0FNU: 28, hlo.F4E2M1FN: 29,
}

var primitiveTypes = func() map[int32]hlo.PrimitiveType {
	m := make(map[int32]hlo.PrimitiveType, len(bufferTypes))
	for p, b := range bufferTypes {
		m[b] = p
	}
	return m
}()

// hostBytes gives the bytes of one element on the host: types of less than a
// byte take a whole one.
var hostBytes = func() map[hlo.PrimitiveType]int {
	m := map[hlo.PrimitiveType]int{}
	for p := range bufferTypes {
		m[p] = 1
	}
	for _, p := range []hlo.PrimitiveType{hlo.S16, hlo.U16, hlo.F16, hlo.BF16} {
		m[p] = 2
	}
	for _, p := range []hlo.PrimitiveType{hlo.S32, hlo.U32, hlo.F32} {
		m[p] = 4
	}
	for _, p := range []hlo.PrimitiveType{hlo.S64, hlo.U64, hlo.F64, hlo.C64} {
		m[p] = 8
	}
	m[hlo.C128] = 16
	m[hlo.Token] = 0
	return m
}()

// meta is what all buffers of one program result have in common.
type meta struct {
	elem   hlo.PrimitiveType
	dims   []int64
	device *device
	bytes  int64 // on the host
	layout []int64
}

// newMeta checks the sizes, so that no product overflows later.
func newMeta(elem hlo.PrimitiveType, dims []int64, dev *device) (*meta, error) {
	size, ok := hostBytes[elem]
	if !ok {
		return nil, xla.Errorf(xla.Unimplemented, "element type %s has no buffer type in PJRT", elem)
	}
	m := &meta{elem: elem, dims: append([]int64{}, dims...), device: dev, layout: make([]int64, len(dims))}
	n := int64(size)
	for i, d := range dims {
		m.layout[i] = int64(len(dims) - 1 - i)
		if d < 0 {
			return nil, xla.Errorf(xla.InvalidArgument, "dimension %d of a buffer is negative: %v", i, dims)
		}
		if d != 0 && n > maxBytes/d {
			return nil, xla.Errorf(xla.ResourceExhausted, "a buffer of %s%v is too large", elem, dims)
		}
		n *= d
	}
	m.bytes = n
	return m, nil
}

// maxBytes bounds one buffer; it is far above any memory.
const maxBytes = 1 << 50
