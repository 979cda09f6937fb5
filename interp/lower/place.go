package lower

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/types"
)

// at emits the report of a position before a statement that touches Arrays:
// operations traced there carry it.
func (l *lowerer) at(n ast.Node) {
	if !l.touchesArrays(n) {
		return
	}
	line, col := l.position(n.Pos())
	endLine, endCol := l.position(n.End())
	p := Place{
		File: fmt.Sprintf("cell-%d.go", l.where.Cell), Func: l.placeFunc(),
		Line: line, Col: col, EndLine: endLine, EndCol: endCol,
	}
	l.printf("_k.At(%d)\n", l.env.addPlace(p))
}

// placeFunc is the function whose statements are emitted, as Python names it: a
// literal has the name of the variable it is made for.
func (l *lowerer) placeFunc() string {
	for f := l.fn; f != nil; f = f.outer {
		if f.name != "" {
			return f.name
		}
	}
	return cmp.Or(l.where.Func, "<module>")
}

// touchesArrays reports whether the statement itself, without the statements
// and functions inside it, uses values or functions of our own packages.
func (l *lowerer) touchesArrays(n ast.Node) (found bool) {
	ast.Inspect(n, func(m ast.Node) bool {
		if found {
			return false
		}
		switch m := m.(type) {
		case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause, *ast.FuncLit:
			return false
		case *ast.CallExpr:
			if pkg := l.calleePackage(m); pkg != "" && l.env.Ours(pkg) {
				found = true
			}
		case ast.Expr:
			if tv, ok := l.info.Types[m]; ok && tv.IsValue() && l.isArray(tv.Type) {
				found = true
			}
		}
		return true
	})
	return found
}

// isArray reports the type of arrays.
func (l *lowerer) isArray(t types.Type) bool {
	n, ok := types.Unalias(l.sub(t)).(*types.Named)
	return ok && n.Obj().Pkg() != nil && l.env.Ours(n.Obj().Pkg().Path()) && n.Obj().Name() == "Array"
}
