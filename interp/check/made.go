package check

import (
	"go/ast"
	"go/constant"
	"go/types"
	"slices"
)

// made tells what a Func takes and gives: the types of the function that it was
// made of, as transformations change them. Both are nil when unknown.
type made struct{ params, results []types.Type }

func (m made) equal(o made) bool {
	same := func(a, b []types.Type) bool { return slices.EqualFunc(a, b, types.Identical) }
	return same(m.params, o.params) && same(m.results, o.results)
}

// resultsOf gives the types of a call's results, nil when unknown.
func (r *rewriter) resultsOf(e ast.Expr) []types.Type {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return nil
	}
	if obj := r.called(call.Fun); obj != nil && obj.Pkg() != nil && obj.Pkg().Path() == laxPath {
		return r.loopResults(obj.Name(), call)
	}
	return r.made(call.Fun).results
}

// loopResults gives what control flow gives: the results of the function that
// it runs.
func (r *rewriter) loopResults(name string, call *ast.CallExpr) []types.Type {
	at, ok := map[string]int{"Scan": 0, "Map": 0, "WhileLoop": 1, "Cond": 1, "ForiLoop": 2}[name]
	if !ok || at >= len(call.Args) {
		return nil
	}
	return r.made(call.Args[at]).results
}

// made finds out what the function fun takes and gives, a Func or stage of one
// included.
func (r *rewriter) made(fun ast.Expr) made {
	switch f := ast.Unparen(fun).(type) {
	case *ast.Ident:
		obj := r.k.info.Uses[f]
		if obj == nil {
			break
		}
		if m, ok := r.k.made[obj]; ok {
			return m
		}
		if sym := r.k.res.Sym(obj); sym != nil && sym.Made.results != nil {
			return sym.Made
		}
	case *ast.CallExpr:
		if m, ok := r.stage(f); ok {
			return m
		}
		if isFunc(r.k.info.TypeOf(f)) && len(f.Args) > 0 {
			return r.transformed(r.transformation(f.Fun), f)
		}
	}
	t := r.k.info.TypeOf(fun)
	if sig, ok := underlying(t).(*types.Signature); ok && isGoFunc(t) {
		return made{tupleTypes(sig.Params()), tupleTypes(sig.Results())}
	}
	return made{}
}

// stage is f.Trace(…), f.Lower(…) or .Compile(…), which keep what f was.
func (r *rewriter) stage(call *ast.CallExpr) (made, bool) {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || !isStage(r.k.info.TypeOf(call)) {
		return made{}, false
	}
	switch sel.Sel.Name {
	case "Trace", "Lower", "Compile":
		return r.made(sel.X), true
	}
	return made{}, false
}

// isStage reports the types of the stages of a compilation.
func isStage(t types.Type) bool {
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	return isOwn(t, stagesPath, "Traced") || isOwn(t, stagesPath, "Lowered") || isOwn(t, stagesPath, "Compiled")
}

// called is the package-level function that is called, nil if none.
func (r *rewriter) called(fun ast.Expr) types.Object {
	switch f := ast.Unparen(fun).(type) {
	case *ast.Ident:
		obj := r.k.info.Uses[f]
		if sym := r.k.res.Sym(obj); sym != nil && sym.Obj != nil {
			obj = sym.Obj
		}
		return obj
	case *ast.SelectorExpr:
		return r.k.info.Uses[f.Sel]
	}
	return nil
}

// transformation names the function that makes a Func: "Jit", "Grad", …; a
// decorator counts as one that keeps the types.
func (r *rewriter) transformation(fun ast.Expr) string {
	if f, ok := r.called(fun).(*types.Func); ok {
		return f.Name()
	}
	return "Decorator"
}

// transformed gives what the Func that a transformation makes takes and gives.
func (r *rewriter) transformed(name string, call *ast.CallExpr) made {
	inner := r.made(call.Args[0])
	switch name {
	case "Jit", "Vmap", "Checkpoint", "NamedCall", "Call", "Call2", "Decorator", "FuncOf", "CustomJVP", "CustomVJP":
		return inner
	case "Grad", "ValueAndGrad":
		return r.gradient(name == "ValueAndGrad", inner, call.Args[1:])
	}
	return made{}
}

