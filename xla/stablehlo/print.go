package stablehlo

import (
	"strconv"
)

// Text prints the module as JAX's Lowered.as_text() does.
func (m *Module) Text() string {
	p := &printer{names: map[*Value]string{}, used: map[string]bool{}}
	p.module(m)
	return string(p.buf)
}

// String is the module's text.
func (m *Module) String() string { return m.Text() }

// printer writes the text. Names follow MLIR's SSANameState: all ops of a block
// are named before the regions inside them, which go on from the block's
// counters.
type printer struct {
	buf    []byte
	indent int
	names  map[*Value]string
	used   map[string]bool
	undo   []string // names of used, in order of entry
	counts counts
	locs   *locTable // nil: print no locations
	inFunc bool      // directly in a function's body: return and call print short
}

// counts are the numbers of the next %0, %arg0 and _0.
type counts struct{ value, arg, conflict int }

func (p *printer) str(s string) { p.buf = append(p.buf, s...) }

func (p *printer) line() {
	p.buf = append(p.buf, '\n')
	for range p.indent {
		p.buf = append(p.buf, ' ', ' ')
	}
}

func (p *printer) module(m *Module) {
	p.str("module ")
	if m.Name != "" {
		p.buf = append(appendSymbol(p.buf, m.Name), ' ')
	}
	if len(m.Attrs) > 0 {
		p.str("attributes ")
		p.buf = append(appendAttrs(p.buf, m.Attrs), ' ')
	}
	p.str("{")
	p.indent++
	for _, d := range m.Meshes {
		p.line()
		p.buf = appendSymbol(append(p.buf, "sdy.mesh "...), d.Name)
		p.str(" = <" + d.Text + ">")
		if len(d.Attrs) > 0 {
			p.buf = appendAttrs(append(p.buf, ' '), d.Attrs)
		}
		p.loc(d.Loc)
	}
	for _, f := range m.Funcs {
		p.line()
		p.function(f)
	}
	p.indent--
	p.line()
	p.str("}")
	p.loc(m.Loc)
	p.str("\n")
}

func (p *printer) function(f *Func) {
	p.counts = counts{}
	mark := len(p.undo)
	p.nameBlock(f.Body, "")
	p.str("func.func ")
	switch {
	case f.Public:
		p.str("public ")
	case f.Private:
		p.str("private ")
	}
	p.buf = append(appendSymbol(p.buf, f.Name), '(')
	for i, a := range f.Body.Args {
		if i > 0 {
			p.str(", ")
		}
		p.str(p.name(a) + ": ")
		p.buf = appendType(p.buf, a.Type)
		if i < len(f.ArgAttrs) && len(f.ArgAttrs[i]) > 0 {
			p.buf = appendAttrs(append(p.buf, ' '), f.ArgAttrs[i])
		}
		p.argLoc(a.Loc)
	}
	p.str(")")
	p.results(f)
	if len(f.Attrs) > 0 {
		p.buf = appendAttrs(append(p.buf, " attributes "...), f.Attrs)
	}
	p.str(" {")
	p.inFunc = true
	p.block(f.Body)
	p.inFunc = false
	p.line()
	p.str("}")
	p.loc(f.Loc)
	p.leave(mark)
}

// results prints a function's result types with their attributes.
func (p *printer) results(f *Func) {
	if len(f.Results) == 0 {
		return
	}
	p.str(" -> ")
	if len(f.Results) == 1 && (len(f.ResultAttrs) == 0 || len(f.ResultAttrs[0]) == 0) {
		p.buf = appendType(p.buf, f.Results[0])
		return
	}
	p.str("(")
	for i, t := range f.Results {
		if i > 0 {
			p.str(", ")
		}
		p.buf = appendType(p.buf, t)
		if i < len(f.ResultAttrs) && len(f.ResultAttrs[i]) > 0 {
			p.buf = appendAttrs(append(p.buf, ' '), f.ResultAttrs[i])
		}
	}
	p.str(")")
}

// nameBlock names the block's arguments and the results of its ops. Arguments
// are %argN unless base names them.
func (p *printer) nameBlock(b *Block, base string) {
	for _, a := range b.Args {
		s := base
		if s == "" {
			s = "arg" + strconv.Itoa(p.counts.arg)
			p.counts.arg++
		}
		p.setName(a, s)
	}
	for _, o := range b.Ops {
		p.nameResults(o)
	}
}

func (p *printer) nameResults(o *Op) {
	if len(o.Results) == 0 {
		return
	}
	if bases := resultNames(o); bases != nil {
		for i, r := range o.Results {
			p.setName(r, bases[i])
		}
		return
	}
	s := "%" + strconv.Itoa(p.counts.value)
	p.counts.value++
	p.names[o.Results[0]] = s
	if len(o.Results) > 1 {
		for i, r := range o.Results {
			p.names[r] = s + "#" + strconv.Itoa(i)
		}
	}
}

// resultNames are the names that an op proposes for its results; nil when they
// are numbered.
func resultNames(o *Op) []string {
	switch {
	case o.Name == "stablehlo.constant" && len(o.Results) == 1:
		if e := o.Results[0].Type.Elem; e.IsFloat() || e.IsComplex() {
			return []string{"cst"}
		}
		return []string{"c"}
	case o.Name == "stablehlo.rng_bit_generator" && len(o.Results) == 2:
		return []string{"output_state", "output"}
	case o.Name == "chlo.top_k" && len(o.Results) == 2:
		return []string{"values", "indices"}
	}
	return nil
}

