package interp

import "testing"

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
		{"var none func()\nnone", "<nil>"},
		{"jit(func(x Array) {})(1.0)", ""},
	} {
		if got := s.Run(c.cell); got.Value != c.want || len(got.Mistakes) > 0 {
			t.Errorf("%s\n shows %q, want %q (%v)", c.cell, got.Value, c.want, got.Mistakes)
		}
	}
}
