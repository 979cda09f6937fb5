package lax

import (
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/core"
)

// SliceInDim is Slice along one dimension; negative bounds count from the end.
func SliceInDim(x any, start, limit, stride, axis int) array.Array {
	v := toValue("slice_in_dim", x, 0)
	axis = core.CanonicalAxis(axis, v.Aval().NDim())
	n := v.Aval().Shape[axis]
	if start < 0 {
		start += n
	}
	if limit < 0 {
		limit += n
	}
	return array.New(sliceInDim(v, start, limit, stride, axis))
}

// IndexInDim takes one element along a dimension; keep says whether the
// dimension stays, with size 1.
func IndexInDim(x any, index, axis int, keep bool) array.Array {
	v := toValue("index_in_dim", x, 0)
	axis = core.CanonicalAxis(axis, v.Aval().NDim())
	size := v.Aval().Shape[axis]
	if index < -size || index >= size {
		core.Raise("IndexError", "index %d is out of bounds for axis %d with size %d", index, axis, size)
	}
	if index < 0 {
		index += size
	}
	out := sliceInDim(v, index, index+1, 1, axis)
	if !keep {
		out = squeeze(out, []int{axis})
	}
	return array.New(out)
}
