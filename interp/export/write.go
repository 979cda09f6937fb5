package export

import (
	"fmt"
	"go/ast"
	"go/token"
	"strings"
)

// write writes main.go.
func (x *exporter) write() (string, error) {
	var b strings.Builder
	x.out = &mapped{b: &b}
	cells := x.names.importName(cellsPath, "cells")
	x.names.effect(pjrtPath)
	var runs strings.Builder
	for _, c := range x.cells {
		x.cell(c)
		may := ""
		if c.mayFail {
			may = ", MayFail: true"
		}
		fmt.Fprintf(&runs, "\t\t%s.Cell{N: %d, Body: %s%s},\n", cells, c.n, x.cellFunc(c), may)
	}
	text := "// " + generated + "\n\npackage main\n\n" + x.names.decl() + "\nfunc main() {\n\t" + cells + ".Run(\n" + runs.String() + "\t)\n}\n" + b.String()
	return x.finish(text)
}

const generated = "A notebook as a Go program, written by gopherlo export."

// cellFunc is the name of a cell's function.
func (x *exporter) cellFunc(c *exported) string {
	if c.fn == "" {
		c.fn = x.names.plain(fmt.Sprintf("cell%d", c.n))
	}
	return c.fn
}

// cell writes the declarations and the function of a cell.
func (x *exporter) cell(c *exported) {
	out := x.out
	out.write("\n")
	for line := range strings.Lines(strings.TrimSpace(c.before)) {
		out.write(strings.TrimRight("// "+strings.TrimRight(line, "\r\n"), " ") + "\n")
	}
	if c.before != "" {
		out.write("\n")
	}
	fn := x.cellFunc(c)
	body := &cellBody{x: x, c: c}
	var inits []string
	for _, p := range c.pieces {
		if p.res != nil {
			inits = append(inits, body.declare(p))
		} else {
			inits = append(inits, "")
		}
	}
	out.write(body.vars())
	out.write(fmt.Sprintf("func %s() {\n", fn))
	if c.timed {
		body.start()
	}
	for i, p := range c.pieces {
		body.piece(p, inits[i])
	}
	body.stop()
	out.write("}\n")
}

// cellBody writes the parts of one cell.
type cellBody struct {
	x       *exporter
	c       *exported
	globals []string // package variables, "name type"
	inits   []string // init functions of the piece that have not been called
	timer   string   // the variable that ends a time measurement, "" for none
}

// start starts the measurement of %time and %%time.
func (b *cellBody) start() {
	b.timer = b.x.names.plain("timed")
	b.x.out.write("\t" + b.timer + " := " + b.x.names.importName(cellsPath, "cells") + ".Time()\n")
}

// stop ends it.
func (b *cellBody) stop() {
	if b.timer != "" {
		b.x.out.write("\t" + b.timer + "()\n")
		b.timer = ""
	}
}

// vars writes the declaration of the package variables.
func (b *cellBody) vars() string {
	switch len(b.globals) {
	case 0:
		return ""
	case 1:
		return "var " + b.globals[0] + "\n\n"
	}
	return formatted("var (\n\t" + strings.Join(b.globals, "\n\t") + "\n)\n\n")
}

// global declares a package variable once.
func (b *cellBody) global(key, name, typ string) (first bool) {
	if b.x.globals[key] {
		return false
	}
	b.x.globals[key] = true
	b.globals = append(b.globals, name+" "+typ)
	return true
}

// declare writes what a piece declares: functions, types, constants. It gives
// the statements that set the functions which have several versions.
func (b *cellBody) declare(p *piece) (sets string) {
	x := b.x
	p.rw = newRewriter(x, p)
	p.texts = newTexts(x.fset, p)
	type decl struct {
		pos   token.Pos
		write func()
	}
	for _, sym := range p.res.NewVars() {
		b.global("var "+sym.Emit, x.names.sym(sym), x.names.typ(p, sym.Obj.Type()))
	}
	var list []decl
	for _, f := range p.cell.Funcs {
		list = append(list, decl{f.Pos(), func() { sets += b.function(p, f) }})
	}
	for _, s := range p.cell.Stmts {
		if ds, ok := s.(*ast.DeclStmt); ok && ds.Decl.(*ast.GenDecl).Tok != token.VAR {
			list = append(list, decl{s.Pos(), func() { b.genDecl(p, ds.Decl.(*ast.GenDecl)) }})
		}
	}
	sortBy(list, func(d decl) int { return p.cell.Offset(d.pos) })
	for _, d := range list {
		d.write()
	}
	return sets
}

