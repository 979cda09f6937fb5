package jaxlike

import (
	"fmt"
	"strings"

	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
	"gopherlo/jaxlike/stages"
	"gopherlo/jaxlike/tree"
)

// Args is a list of arguments, for Jvp.
type Args = []any

// argList takes a list of arguments of fn: a slice or tuple of them, or one
// alone, such as the slice that is fn's only parameter.
func argList(fn *stages.Callable, v any) []any {
	switch v := v.(type) {
	case Tuple:
		return v
	case []any:
		return v
	case []Array:
		if len(fn.In) != 1 {
			list := make([]any, len(v))
			for i, x := range v {
				list[i] = x
			}
			return list
		}
	}
	return []any{v}
}

// Jvp pushes tangents forward: the results of f at primals and their
// derivatives along tangents. Both are lists of arguments (or one alone).
func Jvp(f, primals, tangents any) (out, tangentOut Array) {
	fn := stages.NewCallable(f)
	primalList, tangentList := argList(fn, primals), argList(fn, tangents)
	checkSameTree(primalList, tangentList)
	a := fn.Flatten(primalList, nil, "jvp")
	ts := flattenTangents(fn, a, tangentList)
	var def *tree.Def
	outs, outT := ad.JVP(func(in []core.Value) []core.Value {
		var o []core.Value
		o, def = fn.Run(a, in, "jvp")
		return o
	}, a.Leaves, ts, true, true)
	return array.NewResults(outs, def), array.NewResults(outT, def)
}

// checkSameTree refuses lists of different lengths before f sees them.
func checkSameTree(primals, tangents []any) {
	if len(primals) == len(tangents) {
		return
	}
	options := tree.Options{HostArrays: true, Expand: array.Expand}
	_, p := tree.FlattenArgs(primals, nil, options)
	_, t := tree.FlattenArgs(tangents, nil, options)
	raiseTrees(p, t, "")
}

func raiseTrees(primals, tangents *tree.Def, advice string) {
	panic(&core.Error{
		Name:    "TypeError",
		Message: fmt.Sprintf("primal and tangent arguments to jax.jvp must have the same tree structure; primals have tree structure %s whereas tangents have tree structure %s.", primals, tangents),
		Advice:  advice,
	})
}

func flattenTangents(fn *stages.Callable, a *stages.Args, tangents []any) []core.Value {
	leaves, def := tree.FlattenArgs(tangents, nil, tree.Options{HostArrays: true, Expand: array.Expand})
	if len(a.Def.Mismatches(def)) > 0 {
		raiseTrees(a.Def, def, argsAdvice(fn, a.Def))
	}
	ts := make([]core.Value, len(leaves))
	for i, l := range leaves {
		t := valueOf(l)
		p := a.Avals[i]
		if want := p.Tangent().DType; want != t.Aval().DType {
			text := want.String()
			if want == dtype.Float0 {
				text = "[('float0', 'V')]"
			}
			core.TypeErrorf("primal and tangent arguments to jax.jvp do not match; dtypes must be equal, or in case of int/bool primal dtype the tangent dtype must be float0. Got primal dtype %s and so expected tangent dtype %s, but got tangent dtype %s instead.",
				p.DType, text, t.Aval().DType)
		}
		if !sameShape(p.Shape, t.Aval().Shape) {
			core.ValueErrorf("jvp called with different primal and tangent shapes; Got primal shape %s and tangent shape as %s", shapeText(p), shapeText(t.Aval()))
		}
		ts[i] = t
	}
	return ts
}

func sameShape(a, b []int) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func shapeText(a *core.ShapedArray) string { return core.PyRepr(core.NewInts(a.Shape...)) }

// Vjp gives the results of f at primals and the function that maps cotangents
// of the results to a tuple of cotangents of the arguments.
func Vjp(f any, primals ...any) (out Array, pull Func) {
	fn := stages.NewCallable(f)
	d := allArgs(fn, primals, "vjp")
	p := d.vjp()
	info := &funcInfo{fn: fn.Renamed("pullback", nil)}
	info.call = func(args []any) Array {
		if len(args) != 1 {
			core.TypeErrorf("%s", pullbackCount(fn.Name, len(args)))
		}
		return d.result(p.pull(p.cotangents(fn.Source(), args[0])))
	}
	return array.NewResults(p.lin.Out, p.def), newFunc(info)
}

