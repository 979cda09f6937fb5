package lower

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"strings"
)

// builtin writes the use of a builtin function.
func (l *lowerer) builtin(e *ast.CallExpr, fun ast.Expr) string {
	name := ""
	switch f := fun.(type) {
	case *ast.Ident:
		name = f.Name
		if b, ok := l.info.Uses[f].(*types.Builtin); ok {
			name = b.Name()
		}
	case *ast.SelectorExpr:
		return l.unsafeCall(e, f.Sel.Name)
	}
	if len(e.Args) == 1 && (name == "copy" || name == "delete" || name == "append" || name == "complex") {
		if tuple, ok := l.info.TypeOf(e.Args[0]).(*types.Tuple); ok {
			return l.spreadBuiltin(e, name, tuple)
		}
	}
	switch name {
	case "append":
		return l.appendCall(e)
	case "len", "cap":
		return l.lenCap(name, e.Args[0])
	case "copy":
		src := l.val(e.Args[1])
		if b, ok := l.typeOf(e.Args[1]).Underlying().(*types.Basic); ok && b.Info()&types.IsString != 0 {
			src = "[]uint8(" + src + ")"
		}
		return "copy(" + l.val(e.Args[0]) + ", " + src + ")"
	case "delete":
		m := l.under(l.typeOf(e.Args[0])).(*types.Map)
		return "delete(" + l.val(e.Args[0]) + ", " + l.key(e.Args[1], m.Key()) + ")"
	case "make":
		return l.makeCall(e)
	case "new":
		return l.newCall(e)
	case "complex", "real", "imag":
		return l.complexCall(e, name)
	case "panic":
		return "panic(_k.P(" + l.conv(e.Args[0], anyType) + "))"
	case "recover":
		return "_k.Recover()"
	case "print", "println":
		return l.printCall(e, "_k."+strings.ToUpper(name[:1])+name[1:])
	case "close":
		return "close(" + l.val(e.Args[0]) + ")"
	case "clear":
		return "_k.Clear(" + l.val(e.Args[0]) + ")"
	case "min", "max":
		return l.minMax(e, name)
	}
	panic(unsupported("builtin " + name))
}

// lenCap writes len(x) and cap(x): x may be a pointer to an array.
func (l *lowerer) lenCap(name string, arg ast.Expr) string {
	x := l.val(arg)
	if p, ok := l.typeOf(arg).Underlying().(*types.Pointer); ok {
		if a, ok := l.under(p.Elem()).(*types.Array); ok {
			if l.pure(arg) {
				return fmt.Sprint(a.Len())
			}
			return fmt.Sprintf("func() int { _ = %s; return %d }()", x, a.Len())
		}
		x = "*" + x
	}
	return name + "(" + x + ")"
}

// makeCall writes make(T, …). A channel of one direction is made as one of both.
func (l *lowerer) makeCall(e *ast.CallExpr) string {
	t := l.typeOf(e.Args[0])
	args := []string{l.typ(l.bare(t))}
	for _, a := range e.Args[1:] {
		args = append(args, l.intIndex(a))
	}
	if n := len(args) - 1; n > 0 && l.mayBeHuge(e.Args[n]) {
		if bytes := roomOf(l.under(t)); bytes > 0 {
			args[n] = fmt.Sprintf("_k.Room(%s, %d)", args[n], bytes)
		}
	}
	text := "make(" + strings.Join(args, ", ") + ")"
	if c, ok := l.under(t).(*types.Chan); ok && c.Dir() != types.SendRecv {
		args[0] = chanType(types.SendRecv, l.typ(c.Elem()))
		text = "(" + l.typ(c) + ")(make(" + strings.Join(args, ", ") + "))"
	}
	return l.close1(text, t)
}

// mayBeHuge reports a size of make that has to be looked at when it is known: it
// could be more than there is memory, which ends a Go program. Inner loops go
// without, as with bounds.
func (l *lowerer) mayBeHuge(size ast.Expr) bool {
	if v := l.info.Types[size].Value; v != nil {
		n, exact := constant.Int64Val(constant.ToInt(v))
		return exact && n > 1<<20
	}
	return l.loopDepth() <= 1
}

// roomOf is the bytes that make takes for each element of a type.
func roomOf(t types.Type) (bytes int64) {
	defer func() {
		if recover() != nil { // the size of a type parameter is not known
			bytes = 1
		}
	}()
	sizes := types.SizesFor("gc", "amd64")
	switch t := t.(type) {
	case *types.Slice:
		return sizes.Sizeof(t.Elem())
	case *types.Chan:
		return sizes.Sizeof(t.Elem())
	case *types.Map:
		return max(sizes.Sizeof(t.Key())+sizes.Sizeof(t.Elem()), 1)
	}
	return 1
}

// spreadBuiltin writes copy, delete, append or complex of a call with several
// results.
func (l *lowerer) spreadBuiltin(e *ast.CallExpr, name string, tuple *types.Tuple) string {
	temps := l.temps(tuple.Len())
	call := *e
	call.Args = nil
	for i, t := range temps {
		id := &ast.Ident{NamePos: e.Args[0].Pos(), Name: t}
		v := types.NewVar(id.Pos(), nil, t, tuple.At(i).Type())
		l.info.Uses[id] = v
		l.info.Types[id] = types.TypeAndValue{Type: tuple.At(i).Type()}
		l.locals[v] = &local{name: t, typ: tuple.At(i).Type()}
		call.Args = append(call.Args, id)
	}
	l.info.Types[&call] = l.info.Types[e]
	result, ret := "", ""
	if name != "delete" {
		result, ret = " "+l.typ(l.typeOf(e)), "return "
	}
	return fmt.Sprintf("func()%s { %s := %s; %s%s }()", result, strings.Join(temps, ", "), l.expr(e.Args[0]), ret,
		l.builtin(&call, ast.Unparen(e.Fun)))
}

