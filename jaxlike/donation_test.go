package jaxlike_test

import (
	"strings"
	"testing"

	jax "gopherlo/jaxlike"
	"gopherlo/jaxlike/jnp"
)

// TestDonors: the memory of a donated argument of as many elements as a result of
// another shape or type is XLA's to take (JAX 0.12.0.1, CPU).
func TestDonors(t *testing.T) {
	type arr = jax.Array
	for _, c := range []struct {
		name    string
		f       any
		args    []any
		texts   []string // of the parameters and of HLO's first line
		deleted []bool   // after a call
	}{
		{
			"type", func(x arr) arr { return x.AsType(jnp.Int32) },
			[]any{jnp.Ones(3)},
			[]string{"%arg0: tensor<3xf32> {jax.buffer_donor = true}", "buffer_donor={ (0, {}) }"},
			[]bool{true},
		},
		{
			"size", func(x arr) arr { return x.Reshape(4).AsType(jnp.Float16) },
			[]any{jnp.Ones([]int{2, 2})},
			[]string{"%arg0: tensor<2x2xf32> {jax.buffer_donor = true}"},
			[]bool{false},
		},
		{
			"both", func(x, y arr) (arr, arr, arr) { return x.Reshape(4), y.AsType(jnp.Int8), y.Sum() },
			[]any{jnp.Ones([]int{2, 2}), jnp.Ones(4)},
			[]string{
				"%arg0: tensor<2x2xf32> {jax.buffer_donor = true}, %arg1: tensor<4xf32> {tf.aliasing_output = 0 : i32}",
				"input_output_alias={ {0}: (1, {}, may-alias) }, buffer_donor={ (0, {}) }",
			},
			[]bool{false, true},
		},
	} {
		donate := jax.DonateArgnums(0)
		if len(c.args) == 2 {
			donate = jax.DonateArgnums(0, 1)
		}
		f := jax.Jit(c.f, donate)
		l := f.Lower(c.args...)
		all := l.AsText() + l.AsText("hlo")
		for _, want := range c.texts {
			if !strings.Contains(all, want) {
				t.Errorf("%s: no %s in\n%s", c.name, want, all)
			}
		}
		f(c.args...)
		for i, a := range c.args {
			if got := a.(arr).IsDeleted(); got != c.deleted[i] {
				t.Errorf("%s: argument %d deleted: %v", c.name, i, got)
			}
		}
	}
}
