package jaxlike

import (
	"fmt"

	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
	"gopherlo/jaxlike/stages"
	"gopherlo/jaxlike/tree"
)

// Grad gives the gradient of a function with a scalar result. Options: Argnums,
// HasAux, AllowInt, Holomorphic.
func Grad(f any, opts ...Option) Func {
	return gradient("grad", f, opts, func(val, aux Array, g Array, hasAux bool) Array {
		if hasAux {
			return pair(g, aux)
		}
		return g
	})
}

// ValueAndGrad gives the pair of value and gradient; with HasAux the value is
// itself a pair.
func ValueAndGrad(f any, opts ...Option) Func {
	return gradient("value_and_grad", f, opts, func(val, aux Array, g Array, hasAux bool) Array {
		if hasAux {
			val = pair(val, aux)
		}
		return pair(val, g)
	})
}

func gradient(api string, f any, opts []Option, combine func(val, aux, g Array, hasAux bool) Array) Func {
	s := gather(api, opts, "argnums", "has_aux", "allow_int", "holomorphic")
	fn := stages.NewCallable(f)
	info := &funcInfo{fn: fn}
	info.call = func(args []any) Array {
		d := newDiff(fn, s, args, "grad")
		for _, v := range d.dyn {
			checkInputDType("grad", s, v.Aval().DType)
		}
		v := d.vjp()
		val := array.NewResults(v.lin.Out, v.def)
		checkScalar(val)
		checkOutputDType("grad", s, val.DType())
		cts := v.pull([]core.Value{oneLike(val.Value())})
		return combine(val, v.aux, d.result(cts), s.hasAux)
	}
	return newFunc(info)
}

// pair joins two results into one result tree.
func pair(a, b Array) Array {
	la, da := parts(a)
	lb, db := parts(b)
	return array.NewResults(append(append([]core.Value{}, la...), lb...), tree.TupleDef(da, db))
}

func parts(a Array) ([]core.Value, *tree.Def) {
	if r := a.Results(); r != nil {
		return r.Leaves, r.Def
	}
	return []core.Value{a.Value()}, tree.LeafDef()
}

// diff is a call of a function that is differentiated with respect to some of
// its arguments.
type diff struct {
	fn     *stages.Callable
	args   *stages.Args
	dyn    []core.Value // leaves of the arguments that matter
	pos    []int        // their places among all leaves
	defs   []*tree.Def  // of those arguments
	hasAux bool
	single bool
}

func newDiff(fn *stages.Callable, s *settings, args []any, api string) *diff {
	for _, i := range s.argnums {
		if i >= len(args) || -i > len(args) {
			core.TypeErrorf("differentiating with respect to argnums=%s requires at least %d positional arguments to be passed by the caller, but got only %d positional arguments.",
				argnumsText(s), i+1, len(args))
		}
	}
	d := &diff{fn: fn, args: fn.Flatten(args, nil, api), hasAux: s.hasAux, single: !s.argnumsTuple}
	if api != "grad" {
		raiseAllStatic(fn, d.args.Def)
	}
	start := make([]int, len(args)+1)
	kids := d.args.Def.Children()
	for i, k := range kids {
		start[i+1] = start[i] + k.NumLeaves()
	}
	for _, i := range s.argnums {
		if i < 0 {
			i += len(args)
		}
		if api == "grad" && onlyStatic(kids[i]) {
			raiseStatic(fn, i, kids[i])
		}
		d.defs = append(d.defs, kids[i])
		for p := start[i]; p < start[i+1]; p++ {
			d.pos = append(d.pos, p)
			d.dyn = append(d.dyn, d.args.Leaves[p])
		}
	}
	return d
}

// onlyStatic tells an argument that holds values of plain Go types alone.
func onlyStatic(def *tree.Def) bool { return def.NumLeaves() == 0 && len(def.Statics()) > 0 }

