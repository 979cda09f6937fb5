package jaxlike_test

import (
	"fmt"
	"strings"
	"testing"

	jax "gopherlo/jaxlike"
	"gopherlo/jaxlike/jnp"
)

type dense struct {
	W, B jax.Array
	n    int
}

// Maps name the fields of a struct that are mapped; the rest is not.
func TestAxesByFieldName(t *testing.T) {
	m := dense{jnp.Arange(6.).Reshape(2, 3), jnp.Arange(8.).Reshape(4, 2), 3}
	apply := func(d dense, x jax.Array) jax.Array { return d.W.MatMul(x).Add(d.B) }
	type axes = map[string]any
	j := jax.MakeJaxpr(jax.Vmap(apply, jax.InAxes(axes{"B": 0}, nil)))(m, jnp.Ones(3))
	want := jax.MakeJaxpr(jax.Vmap(func(w, b, x jax.Array) jax.Array { return w.MatMul(x).Add(b) }, jax.InAxes(nil, 0, nil)))(m.W, m.B, jnp.Ones(3))
	if j.String() != want.String() {
		t.Errorf("fields by name:\n%s\nseparate arguments:\n%s", j, want)
	}
	list := jax.Vmap(func(ds []dense) jax.Array { return ds[0].W }, jax.InAxes(jax.Tuple{[]any{axes{"W": 1}}}))
	if got := jax.EvalShape(list, []dense{m}); !strings.Contains(shapes(got), "(3, 2)") {
		t.Errorf("a struct in a list: %s", shapes(got))
	}
	out := jax.Vmap(func(x jax.Array) dense { return dense{x, x, 1} }, jax.OutAxes(axes{"W": 1, "B": 0}))
	if got := shapes(jax.EvalShape(out, m.W)); !strings.Contains(got, "(3, 2)") || !strings.Contains(got, "(2, 3)") {
		t.Errorf("results: %s", got)
	}
	err := jax.Catch(func() { jax.Vmap(apply, jax.InAxes(axes{"Q": 0}, nil))(m, jnp.Ones(3)) })
	if err == nil || !strings.Contains(err.Error(), "vmap in_axes names the field Q of dense, whose fields are W, B") {
		t.Errorf("an unknown field: %v", err)
	}
}

func shapes(v any) string { return fmt.Sprint(v) }
