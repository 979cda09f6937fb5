package hlo

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"gopherlo/xla/hlo/hlopb"
)

var errElided = errors.New(`the value of this constant was left out ("{...}") in the text; print the module with large constants`)

// literalBytes returns the field of p that holds the elements of a type that is
// stored as bytes; nil for other types.
func literalBytes(p *hlopb.Literal, t PrimitiveType) *[]byte {
	switch t {
	case S8:
		return &p.S8S
	case U8:
		return &p.U8S
	case S16:
		return &p.S16S
	case U16:
		return &p.U16S
	case F16:
		return &p.F16S
	case BF16:
		return &p.Bf16S
	case S1:
		return &p.S1S
	case U1:
		return &p.U1S
	case S2:
		return &p.S2S
	case U2:
		return &p.U2S
	case S4:
		return &p.S4S
	case U4:
		return &p.U4S
	}
	return literalFloatBytes(p, t)
}

func literalFloatBytes(p *hlopb.Literal, t PrimitiveType) *[]byte {
	switch t {
	case F8E5M2:
		return &p.F8E5M2S
	case F8E4M3:
		return &p.F8E4M3S
	case F8E4M3FN:
		return &p.F8E4M3Fns
	case F8E4M3B11FNUZ:
		return &p.F8E4M3B11Fnuzs
	case F8E5M2FNUZ:
		return &p.F8E5M2Fnuzs
	case F8E4M3FNUZ:
		return &p.F8E4M3Fnuzs
	case F8E3M4:
		return &p.F8E3M4S
	case F8E8M0FNU:
		return &p.F8E8M0Fnus
	case F4E2M1FN:
		return &p.F4E2M1Fns
	case F6E3M2FN:
		return &p.F6E3M2Fns
	case F6E2M3FN:
		return &p.F6E2M3Fns
	}
	return nil
}

func decodeLiteral(p *hlopb.Literal) (*Literal, error) {
	l := &Literal{Shape: decodeShape(p.Shape), unknown: unknownOf(p)}
	switch t := l.Shape.ElementType; {
	case t == Tuple:
		if len(p.TupleLiterals) != len(l.Shape.Tuple) {
			return nil, fmt.Errorf("tuple literal has %d elements, its shape %d", len(p.TupleLiterals), len(l.Shape.Tuple))
		}
		for _, e := range p.TupleLiterals {
			d, err := decodeLiteral(e)
			if err != nil {
				return nil, err
			}
			l.Tuple = append(l.Tuple, d)
		}
		return l, nil
	case !t.IsArray():
		return l, nil
	}
	n := l.Shape.NumElements()
	if n < 0 {
		return nil, fmt.Errorf("literal of shape %s has too many elements", l.Shape)
	}
	size := l.Shape.ElementType.Bytes()
	l.Data = literalData(p, l.Shape.ElementType, n)
	if n < 0 || int64(len(l.Data)) != n*int64(size) {
		return nil, fmt.Errorf("literal of shape %s holds %d elements, not %d", l.Shape, len(l.Data)/size, n)
	}
	if !l.Shape.Layout.IsDescending() {
		perm, err := layoutPermutation(l.Shape)
		if err != nil {
			return nil, err
		}
		l.Data = permute(l.Data, size, perm, true)
	}
	return l, nil
}

// literalData returns the elements of p, in the order of the proto. n is the
// number of elements that the shape asks for; it only serves to recognise
// packed narrow integers, so nothing is allocated by it.
func literalData(p *hlopb.Literal, t PrimitiveType, n int64) []byte {
	le := binary.LittleEndian
	var b []byte
	switch t {
	case PRED:
		b = make([]byte, len(p.Preds))
		for i, v := range p.Preds {
			if v {
				b[i] = 1
			}
		}
	case S32:
		b = make([]byte, 0, 4*len(p.S32S))
		for _, v := range p.S32S {
			b = le.AppendUint32(b, uint32(v))
		}
	case U32:
		b = make([]byte, 0, 4*len(p.U32S))
		for _, v := range p.U32S {
			b = le.AppendUint32(b, v)
		}
	case S64:
		b = make([]byte, 0, 8*len(p.S64S))
		for _, v := range p.S64S {
			b = le.AppendUint64(b, uint64(v))
		}
	case U64:
		b = make([]byte, 0, 8*len(p.U64S))
		for _, v := range p.U64S {
			b = le.AppendUint64(b, v)
		}
	case F32:
		b = appendFloats32(p.F32S)
	case C64:
		b = appendFloats32(p.C64S)
	case F64:
		b = appendFloats64(p.F64S)
	case C128:
		b = appendFloats64(p.C128S)
	default:
		raw := literalBytes(p, t)
		if raw == nil {
			return nil
		}
		b = unpack(*raw, t, n)
	}
	return b
}

func appendFloats32(in []float32) []byte {
	b := make([]byte, 0, 4*len(in))
	for _, v := range in {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
	}
	return b
}