// raiseStatic refuses to differentiate with respect to a parameter of plain Go
// types: the function is called with its value, so there is nothing to trace.
func raiseStatic(fn *stages.Callable, i int, def *tree.Def) {
	advice := staticAdvice(argumentName(fn, i), def)
	if def.Kind() == tree.KindStatic {
		advice = "declare the parameter as Array (or any); argnums names others"
	}
	panic(&core.Error{
		Name:    "TypeError",
		Message: fmt.Sprintf("differentiating %s with respect to %s, which is static: its type is %s.", fn.Name, argumentName(fn, i), tree.TypeName(def.Type())),
		Advice:  advice,
	})
}

func argumentName(fn *stages.Callable, i int) string {
	if i < len(fn.Params) && fn.Params[i] != "" {
		return fn.Params[i]
	}
	return fmt.Sprint("argument ", i)
}

// raiseAllStatic refuses a call that has static arguments alone.
func raiseAllStatic(fn *stages.Callable, args *tree.Def) {
	if !onlyStatic(args) {
		return
	}
	for i, d := range args.Children() {
		if onlyStatic(d) {
			raiseStatic(fn, i, d)
		}
	}
}

// staticAdvice says how the first static value of an argument could be traced;
// it is empty if there is none.
func staticAdvice(name string, def *tree.Def) string {
	statics := def.Statics()
	if len(statics) == 0 {
		return ""
	}
	what, to := name+statics[0].Path.Plain(), "Array"
	switch path := statics[0].Path; {
	case len(path) == 1 && path[0].Kind == tree.IndexKey:
		what = name
	case len(path) == 1 && path[0].Kind == tree.DictKey:
		what, to = name, "map[string]Array"
	}
	return fmt.Sprintf("%s is static, as its Go type is plain; declare %s as %s (or any)", what, what, to)
}

// argsAdvice is staticAdvice for the first argument that needs it.
func argsAdvice(fn *stages.Callable, args *tree.Def) string {
	for i, d := range args.Children() {
		if a := staticAdvice(argumentName(fn, i), d); a != "" {
			return a
		}
	}
	return ""
}

func argnumsText(s *settings) string {
	if !s.argnumsTuple {
		return fmt.Sprint(s.argnums[0])
	}
	return core.PyRepr(core.NewInts(s.argnums...))
}

// run calls the function with other values for the leaves that matter. With
// has_aux the auxiliary results are given apart.
func (d *diff) run(dyn []core.Value, api string) (out []core.Value, def *tree.Def, aux Array) {
	leaves := append([]core.Value{}, d.args.Leaves...)
	for i, p := range d.pos {
		leaves[p] = dyn[i]
	}
	out, def = d.fn.Run(d.args, leaves, api)
	if !d.hasAux {
		return out, def, Array{}
	}
	kids := def.Children()
	if (def.Kind() != tree.KindTuple && def.Kind() != tree.KindList) || len(kids) != 2 {
		raiseNoAux(out, def)
	}
	n := kids[0].NumLeaves()
	return out[:n:n], kids[0], array.NewResults(out[n:], kids[1])
}

func raiseNoAux(out []core.Value, def *tree.Def) {
	texts, class := make([]string, len(out)), tree.Class(def.Type())
	for i, v := range out {
		texts[i] = array.New(v).Repr()
	}
	if def.IsLeaf() {
		class = stages.TracerClass(out[0])
	}
	core.TypeErrorf("expected function with aux output to return a two-element tuple, but got type %s with value %s", class, def.Fill(texts))
}

// result puts cotangents together in the form of the arguments that matter.
func (d *diff) result(cts []core.Value) Array {
	if d.single {
		return array.NewResults(cts, d.defs[0])
	}
	return array.NewResults(cts, tree.TupleDef(d.defs...))
}

func (d *diff) debug(api string) *core.DebugInfo {
	return &core.DebugInfo{TracedFor: api, FuncName: d.fn.Name, FuncSource: d.fn.Source()}
}

// pullback is a linearized call that can be run backwards.
type pullback struct {
	lin *ad.Linearization
	def *tree.Def
	aux Array
	in  []core.Value
}

func (d *diff) vjp() *pullback { return d.linearize(ad.Linearize) }

