package stablehlo

import (
	"fmt"
	"strconv"
)

// op reads one op and appends it to b.
func (p *parser) op(b *Block) {
	saved := p.fixups
	p.fixups = nil
	defer func() { p.fixups = saved }()

	start := p.pos
	names, counts := p.resultNames()
	o := &Op{}
	if p.peek() == '"' {
		p.generic(o)
	} else {
		p.custom(o)
	}
	o.Loc = p.optLoc()
	if p.err != nil {
		return
	}
	total := 0
	for _, n := range counts {
		total += n
	}
	if total != len(o.Results) {
		p.failAt(start, fmt.Sprintf("%s has %d results, not %d", o.Name, len(o.Results), total))
		return
	}
	p.defineResults(o, names, counts)
	for _, f := range p.fixups {
		f()
	}
	for _, r := range o.Regions {
		for _, a := range r.Args {
			if a.Loc == nil {
				a.Loc = o.argLoc()
			}
		}
	}
	b.Ops = append(b.Ops, o)
}

// resultNames reads "%0 =", "%0:3 =" or "%a, %b =".
func (p *parser) resultNames() (names []string, counts []int) {
	if p.peek() != '%' {
		return nil, nil
	}
	for p.err == nil {
		names = append(names, p.valueName())
		n := 1
		if p.accept(':') {
			k := p.integer()
			if k < 1 || k > 1<<20 {
				p.fail("bad number of results")
				return names, counts
			}
			n = int(k)
		}
		counts = append(counts, n)
		if !p.accept(',') {
			break
		}
	}
	p.expect('=')
	return names, counts
}

func (p *parser) defineResults(o *Op, names []string, counts []int) {
	k := 0
	for i, n := range names {
		if counts[i] == 1 {
			p.define(n, o.Results[k], nil)
		}
		for j := range counts[i] {
			p.define(n+"#"+strconv.Itoa(j), o.Results[k+j], nil)
		}
		k += counts[i]
	}
}

// custom reads an op in its own assembly.
func (p *parser) custom(o *Op) {
	start := p.pos
	name := p.dotted()
	switch name {
	case "return", "call":
		name = "func." + name
	}
	f, ok := forms[name]
	if !ok {
		p.failAt(start, "op "+name+" is not known in this form; write it in generic form, \"name\"(operands)")
		return
	}
	o.Name = name
	for _, part := range f {
		if p.err != nil {
			return
		}
		part.parse(p, o)
	}
}

// generic reads "name"(operands) <{attributes}> ({regions}) {attributes} : type.
func (p *parser) generic(o *Op) {
	o.Name = p.quoted()
	p.expect('(')
	p.operandList(o)
	p.expect(')')
	if p.accept('<') {
		p.setAttrs(o, p.dictionary())
		p.expect('>')
	}
	if p.accept('(') {
		for p.err == nil {
			p.expect('{')
			r := p.newRegion(o)
			p.enter()
			p.blockBody(r)
			p.leave()
			if !p.accept(',') {
				break
			}
		}
		p.expect(')')
	}
	if p.peek() == '{' {
		p.setAttrs(o, p.dictionary())
	}
	p.expect(':')
	p.functionType(o)
}

// setAttrs adds attributes to the op, frontend attributes in their own field.
func (p *parser) setAttrs(o *Op, a Attrs) {
	for _, n := range a {
		d, ok := n.Value.(Dict)
		if n.Key != frontendKey || !ok {
			o.Attrs.Set(n.Key, n.Value)
			continue
		}
		m := map[string]string{}
		for _, e := range d {
			s, ok := e.Value.(String)
			if !ok {
				p.fail("frontend attribute " + e.Key + " is not a string")
				return
			}
			m[e.Key] = string(s)
		}
		o.Tag(m)
	}
}

// valueName reads %name, without a result number.
func (p *parser) valueName() string {
	p.expect('%')
	start := p.pos
	for p.pos < len(p.src) && (isIDChar(p.src[p.pos]) || p.src[p.pos] == '-') {
		p.pos++
	}
	if p.pos == start {
		p.fail("expected a value's name")
	}
	return p.src[start:p.pos]
}

// value reads a use of a value.
func (p *parser) value() *Value {
	p.space()
	start := p.pos
	name := p.valueName()
	if p.pos < len(p.src) && p.src[p.pos] == '#' {
		p.pos++
		name += "#" + strconv.FormatInt(p.integer(), 10)
	}
	v := p.values[name]
	if v == nil {
		p.failAt(start, "value %"+name+" is not defined here")
		return &Value{}
	}
	return v
}

// operandList reads values with commas between; none is fine.
func (p *parser) operandList(o *Op) {
	if p.peek() != '%' {
		return
	}
	for p.err == nil {
		o.Operands = append(o.Operands, p.value())
		if p.peek() != ',' {
			return
		}
		save := p.pos
		p.pos++
		if p.peek() != '%' { // the comma belongs to what follows
			p.pos = save
			return
		}
	}
}

// functionType reads (a, b) -> c, checks the operands and adds the results.
func (p *parser) functionType(o *Op) {
	var args []Type
	p.list('(', ')', func() { args = append(args, p.typ()) })
	p.expectLit("->")
	p.checkTypes(o, args)
	o.AddResults(p.typesMaybeParen()...)
}

func (p *parser) typesMaybeParen() []Type {
	if p.peek() != '(' {
		return []Type{p.typ()}
	}
	var ts []Type
	p.list('(', ')', func() { ts = append(ts, p.typ()) })
	return ts
}

// typeList reads types with commas between.
func (p *parser) typeList() []Type {
	var ts []Type
	for p.err == nil {
		ts = append(ts, p.typ())
		if !p.accept(',') {
			break
		}
	}
	return ts
}

// checkTypes fails unless the operands have the given types.
func (p *parser) checkTypes(o *Op, ts []Type) {
	if p.err == nil && len(ts) != len(o.Operands) {
		p.fail(fmt.Sprintf("%s: %d operand types for %d operands", o.Name, len(ts), len(o.Operands)))
		return
	}
	p.checkOperands(o, func(i int) Type { return ts[i] })
}

func (p *parser) checkOperands(o *Op, want func(int) Type) {
	if p.err != nil {
		return
	}
	for i, v := range o.Operands {
		if w := want(i); !v.Type.Equal(w) {
			p.fail(fmt.Sprintf("%s: operand %d has type %s, not %s", o.Name, i, v.Type, w))
			return
		}
	}
}
