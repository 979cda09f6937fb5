package lower

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"
)

var anyType = types.NewInterfaceType(nil, nil)

// conv writes an expression as a value of type to, the place where it goes.
func (l *lowerer) conv(e ast.Expr, to types.Type) string {
	to = l.sub(to)
	tv := l.info.Types[e]
	if tv.IsNil() || isNilIdent(l.info, e) {
		return l.nilText(to)
	}
	if tv.Value != nil {
		if isInterface(to) {
			t := types.Default(l.sub(tv.Type))
			if isInterface(t) {
				t = defaultOf(tv.Value, e)
			}
			return l.convText(l.constText(tv.Value, t), t, to)
		}
		if b, ok := tv.Type.Underlying().(*types.Basic); ok && b.Info()&types.IsUntyped != 0 || isInterface(tv.Type) {
			return l.constText(tv.Value, to)
		}
		return l.convText(l.constText(tv.Value, tv.Type), l.sub(tv.Type), to)
	}
	return l.convText(l.value1(e), l.typeOf(e), to)
}

// value1 writes an expression as a value. An instance of a generic function is
// one by way of a variable: yaegi cannot return the function itself.
func (l *lowerer) value1(e ast.Expr) string {
	if text := l.nativeFunc(e); text != "" {
		return text
	}
	text := l.expr(e)
	if !strings.HasPrefix(text, "g_") || !token.IsIdentifier(text) {
		return text
	}
	if _, ok := l.typeOf(e).Underlying().(*types.Signature); !ok {
		return text
	}
	key := "value of " + text
	name := l.name(key, "gv_"+text)
	l.once(key, func() {
		l.globals = append(l.globals, "var "+name+" func"+l.signature(l.typeOf(e).Underlying().(*types.Signature))+"\n")
		l.prelude = append(l.prelude, name+" = "+text)
	})
	return name
}

// defaultOf is the type of an untyped constant that go/types has recorded as
// converted to an interface; the literal tells runes from integers.
func defaultOf(v constant.Value, e ast.Expr) types.Type {
	if lit, ok := ast.Unparen(e).(*ast.BasicLit); ok && lit.Kind.String() == "CHAR" {
		return types.Typ[types.Rune]
	}
	return defaultBasic(v)
}

func isNilIdent(info *types.Info, e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return false
	}
	_, isNil := info.Uses[id].(*types.Nil)
	return isNil
}

// nilText is nil for a place of a type. yaegi needs the type for interfaces that
// cells cannot implement, such as options.
func (l *lowerer) nilText(t types.Type) string {
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil && l.nativeIface(t) && l.env.Ours(n.Obj().Pkg().Path()) {
		return l.typ(t) + "(nil)"
	}
	return "nil"
}

// typeOf is the type of an expression with type arguments put in; untyped
// ones get their default.
func (l *lowerer) typeOf(e ast.Expr) types.Type {
	t := l.info.TypeOf(e)
	if t == nil {
		return types.Typ[types.Invalid]
	}
	return types.Default(l.sub(t))
}

// convText converts the text of a value of type from to type to.
func (l *lowerer) convText(s string, from, to types.Type) string {
	from, to = l.sub(from), l.sub(to)
	if !isInterface(to) {
		return l.concrete(s, from, to)
	}
	if isInterface(from) {
		return l.betweenInterfaces(s, from, to)
	}
	if b, ok := from.(*types.Basic); ok && b.Kind() == types.UntypedNil {
		return "nil"
	}
	if !l.boxed(from) {
		if b, ok := from.Underlying().(*types.Basic); ok && b.Info()&types.IsBoolean != 0 && strings.HasPrefix(s, "(") {
			return "_k.Bool(" + s + ")" // yaegi trips over some comparisons here
		}
		if l.nativeIface(to) {
			return s
		}
		if _, ok := from.Underlying().(*types.Signature); ok {
			return "_k.I(" + s + ")"
		}
		return s
	}
	if l.erased(from) {
		s = l.open1(s, from)
	}
	box := fmt.Sprintf("_k.B(%d, %s)", l.typeID(from), s)
	if l.nativeIface(to) {
		return l.toNative(box, to)
	}
	return box
}

// concrete converts between types that are no interfaces. Their values are the
// same to yaegi unless one is a struct under another name.
func (l *lowerer) concrete(s string, from, to types.Type) string {
	if ef, et := l.erased(from), l.erased(to); ef != et {
		if ef {
			return l.open1(s, from)
		}
		return l.close1(s, to)
	}
	if _, ok := to.Underlying().(*types.Struct); ok {
		if a, b := l.typ(from), l.typ(to); a != b {
			return l.structConv(s, from, to)
		}
	}
	return s
}

// structConv copies a struct into one of another type with the same fields.
func (l *lowerer) structConv(s string, from, to types.Type) string {
	key := fmt.Sprintf("sconv %d %d", l.env.Types.ID(from), l.env.Types.ID(to))
	name := l.name(key, "sc")
	l.once(key, func() {
		l.globals = append(l.globals, fmt.Sprintf("func %s(x %s) (z %s) { _k.Copy(x, &z); return z }\n", name, l.typ(from), l.typ(to)))
	})
	return name + "(" + s + ")"
}

func (l *lowerer) betweenInterfaces(s string, from, to types.Type) string {
	nf, nt := l.nativeIface(from), l.nativeIface(to)
	switch {
	case !nf && !nt:
		return s
	case nf && !nt:
		return "_k.A(" + s + ")"
	case nf && nt && l.typ(from) == l.typ(to):
		return s
	}
	return l.toNative(s, to)
}

// toNative makes a value of a native interface of an interface value.
func (l *lowerer) toNative(s string, to types.Type) string {
	if l.typ(to) == "error" {
		return "_k.E(" + s + ")"
	}
	key := fmt.Sprintf("native %d", l.env.Types.ID(to))
	name := l.name(key, "tn")
	l.once(key, func() {
		l.globals = append(l.globals, fmt.Sprintf("func %s(x interface{}) (z %s) { _k.N(x, &z); return z }\n", name, l.typ(to)))
	})
	return name + "(" + s + ")"
}

// toAny writes a value held in a temporary as an interface value.
func (l *lowerer) toAny(s string, from types.Type) string { return l.convText(s, from, anyType) }

// fromAny writes the assertion x.(t) on an interface value that is known to be
// one; with commaOk it is a call with two results.
func (l *lowerer) assert(x string, t types.Type, static types.Type, commaOk bool) string {
	t = l.sub(t)
	id := l.typeID(t)
	kind := "as"
	if commaOk {
		kind = "as2"
	}
	sid := l.env.Types.ID(l.sub(static))
	key := fmt.Sprintf("%s %d %d", kind, id, sid)
	name := l.name(key, kind)
	l.once(key, func() {
		typ := l.typ(t)
		if commaOk {
			l.globals = append(l.globals, fmt.Sprintf("func %s(x interface{}) (z %s, ok bool) { ok = _k.As2(x, %d, &z); return z, ok }\n", name, typ, id))
			return
		}
		l.globals = append(l.globals, fmt.Sprintf("func %s(x interface{}) (z %s) { _k.As(x, %d, %d, &z); return z }\n", name, typ, id, sid))
	})
	return name + "(" + x + ")"
}
