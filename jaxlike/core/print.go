package core

import (
	"slices"
	"strings"
)

// String prints the jaxpr as str(jaxpr) does in JAX 0.12.0.1: layout, names
// and hoisting as measured against it (see docs of the rules in layout.go).
func (j *Jaxpr) String() string {
	p := newPrinter(j)
	docs := make([]doc, 0, len(p.hoisted)+1)
	for _, h := range p.hoisted {
		docs = append(docs, cat(text("let "+p.shared[h]+" = "), p.body(h), text(" in"), brk(" ")))
	}
	docs = append(docs, p.sub(j))
	return layout(cat(docs...))
}

// printer holds the names that one print gives.
type printer struct {
	names   map[*Var]string
	next    int
	taken   map[string]bool
	shared  map[*Jaxpr]string
	hoisted []*Jaxpr
}

func newPrinter(top *Jaxpr) *printer {
	p := &printer{names: map[*Var]string{}, taken: map[string]bool{}, shared: map[*Jaxpr]string{}}
	p.markDead(top)
	p.hoist(top)
	return p
}

// markDead names the outputs "_" that nobody reads; only top-level equations count.
func (p *printer) markDead(top *Jaxpr) {
	used := map[*Var]bool{}
	mark := func(atoms []Atom) {
		for _, a := range atoms {
			if v, ok := a.(*Var); ok {
				used[v] = true
			}
		}
	}
	mark(top.Out)
	for _, e := range slices.Backward(top.Eqns) {
		for _, v := range e.Out {
			if !used[v] {
				p.names[v] = "_"
			}
		}
		mark(e.In)
	}
}

// hoist finds the jaxprs that are printed once, above, because they are used
// twice or are long. Uses are counted breadth first without remembering what
// was visited, so a child of a jaxpr that is used twice counts twice.
func (p *printer) hoist(top *Jaxpr) {
	count, label := map[*Jaxpr]int{}, map[*Jaxpr]string{}
	var order []*Jaxpr
	for queue := []*Jaxpr{top}; len(queue) > 0; {
		j := queue[0]
		queue = queue[1:]
		if count[j] == 0 {
			order = append(order, j)
		}
		count[j]++
		if j != top && len(j.Eqns) > 10 {
			count[j]++
		}
		for _, e := range j.Eqns {
			subs := e.SubJaxprs()
			queue = append(queue, subs...)
			name, ok := e.Params.Get("name").(string)
			for _, s := range subs {
				if _, have := label[s]; ok && !have {
					label[s] = strings.Trim(name, "<>")
				}
			}
		}
	}
	seen := map[string]int{}
	for _, j := range order {
		if count[j] > 1 {
			p.share(j, label[j], seen)
		}
	}
}

func (p *printer) share(j *Jaxpr, name string, seen map[string]int) {
	if name == "" {
		name = "jaxpr"
	}
	k := seen[name]
	seen[name]++
	if k > 0 {
		name += itoa(k)
		seen[name]++
	}
	p.taken[name] = true
	p.shared[j] = name
	p.hoisted = append(p.hoisted, j)
}

// letters is the n-th name: a..z, ba, bb, ... (base 26 with a = 0).
func letters(n int) string {
	s := ""
	for s == "" || n > 0 {
		s = string(rune('a'+n%26)) + s
		n /= 26
	}
	return s
}

func (p *printer) name(v *Var) string {
	if s, ok := p.names[v]; ok {
		return s
	}
	for {
		s := letters(p.next)
		p.next++
		if !p.taken[s] {
			p.names[v] = s
			return s
		}
	}
}

func (p *printer) atom(a Atom) string {
	switch a := a.(type) {
	case *Literal:
		return literalText(a)
	case *Var:
		return p.name(a)
	}
	return "?"
}

func literalText(l *Literal) string {
	if l.Val.Py == nil {
		return "[...]:" + l.aval.String()
	}
	return PyRepr(l.Val.Py) + ":" + l.aval.String()
}

// binders prints variables with types, atoms prints them without; sep is the
// text before each blank. Each blank is a group of its own.
func (p *printer) binders(vs []*Var) doc {
	texts := make([]string, len(vs))
	for i, v := range vs {
		texts[i] = p.name(v) + ":" + v.aval.String()
	}
	return list(texts, "")
}

func (p *printer) atoms(as []Atom, sep string) doc {
	texts := make([]string, len(as))
	for i, a := range as {
		texts[i] = p.atom(a)
	}
	return list(texts, sep)
}

func list(texts []string, sep string) doc {
	parts := make([]doc, 0, 3*len(texts))
	for i, t := range texts {
		if i > 0 {
			parts = append(parts, text(sep), group(brk(" ")))
		}
		parts = append(parts, text(t))
	}
	return nest(2, group(cat(parts...)))
}

