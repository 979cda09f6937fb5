package lower

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/types"
	"sort"
	"strings"
)

// function emits a function at file level. With s it is an instance of a
// generic one. The text goes to the globals.
func (l *lowerer) function(name string, decl *ast.FuncDecl, info *types.Info, s *substitution, where Pos) {
	oldInfo, oldSubst := l.info, l.subst
	l.info, l.subst = info, s
	defer func() { l.info, l.subst = oldInfo, oldSubst }()
	l.begin(where)
	l.analyse(decl)
	sig := l.sub(info.Defs[decl.Name].Type()).(*types.Signature)
	l.fn = &fn{node: decl, sig: sig, byVar: l.defers[decl] || rangesOverFunc(l, decl.Body)}
	params := l.paramDecl(decl.Type.Params)
	if decl.Recv != nil { // a method of a source package
		params = strings.TrimSuffix(l.paramDecl(decl.Recv)+", "+params, ", ")
	}
	results := l.resultDecl(decl.Type.Results)
	l.line(decl.Pos())
	l.body(decl.Body)
	text := l.buf.String()
	l.globals = append(l.globals, fmt.Sprintf("func %s(%s)%s {\n%s}\n", name, params, results, text))
}

// paramDecl declares parameters as locals and writes them.
func (l *lowerer) paramDecl(fl *ast.FieldList) string {
	var parts []string
	for _, f := range fl.List {
		typ := l.typeOf(f.Type)
		text := ""
		if e, ok := f.Type.(*ast.Ellipsis); ok {
			text = "..." + l.typ(l.typeOf(e.Elt))
		} else {
			text = l.typ(typ)
		}
		if len(f.Names) == 0 {
			parts = append(parts, l.unique("_")+" "+text)
		}
		for _, n := range f.Names {
			if n.Name == "_" {
				parts = append(parts, l.unique("_")+" "+text)
				continue
			}
			parts = append(parts, l.declareLocal(l.info.Defs[n])+" "+text)
		}
	}
	return strings.Join(parts, ", ")
}

