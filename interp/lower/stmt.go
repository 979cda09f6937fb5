package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"gopherlo/interp/check"
)

func (l *lowerer) stmts(list []ast.Stmt) {
	for _, s := range list {
		l.stmt(s)
	}
}

// stmt emits one statement.
func (l *lowerer) stmt(s ast.Stmt) {
	if s == nil {
		return
	}
	if list := oneByOne(s); list != nil {
		l.stmts(list)
		return
	}
	hoisted, early := l.hoisted, l.early
	defer func() { l.hoisted, l.early = hoisted, early }()
	l.line(s.Pos())
	l.mark(s)
	l.at(s)
	l.callsFirst(s)
	l.stmtChecks(s)
	switch s := s.(type) {
	case *ast.EmptyStmt:
	case *ast.ExprStmt:
		l.exprStmt(s.X)
	case *ast.AssignStmt:
		l.assign(s)
	case *ast.IncDecStmt:
		l.printf("%s\n", l.incDec(s))
	case *ast.DeclStmt:
		l.declStmt(s.Decl.(*ast.GenDecl))
	case *ast.BlockStmt:
		l.printf("{\n")
		l.stmts(s.List)
		l.printf("}\n")
	case *ast.IfStmt:
		l.ifStmt(s)
	case *ast.ForStmt:
		l.forStmt(s, "")
	case *ast.RangeStmt:
		l.rangeStmt(s, "")
	case *ast.SwitchStmt:
		l.switchStmt(s, "")
	case *ast.TypeSwitchStmt:
		l.typeSwitch(s, "")
	case *ast.SelectStmt:
		l.selectStmt(s, "")
	case *ast.LabeledStmt:
		l.labeled(s)
	case *ast.BranchStmt:
		l.branch(s)
	case *ast.ReturnStmt:
		l.returnStmt(s)
	case *ast.GoStmt:
		l.printf("_k.Go(%s)\n", l.thunk(s.Call))
	case *ast.DeferStmt:
		l.deferStmt(s.Call)
	case *ast.SendStmt:
		l.send(s)
	default:
		panic(unsupported(fmt.Sprintf("%T", s)))
	}
}

// oneByOne splits a declaration of variables in parentheses: what one needs may be
// the value of one before. It is nil for other statements.
func oneByOne(s ast.Stmt) (list []ast.Stmt) {
	ds, ok := s.(*ast.DeclStmt)
	if !ok {
		return nil
	}
	d, ok := ds.Decl.(*ast.GenDecl)
	if !ok || d.Tok != token.VAR || len(d.Specs) < 2 {
		return nil
	}
	for _, sp := range d.Specs {
		list = append(list, &ast.DeclStmt{Decl: &ast.GenDecl{Tok: token.VAR, TokPos: sp.Pos(), Specs: []ast.Spec{sp}}})
	}
	return list
}

// incDec writes x++ or x--. yaegi leaves a uintptr as it is.
func (l *lowerer) incDec(s *ast.IncDecStmt) string {
	if l.typ(l.typeOf(s.X)) != "uintptr" {
		return l.lvalue(s.X) + s.Tok.String()
	}
	return l.lvalue(s.X) + " " + s.Tok.String()[:1] + "= uintptr(1)"
}

// exprStmt emits an expression for its effect.
func (l *lowerer) exprStmt(x ast.Expr) {
	x = ast.Unparen(x)
	switch e := x.(type) {
	case *ast.CallExpr:
		if id, ok := ast.Unparen(e.Fun).(*ast.Ident); ok && id.Name == "copy" && l.info.Types[e.Fun].IsBuiltin() {
			l.printf("_ = %s\n", l.expr(e))
			return
		}
		l.printf("%s\n", l.expr(e))
	case *ast.UnaryExpr:
		l.printf("%s\n", l.expr(e))
	default:
		l.printf("_ = %s\n", l.expr(x))
	}
}

// lvalue writes an expression that is assigned to.
func (l *lowerer) lvalue(e ast.Expr) string {
	if id, ok := ast.Unparen(e).(*ast.Ident); ok {
		if id.Name == "_" {
			return "_"
		}
		if v, ok := l.object(id).(*types.Var); ok {
			if loc := l.locals[v]; loc != nil && loc.heap {
				return "*" + loc.name
			}
			return l.variable(v)
		}
	}
	return l.expr(ast.Unparen(e))
}

// assign emits an assignment or a short variable declaration.
func (l *lowerer) assign(s *ast.AssignStmt) {
	switch s.Tok {
	case token.ASSIGN, token.DEFINE:
		l.assignAll(s.Lhs, s.Rhs, s.Tok == token.DEFINE)
	default:
		l.opAssign(s)
	}
}

