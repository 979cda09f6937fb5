package partialeval

import (
	"gopherlo/jaxlike/core"
)

// Fun is a function over flat lists of values.
type Fun func(args []core.Value) []core.Value

// TraceToJaxpr stages f at the given types. The name stack starts empty
// inside, since names are relative to the jaxpr; the metadata context stays.
// Constants may be tracers of outer traces.
func TraceToJaxpr(f Fun, in []*core.ShapedArray, debug *core.DebugInfo) *core.Jaxpr {
	t := NewDynamicTrace(core.CurrentTrace(), debug, false)
	args := make([]core.Value, len(in))
	for i, a := range in {
		args[i] = t.NewArg(a)
	}
	defer t.Abandon()
	var outs []core.Value
	Under(t, func() { outs = f(args) })
	return t.Finish(outs, debug)
}

// Under runs body with t as the current trace and an empty name stack.
func Under(t core.Trace, body func()) {
	base := core.Position()
	core.With(func(s *core.State) {
		s.Trace = t
		s.Names = nil
		s.Replay, s.Replaying = nil, false
		s.Base = base
	}, body)
}

// CustomJVP records a custom_jvp_call.
func (t *DynamicTrace) CustomJVP(c *core.CustomJVP, args []core.Value) []core.Value {
	in := t.Tracers(args)
	j, consts := t.subJaxpr(c.Fun, in, c.Debug)
	params := core.P(
		"call_jaxpr", j,
		"jvp_jaxpr_fun", c,
		"num_consts", len(consts),
		"symbolic_zeros", c.SymbolicZeros,
	)
	return t.Emit(c.Prim, append(consts, in...), params, j.OutAvals())
}

// CustomVJP records a custom_vjp_call.
func (t *DynamicTrace) CustomVJP(c *core.CustomVJP, args []core.Value) []core.Value {
	in := t.Tracers(args)
	j, consts := t.subJaxpr(c.Fun, in, c.Debug)
	params := core.P(
		"call_jaxpr", j,
		"fwd_jaxpr_thunk", c,
		"num_consts", len(consts),
		"symbolic_zeros", c.SymbolicZeros,
	)
	return t.Emit(c.Prim, append(consts, in...), params, j.OutAvals())
}

// subJaxpr stages f at the types of in; its constants become leading operands.
func (t *DynamicTrace) subJaxpr(f Fun, in []core.Value, debug *core.DebugInfo) (*core.Jaxpr, []core.Value) {
	avals := make([]*core.ShapedArray, len(in))
	for i, v := range in {
		avals[i] = v.Aval()
	}
	var j *core.Jaxpr
	core.WithTrace(t, func() { j = TraceToJaxpr(f, avals, debug) })
	j, consts := j.SeparateConsts()
	return j, t.Tracers(consts)
}
