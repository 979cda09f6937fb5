package ad

import (
	"slices"

	"gopherlo/jaxlike/core"
)

// BackwardPass runs j, a program that is linear in the inputs that are given as
// *Accum, backwards: cotangents of the outputs in, cotangents of the linear
// inputs into their accumulators (backward_pass3). Equations that do not depend
// on linear inputs run forward first.
func BackwardPass(j *core.Jaxpr, nameStack bool, consts, args, cts []core.Value) {
	if allZero(cts) {
		return
	}
	env := make(map[*core.Var]core.Value, len(j.Eqns)+len(args))
	for i, v := range j.ConstVars {
		env[v] = consts[i]
	}
	for i, v := range j.In {
		env[v] = args[i]
	}
	linear := forwardPart(j, env)
	for i, a := range j.Out {
		if v, ok := a.(*core.Var); ok {
			if acc, ok := env[v].(core.Accum); ok {
				acc.Accumulate(cts[i])
			}
		}
	}
	core.With(func(s *core.State) {
		if nameStack {
			s.Names = s.Names.Transform("transpose")
		}
	}, func() {
		for _, e := range slices.Backward(linear) {
			transposeEqn(e, env)
		}
	})
}

// forwardPart evaluates what is not linear and gives the linear equations, for
// whose results it makes accumulators.
func forwardPart(j *core.Jaxpr, env map[*core.Var]core.Value) []*core.Eqn {
	var linear []*core.Eqn
	for _, e := range j.Eqns {
		if !readsAccum(e, env) {
			for i, r := range core.EvalEqn(e, env) {
				env[e.Out[i]] = r
			}
			continue
		}
		for _, v := range e.Out {
			env[v] = NewAccum(v.Aval().Tangent())
		}
		linear = append(linear, e)
	}
	return linear
}

func readsAccum(e *core.Eqn, env map[*core.Var]core.Value) bool {
	for _, a := range e.In {
		if v, ok := a.(*core.Var); ok {
			if _, ok := env[v].(core.Accum); ok {
				return true
			}
		}
	}
	return false
}

func transposeEqn(e *core.Eqn, env map[*core.Var]core.Value) {
	cts := make([]core.Value, len(e.Out))
	for i, v := range e.Out {
		cts[i] = env[v].(*Accum).Value()
	}
	args := make([]core.Value, len(e.In))
	for i, a := range e.In {
		switch a := a.(type) {
		case *core.Literal:
			args[i] = a.Value()
		case *core.Var:
			args[i] = env[a]
		}
	}
	core.UnderEqn(e, true, func() {
		if e.Prim.FancyTranspose != nil {
			e.Prim.FancyTranspose(cts, args, e.Params)
			return
		}
		plainTranspose(e, cts, args)
	})
}

func plainTranspose(e *core.Eqn, cts, args []core.Value) {
	if e.Prim.Transpose == nil {
		notImplemented("Transpose rule (for reverse-mode differentiation) for '%s' not implemented", e.Prim.Name)
	}
	marked := make([]core.Value, len(args))
	for i, a := range args {
		marked[i] = a
		if acc, ok := a.(core.Accum); ok {
			marked[i] = core.Undefined{Of: acc.Aval()}
		}
	}
	for i, ct := range e.Prim.Transpose(cts, marked, e.Params) {
		if acc, ok := args[i].(core.Accum); ok {
			acc.Accumulate(ct)
		}
	}
}

// TransposeCall is the FancyTranspose rule of primitives whose parameter
// "jaxpr" is their body: the transposed body takes the values that are not
// linear, then the cotangents that are not zero, and gives the cotangents of
// the linear operands. bind applies the primitive to it.
func TransposeCall(bind func(j *core.Jaxpr, args []core.Value, p core.Params) []core.Value) func(cts, args []core.Value, p core.Params) {
	return func(cts, args []core.Value, p core.Params) {
		j := p.Jaxpr("jaxpr")
		linear, in := transposeInputs(args, cts)
		t := transposeJaxpr(j, linear, nonZero(cts), in)
		outs := bind(t.jaxpr, in, p)
		k := 0
		for i, a := range args {
			if linear[i] && t.nz[i] {
				a.(core.Accum).Accumulate(outs[k])
				k++
			}
		}
	}
}

