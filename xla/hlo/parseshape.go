package hlo

import "strings"

// ParseShape reads a shape such as "f32[2,3]{1,0}". An array without a layout
// gets the descending one.
func ParseShape(s string) (sh Shape, err error) {
	defer recoverParse(&err)
	p := &scanner{s: s}
	sh = p.shape()
	if p.peek() != 0 {
		p.fail(p.at, "expected the end of the shape, found %s", p.found())
	}
	return sh, nil
}

func recoverParse(err *error) {
	switch r := recover().(type) {
	case nil:
	case *ParseError:
		*err = r
	default:
		panic(r)
	}
}

func (p *scanner) shape() Shape {
	if p.accept("(") {
		s := TupleShape()
		p.until(")", func() { s.Tuple = append(s.Tuple, p.shape()) })
		return s
	}
	p.skip()
	start := p.at
	name := p.word("a shape")
	t, ok := primitiveByName[name]
	if !ok || t == Tuple {
		p.fail(start, "unknown element type %q", name)
	}
	s := Shape{ElementType: t}
	p.expect("[")
	p.until("]", func() { p.dimension(&s) })
	if !t.IsArray() {
		if len(s.Dimensions) > 0 {
			p.fail(start, "%s takes no dimensions", name)
		}
		return s
	}
	if p.layoutAhead() {
		s.Layout = p.layout()
		if n := len(s.Layout.MinorToMajor); n != len(s.Dimensions) && n != 0 {
			p.fail(start, "the layout has %d dimensions, the shape %d", n, len(s.Dimensions))
		}
	} else {
		s.Layout = DescendingLayout(len(s.Dimensions))
	}
	return s
}

// layoutAhead tells a layout from the brace that opens a computation: a layout
// follows at once.
func (p *scanner) layoutAhead() bool {
	rest := p.s[p.at:]
	return len(rest) > 1 && rest[0] == '{' && strings.IndexByte("0123456789:}", rest[1]) >= 0
}

func (p *scanner) dimension(s *Shape) {
	dyn := p.accept("<=")
	if p.accept("?") {
		s.Dimensions = append(s.Dimensions, UnboundedSize)
		dyn = true
	} else {
		s.Dimensions = append(s.Dimensions, p.int())
	}
	if dyn {
		for len(s.Dynamic) < len(s.Dimensions)-1 {
			s.Dynamic = append(s.Dynamic, false)
		}
	}
	if dyn || s.Dynamic != nil {
		s.Dynamic = append(s.Dynamic, dyn)
	}
}

func (p *scanner) layout() *Layout {
	l := &Layout{TailPaddingAlign: 1}
	p.expect("{")
	for p.peek() != ':' && p.peek() != '}' {
		if len(l.MinorToMajor) > 0 {
			p.expect(",")
		}
		l.MinorToMajor = append(l.MinorToMajor, p.int())
	}
	if p.accept(":") {
		for !p.accept("}") {
			p.layoutExtra(l)
		}
		return l
	}
	p.expect("}")
	return l
}

// layoutExtra reads one of the parts behind the colon of a layout.
func (p *scanner) layoutExtra(l *Layout) {
	number := func() int64 {
		p.expect("(")
		n := p.int()
		p.expect(")")
		return n
	}
	primitive := func() PrimitiveType {
		p.expect("(")
		start := p.at
		t, ok := primitiveByName[p.word("an element type")]
		if !ok {
			p.fail(start, "unknown element type")
		}
		p.expect(")")
		return t
	}
	switch {
	case p.accept("T"):
		for p.peek() == '(' {
			l.Tiles = append(l.Tiles, p.tile())
		}
	case p.accept("L"):
		l.TailPaddingAlign = number()
	case p.accept("#"):
		l.IndexType = primitive()
	case p.accept("*"):
		l.PointerType = primitive()
	case p.accept("E"):
		l.ElementSizeInBits = number()
	case p.accept("SC"):
		for p.accept("(") {
			c := SplitConfig{Dimension: p.int()}
			p.expect(":")
			p.until(")", func() { c.SplitIndices = append(c.SplitIndices, p.int()) })
			l.SplitConfigs = append(l.SplitConfigs, c)
		}
	case p.accept("S"):
		l.MemorySpace = number()
	case p.accept("M"):
		l.DynamicPrefixBytes = number()
	case p.accept("P"):
		p.enter()
		p.expect("(")
		s := p.shape()
		p.expect(")")
		p.leave()
		l.PhysicalShape = &s
	default:
		p.fail(p.at, "expected a part of a layout, found %s", p.found())
	}
}

func (p *scanner) tile() []int64 {
	var t []int64
	p.expect("(")
	p.until(")", func() {
		if p.accept("*") {
			t = append(t, UnboundedSize)
		} else {
			t = append(t, p.int())
		}
	})
	return t
}
