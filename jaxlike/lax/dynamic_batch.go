package lax

import (
	"slices"

	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
)

// batchDynamicSlice makes a gather, as JAX does.
func batchDynamicSlice(_ core.AxisData, args []core.Value, dims []int, p core.Params) ([]core.Value, []int) {
	if batching.AllUnmapped(dims) {
		return DynamicSliceP.Bind(p, args...), []int{core.NotMapped}
	}
	index, id := batchIndices(args[1:], dims[1:])
	all := core.NewInts(count(0, len(args)-1)...)
	return []core.Value{batchedGather(args[0], index, dims[0], id, GatherParams{
		Dims: GatherDims{Offset: all, StartIndexMap: all}, Sizes: p.Ints("slice_sizes"), Unique: true, Sorted: true, Mode: IndexClip,
	})}, []int{0}
}

// batchDynamicUpdateSlice makes a scatter, as JAX does.
func batchDynamicUpdateSlice(axis core.AxisData, args []core.Value, dims []int, p core.Params) ([]core.Value, []int) {
	if batching.AllUnmapped(dims) {
		return DynamicUpdateSliceP.Bind(p, args...), []int{core.NotMapped}
	}
	index, id := batchIndices(args[2:], dims[2:])
	all := core.NewInts(count(0, len(args)-2)...)
	s := scatterParams{dims: ScatterDims{Window: all, ToOperand: all}, unique: true, sorted: true, mode: IndexClip}
	if id == core.NotMapped && dims[0] == core.NotMapped && dims[1] == core.NotMapped {
		return []core.Value{scatter(ScatterP, args[0], index, args[1], s)}, []int{core.NotMapped}
	}
	out := batching.Batch(func(vs []core.Value) []core.Value {
		return []core.Value{scatter(ScatterP, vs[0], vs[1], vs[2], s)}
	}, axis, []core.Value{args[0], index, args[1]}, []int{dims[0], id, dims[1]}, func(srcs []int) []int { return slices.Repeat([]int{0}, len(srcs)) })
	return out, []int{0}
}
