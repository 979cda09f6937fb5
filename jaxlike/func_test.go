package jaxlike_test

import (
	"fmt"
	"testing"

	"gopherlo/jaxlike"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/jnp"
	"gopherlo/jaxlike/kw"
	"gopherlo/jaxlike/lax"
)

// TestMethodsOfJits holds that functions that are no jits say what has the
// methods of stages.
func TestMethodsOfJits(t *testing.T) {
	g := jaxlike.Grad(func(x jaxlike.Array) jaxlike.Array { return jnp.Sin(x) })
	for method, call := range map[string]func(){
		"lower": func() { g.Lower(1.) }, "trace": func() { g.Trace(1.) },
		"explain": func() { g.Explain(1.) }, "cache": func() { g.Cache() },
	} {
		func() {
			defer func() {
				e, _ := recover().(*core.Error)
				if e == nil || e.Name != "AttributeError" || e.Message != "'function' object has no attribute '"+method+"'" || e.Advice != "it is a method of jitted functions: jit(f)" {
					t.Errorf("%s: %#v", method, e)
				}
			}()
			call()
		}()
	}
}

type plainPair struct{ A, B float64 }

// TestGradOfStatic holds that a parameter whose value Go needs is refused where
// its derivative is asked for, and passed along where it is not.
func TestGradOfStatic(t *testing.T) {
	square := jaxlike.Named(func(x float64) float64 { return x * x }, "square", "x")
	scaled := jaxlike.Named(func(x jaxlike.Array, k float64) jaxlike.Array { return x.Mul(k) }, "scaled", "x", "k")
	product := jaxlike.Named(func(p plainPair) jaxlike.Array { return jnp.Array(p.A * p.B) }, "product", "p")
	first := jaxlike.Named(func(x []float64) float64 { return x[0] }, "first", "x")
	entry := jaxlike.Named(func(x map[string]float64) float64 { return x["a"] }, "entry", "x")
	const (
		ofSquare  = "TypeError: differentiating square with respect to x, which is static: its type is float64."
		declare   = " (declare the parameter as Array (or any); argnums names others)"
		declareX  = " (x is static, as its Go type is plain; declare x as Array (or any))"
		ofProduct = "TypeError: differentiating product with respect to p, which is static: its type is plainPair. (p.A is static, as its Go type is plain; declare p.A as Array (or any))"
	)
	for _, row := range []struct {
		want string
		call func()
	}{
		{ofSquare + declare, func() { jaxlike.Grad(square)(3.) }},
		{ofSquare + declare, func() { jaxlike.Hessian(square)(3) }},
		{ofSquare + declare, func() { jaxlike.Jacfwd(square)(3.) }},
		{ofSquare + declare, func() { jaxlike.Jacrev(square)(3.) }},
		{ofSquare + declare, func() { jaxlike.Vjp(square, 3.) }},
		{ofSquare + declare, func() { jaxlike.Linearize(square, 3.) }},
		{
			"TypeError: differentiating scaled with respect to k, which is static: its type is float64." + declare,
			func() { jaxlike.Jacfwd(scaled, jaxlike.Argnums(1))(3., 2.) },
		},
		{ofProduct, func() { jaxlike.Grad(product)(plainPair{3, 4}) }},
		{ofProduct, func() { jaxlike.Vjp(product, plainPair{3, 4}) }},
		{
			"TypeError: differentiating first with respect to x, which is static: its type is []float64." + declareX,
			func() { jaxlike.Grad(first)([]float64{3, 4}) },
		},
		{
			"TypeError: differentiating entry with respect to x, which is static: its type is map[string]float64. (x is static, as its Go type is plain; declare x as map[string]Array (or any))",
			func() { jaxlike.Grad(entry)(map[string]float64{"a": 3}) },
		},
		{
			"TypeError: primal and tangent arguments to jax.jvp must have the same tree structure; primals have tree structure PyTreeDef((3.0,)) whereas tangents have tree structure PyTreeDef((*,))." + declareX,
			func() { jaxlike.Jvp(square, 3., 1.) },
		},
		{
			"ValueError: vmap wrapped function must be passed at least one argument containing an array or axis_size must be specified, got empty *args=() and **kwargs={}" + declareX,
			func() { jaxlike.Vmap(square)(3.) },
		},
		{
			"TypeError: expected PyTreeDef((*, 2.0)), got PyTreeDef((*, *)) (k is static, as its Go type is plain; declare k as Array (or any))",
			func() { _, push := jaxlike.Linearize(scaled, 3., 2.); push(1., 1.) },
		},
	} {
		if got := raised(row.call); got != row.want {
			t.Errorf("%s\nwant %s", got, row.want)
		}
	}
	if got := jaxlike.Grad(scaled)(3., 2.).Float(); got != 2 {
		t.Errorf("gradient %v", got)
	}
	if _, pull := jaxlike.Vjp(scaled, 3., 2.); pull(1.).Out(0).Float() != 2 {
		t.Error("a static argument keeps vjp from the others")
	}
}

