package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"gopherlo/interp/check"
)

// call writes a call, a conversion or the use of a builtin.
func (l *lowerer) call(e *ast.CallExpr) string {
	fun := ast.Unparen(e.Fun)
	if tv := l.info.Types[fun]; tv.IsType() {
		return l.conversion(e.Args[0], l.sub(tv.Type))
	} else if tv.IsBuiltin() {
		return l.builtin(e, fun)
	}
	if sel, ok := fun.(*ast.SelectorExpr); ok {
		if s := l.info.Selections[sel]; s != nil && s.Kind() == types.MethodVal {
			return l.methodCall(e, sel)
		}
	}
	if text := l.hiddenCall(e); text != "" {
		return text
	}
	if text := l.twin(e); text != "" {
		return text
	}
	sig := l.under(l.typeOf(fun)).(*types.Signature)
	pkg := l.calleePackage(e)
	if text := l.special(e, sig); text != "" {
		return text
	}
	l.untitled = fun
	return l.callText(e, l.val(fun), nil, sig, pkg)
}

// calleePackage is the path of the native package whose function or function
// type a call calls, "" for functions of cells.
func (l *lowerer) calleePackage(e *ast.CallExpr) string {
	if f := l.callee(e); f != nil && f.Pkg() != nil && !check.Interpreted(f.Pkg()) {
		if sym := l.res.Sym(f); sym == nil || sym.Decl == nil {
			return f.Pkg().Path()
		}
	}
	if n, ok := types.Unalias(l.typeOf(e.Fun)).(*types.Named); ok && n.Obj().Pkg() != nil && !l.isCell(n) {
		return n.Obj().Pkg().Path()
	}
	return ""
}

// callText writes the call of fun with first arguments already written.
func (l *lowerer) callText(e *ast.CallExpr, fun string, first []string, sig *types.Signature, pkg string) string {
	if pkg == "" {
		l.noteCall(fun)
	}
	if len(e.Args) == 1 {
		if tuple, ok := l.info.TypeOf(e.Args[0]).(*types.Tuple); ok {
			return l.spread(e, fun, first, sig, tuple, pkg)
		}
	}
	args := append([]string{}, first...)
	n := sig.Params().Len()
	for i, a := range e.Args {
		if sig.Variadic() && i >= n-1 {
			break
		}
		param := sig.Params().At(i).Type()
		args = append(args, l.callback(e, a, l.arg(e, a, param, pkg), fun, param, pkg))
	}
	if sig.Variadic() {
		args = append(args, l.variadic(e, sig, pkg)...)
	}
	return fun + "(" + strings.Join(args, ", ") + ")"
}

// variadic writes the arguments of the last parameter. Functions of cells get
// a slice: yaegi would spread a single []any.
func (l *lowerer) variadic(e *ast.CallExpr, sig *types.Signature, pkg string) []string {
	last := sig.Params().At(sig.Params().Len() - 1).Type()
	if e.Ellipsis.IsValid() && !isNilIdent(l.info, e.Args[len(e.Args)-1]) {
		return []string{l.open1(l.arg(e, e.Args[len(e.Args)-1], last, pkg), last) + "..."}
	}
	elem := l.elemOfVariadic(last)
	var parts []string
	none := []string{l.nilOf("[]"+l.typ(elem)) + "..."} // yaegi would make an empty slice
	if e.Ellipsis.IsValid() {
		return none
	}
	for _, a := range e.Args[min(sig.Params().Len()-1, len(e.Args)):] {
		parts = append(parts, l.arg(e, a, elem, pkg))
	}
	if len(parts) == 0 {
		if pkg == "" {
			return none
		}
		return nil
	}
	nils := false
	for _, p := range parts { // a nil with a type needs a slice around it
		nils = nils || p == l.typ(elem)+"(nil)"
	}
	if pkg == "" || nils || isInterface(l.sub(elem)) && len(parts) == 1 || l.erased(elem) {
		return []string{"[]" + l.typ(elem) + "{" + items(parts) + "}..."}
	}
	return parts
}

