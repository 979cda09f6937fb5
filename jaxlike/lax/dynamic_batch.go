package lax

import (
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
)

func batchDynamicSlice(_ core.AxisData, args []core.Value, dims []int, p core.Params) ([]core.Value, []int) {
	if batching.AllUnmapped(dims) {
		return DynamicSliceP.Bind(p, args...), []int{core.NotMapped}
	}
	core.Raise("NotImplementedError", "Batching rule for '%s' not implemented", "dynamic_slice")
	return nil, nil
}

func batchDynamicUpdateSlice(_ core.AxisData, args []core.Value, dims []int, p core.Params) ([]core.Value, []int) {
	if batching.AllUnmapped(dims) {
		return DynamicUpdateSliceP.Bind(p, args...), []int{core.NotMapped}
	}
	core.Raise("NotImplementedError", "Batching rule for '%s' not implemented", "dynamic_update_slice")
	return nil, nil
}
