package check

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/astutil"
)

// useTree gives the result of a Func its Go type where it is used as one: a
// struct whose fields are selected, a map or slice that is indexed, ranged over
// or measured, a variable that it defines.
func (r *rewriter) useTree(c *astutil.Cursor, call *ast.CallExpr) {
	if !r.isArr(call) || !r.treeUse(c, call) {
		return
	}
	known := r.resultsOf(call)
	if len(known) != 1 || !isTree(known[0]) || !holdsArrays(known[0], map[types.Type]bool{}) {
		return
	}
	if sel, ok := c.Parent().(*ast.SelectorExpr); ok {
		if obj, _, _ := types.LookupFieldOrMethod(known[0], true, r.k.pkg, sel.Sel.Name); obj == nil {
			return
		}
	}
	c.Replace(r.instead(r.instance(r.function(rtName, "Into1", call.Pos(), call), known[0]), call))
}

// treeUse reports whether an expression stands where its Go type matters.
func (r *rewriter) treeUse(c *astutil.Cursor, e ast.Expr) bool {
	switch p := c.Parent().(type) {
	case *ast.AssignStmt:
		if p.Tok != token.DEFINE || len(p.Lhs) != len(p.Rhs) || c.Name() != "Rhs" {
			return false
		}
		id, ok := p.Lhs[c.Index()].(*ast.Ident)
		return ok && id.Name != "_" && r.k.info.Defs[id] != nil
	case *ast.ValueSpec:
		return p.Type == nil && len(p.Names) == len(p.Values)
	case *ast.SelectorExpr, *ast.StarExpr:
		return true
	case *ast.IndexExpr:
		return p.X == e
	case *ast.SliceExpr:
		return p.X == e
	case *ast.RangeStmt:
		return p.X == e
	case *ast.CallExpr:
		id, ok := p.Fun.(*ast.Ident)
		if !ok || !r.k.info.Types[p.Fun].IsBuiltin() {
			return c.Name() == "Args" && r.genericParam(p, c.Index())
		}
		return id.Name == "len" || id.Name == "append"
	}
	return false
}

// genericParam reports an argument whose type decides that of a type parameter.
func (r *rewriter) genericParam(call *ast.CallExpr, i int) bool {
	f, ok := r.called(call.Fun).(*types.Func)
	if !ok || f.Signature().Params().Len() == 0 {
		return false
	}
	sig := f.Signature()
	n := sig.Params().Len()
	t := sig.Params().At(min(i, n-1)).Type()
	if s, ok := t.(*types.Slice); ok && sig.Variadic() && i >= n-1 && !call.Ellipsis.IsValid() {
		t = s.Elem()
	}
	_, ok = types.Unalias(t).(*types.TypeParam)
	return ok
}

// holdsArrays reports whether values of a type have Arrays in them; seen are
// the types that are being asked.
func holdsArrays(t types.Type, seen map[types.Type]bool) bool {
	if isArray(t) {
		return true
	}
	if seen[t] {
		return false
	}
	seen[t] = true
	switch u := underlying(t).(type) {
	case *types.Struct:
		for i := range u.NumFields() {
			if holdsArrays(u.Field(i).Type(), seen) {
				return true
			}
		}
	case *types.Slice:
		return holdsArrays(u.Elem(), seen)
	case *types.Array:
		return holdsArrays(u.Elem(), seen)
	case *types.Pointer:
		return holdsArrays(u.Elem(), seen)
	case *types.Map:
		key, ok := underlying(u.Key()).(*types.Basic)
		return ok && key.Kind() == types.String && holdsArrays(u.Elem(), seen)
	}
	return false
}

func isInterface(t types.Type) bool {
	_, ok := underlying(t).(*types.Interface)
	return ok
}
