package jaxlike_test

import (
	"testing"

	jax "gopherlo/jaxlike"
	"gopherlo/jaxlike/jnp"
	"gopherlo/xla/plugin"
)

// TestView looks at large results where they are: twice at one place, and in
// row-major order also where XLA chose another.
func TestView(t *testing.T) {
	if _, err := plugin.Find("cpu"); err != nil {
		t.Skip("no CPU plugin: run `gopherlo plugin install cpu`")
	}
	f := jax.Jit(func(x jax.Array) jax.Array { return x.Mul(2.) })
	x := f(jnp.Arange(1 << 16).AsType(jnp.Float32))
	var first *byte
	for range 2 {
		x.View(func(data []byte) {
			if first != nil && first != &data[0] {
				t.Error("the second view lies elsewhere")
			}
			first = &data[0]
		})
	}
	if got := x.Floats(); got[3] != 6 || len(got) != 1<<16 {
		t.Errorf("%d elements, element 3 is %v", len(got), got[3])
	}
	m := jax.Jit(func(x jax.Array) jax.Array { return x.Reshape(256, 256).T() })(x)
	if got := m.ToSlice().([]any)[1].([]any)[2]; got != float64(2*(2*256+1)) {
		t.Errorf("element [1][2] of the transposed array is %v", got)
	}
	if got := m.String(); len(got) > 2000 {
		t.Errorf("a large array prints %d bytes", len(got))
	}
	x.Delete()
	if err := jax.Catch(func() { x.View(func([]byte) {}) }); err == nil || err.Error() != "Array has been deleted with shape=float32[65536]." {
		t.Errorf("a view of a deleted array: %v", err)
	}
}