func (l *lowerer) opAssign(s *ast.AssignStmt) {
	t := l.typeOf(s.Lhs[0])
	left := ""
	if l.hasCall(s.Rhs) {
		left = l.stable(s.Lhs[0])
	} else {
		left = l.lvalue(s.Lhs[0])
	}
	if s.Tok == token.SHL_ASSIGN || s.Tok == token.SHR_ASSIGN {
		l.printf("%s %s %s\n", left, s.Tok, l.shiftCount(s.Rhs[0]))
		return
	}
	right := ""
	if s.Tok == token.QUO_ASSIGN {
		right = l.divisor(s.Rhs[0], t)
	} else {
		right = l.operand(s.Rhs[0], t)
	}
	l.printf("%s %s %s\n", left, s.Tok, right)
}

// place is one left side of an assignment.
type lhs struct {
	expr  ast.Expr
	fresh types.Object // the local that := declares, nil when assigned
	typ   types.Type   // nil for the blank identifier
}

// targets sorts out what the left sides are. New locals are declared when the
// right side has been written.
func (l *lowerer) targets(exprs []ast.Expr, define bool) []lhs {
	list := make([]lhs, len(exprs))
	for i, e := range exprs {
		list[i].expr = e
		id, ok := ast.Unparen(e).(*ast.Ident)
		if ok && id.Name == "_" {
			continue
		}
		if ok && define {
			if v, isVar := l.info.Defs[id].(*types.Var); isVar && l.res.Sym(v) == nil {
				list[i].fresh, list[i].typ = v, l.sub(v.Type())
				continue
			}
		}
		list[i].typ = l.typeOf(e)
	}
	return list
}

func (l *lowerer) assignAll(left, right []ast.Expr, define bool) {
	targets := l.targets(left, define)
	if len(left) == 1 && len(right) == 1 {
		l.assignOne(targets[0], right[0])
		return
	}
	if len(right) == 1 {
		l.assignTuple(targets, right[0])
		return
	}
	l.assignParallel(targets, right)
}

// assignOne emits x = e or x := e.
func (l *lowerer) assignOne(t lhs, e ast.Expr) {
	if id, ok := ast.Unparen(t.expr).(*ast.Ident); ok {
		l.lhsName, l.lhsValue = id.Name, l.titleHolder(e)
		l.noteLiteral(id, e)
	}
	var text string
	switch {
	case t.typ == nil && isNilIdent(l.info, e):
		l.lhsName = ""
		return
	case t.typ == nil:
		text = l.conv(e, l.typeOf(e))
	default:
		text = l.conv(e, t.typ)
	}
	l.lhsName = ""
	if t.typ == nil {
		l.printf("_ = %s\n", text)
		return
	}
	if t.fresh == nil {
		l.store(l.lvalue(t.expr), t.typ, e, text)
		return
	}
	l.declareVar(t.fresh, text)
}

// store emits the assignment of an expression of which the text is given.
func (l *lowerer) store(left string, t types.Type, e ast.Expr, text string) {
	if _, ok := ast.Unparen(e).(*ast.CompositeLit); ok || l.isFunc(t) || l.mayFail(e) {
		// yaegi loses a literal that is stored through a pointer, and gives a
		// variable that gets one a new place in memory. A func that a compiled
		// function gives is lost when it is stored in anything but a variable. An
		// index on the left is found wrong before an assertion on the right is.
		v := l.unique("t")
		l.printf("var %s %s = %s\n", v, l.typ(t), text)
		text = v
	}
	l.printf("%s = %s\n", left, text)
}

// mayFail reports expressions with type assertions or conversions to arrays.
func (l *lowerer) mayFail(e ast.Expr) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.TypeAssertExpr:
			found = true
		case *ast.CallExpr:
			if t := l.info.Types[n.Fun]; t.IsType() {
				_, array := l.under(t.Type).(*types.Array)
				found = found || array
			}
		}
		return !found
	})
	return found
}

func (l *lowerer) isFunc(t types.Type) bool {
	_, ok := l.under(t).(*types.Signature)
	return ok
}

// noteLiteral remembers the parameter names of a function literal that a
// variable holds.
func (l *lowerer) noteLiteral(id *ast.Ident, e ast.Expr) {
	lit, ok := ast.Unparen(e).(*ast.FuncLit)
	obj := l.object(id)
	if obj == nil {
		return
	}
	if !ok {
		delete(l.litParams, obj)
		return
	}
	if l.litParams == nil {
		l.litParams = map[types.Object][]string{}
	}
	l.litParams[obj] = check.ParamNames(lit.Type.Params)
}

