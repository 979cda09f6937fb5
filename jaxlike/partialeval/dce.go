package partialeval

import (
	"gopherlo/jaxlike/core"
)

type dced struct {
	j    *core.Jaxpr
	used []bool
}

// DCE removes the equations that the used outputs do not need, and with them
// the inputs that nothing reads unless keep says so (nil: none is kept). It
// gives the smaller jaxpr and which inputs it still has. Attached constants
// stay. Results are shared: the same question gives the same jaxpr.
func DCE(j *core.Jaxpr, usedOut, keep []bool) (*core.Jaxpr, []bool) {
	if keep == nil {
		keep = make([]bool, len(j.In))
	}
	r := j.Memo("dce:"+core.BoolKey(usedOut)+":"+core.BoolKey(keep), func() any {
		out, used := dce(j, usedOut, keep)
		return dced{out, used}
	}).(dced)
	return r.j, r.used
}

func dce(j *core.Jaxpr, usedOut, keep []bool) (*core.Jaxpr, []bool) {
	live := map[core.Atom]bool{}
	for i, a := range j.Out {
		if usedOut[i] {
			live[a] = true
		}
	}
	changed := false
	eqns := make([]*core.Eqn, 0, len(j.Eqns))
	for i := len(j.Eqns) - 1; i >= 0; i-- {
		e := j.Eqns[i]
		ne, usedIn := dceEqn(e, live)
		changed = changed || ne != e
		if ne != nil {
			eqns = append(eqns, ne)
		}
		for k, a := range e.In {
			if usedIn[k] {
				live[a] = true
			}
		}
	}
	for a, b := 0, len(eqns)-1; a < b; a, b = a+1, b-1 {
		eqns[a], eqns[b] = eqns[b], eqns[a]
	}
	used := make([]bool, len(j.In))
	for i, v := range j.In {
		used[i] = keep[i] || live[v]
	}
	if !changed && all(used) && all(usedOut) {
		return j, used
	}
	return j.Replace(KeepVars(j.In, used), KeepAtoms(j.Out, usedOut), eqns), used
}

func dceEqn(e *core.Eqn, live map[core.Atom]bool) (*core.Eqn, []bool) {
	used := make([]bool, len(e.Out))
	any := false
	for i, v := range e.Out {
		used[i] = live[v]
		any = any || used[i]
	}
	if !any && !e.Prim.Effectful {
		return nil, make([]bool, len(e.In))
	}
	if e.Prim.DCE != nil {
		usedIn, ne := e.Prim.DCE(used, e)
		return ne, usedIn
	}
	usedIn := make([]bool, len(e.In))
	for i := range usedIn {
		usedIn[i] = true
	}
	return e, usedIn
}

// DCECall is the DCE rule of primitives whose parameter jaxprParam is their
// body: results and operands shrink with it.
func DCECall(jaxprParam string) func(used []bool, e *core.Eqn) ([]bool, *core.Eqn) {
	return func(used []bool, e *core.Eqn) ([]bool, *core.Eqn) {
		j := e.Params.Jaxpr(jaxprParam)
		small, usedIn := DCE(j, used, nil)
		if small == j && all(used) && all(usedIn) {
			return usedIn, e
		}
		ne := *e
		ne.In = KeepAtoms(e.In, usedIn)
		ne.Out = KeepVars(e.Out, used)
		ne.Params = e.Params.With(jaxprParam, small)
		return usedIn, &ne
	}
}

// DCEConsts is DCE for a jaxpr whose leading n inputs stand for constants:
// only those are dropped. It gives which of them are used.
func DCEConsts(j *core.Jaxpr) *core.Jaxpr {
	in, consts := j.SeparateConsts()
	keep := make([]bool, len(in.In))
	for i := len(consts); i < len(keep); i++ {
		keep[i] = true
	}
	usedOut := make([]bool, len(in.Out))
	for i := range usedOut {
		usedOut[i] = true
	}
	small, used := dce(in, usedOut, keep)
	n := 0
	var kept []core.Value
	for i, c := range consts {
		if used[i] {
			kept = append(kept, c)
			n++
		}
	}
	return &core.Jaxpr{ConstVars: small.In[:n:n], Consts: kept, In: small.In[n:], Out: small.Out, Eqns: small.Eqns, Debug: j.Debug}
}

// Forwarding tells for each output the input that it is (-1: none).
func Forwarding(j *core.Jaxpr) []int {
	idx := map[core.Atom]int{}
	for i, v := range j.In {
		idx[v] = i
	}
	out := make([]int, len(j.Out))
	for i, a := range j.Out {
		out[i] = -1
		if k, ok := idx[a]; ok {
			out[i] = k
		}
	}
	return out
}

// PruneOutputs keeps only some outputs; equations stay.
func PruneOutputs(j *core.Jaxpr, keep []bool) *core.Jaxpr {
	if all(keep) {
		return j
	}
	return j.Memo("prune:"+core.BoolKey(keep), func() any {
		return j.Replace(j.In, KeepAtoms(j.Out, keep), j.Eqns)
	}).(*core.Jaxpr)
}

// DedupOutputs drops outputs after the first prefix ones that repeat an earlier
// output. fwd tells for each output the one among those kept that it equals
// (-1: itself was kept).
func DedupOutputs(j *core.Jaxpr, prefix int) (*core.Jaxpr, []int) {
	may := make([]bool, prefix)
	for i := range may {
		may[i] = true
	}
	return DedupOutputsWhere(j, may)
}

// DedupOutputsWhere is DedupOutputs for as many first outputs as there are
// flags; those that are not marked do not stand for later ones.
func DedupOutputsWhere(j *core.Jaxpr, may []bool) (*core.Jaxpr, []int) {
	idx := map[core.Atom]int{}
	fwd := make([]int, len(j.Out))
	keep := make([]bool, len(j.Out))
	kept := len(may)
	for i, a := range j.Out {
		fwd[i], keep[i] = -1, true
		if i < len(may) {
			if may[i] {
				idx[a] = i
			}
			continue
		}
		if k, ok := idx[a]; ok {
			fwd[i], keep[i] = k, false
			continue
		}
		idx[a] = kept
		kept++
	}
	return PruneOutputs(j, keep), fwd
}

// Subs puts values back where outputs were left out: element i of the result is
// pool[fwd[i]] where fwd[i] >= 0, else the next of kept.
func Subs(fwd []int, pool, kept []core.Value) []core.Value {
	out := make([]core.Value, len(fwd))
	n := 0
	for i, f := range fwd {
		if f >= 0 {
			out[i] = pool[f]
			continue
		}
		out[i] = kept[n]
		n++
	}
	return out
}

// KeepVars filters variables by flags.
func KeepVars(vs []*core.Var, keep []bool) []*core.Var {
	out := make([]*core.Var, 0, len(vs))
	for i, v := range vs {
		if keep[i] {
			out = append(out, v)
		}
	}
	return out
}

// KeepAtoms filters atoms by flags.
func KeepAtoms(as []core.Atom, keep []bool) []core.Atom {
	out := make([]core.Atom, 0, len(as))
	for i, a := range as {
		if keep[i] {
			out = append(out, a)
		}
	}
	return out
}

func all(bs []bool) bool {
	for _, b := range bs {
		if !b {
			return false
		}
	}
	return true
}
