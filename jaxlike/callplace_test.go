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
