package lower

import (
	"go/ast"
	"go/token"
	"go/types"
)

// analysis finds the variables that must live in memory of their own: those
// declared in a loop (each turn has its own in Go, one slot per call in yaegi)
// that a closure captures or whose address is taken.
type analysis struct {
	info  *types.Info
	under func(types.Type) types.Type
	decls map[types.Object]declSite
	heap  map[types.Object]bool
	// shared are the variables that a closure captures or whose address is taken.
	shared map[types.Object]bool
	// hasDefer and hasRecover tell of the function bodies that need a frame.
	hasDefer map[ast.Node]bool
	stack    []ast.Node // enclosing function literals and bodies
	loops    int        // loops around, within the innermost function
	gotos    bool       // in the innermost function: any part of it may be a loop
}

// declSite is where a variable is declared: in which function, within a loop
// of it or not.
type declSite struct {
	fn     ast.Node
	inLoop bool
}

// analyse looks through one top-level function or statement.
func (l *lowerer) analyse(root ast.Node) *analysis {
	a := &analysis{
		info: l.info, under: l.under, decls: map[types.Object]declSite{}, heap: map[types.Object]bool{},
		shared: map[types.Object]bool{}, hasDefer: map[ast.Node]bool{},
	}
	ast.Inspect(root, func(n ast.Node) bool {
		if b, ok := n.(*ast.BranchStmt); ok && b.Tok == token.GOTO {
			if l.gotos == nil {
				l.gotos = map[string]bool{}
			}
			l.gotos[b.Label.Name] = true
		}
		return true
	})
	a.stack = []ast.Node{root}
	a.gotos = hasGoto(root)
	a.walk(root)
	for obj := range a.heap {
		l.heap[obj] = true
	}
	for obj := range a.shared {
		l.shared[obj] = true
	}
	for n := range a.hasDefer {
		l.defers[n] = true
	}
	return a
}

func (a *analysis) fn() ast.Node { return a.stack[len(a.stack)-1] }

func (a *analysis) declare(obj types.Object) {
	if v, ok := obj.(*types.Var); ok && !v.IsField() {
		a.decls[obj] = declSite{a.fn(), a.loops > 0 || a.gotos}
	}
}

func (a *analysis) use(obj types.Object) {
	d, ok := a.decls[obj]
	if ok && d.fn != a.fn() {
		a.shared[obj] = true
	}
	if ok && d.inLoop && d.fn != a.fn() {
		a.heap[obj] = true
	}
}

func (a *analysis) addressed(e ast.Expr) {
	switch e := e.(type) {
	case *ast.ParenExpr:
		a.addressed(e.X)
	case *ast.SelectorExpr:
		if s := a.info.Selections[e]; s != nil {
			if _, ptr := a.under(s.Recv()).(*types.Pointer); !ptr {
				a.addressed(e.X)
			}
		}
	case *ast.IndexExpr:
		if tv, ok := a.info.Types[e.X]; ok {
			if _, arr := a.under(tv.Type).(*types.Array); arr {
				a.addressed(e.X)
			}
		}
	case *ast.Ident:
		obj := a.info.Uses[e]
		a.shared[obj] = true
		if d, ok := a.decls[obj]; ok && d.inLoop {
			a.heap[obj] = true
		}
	}
}

// walk visits nodes in source order.
func (a *analysis) walk(n ast.Node) {
	ast.Inspect(n, func(m ast.Node) bool {
		if m == nil || m == n {
			return true
		}
		return a.visit(m)
	})
}

