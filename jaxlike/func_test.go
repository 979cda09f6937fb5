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
