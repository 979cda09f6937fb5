package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
)

// checks emits bounds checks before a statement, so that a bad index gives
// Go's message with its numbers; yaegi's own panic has none. They cost two
// comparisons each: inner loops go without, and so do operands that may change
// while the statement runs. Operands that cannot be written twice are put into
// variables.
func (l *lowerer) checks(exprs ...ast.Expr) {
	if l.fn == nil || l.loopDepth() > 1 {
		return
	}
	l.checked = false
	for _, e := range exprs {
		if e == nil {
			continue
		}
		if !l.check(e) {
			return
		}
	}
}

// hoist puts an operand into a variable, and its text is that variable's until
// the end of the statement.
func (l *lowerer) hoist(e ast.Expr, text string) {
	v := l.unique("t")
	l.printf("%s := %s\n", v, text)
	hoisted := map[ast.Expr]string{e: v}
	for k, name := range l.hoisted {
		hoisted[k] = name
	}
	l.hoisted = hoisted
}

// checkOperand checks an operand of an index or slice expression, which is evaluated
// at this place if it has effects: that is right only where no check was made
// before, of what the effects may change.
func (l *lowerer) checkOperand(e ast.Expr, write func(ast.Expr) string) bool {
	before := l.checked
	if ok := l.check(e); ok && l.pure(e) || !ok && before {
		return ok
	}
	if _, ok := l.under(l.typeOf(e)).(*types.Basic); ok || !isAddressed(l.under(l.typeOf(e))) {
		l.hoist(e, write(e))
	}
	return true
}

// fixed reports operands whose value later parts of the statement cannot change.
func (l *lowerer) fixed(e ast.Expr) bool {
	return e == nil || l.hoisted[e] != "" || l.info.Types[e].Value != nil
}

// isAddressed reports arrays: an element of one is part of its operand.
func isAddressed(u types.Type) bool {
	switch u.(type) {
	case *types.Array, *types.Pointer, *types.Map:
		return true
	}
	return false
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
		l.assignChecks(s)
	case *ast.IncDecStmt:
		l.checks(s.X)
	case *ast.ReturnStmt:
		l.checks(l.slicesFirst(s.Results)...)
	case *ast.IfStmt:
		if s.Init == nil {
			l.checks(s.Cond)
		}
	case *ast.SwitchStmt:
		if s.Init == nil {
			l.checks(s.Tag)
		}
	case *ast.TypeSwitchStmt:
		if s.Init == nil {
			l.checks(switched(s))
		}
	case *ast.RangeStmt:
		l.checks(s.X)
	case *ast.SendStmt:
		l.checks(s.Chan, s.Value)
	case *ast.GoStmt:
		l.checks(s.Call)
	case *ast.DeferStmt:
		l.checks(s.Call)
	case *ast.DeclStmt:
		if d, ok := s.Decl.(*ast.GenDecl); ok && d.Tok == token.VAR {
			for _, sp := range d.Specs {
				l.checks(l.slicesFirst(sp.(*ast.ValueSpec).Values)...)
			}
		}
	}
}

// switched is the x of switch x.(type).
func switched(s *ast.TypeSwitchStmt) ast.Expr {
	if a, ok := s.Assign.(*ast.AssignStmt); ok {
		return a.Rhs[0]
	}
	return s.Assign.(*ast.ExprStmt).X
}

// assignChecks emits the checks of an assignment: of its right side first, but
// where calls or an operation fix another order.
func (l *lowerer) assignChecks(s *ast.AssignStmt) {
	left, right := s.Lhs, l.slicesFirst(s.Rhs)
	if len(left) > 1 { // each store is checked in its turn
		left = l.operands(left)
	}
	if len(s.Lhs) == len(s.Rhs) && len(right) > 1 && !isIdent(s.Lhs[0]) && rank(s.Rhs[0]) > 0 {
		// What the first assignment may change is read before it, its own value after.
		right = append(slices.DeleteFunc(right, func(e ast.Expr) bool { return e == s.Rhs[0] }), s.Rhs[0])
	}
	switch {
	case s.Tok != token.DEFINE && l.hasCall(s.Rhs):
		l.checks(s.Rhs...)
	case (s.Tok == token.ASSIGN || s.Tok == token.DEFINE) && !l.hasCall(s.Lhs):
		l.checks(append(right, left...)...)
	default:
		l.checks(append(slices.Clone(left), right...)...)
	}
}

// operands are what the left sides of an assignment are made of.
func (l *lowerer) operands(places []ast.Expr) (list []ast.Expr) {
	inside := func(e ast.Expr) []ast.Expr {
		switch l.under(l.typeOf(e)).(type) {
		case *types.Array, *types.Struct: // part of the same variable
			return l.operands([]ast.Expr{e})
		}
		return []ast.Expr{e}
	}
	for _, e := range places {
		switch e := ast.Unparen(e).(type) {
		case *ast.IndexExpr:
			list = append(append(list, inside(e.X)...), e.Index)
		case *ast.StarExpr:
			list = append(list, e.X)
		case *ast.SelectorExpr:
			if l.info.Selections[e] != nil {
				list = append(list, inside(e.X)...)
			}
		}
	}
	return list
}

