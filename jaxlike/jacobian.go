package jaxlike

import (
	"slices"

	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
	"gopherlo/jaxlike/jnp"
	"gopherlo/jaxlike/lax"
	"gopherlo/jaxlike/stages"
	"gopherlo/jaxlike/tree"
)

// The rules of this file follow jacfwd, jacrev and their helpers in
// jax/_src/api.py (JAX 0.12.0.1).

// Jacfwd gives the Jacobian of f, column by column in forward mode: for each
// array of the result, the tree of its derivatives by each array of the
// argument. Options: Argnums, HasAux, Holomorphic.
func Jacfwd(f any, opts ...Option) Func {
	s := gather("jacfwd", opts, "argnums", "has_aux", "holomorphic")
	fn := stages.NewCallable(f)
	return newFunc(&funcInfo{fn: fn, call: func(args []any) Array { return jacfwd(fn, s, args) }})
}

// Jacrev is Jacfwd row by row in reverse mode, which is better for functions
// with fewer results than arguments. It takes AllowInt too.
func Jacrev(f any, opts ...Option) Func {
	s := gather("jacrev", opts, "argnums", "has_aux", "holomorphic", "allow_int")
	fn := stages.NewCallable(f)
	return newFunc(&funcInfo{fn: fn, call: func(args []any) Array { return jacrev(fn, s, args) }})
}

// Jacobian is Jacrev.
func Jacobian(f any, opts ...Option) Func { return Jacrev(f, opts...) }

// Hessian gives the second derivatives of f: forward over reverse mode.
func Hessian(f any, opts ...Option) Func {
	gather("hessian", opts, "argnums", "has_aux", "holomorphic")
	return Jacfwd(Jacrev(f, opts...), opts...)
}

// checkInbounds refuses positions that no argument has.
func checkInbounds(argnums []int, n int) {
	for _, i := range argnums {
		if i < -n || i >= n {
			core.ValueErrorf("Positional argument indices, e.g. for `static_argnums`, must have value greater than or equal to -len(args) and less than len(args), but got value %d for len(args) == %d.", i, n)
		}
	}
}

func jacfwd(fn *stages.Callable, s *settings, args []any) Array {
	checkInbounds(s.argnums, len(args))
	d := newDiff(fn, s, args, "grad")
	for _, v := range d.dyn {
		checkForward("requires inputs", s, v.Aval().DType, true)
	}
	basis, n := stdBasis(d.dyn)
	var def *tree.Def
	var aux Array
	outs := batching.Batch(func(ts []core.Value) []core.Value {
		out, outT := ad.JVP(func(dyn []core.Value) []core.Value {
			var out []core.Value
			out, def, aux = d.run(dyn, "jvp")
			return out
		}, d.dyn, ts, true, true)
		aux = strip(aux)
		return append(out, outT...)
	}, core.AxisData{Size: n}, basis, make([]int, len(basis)), func(srcs []int) []int {
		dsts := make([]int, len(srcs))
		for i := range dsts {
			dsts[i] = core.NotMapped
			if i >= len(srcs)/2 {
				dsts[i] = batching.FromEnd(-1)
			}
		}
		return dsts
	})
	ys, jac := outs[:len(outs)/2], outs[len(outs)/2:]
	for _, y := range ys {
		checkForward("requires outputs", s, y.Aval().DType, false)
	}
	entries := make([]Array, len(ys))
	for i, y := range ys {
		entries[i] = d.result(unravel(d.dyn, jac[i].Aval().NDim()-1, y, jac[i]))
	}
	return withAux(product(def, entries), aux, s)
}

