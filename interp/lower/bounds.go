package lower

import (
	"go/ast"
	"go/token"
	"go/types"
)

// checks emits bounds checks before a statement, so that a bad index gives
// Go's message with its numbers; yaegi's own panic has none. They cost two
// comparisons each: inner loops go without, and so do operands that may change
// while the statement runs.
func (l *lowerer) checks(exprs ...ast.Expr) {
	if l.fn == nil || l.loopDepth() > 1 {
		return
	}
	for _, e := range exprs {
		if e == nil {
			continue
		}
		if !l.check(e) {
			return
		}
	}
}

// loopDepth counts the loops around within the function.
func (l *lowerer) loopDepth() int {
	n := 0
	for _, j := range l.jumps {
		if j.loop && j.fn == l.fn {
			n++
		}
	}
	return n
}

// stmtChecks emits the checks of a simple statement.
func (l *lowerer) stmtChecks(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.ExprStmt:
		l.checks(s.X)
	case *ast.AssignStmt:
		if s.Tok == token.ASSIGN && l.hasCall(s.Rhs) {
			l.checks(s.Rhs...)
			return
		}
		l.checks(append(append([]ast.Expr{}, s.Lhs...), s.Rhs...)...)
	case *ast.IncDecStmt:
		l.checks(s.X)
	case *ast.ReturnStmt:
		l.checks(s.Results...)
	case *ast.IfStmt:
		if s.Init == nil {
			l.checks(s.Cond)
		}
	case *ast.DeclStmt:
		if d, ok := s.Decl.(*ast.GenDecl); ok && d.Tok == token.VAR {
			for _, sp := range d.Specs {
				l.checks(sp.(*ast.ValueSpec).Values...)
			}
		}
	}
}

func (l *lowerer) hasCall(exprs []ast.Expr) (found bool) {
	for _, e := range exprs {
		ast.Inspect(e, func(n ast.Node) bool {
			if c, ok := n.(*ast.CallExpr); ok && !l.harmless(c) {
				found = true
			}
			return true
		})
	}
	return found
}

// harmless reports conversions and builtins without effects.
func (l *lowerer) harmless(c *ast.CallExpr) bool {
	fun := ast.Unparen(c.Fun)
	if l.info.Types[fun].IsType() {
		return true
	}
	id, ok := fun.(*ast.Ident)
	if !ok || !l.info.Types[fun].IsBuiltin() {
		return false
	}
	switch id.Name {
	case "len", "cap", "append", "min", "max", "make", "new", "complex", "real", "imag":
		return true
	}
	return false
}

// check emits the checks of an expression in order of evaluation. It reports
// false when something with effects follows, after which no check is safe.
func (l *lowerer) check(e ast.Expr) bool {
	if l.info.Types[e].Value != nil {
		return true
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return l.check(e.X)
	case *ast.SelectorExpr:
		if l.info.Selections[e] == nil {
			return true
		}
		return l.check(e.X)
	case *ast.StarExpr:
		if tv := l.info.Types[e]; tv.IsType() {
			return true
		}
		if !l.check(e.X) {
			return false
		}
		if l.pure(e.X) && !l.erased(l.typeOf(e.X)) {
			l.printf("if %s == nil { _k.NilDeref() }\n", l.val(e.X))
		}
	case *ast.UnaryExpr:
		return e.Op != token.ARROW && l.check(e.X)
	case *ast.BinaryExpr:
		if !l.check(e.X) {
			return false
		}
		if e.Op == token.LAND || e.Op == token.LOR {
			return false // the right side may not run
		}
		return l.check(e.Y)
	case *ast.CallExpr:
		return l.checkCall(e)
	case *ast.CompositeLit:
		for _, el := range e.Elts {
			if kv, ok := el.(*ast.KeyValueExpr); ok {
				el = kv.Value
			}
			if !l.check(el) {
				return false
			}
		}
	case *ast.IndexExpr:
		if tv := l.info.Types[e.X]; tv.IsType() || !tv.IsValue() {
			return true
		}
		if !l.check(e.X) || !l.check(e.Index) {
			return false
		}
		l.indexCheck(e)
	case *ast.SliceExpr:
		for _, x := range []ast.Expr{e.X, e.Low, e.High, e.Max} {
			if x != nil && !l.check(x) {
				return false
			}
		}
		l.sliceCheck(e)
	}
	return true
}