// declareVar emits the declaration of a local with a value; "" is zero.
func (l *lowerer) declareVar(v types.Object, text string) {
	typ := l.typ(v.Type())
	name := l.declareLocal(v)
	switch {
	case l.heap[v]:
		l.printf("%s := new(%s)\n", name, typ)
		if text != "" && l.isFunc(v.Type()) { // as in store
			t := l.unique("t")
			l.printf("var %s %s = %s\n", t, typ, text)
			text = t
		}
		if text != "" {
			l.printf("*%s = %s\n", name, text)
		}
	case text == "":
		l.printf("var %s %s\n", name, typ)
	default:
		l.printf("var %s %s = %s\n", name, typ, text)
	}
	if !l.heap[v] {
		l.printf("_ = %s\n", name)
	}
}

// assignTuple emits a, b = f() and the forms with ok.
func (l *lowerer) assignTuple(targets []lhs, e ast.Expr) {
	text, types := l.tuple(e, len(targets))
	temps, places := l.temps(len(targets)), make([]string, len(targets))
	stable := func() {
		for i, t := range targets {
			if t.typ != nil && t.fresh == nil {
				places[i] = l.stable(t.expr)
			}
		}
	}
	early := slices.ContainsFunc(targets, func(t lhs) bool { return l.hasCall([]ast.Expr{t.expr}) })
	if early {
		stable()
	}
	l.printf("%s := %s\n", strings.Join(temps, ", "), text)
	if !early {
		stable()
	}
	if _, ok := l.mapElement(e); ok && targets[0].typ != nil {
		// yaegi leaves what an element that is missing has been before.
		l.printf("if !%s { %s = %s }\n", temps[1], temps[0], l.zero(types[0]))
	}
	for i, t := range targets {
		if t.typ == nil {
			l.printf("_ = %s\n", temps[i])
			continue
		}
		v := l.convText(temps[i], types[i], t.typ)
		if t.fresh != nil {
			l.declareVar(t.fresh, v)
		} else {
			l.printf("%s = %s\n", places[i], v)
		}
	}
}

// tuple writes an expression with several values, and their types.
func (l *lowerer) tuple(e ast.Expr, n int) (string, []types.Type) {
	e = ast.Unparen(e)
	switch x := e.(type) {
	case *ast.TypeAssertExpr:
		t := l.typeOf(x.Type)
		return l.assert(l.conv(x.X, anyType), t, l.typeOf(x.X), true), []types.Type{t, types.Typ[types.Bool]}
	case *ast.UnaryExpr:
		if x.Op == token.ARROW {
			elem := l.under(l.typeOf(x.X)).(*types.Chan).Elem()
			return l.recv(x.X, true), []types.Type{l.sub(elem), types.Typ[types.Bool]}
		}
	case *ast.IndexExpr:
		if m, ok := l.under(l.typeOf(x.X)).(*types.Map); ok {
			return l.val(x.X) + "[" + l.key(x.Index, m.Key()) + "]", []types.Type{l.sub(m.Elem()), types.Typ[types.Bool]}
		}
	}
	tuple := l.info.TypeOf(e).(*types.Tuple)
	list := make([]types.Type, tuple.Len())
	for i := range list {
		list[i] = l.sub(tuple.At(i).Type())
	}
	return l.expr(e), list
}

// assignParallel emits a, b = x, y: operands of both sides first, then the
// assignments.
func (l *lowerer) assignParallel(targets []lhs, right []ast.Expr) {
	places := make([]string, len(targets))
	for i, t := range targets {
		if t.typ != nil && t.fresh == nil {
			places[i] = l.stable(t.expr)
		}
	}
	temps := l.temps(len(right))
	for i, e := range right {
		t := targets[i].typ
		if t == nil {
			t = l.typeOf(e)
			if isNilIdent(l.info, e) {
				continue
			}
		}
		l.printf("var %s %s = %s\n", temps[i], l.typ(t), l.conv(e, t))
	}
	for i, t := range targets {
		switch {
		case t.typ == nil:
			if !isNilIdent(l.info, right[i]) {
				l.printf("_ = %s\n", temps[i])
			}
		case t.fresh != nil:
			l.declareVar(t.fresh, temps[i])
		default:
			l.printf("%s = %s\n", places[i], temps[i])
		}
	}
}