// arg writes one argument. Native functions that look into values by
// reflection get them unboxed; functions of our own packages get functions
// under the names that they have in the cell.
func (l *lowerer) arg(e *ast.CallExpr, a ast.Expr, param types.Type, pkg string) string {
	param = l.sub(param)
	if pkg != "" && l.env.Reflects(pkg) && holdsAny(param) {
		return l.facadeInto(a, param)
	}
	if pkg == "" || !isInterface(param) || l.nativeIface(param) {
		return l.guard(e, l.conv(a, param), param, pkg)
	}
	t := l.typeOf(a)
	if l.env.Ours(pkg) {
		if _, ok := t.Underlying().(*types.Signature); ok && !isNilIdent(l.info, a) {
			if pkg == treePath {
				return "_k.I(" + l.expr(a) + ")" // calls it as it is
			}
			return l.namedFunc(a, t)
		}
	}
	if l.env.Reflects(pkg) || pkg == "fmt" && l.scans(e) {
		return l.facade(e, a, t)
	}
	if !l.env.Raw(pkg) {
		return l.conv(a, param)
	}
	if tv := l.info.Types[a]; tv.Value != nil || isNilIdent(l.info, a) {
		if l.boxed(t) {
			return l.constText(tv.Value, t)
		}
		return l.conv(a, param)
	}
	if isInterface(t) {
		return "_k.Raw(" + l.expr(a) + ")"
	}
	if _, ok := t.Underlying().(*types.Signature); ok {
		return "_k.I(" + l.expr(a) + ")"
	}
	return l.expr(a)
}

// treePath is the package that calls functions of the cell without tracing
// them.
const treePath = "gopherlo/jaxlike/tree"

// guarded are native functions that run a function of the cell on a goroutine
// of their own; a panic there must not end the process.
var guarded = map[string]bool{
	"(*sync.WaitGroup).Go": true, "time.AfterFunc": true, "context.AfterFunc": true,
}

func (l *lowerer) guard(e *ast.CallExpr, text string, param types.Type, pkg string) string {
	if pkg == "" {
		return text
	}
	if f := l.callee(e); f != nil && guarded[f.FullName()] && isThunk(l.sub(param)) {
		return "_k.Guard(" + text + ")"
	}
	return text
}

// isThunk reports func().
func isThunk(t types.Type) bool {
	sig, ok := t.Underlying().(*types.Signature)
	return ok && sig.Params().Len() == 0 && sig.Results().Len() == 0
}

// namedFunc writes a function value that goes to one of our own packages: with
// its name and the names of its parameters in the cell.
func (l *lowerer) namedFunc(a ast.Expr, t types.Type) string {
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil && l.env.Ours(n.Obj().Pkg().Path()) {
		return l.expr(a) // a Func already has its name
	}
	if l.res.Native(l.callee(&ast.CallExpr{Fun: a})) {
		return l.expr(a) // compiled functions know their own
	}
	name, params := l.funcName(a, t.Underlying().(*types.Signature))
	lhs := l.lhsName
	l.untitled = ast.Unparen(a)
	text := l.expr(a)
	l.lhsName = lhs
	line, _ := l.position(a.Pos())
	return "_k.Named(" + text + ", " + l.names(name, params, l.where.Cell, line) + ")"
}

// funcName is the name of a function and of its parameters as a trace shows
// them.
func (l *lowerer) funcName(a ast.Expr, sig *types.Signature) (name string, params []string) {
	name, params = l.res.FuncName(l.info, a, sig, l.titleFor(a))
	if id, ok := ast.Unparen(a).(*ast.Ident); ok {
		if names, ok := l.litParams[l.object(id)]; ok { // of the literal that it holds now
			params = names
		}
	}
	return name, params
}

