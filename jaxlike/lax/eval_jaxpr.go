package lax

import (
	"slices"

	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/partialeval"
)

// EvalJaxprP applies a jaxpr as one equation: the body of a loop that scan is
// lowered to, or the known part of a checkpointed scan (eval_jaxpr_p in
// jax/_src/core.py). Its operations have a scope of their own. Parameter:
// call_jaxpr.
var EvalJaxprP = core.NewPrimitive("eval_jaxpr")

func init() {
	EvalJaxprP.Define(core.Rules{
		Multi:        true,
		AbstractEval: callAvals,
		Impl: func(args []core.Value, p core.Params) []core.Value {
			return core.EvalJaxpr(p.Jaxpr("call_jaxpr"), args)
		},
		JVP: func(primals, tangents []core.Value, p core.Params) ([]core.Value, []core.Value) {
			j := p.Jaxpr("call_jaxpr")
			d := ad.JVPJaxpr(j, nonZeroFlags(tangents), nil)
			outs := EvalJaxprP.Bind(p.With("call_jaxpr", d.Jaxpr), slices.Concat(primals, prune(tangents))...)
			n := len(j.Out)
			return outs[:n:n], spread(outs[n:], d.OutNZ, outs[:n])
		},
		Linearize:      linearizeEvalJaxpr,
		FancyTranspose: transposeEvalJaxpr,
		Batch: func(axis core.AxisData, args []core.Value, dims []int, p core.Params) ([]core.Value, []int) {
			b := batching.Jaxpr(p.Jaxpr("call_jaxpr"), axis, dims)
			return EvalJaxprP.Bind(p.With("call_jaxpr", b.Jaxpr), args...), b.OutDims
		},
		DCE:          partialeval.DCECall("call_jaxpr"),
		SplitPolicy:  partialeval.SplitPolicyCall("call_jaxpr"),
		Partial:      partialEvalJaxpr,
		LowerInPlace: true,
		Lower: func(c *core.LowerCtx, args []hloValue, p core.Params) []hloValue {
			return inlineLate(c, c.Names.Sealed().Extend("eval_jaxpr"), p.Jaxpr("call_jaxpr"), args)
		},
	})
}

// inlineLate lowers j as a function of its own that is put in place of its call:
// the names inside are relative to those of the call, and what j is given has no
// operation in it (inlined_func_call in jax/_src/interpreters/mlir.py).
func inlineLate(c *core.LowerCtx, names core.NameStack, j *core.Jaxpr, args []hloValue) []hloValue {
	inner := *c
	inner.Names, inner.Apart = names.Sealed(), true
	defer c.B.Leave(c.B.Enter())
	return c.Module.Inline(&inner, c.B, j, args)
}

func linearizeEvalJaxpr(nz []bool, primals []core.Value, p core.Params) core.Linearized {
	j := p.Jaxpr("call_jaxpr")
	l := ad.LinearizeJaxpr(j, nz, nil)
	outs := EvalJaxprP.Bind(p.With("call_jaxpr", l.Forward), primals...)
	n := len(j.Out)
	res := partialeval.Subs(l.ResFwd, append(slices.Clone(j.Consts), primals...), outs[n:])
	return core.Linearized{Out: outs[:n:n], NZ: l.OutNZ, Linear: func(ts []core.Value) []core.Value {
		in := slices.Clone(res)
		for i, t := range ts {
			if nz[i] {
				in = append(in, ad.Instantiate(t))
			}
		}
		return spread(EvalJaxprP.Bind(p.With("call_jaxpr", l.Tangent), in...), l.OutNZ, outs[:n])
	}}
}

func transposeEvalJaxpr(cts, args []core.Value, p core.Params) {
	j := p.Jaxpr("call_jaxpr")
	nz := ad.TransposeFlags(j, args, cts)
	t, in := ad.TransposeForced(j, args, cts, nz)
	outs := EvalJaxprP.Bind(p.With("call_jaxpr", t), in...)
	for i, a := range args {
		if acc, ok := a.(core.Accum); ok && nz[i] {
			acc.Accumulate(outs[0])
			outs = outs[1:]
		}
	}
}

func partialEvalJaxpr(tr core.Trace, args []core.Value, p core.Params) []core.Value {
	t := tr.(*partialeval.PartialTrace)
	unknown, known, rest := splitUnknown(t, args)
	j := p.Jaxpr("call_jaxpr")
	s := partialeval.SplitJaxpr(j, unknown, nil, nil)
	outs := EvalJaxprP.Bind(p.With("call_jaxpr", s.Known), known...)
	n := len(outs) - s.NumRes
	res := partialeval.Subs(s.ResFwd, append(slices.Clone(j.Consts), known...), outs[n:])
	later := t.RecordCall(EvalJaxprP, slices.Concat(partialeval.Residuals(res), rest), p.With("call_jaxpr", s.Rest))
	return mergeLists(s.OutUnknown, outs[:n], later)
}

// splitUnknown tells which operands are unknown, and separates them.
func splitUnknown(t *partialeval.PartialTrace, args []core.Value) (flags []bool, known, unknown []core.Value) {
	flags = make([]bool, len(args))
	for i, a := range args {
		flags[i] = t.IsUnknown(a)
		if flags[i] {
			unknown = append(unknown, a)
		} else {
			known = append(known, a)
		}
	}
	return flags, known, unknown
}
