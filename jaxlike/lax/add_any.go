package lax

import (
	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
)

func init() {
	ad.AddAny.Define(core.Rules{
		AbstractEval: func(in []*core.ShapedArray, _ core.Params) []*core.ShapedArray { return in[:1] },
		JVP:          ad.LinearJVP(ad.AddAny),
		Transpose: ad.Linear(func(ct core.Value, _ []core.Value, _ core.Params) []core.Value {
			return []core.Value{ct, ct}
		}),
		Batch: batchAddAny,
		Lower: func(c *core.LowerCtx, args []hloValue, _ core.Params) []hloValue {
			return []hloValue{c.B.Binary("add", args[0], args[1])}
		},
	})
}

// batchAddAny lines the batch dimensions up (batching.add_batched in JAX).
func batchAddAny(axis core.AxisData, args []core.Value, dims []int, _ core.Params) ([]core.Value, []int) {
	x, y, bx, by := args[0], args[1], dims[0], dims[1]
	out := bx
	switch {
	case bx == by:
	case bx == core.NotMapped:
		x, out = batching.Broadcast(x, axis.Size, by), by
	case by == core.NotMapped:
		y = batching.Broadcast(y, axis.Size, bx)
	default:
		x, out = batching.Moveaxis(x, bx, by), by
	}
	return []core.Value{ad.Add(x, y)}, []int{out}
}
