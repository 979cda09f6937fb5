package rt

import (
	"cmp"
	"reflect"
	"slices"
)

// Compiled instances of generic standard functions for basic types: lowered
// code uses them instead of interpreting the source of package slices.

func instances() map[string]any {
	m := map[string]any{}
	ordered[int](m)
	ordered[int8](m)
	ordered[int16](m)
	ordered[int32](m)
	ordered[int64](m)
	ordered[uint](m)
	ordered[uint8](m)
	ordered[uint16](m)
	ordered[uint32](m)
	ordered[uint64](m)
	ordered[float32](m)
	ordered[float64](m)
	ordered[string](m)
	return m
}

func ordered[E cmp.Ordered](m map[string]any) {
	t := reflect.TypeFor[E]().Name()
	add := func(name string, f any) { m["slices_"+name+"_"+t+"_"+t] = f }
	add("Sort", slices.Sort[[]E])
	add("SortFunc", slices.SortFunc[[]E])
	add("SortStableFunc", slices.SortStableFunc[[]E])
	add("IsSorted", slices.IsSorted[[]E])
	add("Contains", slices.Contains[[]E])
	add("Index", slices.Index[[]E])
	add("Max", slices.Max[[]E])
	add("Min", slices.Min[[]E])
	add("BinarySearch", slices.BinarySearch[[]E])
	add("Reverse", slices.Reverse[[]E])
	add("Equal", slices.Equal[[]E])
	add("Compact", slices.Compact[[]E])
	m["cmp_Compare_"+t] = cmp.Compare[E]
	m["cmp_Less_"+t] = cmp.Less[E]
}