// raised is the error that a call raises: class, words and advice.
func raised(call func()) string {
	err := jaxlike.Catch(call)
	e, _ := err.(*core.Error)
	if e == nil {
		return fmt.Sprint(err)
	}
	if e.Advice == "" {
		return e.Name + ": " + e.Message
	}
	return e.Name + ": " + e.Message + " (" + e.Advice + ")"
}

// TestNone holds that an Array parameter or variable takes None, as JAX's do: an
// argument that is left out, a scan's inputs and outputs.
func TestNone(t *testing.T) {
	masked := jaxlike.Named(func(x, mask jaxlike.Array) jaxlike.Array {
		if mask.IsNone() {
			return x
		}
		return x.Mul(mask)
	}, "masked", "x", "mask")
	double := func(c, x jaxlike.Array) (jaxlike.Array, any) {
		if !x.IsNone() {
			t.Error("inputs of a scan without inputs")
		}
		return c.Mul(2.), nil
	}
	c, ys := lax.Scan(double, 1., nil, kw.Length(3))
	for _, row := range []struct{ got, want any }{
		{jaxlike.Jit(masked)(3., nil).Float(), 3.},
		{jaxlike.Jit(masked)(3., 2.).Float(), 6.},
		{jaxlike.Grad(masked)(3., nil).Float(), 1.},
		{jaxlike.Grad(masked, jaxlike.Argnums(1))(3., nil).IsNone(), true},
		{jaxlike.Vmap(masked)(jnp.Ones([]int{2}), nil).Shape()[0], 2},
		{c.Float(), 8.},
		{ys.IsNone(), true},
		{raised(func() { jaxlike.Jit(func(x jaxlike.Array) jaxlike.Array { return x.Add(1) })(nil) }), "TypeError: None was used where an array is needed"},
		{raised(func() { jaxlike.Jit(func(x int) int { return x })(nil) }), "TypeError: <lambda>: argument args[0]: None cannot be stored in a variable of type int; one of type any takes it"},
	} {
		if row.got != row.want {
			t.Errorf("%v, want %v", row.got, row.want)
		}
	}
}

// TestPlainNumbers holds that plain numbers go to parameters of any numeric type
// that Go would store the constant in, in every transformation.
func TestPlainNumbers(t *testing.T) {
	type weights struct{ W float32 }
	f32 := jaxlike.Named(func(x jaxlike.Array, s float32) jaxlike.Array { return x.Mul(s) }, "f", "x", "s")
	f64 := jaxlike.Named(func(x jaxlike.Array, s float64) jaxlike.Array { return x.Mul(s) }, "f", "x", "s")
	i64 := jaxlike.Named(func(x jaxlike.Array, s int64) jaxlike.Array { return x.Mul(float64(s)) }, "f", "x", "s")
	u8 := jaxlike.Named(func(x jaxlike.Array, s uint8) jaxlike.Array { return x.Mul(float64(s)) }, "f", "x", "s")
	field := jaxlike.Named(func(x jaxlike.Array, w weights) jaxlike.Array { return x.Mul(w.W) }, "f", "x", "s")
	for _, row := range []struct {
		f    any
		s    any
		want string
	}{
		{f32, 3., "6.0"},
		{f32, 3, "6.0"},
		{f32, .1, "0.2"},
		{f64, 3, "6.0"},
		{i64, 3, "6.0"},
		{i64, 3., "6.0"},
		{u8, 3, "6.0"},
		{field, weights{3}, "6.0"},
		{f32, 1e39, "TypeError: f: argument s: 1e+39 cannot be stored in a variable of type float32"},
		{i64, 3.5, "TypeError: f: argument s: 3.5 cannot be stored in a variable of type int64"},
		{u8, 256, "TypeError: f: argument s: 256 cannot be stored in a variable of type uint8"},
		{u8, -1, "TypeError: f: argument s: -1 cannot be stored in a variable of type uint8"},
		{i64, float32(3), "TypeError: f: argument s: 3.0 cannot be stored in a variable of type int64"},
	} {
		for name, call := range map[string]func() jaxlike.Array{
			"jit":    func() jaxlike.Array { return jaxlike.Jit(row.f)(2., row.s) },
			"static": func() jaxlike.Array { return jaxlike.Jit(row.f, jaxlike.StaticArgnums(1))(2., row.s) },
			"vmap":   func() jaxlike.Array { return jaxlike.Vmap(row.f)(jnp.Full([]int{1}, 2.), row.s).Index(0) },
			"grad":   func() jaxlike.Array { return jaxlike.Grad(row.f)(2., row.s).Mul(2.) },
		} {
			got := ""
			if failed := raised(func() { got = call().String() }); failed != "<nil>" {
				got = failed
			}
			if got != row.want {
				t.Errorf("%s: %v: %s\nwant %s", name, row.s, got, row.want)
			}
		}
	}
}