type transposed struct {
	jaxpr *core.Jaxpr
	nz    []bool // per operand: its cotangent is an output
}

func transposeJaxpr(j *core.Jaxpr, linear, nzCts []bool, in []core.Value) transposed {
	avals := make([]*core.ShapedArray, len(in))
	for i, v := range in {
		avals[i] = v.Aval()
	}
	key := "transpose:" + core.BoolKey(linear) + ":" + core.BoolKey(nzCts) + ":" + core.AvalsKey(avals) + ContextKey()
	return j.Memo(key, func() any {
		t := transposed{nz: make([]bool, len(linear))}
		t.jaxpr = derive(func(vals []core.Value) []core.Value {
			return runTranspose(j, linear, nzCts, vals, t.nz)
		}, avals, j)
		return t
	}).(transposed)
}

func runTranspose(j *core.Jaxpr, linear, nzCts []bool, vals []core.Value, nzOut []bool) []core.Value {
	var outs []core.Value
	for i, acc := range runBackward(j, linear, nzCts, vals) {
		if acc != nil && !core.IsZero(acc.Value()) {
			nzOut[i] = true
			outs = append(outs, acc.Value())
		}
	}
	return outs
}

// runBackward runs j backwards on the values of its non-linear operands and of
// the cotangents that are not zero; it gives the accumulators of the linear
// operands (nil for the others).
func runBackward(j *core.Jaxpr, linear, nzCts []bool, vals []core.Value) []*Accum {
	args, accs := make([]core.Value, len(linear)), make([]*Accum, len(linear))
	for i, l := range linear {
		if l {
			accs[i] = NewAccum(j.In[i].Aval().Tangent())
			args[i] = accs[i]
			continue
		}
		args[i], vals = vals[0], vals[1:]
	}
	cts := make([]core.Value, len(j.Out))
	for i, a := range j.Out {
		cts[i] = core.Zero{Of: a.Aval().Tangent()}
		if nzCts[i] {
			cts[i], vals = vals[0], vals[1:]
		}
	}
	BackwardPass(j, false, j.Consts, args, cts)
	return accs
}

// TransposeFlags tells which operands of the linear jaxpr j get a cotangent that
// is not zero. args are values, or Accums for linear operands.
func TransposeFlags(j *core.Jaxpr, args, cts []core.Value) []bool {
	linear, in := transposeInputs(args, cts)
	return transposeJaxpr(j, linear, nonZero(cts), in).nz
}

// TransposeForced is the transpose of j whose outputs are the cotangents of the
// linear operands that force marks, zero or not, with the values it takes.
func TransposeForced(j *core.Jaxpr, args, cts []core.Value, force []bool) (*core.Jaxpr, []core.Value) {
	linear, in := transposeInputs(args, cts)
	nzCts := nonZero(cts)
	avals := make([]*core.ShapedArray, len(in))
	for i, v := range in {
		avals[i] = v.Aval()
	}
	key := "transposeforced:" + core.BoolKey(linear) + ":" + core.BoolKey(nzCts) + ":" + core.BoolKey(force) + core.AvalsKey(avals) + ContextKey()
	t := j.Memo(key, func() any {
		return derive(func(vals []core.Value) []core.Value {
			accs := runBackward(j, linear, nzCts, vals)
			var outs []core.Value
			for i, a := range accs {
				if a != nil && force[i] {
					outs = append(outs, Instantiate(a.Value()))
				}
			}
			return outs
		}, avals, j)
	}).(*core.Jaxpr)
	return t, in
}

func transposeInputs(args, cts []core.Value) (linear []bool, in []core.Value) {
	linear = make([]bool, len(args))
	for i, a := range args {
		_, linear[i] = a.(core.Accum)
		if !linear[i] {
			in = append(in, a)
		}
	}
	return linear, append(in, filter(cts, nonZero(cts))...)
}
