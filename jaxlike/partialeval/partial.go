package partialeval

import (
	"gopherlo/jaxlike/core"
)

// PartialTrace computes what is known and records the rest. Linearization of a
// primitive runs its JVP rule under it with unknown tangents, and replays the
// recorded equations under the tangent trace (jax: JaxprTrace).
type PartialTrace struct {
	parent core.Trace
	prefix int // length of the name stack when the trace began
	eqns   []*partialEqn
}

type partialEqn struct {
	prim   *core.Primitive
	in     []core.Value
	asVar  []bool // of in: residuals, which are no literals; nil if none
	params core.Params
	out    []*PartialTracer
	ctx    core.EqnContext
	src    core.Source
}

// residual is a known value that a call in the recorded program takes.
type residual struct{ core.Value }

// Residuals marks known values that a recorded call takes from its known part:
// the program gets them as constants, numbers too (new_instantiated_const in
// JAX), where numbers are else written into it.
func Residuals(vs []core.Value) []core.Value {
	out := make([]core.Value, len(vs))
	for i, v := range vs {
		out[i] = residual{v}
	}
	return out
}

// PartialTracer is an unknown value.
type PartialTracer struct {
	trace *PartialTrace
	aval  *core.ShapedArray
}

// NewPartialTrace makes a trace whose known part runs under parent.
func NewPartialTrace(parent core.Trace) *PartialTrace {
	return &PartialTrace{parent: parent, prefix: len(core.Current().Names)}
}

// Parent is the trace that computes what is known.
func (t *PartialTrace) Parent() core.Trace { return t.parent }

// Unknown makes an unknown input.
func (t *PartialTrace) Unknown(a *core.ShapedArray) *PartialTracer { return &PartialTracer{t, a} }

// Aval is the tracer's type.
func (t *PartialTracer) Aval() *core.ShapedArray { return t.aval }

// Owner is the tracer's trace.
func (t *PartialTracer) Owner() core.Trace { return t.trace }

// FullLower is the tracer itself.
func (t *PartialTracer) FullLower() core.Value { return t }

// Repr is for messages.
func (t *PartialTracer) Repr() string { return "Traced<" + t.aval.LongWeak() + ":JaxprTrace>" }

// IsUnknown tells whether v is an unknown of t.
func (t *PartialTrace) IsUnknown(v core.Value) bool {
	p, ok := v.(*PartialTracer)
	return ok && p.trace == t
}

// Process does what p's rule says, also when all is known: the body of a jit or
// a loop is then another one, as JAX makes it. Without a rule, p runs in the
// parent when all is known and is recorded else.
func (t *PartialTrace) Process(p *core.Primitive, args []core.Value, params core.Params) []core.Value {
	j := params.Jaxpr("jaxpr")
	isJit := p.SharesNames && j != nil
	if p.Partial == nil && !isJit && !t.anyUnknown(args) {
		return t.parent.Process(p, args, params)
	}
	var out []core.Value
	core.WithTrace(t.parent, func() {
		switch {
		case p.Partial != nil:
			out = p.Partial(t, args, params)
		case isJit:
			out = t.splitJit(p, j, args, params)
		case p.PartialEval != nil:
			out = t.splitKnown(p, args, params)
		}
	})
	if out != nil {
		return out
	}
	return t.Record(p, args, params)
}

// splitKnown computes the known results with the primitive's own rule and
// records the whole equation for the others.
func (t *PartialTrace) splitKnown(p *core.Primitive, args []core.Value, params core.Params) []core.Value {
	unknown := make([]bool, len(args))
	for i, a := range args {
		unknown[i] = t.IsUnknown(a)
	}
	kp, in, out, ok := p.PartialEval(unknown, params)
	if !ok {
		return nil
	}
	var known []core.Value
	for i, a := range args {
		if in[i] {
			known = append(known, a)
		}
	}
	vals := t.parent.Process(p, known, kp)
	res := t.Record(p, args, params)
	for i, k := range out {
		if k {
			res[i], vals = vals[0], vals[1:]
		}
	}
	return res
}

func (t *PartialTrace) anyUnknown(args []core.Value) bool {
	for _, a := range args {
		if t.IsUnknown(a) {
			return true
		}
	}
	return false
}

