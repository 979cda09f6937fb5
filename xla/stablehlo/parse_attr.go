package stablehlo

import (
	"math"
	"strconv"
	"strings"

	"gopherlo/xla/hlo"
)

// maxConstant bounds the bytes of a constant in text.
const maxConstant = 1 << 31

// typ reads a type.
func (p *parser) typ() Type {
	switch {
	case p.acceptLit("!stablehlo.token"):
		return Type{Elem: hlo.Token}
	case p.acceptLit("tuple<"):
		t := Type{Elem: hlo.Tuple}
		if !p.down() {
			return t
		}
		defer p.up()
		if !p.accept('>') {
			t.Tuple = p.typeList()
			p.expect('>')
		}
		return t
	}
	p.expectLit("tensor<")
	dims, elem := p.dims()
	e, ok := p.elem(elem)
	if !ok {
		p.fail("unknown element type " + elem)
	}
	p.expect('>')
	return Type{Elem: e, Dims: dims}
}

// dims reads 2x3xf32 up to the name of the element type.
func (p *parser) dims() (dims []int64, elem string) {
	p.space()
	for p.pos < len(p.src) && p.src[p.pos] >= '0' && p.src[p.pos] <= '9' {
		start := p.pos
		for p.pos < len(p.src) && p.src[p.pos] >= '0' && p.src[p.pos] <= '9' {
			p.pos++
		}
		n, err := strconv.ParseInt(p.src[start:p.pos], 10, 64)
		if err != nil || p.pos >= len(p.src) || p.src[p.pos] != 'x' {
			p.fail("bad dimensions of a tensor")
			return nil, ""
		}
		p.pos++
		dims = append(dims, n)
	}
	return dims, p.word()
}

// elem resolves the name of an element type, of which complex goes on in <>.
func (p *parser) elem(name string) (hlo.PrimitiveType, bool) {
	if name == "complex" {
		p.expect('<')
		name += "<" + p.word() + ">"
		p.expect('>')
	}
	e, ok := elemByName[name]
	return e, ok
}

func (p *parser) integer() int64 {
	s := p.number()
	v, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		u, uerr := strconv.ParseUint(s, 10, 64)
		if uerr != nil {
			p.fail("expected an integer")
		}
		return int64(u)
	}
	return v
}

func (p *parser) intList() []int64 {
	v := []int64{}
	p.list('[', ']', func() { v = append(v, p.integer()) })
	return v
}

// number takes the characters of a number.
func (p *parser) number() string {
	p.space()
	start := p.pos
	for p.pos < len(p.src) {
		c := p.src[p.pos]
		exponent := p.pos > start && (p.src[p.pos-1] == 'e' || p.src[p.pos-1] == 'E') && !strings.HasPrefix(p.src[start:], "0x")
		if (c == '-' || c == '+') && (p.pos == start || exponent) || c == '.' || c >= '0' && c <= '9' ||
			p.pos > start && (c == 'x' || hexDigit(c) >= 0) {
			p.pos++
			continue
		}
		break
	}
	return p.src[start:p.pos]
}

// dictionary reads {key = value, unit}.
func (p *parser) dictionary() Attrs {
	var a Attrs
	if !p.down() {
		return nil
	}
	defer p.up()
	p.list('{', '}', func() {
		var key string
		if p.peek() == '"' {
			key = p.quoted()
		} else {
			key = p.dotted()
		}
		if !p.accept('=') {
			a.Set(key, Unit{})
			return
		}
		a.Set(key, p.attr())
	})
	return a
}

// attr reads an attribute.
func (p *parser) attr() Attr {
	if !p.down() {
		return Unit{}
	}
	defer p.up()
	switch c := p.peek(); {
	case c == '"':
		return String(p.quoted())
	case c == '@':
		return Symbol(p.symbol())
	case c == '{':
		return Dict(p.dictionary())
	case c == '[':
		a := Array{}
		p.list('[', ']', func() { a = append(a, p.attr()) })
		return a
	case c == '#':
		return p.dialectAttr()
	case c == '-' || c >= '0' && c <= '9':
		return p.numberAttr()
	}
	switch {
	case p.acceptWord("true"):
		return Bool(true)
	case p.acceptWord("false"):
		return Bool(false)
	case p.acceptWord("unit"):
		return Unit{}
	case p.acceptLit("array<"):
		return p.arrayAttr()
	case p.acceptLit("dense<"):
		p.pos -= len("dense<")
		return p.denseOrIndex()
	case strings.HasPrefix(p.src[p.pos:], "tensor<"):
		return TypeAttr{p.typ()}
	}
	p.fail("expected an attribute")
	return Unit{}
}

// numberAttr reads 1 : i64 or 1.5 : f32.
func (p *parser) numberAttr() Attr {
	s := p.number()
	t := "i64"
	if strings.ContainsAny(s, ".") {
		t = "f64"
	}
	if p.accept(':') {
		t = p.ident()
	}
	if e, ok := elemByName[t]; ok && e.IsFloat() {
		f, ok := floatOf(e, s)
		if !ok {
			p.fail("bad number " + s)
		}
		return Float{Value: DecodeFloat(e, f), Elem: e}
	}
	unsigned := strings.HasPrefix(t, "u")
	bits, err := strconv.Atoi(strings.TrimPrefix(strings.TrimPrefix(t, "u"), "i"))
	if err != nil || bits < 1 || bits > 64 {
		p.fail("unknown type " + t)
	}
	v, err := strconv.ParseInt(s, 0, 64)
	if err != nil {
		u, uerr := strconv.ParseUint(s, 0, 64)
		if uerr != nil {
			p.fail("bad number " + s)
		}
		v = int64(u)
	}
	return Int{Value: v, Bits: bits, Unsigned: unsigned}
}

