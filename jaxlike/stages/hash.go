package stages

import "gopherlo/jaxlike/core"

// CheckHashable raises the error of a jit whose options cannot be hashed.
func CheckHashable(options map[string]any) {
	for _, k := range sortedKeys(options) {
		if class := core.Unhashable(options[k]); class != "" {
			core.ValueErrorf("Hashing global cache key lead to an exception. The error was:\nTraceback (most recent call last):\n  ...\nTypeError: unhashable type: '%s'\n", class)
		}
	}
}
