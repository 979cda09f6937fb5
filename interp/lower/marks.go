package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// LineBase keeps the cell and the line apart in one mark, as language.MarkBase does.
const LineBase = 1_000_000

// LineMark and TopMark are the variables that hold the marks of the line that runs
// and of the cell's statement.
const (
	LineMark = "_ln"
	TopMark  = "_top"
)

// CallMark is a function's own variable that holds the line of its last call, where
// calls of the cell's functions stand on several lines.
const CallMark = "_cl"

// mark emits the note of the line that is about to run, before statements that
// may panic or call. yaegi itself knows no more than the function of a panic.
// They make inner loops slower by a tenth.
func (l *lowerer) mark(s ast.Stmt) {
	if l.env.NoLines || l.where.Cell == 0 || !l.risky(s) && !l.rangesFunc(s) {
		return
	}
	l.noteLine(s)
	if l.fn != nil && l.fn.callMarks && (l.hasCall(heads(s)) || l.rangesFunc(s)) {
		l.printf(CallMark+" = %d\n", l.where.Line)
	}
	l.printf(LineMark+" = %d\n", l.where.Cell*LineBase+l.where.Line)
}

func (l *lowerer) declareCallMark() {
	if l.fn.callMarks {
		l.printf(CallMark + " := 0\n_ = " + CallMark + "\n")
	}
}

// rangesFunc reports a range over a function.
func (l *lowerer) rangesFunc(s ast.Stmt) bool {
	r, ok := s.(*ast.RangeStmt)
	if !ok {
		return false
	}
	_, ok = l.under(l.typeOf(r.X)).(*types.Signature)
	return ok
}

// heads are the expressions of a statement itself, without the statements in it.
func heads(s ast.Stmt) (list []ast.Expr) {
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause:
			return n == ast.Node(s)
		case ast.Expr:
			list = append(list, n)
			return false
		}
		return true
	})
	return list
}

// callsOnLines reports whether calls of the cell's functions stand on several lines
// of a body.
func (l *lowerer) callsOnLines(b *ast.BlockStmt) bool {
	if l.env.NoLines || l.where.Cell == 0 {
		return false
	}
	first, several := 0, false
	ast.Inspect(b, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			if !l.callsCell(n) {
				break
			}
			line, _ := l.position(n.Pos())
			if first == 0 {
				first = line
			}
			several = several || line != first
		}
		return !several
	})
	return several
}

// callsCell reports calls that may call a function of a cell: one, or a compiled one
// that is handed a function, or is itself a value.
func (l *lowerer) callsCell(e *ast.CallExpr) bool {
	if l.info.Types[e.Fun].IsType() || l.info.Types[e.Fun].IsBuiltin() || l.harmless(e) {
		return false
	}
	if l.calleePackage(e) == "" || l.callee(e) == nil {
		return true
	}
	for _, a := range e.Args {
		if t := l.typeOf(a); t != nil {
			if _, isFunc := l.under(t).(*types.Signature); isFunc {
				return true
			}
		}
	}
	return false
}

// noteLine remembers that the current line of the function itself, not of a literal
// in it, may call a function of a cell.
func (l *lowerer) noteLine(s ast.Stmt) {
	if l.fn == nil || l.fn.userFunc() == nil || l.fn.userFunc().outer != nil {
		return
	}
	found := false
	for _, e := range heads(s) {
		ast.Inspect(e, func(n ast.Node) bool {
			c, ok := n.(*ast.CallExpr)
			found = found || ok && l.callsCell(c)
			_, lit := n.(*ast.FuncLit)
			return !found && !lit
		})
	}
	if found {
		l.noteCall("")
	}
}

// top emits the note of the cell's statement that is about to run. That of the
// first is left to who runs the program.
func (l *lowerer) top(s ast.Stmt) {
	n, _ := l.position(s.Pos())
	if l.env.NoLines || n <= 0 {
		return
	}
	mark := l.where.Cell*LineBase + n
	if !l.begun {
		l.begun, l.first = true, mark
		return
	}
	l.printf(TopMark+" = %d\n"+LineMark+" = %d\n", mark, mark)
}

// risky reports statements that may panic or call a function, not counting the
// statements and functions inside them.
func (l *lowerer) risky(s ast.Stmt) (found bool) {
	ast.Inspect(s, func(m ast.Node) bool {
		if found {
			return false
		}
		switch m := m.(type) {
		case *ast.BlockStmt, *ast.FuncLit:
			return m == ast.Node(s)
		case *ast.CallExpr:
			found = !l.harmless(m)
		case *ast.IndexExpr, *ast.SliceExpr, *ast.StarExpr, *ast.TypeAssertExpr, *ast.SendStmt:
			found = true
		case *ast.SelectorExpr:
			if sel := l.info.Selections[m]; sel != nil {
				_, ptr := l.under(sel.Recv()).(*types.Pointer)
				found = ptr
			}
		case *ast.BinaryExpr:
			found = m.Op == token.QUO || m.Op == token.REM
		case *ast.AssignStmt:
			found = m.Tok == token.QUO_ASSIGN || m.Tok == token.REM_ASSIGN
		}
		return true
	})
	return found
}

// noteCall remembers that the current line calls a function of a cell.
func (l *lowerer) noteCall(callee string) {
	if l.calls == nil {
		l.calls = map[Call][]int{}
	}
	c := Call{l.where.Cell, l.where.Func, callee}
	if !slices.Contains(l.calls[c], l.where.Line) {
		l.calls[c] = append(l.calls[c], l.where.Line)
	}
}
