package metadata_test

import (
	"errors"
	"testing"

	jax "gopherlo/jaxlike"
	"gopherlo/jaxlike/jnp"
	"gopherlo/jaxlike/tree"
	"gopherlo/metadata"
)

// TestSetErrors tags values that cannot be tagged, at once and while tracing.
func TestSetErrors(t *testing.T) {
	traced := func(attrs metadata.Attrs) func() {
		return func() {
			jax.MakeJaxpr(func(x jax.Array) jax.Array { return metadata.Set(x, attrs) })(1.)
		}
	}
	at := func(x any, attrs metadata.Attrs) func() { return func() { metadata.SetAny(x, attrs) } }
	const noHash = "As of JAX v0.7, parameters to jaxpr equations must have __hash__ and __eq__ methods. In a call to primitive xla_metadata_value, the value of parameter xla_metadata_kvs was not hashable: "
	for _, c := range []struct {
		name string
		run  func()
		want string
	}{
		{"a list at once", at(1., metadata.Attrs{"k": []int{1}}), "unhashable type: 'list'"},
		{"a dict in a tuple at once", at(1., metadata.Attrs{"k": tree.Tuple{1, map[string]int{"a": 1}}}), "unhashable type: 'dict'"},
		{"a list while tracing", traced(metadata.Attrs{"k": []int{1}}), noHash + "(('k', [1]),)"},
		{"a traced value", func() {
			jax.Jit(func(x jax.Array) jax.Array { return metadata.Call(jnp.Sin, metadata.Attrs{"k": x})(x) })(1.)
		}, "xla_metadata_call metadata values must be str, bool, int, or float, got <class 'jax._src.interpreters.partial_eval.DynamicJaxprTracer'> for key 'k'"},
		{"nothing", at(nil, metadata.Attrs{"k": 1}), ""},
		{"an empty tree", at(tree.Tuple{}, metadata.Attrs{"k": 1}), ""},
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
