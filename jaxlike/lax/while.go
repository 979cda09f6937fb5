package lax

import (
	"slices"

	"gopherlo/internal/bug"
	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/partialeval"
	"gopherlo/xla/hlo"
	"gopherlo/xla/stablehlo"
)

// WhileP runs a body while a condition holds (while_p in
// jax/_src/lax/control_flow/loops.py). Operands: constants of the condition,
// constants of the body, carries. Parameters: cond_nconsts, cond_jaxpr,
// body_nconsts, body_jaxpr.
var WhileP = core.NewPrimitive("while")

func init() {
	WhileP.Define(core.Rules{
		Multi: true,
		AbstractEval: func(_ []*core.ShapedArray, p core.Params) []*core.ShapedArray {
			return p.Jaxpr("body_jaxpr").OutAvals()
		},
		JVP:            jvpWhile,
		FancyTranspose: func([]core.Value, []core.Value, core.Params) { raiseWhileTranspose() },
		Batch:          batchWhile,
		DCE:            dceWhile,
		SplitPolicy:    splitWhile,
		Lower:          lowerWhile,
		PartialEval:    partialWhile,
	})
}

func raiseWhileTranspose() {
	core.ValueErrorf("Reverse-mode differentiation does not work for lax.while_loop or lax.fori_loop with dynamic start/stop values. Try using lax.scan, or using fori_loop with static start/stop.")
}

func whileParams(cond *core.Jaxpr, condConsts int, body *core.Jaxpr, bodyConsts int) core.Params {
	return core.P("cond_nconsts", condConsts, "cond_jaxpr", cond, "body_nconsts", bodyConsts, "body_jaxpr", body)
}

// whileParts cuts a list of operands, or flags of them, into its three parts.
func whileParts[T any](xs []T, p core.Params) (cond, body, carry []T) {
	c, b := p.Int("cond_nconsts"), p.Int("body_nconsts")
	return xs[:c:c], xs[c : c+b : c+b], xs[c+b:]
}

func orFlags(a, b []bool) []bool {
	out := make([]bool, len(a))
	for i := range a {
		out[i] = a[i] || b[i]
	}
	return out
}

func nonZeroFlags(ts []core.Value) []bool {
	out := make([]bool, len(ts))
	for i, t := range ts {
		out[i] = !core.IsZero(t)
	}
	return out
}

// fixpoint grows flags of carries until step gives them back.
func fixpoint(carry []bool, step func(carry []bool) []bool) []bool {
	for range len(carry) + 1 {
		next := step(carry)
		if slices.Equal(next, carry) {
			return carry
		}
		carry = orFlags(carry, next)
	}
	bug.Panicf("fixpoint of loop carries not reached")
	return nil
}

func jvpWhile(primals, tangents []core.Value, p core.Params) ([]core.Value, []core.Value) {
	body, cond := p.Jaxpr("body_jaxpr"), p.Jaxpr("cond_jaxpr")
	nz := nonZeroFlags(tangents)
	cconstNZ, bconstNZ, initNZ := whileParts(nz, p)
	var d ad.JVPOf
	carryNZ := fixpoint(initNZ, func(c []bool) []bool {
		d = ad.JVPJaxpr(body, slices.Concat(bconstNZ, c), c)
		return d.OutNZ
	})
	nz = slices.Concat(cconstNZ, bconstNZ, carryNZ)
	ts := make([]core.Value, len(tangents))
	for i, t := range tangents {
		ts[i] = t
		if nz[i] {
			ts[i] = ad.Instantiate(t)
		}
	}
	cconst, bconst, init := whileParts(primals, p)
	_, bconstT, initT := whileParts(ts, p)
	bconstT, initT = prune(bconstT), prune(initT)
	bodyJVP := rearrange(d.Jaxpr, []int{len(bconst), len(init)}, []int{len(bconstT), len(initT)}, []int{len(init)}, []int{len(initT)})
	condIn := slices.Clone(cond.In)
	for _, t := range initT {
		condIn = append(condIn, core.NewVar(t.Aval()))
	}
	condAug := cond.Replace(condIn, cond.Out, cond.Eqns)
	outs := WhileP.Bind(whileParams(condAug, len(cconst), bodyJVP, len(bconst)+len(bconstT)),
		slices.Concat(cconst, bconst, bconstT, init, initT)...)
	n := len(init)
	outT := make([]core.Value, n)
	rest := outs[n:]
	for i := range n {
		outT[i] = ad.ZeroOf(outs[i])
		if carryNZ[i] {
			outT[i], rest = rest[0], rest[1:]
		}
	}
	return outs[:n:n], outT
}

