package ad

import (
	"gopherlo/jaxlike/core"
)

// Tag tells the tracers of one differentiation from those of another; traces
// that stage parts of the same differentiation share it.
type Tag struct{ _ byte }

// JVPTrace pushes tangents forward.
type JVPTrace struct {
	parent core.Trace
	tag    *Tag
}

// JVPTracer is a primal with its tangent.
type JVPTracer struct {
	trace           *JVPTrace
	primal, tangent core.Value
}

// Aval is the primal's type.
func (t *JVPTracer) Aval() *core.ShapedArray { return t.primal.Aval() }

// Owner is the tracer's trace.
func (t *JVPTracer) Owner() core.Trace { return t.trace }

// Primal is the value whose tangent is pushed.
func (t *JVPTracer) Primal() core.Value { return t.primal }

// FullLower is the primal where the tangent is zero.
func (t *JVPTracer) FullLower() core.Value {
	if core.IsZero(t.tangent) {
		return t.primal
	}
	return t
}

// Repr is the tracer as JAX prints it.
func (t *JVPTracer) Repr() string {
	return "JVPTracer(primal=" + Repr(t.primal) + ", tangent=" + Repr(t.tangent) + ")"
}

// TypeName is the class that JAX's messages name.
func (t *JVPTracer) TypeName() string { return "JVPTracer" }

// Parent is the trace that primals and tangents are computed under.
func (t *JVPTrace) Parent() core.Trace { return t.parent }

func (t *JVPTrace) pair(v core.Value) (primal, tangent core.Value) {
	if x, ok := v.(*JVPTracer); ok && x.trace.tag == t.tag {
		return x.primal, x.tangent
	}
	return v, ZeroOf(v)
}

func (t *JVPTrace) pairs(vs []core.Value) (primals, tangents []core.Value) {
	primals, tangents = make([]core.Value, len(vs)), make([]core.Value, len(vs))
	for i, v := range vs {
		primals[i], tangents[i] = t.pair(v)
	}
	return primals, tangents
}

func (t *JVPTrace) join(primal, tangent core.Value) core.Value {
	if core.IsZero(tangent) {
		return primal
	}
	return &JVPTracer{t, primal, tangent}
}

func (t *JVPTrace) joins(primals, tangents []core.Value) []core.Value {
	out := make([]core.Value, len(primals))
	for i := range primals {
		out[i] = t.join(primals[i], tangents[i])
	}
	return out
}

// Process applies p's JVP rule under the parent trace.
func (t *JVPTrace) Process(p *core.Primitive, args []core.Value, params core.Params) []core.Value {
	primals, tangents := t.pairs(args)
	if allZero(tangents) {
		return t.parent.Process(p, primals, params)
	}
	if p.JVP == nil {
		notImplemented("Differentiation rule for '%s' not implemented", p.Name)
	}
	var out, outT []core.Value
	core.WithTrace(t.parent, func() { out, outT = p.JVP(primals, tangents, params) })
	return t.joins(out, outT)
}

func notImplemented(format, name string) { core.Raise("NotImplementedError", format, name) }

// CustomJVP runs the user's rule.
func (t *JVPTrace) CustomJVP(c *core.CustomJVP, args []core.Value) []core.Value {
	primals, tangents := t.pairs(args)
	if allZero(tangents) {
		return t.parent.CustomJVP(c, primals)
	}
	var outs []core.Value
	core.WithTrace(t.parent, func() {
		if !c.SymbolicZeros {
			for i := range tangents {
				tangents[i] = Instantiate(tangents[i])
			}
		}
		outs = c.Rule(append(append([]core.Value{}, primals...), tangents...))
	})
	n := len(outs) / 2
	return t.joins(outs[:n], outs[n:])
}

// CustomVJP runs the forward rule and puts the backward rule behind a
// custom_lin, which forward mode cannot evaluate.
func (t *JVPTrace) CustomVJP(c *core.CustomVJP, args []core.Value) []core.Value {
	primals, tangents := t.pairs(args)
	if allZero(tangents) {
		return t.parent.CustomVJP(c, primals)
	}
	var out, outT []core.Value
	core.WithTrace(t.parent, func() { out, outT = customLin(c, primals, tangents) })
	return t.joins(out, outT)
}

// JVP pushes tangents through f. A tangent may be a symbolic zero, in and out;
// instantiate makes the outputs' zeros arrays.
func JVP(f func([]core.Value) []core.Value, primals, tangents []core.Value, instantiate, nameStack bool) (outs, outTangents []core.Value) {
	parent := core.CurrentTrace()
	t := &JVPTrace{parent: parent, tag: new(Tag)}
	in := make([]core.Value, len(primals))
	for i := range primals {
		in[i] = t.join(primals[i], tangents[i])
	}
	core.With(func(s *core.State) {
		s.Trace = t
		if nameStack {
			s.Names = s.Names.Transform("jvp")
		}
	}, func() { outs = f(in) })
	outs, outTangents = t.pairs(outs)
	if instantiate {
		for i := range outTangents {
			outTangents[i] = Instantiate(outTangents[i])
		}
	}
	return outs, outTangents
}
