package jaxlike_test

import (
	"fmt"
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

// Where JAX's function gets the caller's number, a parameter of type any has it too;
// where JAX's gets a tracer or an array, an Array.
func TestNumbersOfAny(t *testing.T) {
	needPlugin(t)
	var got string
	h := func(x jax.Array, n any) jax.Array {
		got += fmt.Sprintf("%T ", n)
		return jnp.Sin(x).Mul(n)
	}
	in := func(p map[string]any, x jax.Array) jax.Array {
		got += fmt.Sprintf("%T %T ", p["w"], p["lr"])
		return x.Mul(p["lr"]).Mul(p["w"])
	}
	x := jnp.Array([]float64{1, 2})
	for _, test := range []struct {
		name, want string
		run        func()
	}{
		{"grad", "int ", func() { jax.Grad(h)(1., 2) }},
		{"grad of both", "array.Array ", func() { jax.Grad(h, jax.Argnums(0, 1))(1., 2.) }},
		{"vmap", "float64 ", func() { jax.Vmap(h, jax.InAxes(0, nil))(x, 2.5) }},
		{"vmap of grad", "bool ", func() { jax.Vmap(jax.Grad(h), jax.InAxes(0, nil))(x, true) }},
		{"mapped", "array.Array ", func() { jax.Vmap(h)(x, x) }},
		{"hessian", "int ", func() { jax.Hessian(h)(1., 2) }},
		{"array", "array.Array ", func() { jax.Grad(h)(1., jnp.Array(2.)) }},
		{"jit", "array.Array ", func() { jax.Jit(h)(1., 2) }},
		{"jit of grad", "array.Array ", func() { jax.Jit(jax.Grad(h))(1., 2) }},
		{"grad of jit", "array.Array ", func() { jax.Grad(jax.Jit(h))(1., 2.5) }},
		{"tree", "array.Array float64 ", func() { jax.Grad(in, jax.Argnums(1))(map[string]any{"w": x.Sum(), "lr": .5}, 3.) }},
	} {
		got = ""
		if test.run(); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}