func appendFloats64(in []float64) []byte {
	b := make([]byte, 0, 8*len(in))
	for _, v := range in {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	return b
}

// unpack clears the bits of narrow elements that do not count, and spreads
// them to a byte each where raw holds several in one (older producers), low
// bits first.
func unpack(raw []byte, t PrimitiveType, n int64) []byte {
	bits := t.Bits()
	if bits >= 8 || bits == 0 {
		return raw
	}
	mask := byte(1<<bits - 1)
	per := 8 / bits
	if n <= int64(len(raw)) || (n-1)/int64(per)+1 != int64(len(raw)) {
		for i := range raw {
			raw[i] &= mask
		}
		return raw
	}
	b := make([]byte, n)
	for i := range b {
		b[i] = raw[i/per] >> (bits * (i % per)) & mask
	}
	return b
}

// layoutPermutation lists, for each element in memory order, its logical
// row-major index.
func layoutPermutation(s Shape) ([]int, error) {
	rank := len(s.Dimensions)
	strides := make([]int, rank)
	n := 1
	for d := rank - 1; d >= 0; d-- {
		strides[d] = n
		n *= int(s.Dimensions[d])
	}
	seen := make([]bool, rank)
	m2m := s.Layout.MinorToMajor
	if len(m2m) != rank {
		return nil, fmt.Errorf("layout of literal %s has another rank than its shape", s)
	}
	for _, d := range m2m {
		if d < 0 || int(d) >= rank || seen[d] {
			return nil, fmt.Errorf("layout of literal %s is no permutation", s)
		}
		seen[d] = true
	}
	perm := make([]int, n)
	idx := make([]int64, rank)
	at := 0
	for k := range perm {
		perm[k] = at
		for _, d := range m2m { // count up, the minor dimension first
			idx[d]++
			at += strides[d]
			if idx[d] < s.Dimensions[d] {
				break
			}
			at -= int(s.Dimensions[d]) * strides[d]
			idx[d] = 0
		}
	}
	return perm, nil
}

// permute moves memory order to logical order (toLogical) or back.
func permute(b []byte, size int, perm []int, toLogical bool) []byte {
	out := make([]byte, len(b))
	for mem, log := range perm {
		from, to := mem, log
		if !toLogical {
			from, to = log, mem
		}
		copy(out[to*size:(to+1)*size], b[from*size:])
	}
	return out
}

func encodeLiteral(l *Literal) (*hlopb.Literal, error) {
	if l.Elided {
		return nil, errElided
	}
	p := &hlopb.Literal{Shape: encodeShape(l.Shape)}
	setUnknown(p, l.unknown)
	t := l.Shape.ElementType
	if t == Tuple {
		for _, e := range l.Tuple {
			d, err := encodeLiteral(e)
			if err != nil {
				return nil, err
			}
			p.TupleLiterals = append(p.TupleLiterals, d)
		}
		return p, nil
	}
	if !t.IsArray() {
		return p, nil
	}
	n := l.Shape.NumElements()
	if n < 0 || int64(len(l.Data)) != n*int64(t.Bytes()) {
		return nil, fmt.Errorf("literal of shape %s holds %d elements, not %d", l.Shape, l.NumElements(), n)
	}
	data := l.Data
	if !l.Shape.Layout.IsDescending() {
		perm, err := layoutPermutation(l.Shape)
		if err != nil {
			return nil, err
		}
		data = permute(data, t.Bytes(), perm, false)
	}
	setLiteralData(p, t, data)
	return p, nil
}

func setLiteralData(p *hlopb.Literal, t PrimitiveType, data []byte) {
	le := binary.LittleEndian
	n := len(data) / t.Bytes()
	switch t {
	case PRED:
		p.Preds = make([]bool, n)
		for i, v := range data {
			p.Preds[i] = v != 0
		}
	case S32:
		p.S32S = make([]int32, n)
		for i := range p.S32S {
			p.S32S[i] = int32(le.Uint32(data[4*i:]))
		}
	case U32:
		p.U32S = make([]uint32, n)
		for i := range p.U32S {
			p.U32S[i] = le.Uint32(data[4*i:])
		}
	case S64:
		p.S64S = make([]int64, n)
		for i := range p.S64S {
			p.S64S[i] = int64(le.Uint64(data[8*i:]))
		}
	case U64:
		p.U64S = make([]uint64, n)
		for i := range p.U64S {
			p.U64S[i] = le.Uint64(data[8*i:])
		}
	case F32:
		p.F32S = floats32(data)
	case C64:
		p.C64S = floats32(data)
	case F64:
		p.F64S = floats64(data)
	case C128:
		p.C128S = floats64(data)
	default:
		*literalBytes(p, t) = data
	}
}

func floats32(b []byte) []float32 {
	out := make([]float32, len(b)/4)
	for i := range out {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return out
}

func floats64(b []byte) []float64 {
	out := make([]float64, len(b)/8)
	for i := range out {
		out[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
	}
	return out
}
