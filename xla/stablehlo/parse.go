package stablehlo

import (
	"fmt"
	"strings"
)

// ParseError says where a text could not be read.
type ParseError struct {
	Line, Col int // from 1
	Msg       string
}

func (e *ParseError) Error() string {
	return fmt.Sprintf("stablehlo text, line %d, column %d: %s", e.Line, e.Col, e.Msg)
}

// maxDepth bounds the nesting of regions, attributes and locations.
const maxDepth = 400

// Parse reads the text of a module, as [Module.Text] prints it or with debug
// locations. Errors are *ParseError.
func Parse(text string) (*Module, error) {
	p := &parser{src: text, values: map[string]*Value{}, locs: map[string]*locDef{}}
	p.scanAliases()
	m := p.module()
	if p.err == nil && p.pos < len(p.src) && p.peek() != 0 {
		p.fail("unexpected text after the module")
	}
	if p.err != nil {
		return nil, p.err
	}
	return m, nil
}

// parser reads the text by recursive descent. The first error sticks: it moves
// to the end of the text, so that every loop ends.
type parser struct {
	src    string
	pos    int
	err    error
	depth  int
	values map[string]*Value
	undo   []binding
	marks  []int
	locs   map[string]*locDef
	fixups []func() // of the op being read, once its location is known
}

// binding is what a name meant before a scope defined it anew.
type binding struct {
	name string
	old  *Value
}

// fail records the first error.
func (p *parser) fail(msg string) { p.failAt(p.pos, msg) }

func (p *parser) failAt(pos int, msg string) {
	if p.err != nil {
		return
	}
	pos = min(pos, len(p.src))
	before := p.src[:pos]
	line := strings.Count(before, "\n") + 1
	p.err = &ParseError{Line: line, Col: pos - strings.LastIndexByte(before, '\n'), Msg: msg}
	p.pos = len(p.src)
}

// down enters one level of nesting.
func (p *parser) down() bool {
	p.depth++
	if p.depth > maxDepth {
		p.fail(fmt.Sprintf("nested deeper than %d levels", maxDepth))
		return false
	}
	return true
}

func (p *parser) up() { p.depth-- }

// space skips white space and comments.
func (p *parser) space() {
	for p.pos < len(p.src) {
		switch c := p.src[p.pos]; {
		case c == ' ' || c == '\n' || c == '\t' || c == '\r':
			p.pos++
		case strings.HasPrefix(p.src[p.pos:], "//"):
			p.pos = lineEnd(p.src, p.pos)
		default:
			return
		}
	}
}

// lineEnd is the place of the next line break or the text's end.
func lineEnd(s string, from int) int {
	if n := strings.IndexByte(s[from:], '\n'); n >= 0 {
		return from + n
	}
	return len(s)
}

// peek gives the next character that is not space; 0 at the end.
func (p *parser) peek() byte {
	p.space()
	if p.pos >= len(p.src) {
		return 0
	}
	return p.src[p.pos]
}

// accept skips c if it is next.
func (p *parser) accept(c byte) bool {
	if p.peek() != c {
		return false
	}
	p.pos++
	return true
}

func (p *parser) expect(c byte) {
	if !p.accept(c) {
		p.fail(fmt.Sprintf("expected %q", string(c)))
	}
}

// acceptLit skips the text s if it is next.
func (p *parser) acceptLit(s string) bool {
	p.space()
	if !strings.HasPrefix(p.src[p.pos:], s) {
		return false
	}
	p.pos += len(s)
	return true
}

func (p *parser) expectLit(s string) {
	if !p.acceptLit(s) {
		p.fail(fmt.Sprintf("expected %q", s))
	}
}

// acceptWord skips the word s if it is next and ends there.
func (p *parser) acceptWord(s string) bool {
	p.space()
	rest := p.src[p.pos:]
	if !strings.HasPrefix(rest, s) || len(rest) > len(s) && isIDChar(rest[len(s)]) {
		return false
	}
	p.pos += len(s)
	return true
}

// word takes letters, digits and underscores; it may be empty.
func (p *parser) word() string {
	p.space()
	start := p.pos
	for p.pos < len(p.src) && isIDChar(p.src[p.pos]) && p.src[p.pos] != '.' && p.src[p.pos] != '$' {
		p.pos++
	}
	return p.src[start:p.pos]
}

// ident is a word that must be there.
func (p *parser) ident() string {
	s := p.word()
	if s == "" {
		p.fail("expected a name")
	}
	return s
}

// dotted is a name with dots such as stablehlo.add.
func (p *parser) dotted() string {
	p.space()
	start := p.pos
	for p.pos < len(p.src) && isIDChar(p.src[p.pos]) {
		p.pos++
	}
	if p.pos == start {
		p.fail("expected a name")
	}
	return p.src[start:p.pos]
}

// list reads items between open and end with commas between them.
func (p *parser) list(open, end byte, item func()) {
	p.expect(open)
	if p.accept(end) {
		return
	}
	for p.err == nil {
		item()
		if !p.accept(',') {
			break
		}
	}
	p.expect(end)
}

// quoted reads a string in quotes with MLIR's escapes.
func (p *parser) quoted() string {
	p.expect('"')
	start := p.pos
	for p.pos < len(p.src) && p.src[p.pos] != '"' {
		if p.src[p.pos] == '\n' {
			break
		}
		if p.src[p.pos] == '\\' {
			p.pos++
		}
		p.pos++
	}
	if p.pos >= len(p.src) || p.src[p.pos] != '"' {
		p.failAt(start-1, "string without end")
		return ""
	}
	s := p.src[start:p.pos]
	p.pos++
	return unescape(s)
}

