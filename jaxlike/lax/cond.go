package lax

import (
	"slices"

	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/partialeval"
	"gopherlo/xla/stablehlo"
)

// CondP runs one of several branches (cond_p in
// jax/_src/lax/control_flow/conditionals.py). Operands: an int32 index, then the
// branches' operands. Parameter: branches.
var CondP = core.NewPrimitive("cond")

func init() {
	CondP.Define(core.Rules{
		Multi: true,
		AbstractEval: func(_ []*core.ShapedArray, p core.Params) []*core.ShapedArray {
			return branchesOf(p)[0].OutAvals()
		},
		JVP:            jvpCond,
		Linearize:      linearizeCond,
		FancyTranspose: transposeCond,
		Batch:          batchCond,
		DCE:            dceCond,
		Partial:        partialCond,
		SplitPolicy:    splitCond,
		Lower:          lowerCond,
	})
}

func branchesOf(p core.Params) []*core.Jaxpr { js, _ := p.Get("branches").([]*core.Jaxpr); return js }

func condParams(branches []*core.Jaxpr) core.Params { return core.P("branches", branches) }

func eachBranch(js []*core.Jaxpr, f func(i int, j *core.Jaxpr) *core.Jaxpr) []*core.Jaxpr {
	out := make([]*core.Jaxpr, len(js))
	for i, j := range js {
		out[i] = f(i, j)
	}
	return out
}

// anyBranch joins flags over the branches.
func anyBranch(js []*core.Jaxpr, f func(j *core.Jaxpr) []bool) []bool {
	var out []bool
	for _, j := range js {
		bs := f(j)
		if out == nil {
			out = make([]bool, len(bs))
		}
		out = orFlags(out, bs)
	}
	return out
}

func jvpCond(primals, tangents []core.Value, p core.Params) ([]core.Value, []core.Value) {
	branches := branchesOf(p)
	nz := nonZeroFlags(tangents[1:])
	outNZ := anyBranch(branches, func(j *core.Jaxpr) []bool { return ad.JVPJaxpr(j, nz, nil).OutNZ })
	jvps := eachBranch(branches, func(_ int, j *core.Jaxpr) *core.Jaxpr { return ad.JVPJaxpr(j, nz, outNZ).Jaxpr })
	outs := CondP.Bind(condParams(jvps), slices.Concat(primals, prune(tangents[1:]))...)
	n := len(outNZ)
	return outs[:n:n], spread(outs[n:], outNZ, outs[:n])
}

// spread puts symbolic zeros between the tangents that exist.
func spread(ts []core.Value, nz []bool, primals []core.Value) []core.Value {
	out := make([]core.Value, len(nz))
	for i, ok := range nz {
		out[i] = ad.ZeroOf(primals[i])
		if ok {
			out[i], ts = ts[0], ts[1:]
		}
	}
	return out
}

func transposeCond(cts, args []core.Value, p core.Params) {
	branches, index, ops := branchesOf(p), args[0], args[1:]
	var outNZ []bool
	for _, j := range branches {
		nz := ad.TransposeFlags(j, ops, cts)
		if outNZ == nil {
			outNZ = make([]bool, len(nz))
		}
		outNZ = orFlags(outNZ, nz)
	}
	var in []core.Value
	trans := eachBranch(branches, func(_ int, j *core.Jaxpr) *core.Jaxpr {
		var t *core.Jaxpr
		t, in = ad.TransposeForced(j, ops, cts, outNZ)
		return t
	})
	outs := CondP.Bind(condParams(trans), append([]core.Value{index}, in...)...)
	for i, a := range ops {
		if acc, ok := a.(core.Accum); ok && outNZ[i] {
			acc.Accumulate(outs[0])
			outs = outs[1:]
		}
	}
}

