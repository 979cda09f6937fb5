package jnp_test

import (
	"testing"

	"gopherlo/jaxlike"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/jnp"
	"gopherlo/jaxlike/kw"
)

// TestMethods holds that a method traces to what its function does.
func TestMethods(t *testing.T) {
	type f = func(a array.Array) array.Array
	for name, both := range map[string][2]f{
		"Dot":          {func(a array.Array) array.Array { return a.Dot(a.T()) }, func(a array.Array) array.Array { return jnp.Dot(a, jnp.Transpose(a)) }},
		"Flatten":      {array.Array.Flatten, func(a array.Array) array.Array { return jnp.Ravel(a) }},
		"Real":         {array.Array.Real, func(a array.Array) array.Array { return jnp.Real(a) }},
		"Imag":         {array.Array.Imag, func(a array.Array) array.Array { return jnp.Imag(a) }},
		"Conj":         {array.Array.Conj, func(a array.Array) array.Array { return jnp.Conj(a) }},
		"Sum":          {func(a array.Array) array.Array { return a.Sum() }, func(a array.Array) array.Array { return jnp.Sum(a) }},
		"Sum of two":   {func(a array.Array) array.Array { return a.Sum(0, 1) }, func(a array.Array) array.Array { return jnp.Sum(a, kw.Axis(0, 1)) }},
		"Std":          {func(a array.Array) array.Array { return a.Std(0) }, func(a array.Array) array.Array { return jnp.Std(a, kw.Axis(0)) }},
		"Var":          {func(a array.Array) array.Array { return a.Var() }, func(a array.Array) array.Array { return jnp.Var(a) }},
		"All":          {func(a array.Array) array.Array { return a.All(-1) }, func(a array.Array) array.Array { return jnp.All(a, kw.Axis(-1)) }},
		"Any":          {func(a array.Array) array.Array { return a.Any() }, func(a array.Array) array.Array { return jnp.Any(a) }},
		"ArgMax":       {func(a array.Array) array.Array { return a.ArgMax(1) }, func(a array.Array) array.Array { return jnp.ArgMax(a, kw.Axis(1)) }},
		"ArgMin":       {func(a array.Array) array.Array { return a.ArgMin() }, func(a array.Array) array.Array { return jnp.ArgMin(a) }},
		"CumSum":       {func(a array.Array) array.Array { return a.CumSum(0) }, func(a array.Array) array.Array { return jnp.CumSum(a, kw.Axis(0)) }},
		"CumProd":      {func(a array.Array) array.Array { return a.CumProd() }, func(a array.Array) array.Array { return jnp.CumProd(a) }},
		"Squeeze":      {func(a array.Array) array.Array { return a.Reshape(2, 1, 3).Squeeze() }, func(a array.Array) array.Array { return jnp.Squeeze(jnp.Reshape(a, []int{2, 1, 3})) }},
		"Squeeze axis": {func(a array.Array) array.Array { return a.Reshape(1, 6, 1).Squeeze(0) }, func(a array.Array) array.Array { return jnp.Squeeze(jnp.Reshape(a, []int{1, 6, 1}), kw.Axis(0)) }},
	} {
		x := jnp.Ones([]int{2, 3})
		if got, want := jaxlike.MakeJaxpr(both[0])(x).String(), jaxlike.MakeJaxpr(both[1])(x).String(); got != want {
			t.Errorf("%s:\n%s\nthe function:\n%s", name, got, want)
		}
	}
}
