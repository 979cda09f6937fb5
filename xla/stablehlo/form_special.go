package stablehlo

import (
	"strconv"

	"gopherlo/xla/hlo"
)

// sliceRanges is [0:4:2, 1:3]; a stride of one is left out.
var sliceRanges = part{
	func(p *printer, o *Op) {
		start, limit, strides := o.Attrs.Ints("start_indices"), o.Attrs.Ints("limit_indices"), o.Attrs.Ints("strides")
		p.str("[")
		for i := range start {
			if i > 0 {
				p.str(", ")
			}
			p.str(strconv.FormatInt(start[i], 10) + ":" + strconv.FormatInt(limit[i], 10))
			if strides[i] != 1 {
				p.str(":" + strconv.FormatInt(strides[i], 10))
			}
		}
		p.str("]")
	},
	func(p *parser, o *Op) {
		start, limit, strides := Ints{}, Ints{}, Ints{}
		p.list('[', ']', func() {
			start = append(start, p.integer())
			p.expect(':')
			limit = append(limit, p.integer())
			s := int64(1)
			if p.accept(':') {
				s = p.integer()
			}
			strides = append(strides, s)
		})
		o.Attrs.Set("start_indices", start)
		o.Attrs.Set("limit_indices", limit)
		o.Attrs.Set("strides", strides)
	},
}

// dotNumbers are the dimension numbers, precision and algorithm of dot_general.
var dotNumbers = part{
	func(p *printer, o *Op) {
		d, _ := o.Attrs.Get("dot_dimension_numbers").(*DotDims)
		if d == nil {
			d = &DotDims{}
		}
		side := func(name string, l, r []int64) {
			p.buf = appendIntList(append(p.buf, ", "+name+" = "...), l)
			p.buf = appendIntList(append(p.buf, " x "...), r)
		}
		if len(d.LHSBatch) > 0 || len(d.RHSBatch) > 0 {
			side("batching_dims", d.LHSBatch, d.RHSBatch)
		}
		side("contracting_dims", d.LHSContracting, d.RHSContracting)
		if a, ok := o.Attrs.Get("precision_config").(Array); ok && len(a) > 0 {
			p.str(", precision = [")
			for i, e := range a {
				if i > 0 {
					p.str(", ")
				}
				e, _ := e.(Enum)
				p.str(e.Value)
			}
			p.str("]")
		}
		if a, ok := o.Attrs.Get("algorithm").(*DotAlgorithm); ok {
			p.buf = appendAlgorithm(append(p.buf, ", algorithm = "...), a)
		}
	},
	func(p *parser, o *Op) {
		d := &DotDims{}
		for p.accept(',') {
			key := p.ident()
			p.expect('=')
			switch key {
			case "batching_dims":
				d.LHSBatch = p.intList()
				p.expectLit("x")
				d.RHSBatch = p.intList()
			case "contracting_dims":
				d.LHSContracting = p.intList()
				p.expectLit("x")
				d.RHSContracting = p.intList()
			case "precision":
				a := Array{}
				p.list('[', ']', func() { a = append(a, Enum{"precision", p.ident()}) })
				o.Attrs.Set("precision_config", a)
			case "algorithm":
				o.Attrs.Set("algorithm", p.algorithm())
			default:
				p.fail("unknown part " + key + " of dot_general")
			}
		}
		o.Attrs.Set("dot_dimension_numbers", d)
	},
}

