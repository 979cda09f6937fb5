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

// fewRows is how many rows of an array on a device one program cuts out. JAX
// has programs for a hundred (_chunk_iter in jax/_src/numpy/array_methods.py,
// 0.12.0.1), which take seconds to compile here; one that cuts out any row is
// compiled once for all.
const fewRows = 4

// Rows takes an Array apart along its first dimension: range in cells.
func Rows(x array.Array) []array.Array {
	if parts, ok := results(x); ok {
		return parts
	}
	if x.NDim() == 0 {
		core.TypeErrorf("iteration over a 0-d array")
	}
	n := x.Shape()[0]
	if _, device := x.Value().(*core.Const); !device || n <= fewRows {
		return lax.Unstack(x, 0)
	}
	rows := make([]array.Array, n)
	for i := range rows {
		rows[i] = lax.DynamicIndexInDim(x, i, 0, false)
	}
	return rows
}

// Pack makes one of Arrays that are taken apart at once: a, b := jnp.Split(x, 2) in
// cells.
func Pack(xs []array.Array) array.Array {
	var leaves []core.Value
	defs := make([]*tree.Def, len(xs))
	for i, x := range xs {
		if r := x.Results(); r != nil {
			leaves, defs[i] = append(leaves, r.Leaves...), r.Def
			continue
		}
		leaves, defs[i] = append(leaves, x.Value()), tree.LeafDef()
	}
	return array.NewResults(leaves, tree.TupleDef(defs...))
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