// gradient types grad and value_and_grad with the options given.
func (r *rewriter) gradient(value bool, inner made, opts []ast.Expr) made {
	out := made{params: inner.params}
	at, tuple, aux := []int{0}, false, false
	for _, o := range opts {
		c, ok := ast.Unparen(o).(*ast.CallExpr)
		if !ok {
			return out
		}
		switch r.transformation(c.Fun) {
		case "Argnums", "ArgnumsTuple":
			if at = r.ints(c.Args); at == nil {
				return out
			}
			tuple = len(at) != 1 || r.transformation(c.Fun) == "ArgnumsTuple"
		case "HasAux":
			aux = true
		}
	}
	var gs []types.Type
	for _, i := range at {
		if i < 0 {
			i += len(inner.params)
		}
		if i < 0 || i >= len(inner.params) {
			return out
		}
		gs = append(gs, inner.params[i])
	}
	switch {
	case !value && !aux:
		out.results = gs
	case !tuple && !value && len(inner.results) == 2:
		out.results = []types.Type{gs[0], inner.results[1]}
	case !tuple && value && aux:
		out.results = []types.Type{r.k.arrayType(), gs[0]}
	case !tuple && value && len(inner.results) == 1:
		out.results = []types.Type{inner.results[0], gs[0]}
	}
	return out
}

// ints gives the values of constants, nil if one is not.
func (r *rewriter) ints(args []ast.Expr) []int {
	var list []int
	for _, a := range args {
		tv := r.k.info.Types[a]
		if tv.Value == nil {
			return nil
		}
		i, ok := constant.Int64Val(constant.ToInt(tv.Value))
		if !ok {
			return nil
		}
		list = append(list, int(i))
	}
	return list
}

// noteMade remembers what a variable that holds a Func was made of.
func (k *checker) noteMade(obj types.Object, m made) {
	if obj == nil || m.results == nil {
		return
	}
	if t := obj.Type(); isFunc(t) || isStage(t) || isInvalid(t) {
		k.made[obj] = m
	}
}

// reassign forgets what a variable was made of when it gets something else.
func (r *rewriter) reassign(s *ast.AssignStmt) {
	for i, l := range s.Lhs {
		id, ok := l.(*ast.Ident)
		if !ok {
			continue
		}
		obj := r.k.info.Uses[id]
		if obj == nil || !isFunc(obj.Type()) && !isStage(obj.Type()) {
			continue
		}
		var now made
		if len(s.Lhs) == len(s.Rhs) {
			now = r.made(s.Rhs[i])
		}
		if !now.equal(r.made(id)) {
			r.k.made[obj] = made{}
		}
	}
}

// defineSeveral notes the functions that vjp and linearize give.
func (r *rewriter) defineSeveral(lhs []ast.Expr, e ast.Expr) {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || len(lhs) != 2 {
		return
	}
	if list := r.tupleOf(call); len(list) == 2 && list[1] != nil {
		if id, ok := lhs[1].(*ast.Ident); ok {
			r.k.noteMade(r.k.info.Defs[id], *list[1])
		}
	}
}

// tupleOf gives what the results of vjp, linearize, jvp and scan were made of.
func (r *rewriter) tupleOf(call *ast.CallExpr) []*made {
	obj := r.called(call.Fun)
	if obj == nil || obj.Pkg() == nil || len(call.Args) == 0 {
		return nil
	}
	f := r.made(call.Args[0])
	value := func(t types.Type) *made { return &made{results: []types.Type{t}} }
	switch {
	case obj.Pkg().Path() == laxPath && obj.Name() == "Scan" && len(f.results) == 2:
		return []*made{value(f.results[0]), value(f.results[1])}
	case obj.Pkg().Path() != jaxPath || len(f.results) != 1:
		return nil
	case obj.Name() == "Jvp":
		return []*made{value(f.results[0]), value(f.results[0])}
	case obj.Name() == "Vjp":
		return []*made{value(f.results[0]), {params: f.results, results: f.params}}
	case obj.Name() == "Linearize":
		return []*made{value(f.results[0]), {params: f.params, results: f.results}}
	}
	return nil
}

// each gives the Arrays among the results of a Go function the types that are
// wanted, or known of what the function was given.
func (r *rewriter) each(e ast.Expr, tuple *types.Tuple, wants []types.Type) ast.Expr {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || len(wants) > maxInto {
		return e
	}
	known := r.tupleOf(call)
	args, changed := tupleTypes(tuple), false
	for i, t := range args {
		want := wants[i]
		if want == nil && len(known) == len(wants) && isArray(t) {
			want = known[i].results[0]
		}
		if isArray(t) && want != nil && isTree(want) && holdsArrays(want, map[types.Type]bool{}) {
			args[i], changed = want, true
		}
	}
	if !changed {
		return e
	}
	return r.instance(r.function(rtName, "Each"+itoa(len(args)), e.Pos(), e), args...)
}
