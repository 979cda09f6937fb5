package jaxlike_test

import (
	"math/big"
	"strings"
	"testing"

	jax "gopherlo/jaxlike"
	"gopherlo/jaxlike/jnp"
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

// TestConversionsOfTracers: what Go asks of values that are not known yet, in
// the words of JAX 0.12.0.1.
func TestConversionsOfTracers(t *testing.T) {
	type arr = jax.Array
	jit := func(f any) func(args ...any) error {
		return func(args ...any) error {
			return jax.Catch(func() { jax.Jit(jax.Named(f, "f", "x"))(args...) })
		}
	}
	grad := func(f func(x arr) arr) func(args ...any) error {
		return func(args ...any) error { return jax.Catch(func() { jax.Grad(f)(args...) }) }
	}
	matrix := jnp.Ones([]int{2, 3})
	call := func(f func(args ...any) error, arg any) string {
		if err := f(arg); err != nil {
			return err.Error()
		}
		return "ok"
	}
	for _, c := range []struct{ name, got, want string }{
		{"float of a matrix", call(jit(func(x arr) any { return x.Float() }), matrix), "Only scalar arrays can be converted to Python scalars; got arr.ndim=2"},
		{"item", call(jit(func(x arr) any { return x.Item() }), 1.), "This occurred in the item() method of jax.Array"},
		{"nonzero", call(jit(func(x arr) any { return jnp.NonZero(x) }), matrix), "traced array with shape int32[]\nThe size argument of jnp.nonzero"},
		{"unique", call(jit(func(x arr) any { return jnp.Unique(x) }), matrix), "The error arose for the first argument of jnp.unique(). To make"},
		{"arange", call(jit(func(n arr) any { return jnp.Arange(n) }), 3), "It arose in the jnp.arange argument 'stop'\nThe error occurred"},
		{"shape", call(jit(func(n arr) any { return jnp.Zeros(n) }), 3), "got (JitTracer(~int32[]),).\nIf using `jit`, try using `static_argnums`"},
		{"shape of rank 1", call(jit(func(n arr) any { return jnp.Zeros(jnp.Stack([]arr{n, n})) }), 3), "got JitTracer(~int32[2]).\nIf using `jit`"},
		{"repeat", call(jit(func(n arr) any { return jnp.Repeat(matrix, n) }), 3), "expected: traced array with shape int32[]\nWhen jit-compiling jnp.repeat, the total"},
		{"repeat's place", call(jit(func(n arr) any { return jnp.Repeat(matrix, n) }), 3), "to `total_repeat_length`.\nThe error occurred while"},
		{"float under grad", call(grad(func(x arr) arr { return x.Mul(x.Float()) }), 3.), "The problem arose with the `float` function."},
		{"int under grad", call(grad(func(x arr) arr { return x.Mul(x.Int()) }), 3.), "ok"},
		{"item under grad", call(grad(func(x arr) arr { return x.Mul(x.Item()) }), 3.), "ok"},
		{"int of many bits", call(jit(func(x any) any { return x }), new(big.Int).Lsh(big.NewInt(1), 64)), "whose argument path is x. Got <class 'int'> with value 18446744073709551616"},
		{"large int under grad", call(grad(func(x arr) arr { return x }), 1<<40), "Python int 1099511627776 too large to convert to int32"},
		{"text under grad", call(grad(func(x arr) arr { return x }), "s"), "Argument 's' of type <class 'str'> is not a valid JAX type."},
	} {
		if !strings.Contains(c.got, c.want) {
			t.Errorf("%s: %s\nnot %s", c.name, c.got, c.want)
		}
	}
	again := jax.Jit(jax.Named(func(x any) any { return x }, "f", "x"))
	again(1)
	if _, err := again.Try(1 << 40); err == nil || !strings.Contains(err.Error(), "whose argument path is x") {
		t.Errorf("a large int after a small one: %v", err)
	}
}
