package lax

import (
	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/partialeval"
	"gopherlo/xla/stablehlo"
)

// CustomJVPCallP is a call of a function with a JVP rule of its own
// (custom_jvp_call_p in jax/_src/custom_derivatives.py). Parameters: call_jaxpr,
// jvp_jaxpr_fun (the rule), num_consts, symbolic_zeros.
var CustomJVPCallP = core.NewPrimitive("custom_jvp_call")

func init() {
	CustomJVPCallP.Define(core.Rules{
		Multi:        true,
		AbstractEval: callAvals,
		Rebind:       rebindJVP,
		Lower:        lowerInlined,
		FancyTranspose: func(cts, args []core.Value, p core.Params) {
			j := p.Jaxpr("call_jaxpr")
			ad.BackwardPass(j, false, j.Consts, args, cts)
		},
		DCE:               dceCustomJVP,
		PrintParams:       customJVPParams,
		NotDifferentiable: "its rule is the user's",
		NoBatch:           "batching happens to function and rule",
	})
}

func callAvals(_ []*core.ShapedArray, p core.Params) []*core.ShapedArray {
	return p.Jaxpr("call_jaxpr").OutAvals()
}

func lowerInlined(c *core.LowerCtx, args []*stablehlo.Value, p core.Params) []*stablehlo.Value {
	return c.Module.Inline(c, c.B, p.Jaxpr("call_jaxpr"), args)
}

func customJVPParams(e *core.Eqn) core.Params {
	c := e.Params.Get("jvp_jaxpr_fun").(*core.CustomJVP)
	p := core.P("call_jaxpr", e.Params.Get("call_jaxpr"), "jvp", c.RuleName)
	if n := e.Params.Int("num_consts"); n > 0 {
		p = p.With("num_consts", n)
	}
	p = p.With("symbolic_zeros", e.Params.Get("symbolic_zeros"))
	return append(core.P("name", e.Params.Jaxpr("call_jaxpr").Name()), p...)
}

// rebindJVP applies a staged call again: function and rule are its jaxprs.
func rebindJVP(args []core.Value, p core.Params) []core.Value {
	c, j, n := p.Get("jvp_jaxpr_fun").(*core.CustomJVP), p.Jaxpr("call_jaxpr"), p.Int("num_consts")
	b := *c
	b.Fun = func(vs []core.Value) []core.Value { return core.EvalJaxpr(j, vs) }
	b.Rule = func(xs []core.Value) []core.Value {
		half := len(xs) / 2
		in := append(append([]core.Value{}, xs[n:half]...), xs[half+n:]...)
		return core.EvalJaxpr(ruleJaxpr(j, "jvp", c.Rule, in, c.Debug), in)
	}
	return core.CurrentTrace().CustomJVP(&b, args)
}

// ruleJaxpr stages a rule once per argument types.
func ruleJaxpr(j *core.Jaxpr, kind string, rule partialeval.Fun, in []core.Value, debug *core.DebugInfo) *core.Jaxpr {
	avals := make([]*core.ShapedArray, len(in))
	for i, v := range in {
		avals[i] = v.Aval()
	}
	return j.Memo("rule:"+kind+":"+core.AvalsKey(avals)+ad.ContextKey(), func() any {
		return partialeval.TraceToJaxpr(rule, avals, debug)
	}).(*core.Jaxpr)
}

// dceCustomJVP drops results; operands stay, since the rule may use them.
func dceCustomJVP(used []bool, e *core.Eqn) ([]bool, *core.Eqn) {
	keep := make([]bool, len(e.In))
	for i := range keep {
		keep[i] = true
	}
	full := e.Params.Jaxpr("call_jaxpr")
	j, _ := partialeval.DCE(full, used, keep)
	if j == full {
		return keep, e
	}
	c := *e.Params.Get("jvp_jaxpr_fun").(*core.CustomJVP)
	rule := c.Rule
	c.Rule = func(xs []core.Value) []core.Value {
		outs := rule(xs)
		n := len(outs) / 2
		return append(keepValues(outs[:n], used), keepValues(outs[n:], used)...)
	}
	ne := *e
	ne.Out = partialeval.KeepVars(e.Out, used)
	ne.Params = e.Params.With("call_jaxpr", j).With("jvp_jaxpr_fun", &c)
	return keep, &ne
}

func keepValues(vs []core.Value, keep []bool) []core.Value {
	var out []core.Value
	for i, v := range vs {
		if keep[i] {
			out = append(out, v)
		}
	}
	return out
}

func allTrue(bs []bool) bool {
	for _, b := range bs {
		if !b {
			return false
		}
	}
	return true
}

// CustomJVP applies fun, whose derivative is rule: primals and tangents in,
// primal and tangent results out, all flat.
func CustomJVP(c *core.CustomJVP, args ...core.Value) []core.Value {
	c.Prim = CustomJVPCallP
	return core.CurrentTrace().CustomJVP(c, args)
}
