// Package kw holds the keyword options of the array functions:
//
//	jnp.Sum(x, kw.Axis(0), kw.KeepDims(true))
//
// Each function accepts its own set, an interface such as [SumOption], so an
// option that a function does not know is a compile error. The sets are
// generated from the table in gen.go.
package kw

//go:generate go run gen.go