// spread writes f(g()) where g has several results.
func (l *lowerer) spread(e *ast.CallExpr, fun string, first []string, sig *types.Signature, tuple *types.Tuple, pkg string) string {
	ident := token.IsIdentifier(strings.TrimPrefix(strings.ReplaceAll(fun, ".", ""), "_"))
	plain := len(first) == 0 && !sig.Variadic() && ident
	for i := range tuple.Len() {
		if plain && isInterface(l.sub(sig.Params().At(i).Type())) {
			plain = false
		}
	}
	if plain {
		return fun + "(" + l.expr(e.Args[0]) + ")"
	}
	temps := l.temps(tuple.Len())
	var args, extra []string
	args = append(args, first...)
	for i, t := range temps {
		from := l.sub(tuple.At(i).Type())
		more := sig.Variadic() && i >= sig.Params().Len()-1
		param := sig.Params().At(min(i, sig.Params().Len()-1)).Type()
		if more {
			param = l.elemOfVariadic(param)
		}
		if pkg != "" && l.env.Reflects(pkg) && emptyInterface(l.sub(param)) {
			t = l.facade(e, l.standFor(e.Fun, t, from), from)
		} else {
			t = l.convText(t, from, param)
		}
		if more {
			extra = append(extra, t)
			continue
		}
		args = append(args, t)
	}
	if len(extra) > 0 {
		elem := l.elemOfVariadic(sig.Params().At(sig.Params().Len() - 1).Type())
		args = append(args, "[]"+l.typ(elem)+"{"+items(extra)+"}...")
	}
	ret := "return "
	if sig.Results().Len() == 0 {
		ret = ""
	}
	before := ""
	if !ident {
		fn := l.unique("t")
		before, fun = fn+" := "+fun+"; ", fn
	}
	for i, f := range first { // the receiver comes before the arguments
		r := l.unique("t")
		before += r + " := " + f + "; "
		args[i] = r
	}
	return fmt.Sprintf("func()%s { %s%s := %s; %s%s(%s) }()", l.results(sig), before, strings.Join(temps, ", "),
		l.expr(e.Args[0]), ret, fun, strings.Join(args, ", "))
}

// hiddenCall writes the calls that the checker's rewrites have put in.
func (l *lowerer) hiddenCall(e *ast.CallExpr) string {
	f := l.callee(e)
	if f == nil || f.Pkg() == nil || f.Pkg().Path() != "gopherlo/rt" {
		return ""
	}
	switch f.Name() {
	case "Lit":
		arg := l.arg(e, e.Args[0], anyType, "gopherlo/jaxlike")
		return "_k.Lit(" + arg + ")"
	case "Rows", "Pack", "Len":
		return "_k." + f.Name() + "(" + l.expr(e.Args[0]) + ")"
	case "Outs", "Ins":
		return "_k." + f.Name() + "()"
	case "Out":
		return l.recall(e)
	}
	var list []types.Type
	switch t := l.info.TypeOf(e).(type) {
	case *types.Tuple:
		for i := range t.Len() {
			list = append(list, l.sub(t.At(i).Type()))
		}
	default:
		list = []types.Type{l.typeOf(e)}
	}
	each, _ := l.info.TypeOf(e.Args[0]).(*types.Tuple)
	key := "into"
	if each != nil {
		key = "each"
	}
	for _, t := range list {
		key += fmt.Sprintf(" %d", l.env.Types.ID(t))
	}
	name := l.name(key, "into")
	if each != nil {
		l.once(key, func() { l.eachFunc(name, each, list) })
		return name + "(" + l.expr(e.Args[0]) + ")"
	}
	l.once(key, func() {
		var results, ptrs, names []string
		for i, t := range list {
			n := fmt.Sprintf("z%d", i)
			results, ptrs, names = append(results, n+" "+l.typ(t)), append(ptrs, "&"+n), append(names, n)
		}
		l.globals = append(l.globals, fmt.Sprintf("func %s(x %s) (%s) { _k.Into(x, %s); return %s }\n", name,
			l.typ(l.typeOf(e.Args[0])), strings.Join(results, ", "), strings.Join(ptrs, ", "), strings.Join(names, ", ")))
	})
	return name + "(" + l.expr(e.Args[0]) + ")"
}

// recall writes the value that a cell has shown, of the type that it had.
func (l *lowerer) recall(e *ast.CallExpr) string {
	t := l.typeOf(e)
	x := "_k.Out(" + l.expr(e.Args[0]) + ")"
	if isInterface(t) && !l.nativeIface(t) {
		return x
	}
	key := fmt.Sprintf("out %d", l.typeID(t))
	name := l.name(key, "out")
	l.once(key, func() {
		as := l.assert("x", t, anyType, false)
		l.globals = append(l.globals, fmt.Sprintf("func %s(x interface{}) (z %s) { var n %s; if !_k.IsNil(x) { n = %s }; return n }\n", name, l.typ(t), l.typ(t), as))
	})
	return name + "(" + x + ")"
}

