package cells

import (
	"fmt"
	"reflect"

	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/lax"
	"gopherlo/jaxlike/tree"
)

// Len is the length of an Array, or of the results that it stands for: len in
// cells.
func Len(x array.Array) int {
	if parts, ok := results(x); ok {
		return len(parts)
	}
	if x.NDim() == 0 {
		core.TypeErrorf("len() of unsized object")
	}
	return x.Shape()[0]
}

// rowsAtOnce is how many rows of an array on a device are cut out by one program
// (_chunk_iter in jax/_src/numpy/array_methods.py, JAX 0.12.0.1).
const rowsAtOnce = 100

// Rows takes an Array apart along its first dimension: range in cells.
func Rows(x array.Array) []array.Array {
	if parts, ok := results(x); ok {
		return parts
	}
	if x.NDim() == 0 {
		core.TypeErrorf("iteration over a 0-d array")
	}
	n := x.Shape()[0]
	if _, device := x.Value().(*core.Const); !device || n <= rowsAtOnce {
		return lax.Unstack(x, 0)
	}
	rows := make([]array.Array, 0, n)
	for from := 0; from < n; from += rowsAtOnce {
		size := min(rowsAtOnce, n-from)
		rows = append(rows, lax.Unstack(lax.DynamicSliceInDim(x, from, size, 0), 0)...)
	}
	return rows
}

// results gives the results of a call that gave several.
func results(x array.Array) ([]array.Array, bool) {
	whole, ok := array.Expand(x)
	if !ok {
		return nil, false
	}
	v := reflect.ValueOf(whole)
	if v.Kind() != reflect.Slice && v.Kind() != reflect.Array {
		core.TypeErrorf("%s is not iterable", tree.ClassOf(whole))
	}
	parts := make([]array.Array, v.Len())
	for i := range parts {
		parts[i] = x.Out(i)
	}
	return parts, true
}

// shown are the values of the cells that have run; running is the number of the
// cell that does.
var (
	shown   = map[int]any{}
	running int
)

// keep remembers the value of the cell that runs.
func keep(values []any) {
	if len(values) == 1 {
		shown[running] = values[0]
	} else {
		shown[running] = values
	}
}

// Out is the value that a cell has shown: Out[n] in cells.
func Out[T any](n int) T {
	v, ok := shown[n]
	if !ok {
		Raise("KeyError", fmt.Sprint(n))
	}
	x, _ := v.(T)
	return x
}

// Outs is Out in cells: all values that cells have shown.
func Outs() map[int]any { return shown }
