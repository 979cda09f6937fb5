package jaxlike_test

import (
	"strings"
	"testing"

	jax "gopherlo/jaxlike"
	"gopherlo/jaxlike/jnp"
)

// The program of a jit that was called first and lowered then knows where it was
// called from, as JAX's does.
func TestCallPlace(t *testing.T) {
	jax.At("cell-2.go", "<module>", 7, 1, 7, 8)
	defer jax.EndAt()
	f := jax.Jit(jax.Named(func(x arr) arr {
		jax.At("cell-1.go", "f", 2, 9, 2, 19)
		return jnp.Sin(x).Mul(x)
	}, "f", "x"))
	f(2.0)
	jax.At("cell-3.go", "<module>", 1, 1, 1, 30)
	text := f.Lower(2.0).AsTextDebug("hlo")
	for _, want := range []string{`"cell-2.go"`, `"<module>"`, "line=7 end_line=7"} {
		if !strings.Contains(text, want) {
			t.Errorf("the text lacks %s:\n%s", want, text)
		}
	}
}

// What wraps a function, and the library's functions, are no frames of a program.
func TestFramesAreTheUsers(t *testing.T) {
	jax.At("cell-2.go", "<module>", 7, 1, 7, 8)
	defer jax.EndAt()
	wave := jax.Named(func(x arr) arr {
		jax.At("cell-1.go", "wave", 2, 9, 2, 19)
		return jnp.Sin(x).Mul(x)
	}, "wave", "x")
	for name, test := range map[string]struct {
		f    any
		want int
	}{"grad": {jax.Grad(wave), 1}, "vmap": {jax.Vmap(wave), 1}, "library": {jnp.Sin, 0}, "grad of library": {jax.Grad(jnp.Tanh), 0}} {
		arg := any(2.0)
		if name == "vmap" {
			arg = []float32{1, 2}
		}
		text := jax.Jit(test.f).Lower(arg).AsTextDebug()
		if strings.Contains(text, "unary.go") || strings.Count(text, `loc("wave"(`) != test.want {
			t.Errorf("%s: want %d places in wave and none in the library:\n%s", name, test.want, text)
		}
	}
}
