package partialeval

import (
	"gopherlo/jaxlike/core"
)

// Split is a jaxpr cut in two: Known computes the known outputs, then NumRes
// residuals; Rest takes the residuals, then the unknown inputs, and computes
// the unknown outputs.
type Split struct {
	Known, Rest *core.Jaxpr
	NumRes      int
	OutUnknown  []bool
}

// SplitJaxpr cuts j by which inputs are unknown (jax: partial_eval_jaxpr_nounits).
func SplitJaxpr(j *core.Jaxpr, unknown []bool) Split {
	return j.Memo("split:"+core.BoolKey(unknown), func() any { return splitJaxpr(j, unknown) }).(Split)
}

func splitJaxpr(j *core.Jaxpr, unknown []bool) Split {
	unk := map[core.Atom]bool{}
	var knownIn, restIn []*core.Var
	for i, v := range j.In {
		if unknown[i] {
			unk[v] = true
			restIn = append(restIn, v)
		} else {
			knownIn = append(knownIn, v)
		}
	}
	var knownEqns, restEqns []*core.Eqn
	for _, e := range j.Eqns {
		u := false
		for _, a := range e.In {
			u = u || unk[a]
		}
		if !u {
			knownEqns = append(knownEqns, e)
			continue
		}
		restEqns = append(restEqns, e)
		for _, v := range e.Out {
			unk[v] = true
		}
	}
	s := Split{OutUnknown: make([]bool, len(j.Out))}
	var knownOut, restOut []core.Atom
	for i, a := range j.Out {
		s.OutUnknown[i] = unk[a]
		if unk[a] {
			restOut = append(restOut, a)
		} else {
			knownOut = append(knownOut, a)
		}
	}
	res := residuals(restEqns, unk)
	for _, v := range res {
		knownOut = append(knownOut, v)
	}
	s.NumRes = len(res)
	s.Known = &core.Jaxpr{ConstVars: j.ConstVars, Consts: j.Consts, In: knownIn, Out: knownOut, Eqns: knownEqns, Debug: j.Debug}
	s.Rest = &core.Jaxpr{In: append(append([]*core.Var{}, res...), restIn...), Out: restOut, Eqns: restEqns, Debug: j.Debug}
	return s
}

// residuals are the known variables that the remaining equations read, in order
// of first use.
func residuals(eqns []*core.Eqn, unk map[core.Atom]bool) []*core.Var {
	var out []*core.Var
	seen := map[*core.Var]bool{}
	for _, e := range eqns {
		for _, a := range e.In {
			if v, ok := a.(*core.Var); ok && !unk[a] && !seen[v] {
				seen[v] = true
				out = append(out, v)
			}
		}
	}
	return out
}