// slicesFirst puts slice expressions before other expressions, as Go's compiler
// does where no call fixes the order: an index that only the assignment needs
// comes late.
func (l *lowerer) slicesFirst(exprs []ast.Expr) []ast.Expr {
	list := slices.Clone(exprs)
	if len(list) > 1 && !l.hasCall(list) {
		slices.SortStableFunc(list, func(a, b ast.Expr) int { return rank(a) - rank(b) })
	}
	return list
}

func isIdent(e ast.Expr) bool {
	_, ok := ast.Unparen(e).(*ast.Ident)
	return ok
}

func rank(e ast.Expr) int {
	if _, ok := ast.Unparen(e).(*ast.SliceExpr); ok {
		return 0
	}
	return 1
}

func (l *lowerer) hasCall(exprs []ast.Expr) (found bool) {
	for _, e := range exprs {
		ast.Inspect(e, func(n ast.Node) bool {
			if x, ok := n.(ast.Expr); ok && l.early[x] != "" {
				return false
			}
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
	if l.info.Types[e].Value != nil || l.early[e] != "" {
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
			l.checked = true
			l.printf("if %s == nil { _k.NilDeref() }\n", l.val(e.X))
		}
	case *ast.TypeAssertExpr:
		return l.check(e.X) && e.Type == nil // one that fails panics before what follows
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
		if !l.indexable(e.X) {
			return l.check(e.X) && l.check(e.Index)
		}
		if !l.checkOperand(e.X, l.val) || !l.checkOperand(e.Index, l.intIndex) {
			return false
		}
		l.indexCheck(e)
	case *ast.SliceExpr:
		if !l.checkOperand(e.X, l.val) {
			return false
		}
		for _, x := range []ast.Expr{e.Low, e.High, e.Max} {
			if x != nil && !l.checkOperand(x, l.intIndex) {
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
	if tv, ok := l.info.Types[e]; ok && tv.Value != nil || l.hoisted[e] != "" || l.early[e] != "" {
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

// indexable reports what has elements with numbers.
func (l *lowerer) indexable(x ast.Expr) bool {
	switch u := l.under(l.typeOf(x)).(type) {
	case *types.Slice, *types.Array:
		return true
	case *types.Pointer:
		_, ok := l.under(u.Elem()).(*types.Array)
		return ok
	case *types.Basic:
		return u.Info()&types.IsString != 0
	}
	return false
}

func (l *lowerer) indexCheck(e *ast.IndexExpr) {
	constant := l.info.Types[e.Index].Value != nil
	size := ""
	switch u := l.under(l.typeOf(e.X)).(type) {
	case *types.Array:
		size = strconv.FormatInt(u.Len(), 10)
		if !constant {
			l.holderCheck(e.X)
		}
	case *types.Pointer:
		size = strconv.FormatInt(l.under(u.Elem()).(*types.Array).Len(), 10)
	}
	if size != "" && constant || !l.pure(e.Index) || size == "" && !l.pure(e.X) {
		return
	}
	if size == "" {
		size = "len(" + l.val(e.X) + ")"
	}
	i := l.intIndex(e.Index)
	low := i + " < 0 || "
	if constant {
		low = ""
	}
	l.checked = l.checked || !l.fixed(e.X) || !l.fixed(e.Index)
	l.printf("if %s%s >= %s { _k.BadIndex(%s, %s) }\n", low, i, size, i, size)
}

// holderCheck emits the check of the pointer by which an array is reached.
func (l *lowerer) holderCheck(e ast.Expr) {
	switch e := ast.Unparen(e).(type) {
	case *ast.IndexExpr:
		if _, ok := l.under(l.typeOf(e.X)).(*types.Array); ok {
			l.holderCheck(e.X)
		}
	case *ast.SelectorExpr:
		if l.info.Selections[e] == nil {
			return
		}
		if _, ok := l.under(l.typeOf(e.X)).(*types.Pointer); !ok {
			l.holderCheck(e.X)
		} else if l.pure(e.X) {
			l.checked = true
			l.printf("if %s == nil { _k.NilDeref() }\n", l.val(e.X))
		}
	}
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
	l.checked = l.checked || !l.fixed(e.X) || !l.fixed(e.Low) || !l.fixed(e.High)
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
	l.checked = true
	x, low := l.val(e.X), "0"
	if e.Low != nil {
		low = l.intIndex(e.Low)
	}
	high, limit := l.intIndex(e.High), l.intIndex(e.Max)
	l.printf("if %s < 0 || %s > %s || %s > %s || %s > cap(%s) { _k.BadSlice3(%s, %s, %s, cap(%s), %d) }\n",
		low, low, high, high, limit, limit, x, low, high, limit, x, kind)
}
