package stablehlo

import (
	"maps"
	"slices"
	"strings"
)

// Operations lists the operations that text may hold in a form of their own,
// "stablehlo.add"; others are known in the generic form only.
func Operations() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(forms)), func(name string) bool { return strings.HasPrefix(name, "func.") })
}
