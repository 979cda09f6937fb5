package stages

import (
	"reflect"

	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/tree"
)

// unhashable is the class name of a value that cannot be part of a cache key
// (a slice or map), else "".
func unhashable(v any) string {
	rv := reflect.ValueOf(v)
	switch rv.Kind() {
	case reflect.Slice:
		if _, bytes := v.([]byte); bytes {
			return ""
		}
		return tree.ClassName(rv.Type())
	case reflect.Map:
		return tree.ClassName(rv.Type())
	}
	return ""
}

// CheckHashable raises the error of a jit whose options cannot be hashed.
func CheckHashable(options map[string]any) {
	for _, k := range sortedKeys(options) {
		if class := unhashable(options[k]); class != "" {
			core.ValueErrorf("Hashing global cache key lead to an exception. The error was:\nTraceback (most recent call last):\n  ...\nTypeError: unhashable type: '%s'\n", class)
		}
	}
}
