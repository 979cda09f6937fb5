package jaxlike

import (
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/lax"
	"gopherlo/jaxlike/stages"
	"gopherlo/jaxlike/tree"
)

// CustomJVP gives f a derivative of its own. rule takes the lists of primals
// and of tangents and gives results and their tangents:
//
//	f := jax.CustomJVP(fn, func(p, t jax.Args) (jax.Array, jax.Array) {...})
//
// Option: NondiffArgnums; such arguments come before the lists.
func CustomJVP(f, rule any, opts ...Option) Func {
	s := gather("custom_jvp", opts, "nondiff_argnums")
	fn, r := stages.NewCallable(f), stages.NewCallable(rule)
	info := &funcInfo{fn: fn}
	info.call = func(args []any) Array {
		a := fn.Flatten(args, s.nondiff, "custom_jvp")
		for i, v := range a.Static {
			a.Static[i] = lax.StopGradient(v)
		}
		var def *tree.Def
		c := &core.CustomJVP{Name: fn.Name, RuleName: r.Name, Debug: customDebug(fn, "custom_jvp fun", a)}
		c.Fun = func(vs []core.Value) []core.Value {
			var out []core.Value
			out, def = fn.Run(a, vs, "custom_jvp")
			return out
		}
		c.Rule = func(vs []core.Value) []core.Value {
			out, d := runJVPRule(fn, r, a, vs)
			if def == nil {
				def = d
			}
			return out
		}
		return array.NewResults(lax.CustomJVP(c, a.Leaves...), def)
	}
	return newFunc(info)
}

// unknownNames is d of a function whose arguments JAX's messages do not name.
func unknownNames(d *core.DebugInfo) *core.DebugInfo {
	names := make([]string, len(d.ArgNames))
	for i := range names {
		names[i] = "unknown"
	}
	d.ArgNames = names
	return d
}

// statics lists the arguments that are not differentiated.
func statics(a *stages.Args) []any {
	var out []any
	for i := range a.Count {
		if v, ok := a.Static[i]; ok {
			out = append(out, v)
		}
	}
	return out
}

func customDebug(fn *stages.Callable, what string, a *stages.Args) *core.DebugInfo {
	return &core.DebugInfo{TracedFor: what, FuncName: fn.Name, FuncSource: fn.Source(), ArgNames: a.Names}
}

func runJVPRule(fn, r *stages.Callable, a *stages.Args, vs []core.Value) ([]core.Value, *tree.Def) {
	n := len(vs) / 2
	res := r.Apply(append(statics(a), fn.FitArgs(a, vs[:n]), fn.FitArgs(a, vs[n:])))
	leaves, def := fn.FlattenResult(res, "custom_jvp")
	kids := def.Children()
	if def.Kind() != tree.KindTuple && def.Kind() != tree.KindList || len(kids) != 2 {
		core.TypeErrorf("Custom JVP rule %s for function %s must produce a pair (list or tuple of length two) representing primal and tangent outputs, but got %s.", r.Name, fn.Name, tree.ClassLiteral(res))
	}
	if !kids[0].Equal(kids[1]) {
		core.TypeErrorf("Custom JVP rule %s for function %s must produce primal and tangent outputs with equal container (pytree) structures, but got %s and %s respectively.", r.Name, fn.Name, kids[0], kids[1])
	}
	half := len(leaves) / 2
	for i, p := range leaves[:half] {
		want, got := p.Aval().Tangent(), leaves[half+i].Aval()
		if !want.SameType(got) {
			core.TypeErrorf("Custom JVP rule must produce primal and tangent outputs with corresponding shapes and dtypes. Expected %s (tangent type of %s) but got %s.", want.Long(), p.Aval().Long(), got.Long())
		}
	}
	return leaves, kids[0]
}

// CustomVJP gives f forward and backward rules of its own: fwd takes f's
// arguments and gives the result and the residuals, bwd takes the residuals and
// the cotangent of the result and gives the cotangents of the arguments.
// Option: NondiffArgnums; fwd takes such arguments where f does, bwd first.
func CustomVJP(f, fwd, bwd any, opts ...Option) Func {
	s := gather("custom_vjp", opts, "nondiff_argnums")
	fn, fw, bw := stages.NewCallable(f), stages.NewCallable(fwd), stages.NewCallable(bwd)
	info := &funcInfo{fn: fn}
	info.call = func(args []any) Array {
		v := &customVJP{fn: fn, fwd: fw, bwd: bw, args: fn.Flatten(args, s.nondiff, "custom_vjp")}
		v.checkStatics()
		c := &core.CustomVJP{
			Name: fn.Name, FwdName: fw.Name, BwdName: bw.Name, Debug: unknownNames(customDebug(fn, "custom_vjp fun", v.args)),
			Fun: v.runFun, Fwd: v.runFwd, Bwd: v.runBwd, NumRes: func() int { return v.res.NumLeaves() },
		}
		return array.NewResults(lax.CustomVJP(c, v.args.Leaves...), v.out)
	}
	return newFunc(info)
}

// customVJP is one call: the structures of results and residuals become known
// as the functions run.
type customVJP struct {
	fn, fwd, bwd *stages.Callable
	args         *stages.Args
	out, res     *tree.Def
}

