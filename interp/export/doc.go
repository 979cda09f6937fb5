// Package export writes a notebook as a plain Go program.
//
// The cells are split and checked as in a session; what is written is the Go
// that the checker has made of them, with operators on Arrays as method calls
// and predeclared names as selectors, not what yaegi needs. Functions, methods,
// types and constants of cells become declarations of the program, variables
// its package variables, and each cell's statements a function that main calls
// in order (package cells). Names that a later cell declares anew get a number.
//
//	p, err := export.Notebook(nb, export.Options{Env: interp.CheckEnv()})
//	err = p.Write(dir, source)
package export