func batchCond(axis core.AxisData, args []core.Value, dims []int, p core.Params) ([]core.Value, []int) {
	branches, index, ops := branchesOf(p), args[0], slices.Clone(args[1:])
	if dims[0] != core.NotMapped {
		return selectBranches(axis, args, dims, branches)
	}
	bat := mapped(dims[1:])
	for i, d := range dims[1:] {
		if bat[i] {
			ops[i] = batching.Moveaxis(ops[i], d, 0)
		}
	}
	in := axisFlags(bat, 0)
	outBat := anyBranch(branches, func(j *core.Jaxpr) []bool {
		return mapped(batching.JaxprAxes(j, axis, in, batching.ZeroIf(make([]bool, len(j.Out)))).OutDims)
	})
	batched := eachBranch(branches, func(_ int, j *core.Jaxpr) *core.Jaxpr {
		return batching.JaxprAxes(j, axis, in, batching.ZeroIf(outBat)).Jaxpr
	})
	return CondP.Bind(condParams(batched), append([]core.Value{index}, ops...)...), axisFlags(outBat, 0)
}

// selectBranches runs all branches and selects by a batched index. Operands are
// masked for each branch, for the sake of gradients.
func selectBranches(axis core.AxisData, args []core.Value, dims []int, branches []*core.Jaxpr) ([]core.Value, []int) {
	front := make([]core.Value, len(args))
	for i, a := range args {
		front[i] = batching.Front(a, dims[i], axis.Size)
	}
	index, ops := front[0], front[1:]
	outs := make([][]core.Value, len(branches))
	for i, j := range branches {
		pred := eq(index, constLike(index, float64(i)))
		masked := make([]core.Value, len(ops))
		for k, x := range ops {
			stopped := stopGradient(x) // the first of the equations
			masked[k] = selectN(broadcastPred(pred, x), stopped, x)
		}
		b := batching.JaxprAxes(j, axis, axisFlags(trues(len(j.In)), 0), batching.ZeroIf(trues(len(j.Out))))
		outs[i] = core.EvalJaxpr(b.Jaxpr, masked)
	}
	res := make([]core.Value, len(outs[0]))
	for k := range res {
		cases := make([]core.Value, len(outs))
		for i := range outs {
			cases[i] = outs[i][k]
		}
		res[k] = selectN(broadcastPred(index, cases[0]), cases...)
	}
	return res, make([]int, len(res))
}

func broadcastPred(pred, x core.Value) core.Value {
	a := x.Aval()
	if n := pred.Aval().NDim(); n != a.NDim() {
		dims := make([]int, n)
		for i := range dims {
			dims[i] = i
		}
		return broadcastInDim(pred, a.Shape, core.NewInts(dims...))
	}
	return pred
}

func dceCond(used []bool, e *core.Eqn) ([]bool, *core.Eqn) {
	branches := branchesOf(e.Params)
	usedIn := anyBranch(branches, func(j *core.Jaxpr) []bool { _, u := partialeval.DCE(j, used, nil); return u })
	changed := !allTrue(usedIn) || !allTrue(used)
	small := eachBranch(branches, func(_ int, j *core.Jaxpr) *core.Jaxpr {
		s, _ := partialeval.DCE(j, used, usedIn)
		changed = changed || s != j
		return s
	})
	all := append([]bool{true}, usedIn...)
	if !changed {
		return all, e
	}
	ne := *e
	ne.In, ne.Out, ne.Params = partialeval.KeepAtoms(e.In, all), partialeval.KeepVars(e.Out, used), condParams(small)
	return all, &ne
}

func lowerCond(c *core.LowerCtx, args []*stablehlo.Value, p core.Params) []*stablehlo.Value {
	branches := branchesOf(p)
	names := c.Names.Extend("cond")
	bodies := make([]func() []*stablehlo.Value, len(branches))
	for i, j := range branches {
		bodies[i] = func() []*stablehlo.Value {
			inner := *c
			inner.Names = names.Extend("branch_" + core.PyRepr(i) + "_fun")
			return c.Module.Inline(&inner, c.B, j, args[1:])
		}
	}
	types := make([]stablehlo.Type, len(c.Out))
	for i, a := range c.Out {
		types[i] = typeOf(a)
	}
	return c.B.Case(args[0], types, bodies...).Results
}