func prune(ts []core.Value) []core.Value {
	var out []core.Value
	for _, t := range ts {
		if !core.IsZero(t) {
			out = append(out, t)
		}
	}
	return out
}

// rearrange interleaves groups of primal and tangent binders: inputs come as
// all primals, then all tangents, and leave as group by group.
func rearrange(j *core.Jaxpr, primalsIn, tangentsIn, primalsOut, tangentsOut []int) *core.Jaxpr {
	return j.Replace(interleave(j.In, primalsIn, tangentsIn), interleave(j.Out, primalsOut, tangentsOut), j.Eqns)
}

func interleave[T any](xs []T, primals, tangents []int) []T {
	n := 0
	for _, k := range primals {
		n += k
	}
	ps, ts := xs[:n], xs[n:]
	out := make([]T, 0, len(xs))
	for i := range primals {
		out = append(out, ps[:primals[i]]...)
		out = append(out, ts[:tangents[i]]...)
		ps, ts = ps[primals[i]:], ts[tangents[i]:]
	}
	return out
}

func axisFlags(flags []bool, dim int) []int {
	out := make([]int, len(flags))
	for i, f := range flags {
		out[i] = core.NotMapped
		if f {
			out[i] = dim
		}
	}
	return out
}

func mapped(dims []int) []bool {
	out := make([]bool, len(dims))
	for i, d := range dims {
		out[i] = d != core.NotMapped
	}
	return out
}

func batchWhile(axis core.AxisData, args []core.Value, dims []int, p core.Params) ([]core.Value, []int) {
	body, cond := p.Jaxpr("body_jaxpr"), p.Jaxpr("cond_jaxpr")
	cconsts, bconsts, init := whileParts(args, p)
	cdims, bdims, idims := whileParts(dims, p)
	carry := fixpoint(mapped(idims), func(c []bool) []bool {
		b := batching.JaxprAxes(body, axis, slices.Concat(axisFlags(mapped(bdims), 0), axisFlags(c, 0)), batching.ZeroIf(c))
		return mapped(b.OutDims)
	})
	pred := batching.JaxprAxes(cond, axis, slices.Concat(axisFlags(mapped(cdims), 0), axisFlags(carry, 0)), batching.ZeroIf([]bool{false}))
	carryDims, condOut := axisFlags(carry, len(cond.OutAvals()[0].Shape)), []int{core.NotMapped}
	if pred.OutDims[0] != core.NotMapped {
		carryDims, condOut = make([]int, len(carry)), []int{0}
	}
	bodyB := batching.JaxprAxes(body, axis, slices.Concat(bdims, carryDims), batching.Exactly(carryDims))
	condB := batching.JaxprAxes(cond, axis, slices.Concat(cdims, carryDims), batching.Exactly(condOut))
	newInit := make([]core.Value, len(init))
	for i, x := range init {
		newInit[i] = batching.Match(axis, idims[i], carryDims[i], x)
	}
	outs := WhileP.Bind(whileParams(condB.Jaxpr, len(cconsts), bodyB.Jaxpr, len(bconsts)), slices.Concat(cconsts, bconsts, newInit)...)
	return outs, carryDims
}

func trues(n int) []bool { return slices.Repeat([]bool{true}, n) }

