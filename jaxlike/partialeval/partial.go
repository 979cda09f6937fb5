package partialeval

import (
	"gopherlo/jaxlike/core"
)

// PartialTrace computes what is known and records the rest. Linearization of a
// primitive runs its JVP rule under it with unknown tangents, and replays the
// recorded equations under the tangent trace (jax: JaxprTrace).
type PartialTrace struct {
	parent core.Trace
	eqns   []*partialEqn
}

type partialEqn struct {
	prim   *core.Primitive
	in     []core.Value
	params core.Params
	out    []*PartialTracer
	ctx    core.EqnContext
	src    core.Source
}

// PartialTracer is an unknown value.
type PartialTracer struct {
	trace *PartialTrace
	aval  *core.ShapedArray
}

// NewPartialTrace makes a trace whose known part runs under parent.
func NewPartialTrace(parent core.Trace) *PartialTrace { return &PartialTrace{parent: parent} }

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
func (t *PartialTracer) Repr() string { return "JaxprTracer(" + t.aval.LongWeak() + ")" }

// IsUnknown tells whether v is an unknown of t.
func (t *PartialTrace) IsUnknown(v core.Value) bool {
	p, ok := v.(*PartialTracer)
	return ok && p.trace == t
}

// Process runs p in the parent when all is known, else records it.
func (t *PartialTrace) Process(p *core.Primitive, args []core.Value, params core.Params) []core.Value {
	if !t.anyUnknown(args) {
		return t.parent.Process(p, args, params)
	}
	if j := params.Jaxpr("jaxpr"); p.SharesNames && j != nil {
		return t.splitJit(p, j, args, params)
	}
	if p.PartialEval != nil {
		if out := t.splitKnown(p, args, params); out != nil {
			return out
		}
	}
	return t.record(p, args, params)
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
	res := t.record(p, args, params)
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

func (t *PartialTrace) record(p *core.Primitive, args []core.Value, params core.Params) []core.Value {
	avals := make([]*core.ShapedArray, len(args))
	for i, a := range args {
		avals[i] = a.Aval()
	}
	e := &partialEqn{prim: p, in: args, params: params,
		ctx: core.EqnContext{Metadata: core.Current().Metadata}, src: core.CurrentSource()}
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
// rest as a jit of what remains, with the values between them as operands.
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
	s := SplitJaxpr(j, unknown)
	var knownOut []core.Value
	if len(s.Known.Out) > 0 {
		knownOut = t.parent.Process(p, known, params.With("jaxpr", s.Known))
	}
	nOut := len(s.Known.Out) - s.NumRes
	restOut := t.record(p, append(append([]core.Value{}, knownOut[nOut:]...), rest...), params.With("jaxpr", s.Rest))
	out := make([]core.Value, len(s.OutUnknown))
	k, r := 0, 0
	for i, u := range s.OutUnknown {
		if u {
			out[i] = restOut[r]
			r++
		} else {
			out[i] = knownOut[k]
			k++
		}
	}
	return out
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
		if e.src.Frames != nil {
			s.Replay = e.src.Frames
		}
	}, func() { res = core.CurrentTrace().Process(e.prim, in, e.params) })
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

// CustomJVP runs the call in the parent when all is known; otherwise it runs
// the function itself, as its rule is not wanted any more.
func (t *PartialTrace) CustomJVP(c *core.CustomJVP, args []core.Value) []core.Value {
	if !t.anyUnknown(args) {
		return t.parent.CustomJVP(c, args)
	}
	return c.Fun(args)
}

// CustomVJP is as CustomJVP.
func (t *PartialTrace) CustomVJP(c *core.CustomVJP, args []core.Value) []core.Value {
	if !t.anyUnknown(args) {
		return t.parent.CustomVJP(c, args)
	}
	return c.Fun(args)
}