// genDecl writes a declaration of types or constants, without the types that
// stay those of an earlier cell.
func (b *cellBody) genDecl(p *piece, d *ast.GenDecl) {
	from := d.Pos()
	if d.Tok == token.TYPE {
		var specs []ast.Spec
		for _, s := range d.Specs {
			for _, sym := range p.res.Types {
				if sym.Spec == s || s.(*ast.TypeSpec).Name.Name == "_" {
					specs = append(specs, s)
					break
				}
			}
		}
		if len(specs) == 0 {
			return
		}
		d.Specs = specs
	}
	d = p.rw.node(d).(*ast.GenDecl)
	b.write(p, d, from)
}

// write writes a declaration at its lines, with the comments above it.
func (b *cellBody) write(p *piece, n ast.Node, from token.Pos) {
	out, part := b.x.out, p.cell.Offset(from)
	for _, c := range p.texts.above(part) {
		out.write(c.text + "\n")
	}
	line, _ := p.cell.Position(from)
	out.at(p.cell.N, line)
	out.write(p.texts.node(n, from) + p.texts.behind(part) + "\n\n")
}

// piece writes the statements of a piece, or what a magic became.
func (b *cellBody) piece(p *piece, sets string) {
	x := b.x
	cells := x.names.importName(cellsPath, "cells")
	if p.res == nil {
		x.out.write(indent(strings.ReplaceAll(p.code, "‹cells›", cells)))
		return
	}
	x.out.write(sets)
	for _, note := range p.res.Notes {
		x.out.write(fmt.Sprintf("\t%s.Note(%q)\n", cells, note))
	}
	switch p.wrap {
	case "Timeit":
		b.timeit(p, cells)
	case "Time":
		b.start()
		b.statements(p, p.res.Stmts)
		b.stop()
	default:
		b.statements(p, p.res.Stmts)
	}
}

// timeit writes the body of the loop that %timeit runs.
func (b *cellBody) timeit(p *piece, cells string) {
	if len(p.res.Stmts) != 1 {
		return
	}
	loop, ok := p.res.Stmts[0].(*ast.RangeStmt)
	if !ok || len(loop.Body.List) == 0 {
		return
	}
	line, _ := p.cell.Position(loop.Body.List[0].Pos())
	loop = p.rw.node(loop).(*ast.RangeStmt)
	text, _ := p.texts.print(loop.Body)
	text = strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(text, "{"), "}"))
	call := ".Timeit"
	if t := p.timing; t.Loops > 0 || t.Runs > 0 {
		call = fmt.Sprintf(".Timing{Loops: %d, Runs: %d}.Timeit", t.Loops, t.Runs)
	}
	out := b.x.out
	out.write("\t" + cells + call + "(func() {\n")
	out.at(p.cell.N, line)
	out.write(text + "\n\t})\n")
}

// statements writes the statements that run.
func (b *cellBody) statements(p *piece, stmts []ast.Stmt) {
	for i, s := range stmts {
		if len(p.res.Vars(i)) == 0 {
			b.runInits()
		}
		b.statement(p, i, s)
	}
	b.runInits()
	b.comments(p, -1)
}

// runInits calls the cell's init functions, once the variables declared first
// have their values.
func (b *cellBody) runInits() {
	for _, name := range b.inits {
		b.x.out.write("\t" + name + "()\n")
	}
	b.inits = nil
}

// comments writes the comments above a statement.
func (b *cellBody) comments(p *piece, part int) {
	for _, c := range p.texts.above(part) {
		b.x.out.at(p.cell.N, 1+strings.Count(p.cell.Go[:c.from], "\n"))
		b.x.out.write(indent(c.text))
	}
}

// statement writes one statement of the cell.
func (b *cellBody) statement(p *piece, i int, s ast.Stmt) {
	from := s.Pos()
	part := p.cell.Offset(from)
	var list []ast.Stmt
	if p.res.Tail != nil && i == len(p.res.Stmts)-1 {
		list = b.tail(p)
	} else {
		list = b.topLevel(p, s)
	}
	for _, sym := range p.res.Vars(i) {
		b.x.assigned[sym.Emit] = true
	}
	out := b.x.out
	b.comments(p, part)
	last := 0
	for k, s := range list {
		if line, _ := p.cell.Position(s.Pos()); line != last {
			out.at(p.cell.N, line)
			last = line
		}
		s = p.rw.node(s).(ast.Stmt)
		text := p.texts.node(s, from)
		if k == len(list)-1 {
			text += p.texts.behind(part)
		}
		out.write(indent(text))
	}
}
