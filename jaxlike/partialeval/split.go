package partialeval

import (
	"gopherlo/jaxlike/core"
)

// Split is a jaxpr cut in two: Known computes the known outputs, then the
// residuals that are not taken from outside; Rest takes all residuals, then the
// unknown inputs, and computes the unknown outputs. ResFwd tells, per residual
// of Rest, the value among constants and known inputs that it is (-1: one of
// Known's).
type Split struct {
	Known, Rest *core.Jaxpr
	NumRes      int
	OutUnknown  []bool
	ResFwd      []int
}

// SplitJaxpr cuts j by which inputs are unknown. instantiate makes outputs
// unknown that are not (nil: none), allow says which residuals may come from
// outside: constants, then inputs of j (nil: all). The result is shared
// (partial_eval_jaxpr_nounits_fwd in JAX).
func SplitJaxpr(j *core.Jaxpr, unknown, instantiate, allow []bool) Split {
	key := "split:" + core.BoolKey(unknown) + ":" + core.BoolKey(instantiate) + ":" + core.BoolKey(allow) + core.Current().Metadata.Key()
	return j.Memo(key, func() any { return splitJaxpr(j, unknown, instantiate, allow) }).(Split)
}

func splitJaxpr(j *core.Jaxpr, unknown, instantiate, allow []bool) Split {
	s := Split{OutUnknown: make([]bool, len(j.Out))}
	var knownAvals []*core.ShapedArray
	var index []int // of the known inputs
	for i, a := range j.InAvals() {
		if !unknown[i] {
			knownAvals, index = append(knownAvals, a), append(index, i)
		}
	}
	debug := &core.DebugInfo{}
	if j.Debug != nil {
		debug.FuncName, debug.TracedFor, debug.FuncSource = j.Debug.FuncName, j.Debug.TracedFor, j.Debug.FuncSource
	}
	run := func(known []core.Value) []core.Value {
		outs, rest, res := SplitRun(j, unknown, instantiate, known)
		s.Rest = rest
		fwd := map[core.Value]int{}
		for i, c := range j.Consts {
			if allow == nil || allow[i] {
				fwd[c] = i
			}
		}
		for i, v := range known {
			if allow == nil || allow[len(j.Consts)+index[i]] {
				fwd[v] = len(j.Consts) + i
			}
		}
		var out []core.Value
		for i, o := range outs {
			if s.OutUnknown[i] = o == nil; o != nil {
				out = append(out, o)
			}
		}
		for _, r := range res {
			f, ok := fwd[r]
			if !ok {
				f = -1
				out = append(out, r)
				s.NumRes++
			}
			s.ResFwd = append(s.ResFwd, f)
		}
		return out
	}
	core.WithTrace(core.Eval, func() { s.Known = TraceToJaxpr(run, knownAvals, debug) })
	return s
}

// SplitRun computes what j computes from the known inputs under the current
// trace, and gives the outputs (nil for unknown ones) and the program of the
// rest with its residuals.
func SplitRun(j *core.Jaxpr, unknown, instantiate []bool, known []core.Value) (outs []core.Value, rest *core.Jaxpr, res []core.Value) {
	t := NewPartialTrace(core.CurrentTrace())
	args := make([]core.Value, len(j.In))
	var in []*PartialTracer
	for i, v := range j.In {
		if unknown[i] {
			u := t.Unknown(v.Aval())
			in, args[i] = append(in, u), u
			continue
		}
		args[i], known = known[0], known[1:]
	}
	core.WithTrace(t, func() { outs = core.EvalJaxpr(j, args) })
	var left []core.Value
	for i, o := range outs {
		if t.IsUnknown(o) || instantiate != nil && instantiate[i] {
			left = append(left, o)
			outs[i] = nil
		}
	}
	rest, res = t.ToJaxpr(in, left, j.Debug)
	return outs, rest, res
}
