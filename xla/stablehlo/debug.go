package stablehlo

import (
	"sort"
	"strconv"
)

// DebugText prints the module with locations, as JAX's
// Lowered.as_text(debug_info=True) does.
func (m *Module) DebugText() string {
	p := &printer{names: map[*Value]string{}, used: map[string]bool{}, locs: newLocTable()}
	p.locs.visitModule(m)
	p.locs.number()
	p.locs.definitions(&p.buf, false)
	p.module(m)
	p.locs.definitions(&p.buf, true)
	return string(p.buf)
}

// locTable numbers the locations of a module as MLIR's AliasInitializer does:
// by depth, then by first visit. Those of block arguments are defined before
// the module, the others after it.
type locTable struct {
	nodes map[string]*mlirLoc // by text with children written out
	order []*mlirLoc
}

// mlirLoc is one location of MLIR: a name over a child, a file range, a call
// site or the unknown location.
type mlirLoc struct {
	name          string
	isName        bool
	child, caller *mlirLoc
	file          *Frame
	key           string
	depth         int
	deferred      bool
	alias         string
}

func newLocTable() *locTable { return &locTable{nodes: map[string]*mlirLoc{}} }

// node makes the MLIR location of l. Equal locations are one node.
func (t *locTable) node(l *Loc) *mlirLoc {
	if l == nil {
		return t.intern(&mlirLoc{key: "unknown"})
	}
	n := t.stack(l.Frame)
	if l.Name != "" || n == nil {
		n = t.named(l.Name, n)
	}
	if l.Type != "" {
		n = t.named(l.Type+":", n)
	}
	return n
}

// stack makes the call sites of a stack: each frame, or group of frames, at
// those below it.
func (t *locTable) stack(f *Frame) *mlirLoc {
	if f == nil {
		return nil
	}
	g := grouped{table: t, next: f, open: f.Open}
	return g.expr()
}

// grouped reads frames with their groups, as an expression with parentheses.
type grouped struct {
	table *locTable
	next  *Frame
	open  int // groups still to be opened at next
	shut  int // groups that the frame read last closes
}

// expr reads up to the end of the group or of the stack.
func (g *grouped) expr() *mlirLoc {
	callee := g.atom()
	if g.shut > 0 || g.next == nil {
		return callee
	}
	return g.table.callSite(callee, g.expr())
}

// atom reads a frame or a group.
func (g *grouped) atom() *mlirLoc {
	if g.open > 0 {
		g.open--
		n := g.expr()
		g.shut = max(0, g.shut-1)
		return n
	}
	f := g.next
	g.next, g.shut = f.Caller, f.Close
	if g.next != nil {
		g.open = g.next.Open
	}
	return g.table.frame(f)
}

func (t *locTable) frame(f *Frame) *mlirLoc {
	n := t.intern(&mlirLoc{file: f, key: string(appendFileLoc(nil, f))})
	if f.Func != "" {
		n = t.named(f.Func, n)
	}
	return n
}

func (t *locTable) callSite(callee, caller *mlirLoc) *mlirLoc {
	if caller == nil {
		return callee
	}
	return t.intern(&mlirLoc{child: callee, caller: caller, key: "callsite(" + callee.key + " at " + caller.key + ")"})
}

func (t *locTable) named(name string, child *mlirLoc) *mlirLoc {
	n := &mlirLoc{name: name, isName: true, child: child, key: string(appendQuoted(nil, name))}
	if child != nil {
		n.key += "(" + child.key + ")"
	}
	return t.intern(n)
}

func (t *locTable) intern(n *mlirLoc) *mlirLoc {
	if old := t.nodes[n.key]; old != nil {
		return old
	}
	n.deferred = true
	n.depth = -1
	t.nodes[n.key] = n
	return n
}

// visit enters a location, then its children.
func (t *locTable) visit(n *mlirLoc, deferred bool) {
	if n == nil {
		return
	}
	seen := n.depth >= 0
	if seen && (deferred || !n.deferred) {
		return
	}
	if !deferred {
		n.deferred = false
	}
	if !seen {
		n.depth = 0
		t.order = append(t.order, n)
	}
	for _, c := range []*mlirLoc{n.child, n.caller} {
		t.visit(c, deferred)
		if c != nil {
			n.depth = max(n.depth, c.depth+1)
		}
	}
}

func (t *locTable) visitModule(m *Module) {
	t.visit(t.node(m.Loc), true)
	for _, d := range m.Meshes {
		t.visit(t.node(d.Loc), true)
	}
	for _, f := range m.Funcs {
		t.visit(t.node(f.Loc), true)
		for _, a := range f.Body.Args {
			t.visit(t.node(a.Loc), false)
		}
		t.visitBlock(f.Body)
	}
}

func (t *locTable) visitBlock(b *Block) {
	for _, o := range b.Ops {
		t.visit(t.node(o.Loc), true)
		if o.Name == "stablehlo.reduce" && compactReducer(o) != nil {
			continue
		}
		for _, r := range o.Regions {
			if o.Name != "stablehlo.while" { // its arguments print without locations
				for _, a := range r.Args {
					t.visit(t.node(a.Loc), false)
				}
			}
			t.visitBlock(r)
		}
	}
}

func (t *locTable) number() {
	sort.SliceStable(t.order, func(i, j int) bool { return t.order[i].depth < t.order[j].depth })
	for i, n := range t.order {
		n.alias = "#loc"
		if i > 0 {
			n.alias += strconv.Itoa(i)
		}
	}
}

// definitions appends the lines that define the aliases.
func (t *locTable) definitions(buf *[]byte, deferred bool) {
	for _, n := range t.order {
		if n.deferred == deferred {
			*buf = append(*buf, n.alias+" = loc("...)
			*buf = append(n.append(*buf), ")\n"...)
		}
	}
}

// append appends a location whose children are aliases.
func (n *mlirLoc) append(buf []byte) []byte {
	switch {
	case n.file != nil:
		return appendFileLoc(buf, n.file)
	case n.caller != nil:
		buf = append(buf, "callsite("+n.child.alias+" at "...)
		return append(append(buf, n.caller.alias...), ')')
	case n.isName:
		buf = appendQuoted(buf, n.name)
		if n.child != nil {
			buf = append(buf, "("+n.child.alias+")"...)
		}
		return buf
	}
	return append(buf, "unknown"...)
}

// appendFileLoc appends "cell.py":2:9 to :19.
func appendFileLoc(buf []byte, f *Frame) []byte {
	buf = appendQuoted(buf, f.File)
	buf = strconv.AppendInt(append(buf, ':'), int64(f.Line), 10)
	buf = strconv.AppendInt(append(buf, ':'), int64(f.Col), 10)
	if f.EndLine == f.Line && f.EndCol == f.Col {
		return buf
	}
	buf = append(buf, " to "...)
	if f.EndLine != f.Line {
		buf = strconv.AppendInt(buf, int64(f.EndLine), 10)
	}
	return strconv.AppendInt(append(buf, ':'), int64(f.EndCol), 10)
}

// loc prints the alias of an op's location, when locations are printed.
func (p *printer) loc(l *Loc) {
	if p.locs != nil {
		p.str(" loc(" + p.locs.node(l).alias + ")")
	}
}

// argLoc prints a block argument's location, of which only the inner parts are
// aliases.
func (p *printer) argLoc(l *Loc) {
	if p.locs != nil {
		p.str(" loc(")
		p.buf = append(p.locs.node(l).append(p.buf), ')')
	}
}