// visit handles one node below the one being walked; it reports whether the
// walk goes on into it.
func (a *analysis) visit(m ast.Node) bool {
	switch m := m.(type) {
	case *ast.FuncLit:
		a.nested(m, m.Type, m.Body)
		return false
	case *ast.FuncType, *ast.FieldList: // parameters, results and receivers are made once a call
		gotos := a.gotos
		a.gotos = false
		a.walk(m)
		a.gotos = gotos
		return false
	case *ast.ForStmt:
		a.loops++
		a.walk(m)
		a.loops--
		return false
	case *ast.RangeStmt:
		a.rangeStmt(m)
		return false
	case *ast.Ident:
		if obj := a.info.Defs[m]; obj != nil {
			a.declare(obj)
		} else if obj := a.info.Uses[m]; obj != nil {
			a.use(obj)
		}
	case *ast.CaseClause:
		if obj := a.info.Implicits[m]; obj != nil {
			a.declare(obj)
		}
	case *ast.UnaryExpr:
		if m.Op == token.AND {
			a.addressed(m.X)
		}
	case *ast.SliceExpr:
		if tv, ok := a.info.Types[m.X]; ok {
			if _, arr := a.under(tv.Type).(*types.Array); arr {
				a.addressed(m.X)
			}
		}
	case *ast.SelectorExpr:
		a.selector(m)
	case *ast.DeferStmt:
		a.hasDefer[a.deferring()] = true
	}
	return true
}

// deferring is the function that a defer statement belongs to: bodies of
// ranges over functions are no functions of their own to the user.
func (a *analysis) deferring() ast.Node {
	for i := len(a.stack) - 1; i >= 0; i-- {
		if _, ok := a.stack[i].(*ast.RangeStmt); !ok {
			return a.stack[i]
		}
	}
	return a.stack[0]
}

func (a *analysis) selector(m *ast.SelectorExpr) {
	s := a.info.Selections[m]
	if s == nil || s.Kind() == types.FieldVal {
		return
	}
	sig, ok := s.Obj().Type().(*types.Signature)
	if !ok || sig.Recv() == nil {
		return
	}
	if _, ptr := types.Unalias(sig.Recv().Type()).(*types.Pointer); ptr {
		if _, isPtr := a.under(s.Recv()).(*types.Pointer); !isPtr {
			a.addressed(m.X)
		}
	}
}

func (a *analysis) nested(fn ast.Node, typ *ast.FuncType, body ast.Node) {
	loops, gotos := a.loops, a.gotos
	a.loops, a.gotos = 0, false
	a.stack = append(a.stack, fn)
	if typ != nil {
		a.walk(typ)
	}
	a.gotos = hasGoto(body)
	a.walk(body)
	a.stack = a.stack[:len(a.stack)-1]
	a.loops, a.gotos = loops, gotos
}

// hasGoto reports a goto of the function whose body n is.
func hasGoto(n ast.Node) (found bool) {
	ast.Inspect(n, func(m ast.Node) bool {
		if b, ok := m.(*ast.BranchStmt); ok && b.Tok == token.GOTO {
			found = true
		}
		_, lit := m.(*ast.FuncLit)
		return !found && (!lit || m == n)
	})
	return found
}

func (a *analysis) rangeStmt(m *ast.RangeStmt) {
	a.walk(&ast.ExprStmt{X: m.X})
	var over types.Type
	if tv, ok := a.info.Types[m.X]; ok {
		over = a.under(tv.Type)
	}
	header := []ast.Expr{}
	for _, e := range []ast.Expr{m.Key, m.Value} {
		if e != nil {
			header = append(header, e)
		}
	}
	if _, ok := over.(*types.Signature); ok {
		// The body becomes a function that is called for each item.
		loops, gotos := a.loops, a.gotos
		a.loops, a.gotos = 0, hasGoto(m.Body)
		a.stack = append(a.stack, m)
		for _, e := range header {
			a.walk(&ast.ExprStmt{X: e})
		}
		a.walk(m.Body)
		a.stack = a.stack[:len(a.stack)-1]
		a.loops, a.gotos = loops, gotos
		return
	}
	a.loops++
	for _, e := range header {
		a.walk(&ast.ExprStmt{X: e})
	}
	a.walk(m.Body)
	a.loops--
}
