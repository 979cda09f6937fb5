package lax

import (
	"slices"

	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/core"
)

// TileP repeats an array along its dimensions (tile_p in jax/_src/lax/lax.py).
var TileP = core.NewPrimitive("tile")

func init() {
	TileP.Define(core.Rules{
		AbstractEval: func(in []*core.ShapedArray, p core.Params) []*core.ShapedArray {
			reps := p.Ints("reps")
			if len(reps) != in[0].NDim() {
				core.TypeErrorf("reps length must be equal to the ndim of x, got len(reps)=%d and x.ndim=%d.", len(reps), in[0].NDim())
			}
			shape := slices.Clone(in[0].Shape)
			for i, r := range reps {
				shape[i] *= r
			}
			return []*core.ShapedArray{in[0].With(shape)}
		},
		JVP: ad.LinearJVP(TileP),
		Transpose: ad.Linear(func(ct core.Value, args []core.Value, p core.Params) []core.Value {
			var axes core.Ints
			for i := range p.Ints("reps") {
				axes = append(axes, core.Int{V: 2 * i})
			}
			return []core.Value{reduceSum(reshape(ct, interleaved(p.Ints("reps"), args[0].Aval().Shape)), axes)}
		}),
		Batch: func(_ core.AxisData, args []core.Value, dims []int, p core.Params) ([]core.Value, []int) {
			reps := p.Ints("reps")
			if dims[0] != core.NotMapped {
				reps = slices.Insert(reps, dims[0], 1)
			}
			return TileP.Bind(core.P("reps", core.NewInts(reps...)), args...), dims
		},
		Lower: func(c *core.LowerCtx, args []hloValue, p core.Params) []hloValue {
			shape := c.In[0].Shape
			ones := slices.Repeat([]int{1}, len(shape))
			x := c.B.Reshape(args[0], int64s(interleaved(ones, shape))...)
			wide := typeOf(c.Out[0].With(interleaved(p.Ints("reps"), shape)))
			if !x.Type.Equal(wide) {
				x = c.B.BroadcastInDim(x, wide, int64s(count(0, 2*len(shape)))...)
			}
			return []hloValue{c.B.Reshape(x, int64s(c.Out[0].Shape)...)}
		},
	})
}

// Tile repeats x reps[i] times along dimension i.
func Tile(x any, reps []int) array.Array {
	return array.New(TileP.Bind1(core.P("reps", core.NewInts(reps...)), toValue("tile", x, 0)))
}

// interleaved is a list of the elements of xs and ys in turn.
func interleaved(xs, ys []int) []int {
	out := make([]int, 0, 2*len(xs))
	for i := range xs {
		out = append(out, xs[i], ys[i])
	}
	return out
}
