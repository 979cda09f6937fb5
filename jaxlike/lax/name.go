package lax

import (
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/core"
)

// NameP is the identity that gives a value a name, by which the policies of
// jax.checkpoint find it (name_p in jax/_src/ad_checkpoint.py).
var NameP = core.NewPrimitive("name")

func init() {
	NameP.Define(core.Rules{
		AbstractEval: func(in []*core.ShapedArray, _ core.Params) []*core.ShapedArray { return in },
		// The tangent gets no name.
		JVP: func(primals, tangents []core.Value, p core.Params) ([]core.Value, []core.Value) {
			return NameP.Bind(p, primals...), tangents
		},
		Batch: func(_ core.AxisData, args []core.Value, dims []int, p core.Params) ([]core.Value, []int) {
			return NameP.Bind(p, args...), dims
		},
		Lower:       func(_ *core.LowerCtx, args []hloValue, _ core.Params) []hloValue { return args },
		Impl:        func(args []core.Value, _ core.Params) []core.Value { return args },
		NoTranspose: "tangents have no names",
	})
}

// Name gives x, an array or tree of arrays, a name for the policies of
// checkpointing.
func Name(x any, name string) any {
	o := takeApart(x, nil)
	outs := make([]core.Value, len(o.vals))
	for i, v := range o.vals {
		outs[i] = NameP.Bind1(core.P("name", name), v)
	}
	if _, ok := x.(array.Array); ok {
		return array.NewResults(outs, o.def)
	}
	return treeOf(o.def, outs)
}
