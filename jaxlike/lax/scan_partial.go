package lax

import (
	"slices"

	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/partialeval"
)

// partialScan runs the known part of a scan, with residuals as further ys, and
// records the scan of the rest (_scan_partial_eval in JAX).
func partialScan(tr core.Trace, args []core.Value, p core.Params) []core.Value {
	t := tr.(*partialeval.PartialTrace)
	j, in, out := p.Jaxpr("jaxpr"), ftIn(p), ftOut(p)
	unknown, _, _ := splitUnknown(t, args)
	parts := ftParts(in, unknown)
	nConst, nCarry := len(parts[0]), len(parts[1])
	nYs := out.kids[1].count()
	allow := trues(len(j.Consts))
	for i, a := range args {
		isCarry := i >= nConst && i < nConst+nCarry
		allow = append(allow, !isCarry && !isHostArray(a))
	}
	var s partialeval.Split
	fixpoint(parts[1], func(c []bool) []bool {
		unknown = slices.Concat(parts[0], c, parts[2])
		s = partialeval.SplitJaxpr(j, unknown, slices.Concat(c, make([]bool, nYs)), allow)
		return s.OutUnknown[:len(c)]
	})
	known := negate(unknown)
	knownArgs, restArgs := keepValues(args, known), keepValues(args, unknown)
	nKnownConst, nKnownCarry := countTrue(known[:nConst]), countTrue(known[nConst:nConst+nCarry])
	nOut := len(s.Known.Out) - s.NumRes
	body, consts, isHoisted, hoisted := hoistKnown(s.Known, knownArgs[:nKnownConst], nOut)
	move := movedResiduals(s.ResFwd, isHoisted, len(j.Consts)+nKnownConst+nKnownCarry)
	rest := moveToBack(s.Rest, move)
	var outs []core.Value
	if len(body.Out) > 0 {
		kin, kout := in.filter(known), out.filter(negate(s.OutUnknown))
		outs = ScanP.Bind(scanParams(p, body, ftPack(ftNones(len(consts)), kin.kid(1), kin.kid(2)),
			ftPack(kin.kid(1), ftPack(kout.kid(1), ftNones(len(body.Out)-nOut)))), append(slices.Clone(consts), knownArgs[nKnownConst:]...)...)
	}
	pool := append(slices.Clone(j.Consts), knownArgs...)
	res := partialeval.Subs(s.ResFwd, pool, mergeLists(isHoisted, outs[nOut:], hoisted))
	intRes, extRes := keepValues(res, negate(move)), keepValues(res, move)
	uin := in.filter(unknown)
	ftin := ftPack(ftPack(ftNones(len(intRes)), uin.kid(0)), uin.kid(1), ftPack(uin.kid(2), ftNones(len(extRes))))
	later := t.Record(ScanP, slices.Concat(partialeval.Residuals(intRes), restArgs, partialeval.Residuals(extRes)), scanParams(p, rest, ftin, out.filter(s.OutUnknown)))
	return mergeLists(s.OutUnknown, outs[:nOut], later)
}

// movedResiduals tells which residuals go behind the other operands: those that
// are scanned over. first is the index of the first xs among what residuals may
// come from.
func movedResiduals(fwd []int, isHoisted []bool, first int) []bool {
	move := make([]bool, len(fwd))
	for i, f := range fwd {
		if f >= 0 {
			move[i] = f >= first
			continue
		}
		move[i], isHoisted = !isHoisted[0], isHoisted[1:]
	}
	return move
}

