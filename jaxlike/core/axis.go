package core

// CanonicalAxis counts a negative axis from the end, and raises JAX's error for one
// that an array of this rank has not (jax/_src/util.py, canonicalize_axis; JAX
// 0.12.0.1).
func CanonicalAxis(axis, rank int) int {
	if axis < -rank || axis >= rank {
		ValueErrorf("axis %d is out of bounds for array of dimension %d", axis, rank)
	}
	if axis < 0 {
		return axis + rank
	}
	return axis
}
