package partialeval

import (
	"fmt"
	"slices"

	"gopherlo/jaxlike/core"
)

// PolicySplit is a jaxpr split for jax.checkpoint: Known takes the known inputs
// and gives the known outputs, then NumRes residuals; Staged takes the
// residuals, then the inputs that are at hand later, and gives the outputs that
// are at hand later. What the policy does not keep is computed in both.
type PolicySplit struct {
	Known, Staged *core.Jaxpr
	Unknown, Inst []bool // per output
	NumRes        int
}

// SplitByPolicy splits j. ensureUnknown and ensureInst force outputs to be
// unknown and at hand later (nil: none). The result is shared
// (partial_eval_jaxpr_custom in JAX).
func SplitByPolicy(j *core.Jaxpr, policy *core.Policy, unknown, inst, ensureUnknown, ensureInst []bool) PolicySplit {
	key := fmt.Sprintf("policy:%p:%s:%s:%s:%s", policy, core.BoolKey(unknown), core.BoolKey(inst), core.BoolKey(ensureUnknown), core.BoolKey(ensureInst))
	return j.Memo(key, func() any {
		s := &splitter{policy: policy, unknown: map[core.Atom]bool{}, missing: map[core.Atom]bool{}, isRes: map[*core.Var]bool{}}
		return s.run(j, unknown, inst, ensureUnknown, ensureInst)
	}).(PolicySplit)
}

type splitter struct {
	policy        *core.Policy
	unknown       map[core.Atom]bool
	missing       map[core.Atom]bool // known, but not at hand later
	known, staged []*core.Eqn
	residuals     []*core.Var
	isRes         map[*core.Var]bool
}

func (s *splitter) run(j *core.Jaxpr, unknown, inst, ensureUnknown, ensureInst []bool) PolicySplit {
	for i, v := range j.In {
		s.write(v, unknown[i], inst[i])
	}
	for _, e := range j.Eqns {
		s.eqn(e)
	}
	out := PolicySplit{Unknown: make([]bool, len(j.Out)), Inst: make([]bool, len(j.Out))}
	var knownOut, stagedOut []core.Atom
	for i, a := range j.Out {
		force := ensureInst != nil && ensureInst[i]
		if force {
			s.need(a)
		}
		out.Unknown[i] = s.unknown[a] || ensureUnknown != nil && ensureUnknown[i]
		out.Inst[i] = !s.missing[a] || force
		if !out.Unknown[i] {
			knownOut = append(knownOut, a)
		}
		if out.Inst[i] {
			stagedOut = append(stagedOut, a)
		}
	}
	for _, r := range s.residuals {
		knownOut = append(knownOut, r)
	}
	not := make([]bool, len(unknown))
	for i, u := range unknown {
		not[i] = !u
	}
	out.NumRes = len(s.residuals)
	out.Known = j.Replace(KeepVars(j.In, not), knownOut, s.known)
	out.Staged = j.Replace(append(slices.Clone(s.residuals), KeepVars(j.In, inst)...), stagedOut, s.staged)
	return out
}

func (s *splitter) write(v *core.Var, unknown, inst bool) {
	s.unknown[v], s.missing[v] = unknown, !unknown && !inst
}

func (s *splitter) writeAll(e *core.Eqn, unknown, inst bool) {
	for _, v := range e.Out {
		s.write(v, unknown, inst)
	}
}

// need makes a value available later.
func (s *splitter) need(a core.Atom) {
	if v, ok := a.(*core.Var); ok && s.missing[a] {
		s.residual(v)
	}
}

func (s *splitter) residual(v *core.Var) {
	if !s.isRes[v] {
		s.isRes[v] = true
		s.residuals = append(s.residuals, v)
	}
}