// splitScan is the rule of a scan in a checkpointed function: the known part is
// what depends on constants alone, computed once, and a scan with residuals as
// further ys (_scan_partial_eval_custom in JAX).
func splitScan(policy *core.Policy, unknown, inst []bool, e *core.Eqn) core.PolicySplit {
	p := e.Params
	j, in, out := p.Jaxpr("jaxpr"), ftIn(p), ftOut(p)
	parts := ftParts(in, unknown)
	nYs := out.kids[1].count()
	var s partialeval.PolicySplit
	fixpoint(parts[1], func(c []bool) []bool {
		unknown = slices.Concat(parts[0], c, parts[2])
		s = partialeval.SplitByPolicy(j, policy, unknown, trues(len(j.In)), slices.Concat(c, make([]bool, nYs)), trues(len(j.Out)))
		return s.Unknown[:len(c)]
	})
	known := negate(unknown)
	nConst := countTrue(known[:len(parts[0])])
	nOut := len(s.Known.Out) - s.NumRes
	// What of the known part depends on constants alone is computed first.
	later := make([]bool, len(s.Known.In))
	for i := nConst; i < len(later); i++ {
		later[i] = true
	}
	inst0 := slices.Concat(trues(nOut), make([]bool, s.NumRes))
	h := partialeval.SplitJaxpr(s.Known, later, inst0, make([]bool, len(s.Known.Consts)+len(s.Known.In)))
	loopRes := h.OutUnknown[nOut:]
	resAvals := make([]*core.ShapedArray, s.NumRes)
	for i, v := range s.Staged.In[:s.NumRes] {
		resAvals[i] = v.Aval()
	}
	staged := moveToBack(s.Staged, trues(s.NumRes))
	staged = moveToFront(staged, slices.Concat(make([]bool, len(j.In)), negate(loopRes)))
	var intRes, extRes []*core.Var
	for i, a := range resAvals {
		if loopRes[i] {
			extRes = append(extRes, core.NewVar(leading(a, p.Int("length"))))
		} else {
			intRes = append(intRes, core.NewVar(a))
		}
	}
	known1 := *e
	known1.In = partialeval.KeepAtoms(e.In, known)
	known1.Out = slices.Concat(intRes, partialeval.KeepVars(e.Out, negate(s.Unknown)), extRes)
	known1.Prim, known1.Params = EvalJaxprP, core.P("call_jaxpr", knownScan(p, h, known1.In, nConst, len(intRes), countTrue(loopRes), known, s.Unknown))
	staged1 := *e
	staged1.In = slices.Concat(atomsOf(intRes), e.In, atomsOf(extRes))
	staged1.Out = partialeval.KeepVars(e.Out, s.Inst)
	staged1.Params = p.With("jaxpr", staged).With("ft_in", ftPack(ftPack(ftNones(len(intRes)), in.kid(0)), in.kid(1), ftPack(in.kid(2), ftNones(len(extRes)))))
	return core.PolicySplit{
		Known: &known1, Staged: &staged1, Unknown: s.Unknown, Inst: s.Inst,
		Residuals: slices.Concat(notInst(e, inst), intRes, extRes),
	}
}

// knownScan is the program of the known part.
func knownScan(p core.Params, h partialeval.Split, args []core.Atom, nConst, nInt, nExt int, known, outUnknown []bool) *core.Jaxpr {
	avals := make([]*core.ShapedArray, len(args))
	for i, a := range args {
		avals[i] = a.Aval()
	}
	in, out := ftIn(p).filter(known), ftOut(p).filter(negate(outUnknown))
	var j *core.Jaxpr
	core.WithTrace(core.Eval, func() {
		j = partialeval.TraceToJaxpr(func(vals []core.Value) []core.Value {
			first := core.EvalJaxpr(h.Known, vals[:nConst])
			consts := first[nInt:]
			outs := ScanP.Bind(scanParams(p, h.Rest, ftPack(ftNones(len(consts)), in.kid(1), in.kid(2)),
				ftPack(in.kid(1), ftPack(out.kid(1), ftNones(nExt)))), append(slices.Clone(consts), vals[nConst:]...)...)
			return append(slices.Clone(first[:nInt]), outs...)
		}, avals, &core.DebugInfo{})
	})
	return j
}

func atomsOf(vs []*core.Var) []core.Atom {
	out := make([]core.Atom, len(vs))
	for i, v := range vs {
		out[i] = v
	}
	return out
}

// notInst are the operands that have to be made available later.
func notInst(e *core.Eqn, inst []bool) []*core.Var {
	var out []*core.Var
	for i, a := range e.In {
		if v, ok := a.(*core.Var); ok && !inst[i] {
			out = append(out, v)
		}
	}
	return out
}
