package lower

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"gopherlo/interp/check"
)

// target is a method found on a value: what to call, what comes first among the
// arguments, and whose signature counts.
type target struct {
	fun   string
	first []string
	sig   *types.Signature
	pkg   string // of native methods
}

// methodCall writes x.M(args).
func (l *lowerer) methodCall(e *ast.CallExpr, sel *ast.SelectorExpr) string {
	m := l.method(sel)
	if m.pkg != "" {
		if text := l.blocking(e, sel, m); text != "" {
			return text
		}
	}
	return l.callText(e, m.fun, m.first, m.sig, m.pkg)
}

// blocking lets native methods that wait be interrupted.
func (l *lowerer) blocking(e *ast.CallExpr, sel *ast.SelectorExpr, m target) string {
	f, ok := l.info.Uses[sel.Sel].(*types.Func)
	if !ok {
		return ""
	}
	if kind, ok := strings.CutPrefix(f.FullName(), "(*log.Logger).Fatal"); ok {
		return "_k.Fatal(func() { " + l.callText(e, strings.TrimSuffix(m.fun, "Fatal"+kind)+"Print"+kind, m.first, m.sig, m.pkg) + " })"
	}
	switch f.FullName() {
	case "(*sync.WaitGroup).Wait":
		return "_k.Wait(func() { " + l.callText(e, m.fun, m.first, m.sig, m.pkg) + " })"
	case "(*os.File).Read":
		return l.callText(e, "_k.Read", []string{strings.TrimSuffix(m.fun, "."+sel.Sel.Name)}, m.sig, m.pkg)
	}
	if waiter := waiters[f.FullName()]; waiter != "" {
		x := strings.TrimSuffix(m.fun, "."+sel.Sel.Name)
		if path := l.hiddenPath(sel); len(path) > 0 && waitsOn[waiter] == "" {
			return "" // a method of an embedded field of a compiled struct
		}
		if !l.isPointer(sel) {
			x = "&" + x
		}
		return l.callText(e, "_k."+waiter, []string{x}, m.sig, m.pkg)
	}
	return ""
}

// hiddenPath leads from the first compiled type on the way to a method to the
// embedded field that has it.
func (l *lowerer) hiddenPath(sel *ast.SelectorExpr) []int {
	t := l.typeOf(sel.X)
	index := l.info.Selections[sel].Index()
	index = index[:len(index)-1]
	return index[len(l.ownPath(t, index)):]
}

// isPointer reports whether the receiver that sel finds, embedded or not, is a
// pointer or an interface already.
func (l *lowerer) isPointer(sel *ast.SelectorExpr) bool {
	t := l.typeOf(sel.X)
	if index := l.info.Selections[sel].Index(); len(index) > 1 {
		t = l.fieldType(t, index[:len(index)-1])
	}
	_, ptr := l.under(t).(*types.Pointer)
	return ptr || isInterface(t)
}

// method finds the target of a method selection.
func (l *lowerer) method(sel *ast.SelectorExpr) target {
	s := l.info.Selections[sel]
	t := l.typeOf(sel.X)
	addr := func() string { return l.address(sel.X) }
	m := l.target(l.expr(sel.X), t, addr, s.Obj().Pkg(), sel.Sel.Name)
	l.sameMethod(sel, t, m.sig)
	return m
}

// sameMethod fails where the body of a generic function of an earlier cell calls a
// method that has got another signature since.
func (l *lowerer) sameMethod(sel *ast.SelectorExpr, t types.Type, sig *types.Signature) {
	was, ok := l.typeOf(sel).(*types.Signature)
	if !ok || l.info == l.res.Info || l.sourcePkg() != nil || types.Identical(was, sig) {
		return
	}
	obj, _, _ := types.LookupFieldOrMethod(t, true, l.info.Selections[sel].Obj().Pkg(), sel.Sel.Name)
	m, ok := obj.(*types.Func)
	if !ok {
		return
	}
	if fd := l.res.Method(m); fd != nil {
		panic(outdated{l.where.Func, l.where.Cell, fd})
	}
}

// outdated is a method that a generic function of an earlier cell calls as it was.
type outdated struct {
	fun  string
	cell int
	fd   *check.FuncDecl
}

func (o outdated) Error() string {
	return fmt.Sprintf("%s (cell %d) calls the method %s of %s, which has another signature since cell %d: declare %[1]s again",
		o.fun, o.cell, o.fd.Name, o.fd.Recv.Obj().Name(), o.fd.Cell)
}