// resultDecl writes the types of results. Results that have names, or that
// return statements have to go through, are variables of the body: yaegi lets
// a named result share the memory of the variable that the call is assigned to.
func (l *lowerer) resultDecl(fl *ast.FieldList) string {
	if fl == nil || len(fl.List) == 0 {
		return ""
	}
	var parts []string
	named := len(fl.List[0].Names) > 0
	for _, f := range fl.List {
		text := l.typ(l.typeOf(f.Type))
		if !named && !l.fn.byVar {
			parts = append(parts, text)
			continue
		}
		names := f.Names
		if !named {
			names = []*ast.Ident{nil}
		}
		for _, n := range names {
			var name string
			if n == nil || n.Name == "_" {
				name = l.unique("r")
			} else {
				name = l.declareLocal(l.info.Defs[n])
			}
			l.fn.results = append(l.fn.results, name)
			l.fn.resultDecls = append(l.fn.resultDecls, "var "+name+" "+text)
			parts = append(parts, text)
		}
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

// body emits a function's body. One that defers runs inside a native frame,
// which holds the deferred calls and gives them Go's rules for panics.
func (l *lowerer) body(b *ast.BlockStmt) {
	defer l.entered(l.buf.Len())
	defer func(place int) { l.place = place }(l.place)
	l.place = 0
	l.fn.callMarks = l.callsOnLines(b)
	l.declareCallMark()
	for i, d := range l.fn.resultDecls {
		l.printf("%s\n_ = %s\n", d, l.fn.results[i])
	}
	if !l.defers[l.fn.node] {
		l.stmts(b.List)
		if l.fn.byVar {
			l.finalReturn()
		}
		return
	}
	l.fn.frame = l.unique("fr")
	l.printf("%s := _k.Enter()\n_k.Call(%s, func() {\n", l.fn.frame, l.fn.frame)
	l.stmts(b.List)
	l.printf("})\n")
	l.finalReturn()
}

func (l *lowerer) finalReturn() {
	if len(l.fn.results) > 0 {
		l.printf("return %s\n", strings.Join(l.fn.results, ", "))
	}
}

// funcLit writes a function literal. One that stands in a loop and captures
// variables with memory of their own gets their addresses by way of a function
// that makes it: yaegi closures share the frame of their function.
func (l *lowerer) funcLit(e *ast.FuncLit, _ []string) string {
	outer, buf, lhsName := l.fn, l.buf, l.lhsName
	name := l.titleFor(e)
	l.lhsName = ""
	defer func() { l.lhsName = lhsName }()
	l.buf = &strings.Builder{}
	sig := l.typeOf(e).(*types.Signature)
	l.fn = &fn{outer: outer, node: e, name: cmp.Or(name, "<lambda>"), sig: sig, byVar: l.defers[e] || rangesOverFunc(l, e.Body)}
	params := l.paramDecl(e.Type.Params)
	results := l.resultDecl(e.Type.Results)
	l.body(e.Body)
	text := fmt.Sprintf("func(%s)%s {\n%s}", params, results, l.buf.String())
	l.fn, l.buf = outer, buf
	return l.maker(e, text, "func"+l.signature(sig))
}

// maker wraps the text of a closure so that the heap variables that node
// mentions are bound now. In a loop every closure gets a function that makes it:
// when a closure of yaegi ends, it writes into the frame that it was made in what
// was there before, while that frame's goroutine may be about to read a later one.
func (l *lowerer) maker(node ast.Node, text, typ string) string {
	caught := l.captured(node)
	if len(caught) == 0 && (l.fn == nil || l.loopDepth() == 0) {
		return text
	}
	var decl, args []string
	for _, loc := range caught {
		decl = append(decl, loc.name+" *"+l.typ(loc.typ))
		args = append(args, loc.name)
	}
	return fmt.Sprintf("func(%s) %s { return %s }(%s)", strings.Join(decl, ", "), typ, text, strings.Join(args, ", "))
}

// captured lists the heap variables, declared outside node, that it mentions.
func (l *lowerer) captured(node ast.Node) []*local {
	seen := map[*local]bool{}
	var list []*local
	inside := map[types.Object]bool{}
	ast.Inspect(node, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if d := l.info.Defs[id]; d != nil {
				inside[d] = true
			}
		}
		return true
	})
	ast.Inspect(node, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		obj := l.info.Uses[id]
		loc := l.locals[obj]
		if loc != nil && loc.heap && !seen[loc] && !inside[obj] {
			seen[loc] = true
			list = append(list, loc)
		}
		return true
	})
	sort.Slice(list, func(i, j int) bool { return list[i].name < list[j].name })
	return list
}

// rangesOverFunc reports whether a body holds a range over a function, not
// counting nested literals: a return in it must leave two functions.
func rangesOverFunc(l *lowerer, b *ast.BlockStmt) (found bool) {
	ast.Inspect(b, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.RangeStmt:
			if _, ok := l.under(l.typeOf(n.X)).(*types.Signature); ok {
				found = true
			}
		}
		return true
	})
	return found
}

// deferStmt emits a deferred call: function and arguments are evaluated now.
func (l *lowerer) deferStmt(call *ast.CallExpr) {
	f := l.fn
	for f.frame == "" && f.outer != nil {
		f = f.outer
	}
	how := "DeferCall"
	if isThunkLit(call) {
		how = "Defer"
	}
	l.printf("%s.%s(%s)\n", f.frame, how, l.thunk(call))
}

// isThunkLit reports the call of a function literal without parameters and
// results.
func isThunkLit(call *ast.CallExpr) bool {
	lit, ok := ast.Unparen(call.Fun).(*ast.FuncLit)
	return ok && len(call.Args) == 0 && (lit.Type.Results == nil || len(lit.Type.Results.List) == 0)
}

// thunk writes a func() that makes a call later with the function and the
// arguments of now.
func (l *lowerer) thunk(call *ast.CallExpr) string {
	if isThunkLit(call) {
		return l.funcLit(ast.Unparen(call.Fun).(*ast.FuncLit), nil)
	}
	return l.bound(call)
}

