package cells

import "gopherlo/jaxlike/core"

// Fn says what f and its parameters are called in the cell, by which jaxprs and
// programs name it wherever its value goes.
func Fn[F any](f F, name string, params ...string) F {
	core.NameFunction(f, name, params...)
	return f
}
