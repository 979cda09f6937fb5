// Package jnp has the array functions of jax.numpy, written with package lax:
// they promote types and ranks as JAX does, and form the same units for
// differentiation and batching.
//
//	y := jnp.Sum(jnp.Sin(x).Mul(2.0), kw.Axis(0))
//
// Arguments are Arrays or Go numbers; keyword options come from package kw.
package jnp

//go:generate go run gopherlo/internal/jaxnames -pkg jnp
