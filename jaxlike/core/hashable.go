package core

import (
	"reflect"
	"strings"

	"gopherlo/jaxlike/tree"
)

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
	if k := t.Kind(); k == reflect.Slice || k == reflect.Map || tree.IsLeafType(t) {
		return strings.TrimSuffix(strings.TrimPrefix(tree.Class(t), "<class '"), "'>")
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
