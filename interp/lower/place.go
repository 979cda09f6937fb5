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
	endLine, endCol := l.end(n)
	p := Place{
		File: l.env.FileName(l.where.Cell), Func: l.placeFunc(),
		Line: line, Col: col, EndLine: endLine, EndCol: endCol,
	}
	num := l.env.addPlace(p)
	l.place = num + 1
	f := l.fn.userFunc() // the body of a range over a function is part of it
	if f == nil || f.node == nil {
		l.printf("_k.At(%d)\n", num)
		return
	}
	if f.caller == "" {
		f.caller, f.place = l.unique("from"), num
	}
	l.printf("_k.AtIn(%s, %d)\n", f.caller, num)
}

// end is where a node ends. Past the last name or number of a statement whose
// operators were rewritten, positions may be those of the next line.
func (l *lowerer) end(n ast.Node) (line, col int) {
	ast.Inspect(n, func(m ast.Node) bool {
		switch m.(type) {
		case *ast.Ident, *ast.BasicLit:
			if at, c := l.position(m.End() - 1); at > line || at == line && c >= col {
				line, col = at, c+1
			}
		}
		return true
	})
	if at, c := l.position(n.End()); line == 0 || at == line && c > col {
		return at, c
	}
	return line, col
}

// entered puts the note of the caller's place before a function's text, which
// begins at start, where the function reports places.
func (l *lowerer) entered(start int) {
	if l.fn.caller == "" {
		return
	}
	text := l.buf.String()
	l.buf.Reset()
	l.printf("%s%s := _k.In(%d); %s", text[:start], l.fn.caller, l.fn.place, text[start:])
}

// back writes a call of a function of a cell: what the statement does with the
// Array that it gives is done at the statement's place again.
func (l *lowerer) back(e *ast.CallExpr) string {
	text := l.call(e)
	if l.place == 0 || l.calleePackage(e) != "" || !l.isArray(l.info.TypeOf(e)) {
		return text
	}
	caller := "nil"
	if f := l.fn.userFunc(); f != nil && f.node != nil {
		caller = f.caller
	}
	if caller == "" {
		return text
	}
	return fmt.Sprintf("_k.Back(%s, %d, %s)", caller, l.place-1, text)
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
