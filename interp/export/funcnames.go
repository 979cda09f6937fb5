package export

import (
	"go/ast"
	"go/types"
	"strings"
)

// nameFinder finds the functions that are given to our own packages and the
// names that they have in the cell.
type nameFinder struct {
	r   *rewriter
	lhs string // the variable that the expression is assigned to
}

func (f *nameFinder) walk(n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			f.assign(n.Lhs, n.Rhs)
			return false
		case *ast.ValueSpec:
			if n.Type != nil {
				f.walk(n.Type)
			}
			lhs := make([]ast.Expr, len(n.Names))
			for i, id := range n.Names {
				lhs[i] = id
			}
			f.assign(lhs, n.Values)
			return false
		case *ast.FuncLit:
			outer := f.lhs
			f.lhs = ""
			f.walk(n.Body)
			f.lhs = outer
			return false
		case *ast.CallExpr:
			f.call(n)
		}
		return true
	})
}

func (f *nameFinder) assign(lhs, rhs []ast.Expr) {
	for _, e := range lhs {
		f.walk(e)
	}
	for _, e := range rhs {
		if len(lhs) == 1 {
			if id, ok := ast.Unparen(lhs[0]).(*ast.Ident); ok {
				f.lhs = id.Name
			}
		}
		f.walk(e)
		f.lhs = ""
	}
}

// treePath is the package that calls functions without tracing them.
const treePath = "gopherlo/jaxlike/tree"

// call notes the functions among the arguments of a call of ours.
func (f *nameFinder) call(e *ast.CallExpr) {
	info := f.r.p.res.Info
	pkg := f.calleePackage(e)
	if !strings.HasPrefix(pkg, "gopherlo/") || pkg == rtPath || pkg == treePath {
		return
	}
	sig, ok := under(info.TypeOf(e.Fun)).(*types.Signature)
	if !ok || e.Ellipsis.IsValid() {
		return
	}
	n := sig.Params().Len()
	for i, a := range e.Args {
		var param types.Type
		switch {
		case sig.Variadic() && i >= n-1:
			if s, ok := sig.Params().At(n - 1).Type().(*types.Slice); ok {
				param = s.Elem()
			}
		case i < n:
			param = sig.Params().At(i).Type()
		}
		t := info.TypeOf(a)
		if _, isFunc := under(t).(*types.Signature); !isFunc || !takesAny(param) || ours(t) || f.r.p.res.Native(f.callee(a)) {
			continue
		}
		name, params := f.r.p.res.FuncName(info, a, under(t).(*types.Signature), f.lhs)
		f.r.named[a] = namedFunc{name, params}
	}
}

func under(t types.Type) types.Type {
	if t == nil {
		return nil
	}
	return t.Underlying()
}

// takesAny reports interface types without a name: any.
func takesAny(t types.Type) bool {
	if t == nil {
		return false
	}
	_, named := types.Unalias(t).(*types.Named)
	_, iface := t.Underlying().(*types.Interface)
	return iface && !named
}

// ours reports a type of our own packages, such as Func, which has its name.
func ours(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() != nil && strings.HasPrefix(n.Obj().Pkg().Path(), "gopherlo/")
}

// calleePackage is the package of what is called, "" for a cell's own.
func (f *nameFinder) calleePackage(e *ast.CallExpr) string {
	res := f.r.p.res
	if fn := f.callee(e.Fun); fn != nil {
		if sym := res.Sym(fn); sym != nil && sym.Decl == nil && sym.Path != "" {
			return sym.Path
		}
		if fn.Pkg() != nil && fn.Pkg().Path() != mainPath {
			return fn.Pkg().Path()
		}
	}
	if n, ok := types.Unalias(res.Info.TypeOf(e.Fun)).(*types.Named); ok && n.Obj().Pkg() != nil {
		return n.Obj().Pkg().Path()
	}
	return ""
}

// callee is the function that an expression names.
func (f *nameFinder) callee(fun ast.Expr) *types.Func {
	var id *ast.Ident
	switch fun := ast.Unparen(fun).(type) {
	case *ast.Ident:
		id = fun
	case *ast.SelectorExpr:
		id = fun.Sel
	case *ast.IndexExpr:
		return f.callee(fun.X)
	case *ast.IndexListExpr:
		return f.callee(fun.X)
	default:
		return nil
	}
	fn, _ := f.r.p.res.Info.Uses[id].(*types.Func)
	return fn
}
