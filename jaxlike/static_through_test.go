package jaxlike_test

import (
	"testing"

	jax "gopherlo/jaxlike"
	"gopherlo/jaxlike/jnp"
)

// A plain number is a static argument of a jit also below a transformation, which
// makes arrays of the arguments that it does not concern itself with.
func TestStaticNumbersBelowTransformations(t *testing.T) {
	needPlugin(t)
	scale := func(x jax.Array, n any) any { return x.Mul(n.(int)) }
	j := jax.Jit(scale, jax.StaticArgnums(1))
	for name, got := range map[string]jax.Array{
		"grad":       jax.Grad(j)(1., 2),
		"checkpoint": jax.Grad(jax.Checkpoint(j, jax.StaticArgnums(1)))(1., 2),
		"jit":        jax.Jit(jax.Grad(j), jax.StaticArgnums(1))(1., 2),
		"jacfwd":     jax.Jacfwd(j)(1., 2),
		"vmap":       jax.Vmap(j, jax.InAxes(0, nil))(jnp.Ones(1), 2),
	} {
		if v := got.Floats()[0]; v != 2 {
			t.Errorf("%s: %v, not 2", name, v)
		}
	}
}

// A compiled function takes the arguments that are not static, wherever the
// static ones stood.
func TestCompiledBetweenStatics(t *testing.T) {
	needPlugin(t)
	f := jax.Named(func(x jax.Array, n int, y jax.Array) jax.Array { return x.Mul(n).Add(y) }, "f", "x", "n", "y")
	c := jax.Jit(f, jax.StaticArgnums(1)).Lower(jnp.Ones(2), 3, 1.).Compile()
	if got := c(jnp.Ones(2), 1.).Floats()[0]; got != 4 {
		t.Errorf("got %v, not 4", got)
	}
	const want = "Argument types differ from the types for which this computation was compiled. Perhaps you are calling the compiled executable with a different enable_x64 mode than when it was AOT compiled? The mismatches are:\nArgument 'y' compiled with float32[] and called with int32[]"
	if err := jax.Catch(func() { c(jnp.Ones(2), 1) }); err == nil || err.Error() != want {
		t.Errorf("got %v, not %s", err, want)
	}
}