// convolutionBody is dim_numbers = ..., window = {...}.
var convolutionBody = part{
	func(p *printer, o *Op) {
		c, _ := o.Attrs.Get("dimension_numbers").(*ConvDims)
		if c == nil {
			c = &ConvDims{}
		}
		p.buf = appendConvDims(append(p.buf, " dim_numbers = "...), c)
		p.str(", window = {")
		sep := ""
		part := func(name string, ok bool, fn func([]byte) []byte) {
			if ok {
				p.buf = fn(append(p.buf, sep+name+" = "...))
				sep = ", "
			}
		}
		ints := func(name, key string) {
			a, ok := o.Attrs.Get(key).(Ints)
			part(name, ok, func(b []byte) []byte { return appendIntList(b, a) })
		}
		ints("stride", "window_strides")
		pad, ok := o.Attrs.Get("padding").(*Dense)
		part("pad", ok, func(b []byte) []byte { return appendPairs(b, pad) })
		ints("lhs_dilate", "lhs_dilation")
		ints("rhs_dilate", "rhs_dilation")
		rev, ok := o.Attrs.Get("window_reversal").(Bools)
		part("reverse", ok, func(b []byte) []byte { return append(appendBools(append(b, '['), rev), ']') })
		p.str("}")
	},
	func(p *parser, o *Op) {
		p.expectLit("dim_numbers")
		p.expect('=')
		o.Attrs.Set("dimension_numbers", p.convDims())
		p.expect(',')
		p.expectLit("window")
		p.expect('=')
		p.list('{', '}', func() { p.windowPart(o) })
	},
}

// appendPairs appends [[0, 1], [2, 3]].
func appendPairs(buf []byte, d *Dense) []byte {
	buf = append(buf, '[')
	for i := range d.Size() / 2 {
		if i > 0 {
			buf = append(buf, ", "...)
		}
		buf = appendIntList(buf, []int64{d.Int(2 * i), d.Int(2*i + 1)})
	}
	return append(buf, ']')
}

func (p *parser) windowPart(o *Op) {
	key := p.ident()
	p.expect('=')
	switch key {
	case "stride":
		o.Attrs.Set("window_strides", Ints(p.intList()))
	case "lhs_dilate":
		o.Attrs.Set("lhs_dilation", Ints(p.intList()))
	case "rhs_dilate":
		o.Attrs.Set("rhs_dilation", Ints(p.intList()))
	case "pad":
		pad := [][2]int64{}
		p.list('[', ']', func() {
			v := p.intList()
			if len(v) != 2 {
				p.fail("expected a pair of paddings")
				return
			}
			pad = append(pad, [2]int64{v[0], v[1]})
		})
		o.Attrs.Set("padding", PaddingAttr(pad))
	case "reverse":
		rev := Bools{}
		p.list('[', ']', func() {
			s := p.ident()
			rev = append(rev, s == "true" || s == "1")
		})
		o.Attrs.Set("window_reversal", rev)
	default:
		p.fail("unknown part " + key + " of a window")
	}
}

// reduceAssembly is the assembly of reduce, short when the reducer is one op.
var reduceAssembly = part{
	func(p *printer, o *Op) {
		n := len(o.Operands) / 2
		for i := range n {
			if i > 0 {
				p.str(", ")
			}
			p.str("(" + p.name(o.Operands[i]) + " init: " + p.name(o.Operands[n+i]) + ")")
		}
		inner := compactReducer(o)
		if inner != nil {
			p.str(" applies " + inner.Name)
		}
		p.buf = appendIntList(append(p.buf, " across dimensions = "...), o.Attrs.Ints("dimensions"))
		dict().print(p, o)
		p.str(" : ")
		funcType.print(p, o)
		if inner != nil {
			return
		}
		p.line()
		p.str(" reducer")
		r := o.Regions[0]
		p.region(r, "", func() { p.reducerArgs(r, n) })
		p.line()
		p.str("}")
	},
	func(p *parser, o *Op) { p.reduce(o) },
}

// reducerArgs prints the reducer's arguments in pairs.
func (p *printer) reducerArgs(r *Block, n int) {
	for i := range n {
		if i+n >= len(r.Args) {
			break
		}
		a, b := r.Args[i], r.Args[i+n]
		p.str("(")
		p.argument(a)
		p.str(", ")
		p.argument(b)
		p.str(") ")
	}
	p.str(" {")
}

// commutative are the ops that may stand after "applies".
var commutative = map[string]bool{
	"stablehlo.add": true, "stablehlo.multiply": true, "stablehlo.maximum": true, "stablehlo.minimum": true,
	"stablehlo.and": true, "stablehlo.or": true, "stablehlo.xor": true,
}

