package jaxlike_test

import (
	"testing"

	"gopherlo/jaxlike"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/jnp"
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

// TestGradOfStatic holds that a parameter whose value Go needs is refused where
// its derivative is asked for, and passed along where it is not.
func TestGradOfStatic(t *testing.T) {
	square := func(x float64) float64 { return x * x }
	scaled := func(x jaxlike.Array, k float64) jaxlike.Array { return x.Mul(k) }
	for want, call := range map[string]func(){
		"differentiating <lambda> with respect to argument 0, which is static: its type is float64.": func() { jaxlike.Grad(square)(3.) },
		"differentiating <lambda> with respect to argument 1, which is static: its type is float64.": func() { jaxlike.Jacfwd(scaled, jaxlike.Argnums(1))(3., 2.) },
	} {
		func() {
			defer func() {
				if e, _ := recover().(*core.Error); e == nil || e.Name != "TypeError" || e.Message != want {
					t.Errorf("%#v\nwant %s", e, want)
				}
			}()
			call()
		}()
	}
	if got := jaxlike.Grad(scaled)(3., 2.).Float(); got != 2 {
		t.Errorf("gradient %v", got)
	}
}
