// Package random draws random numbers as jax.random does, bit for bit: from
// keys of the threefry generator, which are split and used once.
//
//	key := random.Key(0)
//	k1, k2 := random.Split2(key)
//	x := random.Normal(k1, kw.Shape(3, 2))
package random

//go:generate go run gopherlo/internal/jaxnames -pkg random