// Record keeps the primitive for later; all results are unknown.
func (t *PartialTrace) Record(p *core.Primitive, args []core.Value, params core.Params) []core.Value {
	src := core.CurrentSource()
	src.Names = src.Names[min(t.prefix, len(src.Names)):]
	return t.record(p, args, params, src)
}

// RecordCall is Record for calls, which JAX records under all of the names
// around them, not only those since the trace began.
func (t *PartialTrace) RecordCall(p *core.Primitive, args []core.Value, params core.Params) []core.Value {
	return t.record(p, args, params, core.CurrentSource())
}

func (t *PartialTrace) record(p *core.Primitive, args []core.Value, params core.Params, src core.Source) []core.Value {
	avals := make([]*core.ShapedArray, len(args))
	var asVar []bool
	for i, a := range args {
		avals[i] = a.Aval()
		if r, ok := a.(residual); ok {
			if asVar == nil {
				args, asVar = append([]core.Value{}, args...), make([]bool, len(args))
			}
			args[i], asVar[i] = r.Value, true
		}
	}
	e := &partialEqn{
		prim: p, in: args, asVar: asVar, params: params,
		ctx: core.EqnContext{Metadata: core.Current().Metadata}, src: src,
	}
	outs := p.AbstractEval(avals, params)
	res := make([]core.Value, len(outs))
	for i, a := range outs {
		tr := &PartialTracer{t, a}
		e.out = append(e.out, tr)
		res[i] = tr
	}
	t.eqns = append(t.eqns, e)
	return res
}

// splitJit computes the known part of a jit's body at once and records the
// rest as a jit of what remains, which takes the unknown operands, then the
// values in between (_pjit_partial_eval in JAX).
func (t *PartialTrace) splitJit(p *core.Primitive, j *core.Jaxpr, args []core.Value, params core.Params) []core.Value {
	unknown := make([]bool, len(args))
	var known, rest []core.Value
	for i, a := range args {
		unknown[i] = t.IsUnknown(a)
		if unknown[i] {
			rest = append(rest, a)
		} else {
			known = append(known, a)
		}
	}
	s := SplitJaxpr(j, unknown, nil, nil)
	n := len(s.Known.Out) - s.NumRes
	inFwd := Forwarding(s.Known)
	keep := make([]bool, len(inFwd))
	kept := 0
	for i := range inFwd {
		if i >= n {
			inFwd[i] = -1
		}
		keep[i] = inFwd[i] < 0
		if keep[i] && i < n {
			kept++
		}
	}
	small, outFwd := dedupResiduals(PruneOutputs(s.Known, keep), kept)
	outs := t.parent.Process(p, known, params.With("jaxpr", small).With("donated_invars", nil))
	outs = Subs(inFwd, known, Subs(outFwd, outs, outs))
	res := Subs(s.ResFwd, append(append([]core.Value{}, j.Consts...), known...), outs[n:])
	body := backBinders(s.Rest, len(res))
	restOut := t.RecordCall(p, append(rest, Residuals(res)...), params.With("jaxpr", body).With("donated_invars", nil))
	return merge(s.OutUnknown, outs[:n], restOut)
}

// merge takes an element of b where which is set, else one of a.
func merge(which []bool, a, b []core.Value) []core.Value {
	out := make([]core.Value, len(which))
	for i, w := range which {
		if w {
			out[i], b = b[0], b[1:]
		} else {
			out[i], a = a[0], a[1:]
		}
	}
	return out
}

// dedupResiduals drops outputs after the first n that equal one of those.
func dedupResiduals(j *core.Jaxpr, n int) (*core.Jaxpr, []int) {
	idx := map[core.Atom]int{}
	fwd, keep := make([]int, len(j.Out)), make([]bool, len(j.Out))
	for i, a := range j.Out {
		fwd[i], keep[i] = -1, true
		if _, isVar := a.(*core.Var); !isVar {
			continue
		}
		if i < n {
			idx[a] = i
		} else if k, ok := idx[a]; ok {
			fwd[i], keep[i] = k, false
		}
	}
	return PruneOutputs(j, keep), fwd
}

// backBinders moves the first n binders behind the others.
func backBinders(j *core.Jaxpr, n int) *core.Jaxpr {
	if n == 0 {
		return j
	}
	return j.Memo("back:"+core.PyRepr(n), func() any {
		return j.Replace(append(append([]*core.Var{}, j.In[n:]...), j.In[:n]...), j.Out, j.Eqns)
	}).(*core.Jaxpr)
}

