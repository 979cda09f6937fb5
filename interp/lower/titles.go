package lower

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/types"
	"strconv"
	"strings"

	"gopherlo/interp/check"
)

// names writes what is told of a function: its name, those of its parameters
// and its place.
func (l *lowerer) names(name string, params []string, cell, line int) string {
	quoted := make([]string, len(params))
	for i, p := range params {
		quoted[i] = strconv.Quote(p)
	}
	return fmt.Sprintf("%q, []string{%s}, %q, %d", name, strings.Join(quoted, ", "), fmt.Sprintf("cell-%d.go", cell), line)
}

// origin writes a function value that knows its names from now on.
func (l *lowerer) origin(text, name string, params []string, cell, line int) string {
	return "_k.Fn(" + text + ", " + l.names(name, params, cell, line) + ")"
}

// titled writes a literal. One that may be traced later knows its names: it may
// go through variables, fields and other functions before that.
func (l *lowerer) titled(e *ast.FuncLit) string {
	sig := l.typeOf(e).(*types.Signature)
	if l.untitled == e || !l.traceable(sig) {
		return l.funcLit(e, nil)
	}
	name := cmp.Or(l.titleFor(e), "<lambda>")
	text := l.funcLit(e, nil)
	line, _ := l.position(e.Pos())
	return l.origin(text, name, check.ParamNames(e.Type.Params), l.where.Cell, line) + ".(func" + l.signature(sig) + ")"
}

// titleFor is the variable that a literal is assigned to, perhaps within the
// transformations of it, "" when there is none.
func (l *lowerer) titleFor(e ast.Expr) string {
	if l.lhsName != "" && l.lhsValue == ast.Unparen(e) {
		return l.lhsName
	}
	return ""
}

// titleHolder is the literal that gets the name of a variable that is assigned
// e: e itself, or the first argument of a call that gives a function.
func (l *lowerer) titleHolder(e ast.Expr) ast.Expr {
	for {
		e = ast.Unparen(e)
		call, ok := e.(*ast.CallExpr)
		if !ok || len(call.Args) == 0 {
			return e
		}
		if _, ok := l.under(l.info.TypeOf(call)).(*types.Signature); !ok {
			return nil
		}
		e = call.Args[0]
	}
}

// traceable reports a function that is likely to be traced: it takes Arrays or
// anything.
func (l *lowerer) traceable(sig *types.Signature) bool {
	for v := range sig.Params().Variables() {
		if l.holdsArray(v.Type(), 0) {
			return true
		}
	}
	return false
}

// holdsArray looks for Arrays, or what may hold them, not too deep inside, as
// types may be recursive.
func (l *lowerer) holdsArray(t types.Type, depth int) bool {
	if l.isArray(t) {
		return true
	}
	if depth++; depth > 3 {
		return false
	}
	switch u := l.under(t).(type) {
	case *types.Slice:
		return l.holdsArray(u.Elem(), depth)
	case *types.Array:
		return l.holdsArray(u.Elem(), depth)
	case *types.Pointer:
		return l.holdsArray(u.Elem(), depth)
	case *types.Map:
		return l.holdsArray(u.Elem(), depth)
	case *types.Interface:
		return u.Empty()
	case *types.Struct:
		for v := range u.Fields() {
			if l.holdsArray(v.Type(), depth) {
				return true
			}
		}
	}
	return false
}