func jacrev(fn *stages.Callable, s *settings, args []any) Array {
	checkInbounds(s.argnums, len(args))
	d := newDiff(fn, s, args, "grad")
	for _, v := range d.dyn {
		checkInputDType("jacrev", s, v.Aval().DType)
	}
	p := d.vjp()
	for _, y := range p.lin.Out {
		checkOutputDType("jacrev", s, y.Aval().DType)
	}
	basis, n := stdBasis(p.lin.Out)
	jac := batching.Batch(p.pull, core.AxisData{Size: n}, basis, make([]int, len(basis)),
		func(srcs []int) []int { return make([]int, len(srcs)) })
	// The entries come per argument; the result is a tree of results first.
	byArg := make([][]core.Value, len(jac))
	for i, j := range jac {
		byArg[i] = unravel(p.lin.Out, 0, d.dyn[i], j)
	}
	entries := make([]Array, len(p.lin.Out))
	for k := range entries {
		row := make([]core.Value, len(byArg))
		for i := range row {
			row[i] = byArg[i][k]
		}
		entries[k] = d.result(row)
	}
	return withAux(product(p.def, entries), p.aux, s)
}

func withAux(jac, aux Array, s *settings) Array {
	if s.hasAux {
		return pair(jac, aux)
	}
	return jac
}

// product replaces each leaf of def by an entry; all entries have one structure.
func product(def *tree.Def, entries []Array) Array {
	var leaves []core.Value
	inner := tree.LeafDef()
	for _, e := range entries {
		l, d := parts(e)
		leaves, inner = append(leaves, l...), d
	}
	return array.NewResults(leaves, def.Compose(inner))
}

// stdBasis gives the unit vectors of the space that the arrays span, stacked,
// in the form of the arrays, and their number.
func stdBasis(vals []core.Value) ([]core.Value, int) {
	n := 0
	types := make([]dtype.Type, len(vals))
	for i, v := range vals {
		a := v.Aval()
		n += a.Size()
		types[i] = dtype.Type{DType: a.DType, Weak: a.Weak}
	}
	t, err := dtype.Promote(core.X64(), types...)
	if err != nil {
		core.Raise("TypePromotionError", "%s", err)
	}
	return unravel(vals, 1, nil, eye(n, t.DType).Value()), n
}

// eye is jnp.eye.
func eye(n int, dt dtype.DType) Array {
	i := lax.BroadcastedIota(dtype.Int32, []int{n, n}, 0)
	j := lax.BroadcastedIota(dtype.Int32, []int{n, n}, 1)
	return i.Add(int32(0)).Eq(j).AsType(dt)
}

// unravel cuts dimension axis of x into the arrays that like lists: each gets
// their shapes there, and the type of example, or if that is nil their own.
func unravel(like []core.Value, axis int, example, x core.Value) []core.Value {
	sizes := make([]int, len(like))
	for i, v := range like {
		sizes[i] = v.Aval().Size()
	}
	shape := x.Aval().Shape
	out := make([]core.Value, len(like))
	for i, part := range lax.SplitWhole(x, sizes, axis) {
		to := like[i]
		if example != nil {
			to = example
		}
		reshaped := jnp.Reshape(part, slices.Concat(shape[:axis], like[i].Aval().Shape, shape[axis+1:]))
		out[i] = downcast(reshaped, to.Aval()).Value()
	}
	return out
}

func downcast(x Array, to *core.ShapedArray) Array {
	return lax.Convert(x, to.DType, to.Weak)
}

// checkForward words what forward mode refuses.
func checkForward(what string, s *settings, dt dtype.DType, input bool) {
	switch {
	case dt.IsExtended() && input:
		core.TypeErrorf("jacfwd with input element type %s", dt)
	case s.holomorphic && !dt.IsComplex():
		core.TypeErrorf("jacfwd with holomorphic=True %s with complex dtype, but got %s.", what, dt)
	case s.holomorphic || !input || dt.IsFloat():
	default:
		core.TypeErrorf("jacfwd requires real-valued inputs (input dtype that is a sub-dtype of np.floating), but got %s. For holomorphic differentiation, pass holomorphic=True. For differentiation of non-holomorphic functions involving complex inputs or integer inputs, use jax.jvp directly.", dt)
	}
}