// pullbackCount is what a wrong number of arguments to a pullback raises.
func pullbackCount(name string, n int) string {
	return fmt.Sprintf(`
The function returned by %[1]sjax.vjp%[1]s applied to %[2]s was called with %[3]d arguments,
but functions returned by %[1]sjax.vjp%[1]s must be called with a single argument
corresponding to the single value returned by the function being differentiated
(even if that returned value is a tuple or other container).

For example, if we have:

  def f(x):
    return (x, x)
  _, f_vjp = jax.vjp(f, 1.0)

the function %[1]sf%[1]s returns a single tuple as output, and so we call %[1]sf_vjp%[1]s with a
single tuple as its argument:

  x_bar, = f_vjp((2.0, 2.0))

If we instead call %[1]sf_vjp(2.0, 2.0)%[1]s, with the values 'splatted out' as
arguments rather than in a tuple, this error can arise.
`, "`", name, n)
}

// allArgs is a call differentiated with respect to all arguments.
func allArgs(fn *stages.Callable, primals []any, api string) *diff {
	nums := make([]int, len(primals))
	for i := range nums {
		nums[i] = i
	}
	return newDiff(fn, &settings{argnums: nums, argnumsTuple: true}, primals, api)
}

// cotangents flattens and checks what the user gave for the results.
func (p *pullback) cotangents(source string, ct any) []core.Value {
	leaves, def := tree.FlattenWith(ct, nil, tree.Options{HostArrays: true, Expand: array.Expand})
	if ms := p.def.Mismatches(def); len(ms) > 0 {
		var b strings.Builder
		fmt.Fprintf(&b, "unexpected tree structure.\n\nThe argument to a VJP function returned by `jax.vjp` must match the pytree\nstructure of the differentiated function %s.\n\nBut the tree structures differ:", source)
		for _, m := range ms {
			fmt.Fprintf(&b, "\n  * out%s was a %s in the original output, but a %s here, so %s.", m.Path, m.Seen, m.Given, m.Why)
		}
		core.ValueErrorf("%s", b.String())
	}
	out := make([]core.Value, len(leaves))
	for i, l := range leaves {
		v := valueOf(l)
		want := p.lin.Out[i].Aval().Tangent()
		got := v.Aval()
		if same := got.DType == want.DType || want.DType == dtype.Float0; !same || !sameShape(got.Shape, want.Shape) {
			core.ValueErrorf("unexpected JAX type (e.g. shape/dtype) for argument to VJP function: got %s, but expected %s because the corresponding output of the differentiated function had JAX type %s",
				got.Long(), want.Long(), p.lin.Out[i].Aval().Long())
		}
		out[i] = v
	}
	return out
}

// Linearize gives the results of f at primals and the linear function that maps
// tangents of the arguments to tangents of the results, without redoing f.
func Linearize(f any, primals ...any) (out Array, jvp Func) {
	fn := stages.NewCallable(f)
	d := allArgs(fn, primals, "linearize")
	p := d.linearize(ad.LinearizeForward)
	info := &funcInfo{fn: fn.Renamed("linearized", nil)}
	info.call = func(args []any) Array { return array.NewResults(p.push(d, args), p.def) }
	return array.NewResults(p.lin.Out, p.def), newFunc(info)
}

// push evaluates the linear program on tangents.
func (p *pullback) push(d *diff, tangents []any) []core.Value {
	leaves, def := tree.FlattenArgs(tangents, nil, tree.Options{HostArrays: true, Expand: array.Expand})
	if len(d.args.Def.Mismatches(def)) > 0 {
		panic(&core.Error{
			Name:    "TypeError",
			Message: fmt.Sprintf("expected %s, got %s", d.args.Def, def),
			Advice:  argsAdvice(d.fn, d.args.Def),
		})
	}
	ts := make([]core.Value, len(leaves))
	for i, l := range leaves {
		v := valueOf(l)
		want := p.in[i].Aval().Tangent()
		if got := v.Aval(); got.DType != want.DType || !sameShape(got.Shape, want.Shape) {
			core.ValueErrorf("linearized function called on tangent values inconsistent with the original primal values:\nGot tangent aval %s for primal aval %s but expected %s.",
				got.LongWeak(), p.in[i].Aval().LongWeak(), want.LongWeak())
		}
		ts[i] = v
	}
	outs := core.EvalJaxpr(p.lin.Jaxpr, ts)
	res := make([]core.Value, len(p.lin.Out))
	for i, o := range p.lin.Out {
		if p.lin.NZ[i] {
			res[i], outs = outs[0], outs[1:]
		} else {
			res[i] = ad.Instantiate(ad.ZeroOf(o))
		}
	}
	return res
}