// setName gives v the name base, with a number when it is taken.
func (p *printer) setName(v *Value, base string) {
	s := base
	for p.used[s] {
		s = base + "_" + strconv.Itoa(p.counts.conflict)
		p.counts.conflict++
	}
	p.used[s] = true
	p.undo = append(p.undo, s)
	p.names[v] = "%" + s
}

// leave forgets the names that were taken since mark.
func (p *printer) leave(mark int) {
	for _, s := range p.undo[mark:] {
		delete(p.used, s)
	}
	p.undo = p.undo[:mark]
}

// name is the name of a value; a value from elsewhere gives MLIR's mark for one.
func (p *printer) name(v *Value) string {
	if s, ok := p.names[v]; ok {
		return s
	}
	return "<<UNKNOWN SSA VALUE>>"
}

func (p *printer) values(vs []*Value) {
	for i, v := range vs {
		if i > 0 {
			p.str(", ")
		}
		p.str(p.name(v))
	}
}

// block prints a block's ops, each on a line of its own.
func (p *printer) block(b *Block) {
	p.indent++
	for _, o := range b.Ops {
		p.line()
		p.op(o)
	}
	p.indent--
}

// region names and prints a region's ops; head, when not nil, prints what
// stands before them and may use the names of the arguments.
func (p *printer) region(b *Block, base string, head func()) {
	saved, mark, inFunc := p.counts, len(p.undo), p.inFunc
	p.nameBlock(b, base)
	p.inFunc = false
	if head != nil {
		head()
	}
	p.block(b)
	p.inFunc = inFunc
	p.leave(mark)
	p.counts = saved
}

func (p *printer) op(o *Op) {
	p.resultList(o)
	defer p.loc(o.Loc)
	f, ok := formOf(o)
	if !ok {
		p.generic(o)
		return
	}
	name := o.Name
	if p.inFunc && (name == "func.return" || name == "func.call") {
		name = name[len("func."):]
	}
	p.str(name)
	for _, part := range f {
		part.print(p, o)
	}
}

// resultList prints "%0 = ", "%0:2 = " or "%output_state, %output = ".
func (p *printer) resultList(o *Op) {
	if len(o.Results) == 0 {
		return
	}
	first := p.name(o.Results[0])
	switch {
	case len(o.Results) == 1:
		p.str(first)
	case resultNames(o) != nil:
		p.values(o.Results)
	default:
		p.str(first[:len(first)-len("#0")] + ":" + strconv.Itoa(len(o.Results)))
	}
	p.str(" = ")
}

// generic prints an op in MLIR's generic form.
func (p *printer) generic(o *Op) {
	p.str(`"` + o.Name + `"(`)
	p.values(o.Operands)
	p.str(")")
	if a := o.inherent(); len(a) > 0 {
		p.str(" <")
		p.buf = append(appendAttrs(p.buf, a), '>')
	}
	if len(o.Regions) > 0 {
		p.str(" (")
		for i, r := range o.Regions {
			if i > 0 {
				p.str(", ")
			}
			p.str("{")
			p.region(r, "", func() { p.blockHead(r) })
			p.line()
			p.str("}")
		}
		p.str(")")
	}
	p.attrDict(o.discardable())
	p.str(" : ")
	p.buf = appendFuncType(p.buf, types(o.Operands), types(o.Results))
}

// blockHead prints ^bb0(%arg0: type): for a block with arguments.
func (p *printer) blockHead(b *Block) {
	if len(b.Args) == 0 {
		return
	}
	p.line()
	p.str("^bb0(")
	for i, a := range b.Args {
		if i > 0 {
			p.str(", ")
		}
		p.argument(a)
	}
	p.str("):")
}

// argument prints %arg0: type, with its location where those are printed.
func (p *printer) argument(a *Value) {
	p.str(p.name(a) + ": ")
	p.buf = appendType(p.buf, a.Type)
	p.argLoc(a.Loc)
}

func (p *printer) attrDict(a Attrs) {
	if len(a) > 0 {
		p.buf = appendAttrs(append(p.buf, ' '), a)
	}
}

const frontendKey = "mhlo.frontend_attributes"

// isDiscardable reports whether an attribute is not part of its op's own: the
// name of such an attribute has a dialect.
func isDiscardable(key string) bool {
	for i := range len(key) {
		if key[i] == '.' {
			return true
		}
	}
	return false
}

// inherent are the attributes that are the op's own.
func (o *Op) inherent() Attrs {
	var a Attrs
	for _, n := range o.Attrs {
		if !isDiscardable(n.Key) {
			a = append(a, n)
		}
	}
	return a
}

// discardable are the attributes of other dialects, frontend attributes among
// them.
func (o *Op) discardable() Attrs {
	return o.attrsWithout(func(key string) bool { return !isDiscardable(key) })
}

// attrsWithout are all attributes, frontend attributes among them, but those
// that skip names.
func (o *Op) attrsWithout(skip func(string) bool) Attrs {
	var a Attrs
	for _, n := range o.Attrs {
		if !skip(n.Key) {
			a = append(a, n)
		}
	}
	if len(o.FrontendAttributes) > 0 {
		var d Attrs
		for _, k := range sortedKeys(o.FrontendAttributes) {
			d = append(d, Named{k, String(o.FrontendAttributes[k])})
		}
		a.Set(frontendKey, Dict(d))
	}
	return a
}