// stable writes a left side whose index and pointer operands are evaluated
// now, before any of the assignments.
func (l *lowerer) stable(e ast.Expr) string {
	e = ast.Unparen(e)
	switch p := e.(type) {
	case *ast.StarExpr:
		t := l.unique("t")
		l.printf("%s := %s\n", t, l.val(p.X))
		return "*" + t
	case *ast.SelectorExpr:
		if s := l.info.Selections[p]; s != nil && s.Kind() == types.FieldVal {
			if _, ptr := l.under(l.typeOf(p.X)).(*types.Pointer); ptr {
				t := l.unique("t")
				l.printf("%s := %s\n", t, l.val(p.X))
				return l.fieldPath(t, l.typeOf(p.X), s.Index())
			}
			switch ast.Unparen(p.X).(type) {
			case *ast.IndexExpr, *ast.SelectorExpr, *ast.StarExpr:
				if _, isMap := l.mapElement(p.X); !isMap {
					return l.fieldPath(bracket(l.stable(p.X)), l.typeOf(p.X), s.Index())
				}
			}
		}
	}
	x, ok := e.(*ast.IndexExpr)
	if !ok {
		return l.lvalue(e)
	}
	u := l.under(l.typeOf(x.X))
	base := ""
	if _, array := u.(*types.Array); !array {
		base = l.val(x.X)
	}
	switch u := u.(type) {
	case *types.Map:
		b, k := l.unique("t"), l.unique("t")
		l.printf("%s := %s\nvar %s %s = %s\n", b, base, k, l.typ(u.Key()), l.key(x.Index, u.Key()))
		return b + "[" + k + "]"
	case *types.Slice:
		b, k := l.unique("t"), l.unique("t")
		l.printf("%s := %s\nvar %s int = %s\n", b, base, k, l.intIndex(x.Index))
		return b + "[" + k + "]"
	case *types.Pointer:
		b, k := l.unique("t"), l.unique("t")
		l.printf("%s := %s\nvar %s int = %s\n", b, base, k, l.intIndex(x.Index))
		return "(*" + b + ")[" + k + "]"
	case *types.Array:
		if l.info.Types[x.Index].Value != nil {
			return bracket(l.stable(x.X)) + "[" + l.intIndex(x.Index) + "]"
		}
		b, k := l.stable(x.X), l.unique("t")
		l.printf("var %s int = %s\n", k, l.intIndex(x.Index))
		return bracket(b) + "[" + k + "]"
	}
	return l.lvalue(e)
}

// mapElement reports the element of a map.
func (l *lowerer) mapElement(e ast.Expr) (*types.Map, bool) {
	x, ok := ast.Unparen(e).(*ast.IndexExpr)
	if !ok {
		return nil, false
	}
	m, ok := l.under(l.typeOf(x.X)).(*types.Map)
	return m, ok
}

// bracket puts a dereference in parentheses.
func bracket(s string) string {
	if strings.HasPrefix(s, "*") {
		return "(" + s + ")"
	}
	return s
}

// declStmt emits a declaration; types and constants leave no trace.
func (l *lowerer) declStmt(d *ast.GenDecl) {
	if d.Tok != token.VAR {
		return
	}
	for _, sp := range d.Specs {
		vs := sp.(*ast.ValueSpec)
		exprs := make([]ast.Expr, len(vs.Names))
		for i, n := range vs.Names {
			exprs[i] = n
		}
		if len(vs.Values) > 0 {
			l.varSpec(vs, exprs)
			continue
		}
		for _, t := range l.targets(exprs, true) {
			switch {
			case t.typ == nil:
			case t.fresh != nil:
				l.declareVar(t.fresh, "")
			default:
				z := l.unique("z")
				l.printf("var %s %s\n%s = %s\n", z, l.typ(t.typ), l.lvalue(t.expr), z)
			}
		}
	}
}

// varSpec emits var a, b T = x, y. A blank name still wants the declared type.
func (l *lowerer) varSpec(vs *ast.ValueSpec, exprs []ast.Expr) {
	l.assignAll(exprs, vs.Values, true)
}

// returnStmt emits a return; results that need it go through variables.
func (l *lowerer) returnStmt(s *ast.ReturnStmt) {
	f := l.fn
	results := f.userFunc().sig.Results()
	if f.ranges != nil || f.byVar {
		l.returnByVar(s, results)
		return
	}
	if len(s.Results) == 0 {
		l.printf("return %s\n", strings.Join(f.results, ", "))
		return
	}
	if len(s.Results) == 1 && results.Len() > 1 {
		text, types := l.tuple(s.Results[0], results.Len())
		temps := l.temps(results.Len())
		parts := make([]string, len(temps))
		same := true
		for i, t := range temps {
			parts[i] = l.convText(t, types[i], results.At(i).Type())
			same = same && parts[i] == t
		}
		if same {
			l.printf("return %s\n", text)
			return
		}
		l.printf("%s := %s\nreturn %s\n", strings.Join(temps, ", "), text, strings.Join(parts, ", "))
		return
	}
	parts := make([]string, len(s.Results))
	for i, e := range s.Results {
		t := results.At(i).Type()
		parts[i] = l.conv(e, t)
		if len(parts) > 1 && (builtinRE.MatchString(parts[i]) || isInterface(l.sub(t)) && !isInterface(l.typeOf(e))) {
			parts[i] = "(" + parts[i] + ")"
		}
	}
	l.printf("return %s\n", strings.Join(parts, ", "))
}

