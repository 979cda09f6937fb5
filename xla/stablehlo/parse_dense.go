package stablehlo

import (
	"encoding/hex"
	"strconv"
	"strings"

	"gopherlo/xla/hlo"
)

// denseOrIndex reads dense<...> : tensor<...>, whose element type may be index.
func (p *parser) denseOrIndex() Attr {
	save := p.pos
	p.expectLit("dense")
	p.balanced()
	p.expect(':')
	p.expectLit("tensor<")
	dims, elem := p.dims()
	if p.err != nil {
		return Unit{}
	}
	if elem != "index" {
		p.pos = save
		return p.dense()
	}
	p.expect('>')
	end := p.pos
	p.pos = save
	defer func() { p.pos = max(p.pos, end) }()
	if len(dims) != 1 || dims[0] < 0 || dims[0] > 1000 {
		p.fail("bad layout")
		return Index{}
	}
	n := dims[0]
	p.expectLit("dense")
	p.expect('<')
	vals := []int64{}
	switch p.peek() {
	case '[':
		vals = p.intList()
	case '>':
	default:
		v := p.integer()
		for range n {
			vals = append(vals, v)
		}
	}
	if int64(len(vals)) != n {
		p.fail("wrong number of dimensions in a layout")
	}
	return Index(vals)
}

// dense reads dense<...> : tensor<...>. The elements are read after the type.
func (p *parser) dense() *Dense {
	p.expectLit("dense")
	p.space()
	start := p.pos
	p.balanced()
	p.expect(':')
	t := p.typ()
	end := p.pos
	if p.err != nil {
		return &Dense{Type: t}
	}
	n := t.Size()
	if t.Elem.Bytes() == 0 || n < 0 || n*int64(t.Elem.Bytes()) > maxConstant {
		p.failAt(start, "constant of type "+t.String()+" is too large")
		return &Dense{Type: t}
	}
	p.pos = start + 1
	d := p.elements(t)
	if p.err == nil {
		p.pos = end
	}
	return d
}

// elements reads what stands between dense< and >.
func (p *parser) elements(t Type) *Dense {
	d := &Dense{Type: t}
	switch p.peek() {
	case '>':
		if t.Size() != 0 {
			p.fail("constant without elements")
		}
		return d
	case '"':
		return p.hexElements(t)
	case '[':
		d.Data = p.nested(nil, t, 0)
		if p.err != nil {
			return d
		}
		if e, err := NewDense(t, d.Data); err == nil {
			return e
		}
		p.fail("wrong number of elements in a constant")
		return d
	}
	d.Data = p.element(nil, t.Elem)
	d.Splat = true
	if t.Size() == 0 {
		d.Splat, d.Data = false, nil
	}
	return d
}

// nested reads [..] of dimension dim and what is in it.
func (p *parser) nested(buf []byte, t Type, dim int) []byte {
	if dim == len(t.Dims) {
		return p.element(buf, t.Elem)
	}
	n := int64(0)
	p.list('[', ']', func() {
		buf = p.nested(buf, t, dim+1)
		n++
	})
	if n != t.Dims[dim] {
		p.fail("constant of type " + t.String() + " has " + strconv.FormatInt(n, 10) + " elements in dimension " + strconv.Itoa(dim))
	}
	return buf
}

// element reads one element.
func (p *parser) element(buf []byte, e hlo.PrimitiveType) []byte {
	switch {
	case e.IsComplex():
		p.expect('(')
		buf = p.element(buf, e.ComplexPart())
		p.expect(',')
		buf = p.element(buf, e.ComplexPart())
		p.expect(')')
		return buf
	case p.acceptWord("true"):
		return AppendElem(buf, e, 1)
	case p.acceptWord("false"):
		return AppendElem(buf, e, 0)
	}
	s := p.number()
	if e.IsFloat() {
		u, ok := floatOf(e, s)
		if !ok {
			p.fail("bad number " + s)
		}
		return appendUint(buf, u, e.Bytes())
	}
	v, err := strconv.ParseInt(s, 0, 64)
	if err != nil {
		u, uerr := strconv.ParseUint(s, 0, 64)
		if uerr != nil {
			p.fail("bad number " + s)
		}
		v = int64(u)
	}
	return AppendElem(buf, e, v)
}

// hexElements reads the bytes of the elements from a string.
func (p *parser) hexElements(t Type) *Dense {
	d := &Dense{Type: t}
	s, ok := strings.CutPrefix(p.quoted(), "0x")
	data, err := hex.DecodeString(s)
	if !ok || err != nil {
		p.fail("bad bytes of a constant")
		return d
	}
	if t.Elem == hlo.PRED && int64(len(data)) != t.Size() {
		data = unpackBits(data, t.Size())
	}
	if int64(len(data)) == int64(t.Elem.Bytes()) && t.Size() > 0 {
		d.Splat, d.Data = true, data
		return d
	}
	e, err := NewDense(t, data)
	if err != nil {
		p.fail("wrong number of bytes in a constant of type " + t.String())
		return d
	}
	return e
}

// unpackBits gives each of n bits a byte: earlier versions of MLIR pack PRED.
func unpackBits(data []byte, n int64) []byte {
	if int64(len(data)) != (n+7)/8 {
		return nil
	}
	out := make([]byte, n)
	for i := range out {
		out[i] = data[i/8] >> (i % 8) & 1
	}
	return out
}