func dceWhile(used []bool, e *core.Eqn) ([]bool, *core.Eqn) {
	cond, body := e.Params.Jaxpr("cond_jaxpr"), e.Params.Jaxpr("body_jaxpr")
	c, b := e.Params.Int("cond_nconsts"), e.Params.Int("body_nconsts")
	_, condUsed := partialeval.DCE(cond, []bool{true}, nil)
	carry := orFlags(used, condUsed[c:])
	var smallBody *core.Jaxpr
	var bodyUsed []bool
	carry = fixpoint(carry, func(k []bool) []bool {
		smallBody, bodyUsed = partialeval.DCE(body, k, slices.Concat(make([]bool, b), k))
		return bodyUsed[b:]
	})
	smallCond, condUsed := partialeval.DCE(cond, []bool{true}, slices.Concat(make([]bool, c), carry))
	usedIn := slices.Concat(condUsed[:c], bodyUsed[:b], carry)
	if smallCond == cond && smallBody == body && allTrue(usedIn) {
		return usedIn, e
	}
	ne := *e
	ne.In, ne.Out = partialeval.KeepAtoms(e.In, usedIn), partialeval.KeepVars(e.Out, carry)
	ne.Params = whileParams(smallCond, countTrue(condUsed[:c]), smallBody, countTrue(bodyUsed[:b]))
	return usedIn, &ne
}

func countTrue(bs []bool) int {
	n := 0
	for _, b := range bs {
		if b {
			n++
		}
	}
	return n
}

// partialWhile computes what is known of a loop whose condition is known, and
// keeps the whole loop for the unknown carries.
func partialWhile(unknown []bool, p core.Params) (known core.Params, knownIn, knownOut []bool, ok bool) {
	cconst, bconst, init := whileParts(unknown, p)
	body := p.Jaxpr("body_jaxpr")
	var split partialeval.Split
	carry := fixpoint(init, func(k []bool) []bool {
		split = partialeval.SplitJaxpr(body, slices.Concat(bconst, k), k, nil)
		return split.OutUnknown
	})
	cond := p.Jaxpr("cond_jaxpr")
	condSplit := partialeval.SplitJaxpr(cond, slices.Concat(cconst, carry), nil, nil)
	if condSplit.OutUnknown[0] || allTrue(unknown) {
		return nil, nil, nil, false
	}
	knownIn = negate(slices.Concat(cconst, bconst, carry))
	smallBody := split.Known.Replace(split.Known.In, split.Known.Out[:len(split.Known.Out)-split.NumRes], split.Known.Eqns)
	return whileParams(condSplit.Known, countTrue(negate(cconst)), smallBody, countTrue(negate(bconst))), knownIn, negate(carry), true
}

func lowerWhile(c *core.LowerCtx, args []*stablehlo.Value, p core.Params) []*stablehlo.Value {
	cond, body := p.Jaxpr("cond_jaxpr"), p.Jaxpr("body_jaxpr")
	nc, nb := p.Int("cond_nconsts"), p.Int("body_nconsts")
	predAval := cond.OutAvals()[0]
	names := c.Names.Extend("while")
	at := func(scope string) *core.LowerCtx {
		inner := *c
		inner.Names = names.Extend(scope)
		return &inner
	}
	op := c.B.While(args, func(in []*stablehlo.Value) *stablehlo.Value {
		pred := c.Module.Inline(at("cond"), c.B, cond, slices.Concat(in[:nc], in[nc+nb:]))[0]
		if predAval.NDim() > 0 {
			pred = reducePredOr(c, pred, predAval.NDim())
		}
		return pred
	}, func(in []*stablehlo.Value) []*stablehlo.Value {
		z := in[nc+nb:]
		out := c.Module.Inline(at("body"), c.B, body, in[nc:])
		if predAval.NDim() > 0 {
			pred := c.Module.Inline(at("body_pred"), c.B, cond, slices.Concat(in[:nc], z))[0]
			for i := range out {
				out[i] = selectByPred(c, pred, out[i], z[i])
			}
		}
		return slices.Concat(in[:nc+nb], out)
	})
	return op.Results[nc+nb:]
}

// reducePredOr is the "or" of a batched condition.
func reducePredOr(c *core.LowerCtx, pred *stablehlo.Value, rank int) *stablehlo.Value {
	dims := make([]int64, rank)
	for i := range dims {
		dims[i] = int64(i)
	}
	return c.B.ReduceOp(pred, c.B.Scalar(hlo.PRED, false), dims, "or")
}

func selectByPred(c *core.LowerCtx, pred, x, y *stablehlo.Value) *stablehlo.Value {
	dims := make([]int64, pred.Type.Rank())
	for i := range dims {
		dims[i] = int64(i)
	}
	return c.B.Select(c.B.BroadcastInDim(pred, x.Type.WithElem(hlo.PRED), dims...), x, y)
}
