//go:build cgo

package jaxlike_test

import (
	"encoding/json"
	"strings"
	"testing"

	jax "gopherlo/jaxlike"
	"gopherlo/jaxlike/jnp"
	"gopherlo/jaxlike/kw"
)

// TestJSON writes Arrays within structs and reads them back.
func TestJSON(t *testing.T) {
	type params struct {
		W, B arr
		N    int
	}
	p := params{jnp.AsArray([][]float64{{1, 0.1}, {-2.5e10, 3}}), jnp.AsArray([]int{1, -2}), 7}
	text, err := json.Marshal(p)
	if want := `{"W":[[1.0,0.1],[-2.5e+10,3.0]],"B":[1,-2],"N":7}`; err != nil || string(text) != want {
		t.Fatalf("%s, %v; want %s", text, err, want)
	}
	var q params
	if err := json.Unmarshal(text, &q); err != nil {
		t.Fatal(err)
	}
	if q.W.Repr() != p.W.Repr() || q.B.Repr() != p.B.Repr() || q.N != 7 {
		t.Errorf("read back: %v", q)
	}
	for _, c := range []struct {
		x    any
		want string
	}{
		{jnp.AsArray(2.), "2.0"},
		{jnp.AsArray(true), "true"},
		{jnp.Zeros([]int{2, 0}), "[[],[]]"},
		{arr{}, "null"},
		{jnp.AsArray([]float64{0.1}, kw.DType(jnp.Float16)), "[0.099975586]"},
		{jnp.AsArray(1e38).Mul(10.), "error: json: error calling MarshalJSON for type array.Array: json: unsupported value: +Inf"},
		{jnp.AsArray(1i), "error: json: error calling MarshalJSON for type array.Array: json: unsupported type: complex128"},
	} {
		text, err := json.Marshal(c.x)
		if got := string(text); err != nil && "error: "+err.Error() != c.want || err == nil && got != c.want {
			t.Errorf("%v: %s, %v; want %s", c.x, got, err, c.want)
		}
	}
	traced := jax.Jit(func(x arr) arr {
		if _, err := json.Marshal(x); err == nil || !strings.Contains(err.Error(), "TracerArrayConversionError") {
			t.Errorf("a tracer: %v", err)
		}
		return x
	})
	traced(1.)
	for text, want := range map[string]string{
		"[[1],[2,3]]": "different lengths", `["a"]`: "a in JSON is no element", "[1e999]": "does not fit", "[true,1]": "no element",
		"[3000000000]": "out of bounds", `{"a":1}`: "no element", "[null]": "no element",
	} {
		var a arr
		if err := json.Unmarshal([]byte(text), &a); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	typed := jnp.AsArray([]int{1}, kw.DType(jnp.Int8))
	if err := json.Unmarshal([]byte("[5,6]"), &typed); err != nil || typed.Repr() != "Array([5, 6], dtype=int8)" {
		t.Errorf("%v, %v", typed.Repr(), err)
	}
}
