package lower

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"

	"gopherlo/interp/check"
)

// expr writes an expression. Constants are folded.
func (l *lowerer) expr(e ast.Expr) string {
	if tv, ok := l.info.Types[e]; ok && tv.Value != nil && !tv.IsType() {
		t := tv.Type
		if isInterface(l.sub(t)) {
			t = defaultOf(tv.Value, e)
		}
		return l.constText(tv.Value, l.sub(t))
	}
	if v := l.early[e]; v != "" {
		return v
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return "(" + l.expr(e.X) + ")"
	case *ast.Ident:
		return l.ident(e)
	case *ast.FuncLit:
		return l.titled(e)
	case *ast.CompositeLit:
		return l.composite(e, l.typeOf(e))
	case *ast.SelectorExpr:
		return l.selector(e)
	case *ast.IndexExpr:
		return l.index(e)
	case *ast.IndexListExpr:
		return l.expr(e.X)
	case *ast.SliceExpr:
		return l.slice(e)
	case *ast.TypeAssertExpr:
		return l.assert(l.conv(e.X, anyType), l.typeOf(e.Type), l.typeOf(e.X), false)
	case *ast.CallExpr:
		return l.back(e)
	case *ast.StarExpr:
		if l.info.Types[e].IsType() {
			return l.typ(l.typeOf(e))
		}
		return "(*" + l.val(e.X) + ")"
	case *ast.UnaryExpr:
		return l.unary(e)
	case *ast.BinaryExpr:
		return l.binary(e)
	}
	if l.info.Types[e].IsType() {
		return l.typ(l.typeOf(e))
	}
	panic(unsupported(fmt.Sprintf("%T", e)))
}

// val writes an expression whose value is about to be used as what its type is
// made of.
func (l *lowerer) val(e ast.Expr) string {
	if v := l.hoisted[e]; v != "" {
		return v
	}
	return l.open1(l.expr(e), l.typeOf(e))
}

// open1 takes the value of an erased type out of its "any".
func (l *lowerer) open1(s string, t types.Type) string {
	if !l.erased(t) {
		return s
	}
	u := l.sub(t).Underlying()
	key := fmt.Sprintf("open %d", l.env.Types.ID(u))
	name := l.name(key, "op")
	l.once(key, func() {
		l.globals = append(l.globals, fmt.Sprintf("func %s(x interface{}) (z %s) { _k.Set(x, &z); return z }\n", name, l.typ(u)))
	})
	return name + "(" + s + ")"
}

// close1 puts a value into the "any" of an erased type.
func (l *lowerer) close1(s string, t types.Type) string {
	if !l.erased(t) || s == "nil" {
		return s
	}
	return "_k.I(" + s + ")"
}

// object finds what an identifier stands for.
func (l *lowerer) object(id *ast.Ident) types.Object {
	if o := l.info.Uses[id]; o != nil {
		return o
	}
	return l.info.Defs[id]
}

func (l *lowerer) ident(id *ast.Ident) string {
	switch obj := l.object(id).(type) {
	case *types.Nil:
		return "nil"
	case *types.Var:
		return l.variable(obj)
	case *types.Func:
		return l.funcRef(id, obj)
	case *types.TypeName:
		return l.typ(obj.Type())
	case *types.Builtin:
		return obj.Name()
	case nil:
		return id.Name
	default:
		panic(unsupported(fmt.Sprintf("%s (%T)", id.Name, obj)))
	}
}

// variable writes the use of a variable.
func (l *lowerer) variable(v *types.Var) string {
	if loc := l.locals[v]; loc != nil {
		if loc.heap {
			return "(*" + loc.name + ")"
		}
		return loc.name
	}
	if sym := l.res.Sym(v); sym != nil {
		if sym.Emit == "" {
			return l.native(sym.Obj)
		}
		return sym.Emit
	}
	if v.Pkg() != nil && !check.Interpreted(v.Pkg()) {
		return l.native(v)
	}
	return l.declareLocal(v)
}

