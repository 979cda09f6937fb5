package lax

import (
	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
)

// SinP is the sine of each element.
var SinP = core.NewPrimitive("sin")

func init() {
	SinP.Define(core.Rules{
		AbstractEval: unop("sin", acceptInexact, same),
		JVP: ad.Std(SinP, func(t, _ core.Value, in []core.Value, _ core.Params) core.Value {
			return mul(t, cos(in[0]))
		}),
		Linearize: linearizeSin,
		Batch:     batching.Vectorized(SinP),
		Lower:     lowerTrig("sine", sinComplex),
	})
}

// Sin gives the sine of each element.
func Sin(x any) array.Array { return apply(SinP, x) }

func sin(x core.Value) core.Value { return SinP.Bind1(nil, x) }

// linearizeSin is the rule of its own that sin has: only its cosine is kept.
func linearizeSin(nz []bool, primals []core.Value, p core.Params) core.Linearized {
	out, c := SinP.Bind1(p, primals...), cos(primals[0])
	return core.Linearized{Out: []core.Value{out}, NZ: nz, Linear: func(ts []core.Value) []core.Value {
		return []core.Value{mul(ts[0], c)}
	}}
}
