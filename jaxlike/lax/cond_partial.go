package lax

import (
	"slices"

	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/partialeval"
)

// partialCond runs the known parts of the branches, whose residuals share slots,
// and records a cond of the rest (_cond_partial_eval in JAX).
func partialCond(tr core.Trace, args []core.Value, p core.Params) []core.Value {
	t := tr.(*partialeval.PartialTrace)
	branches := branchesOf(p)
	if t.IsUnknown(args[0]) {
		return t.Record(CondP, args, p)
	}
	unknown, known, rest := splitUnknown(t, args[1:])
	outUnknown := anyBranch(branches, func(j *core.Jaxpr) []bool { return partialeval.SplitJaxpr(j, unknown, nil, nil).OutUnknown })
	lins := make([]ad.LinearOf, len(branches))
	resAvals := make([][]*core.ShapedArray, len(branches))
	nKnown := len(outUnknown) - countTrue(outUnknown)
	for i, j := range branches {
		s := partialeval.SplitJaxpr(j, unknown, outUnknown, nil)
		lins[i] = ad.LinearOf{Forward: s.Known, Tangent: s.Rest, NumRes: s.NumRes, ResFwd: s.ResFwd}
		resAvals[i] = s.Known.OutAvals()[nKnown:]
	}
	m := mergeResiduals(resAvals)
	now := eachBranch(branches, func(i int, _ *core.Jaxpr) *core.Jaxpr { return fillSlots(lins[i].Forward, nKnown, m, i) })
	fwdVals, places := forwardedResiduals(branches, lins, m, known)
	all := slices.Clone(m.avals)
	for _, v := range fwdVals {
		all = append(all, v.Aval())
	}
	later := eachBranch(branches, func(i int, _ *core.Jaxpr) *core.Jaxpr { return takeSlots(lins[i].Tangent, all, places[i]) })
	outs := CondP.Bind(condParams(now), append([]core.Value{args[0]}, known...)...)
	res := append(slices.Clone(outs[nKnown:]), fwdVals...)
	restOuts := t.Record(CondP, slices.Concat([]core.Value{args[0]}, partialeval.Residuals(res), rest), condParams(later))
	return mergeLists(outUnknown, outs[:nKnown], restOuts)
}

// splitCond is the rule of a cond in a checkpointed function
// (_cond_partial_eval_custom in JAX).
func splitCond(policy *core.Policy, unknown, inst []bool, e *core.Eqn) core.PolicySplit {
	branches := branchesOf(e.Params)
	ops, need := unknown[1:], notInst(e, inst)
	if unknown[0] {
		all := trues(len(e.Out))
		return core.PolicySplit{Staged: e, Unknown: all, Inst: all, Residuals: need}
	}
	instIn, instOut := trues(len(ops)), trues(len(e.Out))
	outUnknown := anyBranch(branches, func(j *core.Jaxpr) []bool {
		return partialeval.SplitByPolicy(j, policy, ops, instIn, nil, instOut).Unknown
	})
	nKnown := len(outUnknown) - countTrue(outUnknown)
	known, staged := make([]*core.Jaxpr, len(branches)), make([]*core.Jaxpr, len(branches))
	resAvals := make([][]*core.ShapedArray, len(branches))
	for i, j := range branches {
		s := partialeval.SplitByPolicy(j, policy, ops, instIn, outUnknown, instOut)
		var used []bool
		staged[i], used = partialeval.DCE(s.Staged, trues(len(s.Staged.Out)), slices.Concat(make([]bool, s.NumRes), instIn))
		used = used[:s.NumRes]
		known[i], _ = partialeval.DCE(s.Known, slices.Concat(trues(nKnown), used), trues(len(s.Known.In)))
		for _, v := range staged[i].In[:countTrue(used)] {
			resAvals[i] = append(resAvals[i], v.Aval())
		}
	}
	m := mergeResiduals(resAvals)
	res := make([]*core.Var, len(m.avals))
	for i, a := range m.avals {
		res[i] = core.NewVar(a)
	}
	kn, st := *e, *e
	kn.In = partialeval.KeepAtoms(e.In, negate(unknown))
	kn.Out = append(partialeval.KeepVars(e.Out, negate(outUnknown)), res...)
	kn.Params = condParams(eachBranch(known, func(i int, j *core.Jaxpr) *core.Jaxpr { return fillSlots(j, nKnown, m, i) }))
	st.In = slices.Concat(e.In[:1], atomsOf(res), e.In[1:])
	st.Params = condParams(eachBranch(staged, func(i int, j *core.Jaxpr) *core.Jaxpr { return takeSlots(j, m.avals, m.of[i]) }))
	return core.PolicySplit{Known: &kn, Staged: &st, Unknown: outUnknown, Inst: instOut, Residuals: append(need, res...)}
}

// splitWhile is the rule of a loop in a checkpointed function: no residuals of
// its iterations can be kept, so all of it runs again
// (_while_partial_eval_custom in JAX).
func splitWhile(_ *core.Policy, unknown, inst []bool, e *core.Eqn) core.PolicySplit {
	cond, body := e.Params.Jaxpr("cond_jaxpr"), e.Params.Jaxpr("body_jaxpr")
	cconst, bconst, init := whileParts(unknown, e.Params)
	need := notInst(e, inst)
	var s partialeval.PolicySplit
	carry := fixpoint(init, func(c []bool) []bool {
		s = partialeval.SplitByPolicy(body, nil, slices.Concat(bconst, c), trues(len(body.In)), c, trues(len(body.Out)))
		return s.Unknown
	})
	c := partialeval.SplitByPolicy(cond, nil, slices.Concat(cconst, carry), trues(len(cond.In)), nil, trues(1))
	all := trues(len(e.Out))
	if c.Unknown[0] {
		return core.PolicySplit{Staged: e, Unknown: all, Inst: all, Residuals: need}
	}
	known := *e
	known.In = partialeval.KeepAtoms(e.In, negate(slices.Concat(cconst, bconst, carry)))
	known.Out = partialeval.KeepVars(e.Out, negate(carry))
	known.Params = whileParams(c.Known, countTrue(negate(cconst)), s.Known, countTrue(negate(bconst)))
	return core.PolicySplit{Known: &known, Staged: e, Unknown: carry, Inst: all, Residuals: need}
}