// linearize linearizes the call, for a backward pass or for pushing tangents.
func (d *diff) linearize(how func(func([]core.Value) []core.Value, []core.Value, *core.DebugInfo) *ad.Linearization) *pullback {
	p := &pullback{in: d.dyn}
	p.lin = how(func(dyn []core.Value) []core.Value {
		out, def, aux := d.run(dyn, "grad")
		p.def, p.aux = def, aux
		return out
	}, d.dyn, d.debug("grad"))
	p.aux = strip(p.aux)
	return p
}

// strip takes the differentiation's tracers off auxiliary results.
func strip(a Array) Array {
	if a.IsZero() {
		return a
	}
	leaves, def := parts(a)
	out := make([]core.Value, len(leaves))
	for i, l := range leaves {
		out[i] = ad.StripTracer(l)
	}
	return array.NewResults(out, def)
}

// pull gives the cotangents of the inputs for cotangents of all results.
func (p *pullback) pull(cts []core.Value) []core.Value {
	j := p.lin.Jaxpr
	args := make([]core.Value, len(j.In))
	for i, v := range j.In {
		args[i] = ad.NewAccum(v.Aval().Tangent())
	}
	var nz []core.Value
	for i, ct := range cts {
		if p.lin.NZ[i] {
			nz = append(nz, ct)
		}
	}
	ad.BackwardPass(j, true, j.Consts, args, nz)
	out := make([]core.Value, len(args))
	for i, a := range args {
		out[i] = ad.Instantiate(a.(*ad.Accum).Value())
	}
	return out
}

// oneLike is the cotangent that a gradient starts with.
func oneLike(v core.Value) core.Value {
	a := v.Aval()
	var one any = 1.0
	if a.DType.IsComplex() {
		one = complex(1, 0)
	}
	return core.NewScalar(one, a.DType, a.Weak)
}

func checkInputDType(api string, s *settings, dt dtype.DType) {
	switch {
	case s.holomorphic && !dt.IsComplex():
		core.TypeErrorf("%s with holomorphic=True requires inputs with complex dtype, but got %s.", api, dt)
	case dt.IsExtended() || dt.IsInt() || dt.IsBool():
		if !s.allowInt {
			core.TypeErrorf("%s requires real- or complex-valued inputs (input dtype that is a sub-dtype of np.inexact), but got %s. If you want to use Boolean- or integer-valued inputs, use vjp or set allow_int to True.", api, dt)
		}
	case !dt.IsInexact():
		core.TypeErrorf("%s requires numerical-valued inputs (input dtype that is a sub-dtype of np.bool_ or np.number), but got %s.", api, dt)
	}
}

func checkOutputDType(api string, s *settings, dt dtype.DType) {
	switch {
	case dt.IsExtended():
		core.TypeErrorf("%s with output element type %s", api, dt)
	case s.holomorphic && !dt.IsComplex():
		core.TypeErrorf("%s with holomorphic=True requires outputs with complex dtype, but got %s.", api, dt)
	case s.holomorphic:
	case dt.IsComplex():
		core.TypeErrorf("%s requires real-valued outputs (output dtype that is a sub-dtype of np.floating), but got %s. For holomorphic differentiation, pass holomorphic=True. For differentiation of non-holomorphic functions involving complex outputs, use jax.vjp directly.", api, dt)
	case !dt.IsFloat():
		core.TypeErrorf("%s requires real-valued outputs (output dtype that is a sub-dtype of np.floating), but got %s. For differentiation of functions with integer outputs, use jax.vjp directly.", api, dt)
	}
}

func checkScalar(val Array) {
	if r := val.Results(); r != nil && len(r.Leaves) != 1 || r != nil && !r.Def.IsLeaf() {
		core.TypeErrorf("Gradient only defined for scalar-output functions. Output was %s.", val)
	}
	a := val.Aval()
	if a.NDim() == 0 {
		return
	}
	extract := ""
	if a.Size() == 1 {
		idx := ""
		if a.NDim() == 1 {
			idx = " or output[0]"
		}
		extract = "extract the scalar with output.reshape(())" + idx + ", "
	}
	core.TypeErrorf("Gradient only defined for scalar-output functions. Output had shape: %s. To get the gradient, %sreduce the output to a scalar with output.sum(), or use jax.jacobian to differentiate a function with a non-scalar output.",
		core.PyRepr(core.NewInts(a.Shape...)), extract)
}
