package check

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"slices"
)

// made tells what a Func takes and gives: the types of the function that it was
// made of, as transformations change them. Both are nil when unknown. Of a slice,
// array or map it is what all of its Funcs were made of.
type made struct {
	params, results []types.Type
	// gives is, of a function that gives a Func, what that is made of.
	gives *made
	// empty tells that nothing has been stored yet, mixed that several things
	// have, of different types.
	empty, mixed bool
}

func (m made) known() bool { return m.results != nil || m.gives != nil }

func (m made) equal(o made) bool {
	same := func(a, b []types.Type) bool { return slices.EqualFunc(a, b, types.Identical) }
	if (m.gives == nil) != (o.gives == nil) || m.gives != nil && !m.gives.equal(*o.gives) {
		return false
	}
	return m.empty == o.empty && m.mixed == o.mixed && same(m.params, o.params) && same(m.results, o.results)
}

// join is what two values that lie in one place have in common.
func (m made) join(o made) made {
	switch {
	case m.empty:
		return o
	case o.empty || m.equal(o):
		return m
	}
	return made{mixed: true}
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
		if obj := r.k.info.Uses[f]; obj != nil {
			if m, ok := r.madeOf(obj); ok {
				return m
			}
		}
	case *ast.SelectorExpr:
		if m, ok := r.selectedMade(f); ok {
			return m
		}
	case *ast.IndexExpr:
		if holdsFuncs(r.k.info.TypeOf(f.X)) {
			return r.made(f.X)
		}
	case *ast.CompositeLit:
		if holdsFuncs(r.k.info.TypeOf(f)) {
			return r.elementsMade(f)
		}
	case *ast.CallExpr:
		if m, ok := r.stage(f); ok {
			return m
		}
		if t := r.k.info.TypeOf(f); isFunc(t) || holdsFuncs(t) {
			return r.callMade(f)
		}
	}
	t := r.k.info.TypeOf(fun)
	if sig, ok := underlying(t).(*types.Signature); ok && isGoFunc(t) {
		m := made{params: tupleTypes(sig.Params()), results: tupleTypes(sig.Results())}
		if lit, ok := ast.Unparen(fun).(*ast.FuncLit); ok {
			if g, ok := r.k.gives[lit.Pos()]; ok {
				m.gives = &g
			}
		}
		return m
	}
	return made{}
}

// madeOf is what a variable or function is known to be made of.
func (r *rewriter) madeOf(obj types.Object) (made, bool) {
	if m, ok := r.k.made[obj]; ok {
		return m, true
	}
	sym := r.k.res.Sym(obj)
	if sym != nil && (sym.Made.known() || sym.Made.empty || sym.Made.mixed) {
		return sym.Made, true
	}
	if f, ok := obj.(*types.Func); ok && f.Pos().IsValid() {
		m := made{params: tupleTypes(f.Signature().Params()), results: tupleTypes(f.Signature().Results())}
		if g, ok := r.k.givesOf(f); ok {
			m.gives = &g
			return m, true
		}
	}
	return made{}, false
}

// selectedMade is what a field or the result of a method is made of.
func (r *rewriter) selectedMade(sel *ast.SelectorExpr) (made, bool) {
	s := r.k.info.Selections[sel]
	if s == nil || !s.Obj().Pos().IsValid() {
		return made{}, false
	}
	if s.Kind() == types.FieldVal {
		m, ok := r.k.fieldMade(s.Obj())
		return m, ok && (isFunc(s.Obj().Type()) || holdsFuncs(s.Obj().Type()))
	}
	g, ok := r.k.givesOf(s.Obj())
	return made{gives: &g}, ok
}

// fieldMade is what the Funcs that a field of any value held were made of.
func (k *checker) fieldMade(f types.Object) (made, bool) {
	if m, ok := k.fields[f.Pos()]; ok {
		return m, true
	}
	m, ok := k.s.fields[f.Pos()]
	return m, ok
}

// givesOf is what the Func that a function gives is made of.
func (k *checker) givesOf(f types.Object) (made, bool) {
	if g, ok := k.gives[f.Pos()]; ok {
		return g, true
	}
	g, ok := k.s.gives[f.Pos()]
	return g, ok
}

// elementsMade joins the elements of a slice, array or map literal.
func (r *rewriter) elementsMade(lit *ast.CompositeLit) made {
	m := made{empty: true}
	for _, e := range lit.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			e = kv.Value
		}
		m = m.join(r.made(e))
	}
	return m
}