// floatOf gives the bits of a float in text: decimal, or 0x and its bits.
func floatOf(e hlo.PrimitiveType, s string) (uint64, bool) {
	if h, ok := strings.CutPrefix(s, "0x"); ok {
		u, err := strconv.ParseUint(h, 16, e.Bits())
		return u, err == nil
	}
	f, err := strconv.ParseFloat(s, floatBits(e))
	if err != nil && !math.IsInf(f, 0) {
		return 0, false
	}
	return EncodeFloat(e, f), true
}

// arrayAttr reads the rest of array<i64: 1, 2>.
func (p *parser) arrayAttr() Attr {
	elem := p.ident()
	ints, bools := Ints{}, Bools{}
	if p.accept(':') {
		for p.err == nil {
			if elem == "i1" {
				bools = append(bools, p.ident() == "true")
			} else {
				ints = append(ints, p.integer())
			}
			if !p.accept(',') {
				break
			}
		}
	}
	p.expect('>')
	if elem == "i1" {
		return bools
	}
	if elem != "i64" {
		p.fail("arrays of " + elem + " are not known")
	}
	return ints
}

// balanced takes text from an opening bracket to the one that closes it.
func (p *parser) balanced() string {
	p.space()
	start, depth := p.pos, 0
	for p.pos < len(p.src) {
		switch c := p.src[p.pos]; c {
		case '<', '[', '{', '(':
			depth++
		case '>', ']', '}', ')':
			if c == '>' && p.pos > start && p.src[p.pos-1] == '-' {
				break // an arrow
			}
			depth--
		case '"':
			p.quoted()
			p.pos--
		}
		if p.err != nil {
			return ""
		}
		p.pos++
		if depth <= 0 {
			break
		}
	}
	if depth != 0 || p.pos-start < 2 {
		p.failAt(start, "brackets do not match")
		return ""
	}
	return p.src[start:p.pos]
}

// manualHeader takes in_shardings=[...] out_shardings=[...] manual_axes={...}.
func (p *parser) manualHeader() string {
	p.space()
	start, end := p.pos, p.pos
	for p.err == nil && p.peek() != '(' {
		p.ident()
		p.expect('=')
		p.balanced()
		end = p.pos
	}
	if p.err != nil {
		return ""
	}
	return p.src[start:end]
}

// dialectAttr reads #dialect.name<...> or #dialect<...>.
func (p *parser) dialectAttr() Attr {
	start := p.pos
	p.expect('#')
	switch name := p.dotted(); name {
	case "stablehlo":
		p.expect('<')
		kind, value := p.ident(), p.ident()
		p.expect('>')
		return Enum{kind, value}
	case "stablehlo.gather":
		d := &GatherDims{}
		p.fields(map[string]*[]int64{
			"offset_dims": &d.OffsetDims, "collapsed_slice_dims": &d.CollapsedSliceDims,
			"operand_batching_dims": &d.OperandBatchingDims, "start_indices_batching_dims": &d.StartIndicesBatchingDims,
			"start_index_map": &d.StartIndexMap,
		}, &d.IndexVectorDim)
		return d
	case "stablehlo.scatter":
		d := &ScatterDims{}
		p.fields(map[string]*[]int64{
			"update_window_dims": &d.UpdateWindowDims, "inserted_window_dims": &d.InsertedWindowDims,
			"input_batching_dims": &d.InputBatchingDims, "scatter_indices_batching_dims": &d.ScatterIndicesBatchingDims,
			"scatter_dims_to_operand_dims": &d.ScatterDimsToOperandDims,
		}, &d.IndexVectorDim)
		return d
	case "stablehlo.dot":
		d := &DotDims{}
		p.fields(map[string]*[]int64{
			"lhs_batching_dimensions": &d.LHSBatch, "rhs_batching_dimensions": &d.RHSBatch,
			"lhs_contracting_dimensions": &d.LHSContracting, "rhs_contracting_dimensions": &d.RHSContracting,
		}, nil)
		return d
	case "stablehlo.conv":
		p.expect('<')
		d := p.convDims()
		p.expect('>')
		return d
	case "stablehlo.dot_algorithm":
		return p.algorithm()
	case "stablehlo.output_operand_alias":
		return p.outputAlias()
	}
	if p.peek() == '<' {
		p.balanced()
	}
	if p.err != nil {
		return Unit{}
	}
	return Raw(p.src[start:p.pos])
}

// fields reads <key = [..], index_vector_dim = 1>.
func (p *parser) fields(ints map[string]*[]int64, vectorDim *int64) {
	p.list('<', '>', func() {
		key := p.ident()
		p.expect('=')
		switch dst, ok := ints[key]; {
		case ok:
			*dst = p.intList()
		case key == "index_vector_dim" && vectorDim != nil:
			*vectorDim = p.integer()
		default:
			p.fail("unknown key " + key)
		}
	})
}

func (p *parser) outputAlias() Attr {
	var a OutputAlias
	p.list('<', '>', func() {
		key := p.ident()
		p.expect('=')
		switch key {
		case "output_tuple_indices":
			a.OutputTupleIndices = p.intList()
		case "operand_index":
			a.OperandIndex = p.integer()
		case "operand_tuple_indices":
			a.OperandTupleIndices = p.intList()
		default:
			p.fail("unknown key " + key)
		}
	})
	return a
}