func unescape(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var b []byte
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 >= len(s) {
			b = append(b, s[i])
			continue
		}
		i++
		if i+1 < len(s) && hexDigit(s[i]) >= 0 && hexDigit(s[i+1]) >= 0 {
			b = append(b, byte(hexDigit(s[i])<<4|hexDigit(s[i+1])))
			i++
			continue
		}
		switch s[i] {
		case 'n':
			b = append(b, '\n')
		case 't':
			b = append(b, '\t')
		default:
			b = append(b, s[i])
		}
	}
	return string(b)
}

func hexDigit(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

// symbol reads @name or @"name".
func (p *parser) symbol() string {
	p.expect('@')
	if p.pos < len(p.src) && p.src[p.pos] == '"' {
		return p.quoted()
	}
	return p.dotted()
}

// module reads a module, or functions without one, as MLIR's parser does.
func (p *parser) module() *Module {
	m := &Module{}
	if !p.acceptWord("module") {
		for first := true; p.err == nil && (first || p.peek() != 0 && p.peek() != '#'); first = false {
			p.member(m, `expected "module" or func.func`)
		}
		p.skipAliases()
		return m
	}
	if p.peek() == '@' {
		m.Name = p.symbol()
	}
	if p.acceptWord("attributes") {
		m.Attrs = p.dictionary()
	}
	p.expect('{')
	for p.err == nil && !p.accept('}') {
		p.member(m, "expected func.func or sdy.mesh")
	}
	m.Loc = p.optLoc()
	p.skipAliases()
	return m
}

// member reads what stands in a module.
func (p *parser) member(m *Module, expected string) {
	switch {
	case p.acceptWord("func.func"):
		m.Funcs = append(m.Funcs, p.function())
	case p.acceptWord("sdy.mesh"):
		m.Meshes = append(m.Meshes, p.mesh())
	default:
		p.fail(expected)
	}
}

func (p *parser) mesh() *Mesh {
	d := &Mesh{Name: p.symbol()}
	p.expect('=')
	if s := p.balanced(); len(s) >= 2 {
		d.Text = s[1 : len(s)-1]
	}
	if p.peek() == '{' {
		d.Attrs = p.dictionary()
	}
	d.Loc = p.optLoc()
	return d
}

func (p *parser) function() *Func {
	f := &Func{Body: &Block{}}
	f.Body.fn = f
	f.Public = p.acceptWord("public")
	f.Private = !f.Public && p.acceptWord("private")
	f.Name = p.symbol()
	p.enter()
	p.list('(', ')', func() {
		name, t, attrs, loc := p.funcArgument()
		v := f.AddArg(t, nil)
		p.define(name, v, loc)
		if len(attrs) > 0 {
			f.ArgAttrs = append(f.ArgAttrs, make([]Attrs, v.Index+1-len(f.ArgAttrs))...)
			f.ArgAttrs[v.Index] = attrs
		}
	})
	if p.acceptLit("->") {
		p.funcResults(f)
	}
	if p.acceptWord("attributes") {
		f.Attrs = p.dictionary()
	}
	p.expect('{')
	p.blockBody(f.Body)
	p.leave()
	f.Loc = p.optLoc()
	return f
}

func (p *parser) funcArgument() (string, Type, Attrs, *Loc) {
	name := p.valueName()
	p.expect(':')
	t := p.typ()
	var a Attrs
	if p.peek() == '{' {
		a = p.dictionary()
	}
	return name, t, a, p.optLoc()
}

func (p *parser) funcResults(f *Func) {
	if p.peek() != '(' {
		f.Results = []Type{p.typ()}
		return
	}
	p.list('(', ')', func() {
		f.Results = append(f.Results, p.typ())
		if p.peek() == '{' {
			f.ResultAttrs = append(f.ResultAttrs, make([]Attrs, len(f.Results)-len(f.ResultAttrs))...)
			f.ResultAttrs[len(f.Results)-1] = p.dictionary()
		}
	})
}

// enter opens a scope of value names.
func (p *parser) enter() { p.marks = append(p.marks, len(p.undo)) }

// leave closes it and forgets its names.
func (p *parser) leave() {
	mark := p.marks[len(p.marks)-1]
	p.marks = p.marks[:len(p.marks)-1]
	for i := len(p.undo) - 1; i >= mark; i-- {
		if b := p.undo[i]; b.old == nil {
			delete(p.values, b.name)
		} else {
			p.values[b.name] = b.old
		}
	}
	p.undo = p.undo[:mark]
}

// define gives a name to a value, and a block argument its location.
func (p *parser) define(name string, v *Value, loc *Loc) {
	p.undo = append(p.undo, binding{name, p.values[name]})
	p.values[name] = v
	if loc != nil {
		v.Loc = loc
	}
}

func (p *parser) newRegion(o *Op) *Block {
	r := &Block{Parent: o}
	o.Regions = append(o.Regions, r)
	return r
}

// argument reads %name: type loc(...).
func (p *parser) argument() (string, Type, *Loc) {
	name := p.valueName()
	p.expect(':')
	t := p.typ()
	return name, t, p.optLoc()
}

// blockBody reads ops up to the closing brace, which it takes.
func (p *parser) blockBody(b *Block) {
	if p.acceptLit("^") {
		p.ident()
		p.list('(', ')', func() {
			n, t, l := p.argument()
			p.define(n, b.AddArg(t, nil), l)
		})
		p.expect(':')
	}
	if !p.down() {
		return
	}
	for p.err == nil && !p.accept('}') {
		p.op(b)
	}
	p.up()
}
