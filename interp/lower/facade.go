package lower

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"
)

// onlyReads are functions that look into values by reflection and do not
// change them.
var onlyReads = map[string]bool{
	"encoding/json.Marshal": true, "encoding/json.MarshalIndent": true, "(*encoding/json.Encoder).Encode": true,
	"encoding/xml.Marshal": true, "encoding/xml.MarshalIndent": true, "(*encoding/xml.Encoder).Encode": true,
	"(*encoding/gob.Encoder).Encode": true, "encoding/binary.Write": true, "encoding/asn1.Marshal": true,
	"(*text/template.Template).Execute": true, "(*text/template.Template).ExecuteTemplate": true,
	"(*html/template.Template).Execute": true, "(*html/template.Template).ExecuteTemplate": true,
}

// OnlyReads reports a function, by its full name, that looks into values by
// reflection and does not change them.
func OnlyReads(name string) bool { return onlyReads[name] }

// facade writes an argument of a function that looks into values by
// reflection.
func (l *lowerer) facade(e *ast.CallExpr, a ast.Expr, t types.Type) string {
	text := l.conv(a, anyType)
	if tv := l.info.Types[a]; tv.Value != nil && !l.boxed(t) || isNilIdent(l.info, a) {
		return text
	}
	if !l.boxed(t) && !holdsAny(t) && !isInterface(t) {
		return text
	}
	if f := l.callee(e); f != nil && onlyReads[f.FullName()] {
		return "_k.FacadeCopy(" + text + ")"
	}
	return "_k.Facade(" + text + ")"
}

// scans reports the functions of fmt that store what they read.
func (l *lowerer) scans(e *ast.CallExpr) bool {
	f := l.callee(e)
	return f != nil && strings.Contains(strings.ToLower(f.Name()), "scan")
}

// facadeInto writes an argument of a type that holds interfaces, such as
// map[string]any.
func (l *lowerer) facadeInto(a ast.Expr, param types.Type) string {
	key := fmt.Sprintf("facade %d", l.env.Types.ID(param))
	name := l.name(key, "fi")
	l.once(key, func() {
		t := l.typ(param)
		l.globals = append(l.globals, fmt.Sprintf("func %s(x %s) (z %s) { _k.FacadeInto(x, &z); return z }\n", name, t, t))
	})
	return name + "(" + l.conv(a, param) + ")"
}

// holdsAny reports lists and maps of any.
func holdsAny(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Map:
		return emptyInterface(u.Elem()) || holdsAny(u.Elem())
	case *types.Slice:
		return emptyInterface(u.Elem()) || holdsAny(u.Elem())
	case *types.Pointer:
		return emptyInterface(u.Elem())
	}
	return false
}

func emptyInterface(t types.Type) bool {
	it, ok := t.Underlying().(*types.Interface)
	return ok && it.NumMethods() == 0
}
