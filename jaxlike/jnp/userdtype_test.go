package jnp_test

import (
	"strings"
	"testing"

	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
	"gopherlo/jaxlike/jnp"
	"gopherlo/jaxlike/kw"
)

// Types that only x64 mode has are truncated with JAX's warning, which names the
// function that was asked; one place warns once.
func TestTruncatedTypes(t *testing.T) {
	var got []string
	defer core.OnWarn(func(class, text string) { got = append(got, class+": "+text) })()
	x := []float64{1, 2}
	for _, c := range []struct {
		fun string
		f   func() array.Array
	}{
		{"arange", func() array.Array { return jnp.Arange(3., kw.DType(dtype.Float64)) }},
		{"zeros", func() array.Array { return jnp.Zeros(3, kw.DType(dtype.Float64)) }},
		{"full", func() array.Array { return jnp.Full(3, 1., kw.DType(dtype.Float64)) }},
		{"array", func() array.Array { return jnp.Array(x, kw.DType(dtype.Float64)) }},
		{"astype", func() array.Array { return jnp.AsType(x, dtype.Float64) }},
		{"sum", func() array.Array { return jnp.Sum(x, kw.DType(dtype.Float64)) }},
		{"mean", func() array.Array { return jnp.Mean(x, kw.DType(dtype.Float64)) }},
		{"var", func() array.Array { return jnp.Var(x, kw.DType(dtype.Float64)) }},
		{"std", func() array.Array { return jnp.Std(x, kw.DType(dtype.Float64)) }},
		{"cumsum", func() array.Array { return jnp.CumSum(x, kw.DType(dtype.Float64)) }},
		{"linspace", func() array.Array { return jnp.Linspace(0, 1, kw.DType(dtype.Float64)) }},
	} {
		got = nil
		for range 2 {
			if y := c.f(); y.DType() != dtype.Float32 {
				t.Errorf("%s gives %s", c.fun, y.DType())
			}
		}
		want := "UserWarning: Explicitly requested dtype float64 requested in " + c.fun + " is not available, and will be truncated to dtype float32. "
		if len(got) != 1 || !strings.HasPrefix(got[0], want) {
			t.Errorf("%s warns %q, want once %q", c.fun, got, want)
		}
	}
	got = nil
	jnp.Ones(2, kw.DType(dtype.Int8))
	jnp.Mean(x)
	if len(got) > 0 {
		t.Errorf("warned %q", got)
	}
}
