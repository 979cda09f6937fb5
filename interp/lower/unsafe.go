package lower

import (
	"fmt"
	"go/ast"
	"go/types"
	"runtime"
	"strconv"
	"strings"

	"gopherlo/interp/check"
)

// Values are in memory as compiled Go has them, but for interfaces, functions and
// maps. So packages from source can look at the memory of all else by way of package
// unsafe; cells cannot.

func isUnsafePointer(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == types.UnsafePointer
}

// mayBeUnsafe refuses package unsafe in cells.
func (l *lowerer) mayBeUnsafe(what string) {
	if l.where.Cell < check.FileBase {
		panic(unsupported("unsafe." + what))
	}
}

// unsafeConversion writes a conversion from or to unsafe.Pointer; ok is false for
// others.
func (l *lowerer) unsafeConversion(x ast.Expr, to types.Type) (text string, ok bool) {
	from := l.typeOf(x)
	fu, tu := l.under(from), l.under(to)
	fp, isFrom := fu.(*types.Pointer)
	tp, isTo := tu.(*types.Pointer)
	switch {
	case isUnsafePointer(tu) && isUnsafePointer(fu):
		return l.expr(x), true
	case isUnsafePointer(tu) && isFrom:
		l.mayBeUnsafe("Pointer")
		l.plain(fp.Elem())
		return l.helperConv("up", "_k.PointerOf(x, &z)", l.expr(x), from, to), true
	case isUnsafePointer(tu):
		l.mayBeUnsafe("Pointer")
		return "_k.PointerAt(uintptr(" + l.expr(x) + "))", true
	case isUnsafePointer(fu) && isTo:
		l.mayBeUnsafe("Pointer")
		l.plain(tp.Elem())
		return l.helperConv("pu", "_k.Pointing(x, &z)", l.expr(x), from, to), true
	case isUnsafePointer(fu):
		l.mayBeUnsafe("Pointer")
		if p, ok := l.pointerIn(x); ok { // only an address
			return l.helperConv("ua", "z = _k.Address(x)", l.expr(p), l.typeOf(p), to), true
		}
		return l.typ(to) + "(_k.Address(" + l.expr(x) + "))", true
	}
	return "", false
}

// pointerIn is the p of unsafe.Pointer(p) for a pointer p.
func (l *lowerer) pointerIn(x ast.Expr) (ast.Expr, bool) {
	c, ok := ast.Unparen(x).(*ast.CallExpr)
	if !ok || len(c.Args) != 1 || !l.info.Types[c.Fun].IsType() || isNilIdent(l.info, c.Args[0]) {
		return nil, false
	}
	_, ok = l.under(l.typeOf(c.Args[0])).(*types.Pointer)
	return c.Args[0], ok
}

// plain refuses types whose values are not in memory as compiled Go has them.
func (l *lowerer) plain(t types.Type) {
	if !l.isPlain(t, map[types.Type]bool{}) {
		panic(unsupported("unsafe.Pointer to " + t.String() + ", which has interfaces, functions or maps,"))
	}
}

// isPlain is the rule for one type; those in seen are being looked at.
func (l *lowerer) isPlain(t types.Type, seen map[types.Type]bool) bool {
	t = types.Unalias(l.sub(t))
	if seen[t] {
		return true
	}
	seen[t] = true
	if n, ok := types.Unalias(t).(*types.Named); ok {
		if l.erased(n) || l.atomicPointer(n) != nil {
			return false
		}
		if !l.isCell(n) && n.TypeArgs().Len() == 0 {
			return !isInterface(n)
		}
	}
	switch u := l.under(t).(type) {
	case *types.Basic, *types.Pointer, *types.Chan:
		return true
	case *types.Slice:
		return l.isPlain(u.Elem(), seen)
	case *types.Array:
		return l.isPlain(u.Elem(), seen)
	case *types.Struct:
		for f := range u.Fields() {
			if !l.isPlain(f.Type(), seen) {
				return false
			}
		}
		return true
	}
	return false
}

// unsafeCall writes the call of a function of package unsafe whose value is no
// constant.
func (l *lowerer) unsafeCall(e *ast.CallExpr, name string) string {
	l.mayBeUnsafe(name)
	res := l.typeOf(e)
	switch name {
	case "Sizeof", "Alignof": // of a type parameter
		sizes, size := types.SizesFor("gc", runtime.GOARCH), int64(0)
		if t := l.typeOf(e.Args[0]); name == "Sizeof" {
			size = sizes.Sizeof(t)
		} else {
			size = sizes.Alignof(t)
		}
		return "uintptr(" + strconv.FormatInt(size, 10) + ")"
	case "Add":
		return "_k.PointerAdd(" + l.expr(e.Args[0]) + ", " + l.intIndex(e.Args[1]) + ")"
	case "String":
		return "_k.StringAt(" + l.val(e.Args[0]) + ", " + l.intIndex(e.Args[1]) + ")"
	case "StringData":
		return "_k.StringData(" + l.conv(e.Args[0], types.Typ[types.String]) + ")"
	case "SliceData":
		return l.helperConv("sd", "_k.SliceData(x, &z)", l.val(e.Args[0]), l.bare(l.typeOf(e.Args[0])), res)
	case "Slice":
		p := l.typeOf(e.Args[0])
		key := fmt.Sprintf("unsafe slice %d", l.env.Types.ID(p))
		fn := l.name(key, "us")
		l.once(key, func() {
			l.globals = append(l.globals, fmt.Sprintf("func %s(x %s, n int) (z %s) { _k.SliceAt(x, n, &z); return z }\n", fn, l.typ(p), l.typ(res)))
		})
		return fn + "(" + l.val(e.Args[0]) + ", " + l.intIndex(e.Args[1]) + ")"
	}
	panic(unsupported("unsafe." + name))
}

// late lowers a function of a package from source. One that cannot be interpreted
// fails when it is called: programs may have it and never do.
func (l *lowerer) late(fd *check.FuncDecl, sig *types.Signature, impl string, lower func()) {
	fn, jumps, buf, name := l.fn, l.jumps, l.buf, l.lhsName
	defer func() {
		r := recover()
		u, ok := r.(unsupported)
		if r != nil && !ok {
			panic(r)
		}
		if r == nil {
			return
		}
		line, _ := l.position(l.pos)
		l.fn, l.jumps, l.buf, l.lhsName = fn, jumps, buf, name
		l.refuse(fd, sig, impl, fmt.Sprintf("%s:%d: %s cannot be interpreted", l.env.FileName(l.where.Cell), line, string(u)))
	}()
	lower()
}

// refuse writes a function of type sig that says why it cannot run.
func (l *lowerer) refuse(fd *check.FuncDecl, sig *types.Signature, impl, why string) {
	params := make([]string, sig.Params().Len())
	for i := range params {
		t := sig.Params().At(i).Type()
		if text := l.typ(t); sig.Variadic() && i == len(params)-1 {
			params[i] = l.unique("_") + " ..." + l.typ(l.elemOfVariadic(t))
		} else {
			params[i] = l.unique("_") + " " + text
		}
	}
	l.globals = append(l.globals, fmt.Sprintf("func %s(%s)%s { panic(_k.P(_k.Refused(%q, %q))) }\n",
		impl, strings.Join(params, ", "), l.results(sig), why, fd.Owner().BuildPath()))
}
