package cell

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"slices"
	"sort"
	"strings"
)

// Cell is one parsed cell. Positions of its nodes are resolved by Position.
type Cell struct {
	N      int    // the cell's number, for messages
	Text   string // as typed
	Go     string // as typed, magic lines blanked; same length
	Magics []Magic

	Imports []*ast.ImportSpec
	Funcs   []*ast.FuncDecl
	Stmts   []ast.Stmt // top-level statements and declarations, in order
	// Tail is the last statement when it is an expression whose value the cell
	// shows; it is also the last of Stmts.
	Tail *ast.ExprStmt
	// Free are the identifiers of Stmts that go/parser did not resolve within
	// them: names of earlier cells, packages, functions, predeclared names.
	Free []*ast.Ident

	// JitOptions is the literal, braces included, of compiler options for every
	// jit of the cell; "" without.
	JitOptions string

	// Wrong are mistakes in the text behind which it can still be checked.
	Wrong Errors

	fset  *token.FileSet
	parts []part
	moved []Moved
	loose bool // keep what can be parsed
	extra int  // see regions
	// comments are those that may document a declaration, nil before one is asked for.
	comments []commentGroup
}

// part is one masked copy of the text in the file set.
type part struct {
	file   *token.File
	prefix int
}

// Error is a mistake in a cell at a position of the text as typed.
type Error struct {
	Line, Col int // from 1; Col counts bytes
	Msg       string
}

func (e Error) Error() string { return fmt.Sprintf("line %d:%d: %s", e.Line, e.Col, e.Msg) }

// Errors are all mistakes of one cell in order of position.
type Errors []Error

func (es Errors) Error() string {
	lines := make([]string, len(es))
	for i, e := range es {
		lines[i] = e.Error()
	}
	return strings.Join(lines, "\n")
}

// Sort orders the errors by position and drops repeats.
func (es Errors) Sort() Errors {
	sort.SliceStable(es, func(i, j int) bool {
		if es[i].Line != es[j].Line {
			return es[i].Line < es[j].Line
		}
		return es[i].Col < es[j].Col
	})
	kept := es[:0]
	for i, e := range es {
		if i == 0 || e != kept[len(kept)-1] {
			kept = append(kept, e)
		}
	}
	return kept
}

const (
	declPrefix = "package p;"
	stmtPrefix = "package p;func _(){"
)

// Parse parses a cell. All syntax errors are returned; a cell with errors is
// not usable, but one with Wrong can be checked for more.
func Parse(fset *token.FileSet, n int, text string) (*Cell, Errors) {
	return parseCell(&Cell{N: n, Text: text, fset: fset})
}

func parseCell(c *Cell) (*Cell, Errors) {
	text := c.Text
	if after, ok := strings.CutPrefix(text, "\ufeff"); ok {
		text = "   " + after // a byte order mark; offsets stay
	}
	c.Go, c.Magics = ExtractMagics(text)
	var s scans
	r := splitTokens(s.of(c.Go), c.Go)
	c.extra = r.extra
	if c.loose {
		if c.extra >= 0 {
			return c, Errors{{1, 1, extraMessage(c.Go[c.extra])}}
		}
		errs := c.read(c.Go, r)
		c.finish(r)
		return c, errs
	}
	f := c.look(&s)
	if f.Hard() {
		return c, f.errs
	}
	f.errs = append(f.errs, f.wrong(c.Go)...)
	if errs := c.read(f.mended(c.Go), r); len(errs) > 0 {
		if f.errs = f.errs.Sort(); len(f.errs) == 0 {
			f.errs = errs.Sort()
		}
		return c, f.errs
	}
	if len(f.errs) > 0 {
		c.mend(f)
		c.Wrong = f.errs.Sort()
	}
	c.finish(r)
	return c, c.Wrong
}

// read parses the regions of the text.
func (c *Cell) read(text string, r regions) (errs Errors) {
	if len(r.imports) > 0 {
		if f := c.parse(declPrefix, mask(text, r.imports, true), "", &errs); f != nil {
			c.Imports = f.Imports
		}
	}
	if len(r.funcs) > 0 {
		if f := c.parse(declPrefix, mask(text, r.funcs, true), "", &errs); f != nil {
			for _, d := range f.Decls {
				if fd, ok := d.(*ast.FuncDecl); ok {
					c.Funcs = append(c.Funcs, fd)
				}
			}
		}
	}
	rest := mask(text, append(append([]region{}, r.imports...), r.funcs...), false)
	if strings.TrimSpace(rest) == "" {
		return errs
	}
	if f := c.parse(stmtPrefix, rest, "\n}", &errs); f != nil && len(f.Decls) > 0 {
		if fd, ok := f.Decls[len(f.Decls)-1].(*ast.FuncDecl); ok && fd.Body != nil {
			c.Stmts = slices.DeleteFunc(fd.Body.List, isEmpty)
			c.Free = f.Unresolved
		}
	}
	return errs
}

