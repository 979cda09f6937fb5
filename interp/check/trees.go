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

// mapAny calls tree.MapAny for a tree.Map of Arrays whose function gives what no
// place of an Array can hold: shapes, names, structs.
func (r *rewriter) mapAny(call *ast.CallExpr) {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	f, isFunc := r.called(call.Fun).(*types.Func)
	if !ok || !isFunc || len(call.Args) < 2 || f.Pkg() == nil || f.Pkg().Path() != treePath || f.Name() != "Map" && f.Name() != "MapWithPath" {
		return
	}
	sig, ok := underlying(r.k.info.TypeOf(call.Args[0])).(*types.Signature)
	if !ok || sig.Results().Len() != 1 || !holdsArrays(r.k.info.TypeOf(call.Args[1]), map[types.Type]bool{}) {
		return
	}
	switch res := sig.Results().At(0).Type(); t := underlying(res).(type) {
	case *types.Interface:
		return
	case *types.Basic:
		if t.Info()&types.IsString == 0 {
			return
		}
	default:
		if isArray(res) {
			return
		}
	}
	sel.Sel = &ast.Ident{NamePos: sel.Sel.NamePos, Name: f.Name() + "Any"}
	r.changed = true
}

// treePath is the package of trees.
const treePath = "gopherlo/jaxlike/tree"

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
