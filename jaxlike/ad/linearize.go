package ad

import (
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/partialeval"
)

// LinearizeTrace computes primals under its parent and records the linear part
// under a staging trace of its own.
type LinearizeTrace struct {
	parent  core.Trace
	tangent *partialeval.DynamicTrace
	tag     *Tag
	prefix  int // length of the name stack when the trace began
	reverse bool
}

// LinearizeTracer is a primal with its tangent, a tracer of the linear program.
type LinearizeTracer struct {
	trace           *LinearizeTrace
	primal, tangent core.Value
}

// Aval is the primal's type.
func (t *LinearizeTracer) Aval() *core.ShapedArray { return t.primal.Aval() }

// Owner is the tracer's trace.
func (t *LinearizeTracer) Owner() core.Trace { return t.trace }

// Primal is the value that is linearized.
func (t *LinearizeTracer) Primal() core.Value { return t.primal }

// FullLower is the primal where the tangent is zero.
func (t *LinearizeTracer) FullLower() core.Value {
	if core.IsZero(t.tangent) {
		return t.primal
	}
	return t
}

// Repr is the tracer as JAX prints it.
func (t *LinearizeTracer) Repr() string {
	return "GradTracer(primal=" + Repr(t.primal) + ", typeof(tangent)=" + t.tangent.Aval().String() + ")"
}

// TypeName is the class that JAX's messages name.
func (t *LinearizeTracer) TypeName() string { return "LinearizeTracer" }

// Parent is the trace that primals are computed under.
func (t *LinearizeTrace) Parent() core.Trace { return t.parent }

// newLinearizeTrace makes a trace whose linear program will be run backwards
// (reverse) or forwards.
func newLinearizeTrace(parent core.Trace, debug *core.DebugInfo, reverse bool) *LinearizeTrace {
	tangent := partialeval.NewDynamicTrace(parent, debug, true)
	tangent.Units = reverse
	return &LinearizeTrace{
		parent: parent, tag: new(Tag), prefix: len(core.Current().Names),
		tangent: tangent, reverse: reverse,
	}
}

func (t *LinearizeTrace) pairs(vs []core.Value) (primals, tangents []core.Value) {
	primals, tangents = make([]core.Value, len(vs)), make([]core.Value, len(vs))
	for i, v := range vs {
		if x, ok := v.(*LinearizeTracer); ok && x.trace.tag == t.tag {
			primals[i], tangents[i] = x.primal, x.tangent
			continue
		}
		primals[i], tangents[i] = v, ZeroOf(v)
	}
	return primals, tangents
}

func (t *LinearizeTrace) joins(primals, tangents []core.Value) []core.Value {
	out := make([]core.Value, len(primals))
	for i := range primals {
		out[i] = primals[i]
		if !core.IsZero(tangents[i]) {
			out[i] = &LinearizeTracer{t, primals[i], tangents[i]}
		}
	}
	return out
}

// Process applies p's linearization rule: primals now, the linear part into
// the linear program.
func (t *LinearizeTrace) Process(p *core.Primitive, args []core.Value, params core.Params) []core.Value {
	primals, tangents := t.pairs(args)
	if allZero(tangents) {
		return t.parent.Process(p, primals, params)
	}
	var lin core.Linearized
	core.With(func(s *core.State) { s.Trace, s.Reverse = t.parent, t.reverse }, func() {
		if p.Linearize != nil {
			lin = p.Linearize(nonZero(tangents), primals, params)
			return
		}
		if p.JVP == nil {
			notImplemented("Differentiation rule for '%s' not implemented", p.Name)
		}
		lin = linearizeFromJVP(func(ps, ts []core.Value) ([]core.Value, []core.Value) {
			return p.JVP(ps, ts, params)
		}, nonZero(tangents), primals, false)
	})
	return t.joins(lin.Out, t.linear(lin, tangents))
}

// linear runs the linear function under the tangent trace, with the part of
// the name stack that was entered since the trace began.
func (t *LinearizeTrace) linear(lin core.Linearized, tangents []core.Value) []core.Value {
	var out []core.Value
	core.With(func(s *core.State) {
		s.Trace = t.tangent
		if t.prefix <= len(s.Names) {
			s.Names = s.Names[t.prefix:]
		}
	}, func() { out = lin.Linear(tangents) })
	return out
}

