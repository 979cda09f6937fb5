package ad

import (
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/partialeval"
)

// JVPCall is the JVP rule of a primitive whose parameter "jaxpr" is its body:
// one call computes primals and tangents together.
func JVPCall(prim *core.Primitive) JVPRule {
	return func(primals, tangents []core.Value, p core.Params) ([]core.Value, []core.Value) {
		j := p.Jaxpr("jaxpr")
		nz := nonZero(tangents)
		d := JVPJaxpr(j, nz, nil)
		args := append(append([]core.Value{}, primals...), filter(tangents, nz)...)
		outs := prim.Bind(p.With("jaxpr", d.Jaxpr), args...)
		n := len(j.Out)
		return outs[:n:n], withZeros(outs[n:], d.OutNZ, j.OutAvals())
	}
}

// withZeros puts symbolic zeros between the tangents that exist.
func withZeros(ts []core.Value, nz []bool, avals []*core.ShapedArray) []core.Value {
	out := make([]core.Value, len(nz))
	for i, ok := range nz {
		if ok {
			out[i], ts = ts[0], ts[1:]
		} else {
			out[i] = core.Zero{Of: avals[i].Tangent()}
		}
	}
	return out
}

// CallOptions are the differences between call-like primitives in
// linearization.
type CallOptions struct {
	// ForwardOuts takes results that are operands from outside instead of
	// returning them from the call (jit does, xla_metadata_call does not).
	ForwardOuts bool
	// TangentParams gives the parameters of the linear call (nil: the same).
	TangentParams func(p core.Params) core.Params
}

// LinearizeCall is the linearization rule of a primitive whose parameter
// "jaxpr" is its body: a call that also returns residuals, and a linear call
// (jax: _pjit_linearize, _xla_metadata_call_lin).
func LinearizeCall(prim *core.Primitive, o CallOptions) func(nz []bool, primals []core.Value, p core.Params) core.Linearized {
	return func(nz []bool, primals []core.Value, p core.Params) core.Linearized {
		j := p.Jaxpr("jaxpr")
		l := LinearizeJaxpr(j, nz, nil)
		ans := bindForward(prim, j, l, o, primals, p)
		n := len(j.Out)
		pool := append(append([]core.Value{}, j.Consts...), primals...)
		residuals := partialeval.Subs(l.ResFwd, pool, ans[n:])
		tp := p
		if o.TangentParams != nil {
			tp = o.TangentParams(p)
		}
		tp = tp.With("jaxpr", l.Tangent)
		linear := func(tangents []core.Value) []core.Value {
			args := append(append([]core.Value{}, residuals...), filter(tangents, nz)...)
			return withZeros(prim.Bind(tp, args...), l.OutNZ, j.OutAvals())
		}
		return core.Linearized{Out: ans[:n:n], NZ: l.OutNZ, Linear: linear}
	}
}

// bindForward applies the forward call: outputs, then residuals. What equals an
// operand or another output is not returned twice.
func bindForward(prim *core.Primitive, j *core.Jaxpr, l LinearOf, o CallOptions, primals []core.Value, p core.Params) []core.Value {
	fwd := l.Forward
	inFwd := partialeval.Forwarding(fwd)
	keep := make([]bool, len(inFwd))
	nKept := 0
	for i := range inFwd {
		if i >= len(j.Out) || !o.ForwardOuts {
			inFwd[i] = -1
		}
		keep[i] = inFwd[i] < 0
		if keep[i] && i < len(j.Out) {
			nKept++
		}
	}
	fwd = partialeval.PruneOutputs(fwd, keep)
	fwd, outFwd := partialeval.DedupOutputs(fwd, nKept)
	ans := prim.Bind(p.With("jaxpr", fwd), primals...)
	ans = partialeval.Subs(outFwd, ans, ans)
	return partialeval.Subs(inFwd, primals, ans)
}
