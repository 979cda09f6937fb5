package lax

import (
	"slices"

	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
	"gopherlo/jaxlike/partialeval"
)

// RematP is a function whose intermediate values are computed again for the
// backward pass (remat_p in jax/_src/ad_checkpoint.py). Parameters: jaxpr,
// prevent_cse (a bool, or one per operand), differentiated, policy.
var RematP = core.NewPrimitive("remat2")

func init() {
	RematP.Define(core.Rules{
		Multi: true,
		AbstractEval: func(_ []*core.ShapedArray, p core.Params) []*core.ShapedArray {
			return p.Jaxpr("jaxpr").OutAvals()
		},
		Impl: func(args []core.Value, p core.Params) []core.Value {
			return core.EvalJaxpr(p.Jaxpr("jaxpr"), args)
		},
		JVP:            jvpRemat,
		Partial:        partialRemat,
		SplitPolicy:    splitRemat,
		FancyTranspose: transposeRemat,
		Batch:          batchRemat,
		DCE:            dceRemat,
		Lower:          lowerRemat,
	})
}

// RematParams are the parameters of a checkpointed function.
func RematParams(j *core.Jaxpr, preventCSE any, policy *core.Policy) core.Params {
	var pol any
	if policy != nil {
		pol = policy
	}
	return core.P("jaxpr", j, "prevent_cse", preventCSE, "differentiated", false, "policy", pol)
}

func policyOf(p core.Params) *core.Policy { pol, _ := p.Get("policy").(*core.Policy); return pol }

// preventFlags is prevent_cse as flags of n operands; ok is false for a bool.
func preventFlags(p core.Params) (flags []bool, ok bool) {
	t, ok := p.Get("prevent_cse").(core.Tuple)
	for _, v := range t {
		flags = append(flags, v.(bool))
	}
	return flags, ok
}

func withPrevent(p core.Params, flags []bool) core.Params {
	t := make(core.Tuple, len(flags))
	for i, f := range flags {
		t[i] = f
	}
	return p.With("prevent_cse", t)
}

// bindRemat applies j, whose attached constants become leading operands.
func bindRemat(j *core.Jaxpr, args []core.Value, p core.Params) []core.Value {
	if len(j.Consts) > 0 {
		if flags, ok := preventFlags(p); ok {
			p = withPrevent(p, slices.Concat(make([]bool, len(j.Consts)), flags))
		}
		var consts []core.Value
		full := j
		consts = full.Consts
		j = full.Memo("separate", func() any { s, _ := full.SeparateConsts(); return s }).(*core.Jaxpr)
		args = append(slices.Clone(consts), args...)
	}
	return RematP.Bind(p.With("jaxpr", j), args...)
}

func jvpRemat(primals, tangents []core.Value, p core.Params) ([]core.Value, []core.Value) {
	j := p.Jaxpr("jaxpr")
	d := ad.JVPJaxpr(j, nonZeroFlags(tangents), nil)
	ts := prune(tangents)
	if flags, ok := preventFlags(p); ok {
		p = withPrevent(p, slices.Concat(flags, trues(len(ts))))
	}
	outs := bindRemat(d.Jaxpr, slices.Concat(primals, ts), p)
	n := len(j.Out)
	return outs[:n:n], spread(outs[n:], d.OutNZ, outs[:n])
}

// partialRemat computes what is known of the function in the open, keeping what
// the policy says, and records a call that computes the rest again
// (remat_partial_eval in JAX).
func partialRemat(tr core.Trace, args []core.Value, p core.Params) []core.Value {
	t := tr.(*partialeval.PartialTrace)
	unknown := make([]bool, len(args))
	var known []core.Value
	for i, a := range args {
		unknown[i] = t.IsUnknown(a)
		if !unknown[i] {
			known = append(known, a)
		}
	}
	s := partialeval.SplitByPolicy(p.Jaxpr("jaxpr"), policyOf(p), unknown, trues(len(args)), nil, nil)
	var wanted []bool // of the staged outputs: the unknown ones
	for i, inst := range s.Inst {
		if inst {
			wanted = append(wanted, s.Unknown[i])
		}
	}
	later, usedIn := partialeval.DCE(s.Staged, wanted, nil)
	usedRes, usedArgs := usedIn[:s.NumRes], usedIn[s.NumRes:]
	nRes := countTrue(usedRes)
	nKnown := len(s.Known.Out) - s.NumRes
	now, usedKnown := partialeval.DCE(s.Known, slices.Concat(trues(nKnown), usedRes), nil)
	outs := core.EvalJaxpr(roundResiduals(now, nRes), keepValues(known, usedKnown))
	res, flags := outs[nKnown:], trues(nRes)
	if given, ok := preventFlags(p); ok {
		for i, u := range usedArgs {
			if u {
				flags = append(flags, given[i])
			}
		}
		p = withPrevent(p, flags)
	}
	rest := t.RecordCall(RematP, slices.Concat(partialeval.Residuals(res), keepValues(args, usedArgs)), p.With("jaxpr", later).With("differentiated", true))
	return mergeLists(s.Unknown, outs[:nKnown], rest)
}

