// Package jaxlike is the user API: jit, grad, vmap and the other
// transformations of Go functions over arrays, ahead-of-time compilation, and
// configuration. In cells it is called jax and already imported.
//
//	f := jax.Jit(func(x jax.Array) jax.Array { return jnp.Sin(x).Add(1.) })
//	f(1.0)                        // compiled and run
//	f.Lower(1.0).AsText("hlo")    // what XLA gets
//
// Errors are raised by panic as *jax.Error with JAX's class and words; Try gives
// them as values.
package jaxlike