// target finds the method name on x of type t; addr writes the address of x.
func (l *lowerer) target(x string, t types.Type, addr func() string, pkg *types.Package, name string) target {
	obj, index, _ := types.LookupFieldOrMethod(t, true, pkg, name)
	m, ok := obj.(*types.Func)
	if !ok {
		panic(unsupported("method " + name + " of " + t.String()))
	}
	if path := l.ownPath(t, index[:len(index)-1]); len(path) > 0 {
		x, t = l.fieldPath(x, t, path), l.fieldType(t, path)
		addr = func() string { return "&" + x }
	}
	sig := l.sub(m.Type()).(*types.Signature)
	if isInterface(t) {
		if l.nativeIface(t) {
			return target{fun: x + "." + name, sig: sig, pkg: methodPkg(m)}
		}
		return target{fun: l.dispatcher(name, sig), first: []string{x}, sig: sig}
	}
	named := receiverNamed(m)
	if p := l.atomicPointer(t); p != nil {
		return l.atomicMethod(p, x, t, addr, name, sig)
	}
	if named == nil || !l.isCell(named) {
		if strings.HasPrefix(x, "(*") || strings.HasPrefix(x, "&") || strings.HasPrefix(x, "-") {
			x = "(" + x + ")"
		}
		return target{fun: x + "." + name, sig: sig, pkg: methodPkg(m)}
	}
	_, wantPtr := types.Unalias(m.Signature().Recv().Type()).(*types.Pointer)
	_, isPtr := l.under(t).(*types.Pointer)
	switch {
	case wantPtr && !isPtr:
		x = addr()
	case !wantPtr && isPtr:
		x = "(*" + x + ")"
	}
	base := t
	if isPtr {
		if p, ok := types.Unalias(t).(*types.Pointer); ok {
			base = p.Elem()
		}
	}
	n, _ := types.Unalias(l.sub(base)).(*types.Named)
	return target{fun: l.methodName(n, m), first: []string{x}, sig: sig}
}

// ownPath is the part of a path of embedded fields that leads to the first
// compiled type: the rest is for Go.
func (l *lowerer) ownPath(t types.Type, path []int) []int {
	for n, i := range path {
		if l.isNative(t) {
			return path[:n]
		}
		t = l.fieldType(t, []int{i})
	}
	return path
}

func methodPkg(m *types.Func) string {
	if m.Pkg() == nil {
		return "errors" // error.Error
	}
	return m.Pkg().Path()
}

func receiverNamed(m *types.Func) *types.Named {
	t := types.Unalias(m.Signature().Recv().Type())
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	n, _ := t.(*types.Named)
	return n
}

// methodName is the lowered function of a method of a cell type, for instances
// of generic types the one for their type arguments.
func (l *lowerer) methodName(n *types.Named, m *types.Func) string {
	fd := l.res.Method(m)
	if fd == nil {
		return l.sourceMethod(n, m)
	}
	if !fd.Generic() {
		l.need(fd)
		return fd.Emit
	}
	return l.cellInstance(fd, l.typeArgs(n.TypeArgs()))
}

// dispatcher is the function that calls a method by name on an interface
// value, whatever type is in it.
func (l *lowerer) dispatcher(name string, sig *types.Signature) string {
	plain := types.NewSignatureType(nil, nil, nil, sig.Params(), sig.Results(), sig.Variadic())
	key := fmt.Sprintf("dispatch %s %d", name, l.env.Types.ID(plain))
	v := l.name(key, "d_"+name)
	l.once(key, func() {
		text := l.signature(plain)
		sep := ", "
		if plain.Params().Len() == 0 {
			sep = ""
		}
		l.globals = append(l.globals, "var "+v+" func(interface{}"+sep+strings.TrimPrefix(text, "(")+"\n")
		l.prelude = append(l.prelude, fmt.Sprintf("_k.Dispatch(%q, &%s)", name, v))
	})
	return v
}

// params writes the parameters of a signature with names, and the arguments
// that pass them on.
func (l *lowerer) params(sig *types.Signature) (decl, args []string) {
	for i := range sig.Params().Len() {
		n := l.unique("a")
		t := sig.Params().At(i).Type()
		if sig.Variadic() && i == sig.Params().Len()-1 {
			decl = append(decl, n+" ..."+l.typ(l.elemOfVariadic(t)))
			args = append(args, n+"...")
			continue
		}
		decl = append(decl, n+" "+l.typ(t))
		args = append(args, n)
	}
	return decl, args
}