// native writes the reference to a symbol of a native package.
func (l *lowerer) native(obj types.Object) string {
	if !l.env.HasSymbol(obj.Pkg().Path(), obj.Name()) {
		panic(unsupported(obj.Pkg().Name() + "." + obj.Name()))
	}
	path := obj.Pkg().Path()
	if l.env.HasSymbol(ReplacedPath+path, obj.Name()) {
		path = ReplacedPath + path
	}
	if v, ok := obj.(*types.Var); ok && !isError(v.Type()) && l.env.Variable != nil && l.env.Variable(path, obj.Name()) {
		return "(*" + l.pkg(VarsPath+path) + "." + obj.Name() + ")"
	}
	return l.pkg(path) + "." + obj.Name()
}

// VarsPath precedes the path of a package under which pointers to its variables are.
// Where a variable is named itself, yaegi reads it when it compiles, and takes a
// pointer that is nil for a type. Those of type error are left out: they are read a
// lot, and hardly ever set.
const VarsPath = "gopherlo/vars/"

func isError(t types.Type) bool { return types.Identical(t, types.Universe.Lookup("error").Type()) }

// ReplacedPath precedes the path of a standard package under which the runtime
// has its own version of some functions.
const ReplacedPath = "gopherlo/rt/"

// declareLocal gives a variable its lowered name.
func (l *lowerer) declareLocal(v types.Object) string {
	loc := &local{name: l.unique(identifier(v.Name())), heap: l.heap[v], typ: l.sub(v.Type())}
	l.locals[v] = loc
	return loc.name
}

// funcRef writes the reference to a function by name.
func (l *lowerer) funcRef(id *ast.Ident, obj *types.Func) string {
	inst, generic := l.info.Instances[id]
	if sym := l.res.Sym(obj); sym != nil && sym.Kind.String() == "func" {
		if sym.Decl == nil {
			return l.native(sym.Obj) // predeclared
		}
		if generic {
			return l.cellInstance(sym.Decl, l.typeArgs(inst.TypeArgs))
		}
		l.need(sym.Decl)
		return sym.Emit
	}
	if obj.Pkg() != nil && obj.Pkg() == l.sourcePkg() || generic {
		return l.sourceFunc(obj, inst)
	}
	return l.native(obj)
}

// sourcePkg is the package whose source is being emitted, nil for cells.
func (l *lowerer) sourcePkg() *types.Package {
	if l.subst != nil {
		return l.subst.pkg
	}
	return nil
}

// sourceFunc writes the reference to a function of a package held as source.
func (l *lowerer) sourceFunc(obj *types.Func, inst types.Instance) string {
	if l.env.Sources == nil {
		panic(unsupported(obj.FullName()))
	}
	decl, info := l.env.Sources.Func(obj.Pkg().Path(), "", obj.Name())
	if decl == nil {
		panic(unsupported(obj.FullName()))
	}
	def := info.Defs[decl.Name].(*types.Func)
	var targs []types.Type
	if inst.TypeArgs != nil {
		targs = l.typeArgs(inst.TypeArgs)
	}
	if n := l.nativeInstance(obj, targs); n != "" {
		return n
	}
	return l.instance(obj.FullName(), decl, info, def.Signature().TypeParams(), targs, Pos{})
}

// nativeInstance names a compiled instance of a generic standard function for
// basic types, where there is one.
func (l *lowerer) nativeInstance(obj *types.Func, targs []types.Type) string {
	key := obj.Pkg().Name() + "_" + obj.Name()
	for _, t := range targs {
		if s, ok := t.Underlying().(*types.Slice); ok {
			t = s.Elem()
		}
		b, ok := t.Underlying().(*types.Basic)
		if !ok || l.typ(t) != basicName(b) {
			return ""
		}
		key += "_" + basicName(b)
	}
	if !l.env.HasSymbol("gopherlo/rt", key) {
		return ""
	}
	return "_k." + key
}

