package jaxlike_test

import (
	"strings"
	"testing"

	"gopherlo/jaxlike"
	"gopherlo/jaxlike/jnp"
)

// sinBelow is sin called n functions deeper.
func sinBelow(n int, x jaxlike.Array) jaxlike.Array {
	if n == 0 {
		return jnp.Sin(x)
	}
	return sinBelow(n-1, x)
}

// TestDeepStacks holds what JAX 0.12.0.1 writes: the innermost hundred places of
// a stack are 99 calls, and a shorter stack is whole.
func TestDeepStacks(t *testing.T) {
	for _, row := range []struct{ depth, calls int }{{20, 22}, {70, 72}, {97, 99}, {150, 99}, {3000, 99}} {
		f := func(x jaxlike.Array) jaxlike.Array { return sinBelow(row.depth, x) }
		text := jaxlike.Jit(f).Lower(1.).AsTextDebug()
		if got := strings.Count(text, "callsite("); got != row.calls {
			t.Errorf("depth %d: %d calls in the locations, want %d", row.depth, got, row.calls)
		}
	}
}
