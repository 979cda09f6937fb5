package check

import (
	"go/ast"
	"go/types"
)

// Native reports a function that is compiled: no cell has declared it.
func (r *Result) Native(f *types.Func) bool {
	if f == nil || f.Pkg() == nil {
		return false
	}
	if sym := r.Sym(f); sym != nil {
		return sym.Decl == nil
	}
	return !Interpreted(f.Pkg())
}

// FuncName is the name that a trace gives to a function of type sig, and those of
// its parameters. A literal has the name of the variable lhs that it is assigned
// to.
func (r *Result) FuncName(info *types.Info, a ast.Expr, sig *types.Signature, lhs string) (name string, params []string) {
	name = "<lambda>"
	switch a := ast.Unparen(a).(type) {
	case *ast.FuncLit:
		if lhs != "" {
			name = lhs
		}
		return name, ParamNames(a.Type.Params)
	case *ast.Ident:
		name = a.Name
		obj := info.ObjectOf(a)
		if obj == nil {
			break
		}
		name = obj.Name()
		if sym := r.Sym(obj); sym != nil {
			name = sym.Name
			if sym.Decl != nil {
				return name, ParamNames(sym.Decl.Body.Type.Params)
			}
		}
	case *ast.SelectorExpr:
		name = a.Sel.Name
	case *ast.IndexExpr: // an instance of a generic function, or an element
		if isGeneric(info, a.X) {
			return r.FuncName(info, a.X, sig, lhs)
		}
	case *ast.IndexListExpr:
		return r.FuncName(info, a.X, sig, lhs)
	}
	for v := range sig.Params().Variables() {
		params = append(params, v.Name())
	}
	return name, params
}

// isGeneric reports an expression that names a function with type parameters.
func isGeneric(info *types.Info, e ast.Expr) bool {
	f := FuncOf(info, e)
	return f != nil && f.Signature().TypeParams().Len() > 0
}

// FuncOf is the function or method that an expression names, also with type
// arguments; nil for other expressions.
func FuncOf(info *types.Info, e ast.Expr) *types.Func {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		f, _ := info.Uses[e].(*types.Func)
		return f
	case *ast.SelectorExpr:
		return FuncOf(info, e.Sel)
	case *ast.IndexExpr:
		return FuncOf(info, e.X)
	case *ast.IndexListExpr:
		return FuncOf(info, e.X)
	}
	return nil
}

// ParamNames lists the names of parameters that have one.
func ParamNames(fl *ast.FieldList) (list []string) {
	for _, f := range fl.List {
		for _, n := range f.Names {
			list = append(list, n.Name)
		}
	}
	return list
}

// TitleHolder is the literal that gets the name of a variable that is assigned
// e: e itself, or the first argument of a call that gives a function. sub puts
// type arguments in.
func TitleHolder(e ast.Expr, info *types.Info, sub func(types.Type) types.Type) ast.Expr {
	for {
		e = ast.Unparen(e)
		call, ok := e.(*ast.CallExpr)
		if !ok || len(call.Args) == 0 {
			return e
		}
		if _, ok := underlying(sub(info.TypeOf(call))).(*types.Signature); !ok {
			return nil
		}
		e = call.Args[0]
	}
}

// Traceable reports a function that is likely to be traced: it takes Arrays or
// anything. sub puts type arguments in.
func Traceable(sig *types.Signature, sub func(types.Type) types.Type) bool {
	for v := range sig.Params().Variables() {
		if mayHoldArray(v.Type(), sub, 0) {
			return true
		}
	}
	return false
}

// mayHoldArray looks for Arrays, or what may hold them, not too deep inside, as
// types may be recursive.
func mayHoldArray(t types.Type, sub func(types.Type) types.Type, depth int) bool {
	t = sub(t)
	if isArray(t) {
		return true
	}
	if depth++; depth > 3 {
		return false
	}
	switch u := underlying(t).(type) {
	case *types.Slice:
		return mayHoldArray(u.Elem(), sub, depth)
	case *types.Array:
		return mayHoldArray(u.Elem(), sub, depth)
	case *types.Pointer:
		return mayHoldArray(u.Elem(), sub, depth)
	case *types.Map:
		return mayHoldArray(u.Elem(), sub, depth)
	case *types.Interface:
		return u.Empty()
	case *types.Struct:
		for v := range u.Fields() {
			if mayHoldArray(v.Type(), sub, depth) {
				return true
			}
		}
	}
	return false
}
