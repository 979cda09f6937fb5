package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
)

// Go leaves open when an operand that is no call is read beside a call that
// changes it. Its compiler (cmd/compile/internal/walk/order.go of Go 1.26) makes the
// calls and some operations first, in order, and reads what is left afterwards;
// what people see of f(x, g()) is that. yaegi reads some operands before and some
// after. Statements where it matters have their calls put into variables first.

// callsFirst emits the calls of a statement where one may change an operand to
// the left of it, or be seen before the statement fails.
func (l *lowerer) callsFirst(s ast.Stmt) {
	if l.fn == nil {
		return
	}
	o := &order{l: l}
	switch s := s.(type) {
	case *ast.ExprStmt:
		o.visitAll([]ast.Expr{s.X})
	case *ast.AssignStmt:
		o.assignment(s)
	case *ast.IncDecStmt:
		if o.matters = l.hasCall([]ast.Expr{s.X}); o.matters {
			o.place(s.X)
		}
	case *ast.ReturnStmt:
		o.visitAll(s.Results)
	case *ast.SendStmt:
		o.send(s)
	case *ast.DeclStmt:
		if d, ok := s.Decl.(*ast.GenDecl); ok && d.Tok == token.VAR && len(d.Specs) == 1 {
			o.visitAll(d.Specs[0].(*ast.ValueSpec).Values)
		}
	}
	if !o.matters || o.unfit {
		return
	}
	l.early = maps.Clone(l.early)
	if l.early == nil {
		l.early = map[ast.Expr]string{}
	}
	for _, e := range o.early {
		l.checks(e)
		text := l.expr(e)
		l.early[e] = l.unique("t")
		if t := l.typeOf(e); l.isFunc(t) { // as in store
			l.printf("var %s %s = %s\n", l.early[e], l.typ(t), text)
		} else {
			l.printf("%s := %s\n", l.early[e], text)
		}
	}
}

// visitAll visits the expressions of a statement if there is a call in them.
func (o *order) visitAll(exprs []ast.Expr) {
	switch {
	case !o.l.hasCall(exprs):
	case len(exprs) == 1:
		o.last(exprs[0])
	default:
		for _, e := range exprs {
			o.visit(e)
		}
	}
}

// assignment visits both sides. What the left sides are made of is read, and
// found wrong, after the calls of both.
func (o *order) assignment(s *ast.AssignStmt) {
	plain := !slices.ContainsFunc(s.Lhs, func(e ast.Expr) bool { return !isIdent(e) })
	plainOp := plain && s.Tok != token.ASSIGN && s.Tok != token.DEFINE
	if plainOp || !o.l.hasCall(s.Lhs) && (plain || !o.l.changing(s.Rhs)) {
		if !plainOp {
			o.visitAll(s.Rhs)
		}
		return
	}
	for _, e := range s.Lhs {
		o.place(e)
	}
	o.matters = true
	if len(s.Rhs) < len(s.Lhs) { // it has several values, which get variables anyway
		o.last(s.Rhs[0])
		return
	}
	for _, e := range s.Rhs {
		o.visit(e)
	}
}

// place visits what the left side of an assignment is made of.
func (o *order) place(e ast.Expr) {
	switch e := e.(type) {
	case *ast.ParenExpr:
		o.place(e.X)
	case *ast.IndexExpr:
		o.placeIn(e.X)
		o.visit(e.Index)
	case *ast.StarExpr:
		o.visit(e.X)
	case *ast.SelectorExpr:
		if o.l.info.Selections[e] != nil {
			o.placeIn(e.X)
		}
	}
}

// placeIn visits what a place is part of: an array or struct is none that is read.
func (o *order) placeIn(e ast.Expr) {
	switch o.l.under(o.l.typeOf(e)).(type) {
	case *types.Array, *types.Struct:
		o.place(e)
	default:
		o.visit(e)
	}
}

func (o *order) send(s *ast.SendStmt) {
	o.visit(s.Chan)
	if o.reads+len(o.early) == 0 || !o.l.changing([]ast.Expr{s.Value}) {
		*o = order{l: o.l}
		o.visitAll([]ast.Expr{s.Value})
		return
	}
	o.matters = true
	o.visit(s.Value)
}

// changing reports expressions with calls that may change variables of the cell,
// or with receive operations.
func (l *lowerer) changing(exprs []ast.Expr) (found bool) {
	o := &order{l: l}
	for _, e := range exprs {
		ast.Inspect(e, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.CallExpr:
				found = found || !l.harmless(n) && o.changes(n)
			case *ast.UnaryExpr:
				found = found || n.Op == token.ARROW
			}
			return !found
		})
	}
	return found
}

