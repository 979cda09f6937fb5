package interp

import (
	"context"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"
)

// Structs of compiled packages with fields of their own are not looked into: their
// goroutines may be at work.
func TestHidden(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	for _, x := range []any{&ctx, &http.Server{}, &struct{ S *http.Server }{&http.Server{}}, &[]any{&http.Server{}}, &time.Time{}} {
		if text := textOf(reflect.ValueOf(x).Elem(), nil, true)(); strings.Contains(text, "=") {
			t.Errorf("%T: %s", x, text)
		}
	}
	if text := textOf(reflect.ValueOf(&http.Cookie{Name: "a"}).Elem(), nil, true)(); !strings.Contains(text, `Name = "a"`) {
		t.Errorf("a cookie: %q", text)
	}
}

// A cell's value is Go's %v, but for values that hold Arrays, plain funcs and
// the None of a traced function without results.
func TestValueText(t *testing.T) {
	s := startScript(t)
	for _, c := range []struct{ cell, want string }{
		{"type Params struct { W, B Array; n int }\nParams{jnp.Ones([]int{2}), jnp.Zeros([]int{1}), 4}", "Params(W=Array([1., 1.], dtype=float32), B=Array([0.], dtype=float32), n=4)"},
		{"[]Array{jnp.Sin(0.0)}", "[Array(0., dtype=float32, weak_type=True)]"},
		{"map[string]any{\"a\": jnp.Ones([]int{1}), \"s\": \"text\"}", "{'a': Array([1.], dtype=float32), 's': \"text\"}"},
		{"type V struct { A Array }\nfunc (v V) String() string { return \"a V\" }\nV{jnp.Ones([]int{2})}", "a V"},
		{"type S struct { A int; B []int }\nS{1, []int{2}}", "{1 [2]}"},
		{"func g(x Array) Array { return x }\ng", "func g(x Array) Array"},
		{"func(a int) (int, error) { return a, nil }", "func(a int) (int, error)"},
		{"maps.Keys(map[string]int{\"a\": 1})", "iter.Seq[string]: func(yield func(string) bool)"},
		{"type F func(int) int\nF(func(n int) int { return n })", "F: func(int) int"},
		{"var none func()\nnone", "<nil>"},
		{"jit(func(x Array) {})(1.0)", ""},
		{"jvp(func(x Array) Array { return x * x }, 3., 1.)", "(Array(9., dtype=float32, weak_type=True), Array(6., dtype=float32, weak_type=True))"},
		{"type M struct{ n int }\nfunc (m M) MIMEBundle() map[string]any { return map[string]any{\"text/plain\": fmt.Sprint(\"M of \", m.n)} }\nM{3}", "M of 3"},
		{"type H struct{}\nfunc (*H) DisplaySource() (language, text string) { return \"hlo\", \"HloModule m\" }\n&H{}", "HloModule m"},
		{"type D struct{ n int }\nfunc (d *D) MIMEBundle() map[string]any { return map[string]any{\"text/plain\": fmt.Sprint(\"D of \", d.n)} }\ndisplay.Of(&D{4})[\"text/plain\"]", "D of 4"},
		{"type T struct{ n int }\ntf := func(t T) T { return t }\ntf", "func tf(t T) T"},
		{"k1, k2 := random.Split(random.Key(0))\nbool(k1 == random.Split(random.Key(0))[0]) && k2.NDim() == 0", "true"},
		{"func two() (int, string) { return 1, \"a\" }\ntwo()", "1 a"},
		{"func mixed() (Array, error, string) { return jnp.Ones(1), nil, \"a\" }\nmixed()", "(Array([1.], dtype=float32), None, \"a\")"},
		{"jit(func(f func(Array) Array, x Array) Array { return f(x) }, static_argnums(0))(func(x Array) Array { return x }, 1.)", "Array(1., dtype=float32, weak_type=True)"},
	} {
		if got := s.Run(c.cell); got.Value != c.want || len(got.Mistakes) > 0 {
			t.Errorf("%s\n shows %q, want %q (%v)", c.cell, got.Value, c.want, got.Mistakes)
		}
	}
}

// A value that cannot be shown is an error of the cell, with its line.
func TestValueWithoutText(t *testing.T) {
	s := startScript(t)
	for _, c := range []struct{ cell, want string }{
		{"a := jnp.Ones(3)\njit(func(x Array) Array { return x + 1 }, donate_argnums(0))(a);\na", "RuntimeError: Array has been deleted with shape=float32[3]."},
		{"type B struct{}\nfunc (B) MIMEBundle() map[string]any { panic(\"no text\") }\nB{}", "panic: no text"},
	} {
		if got := s.Run(c.cell); len(got.Mistakes) == 0 || !strings.HasPrefix(got.Mistakes[0].Text, c.want) {
			t.Errorf("%s\n gives %q, %v, want %q", c.cell, got.Value, got.Mistakes, c.want)
		}
	}
}