func (p *printer) sub(j *Jaxpr) doc {
	if s, ok := p.shared[j]; ok {
		return text(s)
	}
	return p.body(j)
}

func (p *printer) body(j *Jaxpr) doc {
	consts, ins := p.binders(j.ConstVars), p.binders(j.In)
	eqns := make([]doc, 0, 2*len(j.Eqns))
	for i, e := range j.Eqns {
		if i > 0 {
			eqns = append(eqns, brk("; "))
		}
		eqns = append(eqns, p.eqn(e))
	}
	end := ")"
	if len(j.Out) == 1 {
		end = ",)"
	}
	outs := cat(text("("), p.atoms(j.Out, ","), text(end))
	return group(cat(nest(2, cat(
		text("{ lambda "), consts, text("; "), ins, text(". let"),
		nest(2, cat(brk(" "), cat(eqns...))), brk(" "), text("in "), outs)), text(" }")))
}

func (p *printer) eqn(e *Eqn) doc {
	if e.Prim.SharesNames {
		p.shareNames(e)
	}
	lhs := p.binders(e.Out)
	rhs := cat(text(e.Prim.Name), p.params(e), text(" "), p.atoms(e.In, ""))
	if len(e.Out) == 0 {
		return rhs
	}
	return cat(lhs, text(" = "), rhs)
}

// shareNames gives the body of a jit that is printed in place the names of its
// caller's variables.
func (p *printer) shareNames(e *Eqn) {
	j := e.Params.Jaxpr("jaxpr")
	if _, hoisted := p.shared[j]; j == nil || hoisted {
		return
	}
	inner := make([]Atom, len(j.In))
	for i, v := range j.In {
		inner[i] = v
	}
	outer := make([]Atom, len(e.Out))
	for i, v := range e.Out {
		outer[i] = v
	}
	p.pair(inner, e.In)
	p.pair(j.Out, outer)
}

func (p *printer) pair(inner, outer []Atom) {
	if len(inner) != len(outer) {
		return
	}
	used := map[*Var]bool{}
	for i := range inner {
		in, ok1 := inner[i].(*Var)
		out, ok2 := outer[i].(*Var)
		if !ok1 || !ok2 || used[out] {
			continue
		}
		if _, named := p.names[in]; named {
			continue
		}
		used[out] = true
		p.names[in] = p.name(out)
	}
}

func (p *printer) params(e *Eqn) doc {
	var ps Params
	if e.Prim.PrintParams != nil {
		ps = e.Prim.PrintParams(e)
	} else {
		ps = SortedParams(e.Params)
	}
	if len(ps) == 0 {
		return text("")
	}
	parts := make([]doc, 0, 2*len(ps)+1)
	parts = append(parts, text("["), brk(""))
	for i, q := range ps {
		if i > 0 {
			parts = append(parts, brk(" "))
		}
		parts = append(parts, text(q.Name+"="), p.value(q.Val))
	}
	return group(cat(nest(2, cat(parts...)), brk(""), text("]")))
}

// SortedParams is p sorted by name without the hidden ones.
func SortedParams(p Params, hide ...string) Params {
	out := make(Params, 0, len(p))
	for _, q := range p {
		if !slices.Contains(hide, q.Name) {
			out = append(out, q)
		}
	}
	slices.SortStableFunc(out, func(a, b Param) int { return strings.Compare(a.Name, b.Name) })
	return out
}

func (p *printer) value(v any) doc {
	switch v := v.(type) {
	case *Jaxpr:
		return p.sub(v)
	case []*Jaxpr:
		return p.jaxprs(v)
	case Tuple:
		if len(v) == 0 {
			return p.jaxprs(nil)
		}
	case Ints:
		if len(v) == 0 {
			return p.jaxprs(nil)
		}
	}
	return text(PyStr(v))
}

// jaxprs prints a tuple of jaxprs; the empty tuple takes the same form.
func (p *printer) jaxprs(js []*Jaxpr) doc {
	parts := []doc{text("("), brk("")}
	for i, j := range js {
		if i > 0 {
			parts = append(parts, brk(" "))
		}
		parts = append(parts, p.sub(j))
	}
	return group(cat(nest(2, cat(parts...)), brk(""), text(")")))
}

// PyRepr prints a jaxpr inside a mixed tuple: a complete print of its own.
func (j *Jaxpr) PyRepr() string { return j.String() }

// EqnText prints one equation alone, with names from a on.
func EqnText(e *Eqn) string {
	p := newPrinter(&Jaxpr{})
	return layout(p.eqn(e))
}