// order looks through the operands of a statement in the order of evaluation.
type order struct {
	l       *lowerer
	early   []ast.Expr // what is evaluated before the rest, in order
	reads   int        // operands read until here that a call may change
	turns   int        // operands that come in their turn, and late in yaegi
	matters bool       // a call may change one of them
	unfit   bool       // something here cannot be put into a variable
}

// last visits the expression of a statement: if it is a call, nothing follows it.
func (o *order) last(e ast.Expr) {
	if c, ok := ast.Unparen(e).(*ast.CallExpr); ok && !o.l.info.Types[c.Fun].IsType() && !o.l.info.Types[c.Fun].IsBuiltin() {
		o.callee(c)
		o.args(c)
		return
	}
	o.visit(e)
}

func (o *order) visit(e ast.Expr) {
	tv := o.l.info.Types[e]
	if e == nil || tv.Value != nil || tv.IsType() {
		return
	}
	reads := o.reads
	switch e := e.(type) {
	case *ast.ParenExpr:
		o.visit(e.X)
	case *ast.Ident:
		if v, ok := o.l.object(e).(*types.Var); ok && (o.l.locals[v] == nil || o.l.shared[v]) {
			o.reads++
		}
	case *ast.CompositeLit:
		o.composite(e)
	case *ast.SelectorExpr:
		if o.l.info.Selections[e] != nil {
			o.visit(e.X)
			o.reads++
		}
	case *ast.IndexExpr:
		o.visit(e.X)
		o.visit(e.Index)
		o.reads++
	case *ast.SliceExpr:
		o.visit(e.X)
		for _, x := range []ast.Expr{e.Low, e.High, e.Max} {
			o.bound(x)
		}
		o.turn(e, reads)
	case *ast.StarExpr:
		o.visit(e.X)
		o.reads++
	case *ast.TypeAssertExpr:
		o.visit(e.X)
		o.turn(e, reads)
	case *ast.UnaryExpr:
		o.unary(e)
	case *ast.BinaryExpr:
		o.binary(e)
	case *ast.CallExpr:
		o.call(e)
	}
}

// bound visits a bound of a slice expression: one that is no plain variable comes in
// its turn.
func (o *order) bound(e ast.Expr) {
	if e == nil {
		return
	}
	reads := o.reads
	o.visit(e)
	if !isIdent(ast.Unparen(e)) {
		o.lazy(e, reads)
	}
}

// turn notes an operand that is evaluated in its turn if it reads anything.
func (o *order) turn(e ast.Expr, reads int) {
	if o.reads > reads {
		o.reads = reads
		o.put(e)
	}
}

// lazy notes one that yaegi reads late.
func (o *order) lazy(e ast.Expr, reads int) {
	if o.reads > reads {
		o.turns++
	}
	o.turn(e, reads)
}

// put notes an operand that is evaluated in its turn.
func (o *order) put(e ast.Expr) {
	if _, ok := o.l.typeOf(e).(*types.Tuple); ok {
		o.unfit = true
	}
	o.early = append(o.early, e)
}

func (o *order) unary(e *ast.UnaryExpr) {
	switch e.Op {
	case token.AND:
		if _, ok := ast.Unparen(e.X).(*ast.CompositeLit); ok {
			o.visit(e.X)
		} else if o.l.hasCall([]ast.Expr{e.X}) {
			o.unfit = true
		}
	case token.ARROW:
		o.visit(e.X)
		o.put(e)
	default:
		o.visit(e.X)
	}
}

func (o *order) binary(e *ast.BinaryExpr) {
	if (e.Op == token.LAND || e.Op == token.LOR) && o.l.hasCall([]ast.Expr{e.Y}) {
		o.matters = o.matters || o.reads > 0
		o.put(e) // its right side may not run
		return
	}
	reads := o.reads
	o.visit(e.X)
	o.visit(e.Y)
	if e.Op == token.LAND || e.Op == token.LOR {
		o.turn(e, reads)
	}
}

// composite visits a literal. The entries of a map are stored one by one.
func (o *order) composite(e *ast.CompositeLit) {
	_, isMap := o.l.under(o.l.typeOf(e)).(*types.Map)
	for _, el := range e.Elts {
		kv, ok := el.(*ast.KeyValueExpr)
		if !ok {
			o.visit(el)
			continue
		}
		if !isMap {
			o.visit(kv.Value)
			continue
		}
		for _, x := range []ast.Expr{kv.Key, kv.Value} {
			if tv := o.l.info.Types[x]; !tv.IsValue() {
				o.unfit = true // a literal whose type is left out, nil
				return
			}
			reads := o.reads
			o.visit(x)
			o.lazy(x, reads)
		}
	}
}

