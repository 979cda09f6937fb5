package check

import (
	"go/types"
	"sync"
)

// mainPath is the path of every cell's package: what Go prints before type
// names, and what makes unexported names of all cells comparable.
const mainPath = "main"

// interpreted are the packages that a session has loaded from source. A package
// that is loaded again is another one.
var interpreted sync.Map // *types.Package to struct{}

// Interpreted reports a package that is lowered and interpreted: that of a cell, or
// one of a folder that a session has loaded; nil and compiled ones are not.
func Interpreted(pkg *types.Package) bool {
	if pkg == nil {
		return false
	}
	if pkg.Path() == mainPath {
		return true
	}
	_, ok := interpreted.Load(pkg)
	return ok
}

// IsCellType reports whether a type name was declared in a cell, or in a package
// that is interpreted.
func IsCellType(obj *types.TypeName) bool { return Interpreted(obj.Pkg()) }