// Replay applies the recorded equations that outs need under the current
// trace, with values for the unknown inputs, and gives the values of outs.
func (t *PartialTrace) Replay(inputs map[*PartialTracer]core.Value, outs []core.Value) []core.Value {
	live := map[*PartialTracer]bool{}
	mark := func(vs []core.Value) {
		for _, v := range vs {
			if p, ok := v.(*PartialTracer); ok && p.trace == t {
				live[p] = true
			}
		}
	}
	mark(outs)
	keep := make([]bool, len(t.eqns))
	for i := len(t.eqns) - 1; i >= 0; i-- {
		for _, o := range t.eqns[i].out {
			keep[i] = keep[i] || live[o]
		}
		if keep[i] {
			mark(t.eqns[i].in)
		}
	}
	env := make(map[*PartialTracer]core.Value, len(inputs)+len(t.eqns))
	for k, v := range inputs {
		env[k] = v
	}
	for i, e := range t.eqns {
		if keep[i] {
			t.replayEqn(e, env)
		}
	}
	return t.readAll(outs, env)
}

func (t *PartialTrace) replayEqn(e *partialEqn, env map[*PartialTracer]core.Value) {
	in := t.readAll(e.in, env)
	var res []core.Value
	core.With(func(s *core.State) {
		if e.ctx.Metadata != nil {
			s.Metadata = core.UpdateMetadata(s.Metadata, e.ctx.Metadata.KVs)
		}
		s.Replay, s.Replaying = e.src.Frames, true
		s.Names = s.Names.Concat(e.src.Names)
	}, func() {
		if e.prim.Rebind != nil {
			res = e.prim.Rebind(in, e.params)
			return
		}
		res = core.CurrentTrace().Process(e.prim, in, e.params)
	})
	for k, o := range e.out {
		env[o] = res[k]
	}
}

func (t *PartialTrace) readAll(vs []core.Value, env map[*PartialTracer]core.Value) []core.Value {
	out := make([]core.Value, len(vs))
	for i, v := range vs {
		out[i] = v
		if p, ok := v.(*PartialTracer); ok && p.trace == t {
			out[i] = env[p]
		}
	}
	return out
}

// CustomJVP runs the call in the parent when all is known; otherwise it records
// it, with what the function computes from known values as leading operands.
func (t *PartialTrace) CustomJVP(c *core.CustomJVP, args []core.Value) []core.Value {
	if !t.anyUnknown(args) {
		return t.parent.CustomJVP(c, args)
	}
	return t.recordCustom(c.Prim, "jvp_jaxpr_fun", c, c.Fun, args, c.Debug, c.SymbolicZeros)
}

// CustomVJP is as CustomJVP. JAX makes a call of the known part too, which shows
// in jaxprs also when that part is empty.
func (t *PartialTrace) CustomVJP(c *core.CustomVJP, args []core.Value) []core.Value {
	if !t.anyUnknown(args) {
		return t.parent.CustomVJP(c, args)
	}
	out := t.recordCustom(c.Prim, "fwd_jaxpr_thunk", c, c.Fun, args, c.Debug, c.SymbolicZeros)
	if last := t.eqns[len(t.eqns)-1]; last.params.Int("num_consts") == 0 {
		known := *c
		known.Fun = func([]core.Value) []core.Value { return nil }
		t.parent.CustomVJP(&known, nil)
	}
	return out
}

func (t *PartialTrace) recordCustom(prim *core.Primitive, key string, rule any, f Fun, args []core.Value, debug *core.DebugInfo, zeros bool) []core.Value {
	inner := NewPartialTrace(t)
	unknown := make([]*PartialTracer, len(args))
	in := make([]core.Value, len(args))
	for i, a := range args {
		unknown[i] = inner.Unknown(a.Aval())
		in[i] = unknown[i]
	}
	var outs []core.Value
	core.WithTrace(inner, func() { outs = f(in) })
	j, consts := inner.ToJaxpr(unknown, outs, debug)
	params := core.P("call_jaxpr", j, key, rule, "num_consts", len(consts), "symbolic_zeros", zeros)
	return t.Record(prim, append(consts, args...), params)
}