func (o *order) call(e *ast.CallExpr) {
	tv := o.l.info.Types[e.Fun]
	reads, turns := o.reads, o.turns
	if !tv.IsType() && !tv.IsBuiltin() {
		o.callee(e)
	}
	if inner := o.l.tupleArg(e); inner != nil { // its values go straight into the call
		o.callee(inner)
		o.args(inner)
	} else {
		o.args(e)
	}
	switch {
	case tv.IsType() && isInterface(o.l.sub(tv.Type)):
		o.boxed(e.Args[0], reads)
	case tv.IsType():
		if _, ok := o.l.under(tv.Type).(*types.Slice); ok && isString(o.l.under(o.l.typeOf(e.Args[0]))) {
			o.turn(e, reads)
		}
	case tv.IsBuiltin():
		o.builtin(e, reads)
	default:
		o.reads, o.turns = reads, turns // what its own operands read, it reads
		if o.changes(e) {
			o.matters = o.matters || reads+turns > 0
		}
		o.put(e)
	}
}

// tupleArg is the call that gives another all its arguments, nil for none.
func (l *lowerer) tupleArg(e *ast.CallExpr) *ast.CallExpr {
	if len(e.Args) != 1 {
		return nil
	}
	inner, ok := ast.Unparen(e.Args[0]).(*ast.CallExpr)
	if _, tuple := l.info.TypeOf(e.Args[0]).(*types.Tuple); ok && tuple {
		return inner
	}
	return nil
}

func (o *order) builtin(e *ast.CallExpr, reads int) {
	if !o.l.harmless(e) {
		o.unfit = true
		return
	}
	if _, ok := o.l.under(o.l.typeOf(e.Args[0])).(*types.Chan); ok && !o.l.info.Types[e.Args[0]].IsType() {
		o.reads++ // whoever has the channel may change its length
		o.lazy(e, reads)
		return
	}
	o.turn(e, reads)
}

func isString(t types.Type) bool {
	b, ok := t.(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// callee visits what is called. The receiver of a pointer method is not read.
func (o *order) callee(e *ast.CallExpr) {
	fun := ast.Unparen(e.Fun)
	sel, ok := fun.(*ast.SelectorExpr)
	if !ok {
		if _, lit := fun.(*ast.FuncLit); !lit {
			if _, id := fun.(*ast.Ident); !id {
				o.visit(fun)
			}
		}
		return
	}
	if o.l.info.Selections[sel] != nil && o.l.hasCall([]ast.Expr{sel.X}) {
		o.visit(sel.X)
	}
}

// args visits the arguments of a call.
func (o *order) args(e *ast.CallExpr) {
	sig, _ := o.l.under(o.l.typeOf(e.Fun)).(*types.Signature)
	for i, a := range e.Args {
		reads := o.reads
		o.visit(a)
		if sig != nil && !o.l.info.Types[e.Fun].IsType() && isInterface(o.l.sub(param(sig, i))) {
			o.boxed(a, reads)
		}
	}
}

// boxed notes an operand that becomes an interface value: structs, arrays and
// truth values that are in no variable do in their turn.
func (o *order) boxed(e ast.Expr, reads int) {
	e = ast.Unparen(e)
	switch t := o.l.under(o.l.typeOf(e)).(type) {
	case *types.Struct, *types.Array:
		switch x := e.(type) {
		case *ast.CompositeLit:
			o.turn(e, reads)
		case *ast.IndexExpr:
			if _, ok := o.l.under(o.l.typeOf(x.X)).(*types.Map); ok {
				o.turn(e, reads)
			}
		}
	case *types.Basic:
		switch e.(type) {
		case *ast.UnaryExpr, *ast.BinaryExpr:
			if t.Info()&types.IsBoolean != 0 {
				o.lazy(e, reads)
			}
		}
	}
}

// param is the type of the i-th argument.
func param(sig *types.Signature, i int) types.Type {
	n := sig.Params().Len()
	if !sig.Variadic() || i < n-1 {
		return sig.Params().At(i).Type()
	}
	if s, ok := sig.Params().At(n - 1).Type().Underlying().(*types.Slice); ok {
		return s.Elem()
	}
	return sig.Params().At(n - 1).Type()
}

// changes reports calls that may change variables of the cell: those of its own
// functions, and those of others that are handed a way to them.
func (o *order) changes(e *ast.CallExpr) bool {
	if o.l.calleePackage(e) == "" {
		return true
	}
	if sel, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr); ok && o.l.info.Selections[sel] != nil && holdsWay(o.l.under(o.l.typeOf(sel.X))) {
		return true
	}
	for _, a := range e.Args {
		if holdsWay(o.l.under(o.l.typeOf(a))) {
			return true
		}
	}
	return false
}

// holdsWay reports types whose values lead to variables.
func holdsWay(t types.Type) bool {
	switch t.(type) {
	case *types.Basic, *types.Struct:
		return false
	}
	return true
}