func (c *Cell) finish(r regions) {
	c.orderVars()
	c.findTail(r)
}

func isEmpty(s ast.Stmt) bool {
	_, ok := s.(*ast.EmptyStmt)
	return ok
}

func (c *Cell) findTail(r regions) {
	if len(c.Stmts) == 0 {
		return
	}
	s, ok := c.Stmts[len(c.Stmts)-1].(*ast.ExprStmt)
	switch {
	case !ok:
	case r.semi:
		c.Stmts[len(c.Stmts)-1] = used(s)
	case c.Offset(s.End()) >= r.end:
		c.Tail = s
	}
}

// used makes a statement of an expression that is none in Go, such as "x;",
// whose value is not shown.
func used(s *ast.ExprStmt) ast.Stmt {
	switch x := ast.Unparen(s.X).(type) {
	case *ast.CallExpr:
		return s
	case *ast.UnaryExpr:
		if x.Op == token.ARROW {
			return s
		}
	}
	blank := &ast.Ident{NamePos: s.Pos(), Name: "_"}
	return &ast.AssignStmt{Lhs: []ast.Expr{blank}, TokPos: s.Pos(), Tok: token.ASSIGN, Rhs: []ast.Expr{s.X}}
}

// parse parses one masked copy and adds its errors.
func (c *Cell) parse(prefix, masked, suffix string, errs *Errors) *ast.File {
	f, err := parser.ParseFile(c.fset, fmt.Sprintf("cell-%d.go", c.N), prefix+masked+suffix, parser.AllErrors)
	// FileStart, not the set's base before: other cells may be parsed meanwhile.
	if file := c.fset.File(f.FileStart); file != nil {
		c.parts = append(c.parts, part{file, len(prefix)})
	}
	list, ok := err.(scanner.ErrorList)
	if err != nil && !ok {
		*errs = append(*errs, Error{1, 1, err.Error()})
	}
	for _, e := range list {
		off := min(max(e.Pos.Offset-len(prefix), 0), len(strings.TrimRight(c.Go, " \t\r\n")))
		line, col := lineCol(c.Go, off)
		*errs = append(*errs, Error{line, col, e.Msg})
	}
	if err != nil && !c.loose {
		return nil
	}
	return f
}

// Offset is the byte offset of a position in the cell's text, or -1 when the
// node is not of this cell.
func (c *Cell) Offset(pos token.Pos) int {
	for _, p := range c.parts {
		if base := p.file.Base(); int(pos) >= base && int(pos) <= base+p.file.Size() {
			return min(max(int(pos)-base-p.prefix, 0), len(c.Go))
		}
	}
	return -1
}

// Position is the line and the column of a position, both from 1.
func (c *Cell) Position(pos token.Pos) (line, col int) {
	off := c.Offset(pos)
	if off < 0 {
		return 0, 0
	}
	return c.place(off)
}

// Moved is a part of the text, between two offsets, that the user has typed at
// another place.
type Moved struct{ From, To, Line, Col int }

// Move says where parts of a cell stand that was made of what the user has
// typed, and puts its errors there. The last part that has an offset counts.
func (c *Cell) Move(parts []Moved, errs Errors) {
	if len(parts) == 0 {
		return
	}
	c.moved = parts
	for i, e := range errs {
		errs[i].Line, errs[i].Col = c.place(offsetIn(c.Go, e.Line, e.Col))
	}
}

// place is the line and the column of an offset as the user sees them.
func (c *Cell) place(off int) (line, col int) {
	for i := len(c.moved) - 1; i >= 0; i-- {
		m := c.moved[i]
		if off < m.From || off > m.To {
			continue
		}
		if i == 0 { // all the rest is at the start
			return m.Line, m.Col
		}
		return m.Line, m.Col + off - m.From
	}
	return lineCol(c.Go, off)
}

// Line returns the text of one line, without its end.
func (c *Cell) Line(n int) string {
	lines := strings.Split(c.Text, "\n")
	if n < 1 || n > len(lines) {
		return ""
	}
	return strings.TrimRight(lines[n-1], "\r")
}

// Source is the text between two positions.
func (c *Cell) Source(from, to token.Pos) string {
	a, b := c.Offset(from), c.Offset(to)
	if a < 0 || b < a {
		return ""
	}
	return c.Go[a:b]
}

func lineCol(text string, off int) (line, col int) {
	before := text[:off]
	return 1 + strings.Count(before, "\n"), off - strings.LastIndexByte(before, '\n')
}
