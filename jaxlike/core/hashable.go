package core

import (
	"reflect"
	"strings"

	"gopherlo/jaxlike/tree"
)

// arrayClass is the class of arrays; other leaves, such as functions and large
// integers, can be hashed.
const arrayClass = "jaxlib._jax.ArrayImpl"

// Unhashable is the class of a value that Python cannot hash, and so cannot be
// part of a cache key: slices, maps, arrays, tuples with one of these. It is
// empty for other values.
func Unhashable(v any) string {
	switch v := v.(type) {
	case nil, []byte:
		return ""
	case tree.Tuple:
		return firstUnhashable(v)
	case Tuple:
		return firstUnhashable(v)
	}
	t := reflect.TypeOf(v)
	class := strings.TrimSuffix(strings.TrimPrefix(tree.Class(t), "<class '"), "'>")
	if k := t.Kind(); k == reflect.Slice || k == reflect.Map || class == arrayClass {
		return class
	}
	return ""
}

func firstUnhashable(vs []any) string {
	for _, x := range vs {
		if class := Unhashable(x); class != "" {
			return class
		}
	}
	return ""
}