func (l *lowerer) selector(e *ast.SelectorExpr) string {
	s := l.info.Selections[e]
	if s == nil { // qualified identifier
		switch obj := l.info.Uses[e.Sel].(type) {
		case *types.TypeName:
			return l.typ(obj.Type())
		case *types.Func:
			return l.funcRef(e.Sel, obj)
		case *types.Var:
			return l.variable(obj)
		default:
			return l.native(obj)
		}
	}
	if s.Kind() == types.FieldVal {
		return l.fieldPath(l.expr(e.X), l.typeOf(e.X), s.Index())
	}
	if s.Kind() == types.MethodExpr {
		return l.methodExpr(e, s)
	}
	return l.methodValue(e)
}

// fieldPath writes the selection of a field by its index path, embedded
// fields spelled out.
func (l *lowerer) fieldPath(x string, t types.Type, index []int) string {
	for n, i := range index {
		st, ptr := l.structOf(t)
		if st == nil {
			panic(unsupported("field of " + t.String()))
		}
		if len(index)-n > 1 && l.isNative(t) { // its embedded fields may have no name here
			return x + "." + l.lastField(t, index[n:]).Name()
		}
		if ptr && strings.HasPrefix(x, "(*") {
			x = "(" + x + ")"
		}
		x += "." + FieldName(st, i)
		t = st.Field(i).Type()
	}
	return x
}

// isNative reports a compiled type with a name, or a pointer to one.
func (l *lowerer) isNative(t types.Type) bool {
	t = types.Unalias(l.sub(t))
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(l.sub(p.Elem()))
	}
	n, ok := t.(*types.Named)
	return ok && n.Obj().Pkg() != nil && !l.isCell(n) && n.TypeArgs().Len() == 0
}

// lastField is the field at the end of an index path.
func (l *lowerer) lastField(t types.Type, index []int) (f *types.Var) {
	for _, i := range index {
		st, _ := l.structOf(t)
		f = st.Field(i)
		t = l.sub(f.Type())
	}
	return f
}

// structOf is the struct that t is or points to.
func (l *lowerer) structOf(t types.Type) (st *types.Struct, ptr bool) {
	u := l.under(t)
	if p, ok := u.(*types.Pointer); ok {
		u, ptr = l.under(p.Elem()), true
	}
	st, _ = u.(*types.Struct)
	return st, ptr
}

// fieldType follows an index path.
func (l *lowerer) fieldType(t types.Type, index []int) types.Type {
	for _, i := range index {
		st, _ := l.structOf(t)
		t = l.sub(st.Field(i).Type())
	}
	return t
}

func (l *lowerer) index(e *ast.IndexExpr) string {
	if _, ok := l.info.Types[e.X]; ok && l.info.Types[e.X].IsType() {
		return l.typ(l.typeOf(e))
	}
	t := l.typeOf(e.X)
	if _, ok := t.Underlying().(*types.Signature); ok {
		return l.expr(e.X) // instance; its identifier knows the type arguments
	}
	x := l.val(e.X)
	switch u := t.Underlying().(type) {
	case *types.Map:
		return x + "[" + l.key(e.Index, u.Key()) + "]"
	case *types.Pointer:
		x = "(*" + x + ")"
	}
	return x + "[" + l.intIndex(e.Index) + "]"
}

// key writes the key of a map; nil gets its type, which yaegi needs here.
func (l *lowerer) key(e ast.Expr, t types.Type) string {
	if isNilIdent(l.info, e) && !isInterface(l.sub(t)) && !l.erased(t) {
		return l.nilOf(l.typ(t))
	}
	return l.conv(e, t)
}