// printCall writes print and println, also of a call with several results.
func (l *lowerer) printCall(e *ast.CallExpr, fun string) string {
	if len(e.Args) == 1 {
		if tuple, ok := l.info.TypeOf(e.Args[0]).(*types.Tuple); ok {
			temps := l.temps(tuple.Len())
			args := make([]string, len(temps))
			for i, t := range temps {
				args[i] = l.toAny(t, tuple.At(i).Type())
			}
			return fmt.Sprintf("func() { %s := %s; %s(%s) }()", strings.Join(temps, ", "), l.expr(e.Args[0]), fun, strings.Join(args, ", "))
		}
	}
	args := make([]string, len(e.Args))
	for i, a := range e.Args {
		args[i] = l.conv(a, anyType)
	}
	return fun + "(" + strings.Join(args, ", ") + ")"
}

func (l *lowerer) appendCall(e *ast.CallExpr) string {
	t := l.typeOf(e)
	s, ok := l.under(t).(*types.Slice)
	if !ok {
		panic(unsupported("append to " + t.String()))
	}
	first := l.open1(l.conv(e.Args[0], t), t)
	if isNilIdent(l.info, e.Args[0]) {
		first = l.nilOf(l.typ(l.bare(t)))
	}
	if e.Ellipsis.IsValid() {
		more := l.val(e.Args[1])
		if b, ok := l.typeOf(e.Args[1]).Underlying().(*types.Basic); ok && b.Info()&types.IsString != 0 {
			more = "[]uint8(" + more + ")"
		}
		if isNilIdent(l.info, e.Args[1]) {
			return l.close1(first, t)
		}
		return l.close1("append("+first+", "+more+"...)", t)
	}
	var parts []string
	for _, a := range e.Args[1:] {
		parts = append(parts, l.conv(a, s.Elem()))
	}
	if len(parts) == 0 {
		return l.close1(first, t)
	}
	elem := l.typ(s.Elem())
	// Several elements are evaluated before the first is stored. A nil alone would
	// have the type that yaegi last gave one elsewhere.
	if elem == "interface{}" || len(parts) > 1 || parts[0] == "nil" || isInterface(l.sub(s.Elem())) || strings.HasPrefix(elem, "func") {
		return l.close1("append("+first+", []"+elem+"{"+items(parts)+"}...)", t)
	}
	return l.close1("append("+first+", "+strings.Join(parts, ", ")+")", t)
}

// bare is what an erased type is made of, other types themselves.
func (l *lowerer) bare(t types.Type) types.Type {
	if l.erased(t) {
		return l.sub(t).Underlying()
	}
	return t
}

func (l *lowerer) newCall(e *ast.CallExpr) string {
	if l.info.Types[e.Args[0]].IsType() {
		return "new(" + l.typ(l.typeOf(e.Args[0])) + ")"
	}
	elem := l.under(l.typeOf(e)).(*types.Pointer).Elem() // new(value), Go 1.26
	key := fmt.Sprintf("newv %d", l.env.Types.ID(l.sub(elem)))
	name := l.name(key, "newv")
	l.once(key, func() {
		t := l.typ(elem)
		l.globals = append(l.globals, fmt.Sprintf("func %s(x %s) *%s { z := new(%s); *z = x; return z }\n", name, t, t, t))
	})
	return name + "(" + l.conv(e.Args[0], elem) + ")"
}

func (l *lowerer) complexCall(e *ast.CallExpr, name string) string {
	t := l.under(l.typeOf(e)).(*types.Basic)
	if name != "complex" {
		return name + "(" + l.operand(e.Args[0], l.typeOf(e.Args[0])) + ")"
	}
	part := types.Typ[types.Float64]
	if t.Kind() == types.Complex64 {
		part = types.Typ[types.Float32]
	}
	return "complex(" + l.operand(e.Args[0], part) + ", " + l.operand(e.Args[1], part) + ")"
}

// minMax writes min and max as nested calls of a helper of two arguments.
func (l *lowerer) minMax(e *ast.CallExpr, name string) string {
	t := l.typeOf(e)
	typ := l.typ(t)
	key := name + " " + typ
	helper := l.name(key, name)
	l.once(key, func() {
		op := "<"
		if name == "max" {
			op = ">"
		}
		nan := ""
		if b, ok := l.under(t).(*types.Basic); ok && b.Info()&types.IsFloat != 0 {
			nan = " || a != a"
			op += "" // NaN wins, as in Go
		}
		l.globals = append(l.globals, fmt.Sprintf("func %s(a, b %s) %s { if a %s b%s { return a }; return b }\n", helper, typ, typ, op, nan))
	})
	text := l.operand(e.Args[0], t)
	for _, a := range e.Args[1:] {
		text = helper + "(" + text + ", " + l.operand(a, t) + ")"
	}
	return text
}
