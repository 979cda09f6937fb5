package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// calledSpecially are native functions whose calls need more than their
// arguments, see special.
var calledSpecially = map[string]bool{"errors.As": true, "errors.AsType": true, "time.Sleep": true, "reflect.TypeFor": true, "reflect.TypeAssert": true}

// nativeFunc writes a native function as a value where a call of it is not just
// that: the value is a literal that makes the call; "" for all others.
func (l *lowerer) nativeFunc(e ast.Expr) string {
	f := l.callee(&ast.CallExpr{Fun: e})
	if f == nil || f.Signature().Recv() != nil {
		return ""
	}
	pkg := l.calleePackage(&ast.CallExpr{Fun: e})
	sig, ok := l.typeOf(e).(*types.Signature)
	if !ok || pkg == "" || l.env.Ours(pkg) {
		return ""
	}
	looks := (l.env.Reflects(pkg) || l.env.Raw(pkg)) && takesAny(sig)
	if !calledSpecially[f.FullName()] && !looks && !hasInstance(sig) {
		return ""
	}
	return l.caller(e, sig, l.call)
}

// caller writes a literal that takes what sig takes and makes a call of e, as
// write writes it.
func (l *lowerer) caller(e ast.Expr, sig *types.Signature, write func(*ast.CallExpr) string) string {
	call := &ast.CallExpr{Fun: e}
	var params []string
	for i := range sig.Params().Len() {
		t := sig.Params().At(i).Type()
		arg := l.standFor(e, l.unique(fmt.Sprintf("a%d", i)), t)
		call.Args = append(call.Args, arg)
		typ := l.typ(t)
		if sig.Variadic() && i == sig.Params().Len()-1 {
			typ = "..." + l.typ(l.elemOfVariadic(t))
			call.Ellipsis = e.Pos()
		}
		params = append(params, arg.Name+" "+typ)
	}
	ret := "return "
	if sig.Results().Len() == 0 {
		ret = ""
	}
	return "func(" + strings.Join(params, ", ") + ")" + l.results(sig) + " { " + ret + write(call) + " }"
}

// adapted writes a literal that calls the value of a native method whose
// arguments need what those of a call of it do.
func (l *lowerer) adapted(sel *ast.SelectorExpr, method string, sig *types.Signature) string {
	pkg := l.info.Uses[sel.Sel].Pkg()
	if pkg == nil || l.env.Ours(pkg.Path()) || !l.env.Reflects(pkg.Path()) || !takesAny(sig) {
		return method
	}
	f := l.unique("f")
	lit := l.caller(sel, sig, func(call *ast.CallExpr) string { return l.callText(call, f, nil, sig, pkg.Path()) })
	typ := "func" + l.signature(sig)
	return fmt.Sprintf("func(%s %s) %s { return %s }(%s)", f, typ, typ, lit, method)
}

// standFor is a name that stands for a value of type t in text of our own; like is
// an expression that has a value.
func (l *lowerer) standFor(like ast.Expr, name string, t types.Type) *ast.Ident {
	id := ast.NewIdent(name)
	v := types.NewVar(token.NoPos, nil, id.Name, t)
	l.locals[v] = &local{name: id.Name, typ: t}
	l.info.Uses[id] = v
	tv := l.info.Types[like]
	tv.Type = t
	l.info.Types[id] = tv
	return id
}

// takesAny reports a parameter that values of all types go to.
func takesAny(sig *types.Signature) bool {
	for v := range sig.Params().Variables() {
		if emptyInterface(v.Type()) || holdsAny(v.Type()) {
			return true
		}
	}
	return false
}

// hasInstance reports a parameter or a result whose type is an instance of a
// generic one, such as iter.Seq: for yaegi it is what that is made of.
func hasInstance(sig *types.Signature) bool {
	for _, vars := range []*types.Tuple{sig.Params(), sig.Results()} {
		for v := range vars.Variables() {
			if n, ok := types.Unalias(v.Type()).(*types.Named); ok && n.TypeArgs().Len() > 0 {
				return true
			}
		}
	}
	return false
}
