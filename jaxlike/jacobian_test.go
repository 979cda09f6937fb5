package jaxlike_test

import (
	"testing"

	jax "gopherlo/jaxlike"
	"gopherlo/jaxlike/jnp"
	"gopherlo/xla/plugin"

	_ "gopherlo/xla/pjrt" // the runtime that the programs run on
)

// needPlugin skips a test that runs programs where there is no plugin.
func needPlugin(t *testing.T) {
	t.Helper()
	if _, err := plugin.Find("cpu"); err != nil {
		t.Skip("no CPU plugin: run `gopherlo plugin install cpu`")
	}
}

// TestJacobians compares with what JAX 0.12.0.1 prints for the same functions.
func TestJacobians(t *testing.T) {
	needPlugin(t)
	trees := func(x, y jax.Array) map[string]any {
		return map[string]any{"s": x.Mul(jnp.Sum(y)), "p": jax.Tuple{y.Mul(y).Mul(x)}}
	}
	aux := func(x jax.Array) (jax.Array, jax.Array) { return x.Mul(x), x.Add(1.) }
	y := []float32{1, 3}
	const square = "Array([[2., 0.],\n       [0., 6.]], dtype=float32)"
	for _, c := range []struct {
		name string
		got  jax.Array
		want string
	}{
		{
			"jacfwd of trees", jax.Jacfwd(trees, jax.Argnums(0, 1))(2., y),
			"{'p': ((Array([1., 9.], dtype=float32), Array([[ 4.,  0.],\n       [ 0., 12.]], dtype=float32)),), " +
				"'s': (Array(4., dtype=float32), Array([2., 2.], dtype=float32))}",
		},
		{
			"jacrev of trees", jax.Jacrev(trees, jax.Argnums(0, 1))(2., y),
			"{'p': ((Array([1., 9.], dtype=float32, weak_type=True), Array([[ 4.,  0.],\n       [ 0., 12.]], dtype=float32)),), " +
				"'s': (Array(4., dtype=float32, weak_type=True), Array([2., 2.], dtype=float32))}",
		},
		{"jacfwd with aux", jax.Jacfwd(aux, jax.HasAux(true))(y), "(" + square + ", Array([2., 4.], dtype=float32))"},
		{"jacrev with aux", jax.Jacrev(aux, jax.HasAux(true))(y), "(" + square + ", Array([2., 4.], dtype=float32))"},
		{
			"hessian of a tree", jax.Hessian(func(p map[string]jax.Array) jax.Array { return p["a"].Pow(2).Mul(p["b"]) })(map[string]any{"a": 2., "b": 3.}),
			"{'a': {'a': Array(6., dtype=float32, weak_type=True), 'b': Array(4., dtype=float32, weak_type=True)}, " +
				"'b': {'a': Array(4., dtype=float32, weak_type=True), 'b': Array(0., dtype=float32, weak_type=True)}}",
		},
	} {
		if s := c.got.Repr(); s != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, s, c.want)
		}
	}
}

func TestJacobianErrors(t *testing.T) {
	needPlugin(t)
	id := func(x jax.Array) jax.Array { return x }
	for _, c := range []struct {
		f    jax.Func
		arg  any
		want string
	}{
		{jax.Jacfwd(id), 3, "jacfwd requires real-valued inputs (input dtype that is a sub-dtype of np.floating), but got int32. For holomorphic differentiation, pass holomorphic=True. For differentiation of non-holomorphic functions involving complex inputs or integer inputs, use jax.jvp directly."},
		{jax.Jacrev(id), 3, "jacrev requires real- or complex-valued inputs (input dtype that is a sub-dtype of np.inexact), but got int32. If you want to use Boolean- or integer-valued inputs, use vjp or set allow_int to True."},
		{
			jax.Jacrev(func(x jax.Array) jax.Array { return x.AsType(jnp.Int32) }), 3.,
			"jacrev requires real-valued outputs (output dtype that is a sub-dtype of np.floating), but got int32. For differentiation of functions with integer outputs, use jax.vjp directly.",
		},
	} {
		if _, err := c.f.Try(c.arg); err == nil || err.Error() != c.want {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}

func TestVmapOutAxes(t *testing.T) {
	needPlugin(t)
	f := func(x jax.Array) (jax.Array, jax.Array) { return x, x.Mul(2.) }
	got := jax.Vmap(f, jax.OutAxes(-1, 0))(jnp.Arange(6.).Reshape(2, 3)).Repr()
	want := "(Array([[0., 3.],\n       [1., 4.],\n       [2., 5.]], dtype=float32), Array([[ 0.,  2.,  4.],\n       [ 6.,  8., 10.]], dtype=float32))"
	if got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}
