package interp

import (
	"go/ast"
	"go/types"
	"reflect"
	"strings"

	"gopherlo/cells"
	"gopherlo/interp/check"
	"gopherlo/interp/rt"
)

// funcText is the text of a cell's value that is a plain Go func: its
// declaration, where fmt has an address.
func funcText(res *check.Result, v any) (string, bool) {
	if b, ok := v.(rt.Box); ok && !b.PrintsItself() { // its signature has a type of a cell
		v = b.V
	}
	if res.Tail == nil || reflect.ValueOf(v).Kind() != reflect.Func || reflect.ValueOf(v).IsNil() {
		return "", false
	}
	return FuncText(res)
}

// signatureText is the declaration of a func that an expression names.
func signatureText(e ast.Expr, sig *types.Signature) string {
	name := ""
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident:
		name = " " + x.Name
	case *ast.SelectorExpr:
		if pkg, ok := x.X.(*ast.Ident); ok {
			name = " " + pkg.Name + "." + x.Sel.Name
		}
	}
	return "func" + name + strings.TrimPrefix(typeText(sig), "func")
}

// treeText is the text of a Go value that holds Arrays.
func treeText(v any) (string, bool) { return cells.Text(v) }

// bundler is a value of a cell's type that says itself how it shows.
func bundler(v any) (any, bool) {
	b, ok := v.(rt.Box)
	if !ok {
		return nil, false
	}
	return b.Shown()
}