// bound evaluates the operands of a call into parameters of a function that
// makes the thunk.
func (l *lowerer) bound(call *ast.CallExpr) string {
	var decl, args []string
	bind := func(text, typ string) string {
		n := l.unique("b")
		decl = append(decl, n+" "+typ)
		args = append(args, text)
		return n
	}
	text := l.boundCall(call, bind)
	return fmt.Sprintf("func(%s) func() { return func() { %s } }(%s)", strings.Join(decl, ", "), text, strings.Join(args, ", "))
}

// boundCall writes the call with its operands replaced by bound names.
func (l *lowerer) boundCall(call *ast.CallExpr, bind func(text, typ string) string) string {
	fun := ast.Unparen(call.Fun)
	if l.info.Types[fun].IsBuiltin() {
		return l.boundBuiltin(call, bind)
	}
	var m target
	if sel, ok := fun.(*ast.SelectorExpr); ok && l.info.Selections[sel] != nil && l.info.Selections[sel].Kind() == types.MethodVal {
		m = l.method(sel)
		if len(m.first) > 0 {
			typ := "interface{}"
			if !strings.HasPrefix(m.fun, "d_") {
				typ = l.recvType(sel)
			} else {
				m.first[0] = "_k.NotNil(" + m.first[0] + ")"
			}
			m.first = []string{bind(m.first[0], typ)}
		} else {
			v := l.nativeMethodValue(sel, m)
			m.fun = bind(v, "func"+l.signature(m.sig))
		}
	} else {
		sig := l.under(l.typeOf(fun)).(*types.Signature)
		m = target{fun: l.val(fun), sig: sig, pkg: l.calleePackage(call)}
		if _, named := fun.(*ast.Ident); !named || l.isVarIdent(fun) {
			m.fun = bind(m.fun, l.typ(l.bare(l.typeOf(fun))))
		}
	}
	args := append([]string{}, m.first...)
	n := m.sig.Params().Len()
	for i, a := range call.Args {
		var t types.Type
		switch {
		case m.sig.Variadic() && i >= n-1 && !call.Ellipsis.IsValid():
			t = l.elemOfVariadic(m.sig.Params().At(n - 1).Type())
		default:
			t = l.sub(m.sig.Params().At(min(i, n-1)).Type())
		}
		args = append(args, bind(l.arg(call, a, t, m.pkg), l.typ(t)))
	}
	if call.Ellipsis.IsValid() {
		args[len(args)-1] += "..."
	} else if m.sig.Variadic() && m.pkg == "" {
		k := len(m.first) + n - 1
		elem := l.typ(l.elemOfVariadic(m.sig.Params().At(n - 1).Type()))
		if len(args) == k {
			args = append(args, l.nilOf("[]"+elem)+"...")
		} else {
			args = append(args[:k:k], "[]"+elem+"{"+items(args[k:])+"}...")
		}
	}
	return m.fun + "(" + strings.Join(args, ", ") + ")"
}

func (l *lowerer) isVarIdent(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	if !ok {
		return false
	}
	_, isVar := l.object(id).(*types.Var)
	return isVar
}

func (l *lowerer) boundBuiltin(call *ast.CallExpr, bind func(text, typ string) string) string {
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	if !ok {
		panic(unsupported("deferred builtin"))
	}
	switch id.Name {
	case "close":
		return "close(" + bind(l.expr(call.Args[0]), l.typ(l.typeOf(call.Args[0]))) + ")"
	case "delete":
		m := l.under(l.typeOf(call.Args[0])).(*types.Map)
		return "delete(" + bind(l.expr(call.Args[0]), l.typ(m)) + ", " + bind(l.conv(call.Args[1], m.Key()), l.typ(m.Key())) + ")"
	case "panic":
		return "panic(_k.P(" + bind(l.conv(call.Args[0], anyType), "interface{}") + "))"
	case "print", "println":
		var args []string
		for _, a := range call.Args {
			args = append(args, bind(l.conv(a, anyType), "interface{}"))
		}
		return "_k." + strings.ToUpper(id.Name[:1]) + id.Name[1:] + "(" + strings.Join(args, ", ") + ")"
	}
	return l.builtin(call, ast.Unparen(call.Fun))
}
