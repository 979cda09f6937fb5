package jaxlike_test

import (
	"testing"

	jax "gopherlo/jaxlike"
	"gopherlo/jaxlike/jnp"

	_ "gopherlo/xla/pjrt" // the runtime
)

func BenchmarkWarmCall(b *testing.B) {
	f := jax.Jit(func(x jax.Array) jax.Array { return jnp.Sin(x) })
	x := jnp.Array([]float32{1})
	f(x)
	b.Run("Deleted", func(b *testing.B) {
		for b.Loop() {
			y := f(x)
			y.BlockUntilReady()
			y.Delete()
		}
	})
	b.Run("Dropped", func(b *testing.B) {
		for b.Loop() {
			f(x).BlockUntilReady()
		}
	})
}
