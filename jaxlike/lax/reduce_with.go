package lax

import (
	"slices"

	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
)

// ReduceP reduces several arrays together with a function (reduce_p in
// jax/_src/lax/lax.py). Operands: the arrays, then their initial values.
var ReduceP = core.NewPrimitive("reduce")

func init() {
	ReduceP.Define(core.Rules{
		Multi: true,
		AbstractEval: func(in []*core.ShapedArray, p core.Params) []*core.ShapedArray {
			dims := p.Ints("dimensions")
			out := make([]*core.ShapedArray, len(in)/2)
			for i := range out {
				shape := []int{}
				for d, n := range in[i].Shape {
					if !slices.Contains(dims, d) {
						shape = append(shape, n)
					}
				}
				out[i] = &core.ShapedArray{Shape: shape, DType: in[i].DType, Weak: in[i].Weak && in[len(out)+i].Weak}
			}
			return out
		},
		NotDifferentiable: "the library differentiates what it builds from this",
		Batch: func(_ core.AxisData, args []core.Value, dims []int, p core.Params) ([]core.Value, []int) {
			n := len(args) / 2
			size := batching.Size(args, dims)
			moved := slices.Clone(args)
			for i := range n {
				moved[i] = batching.Front(args[i], dims[i], size)
			}
			axes := p.Ints("dimensions")
			for i := range axes {
				axes[i]++
			}
			return ReduceP.Bind(p.With("dimensions", core.NewInts(axes...)), moved...), make([]int, n)
		},
		Lower: func(c *core.LowerCtx, args []hloValue, p core.Params) []hloValue {
			n := len(args) / 2
			return c.B.Reduce(args[:n], args[n:], int64s(p.Ints("dimensions")), func(acc, elems []hloValue) []hloValue {
				return lowerReducer(c, p.Jaxpr("jaxpr"), append(slices.Clone(acc), elems...))
			})
		},
	})
}