// checkStatics refuses traced values among what is not differentiated.
func (v *customVJP) checkStatics() {
	for _, s := range v.args.Static {
		leaves, _ := tree.FlattenWith(s, nil, tree.Options{Expand: array.Expand})
		for _, l := range leaves {
			if x, ok := l.(Array); ok {
				if _, traced := x.Value().(core.Tracer); traced {
					core.Raise("UnexpectedTracerError", "Found a JAX Tracer object passed as an argument to a custom_vjp function in a position indicated by nondiff_argnums as non-differentiable. Tracers cannot be passed as non-differentiable arguments to custom_vjp functions; instead, nondiff_argnums should only be used for arguments that can't be or contain JAX tracers, e.g. function-valued arguments. In particular, array-valued arguments should typically not be indicated as nondiff_argnums.\nSee https://docs.jax.dev/en/latest/101/errors.html#jax.errors.UnexpectedTracerError")
				}
			}
		}
	}
}

func (v *customVJP) runFun(vs []core.Value) []core.Value {
	out, def := v.fn.Run(v.args, vs, "custom_vjp")
	v.out = def
	return out
}

func (v *customVJP) runFwd(vs []core.Value) []core.Value {
	res := v.fwd.Call(v.fwd.Arguments(v.args, vs))
	leaves, def := v.fwd.FlattenResult(res, "custom_vjp fwd")
	kids := def.Children()
	if def.Kind() != tree.KindTuple && def.Kind() != tree.KindList || len(kids) != 2 {
		core.TypeErrorf("Custom VJP fwd rule %s for function %s must produce a pair (list or tuple of length two) where the first element represents the primal output (equal to those of the custom_vjp-decorated function %s) and the second element represents residuals (i.e. values stored from the forward pass for use on the backward pass), but instead of a pair the fwd rule %s produced %s.",
			v.fwd.Name, v.fn.Name, v.fn.Name, v.fwd.Name, tree.ClassLiteral(res))
	}
	v.out, v.res = kids[0], kids[1]
	n := kids[0].NumLeaves()
	return append(append([]core.Value{}, leaves[n:]...), leaves[:n]...)
}

func (v *customVJP) runBwd(vs []core.Value) []core.Value {
	n := v.res.NumLeaves()
	in := append(statics(v.args), v.build(v.res, vs[:n]), v.build(v.out, vs[n:]))
	leaves, def := v.bwd.FlattenResult(v.bwd.Apply(in), "custom_vjp bwd")
	want := v.args.Def
	if len(want.Children()) == 1 && !def.Equal(want) && def.Equal(want.Children()[0]) {
		def = want // one argument: its cotangent alone will do in Go
	}
	cts, ok := fillArguments(want, def, &leaves)
	if !ok || len(leaves) > 0 {
		core.TypeErrorf("Custom VJP bwd rule must produce an output with the same container (pytree) structure as the args tuple of the primal function, and in particular must produce a tuple of length equal to the number of arguments to the primal function, but got bwd output structure %s for primal input structure %s.", def, want)
	}
	for i, l := range cts {
		a := v.args.Avals[i].Tangent()
		if l == nil || !a.DType.IsInexact() {
			cts[i] = core.Zero{Of: a}
			continue
		}
		if got := l.Aval(); !sameShape(a.Shape, got.Shape) {
			core.ValueErrorf("Custom VJP bwd rule attached to %s must produce an output with the same type as the args tuple of the primal function, but at output%s the bwd rule produced an output of type %s corresponding to an input of type %s%s",
				v.fn.Source(), want.Paths()[i], got.Long(), v.args.Avals[i].Long(), v.args.Avals[i].Mismatch(got))
		}
	}
	return cts
}

// fillArguments is fillCotangents for the argument list, for which a list will
// do as well.
func fillArguments(want, got *tree.Def, leaves *[]core.Value) (cts []core.Value, ok bool) {
	if got.Kind() == tree.KindNone {
		return fillCotangents(want, got, leaves)
	}
	if got.Kind() != tree.KindTuple && got.Kind() != tree.KindList || len(got.Children()) != len(want.Children()) {
		return nil, false
	}
	return fillChildren(want, got, leaves)
}

// fillCotangents gives a cotangent for each leaf of want: nil stands for the
// whole tree of an argument where the rule gave nothing.
func fillCotangents(want, got *tree.Def, leaves *[]core.Value) (cts []core.Value, ok bool) {
	switch {
	case got.Kind() == tree.KindNone:
		return make([]core.Value, want.NumLeaves()), true
	case want.IsLeaf() && got.IsLeaf():
		cts, *leaves = (*leaves)[:1:1], (*leaves)[1:]
		return cts, true
	case want.IsLeaf() || got.IsLeaf() || !want.SameNode(got):
		return nil, false
	}
	return fillChildren(want, got, leaves)
}

// fillChildren is fillCotangents for each child of two nodes that have as many.
func fillChildren(want, got *tree.Def, leaves *[]core.Value) (cts []core.Value, ok bool) {
	for i, w := range want.Children() {
		c, ok := fillCotangents(w, got.Children()[i], leaves)
		if !ok {
			return nil, false
		}
		cts = append(cts, c...)
	}
	return cts, true
}

func (v *customVJP) build(def *tree.Def, vals []core.Value) any {
	arrays := make([]any, len(vals))
	for i, x := range vals {
		arrays[i] = array.New(x)
	}
	return def.Unflatten(arrays)
}