// callMade is what the Func, or the container of Funcs, that a call gives is
// made of.
func (r *rewriter) callMade(call *ast.CallExpr) made {
	if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok && r.k.info.Types[call.Fun].IsBuiltin() {
		m := made{empty: true}
		if id.Name == "append" {
			for _, a := range call.Args {
				m = m.join(r.made(a))
			}
		}
		return m
	}
	if f, ok := r.called(call.Fun).(*types.Func); !ok || f.Pkg() == nil || f.Pkg().Path() == mainPath {
		if m := r.made(call.Fun); m.gives != nil {
			return *m.gives
		}
		if !isOwn(r.k.info.TypeOf(call.Fun), jaxPath, "Decorator") {
			return made{}
		}
	}
	if len(call.Args) == 0 {
		return made{}
	}
	return r.transformed(r.transformation(call.Fun), call)
}

// holdsFuncs reports slices, arrays and maps of Funcs.
func holdsFuncs(t types.Type) bool {
	switch u := underlying(t).(type) {
	case *types.Slice:
		return isFunc(u.Elem())
	case *types.Array:
		return isFunc(u.Elem())
	case *types.Map:
		return isFunc(u.Elem())
	}
	return false
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
	case "Jit", "Vmap", "Checkpoint", "NamedCall", "Call", "Call2", "Decorator", "Wrap", "FuncOf", "CustomJVP", "CustomVJP":
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
	if obj == nil || !m.known() && !m.empty {
		return
	}
	if t := obj.Type(); isFunc(t) || isStage(t) || isInvalid(t) || holdsFuncs(t) || m.gives != nil {
		k.made[obj] = m
	}
}

// declareEmpty notes a variable without a value: what is stored first says what
// it is made of.
func (k *checker) declareEmpty(obj types.Object) {
	if obj != nil && (isFunc(obj.Type()) || holdsFuncs(obj.Type())) {
		k.made[obj] = made{empty: true}
	}
}

// reassign joins what a variable, a field or the elements of a container were
// made of with what they get.
func (r *rewriter) reassign(s *ast.AssignStmt) {
	for i, l := range s.Lhs {
		var now made
		if len(s.Lhs) == len(s.Rhs) {
			now = r.made(s.Rhs[i])
			if isNil(r.k.info, s.Rhs[i]) {
				now.empty = true
			}
		}
		r.store(ast.Unparen(l), now)
	}
}

func (r *rewriter) store(l ast.Expr, now made) {
	switch l := l.(type) {
	case *ast.Ident:
		obj := r.k.info.Uses[l]
		if obj == nil || !isFunc(obj.Type()) && !isStage(obj.Type()) && !holdsFuncs(obj.Type()) {
			return
		}
		have := r.made(l)
		if m := have.join(now); !m.equal(have) {
			r.k.made[obj] = m
		}
	case *ast.IndexExpr:
		if holdsFuncs(r.k.info.TypeOf(l.X)) {
			r.store(ast.Unparen(l.X), now)
		}
	case *ast.SelectorExpr:
		if s := r.k.info.Selections[l]; s != nil && s.Kind() == types.FieldVal {
			r.noteField(s.Obj(), now)
		}
	}
}

// noteField remembers what a field holds: one for all values of its struct.
func (r *rewriter) noteField(f types.Object, m made) {
	if !isFunc(f.Type()) && !holdsFuncs(f.Type()) || !f.Pos().IsValid() {
		return
	}
	if have, ok := r.fields[f.Pos()]; ok {
		m = have.join(m)
	} else if have, ok := r.k.s.fields[f.Pos()]; ok {
		m = have.join(m)
	}
	r.fields[f.Pos()] = m
}

// noteReturn remembers what a function that gives a Func makes it of.
func (r *rewriter) noteReturn(s *ast.ReturnStmt) {
	if len(r.funcs) == 0 || len(s.Results) != 1 {
		return
	}
	t := r.k.info.TypeOf(s.Results[0])
	f := r.funcs[len(r.funcs)-1]
	if !isFunc(t) && !holdsFuncs(t) || f == token.NoPos {
		return
	}
	m := r.made(s.Results[0])
	if have, ok := r.gives[f]; ok {
		m = have.join(m)
	}
	r.gives[f] = m
}

// learnt takes over what this round has found out about fields and functions,
// and reports whether that was new.
func (r *rewriter) learnt() bool {
	same := func(a, b map[token.Pos]made) bool { return maps.EqualFunc(a, b, made.equal) }
	if same(r.fields, r.k.fields) && same(r.gives, r.k.gives) {
		return false
	}
	r.k.fields, r.k.gives = r.fields, r.gives
	return true
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
	return r.instead(r.instance(r.function(rtName, "Each"+itoa(len(args)), e.Pos(), e), args...), e)
}
