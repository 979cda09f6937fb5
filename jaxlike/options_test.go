package jaxlike_test

import (
	"testing"

	jax "gopherlo/jaxlike"
)

// TestWhenOptionsAreLookedAt: XLA's options count when a program is compiled,
// whether they can be hashed when jit is called (JAX 0.12.0.1).
func TestWhenOptionsAreLookedAt(t *testing.T) {
	f := jax.Named(func(x jax.Array) jax.Array { return x.Mul(2.) }, "f", "x")
	bad := jax.Jit(f, jax.CompilerOptions{"not_an_option": 1})
	if err := jax.Catch(func() {
		bad.Trace(1.)
		bad.Lower(1.)
		jax.EvalShape(bad, 1.)
	}); err != nil {
		t.Error(err)
	}
	if err := jax.Catch(func() { jax.EvalShape(func(x jax.Array) jax.Array { return bad(x) }, 1.) }); err == nil {
		t.Error("options of an inner jit pass")
	}
	for _, v := range []any{[]int{1}, map[string]int{}} {
		err := jax.Catch(func() { jax.Jit(f, jax.CompilerOptions{"a": v}) })
		if e, ok := err.(*jax.Error); !ok || e.Name != "ValueError" {
			t.Errorf("%v: %v", v, err)
		}
	}
}
