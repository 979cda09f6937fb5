package export

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
)

// lined puts //line directives into the printed text of a node, before statements
// that printing has moved to another line than they have in the cell: one after a
// block that stood on one line, for example.
func (t *texts) lined(text string, node ast.Node) string {
	var start token.Pos
	switch n := node.(type) {
	case *ast.FuncDecl:
		start = n.Type.Pos() // without the comment above it
	default:
		start = n.Pos()
	}
	line, _ := t.p.cell.Position(start)
	was := stmts(node)
	fset := token.NewFileSet()
	head, now := printed(fset, text)
	if line == 0 || now == nil || len(now) != len(was) {
		return text
	}
	var b strings.Builder
	from := 0
	for i, s := range now {
		at := fset.Position(s.Pos()).Offset - head
		first := strings.LastIndexByte(text[:at], '\n') + 1
		want, _ := t.p.cell.Position(was[i].Pos())
		if want == 0 || first <= from || strings.TrimSpace(text[first:at]) != "" {
			continue
		}
		line += strings.Count(text[from:first], "\n")
		b.WriteString(text[from:first])
		if from = first; line != want {
			fmt.Fprintf(&b, "//line cell-%d.go:%d\n", t.p.cell.N, want)
			line = want
		}
	}
	b.WriteString(text[from:])
	return b.String()
}

// printed parses a node's text, for which it puts so many bytes before it.
func printed(fset *token.FileSet, text string) (head int, list []ast.Stmt) {
	for _, around := range [][2]string{{"package p\n", ""}, {"package p\nfunc _() {\n", "\n}"}, {"package p\nvar _ = ", ""}} {
		f, err := parser.ParseFile(fset, "", around[0]+text+around[1], parser.SkipObjectResolution)
		if err == nil {
			return len(around[0]), stmts(f)
		}
	}
	return 0, nil
}

// stmts lists the statements in a node in their order, without blocks.
func stmts(node ast.Node) (list []ast.Stmt) {
	ast.Inspect(node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt, *ast.EmptyStmt:
		case ast.Stmt:
			list = append(list, n)
		}
		return true
	})
	return list
}