func (s *splitter) eqn(e *core.Eqn) {
	unknown, inst := make([]bool, len(e.In)), make([]bool, len(e.In))
	for i, a := range e.In {
		unknown[i], inst[i] = s.unknown[a], !s.missing[a]
	}
	switch {
	case e.Prim.SplitPolicy != nil:
		r := e.Prim.SplitPolicy(s.policy, unknown, inst, e)
		if r.Known != nil {
			s.known = append(s.known, r.Known)
		}
		if r.Staged != nil {
			s.staged = append(s.staged, r.Staged)
		}
		for _, v := range r.Residuals {
			s.residual(v)
		}
		for i, v := range e.Out {
			s.write(v, r.Unknown[i], r.Inst[i])
		}
	case slices.Contains(unknown, true):
		s.stage(e)
		s.writeAll(e, true, true)
	default:
		s.known = append(s.known, e)
		if e.Prim.Effectful || s.policy.Saves(e) {
			s.writeAll(e, false, false)
			return
		}
		s.stage(e)
		s.writeAll(e, false, true)
	}
}

func (s *splitter) stage(e *core.Eqn) {
	for _, a := range e.In {
		s.need(a)
	}
	s.staged = append(s.staged, e)
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

// SplitPolicyCall is the SplitPolicy rule of primitives whose parameter
// jaxprParam is their body (closed_call_partial_eval_custom_rule in JAX).
// Residuals that are operands or results of the known call are not returned
// again.
func SplitPolicyCall(jaxprParam string) func(policy *core.Policy, unknown, inst []bool, e *core.Eqn) core.PolicySplit {
	return func(policy *core.Policy, unknown, inst []bool, e *core.Eqn) core.PolicySplit {
		s := SplitByPolicy(e.Params.Jaxpr(jaxprParam), policy, unknown, inst, nil, nil)
		n := len(s.Known.Out) - s.NumRes
		knownIn, knownOut := keepAtoms(e.In, unknown, false), keepVars(e.Out, s.Unknown, false)
		inIdx, outIdx := map[core.Atom]int{}, map[core.Atom]int{}
		for i, v := range s.Known.In {
			inIdx[v] = i
		}
		for i, a := range s.Known.Out[:n] {
			outIdx[a] = i
		}
		keep := make([]bool, len(s.Known.Out))
		var res []core.Atom
		var fresh, vars []*core.Var
		for i, a := range s.Known.Out {
			keep[i] = true
			if i < n {
				continue
			}
			if k, ok := outIdx[a]; ok {
				keep[i] = false
				res = append(res, knownOut[k])
				continue
			}
			if k, ok := inIdx[a]; ok {
				keep[i] = false
				res = append(res, knownIn[k])
				continue
			}
			v := core.NewVar(s.Staged.In[i-n].Aval())
			res, fresh = append(res, v), append(fresh, v)
		}
		for _, a := range res {
			if v, ok := a.(*core.Var); ok {
				vars = append(vars, v)
			}
		}
		known, staged := *e, *e
		known.In, known.Out = knownIn, append(slices.Clone(knownOut), fresh...)
		known.Params = withoutDonation(e.Params.With(jaxprParam, PruneOutputs(s.Known, keep)))
		staged.In, staged.Out = append(res, keepAtoms(e.In, inst, true)...), keepVars(e.Out, s.Inst, true)
		staged.Params = withoutDonation(e.Params.With(jaxprParam, s.Staged))
		return core.PolicySplit{
			Known: &known, Staged: &staged, Unknown: s.Unknown, Inst: s.Inst,
			Residuals: append(notInst(e, inst), vars...),
		}
	}
}

func withoutDonation(p core.Params) core.Params {
	if p.Get("donated_invars") != nil {
		return p.With("donated_invars", nil)
	}
	return p
}

func keepAtoms(as []core.Atom, flags []bool, want bool) []core.Atom {
	var out []core.Atom
	for i, a := range as {
		if flags[i] == want {
			out = append(out, a)
		}
	}
	return out
}

func keepVars(vs []*core.Var, flags []bool, want bool) []*core.Var {
	var out []*core.Var
	for i, v := range vs {
		if flags[i] == want {
			out = append(out, v)
		}
	}
	return out
}