// methodValue writes x.M where it is not called: the receiver is bound now.
func (l *lowerer) methodValue(sel *ast.SelectorExpr) string {
	m := l.method(sel)
	ret := "return "
	if m.sig.Results().Len() == 0 {
		ret = ""
	}
	if len(m.first) == 0 {
		return l.nativeMethodValue(sel, m)
	}
	decl, args := l.params(m.sig)
	recv := l.unique("r")
	recvType := "interface{}"
	if !strings.HasPrefix(m.fun, "d_") {
		recvType = l.recvType(sel)
	}
	if recvType == "interface{}" {
		m.first[0] = "_k.NotNil(" + m.first[0] + ")"
	}
	call := fmt.Sprintf("%s(%s)", m.fun, strings.Join(append([]string{recv}, args...), ", "))
	text := fmt.Sprintf("func(%s %s) func%s { return func(%s)%s { %s%s } }(%s)", recv, recvType,
		l.signature(m.sig), strings.Join(decl, ", "), l.results(m.sig), ret, call, m.first[0])
	if l.untitled == ast.Expr(sel) || !l.traceable(m.sig) {
		return text
	}
	name, params := l.funcName(sel, m.sig)
	line, _ := l.position(sel.Pos())
	return l.origin(text, name, params, l.where.Cell, line) + ".(func" + l.signature(m.sig) + ")"
}

// recvType is the type of the receiver of the method that sel finds.
func (l *lowerer) recvType(sel *ast.SelectorExpr) string {
	s := l.info.Selections[sel]
	t := l.typeOf(sel.X)
	obj, index, _ := types.LookupFieldOrMethod(t, true, s.Obj().Pkg(), sel.Sel.Name)
	m := obj.(*types.Func)
	if len(index) > 1 {
		t = l.fieldType(t, index[:len(index)-1])
	}
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	if _, ptr := types.Unalias(m.Signature().Recv().Type()).(*types.Pointer); ptr {
		return "*" + l.typ(t)
	}
	return l.typ(t)
}

func (l *lowerer) nativeMethodValue(sel *ast.SelectorExpr, m target) string {
	x := m.fun[:strings.LastIndex(m.fun, ".")]
	obj := l.info.Selections[sel].Obj().(*types.Func)
	if _, ptr := types.Unalias(obj.Signature().Recv().Type()).(*types.Pointer); ptr {
		path := l.info.Selections[sel].Index()
		path = path[:len(path)-1]
		if _, isPtr := l.fieldType(l.typeOf(sel.X), path).Underlying().(*types.Pointer); !isPtr {
			if x = "&" + x; len(path) == 0 {
				x = l.address(sel.X)
			}
		}
	}
	id := l.env.Types.ID(l.sub(m.sig))
	key := fmt.Sprintf("mv %d", id)
	name := l.name(key, "mv")
	l.once(key, func() {
		l.globals = append(l.globals, fmt.Sprintf("func %s(x interface{}, name string) (z func%s) { _k.Method(x, name, &z); return z }\n", name, l.signature(m.sig)))
	})
	return l.adapted(sel, fmt.Sprintf("%s(%s, %q)", name, x, sel.Sel.Name), m.sig)
}

// methodExpr writes T.M, a function with the receiver first.
func (l *lowerer) methodExpr(sel *ast.SelectorExpr, s *types.Selection) string {
	sig := l.typeOf(sel).(*types.Signature)
	decl, args := l.params(sig)
	recv := args[0]
	t := l.sub(sig.Params().At(0).Type())
	m := l.target(recv, t, func() string { return "&" + recv }, s.Obj().Pkg(), sel.Sel.Name)
	ret := "return "
	if sig.Results().Len() == 0 {
		ret = ""
	}
	return fmt.Sprintf("func(%s)%s { %s%s(%s) }", strings.Join(decl, ", "), l.results(sig), ret, m.fun,
		strings.Join(append(append([]string{}, m.first...), args[1:]...), ", "))
}

// sourceMethod is the lowered function of a method of a source package.
func (l *lowerer) sourceMethod(n *types.Named, m *types.Func) string {
	if l.env.Sources != nil && m.Pkg() != nil {
		decl, info := l.env.Sources.Func(m.Pkg().Path(), n.Obj().Name(), m.Name())
		if decl != nil && n.TypeArgs().Len() == 0 {
			sig := info.Defs[decl.Name].(*types.Func).Signature()
			return l.instance(m.FullName(), decl, info, sig.TypeParams(), nil, Pos{})
		}
	}
	panic(unsupported("method " + m.FullName()))
}