// eachFunc writes the function that takes each of several Arrays apart; other
// values pass.
func (l *lowerer) eachFunc(name string, from *types.Tuple, to []types.Type) {
	var params, results, names []string
	var body strings.Builder
	for i, t := range to {
		x, z := fmt.Sprintf("x%d", i), fmt.Sprintf("z%d", i)
		have := l.typ(l.sub(from.At(i).Type()))
		params, results, names = append(params, x+" "+have), append(results, z+" "+l.typ(t)), append(names, z)
		if have == l.typ(t) {
			fmt.Fprintf(&body, "%s = %s; ", z, x)
			continue
		}
		fmt.Fprintf(&body, "_k.Into(%s, &%s); ", x, z)
	}
	l.globals = append(l.globals, fmt.Sprintf("func %s(%s) (%s) { %sreturn %s }\n", name,
		strings.Join(params, ", "), strings.Join(results, ", "), body.String(), strings.Join(names, ", ")))
}

// twin writes the call of a generic function of our own packages: its twin
// takes and gives "any", as yaegi cannot import generic functions.
func (l *lowerer) twin(e *ast.CallExpr) string {
	f := l.callee(e)
	if f == nil || f.Pkg() == nil {
		return ""
	}
	if sym := l.res.Sym(f); sym != nil && sym.Obj != nil {
		f, _ = sym.Obj.(*types.Func)
	}
	if f == nil || f.Pkg() == nil || !l.env.Ours(f.Pkg().Path()) || f.Signature().TypeParams().Len() == 0 {
		return ""
	}
	name := f.Name() + "Any"
	if !l.env.HasSymbol(f.Pkg().Path(), name) {
		panic(unsupported("generic function " + f.FullName()))
	}
	pkg := f.Pkg().Path()
	var args []string
	for i, a := range e.Args {
		t := l.arg(e, a, anyType, pkg)
		if e.Ellipsis.IsValid() && i == len(e.Args)-1 {
			t = l.expr(a) + "..."
		}
		args = append(args, t)
	}
	res := l.typeOf(e)
	if f.Name() == "As" {
		args = append(args, l.nilOf("*"+l.typ(res)))
	}
	text := l.pkg(pkg) + "." + name + "(" + strings.Join(args, ", ") + ")"
	if tuple, ok := res.(*types.Tuple); ok && tuple.Len() == 0 {
		return text
	}
	key := fmt.Sprintf("twin %d", l.typeID(res))
	helper := l.name(key, "tw")
	l.once(key, func() {
		l.globals = append(l.globals, fmt.Sprintf("func %s(x interface{}) (z %s) { _k.Set(x, &z); return z }\n", helper, l.typ(res)))
	})
	return helper + "(" + text + ")"
}

// special writes calls that need more than their arguments.
func (l *lowerer) special(e *ast.CallExpr, sig *types.Signature) string {
	f := l.callee(e)
	if f == nil || f.Pkg() == nil {
		return ""
	}
	if f.FullName() == "reflect.TypeFor" {
		return fmt.Sprintf("_k.TypeFor(%d)", l.typeID(l.typeArg(e)))
	}
	if len(e.Args) == 0 {
		return ""
	}
	switch f.FullName() {
	case "errors.AsType":
		return l.asType(e)
	case "reflect.TypeAssert":
		v := l.expr(e.Args[0])
		return l.assert(v+".Interface()", l.typeArg(e), anyType, true)
	case "errors.As":
		if len(e.Args) == 2 {
			t := l.typeOf(e.Args[1])
			errType := types.Universe.Lookup("error").Type()
			p, ok := t.Underlying().(*types.Pointer)
			if !ok || !isInterface(p.Elem()) && !types.Implements(p.Elem(), errType.Underlying().(*types.Interface)) {
				return fmt.Sprintf("_k.ErrorsAsAny(%s, %s)", l.conv(e.Args[0], errType), l.conv(e.Args[1], anyType))
			}
			return fmt.Sprintf("_k.ErrorsAs(%s, %d, %s)", l.conv(e.Args[0], errType), l.typeID(p.Elem()), l.expr(e.Args[1]))
		}
	case "time.Sleep":
		return "_k.Sleep(" + l.conv(e.Args[0], sig.Params().At(0).Type()) + ")"
	}
	return ""
}