// intIndex writes an index or a length: any integer type is right.
func (l *lowerer) intIndex(e ast.Expr) string {
	if tv := l.info.Types[e]; tv.Value != nil {
		return l.constText(tv.Value, types.Typ[types.Int])
	}
	if v := l.hoisted[e]; v != "" {
		return v
	}
	s := l.expr(e)
	if l.typ(l.typeOf(e)) != "int" { // time.Month is another type to yaegi, too
		return "int(" + s + ")"
	}
	return s
}

func (l *lowerer) slice(e *ast.SliceExpr) string {
	x := l.val(e.X)
	if _, ok := l.typeOf(e.X).Underlying().(*types.Pointer); ok {
		x = "(*" + x + ")"
	}
	text := x + "["
	if e.Low != nil {
		text += l.intIndex(e.Low)
	}
	text += ":"
	if e.High != nil {
		text += l.intIndex(e.High)
	}
	if e.Slice3 {
		text += ":" + l.intIndex(e.Max)
	}
	return l.close1(text+"]", l.typeOf(e))
}

func (l *lowerer) unary(e *ast.UnaryExpr) string {
	switch e.Op {
	case token.AND:
		return l.address(e.X)
	case token.ARROW:
		return l.recv(e.X, false)
	}
	return "(" + e.Op.String() + l.expr(e.X) + ")"
}

// address writes &x.
func (l *lowerer) address(x ast.Expr) string {
	switch x := ast.Unparen(x).(type) {
	case *ast.CompositeLit:
		return "&" + l.composite(x, l.typeOf(x))
	case *ast.Ident:
		if v, ok := l.object(x).(*types.Var); ok {
			if loc := l.locals[v]; loc != nil && loc.heap {
				return loc.name
			}
		}
	case *ast.StarExpr:
		if _, ok := ast.Unparen(x.X).(*ast.Ident); !ok {
			return l.notNil(x.X)
		}
	}
	return "&" + l.expr(x)
}

// notNil writes &*p of a pointer that a call gives: yaegi takes no address of
// it, and the pointer itself will do once it is known not to be nil.
func (l *lowerer) notNil(p ast.Expr) string {
	t := l.under(l.typeOf(p))
	key := fmt.Sprintf("notNil %d", l.env.Types.ID(t))
	name := l.name(key, "notNil")
	l.once(key, func() {
		typ := l.typ(t)
		l.globals = append(l.globals, fmt.Sprintf("func %s(p %s) %s { if p == nil { _k.NilDeref() }; return p }\n", name, typ, typ))
	})
	return name + "(" + l.val(p) + ")"
}

// recv writes <-ch, with commaOk a call of two results.
func (l *lowerer) recv(ch ast.Expr, commaOk bool) string {
	t := l.under(l.typeOf(ch)).(*types.Chan)
	kind := "recv"
	if commaOk {
		kind = "recv2"
	}
	key := fmt.Sprintf("%s %d", kind, l.env.Types.ID(l.sub(t)))
	name := l.name(key, kind)
	l.once(key, func() {
		c, elem := l.typ(t), l.typ(t.Elem())
		if commaOk {
			l.globals = append(l.globals, fmt.Sprintf("func %s(c %s) (z %s, ok bool) { ok = _k.Recv(c, &z); return z, ok }\n", name, c, elem))
			return
		}
		l.globals = append(l.globals, fmt.Sprintf("func %s(c %s) (z %s) { _k.Recv(c, &z); return z }\n", name, c, elem))
	})
	return name + "(" + l.val(ch) + ")"
}

func (l *lowerer) binary(e *ast.BinaryExpr) string {
	x, y := l.typeOf(e.X), l.typeOf(e.Y)
	switch e.Op {
	case token.EQL, token.NEQ:
		return l.equal(e)
	case token.SHL, token.SHR:
		return "(" + l.operand(e.X, l.typeOf(e)) + " " + e.Op.String() + " " + l.shiftCount(e.Y) + ")"
	case token.LAND, token.LOR:
		return "(" + startable(l.expr(e.X)) + " " + e.Op.String() + " " + l.expr(e.Y) + ")"
	}
	t := x
	if l.info.Types[e.X].Value != nil {
		t = y
	}
	if e.Op == token.QUO {
		return "(" + l.operand(e.X, t) + " / " + l.divisor(e.Y, t) + ")"
	}
	return "(" + l.operand(e.X, t) + " " + e.Op.String() + " " + l.operand(e.Y, t) + ")"
}