// compactReducer gives the one op of a reducer that prints in short form
// (isReduceEligibleForCompactPrint in StablehloOps.cpp), or nil.
func compactReducer(o *Op) *Op {
	if len(o.Regions) != 1 || len(o.Operands) != 2 {
		return nil
	}
	r := o.Regions[0]
	if len(r.Ops) != 2 || len(r.Args) != 2 {
		return nil
	}
	op, ret := r.Ops[0], r.Ops[1]
	if !commutative[op.Name] || len(op.Operands) != 2 || len(op.Results) != 1 {
		return nil
	}
	if op.Operands[0] != r.Args[0] || op.Operands[1] != r.Args[1] || len(ret.Operands) != 1 || ret.Operands[0] != op.Results[0] {
		return nil
	}
	t := op.Results[0].Type
	if t.Rank() != 0 || !r.Args[0].Type.Equal(t) || !r.Args[1].Type.Equal(t) || !t.Equal(Type{Elem: o.Operands[0].Type.Elem}) {
		return nil
	}
	return op
}

func (p *parser) reduce(o *Op) {
	var xs, inits []*Value
	for {
		p.expect('(')
		xs = append(xs, p.value())
		p.expectLit("init")
		p.expect(':')
		inits = append(inits, p.value())
		p.expect(')')
		if !p.accept(',') {
			break
		}
	}
	o.Operands = append(xs, inits...)
	inner := ""
	if p.acceptWord("applies") {
		inner = p.dotted()
	}
	p.expectLit("across")
	p.expectLit("dimensions")
	p.expect('=')
	o.Attrs.Set("dimensions", Ints(p.intList()))
	dict().parse(p, o)
	p.expect(':')
	p.functionType(o)
	if inner != "" {
		p.fixups = append(p.fixups, func() { compactRegion(o, inner) })
		return
	}
	p.expectLit("reducer")
	r := p.newRegion(o)
	p.enter()
	var firsts, seconds []func()
	for p.accept('(') {
		n1, t1, l1 := p.argument()
		p.expect(',')
		n2, t2, l2 := p.argument()
		p.expect(')')
		firsts = append(firsts, func() { p.define(n1, r.AddArg(t1, nil), l1) })
		seconds = append(seconds, func() { p.define(n2, r.AddArg(t2, nil), l2) })
	}
	for _, f := range append(firsts, seconds...) {
		f()
	}
	p.expect('{')
	p.blockBody(r)
	p.leave()
}

// compactRegion makes the reducer that "applies" stands for.
func compactRegion(o *Op, inner string) {
	r := &Block{Parent: o}
	o.Regions = append(o.Regions, r)
	t := Type{Elem: o.Operands[0].Type.Elem}
	a, b := r.AddArg(t, o.argLoc()), r.AddArg(t, o.argLoc())
	op := &Op{Name: inner, Operands: []*Value{a, b}, Loc: o.Loc}
	op.AddResults(t)
	r.Ops = []*Op{op, {Name: "stablehlo.return", Operands: op.Results, Loc: o.Loc}}
}

// whileAssembly is the assembly of while.
var whileAssembly = part{
	func(p *printer, o *Op) {
		p.str("(")
		saved, mark := p.counts, len(p.undo)
		p.nameBlock(&Block{Args: o.Regions[0].Args}, "iterArg")
		for i, v := range o.Operands {
			if i > 0 {
				p.str(", ")
			}
			p.str(p.name(o.Regions[0].Args[i]) + " = " + p.name(v))
		}
		p.leave(mark)
		p.counts = saved
		p.str(")")
		if len(o.Operands) > 0 {
			p.buf = appendTypes(append(p.buf, " : "...), types(o.Operands))
		}
		if a := o.attrsWithout(func(string) bool { return false }); len(a) > 0 {
			p.str(" attributes")
			p.attrDict(a)
		}
		p.line()
		p.str("cond {")
		p.region(o.Regions[0], "iterArg", nil)
		p.line()
		p.str("} do {")
		p.region(o.Regions[1], "iterArg", nil)
		p.line()
		p.str("}")
	},
	func(p *parser, o *Op) { p.while(o) },
}