// typeArg is the first type argument of a call of a generic function.
func (l *lowerer) typeArg(e *ast.CallExpr) types.Type {
	fun := ast.Unparen(e.Fun)
	switch x := fun.(type) {
	case *ast.IndexExpr:
		fun = x.X
	case *ast.IndexListExpr:
		fun = x.X
	}
	id, ok := fun.(*ast.Ident)
	if sel, isSel := fun.(*ast.SelectorExpr); isSel {
		id, ok = sel.Sel, true
	}
	if inst := l.info.Instances[id]; ok && inst.TypeArgs != nil {
		return l.sub(inst.TypeArgs.At(0))
	}
	panic(unsupported("call without its type argument"))
}

// asType writes errors.AsType.
func (l *lowerer) asType(e *ast.CallExpr) string {
	t := l.typeArg(e)
	id := l.typeID(t)
	key := fmt.Sprintf("astype %d", id)
	name := l.name(key, "astype")
	l.once(key, func() {
		l.globals = append(l.globals, fmt.Sprintf("func %s(err error) (z %s, ok bool) { ok = _k.AsType(err, %d, &z); return z, ok }\n", name, l.typ(t), id))
	})
	return name + "(" + l.conv(e.Args[0], types.Universe.Lookup("error").Type()) + ")"
}

// conversion writes T(x).
func (l *lowerer) conversion(x ast.Expr, to types.Type) string {
	tv := l.info.Types[x]
	if isInterface(to) {
		s := l.conv(x, to)
		if l.nativeIface(to) {
			return s
		}
		return "interface{}(" + s + ")"
	}
	if isNilIdent(l.info, x) {
		if l.erased(to) {
			return "interface{}(nil)"
		}
		return l.nilOf(l.typ(to))
	}
	if text, ok := l.unsafeConversion(x, to); ok {
		return text
	}
	from := l.typeOf(x)
	if tv.Value != nil {
		if b, ok := l.under(to).(*types.Basic); ok {
			if b.Info()&types.IsString != 0 && from.Underlying().(*types.Basic).Info()&types.IsInteger != 0 {
				return "string(int32(" + l.constText(tv.Value, types.Typ[types.Int]) + "))"
			}
			return l.constText(tv.Value, to)
		}
	}
	s := l.expr(x)
	if l.erased(from) || l.erased(to) {
		return l.concrete(s, from, to)
	}
	a, b := l.typ(from), l.typ(to)
	if a == b {
		return s
	}
	fu, tu := l.under(from), l.under(to)
	if fb, ok := fu.(*types.Basic); ok && b == "string" && fb.Info()&types.IsInteger != 0 && a != "int32" {
		return "string(_k.Rune(int64(" + s + ")))"
	}
	switch t := tu.(type) {
	case *types.Struct:
		return l.concrete(s, from, to)
	case *types.Array, *types.Pointer:
		if _, ok := fu.(*types.Slice); ok {
			return l.helperConv("sa", "_k.FromSlice(x, &z)", s, from, to)
		}
		if _, ok := t.(*types.Pointer); ok {
			return l.helperConv("pc", "_k.Reinterpret(x, &z)", s, from, to)
		}
	}
	if strings.HasPrefix(b, "*") || strings.HasPrefix(b, "func") || strings.HasPrefix(b, "chan") || strings.HasPrefix(b, "<-") {
		b = "(" + b + ")"
	}
	return b + "(" + s + ")"
}

// helperConv writes a conversion by way of a function that fills its result.
func (l *lowerer) helperConv(kind, body, s string, from, to types.Type) string {
	key := fmt.Sprintf("%s %d %d", kind, l.env.Types.ID(from), l.env.Types.ID(to))
	name := l.name(key, kind)
	l.once(key, func() {
		l.globals = append(l.globals, fmt.Sprintf("func %s(x %s) (z %s) { %s; return z }\n", name, l.typ(from), l.typ(to), body))
	})
	return name + "(" + s + ")"
}