// roundResiduals makes the last n outputs of j pass a reduce_precision of their
// own type where j reads them too, lest XLA keeps more precise values in one of
// the passes (_insert_reduce_precision in JAX).
func roundResiduals(j *core.Jaxpr, n int) *core.Jaxpr {
	return j.Memo("round:"+core.PyRepr(n), func() any {
		used := map[core.Atom]bool{}
		for _, e := range j.Eqns {
			for _, a := range e.In {
				used[a] = true
			}
		}
		in, eqns := slices.Clone(j.In), slices.Clone(j.Eqns)
		for _, a := range j.Out[len(j.Out)-n:] {
			v, ok := a.(*core.Var)
			if ok && v.Aval().DType.IsInexact() && used[v] {
				eqns = roundVar(v, in, eqns)
			}
		}
		return j.Replace(in, j.Out, eqns)
	}).(*core.Jaxpr)
}

// roundVar makes v the rounded form of what is computed now.
func roundVar(v *core.Var, in []*core.Var, eqns []*core.Eqn) []*core.Eqn {
	fresh := core.NewVar(v.Aval())
	d := v.Aval().DType
	if d.IsComplex() {
		d = d.Real()
	}
	exp, man := dtype.ExponentBits(d), dtype.MantissaBits(d)
	round := &core.Eqn{Prim: ReducePrecisionP, Params: core.P("exponent_bits", exp, "mantissa_bits", man), In: []core.Atom{fresh}, Out: []*core.Var{v}}
	if i := slices.Index(in, v); i >= 0 {
		in[i] = fresh
		return slices.Insert(eqns, 0, round)
	}
	for i, e := range eqns {
		k := slices.Index(e.Out, v)
		if k < 0 {
			continue
		}
		if e.Prim == ReducePrecisionP && e.Params.Key() == round.Params.Key() {
			return eqns
		}
		ne := *e
		ne.Out = slices.Clone(e.Out)
		ne.Out[k] = fresh
		round.Ctx, round.Source = e.Ctx, e.Source
		eqns[i] = &ne
		return slices.Insert(eqns, i+1, round)
	}
	return eqns
}

// splitRemat is the rule of a checkpointed function inside another one
// (call_partial_eval_custom_rule in JAX).
func splitRemat(policy *core.Policy, unknown, inst []bool, e *core.Eqn) core.PolicySplit {
	s := partialeval.SplitByPolicy(e.Params.Jaxpr("jaxpr"), policy, unknown, inst, nil, nil)
	var res []*core.Var
	var resAtoms []core.Atom
	for _, v := range s.Staged.In[:s.NumRes] {
		r := core.NewVar(v.Aval())
		res, resAtoms = append(res, r), append(resAtoms, r)
	}
	known, staged := *e, *e
	known.In, known.Out = partialeval.KeepAtoms(e.In, negate(unknown)), append(partialeval.KeepVars(e.Out, negate(s.Unknown)), res...)
	staged.In, staged.Out = append(resAtoms, partialeval.KeepAtoms(e.In, inst)...), partialeval.KeepVars(e.Out, s.Inst)
	known.Params, staged.Params = e.Params.With("jaxpr", s.Known), e.Params.With("jaxpr", s.Staged).With("differentiated", true)
	if flags, ok := preventFlags(e.Params); ok {
		known.Params = withPrevent(known.Params, keepFlags(flags, negate(unknown)))
		staged.Params = withPrevent(staged.Params, keepFlags(flags, inst))
	}
	return core.PolicySplit{Known: &known, Staged: &staged, Unknown: s.Unknown, Inst: s.Inst, Residuals: append(notInst(e, inst), res...)}
}

func keepFlags(fs, keep []bool) []bool {
	var out []bool
	for i, f := range fs {
		if keep[i] {
			out = append(out, f)
		}
	}
	return out
}