// startable writes the first operand of && and ||. yaegi branches where the
// operand starts, and one that starts with the value of a field or a key of a
// literal never gets it.
func startable(x string) string {
	if strings.Contains(x, "{") {
		return "(true && " + x + ")"
	}
	return x
}

// divisor writes an operand that something is divided by. yaegi refuses a
// constant zero, also where it gives an infinity.
func (l *lowerer) divisor(e ast.Expr, t types.Type) string {
	v := l.info.Types[e].Value
	b, ok := l.under(t).(*types.Basic)
	if v == nil || !ok || b.Info()&(types.IsFloat|types.IsComplex) == 0 || constant.Sign(constant.Real(v)) != 0 || constant.Sign(constant.Imag(v)) != 0 {
		return l.operand(e, t)
	}
	return l.zero(t)
}

// zero writes the zero value of a type: a variable that nothing is assigned to.
func (l *lowerer) zero(t types.Type) string {
	typ := l.typ(t)
	name := l.name("zero "+typ, "zero")
	l.once("zero "+typ, func() { l.globals = append(l.globals, "var "+name+" "+typ+"\n") })
	return name
}

// operand writes an operand of an operation on values of type t; a constant
// takes that type.
func (l *lowerer) operand(e ast.Expr, t types.Type) string {
	if tv := l.info.Types[e]; tv.Value != nil {
		return l.constText(tv.Value, t)
	}
	return l.expr(e)
}

// shiftCount writes a shift count as an unsigned number, after a check of its
// sign where it may be negative.
func (l *lowerer) shiftCount(e ast.Expr) string {
	if tv := l.info.Types[e]; tv.Value != nil {
		return "uint(" + l.constText(tv.Value, types.Typ[types.Int]) + ")"
	}
	if b, ok := l.typeOf(e).Underlying().(*types.Basic); ok && b.Info()&types.IsUnsigned == 0 {
		return "_k.Shift(int64(" + l.expr(e) + "))"
	}
	return "uint(" + l.expr(e) + ")"
}

// equal writes == and !=. Interfaces, structs and arrays are compared by the
// runtime, which sees through boxes.
func (l *lowerer) equal(e *ast.BinaryExpr) string {
	op := " " + e.Op.String() + " "
	xNil, yNil := isNilIdent(l.info, e.X), isNilIdent(l.info, e.Y)
	if xNil || yNil {
		x, y := e.X, e.Y
		if xNil {
			x, y = y, x
		}
		_ = y
		if isInterface(l.typeOf(x)) {
			not := ""
			if e.Op == token.NEQ {
				not = "!"
			}
			return "(" + not + "_k.IsNil(" + l.expr(x) + "))"
		}
		return "(" + l.expr(x) + op + "nil)"
	}
	x, y := l.typeOf(e.X), l.typeOf(e.Y)
	if l.simple(x) && l.simple(y) && !l.directed(x, y) {
		t := x
		if l.info.Types[e.X].Value != nil {
			t = y
		}
		return "(" + l.operand(e.X, t) + op + l.operand(e.Y, t) + ")"
	}
	text := ""
	if !isInterface(x) && !isInterface(y) {
		t := x
		if types.AssignableTo(x, y) && !types.AssignableTo(y, x) {
			t = y
		}
		text = "_k.Same(" + l.conv(e.X, t) + ", " + l.conv(e.Y, t) + ")"
	} else {
		text = "_k.Eq(" + l.conv(e.X, anyType) + ", " + l.conv(e.Y, anyType) + ")"
	}
	if e.Op == token.NEQ {
		return "(!" + text + ")"
	}
	return text
}

