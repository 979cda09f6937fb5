package lax

import (
	"slices"

	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/partialeval"
)

// slots are the residuals of all branches, merged by type: the k-th residual of
// a type shares a slot over the branches (_merge_branch_residuals in JAX).
type slots struct {
	avals []*core.ShapedArray
	of    [][]int // per branch: the slot of each residual
}

func mergeResiduals(branches [][]*core.ShapedArray) slots {
	type tag struct {
		typ string
		k   int
	}
	s := slots{of: make([][]int, len(branches))}
	index := map[tag]int{}
	for b, avals := range branches {
		seen := map[string]int{}
		for _, a := range avals {
			t := tag{a.Key(), seen[a.Key()]}
			seen[a.Key()]++
			i, ok := index[t]
			if !ok {
				i = len(s.avals)
				index[t] = i
				s.avals = append(s.avals, a)
			}
			s.of[b] = append(s.of[b], i)
		}
	}
	return s
}

func linearizeCond(nz []bool, primals []core.Value, p core.Params) core.Linearized {
	branches, ops, opNZ := branchesOf(p), primals[1:], nz[1:]
	outNZ := anyBranch(branches, func(j *core.Jaxpr) []bool { return ad.LinearizeJaxpr(j, opNZ, nil).OutNZ })
	lins := make([]ad.LinearOf, len(branches))
	resAvals := make([][]*core.ShapedArray, len(branches))
	for i, j := range branches {
		lins[i] = ad.LinearizeJaxpr(j, opNZ, outNZ)
		resAvals[i] = lins[i].Forward.OutAvals()[len(j.Out):]
	}
	s := mergeResiduals(resAvals)
	n := len(outNZ)
	fwd := eachBranch(branches, func(i int, _ *core.Jaxpr) *core.Jaxpr { return fillSlots(lins[i].Forward, n, s, i) })
	fwdVals, resIndex := forwardedResiduals(branches, lins, s, ops)
	all := slices.Clone(s.avals)
	for _, v := range fwdVals {
		all = append(all, v.Aval())
	}
	tangent := eachBranch(branches, func(i int, _ *core.Jaxpr) *core.Jaxpr {
		return takeSlots(lins[i].Tangent, all, resIndex[i])
	})
	outs := CondP.Bind(condParams(fwd), primals...)
	out, res := outs[:n:n], append(slices.Clone(outs[n:]), fwdVals...)
	return core.Linearized{Out: out, NZ: outNZ, Linear: func(ts []core.Value) []core.Value {
		args := slices.Concat([]core.Value{primals[0]}, res, prune(ts))
		return spread(CondP.Bind(condParams(tangent), args...), outNZ, out)
	}}
}

// fillSlots makes branch i's forward jaxpr give all slots: its own residuals
// and empties for the others.
func fillSlots(j *core.Jaxpr, nOut int, s slots, i int) *core.Jaxpr {
	var out *core.Jaxpr
	core.WithTrace(core.Eval, func() {
		out = partialeval.TraceToJaxpr(func(args []core.Value) []core.Value {
			outs := core.EvalJaxpr(j, args)
			vals := make([]core.Value, len(s.avals))
			for k, a := range s.avals {
				vals[k] = emptyLike(a)
			}
			for k, slot := range s.of[i] {
				vals[slot] = outs[nOut+k]
			}
			return append(slices.Clone(outs[:nOut]), vals...)
		}, j.InAvals(), j.Debug)
	})
	return out
}

// forwardedResiduals are the residuals that are operands or constants of the
// branches; they go around the cond. For each branch the places of all its
// residuals are given, among slots and these.
func forwardedResiduals(branches []*core.Jaxpr, lins []ad.LinearOf, s slots, ops []core.Value) ([]core.Value, [][]int) {
	type key struct{ branch, index int }
	var vals []core.Value
	seen := map[key]int{}
	places := make([][]int, len(branches))
	for b, j := range branches {
		own := s.of[b]
		for _, f := range lins[b].ResFwd {
			if f < 0 {
				places[b] = append(places[b], own[0])
				own = own[1:]
				continue
			}
			k := key{-1, f - len(j.Consts)}
			if f < len(j.Consts) {
				k = key{b, f}
			}
			i, ok := seen[k]
			if !ok {
				i = len(s.avals) + len(vals)
				seen[k] = i
				if f < len(j.Consts) {
					vals = append(vals, j.Consts[f])
				} else {
					vals = append(vals, ops[f-len(j.Consts)])
				}
			}
			places[b] = append(places[b], i)
		}
	}
	return vals, places
}

// takeSlots makes a branch's linear jaxpr take all slots in place of its own
// residuals.
func takeSlots(j *core.Jaxpr, all []*core.ShapedArray, places []int) *core.Jaxpr {
	vars := make([]*core.Var, len(all))
	for i, a := range all {
		vars[i] = core.NewVar(a)
	}
	for k, p := range places {
		vars[p] = j.In[k]
	}
	return j.Replace(append(vars, j.In[len(places):]...), j.Out, j.Eqns)
}
