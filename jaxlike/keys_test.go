package jaxlike_test

import (
	"strings"
	"testing"

	jax "gopherlo/jaxlike"
	"gopherlo/jaxlike/jnp"
	"gopherlo/jaxlike/lax"
	"gopherlo/jaxlike/random"
)

// TestKeysMoveAsWords compares the bodies of programs that move random keys
// about with those of JAX 0.12.0.1.
func TestKeysMoveAsWords(t *testing.T) {
	ks := random.Split(random.Key(0), 3)
	index := []string{
		`%c_0 = stablehlo.constant dense<3> : tensor<i32>`,
		`%c_1 = stablehlo.constant dense<0> : tensor<i32>`,
	}
	for name, c := range map[string]struct {
		f    any
		args []any
		want []string
	}{
		"index": {func(ks, i jax.Array) jax.Array { return ks.Index(i) }, []any{ks, 1}, append(index,
			`%5 = stablehlo.dynamic_slice %0, %4, %c_1, sizes = [1, 2] : (tensor<3x2xui32>, tensor<i32>, tensor<i32>) -> tensor<1x2xui32>`)},
		"update": {func(ks, k, i jax.Array) jax.Array { return lax.DynamicUpdateIndexInDim(ks, k, i, 0) }, []any{ks, ks.Index(0), 1}, append(index,
			`%0 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<2xui32>) -> tensor<1x2xui32>`,
			`%5 = stablehlo.dynamic_update_slice %arg0, %0, %4, %c_1 : (tensor<3x2xui32>, tensor<1x2xui32>, tensor<i32>, tensor<i32>) -> tensor<3x2xui32>`)},
		"equal": {func(ks jax.Array) jax.Array { return ks.Eq(ks) }, []any{ks}, []string{
			`%1 = stablehlo.compare EQ, %0, %0, UNSIGNED : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xi1>`,
			`%c = stablehlo.constant dense<true> : tensor<i1>`,
			`%2 = stablehlo.reduce(%1 init: %c) applies stablehlo.and across dimensions = [1] : (tensor<3x2xi1>, tensor<i1>) -> tensor<3xi1>`,
		}},
		"not equal": {func(ks jax.Array) jax.Array { return ks.Ne(ks.Index(0)) }, []any{ks}, []string{
			`%3 = stablehlo.broadcast_in_dim %2, dims = [1] : (tensor<2xui32>) -> tensor<3x2xui32>`,
			`%4 = stablehlo.compare NE, %0, %3, UNSIGNED : (tensor<3x2xui32>, tensor<3x2xui32>) -> tensor<3x2xi1>`,
			`%5 = stablehlo.reduce(%4 init: %c) applies stablehlo.or across dimensions = [1] : (tensor<3x2xi1>, tensor<i1>) -> tensor<3xi1>`,
		}},
		"where": {func(p, ks jax.Array) jax.Array { return jnp.Where(p, ks, ks) }, []any{jnp.Array([]bool{true, false, true}), ks}, []string{
			`%0 = stablehlo.broadcast_in_dim %arg0, dims = [0] : (tensor<3xi1>) -> tensor<3x2xi1>`,
			`tensor<3x2xi1>, tensor<3x2xui32>`,
		}},
		"where of one": {func(p, ks jax.Array) jax.Array { return jnp.Where(p, ks.Index(0), ks.Index(1)) }, []any{true, ks}, []string{
			`%0 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<i1>) -> tensor<2xi1>`,
			`%1 = stablehlo.select %0, %arg1, %arg2 : tensor<2xi1>, tensor<2xui32>`,
		}},
	} {
		f := jax.Jit(c.f)
		text := f.Lower(c.args...).AsText()
		for _, line := range c.want {
			if !strings.Contains(text, line) {
				t.Errorf("%s: no %q in\n%s", name, line, text)
			}
		}
	}
}

// TestScanOverKeys draws a number with each key, as a Markov chain does.
func TestScanOverKeys(t *testing.T) {
	needPlugin(t)
	ks := random.Split(random.Key(0), 3)
	sum, same := lax.Scan(func(c, k jax.Array) (jax.Array, jax.Array) { return c.Add(random.Normal(k)), k }, 0., ks)
	if got := sum.String(); got != "-0.1428054" {
		t.Errorf("sum = %s", got)
	}
	if !jnp.All(same.Eq(ks)).Bool() {
		t.Errorf("keys = %v", same)
	}
}
