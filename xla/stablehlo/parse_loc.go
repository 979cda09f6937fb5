package stablehlo

import "strings"

// locDef is the definition of a location alias, read when it is first used.
type locDef struct {
	pos  int // of what stands between loc( and )
	loc  *locNode
	busy bool
}

// locNode is a location as MLIR has it: a name over another, a call site, a
// file range, several fused, or unknown.
type locNode struct {
	name   string   // of a name location
	child  *locNode // of a name location; the callee of a call site
	caller *locNode // of a call site
	file   *Frame   // of a file location
	fused  []*locNode
	out    *Loc // the Loc it becomes, once asked for
	done   bool
}

// scanAliases finds the #loc definitions, which stand at the start of a line.
func (p *parser) scanAliases() {
	for pos := 0; pos < len(p.src); pos = lineEnd(p.src, pos) + 1 {
		line := p.src[pos:lineEnd(p.src, pos)]
		if !strings.HasPrefix(line, "#loc") {
			continue
		}
		name, _, ok := strings.Cut(line, " = loc(")
		if ok {
			p.locs[name] = &locDef{pos: pos + len(name) + len(" = loc(")}
		}
	}
	p.skipAliases()
}

// skipAliases moves past lines of definitions.
func (p *parser) skipAliases() {
	for p.peek() == '#' {
		p.pos = lineEnd(p.src, p.pos)
	}
}

// optLoc reads loc(...) if it is next; nil is an unknown location.
func (p *parser) optLoc() *Loc {
	if !p.acceptLit("loc(") {
		return nil
	}
	n := p.locBody()
	p.expect(')')
	return n.toLoc()
}

// locBody reads what stands in loc( ).
func (p *parser) locBody() *locNode {
	if !p.down() {
		return nil
	}
	defer p.up()
	switch c := p.peek(); {
	case c == '#':
		p.pos++
		return p.alias("#" + p.dotted())
	case c == '"':
		return p.nameOrFile()
	case p.acceptWord("unknown"):
		return nil
	case p.acceptLit("callsite("):
		n := &locNode{child: p.locBody()}
		p.expectLit("at")
		n.caller = p.locBody()
		p.expect(')')
		return n
	case p.acceptLit("fused"):
		if p.peek() == '<' {
			p.balanced()
		}
		n := &locNode{fused: []*locNode{}}
		p.list('[', ']', func() { n.fused = append(n.fused, p.locBody()) })
		return n
	}
	p.fail("expected a location")
	return nil
}

// alias gives the location of an alias, reading its definition at first use.
func (p *parser) alias(name string) *locNode {
	d := p.locs[name]
	if d == nil || d.busy {
		p.fail("location " + name + " is not defined")
		return nil
	}
	if d.pos >= 0 {
		save := p.pos
		d.busy = true
		p.pos, d.pos = d.pos, -1
		d.loc = p.locBody()
		d.busy = false
		if p.err == nil {
			p.pos = save
		}
	}
	return d.loc
}

// nameOrFile reads "name", "name"(child), "file":1:2 or "file":1:2 to :3.
func (p *parser) nameOrFile() *locNode {
	s := p.quoted()
	if p.accept('(') {
		n := &locNode{name: s, child: p.locBody()}
		p.expect(')')
		return n
	}
	if p.peek() != ':' {
		return &locNode{name: s}
	}
	f := &Frame{File: s}
	p.expect(':')
	f.Line = int(p.integer())
	p.expect(':')
	f.Col = int(p.integer())
	f.EndLine, f.EndCol = f.Line, f.Col
	if p.acceptWord("to") {
		if p.peek() != ':' {
			f.EndLine = int(p.integer())
		}
		p.expect(':')
		f.EndCol = int(p.integer())
	}
	return &locNode{file: f}
}

// toLoc turns a location of JAX's form, a name over stack frames, into a Loc.
func (n *locNode) toLoc() *Loc {
	if n == nil {
		return nil
	}
	if !n.done {
		n.done = true
		n.out = n.makeLoc()
	}
	return n.out
}

func (n *locNode) makeLoc() *Loc {
	switch {
	case n.fused != nil:
		l := &Loc{Fused: []*Loc{}}
		for _, f := range n.fused {
			l.Fused = append(l.Fused, f.toLoc())
		}
		return l
	case strings.HasSuffix(n.name, ":") && n.child != nil:
		l := Loc{}
		if c := n.child.toLoc(); c != nil {
			l = *c
		}
		l.Type = strings.TrimSuffix(n.name, ":")
		return &l
	case n.name != "" && (n.child == nil || n.child.file == nil):
		return &Loc{Name: n.name, Frame: n.child.frames(nil)}
	}
	return &Loc{Frame: n.frames(nil)}
}

// frames gives the stack of a location, innermost first, on top of caller.
func (n *locNode) frames(caller *Frame) *Frame {
	switch {
	case n == nil:
		return caller
	case n.file != nil:
		f := *n.file
		f.Caller = caller
		return &f
	case n.caller != nil:
		below := n.caller.frames(caller)
		if n.child == nil || n.child.caller == nil {
			return n.child.frames(below)
		}
		return n.child.frames(nil).Under(below)
	case n.name != "":
		f := n.child.frames(caller)
		if f != nil && f != caller {
			f.Func = n.name
		}
		return f
	}
	return n.child.frames(caller)
}
