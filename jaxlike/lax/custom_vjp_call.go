package lax

import (
	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/partialeval"
)

// CustomVJPCallP is a call of a function with forward and backward rules of its
// own (custom_vjp_call_p in jax/_src/custom_derivatives.py). Parameters:
// call_jaxpr, fwd_jaxpr_thunk (both rules), num_consts, symbolic_zeros.
var CustomVJPCallP = core.NewPrimitive("custom_vjp_call")

func init() {
	CustomVJPCallP.Define(core.Rules{
		Multi:             true,
		AbstractEval:      callAvals,
		Rebind:            rebindVJP,
		Lower:             lowerInlined,
		LowerInPlace:      true,
		DCE:               dceCustomVJP,
		PrintParams:       customVJPParams,
		NotDifferentiable: "its rules are the user's",
		NoTranspose:       "a call is never linear",
		NoBatch:           "batching happens to function and rules",
	})
}

func customVJPParams(e *core.Eqn) core.Params {
	c := e.Params.Get("fwd_jaxpr_thunk").(*core.CustomVJP)
	p := core.P("name", e.Params.Jaxpr("call_jaxpr").Name(), "bwd", c.BwdName,
		"call_jaxpr", e.Params.Get("call_jaxpr"), "fwd", c.FwdName)
	if n := e.Params.Int("num_consts"); n > 0 {
		p = p.With("num_consts", n)
	}
	return p.With("symbolic_zeros", e.Params.Get("symbolic_zeros"))
}

func rebindVJP(args []core.Value, p core.Params) []core.Value {
	c, j, n := p.Get("fwd_jaxpr_thunk").(*core.CustomVJP), p.Jaxpr("call_jaxpr"), p.Int("num_consts")
	b := *c
	b.Fun = func(vs []core.Value) []core.Value { return core.EvalJaxpr(j, vs) }
	b.Fwd = func(vs []core.Value) []core.Value {
		return core.EvalJaxpr(ruleJaxpr(j, "fwd", c.Fwd, vs[n:], c.Debug), vs[n:])
	}
	b.Bwd = func(vs []core.Value) []core.Value {
		zeros := make([]core.Value, n)
		for i := range zeros {
			zeros[i] = core.Zero{Of: j.In[i].Aval().Tangent()}
		}
		return append(zeros, c.Bwd(vs)...)
	}
	return core.CurrentTrace().CustomVJP(&b, args)
}

// dceCustomVJP drops results; their cotangents are zeros for the rule.
func dceCustomVJP(used []bool, e *core.Eqn) ([]bool, *core.Eqn) {
	keep := make([]bool, len(e.In))
	for i := range keep {
		keep[i] = true
	}
	full := e.Params.Jaxpr("call_jaxpr")
	j, _ := partialeval.DCE(full, used, keep)
	if j == full {
		return keep, e
	}
	c := *e.Params.Get("fwd_jaxpr_thunk").(*core.CustomVJP)
	fwd, bwd := c.Fwd, c.Bwd
	c.Fwd = func(vs []core.Value) []core.Value {
		outs := fwd(vs)
		n := c.NumRes()
		return append(append([]core.Value{}, outs[:n]...), keepValues(outs[n:], used)...)
	}
	c.Bwd = func(vs []core.Value) []core.Value {
		n := c.NumRes()
		in, cts := append([]core.Value{}, vs[:n]...), vs[n:]
		for i, a := range full.OutAvals() {
			if used[i] {
				in, cts = append(in, cts[0]), cts[1:]
			} else {
				in = append(in, ad.Instantiate(core.Zero{Of: a.Tangent()}))
			}
		}
		return bwd(in)
	}
	ne := *e
	ne.Out = partialeval.KeepVars(e.Out, used)
	ne.Params = e.Params.With("call_jaxpr", j).With("fwd_jaxpr_thunk", &c)
	return keep, &ne
}

// CustomVJP applies a function with forward and backward rules, all flat.
func CustomVJP(c *core.CustomVJP, args ...core.Value) []core.Value {
	c.Prim = CustomVJPCallP
	return core.CurrentTrace().CustomVJP(c, args)
}
