package lax

import (
	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
	"gopherlo/xla/stablehlo"
)

// CopyP is a copy of an array in memory of its own (copy_p in
// jax/_src/lax/lax.py); programs need none.
var CopyP = core.NewPrimitive("copy")

func init() {
	CopyP.Define(core.Rules{
		AbstractEval: func(in []*core.ShapedArray, _ core.Params) []*core.ShapedArray { return in },
		JVP:          ad.LinearJVP(CopyP),
		Transpose: ad.Linear(func(ct core.Value, _ []core.Value, _ core.Params) []core.Value {
			return []core.Value{CopyP.Bind1(nil, ct)}
		}),
		Batch: batching.Vectorized(CopyP),
		Lower: func(_ *core.LowerCtx, args []*stablehlo.Value, _ core.Params) []*stablehlo.Value { return args },
	})
}
