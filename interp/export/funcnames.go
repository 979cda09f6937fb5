package export

import (
	"go/ast"
	"go/types"
	"strings"

	"gopherlo/interp/check"
)

// nameFinder finds the functions that may be traced, and the names that they
// have in the cell: those that are given to our own packages, and those that go
// into variables, fields, results and other functions before that.
type nameFinder struct {
	r      *rewriter
	lhs    string            // the variable that holder is assigned to
	holder ast.Expr          // what gets the name
	plain  map[ast.Expr]bool // what needs no name: functions that are called at once
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
			f.value(n)
			outer := f.lhs
			f.lhs = ""
			f.walk(n.Body)
			f.lhs = outer
			return false
		case *ast.CallExpr:
			f.plain[ast.Unparen(n.Fun)] = true
			f.call(n)
		case *ast.SelectorExpr:
			f.plain[n.Sel] = true
			f.value(n)
		case *ast.IndexExpr:
			f.instance(n, n.X)
		case *ast.IndexListExpr:
			f.instance(n, n.X)
		case *ast.Ident:
			f.value(n)
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
				f.lhs, f.holder = id.Name, check.TitleHolder(e, f.r.p.res.Info, sameType)
			}
		}
		f.walk(e)
		f.lhs = ""
	}
}

func sameType(t types.Type) types.Type { return t }

// instance is an instance of a generic function, whose own name has no value.
func (f *nameFinder) instance(e, generic ast.Expr) {
	if f.declared(e) {
		f.plain[generic] = true
		f.value(e)
	}
}

// value notes a function of the cells where its value is made.
func (f *nameFinder) value(e ast.Expr) {
	sig, ok := under(f.r.p.res.Info.TypeOf(e)).(*types.Signature)
	if !ok || f.plain[e] || f.r.named[e].name != "" || sig.TypeParams().Len() > 0 || !check.Traceable(sig, sameType) {
		return
	}
	if id, ok := e.(*ast.Ident); ok && f.r.p.res.Info.Instances[id].Type != nil {
		return // its type arguments come from where it goes
	}
	if _, lit := e.(*ast.FuncLit); lit || f.declared(e) {
		f.r.named[e] = f.names(e, sig, cellsPath, "Fn")
	}
}

// declared reports an expression that names a function or method of the cells.
func (f *nameFinder) declared(e ast.Expr) bool {
	fn := check.FuncOf(f.r.p.res.Info, e)
	return fn != nil && !f.r.p.res.Native(fn)
}

func (f *nameFinder) names(e ast.Expr, sig *types.Signature, pkg, fun string) namedFunc {
	lhs := ""
	if ast.Unparen(e) == f.holder {
		lhs = f.lhs
	}
	name, params := f.r.p.res.FuncName(f.r.p.res.Info, e, sig, lhs)
	return namedFunc{pkg, fun, name, params}
}

// treePath is the package that calls functions without tracing them.
const treePath = "gopherlo/jaxlike/tree"

// call notes the functions among the arguments of a call of ours.
func (f *nameFinder) call(e *ast.CallExpr) {
	info := f.r.p.res.Info
	pkg := f.calleePackage(e)
	if pkg == treePath || pkg != "" && !strings.HasPrefix(pkg, "gopherlo/") {
		for _, a := range e.Args {
			if _, lit := ast.Unparen(a).(*ast.FuncLit); lit || f.declared(a) {
				f.plain[ast.Unparen(a)] = true
			}
		}
	}
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
		asig, isFunc := under(info.TypeOf(a)).(*types.Signature)
		_, lit := ast.Unparen(a).(*ast.FuncLit)
		if isFunc && takesAny(param) && (lit || f.declared(a)) {
			f.plain[ast.Unparen(a)] = true
			f.r.named[a] = f.names(a, asig, jaxPath, "Named")
		}
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

// calleePackage is the package of what is called, "" for a cell's own.
func (f *nameFinder) calleePackage(e *ast.CallExpr) string {
	res := f.r.p.res
	if fn := check.FuncOf(res.Info, e.Fun); fn != nil {
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