func (p *parser) while(o *Op) {
	var names []string
	p.list('(', ')', func() {
		names = append(names, p.valueName())
		p.expect('=')
		o.Operands = append(o.Operands, p.value())
	})
	if p.accept(':') {
		p.checkTypes(o, p.typeList())
	}
	if p.acceptWord("attributes") {
		dict().parse(p, o)
	}
	o.AddResults(types(o.Operands)...)
	for _, w := range []string{"cond", "do"} {
		p.expectLit(w)
		p.expect('{')
		r := p.newRegion(o)
		p.enter()
		for i, n := range names {
			p.define(n, r.AddArg(o.Operands[i].Type, nil), nil)
		}
		p.blockBody(r)
		p.leave()
	}
}

// manualComputation is sdy.manual_computation, whose shardings stay text.
var manualComputation = part{
	func(p *printer, o *Op) {
		p.str("(")
		p.values(o.Operands)
		h, _ := o.Attrs.Get("header").(Raw)
		p.str(") " + string(h) + " (")
		r := o.Regions[0]
		p.region(r, "", func() {
			for i, a := range r.Args {
				if i > 0 {
					p.str(", ")
				}
				p.argument(a)
			}
			p.str(") {")
		})
		p.line()
		p.str("}")
		dict().print(p, o)
		p.str(" : ")
		funcType.print(p, o)
	},
	func(p *parser, o *Op) {
		callOperands.parse(p, o)
		o.Attrs.Set("header", Raw(p.manualHeader()))
		r := p.newRegion(o)
		p.enter()
		p.list('(', ')', func() {
			n, t, l := p.argument()
			p.define(n, r.AddArg(t, nil), l)
		})
		p.expect('{')
		p.blockBody(r)
		p.leave()
		dict().parse(p, o)
		p.expect(':')
		p.functionType(o)
	},
}

// algorithm parses <lhs_precision_type = f32, ...>.
func (p *parser) algorithm() *DotAlgorithm {
	a := &DotAlgorithm{}
	p.list('<', '>', func() {
		key := p.ident()
		p.expect('=')
		switch key {
		case "lhs_precision_type":
			a.LHSType = p.precisionType()
		case "rhs_precision_type":
			a.RHSType = p.precisionType()
		case "accumulation_type":
			a.AccumulationType = p.precisionType()
		case "lhs_component_count":
			a.LHSComponents = p.integer()
		case "rhs_component_count":
			a.RHSComponents = p.integer()
		case "num_primitive_operations":
			a.NumPrimitiveOps = p.integer()
		case "allow_imprecise_accumulation":
			a.AllowImpreciseAccumulation = p.ident() == "true"
		default:
			p.fail("unknown part " + key + " of a dot algorithm")
		}
	})
	return a
}

func (p *parser) precisionType() hlo.PrimitiveType {
	s := p.ident()
	if s == "tf32" {
		return hlo.InvalidType
	}
	e, ok := elemByName[s]
	if !ok {
		p.fail("unknown element type " + s)
	}
	return e
}

// convDims parses [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1].
func (p *parser) convDims() *ConvDims {
	c := &ConvDims{}
	c.InputBatch, c.InputFeature, c.InputSpatial = p.convSide("b", "f")
	p.expectLit("x")
	c.KernelInputFeature, c.KernelOutput, c.KernelSpatial = p.convSide("i", "o")
	p.expectLit("->")
	c.OutputBatch, c.OutputFeature, c.OutputSpatial = p.convSide("b", "f")
	return c
}

func (p *parser) convSide(first, second string) (a, b int64, spatial []int64) {
	var names []string
	p.list('[', ']', func() { names = append(names, p.word()) })
	spatial = make([]int64, max(0, len(names)-2))
	for i, n := range names {
		switch n {
		case first:
			a = int64(i)
		case second:
			b = int64(i)
		default:
			k, err := strconv.Atoi(n)
			if err != nil || k < 0 || k >= len(spatial) {
				p.fail("bad dimension " + n + " of a convolution")
				return a, b, spatial
			}
			spatial[k] = int64(i)
		}
	}
	return a, b, spatial
}