// simple reports types whose values yaegi compares rightly by itself.
func (l *lowerer) simple(t types.Type) bool {
	switch l.under(t).(type) {
	case *types.Basic, *types.Pointer, *types.Chan:
		return true
	}
	return false
}

// directed reports channels of one kind of element and different directions.
func (l *lowerer) directed(x, y types.Type) bool {
	a, ok := l.under(x).(*types.Chan)
	b, ok2 := l.under(y).(*types.Chan)
	return ok && ok2 && a.Dir() != b.Dir()
}

// composite writes a composite literal of type t.
func (l *lowerer) composite(e *ast.CompositeLit, t types.Type) string {
	u := l.under(t)
	if p, ok := u.(*types.Pointer); ok { // elided &T in an element
		return "&" + l.composite(e, p.Elem())
	}
	var parts []string
	switch u := u.(type) {
	case *types.Struct:
		for i, el := range e.Elts {
			if kv, ok := el.(*ast.KeyValueExpr); ok {
				i = fieldIndex(u, kv.Key.(*ast.Ident).Name)
				el = kv.Value
			}
			parts = append(parts, FieldName(u, i)+": "+l.element(el, u.Field(i).Type()))
		}
	case *types.Map:
		if isInterface(l.sub(u.Key())) && len(e.Elts) > 1 {
			return l.close1(l.mapOfAny(e, u), t)
		}
		for _, el := range e.Elts {
			kv := el.(*ast.KeyValueExpr)
			parts = append(parts, l.keyElement(kv.Key, u.Key())+": "+l.element(kv.Value, u.Elem()))
		}
	case *types.Slice:
		parts = l.elements(e.Elts, u.Elem())
	case *types.Array:
		parts = l.elements(e.Elts, u.Elem())
	default:
		panic(unsupported("literal of " + t.String()))
	}
	typ := l.typ(t)
	if l.erased(t) {
		typ = l.typ(u)
	}
	return l.close1(typ+"{"+list(parts)+"}", t)
}

func (l *lowerer) keyElement(e ast.Expr, t types.Type) string {
	if _, ok := e.(*ast.CompositeLit); ok {
		return l.element(e, t)
	}
	return l.key(e, t)
}

// mapOfAny writes a map literal with interface keys: yaegi takes keys of equal
// value and different types for repeated ones.
func (l *lowerer) mapOfAny(e *ast.CompositeLit, u *types.Map) string {
	m := l.unique("m")
	text := fmt.Sprintf("func() %s { %s := %s{}; ", l.typ(u), m, l.typ(u))
	for _, el := range e.Elts {
		kv := el.(*ast.KeyValueExpr)
		text += fmt.Sprintf("%s[%s] = %s; ", m, l.element(kv.Key, u.Key()), l.element(kv.Value, u.Elem()))
	}
	return text + "return " + m + " }()"
}

func fieldIndex(st *types.Struct, name string) int {
	for i := range st.NumFields() {
		if st.Field(i).Name() == name {
			return i
		}
	}
	return -1
}

func (l *lowerer) elements(elts []ast.Expr, t types.Type) []string {
	var parts []string
	next := 0
	for _, el := range elts {
		if kv, ok := el.(*ast.KeyValueExpr); ok {
			if n, ok := constant.Int64Val(l.info.Types[kv.Key].Value); ok {
				next = int(n)
			}
			parts = append(parts, l.intIndex(kv.Key)+": "+l.element(kv.Value, t))
		} else {
			parts = append(parts, item(next, l.element(el, t)))
		}
		next++
	}
	return parts
}

// element writes an element of a composite literal, whose own type may be left
// out.
func (l *lowerer) element(e ast.Expr, t types.Type) string {
	if c, ok := e.(*ast.CompositeLit); ok && c.Type == nil {
		return l.composite(c, l.sub(t))
	}
	return l.conv(e, t)
}
