package hloconv

import (
	"fmt"

	"gopherlo/xla/stablehlo"
)

// The graph is the module while passes work on it: ops in doubly linked lists,
// values with lists of their uses, so that every edit takes constant time.

// fn is a function.
type fn struct {
	src     *stablehlo.Func
	body    *block
	expands bool // some ops are to be replaced by several
}

// block is a function's body or an op's region.
type block struct {
	args        []*value
	first, last *op
	parent      *op // nil for a function's body
}

// value is an op's result or a block's argument.
type value struct {
	typ   stablehlo.Type
	def   *op    // nil for an argument
	owner *block // nil for a result
	index int
	loc   *stablehlo.Loc // of an argument
	uses  *use           // newest first

	defined bool // while the verifier is in its scope
}

// use is one operand of an op.
type use struct {
	val        *value
	op         *op
	prev, next *use
}

// op is one operation.
type op struct {
	name       string
	operands   []*use
	results    []*value
	attrs      stablehlo.Attrs
	frontend   map[string]string // shared until setFrontend
	regions    []*block
	loc        *stablehlo.Loc
	block      *block
	prev, next *op
	lit        *stablehlo.Dense // of stablehlo.constant
	queued     int              // place in the worklist + 1; 0 when not queued
	owned      bool             // a constant that the current round has placed

	// The room of the first result, and of an only operand.
	result value
	one    [1]*value
	use    use
	only   [1]*use
}

// in gives operand i.
func (o *op) in(i int) *value { return o.operands[i].val }

// out gives the first result.
func (o *op) out() *value { return o.results[0] }

// inputs gives all operands.
func (o *op) inputs() []*value {
	vs := make([]*value, len(o.operands))
	for i, u := range o.operands {
		vs[i] = u.val
	}
	return vs
}

// hasOneUse reports whether the value is used exactly once.
func (v *value) hasOneUse() bool { return v.uses != nil && v.uses.next == nil }

// isConst gives the constant behind a value, or nil.
func (v *value) isConst() *stablehlo.Dense {
	if v.def == nil {
		return nil
	}
	return v.def.lit
}

// defOf gives the op that makes v when it has that name, else nil.
func (v *value) defOf(name string) *op {
	if v.def != nil && v.def.name == name {
		return v.def
	}
	return nil
}

func (u *use) link(v *value) {
	u.val, u.prev, u.next = v, nil, v.uses
	if v.uses != nil {
		v.uses.prev = u
	}
	v.uses = u
}

func (u *use) unlink() {
	if u.prev != nil {
		u.prev.next = u.next
	} else if u.val != nil {
		u.val.uses = u.next
	}
	if u.next != nil {
		u.next.prev = u.prev
	}
	u.val, u.prev, u.next = nil, nil, nil
}

// set makes the operand v.
func (u *use) set(v *value) {
	u.unlink()
	u.link(v)
}

// setOperands replaces all operands.
func (o *op) setOperands(vs []*value) {
	for _, u := range o.operands {
		u.unlink()
	}
	if len(vs) == 1 && len(o.operands) == 0 && o.use.op == nil {
		o.use.op, o.only[0] = o, &o.use
		o.use.link(vs[0])
		o.operands = o.only[:]
		return
	}
	o.operands = make([]*use, len(vs))
	us := make([]use, len(vs))
	for i, v := range vs {
		us[i].op = o
		us[i].link(v)
		o.operands[i] = &us[i]
	}
}

// addResult appends a result.
func (o *op) addResult(t stablehlo.Type) *value {
	var v *value
	if o.results == nil {
		v, o.results = &o.result, o.one[:0]
	} else {
		v = new(value)
	}
	*v = value{typ: t, def: o, index: len(o.results)}
	o.results = append(o.results, v)
	return v
}

// insertBefore puts o, which is in no block, before at; at the end of b when at
// is nil.
func (b *block) insertBefore(o, at *op) {
	o.block = b
	if at == nil {
		o.prev, o.next = b.last, nil
		if b.last != nil {
			b.last.next = o
		} else {
			b.first = o
		}
		b.last = o
		return
	}
	o.prev, o.next = at.prev, at
	if at.prev != nil {
		at.prev.next = o
	} else {
		b.first = o
	}
	at.prev = o
}