func (l *lowerer) checkCall(e *ast.CallExpr) bool {
	fun := ast.Unparen(e.Fun)
	if !l.info.Types[fun].IsType() && !l.info.Types[fun].IsBuiltin() {
		if sel, ok := fun.(*ast.SelectorExpr); ok && !l.check(sel) {
			return false
		}
	}
	for _, a := range e.Args {
		if l.info.Types[a].IsType() {
			continue
		}
		if !l.check(a) {
			return false
		}
	}
	return l.harmless(e)
}

// pure reports expressions that can be written twice: they have no effects and
// cannot fail but by a check that comes first.
func (l *lowerer) pure(e ast.Expr) bool {
	if tv, ok := l.info.Types[e]; ok && tv.Value != nil {
		return true
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return l.pure(e.X)
	case *ast.Ident:
		_, ok := l.object(e).(*types.Var)
		return ok
	case *ast.SelectorExpr:
		s := l.info.Selections[e]
		return s != nil && s.Kind() == types.FieldVal && l.pure(e.X)
	case *ast.BinaryExpr:
		switch e.Op {
		case token.ADD, token.SUB, token.MUL:
			return l.pure(e.X) && l.pure(e.Y)
		}
	case *ast.UnaryExpr:
		return e.Op == token.SUB && l.pure(e.X)
	case *ast.IndexExpr:
		switch l.under(l.typeOf(e.X)).(type) {
		case *types.Slice, *types.Array:
			return l.pure(e.X) && l.pure(e.Index)
		}
	case *ast.CallExpr:
		id, ok := ast.Unparen(e.Fun).(*ast.Ident)
		return ok && (id.Name == "len" || id.Name == "cap") && l.info.Types[e.Fun].IsBuiltin() && l.pure(e.Args[0])
	}
	return false
}

func (l *lowerer) indexCheck(e *ast.IndexExpr) {
	switch u := l.under(l.typeOf(e.X)).(type) {
	case *types.Slice:
	case *types.Array:
		if l.info.Types[e.Index].Value != nil {
			return
		}
	case *types.Basic:
		if u.Info()&types.IsString == 0 || l.info.Types[e.X].Value != nil {
			return
		}
	default:
		return
	}
	if !l.pure(e.X) || !l.pure(e.Index) {
		return
	}
	x, i := l.val(e.X), l.intIndex(e.Index)
	low := i + " < 0 || "
	if l.info.Types[e.Index].Value != nil {
		low = ""
	}
	l.printf("if %s%s >= len(%s) { _k.BadIndex(%s, len(%s)) }\n", low, i, x, i, x)
}

func (l *lowerer) sliceCheck(e *ast.SliceExpr) {
	limit, isString := "cap", 0
	switch u := l.under(l.typeOf(e.X)).(type) {
	case *types.Slice:
	case *types.Basic:
		if u.Info()&types.IsString == 0 {
			return
		}
		limit, isString = "len", 1
	case *types.Array:
		isString = 1
	default:
		return
	}
	if e.Slice3 {
		l.slice3Check(e)
		return
	}
	if !l.pure(e.X) || e.Low != nil && !l.pure(e.Low) || e.High != nil && !l.pure(e.High) {
		return
	}
	if e.Low == nil && e.High == nil {
		return
	}
	x := l.val(e.X)
	low, high, open := "0", "len("+x+")", 1
	if e.Low != nil {
		low = l.intIndex(e.Low)
	}
	if e.High != nil {
		high, open = l.intIndex(e.High), 0
	}
	l.printf("if %s < 0 || %s > %s || %s > %s(%s) { _k.BadSlice(%s, %s, %s(%s), %d) }\n", low, low, high, high, limit, x,
		low, high, limit, x, open<<1|isString)
}

// slice3Check emits the check of x[low:high:max].
func (l *lowerer) slice3Check(e *ast.SliceExpr) {
	if !l.pure(e.X) || e.Low != nil && !l.pure(e.Low) || !l.pure(e.High) || !l.pure(e.Max) {
		return
	}
	kind := 0
	switch l.under(l.typeOf(e.X)).(type) {
	case *types.Slice:
	case *types.Array:
		kind = 1
	default:
		return
	}
	x, low := l.val(e.X), "0"
	if e.Low != nil {
		low = l.intIndex(e.Low)
	}
	high, limit := l.intIndex(e.High), l.intIndex(e.Max)
	l.printf("if %s < 0 || %s > %s || %s > %s || %s > cap(%s) { _k.BadSlice3(%s, %s, %s, cap(%s), %d) }\n",
		low, low, high, high, limit, limit, x, low, high, limit, x, kind)
}