// transposeRemat computes the parts of the function that are not linear again
// and transposes the rest, all inside one call.
func transposeRemat(cts, args []core.Value, p core.Params) {
	j := p.Jaxpr("jaxpr")
	linear := linearFlags(args)
	values, _ := splitLinear(args)
	in := slices.Concat(values, prune(cts))
	avals := make([]*core.ShapedArray, len(in))
	for i, v := range in {
		avals[i] = v.Aval()
	}
	nzCts := nonZeroFlags(cts)
	type transposed struct {
		jaxpr *core.Jaxpr
		nz    []bool
	}
	key := "transposeremat:" + core.BoolKey(linear) + ":" + core.BoolKey(nzCts) + core.AvalsKey(avals) + ad.ContextKey()
	t := j.Memo(key, func() any {
		var t transposed
		t.jaxpr = ad.Derive(func(vals []core.Value) []core.Value {
			var out []core.Value
			out, t.nz = rematBackward(j, linear, nzCts, vals)
			return out
		}, avals, j)
		return t
	}).(transposed)
	if flags, ok := preventFlags(p); ok {
		p = withPrevent(p, slices.Concat(keepFlags(flags, negate(linear)), trues(countTrue(nzCts))))
	}
	outs := bindRemat(t.jaxpr, in, p)
	k := 0
	for _, a := range args {
		if acc, ok := a.(core.Accum); ok {
			if t.nz[k] {
				acc.Accumulate(outs[0])
				outs = outs[1:]
			}
			k++
		}
	}
}

// rematBackward runs j backwards: vals are the values of the operands that are
// not linear, then the cotangents that are not zero. It gives the cotangents
// that are not zero, and which of the linear operands they belong to.
func rematBackward(j *core.Jaxpr, linear, nzCts []bool, vals []core.Value) (out []core.Value, nz []bool) {
	n := len(linear) - countTrue(linear)
	s := partialeval.SplitJaxpr(j, linear, nil, nil)
	var outs []core.Value
	core.With(func(s *core.State) { s.Names = s.Names.Extend("rematted_computation") }, func() {
		outs = core.EvalJaxpr(s.Known, vals[:n])
	})
	args := partialeval.Subs(s.ResFwd, slices.Concat(j.Consts, vals[:n]), outs[len(outs)-s.NumRes:])
	vals = vals[n:]
	var accs []*ad.Accum
	for _, v := range s.Rest.In[len(args):] {
		a := ad.NewAccum(v.Aval().Tangent())
		accs, args = append(accs, a), append(args, a)
	}
	// Outputs that do not depend on linear operands take no cotangent.
	var cts []core.Value
	for i, a := range j.Out {
		ct := core.Value(core.Zero{Of: a.Aval().Tangent()})
		if nzCts[i] {
			ct, vals = vals[0], vals[1:]
		}
		if s.OutUnknown[i] {
			cts = append(cts, ct)
		}
	}
	ad.BackwardPass(s.Rest, false, s.Rest.Consts, args, cts)
	for _, a := range accs {
		v := a.Value()
		nz = append(nz, !core.IsZero(v))
		if !core.IsZero(v) {
			out = append(out, v)
		}
	}
	return out, nz
}

func batchRemat(axis core.AxisData, args []core.Value, dims []int, p core.Params) ([]core.Value, []int) {
	j := p.Jaxpr("jaxpr")
	b := batching.JaxprAxes(j, axis, dims, batching.ZeroIf(make([]bool, len(j.Out))))
	return bindRemat(b.Jaxpr, args, p), axisFlags(mapped(b.OutDims), 0)
}

func dceRemat(used []bool, e *core.Eqn) ([]bool, *core.Eqn) {
	j := e.Params.Jaxpr("jaxpr")
	small, usedIn := partialeval.DCE(j, used, nil)
	if small == j && allTrue(used) && allTrue(usedIn) {
		return usedIn, e
	}
	ne := *e
	ne.In, ne.Out, ne.Params = partialeval.KeepAtoms(e.In, usedIn), partialeval.KeepVars(e.Out, used), e.Params.With("jaxpr", small)
	if flags, ok := preventFlags(e.Params); ok {
		ne.Params = withPrevent(ne.Params, keepFlags(flags, usedIn))
	}
	return usedIn, &ne
}

// lowerRemat puts the operands of a differentiated call behind a barrier, lest
// the compiler finds that their values are there already.
func lowerRemat(c *core.LowerCtx, args []hloValue, p core.Params) []hloValue {
	flags, ok := preventFlags(p)
	if !ok {
		flags = slices.Repeat([]bool{p.Bool("prevent_cse")}, len(args))
	}
	if p.Bool("differentiated") && slices.Contains(flags, true) {
		var guarded []hloValue
		for i, f := range flags {
			if f {
				guarded = append(guarded, args[i])
			}
		}
		guarded = c.B.OptimizationBarrier(guarded...)
		args = slices.Clone(args)
		for i, f := range flags {
			if f {
				args[i], guarded = guarded[0], guarded[1:]
			}
		}
	}
	inner := *c
	inner.Names = c.Names.Extend("checkpoint")
	return c.Module.Inline(&inner, c.B, p.Jaxpr("jaxpr"), args)
}

// HasBatchDims tells whether a dot_general with these parameters has batch
// dimensions.
func HasBatchDims(p core.Params) bool {
	d, _ := p.Get("dimension_numbers").(DotDims)
	return len(d.LHSBatch) > 0 || len(d.RHSBatch) > 0
}