// remove takes o out of its block.
func (o *op) remove() {
	b := o.block
	if o.prev != nil {
		o.prev.next = o.next
	} else {
		b.first = o.next
	}
	if o.next != nil {
		o.next.prev = o.prev
	} else {
		b.last = o.prev
	}
	o.block, o.prev, o.next = nil, nil, nil
}

// moveToFront puts o at the front of b.
func (o *op) moveToFront(b *block) {
	o.remove()
	b.insertBefore(o, b.first)
}

// addArg appends an argument.
func (b *block) addArg(t stablehlo.Type, loc *stablehlo.Loc) *value {
	v := &value{typ: t, owner: b, index: len(b.args), loc: loc}
	b.args = append(b.args, v)
	return v
}

// eraseArgs removes the arguments that drop names.
func (b *block) eraseArgs(drop func(int) bool) {
	var keep []*value
	for i, a := range b.args {
		if !drop(i) {
			a.index = len(keep)
			keep = append(keep, a)
		}
	}
	b.args = keep
}

// walk calls f for every op of the block, those of nested regions before the op
// that holds them. f may remove or move the op it gets.
func (b *block) walk(f func(*op)) {
	for o := b.first; o != nil; {
		next := o.next
		for _, r := range o.regions {
			r.walk(f)
		}
		f(o)
		o = next
	}
}

// replaceUses makes every use of v one of w.
func (v *value) replaceUses(w *value) {
	for v.uses != nil {
		v.uses.set(w)
	}
}

// drop removes o and all that is in it.
func (o *op) drop() {
	for _, r := range o.regions {
		r.walk(func(in *op) { in.setOperands(nil) })
	}
	o.setOperands(nil)
	o.remove()
}

// ops counts the operations of b.
func (b *block) ops() (n int) {
	for o := b.first; o != nil; o = o.next {
		n++
	}
	return n
}

// importFunc copies a function into the graph.
func importFunc(f *stablehlo.Func) (*fn, error) {
	im := importer{vals: make(map[*stablehlo.Value]*value, len(f.Body.Args)+len(f.Body.Ops))}
	b, err := im.block(f.Body, nil)
	if err != nil {
		return nil, fmt.Errorf("function %s: %w", f.Name, err)
	}
	return &fn{src: f, body: b}, nil
}

type importer struct {
	vals map[*stablehlo.Value]*value
}

func (im *importer) block(src *stablehlo.Block, parent *op) (*block, error) {
	b := &block{parent: parent}
	for _, a := range src.Args {
		im.vals[a] = b.addArg(a.Type, a.Loc)
	}
	for _, o := range src.Ops {
		n, err := im.op(o)
		if err != nil {
			return nil, err
		}
		b.insertBefore(n, nil)
	}
	return b, nil
}

func (im *importer) op(src *stablehlo.Op) (*op, error) {
	o := &op{name: src.Name, attrs: src.Attrs, frontend: src.FrontendAttributes, loc: src.Loc}
	vs := make([]*value, len(src.Operands))
	for i, v := range src.Operands {
		if vs[i] = im.vals[v]; vs[i] == nil {
			return nil, fmt.Errorf("%s: operand %d is not defined before it", src.Name, i)
		}
	}
	o.setOperands(vs)
	for _, r := range src.Regions {
		b, err := im.block(r, o)
		if err != nil {
			return nil, err
		}
		o.regions = append(o.regions, b)
	}
	for _, r := range src.Results {
		im.vals[r] = o.addResult(r.Type)
	}
	if src.Name == "stablehlo.constant" {
		d, ok := src.Attrs.Get("value").(*stablehlo.Dense)
		if !ok || len(o.results) != 1 {
			return nil, fmt.Errorf("constant without a value")
		}
		o.lit = d
	}
	return o, nil
}
