package cell

import (
	"go/ast"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/astutil"

	"gopherlo/interp/gosyntax"
)

// mended is the text without what keeps go/parser, but not the compiler, from
// reading it.
func (f *found) mended(text string) string {
	b := []byte(text)
	put := func(s gosyntax.Span, c string) {
		if s.To = min(s.To, len(b)); s.From < s.To {
			copy(b[s.From:s.To], strings.Repeat(c, s.To-s.From))
		}
	}
	for _, s := range slices.Concat(f.Characters, f.Ranges, f.Parens) {
		put(s, " ")
	}
	for _, s := range f.Names {
		put(s, "z")
	}
	for _, s := range f.Literals {
		s.To = min(s.To, len(b))
		if s.To-s.From < 2 {
			put(s, "1")
			continue
		}
		put(s, " ") // a text, as tags are
		b[s.From], b[s.To-1] = '"', '"'
	}
	for _, g := range f.Guards {
		put(gosyntax.Span{From: g.Dot, To: g.To}, " ")
	}
	for _, c := range f.Calls {
		put(gosyntax.Span{From: c.At, To: c.At + len(c.Keyword)}, " ")
	}
	return string(b)
}

// wrong are the mistakes that the compiler finds with the types, and go/parser
// before.
func (f *found) wrong(text string) (errs Errors) {
	for _, call := range f.Calls {
		line, col := lineCol(text, call.X)
		errs = append(errs, Error{line, col, "expression in " + call.Keyword + " must be function call"})
	}
	for _, g := range f.Guards {
		line, col := lineCol(text, g.X)
		errs = append(errs, Error{line, col, "invalid syntax tree: use of .(type) outside type switch"})
	}
	for _, s := range f.Ranges {
		toks := scan(text[s.From:s.To]) // a comma and the variable
		line, col := lineCol(text, s.From+toks[min(1, len(toks)-1)].off)
		errs = append(errs, Error{line, col, "range clause permits at most two iteration variables"})
	}
	return errs
}

// mend puts into the trees what the mended text stands for: names as they are
// written, and what has no value for literals and for calls that are none.
func (c *Cell) mend(f *found) {
	names, literals, calls := map[int]string{}, map[int]bool{}, map[int]gosyntax.Call{}
	for _, s := range f.Names {
		names[s.From] = c.Go[s.From:s.To]
	}
	for _, s := range f.Literals {
		literals[s.From] = true
	}
	for _, call := range f.Calls {
		calls[call.X] = call
	}
	guards := map[gosyntax.Span]bool{}
	for _, g := range f.Guards {
		guards[gosyntax.Span{From: g.X, To: g.Dot}] = true
	}
	bad := func(n ast.Node) *ast.BadExpr { return &ast.BadExpr{From: n.Pos(), To: n.End()} }
	none := func(n ast.Node, x ast.Expr) *ast.CallExpr {
		return &ast.CallExpr{Fun: bad(n), Lparen: n.Pos(), Args: []ast.Expr{x}, Rparen: n.End()}
	}
	swap := func(cur *astutil.Cursor) bool {
		if x, ok := cur.Node().(ast.Expr); ok {
			if at := (gosyntax.Span{From: c.Offset(x.Pos()), To: c.Offset(x.End())}); guards[at] {
				delete(guards, at) // it is within what stands for it
				cur.Replace(none(x, x))
				return true
			}
		}
		switch n := cur.Node().(type) {
		case *ast.Ident:
			if name := names[c.Offset(n.Pos())]; name != "" {
				n.Name = name
			}
		case *ast.Field:
			if n.Tag != nil && literals[c.Offset(n.Tag.Pos())] {
				n.Tag = nil
			}
		case *ast.BasicLit:
			if literals[c.Offset(n.Pos())] {
				cur.Replace(bad(n))
			}
		case *ast.ExprStmt:
			if _, ok := calls[c.Offset(n.Pos())]; ok {
				n.X = none(n, n.X)
			}
		}
		return true
	}
	for i, fn := range c.Funcs {
		c.Funcs[i] = astutil.Apply(fn, swap, nil).(*ast.FuncDecl)
	}
	for i, s := range c.Stmts {
		c.Stmts[i] = astutil.Apply(s, swap, nil).(ast.Stmt)
	}
}
