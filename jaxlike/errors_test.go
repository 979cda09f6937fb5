package jaxlike_test

import (
	"errors"
	"strings"
	"testing"

	jax "gopherlo/jaxlike"
	"gopherlo/jaxlike/jnp"
	"gopherlo/jaxlike/lax"
)

// TestErrorTexts compares parts of errors with what JAX 0.12.0.1 says in the
// same place.
func TestErrorTexts(t *testing.T) {
	var kept jax.Array
	keep := jax.Named(func(x jax.Array) jax.Array { kept = x; return x }, "keep", "x")
	const noPlace = "\n------------------------------\nThe leaked intermediate value was created on line . \n------------------------------\n" +
		"When the value was created, the final 5 stack frames (most recent last) excluding JAX-internal frames were:\n------------------------------\n\n------------------------------\n\nTo catch"
	x := jnp.Arange(3.)
	for _, c := range []struct {
		name, class, want string
		run               func()
	}{
		{"an argument that escapes jit", "UnexpectedTracerError", noPlace, func() { jax.Jit(keep)(1.); kept.Add(1) }},
		{"one that escapes cond", "UnexpectedTracerError", noPlace, func() {
			lax.Cond(true, keep, func(x jax.Array) jax.Array { return x }, 1.)
			kept.Add(1)
		}},
		{"a traced bound", "IndexError", "Array slice indices must have static start/stop/step to be used with NumPy indexing syntax. Got slice(0, JitTracer(~int32[]), None) at position 1. To index an array at a dynamic position with a static slice size, use x[jax.ds(start, size)] or lax.dynamic_slice/dynamic_update_slice instead (JAX does not support dynamically sized arrays within traced functions).\nThe error occurred while tracing the function f at ", func() {
			f := func(x, i jax.Array) jax.Array { return x.Index(jnp.NewAxis, jnp.Slice(0, i)) }
			jax.Jit(jax.Named(f, "f", "x", "i"))(x, 2)
		}},
		{"axes that are a dict", "TypeError", "vmap in_axes must be an int, None, or a tuple of entries corresponding to the positional arguments passed to the function, but got {'a': 0}.", func() {
			jax.Vmap(keep, jax.InAxes(map[string]any{"a": 0}))
		}},
		{"axes that are a string", "TypeError", "but got a.", func() { jax.Vmap(keep, jax.InAxes("a")) }},
	} {
		err := jax.Catch(c.run)
		var e *jax.Error
		if !errors.As(err, &e) || e.Name != c.class || !strings.Contains(e.Message, c.want) {
			t.Errorf("%s: got %v, want %s", c.name, err, c.want)
		}
	}
}