// builtinRE finds a call of one of Go's own functions: as an operand of return,
// yaegi stores what it gives as the first result, whichever it is. A call whose
// type is that of the first result gets the place of its own result to work in,
// though that may be an interface. What is in parentheses is kept apart.
var builtinRE = regexp.MustCompile(`^(append|cap|complex|copy|imag|len|make|new|real)\(`)

// userFunc is the function as the user wrote it: bodies of ranges over
// functions belong to the function around them.
func (f *fn) userFunc() *fn {
	for f != nil && f.ranges != nil {
		f = f.outer
	}
	return f
}

func (l *lowerer) returnByVar(s *ast.ReturnStmt, results *types.Tuple) {
	u := l.fn.userFunc()
	switch {
	case len(s.Results) == 1 && results.Len() > 1:
		text, types := l.tuple(s.Results[0], results.Len())
		temps := l.temps(results.Len())
		l.printf("%s := %s\n", strings.Join(temps, ", "), text)
		for i, t := range temps {
			l.printf("%s = %s\n", u.results[i], l.convText(t, types[i], results.At(i).Type()))
		}
	case len(s.Results) == 1:
		t := results.At(0).Type()
		l.store(u.results[0], t, s.Results[0], l.conv(s.Results[0], t))
	case len(s.Results) > 1:
		temps := l.temps(len(s.Results))
		for i, e := range s.Results {
			t := results.At(i).Type()
			l.printf("var %s %s = %s\n", temps[i], l.typ(t), l.conv(e, t))
		}
		for i, t := range temps {
			l.printf("%s = %s\n", u.results[i], t)
		}
	}
	if l.fn.ranges != nil {
		l.leave(exitReturn, "")
		return
	}
	if u.frame != "" || len(u.results) == 0 {
		l.printf("return\n")
		return
	}
	l.printf("return %s\n", strings.Join(u.results, ", "))
}

func (l *lowerer) ifStmt(s *ast.IfStmt) {
	if s.Init != nil {
		l.printf("{\n")
		l.stmt(s.Init)
		defer l.printf("}\n")
	}
	l.callsFirst(&ast.ExprStmt{X: s.Cond})
	l.printf("if %s {\n", l.expr(s.Cond))
	l.stmts(s.Body.List)
	switch e := s.Else.(type) {
	case nil:
		l.printf("}\n")
	case *ast.BlockStmt:
		l.printf("} else {\n")
		l.stmts(e.List)
		l.printf("}\n")
	default:
		l.printf("} else {\n")
		l.stmt(e)
		l.printf("}\n")
	}
}

func (l *lowerer) labeled(s *ast.LabeledStmt) {
	name := "L_" + identifier(s.Label.Name)
	if l.gotos[s.Label.Name] {
		l.printf("G_%s:\n{ }\n", identifier(s.Label.Name))
	}
	switch st := s.Stmt.(type) {
	case *ast.ForStmt:
		l.forStmt(st, name)
	case *ast.RangeStmt:
		l.rangeStmt(st, name)
	case *ast.SwitchStmt:
		l.switchStmt(st, name)
	case *ast.TypeSwitchStmt:
		l.typeSwitch(st, name)
	case *ast.SelectStmt:
		l.selectStmt(st, name)
	default:
		if _, ok := s.Stmt.(*ast.BlockStmt); ok { // break may name it
			l.push(&jump{label: name, user: identifier(s.Label.Name)})
			l.printf("%s:\nswitch {\ncase true:\n", name)
			l.stmt(s.Stmt)
			l.printf("}\n")
			l.pop()
			return
		}
		l.stmt(s.Stmt)
	}
}

// send emits ch <- v, which an interrupt can end.
func (l *lowerer) send(s *ast.SendStmt) {
	t := l.under(l.typeOf(s.Chan)).(*types.Chan)
	v := l.unique("t")
	c := l.unique("t")
	l.printf("%s := %s\nvar %s %s = %s\n_k.Send(%s, &%s)\n", c, l.val(s.Chan), v, l.typ(t.Elem()), l.conv(s.Value, t.Elem()), c, v)
}