// linearizeFromJVP makes a linearization of a JVP rule: the rule runs with
// unknown tangents, and the recorded equations are the linear function.
func linearizeFromJVP(rule func(ps, ts []core.Value) ([]core.Value, []core.Value), nz []bool, primals []core.Value, instantiate bool) core.Linearized {
	pt := partialeval.NewPartialTrace(core.CurrentTrace())
	ts := make([]core.Value, len(primals))
	unknown := make([]*partialeval.PartialTracer, len(primals))
	for i, p := range primals {
		a := p.Aval().Tangent()
		switch {
		case nz[i] && a.DType.IsInexact():
			unknown[i] = pt.Unknown(a)
			ts[i] = unknown[i]
		case instantiate:
			ts[i] = zerosLike(a)
		default:
			ts[i] = core.Zero{Of: a}
		}
	}
	var out, outT []core.Value
	core.WithTrace(pt, func() { out, outT = rule(primals, ts) })
	lin := core.Linearized{Out: out, NZ: make([]bool, len(out))}
	for i, o := range out {
		if pt.IsUnknown(o) {
			core.ValueErrorf("Linearization failed to produce known values for all output primals. This is typically caused by attempting to differentiate a function uses an operation that does not support reverse-mode autodiff.")
		}
		lin.NZ[i] = !core.IsZero(outT[i]) && pt.IsUnknown(outT[i])
	}
	lin.Linear = func(tangents []core.Value) []core.Value {
		env := map[*partialeval.PartialTracer]core.Value{}
		for i, u := range unknown {
			if u != nil {
				env[u] = tangents[i]
			}
		}
		wanted := filter(outT, lin.NZ)
		vals := pt.Replay(env, wanted)
		res := make([]core.Value, len(out))
		k := 0
		for i, o := range out {
			if !lin.NZ[i] {
				res[i] = ZeroOf(o)
				continue
			}
			res[i] = vals[k]
			k++
		}
		return res
	}
	return lin
}

// CustomJVP linearizes the user's rule.
func (t *LinearizeTrace) CustomJVP(c *core.CustomJVP, args []core.Value) []core.Value {
	primals, tangents := t.pairs(args)
	if allZero(tangents) {
		return t.parent.CustomJVP(c, primals)
	}
	var lin core.Linearized
	core.WithTrace(t.parent, func() {
		lin = linearizeFromJVP(func(ps, ts []core.Value) ([]core.Value, []core.Value) {
			outs := c.Rule(append(append([]core.Value{}, ps...), ts...))
			n := len(outs) / 2
			return outs[:n], outs[n:]
		}, nonZero(tangents), primals, !c.SymbolicZeros)
	})
	// Unlike primitives', the equations get all of the names around, as in JAX.
	var outT []core.Value
	core.WithTrace(t.tangent, func() { outT = lin.Linear(tangents) })
	return t.joins(lin.Out, outT)
}

// CustomVJP runs the forward rule now and records the backward rule.
func (t *LinearizeTrace) CustomVJP(c *core.CustomVJP, args []core.Value) []core.Value {
	primals, tangents := t.pairs(args)
	if allZero(tangents) {
		return t.parent.CustomVJP(c, primals)
	}
	var out, res []core.Value
	core.WithTrace(t.parent, func() { out, res = runFwd(c, primals, tangents) })
	var outT []core.Value
	core.WithTrace(t.tangent, func() { outT = bindCustomLin(c, res, tangents, out) })
	return t.joins(out, outT)
}

// Linearization is the result of linearizing a function: results, which of them
// depend on the inputs, and the linear program, whose constants are the
// residuals.
type Linearization struct {
	Out   []core.Value
	NZ    []bool
	Jaxpr *core.Jaxpr
	// InAvals are the types of the tangents, all inputs.
	InAvals []*core.ShapedArray
}

// Linearize linearizes f at primals for a backward pass. Inputs of integer type
// have no tangent that matters; their binders stay, so the program takes all
// tangents.
func Linearize(f func([]core.Value) []core.Value, primals []core.Value, debug *core.DebugInfo) *Linearization {
	return linearize(f, primals, debug, true)
}

// LinearizeForward is Linearize for a linear program that is run as it is.
func LinearizeForward(f func([]core.Value) []core.Value, primals []core.Value, debug *core.DebugInfo) *Linearization {
	return linearize(f, primals, debug, false)
}

func linearize(f func([]core.Value) []core.Value, primals []core.Value, debug *core.DebugInfo, reverse bool) *Linearization {
	t := newLinearizeTrace(core.CurrentTrace(), debug, reverse)
	defer t.tangent.Abandon()
	in := make([]core.Value, len(primals))
	lin := &Linearization{}
	for i, p := range primals {
		a := p.Aval().Tangent()
		lin.InAvals = append(lin.InAvals, a)
		tr := t.tangent.NewArg(a)
		in[i] = p
		if a.DType.IsInexact() {
			in[i] = &LinearizeTracer{t, p, tr}
		}
	}
	var outs []core.Value
	core.With(func(s *core.State) {
		s.Trace = t
		s.Names = s.Names.Transform("jvp")
	}, func() { outs = f(in) })
	var outT []core.Value
	lin.Out, outT = t.pairs(outs)
	lin.NZ = nonZero(outT)
	j := t.tangent.Finish(filter(outT, lin.NZ), debug)
	lin.Jaxpr = partialeval.DCEConsts(j)
	return lin
}

// StripTracer removes a finished differentiation's tracer from an auxiliary
// output.
func StripTracer(v core.Value) core.Value {
	switch x := v.(type) {
	case *LinearizeTracer:
		return x.primal
	case *JVPTracer:
		return x.primal
	}
	return v
}
