package jaxlike_test

import (
	"errors"
	"testing"

	jax "gopherlo/jaxlike"
)

// TestCotangentTrees gives rules of custom_vjp whose results do not have the
// structure of the arguments, and those that have.
func TestCotangentTrees(t *testing.T) {
	type D = map[string]any
	vjp := func(result func(g any) any) func() {
		f := jax.CustomVJP(func(d D) any { return d["a"] },
			func(d D) (any, any) { return d["a"], nil },
			func(_ any, g any) any { return result(g) })
		return func() { jax.Grad(f)(D{"a": 1.}) }
	}
	const start = "Custom VJP bwd rule must produce an output with the same container (pytree) structure as the args tuple of the primal function, and in particular must produce a tuple of length equal to the number of arguments to the primal function, but got bwd output structure "
	const end = " for primal input structure PyTreeDef(({'a': *},))."
	for _, c := range []struct {
		name string
		run  func()
		want string
	}{
		{"a tuple", vjp(func(g any) any { return jax.Tuple{D{"a": g}} }), ""},
		{"a list", vjp(func(g any) any { return []any{D{"a": g}} }), ""},
		{"the only cotangent alone", vjp(func(g any) any { return D{"a": g} }), ""},
		{"nothing for the argument", vjp(func(any) any { return jax.Tuple{nil} }), ""},
		{"nothing for a part", vjp(func(any) any { return jax.Tuple{D{"a": nil}} }), ""},
		{"another key", vjp(func(g any) any { return jax.Tuple{D{"b": g}} }), start + "PyTreeDef(({'b': *},))" + end},
		{"a list for a dict", vjp(func(g any) any { return jax.Tuple{[]any{g}} }), start + "PyTreeDef(([*],))" + end},
		{"a dict for the arguments", vjp(func(g any) any { return D{"x": D{"a": g}} }), start + "PyTreeDef({'x': {'a': *}})" + end},
	} {
		err := jax.Catch(c.run)
		var e *jax.Error
		switch {
		case err == nil && c.want == "":
		case !errors.As(err, &e) || e.Name != "TypeError" || e.Message != c.want:
			t.Errorf("%s: got %v, want %s", c.name, err, c.want)
		}
	}
}
