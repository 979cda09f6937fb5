package jnp_test

import (
	"math"
	"testing"

	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
	"gopherlo/jaxlike/jnp"
	"gopherlo/jaxlike/kw"
)

// TestIntegerRange: plain numbers that an integer type asked for cannot hold are
// refused in NumPy's words (NumPy 2 under JAX 0.12.0.1); typed slices are arrays
// and wrap around.
func TestIntegerRange(t *testing.T) {
	for _, row := range []struct {
		x    any
		dt   dtype.DType
		want string // class and words, or the array
	}{
		{256, dtype.Uint8, "OverflowError: Python integer 256 out of bounds for uint8"},
		{-1, dtype.Uint32, "OverflowError: Python integer -1 out of bounds for uint32"},
		{256.7, dtype.Uint8, "OverflowError: Python integer 256 out of bounds for uint8"},
		{1 << 40, dtype.Int64, "OverflowError: Python integer 1099511627776 out of bounds for int32"},
		{1e20, dtype.Int32, "OverflowError: Python int too large to convert to C long"},
		{math.Inf(1), dtype.Uint8, "OverflowError: cannot convert float infinity to integer"},
		{[]float64{1, math.NaN()}, dtype.Uint8, "ValueError: cannot convert float NaN to integer"},
		{[]int{1, 256}, dtype.Uint8, "OverflowError: Python integer 256 out of bounds for uint8"},
		{[]any{1, []int{200}[0]}, dtype.Int8, "OverflowError: Python integer 200 out of bounds for int8"},
		{[][]int{{1}, {-1}}, dtype.Uint8, "OverflowError: Python integer -1 out of bounds for uint8"},
		{-0.5, dtype.Uint8, "Array(0, dtype=uint8)"},
		{8, dtype.Int4, "Array(-8, dtype=int4)"},
		{1 << 40, dtype.Float32, "Array(1.0995116e+12, dtype=float32)"},
		{[]int64{300}, dtype.Uint8, "Array([44], dtype=uint8)"},
		{[]int{255, 0}, dtype.Uint8, "Array([255,   0], dtype=uint8)"},
	} {
		got := func() (text string) {
			defer func() {
				if e, ok := recover().(*core.Error); ok {
					text = e.Name + ": " + e.Message
				}
			}()
			return jnp.Array(row.x, kw.DType(row.dt)).Repr()
		}()
		if got != row.want {
			t.Errorf("%v as %s: %s\nwant %s", row.x, row.dt, got, row.want)
		}
	}
}
