package jaxlike_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"gopherlo/jaxlike"
	"gopherlo/jaxlike/jnp"
	"gopherlo/jaxlike/kw"
	"gopherlo/jaxlike/lax"
)

// TestMovesAlongAxes compares the collectives that move data along a named axis
// with JAX 0.12.0.1: the batched programs, their values, gradients, and those
// under a further vmap without that name.
func TestMovesAlongAxes(t *testing.T) {
	type arr = jaxlike.Array
	x, y := jnp.Reshape(jnp.Arange(6.), []int{2, 3}), jnp.Reshape(jnp.Arange(12.), []int{2, 2, 3})
	var got strings.Builder
	for _, c := range []struct {
		name string
		f    func(v arr) arr
		at   arr
	}{
		{"gather", func(v arr) arr { return lax.AllGather(v, "i") }, x},
		{"gather1", func(v arr) arr { return lax.AllGather(v, "i", kw.Axis(1)) }, x},
		{"gatherT", func(v arr) arr { return lax.AllGather(v, "i", kw.Tiled(true)) }, x},
		{"gatherC", func(v arr) arr { return lax.AllGather(jnp.Ones(3), "i").Add(v) }, x},
		{"perm", func(v arr) arr { return lax.PPermute(v, "i", [][2]int{{0, 1}, {1, 0}}) }, x},
		{"scatter", func(v arr) arr { return lax.PSumScatter(v, "i") }, y},
		{"scatterT", func(v arr) arr { return lax.PSumScatter(v, "i", kw.Tiled(true)) }, y},
		{"scatterC", func(v arr) arr { return lax.PSumScatter(jnp.Ones([]int{2, 3}), "i").Add(v) }, x},
		{"a2a00", func(v arr) arr { return lax.AllToAll(v, "i", 0, 0) }, y},
		{"a2a01", func(v arr) arr { return lax.AllToAll(v, "i", 0, 1) }, y},
		{"a2aT", func(v arr) arr { return lax.AllToAll(v, "i", 0, 1, kw.Tiled(true)) }, y},
	} {
		g := jaxlike.Vmap(c.f, jaxlike.AxisName("i"))
		square := func(a arr) arr { return g(a).Pow(2).Sum() }
		h := jaxlike.Vmap(jaxlike.Vmap(c.f, jaxlike.InAxes(0)), jaxlike.AxisName("i"), jaxlike.InAxes(1))
		fmt.Fprintf(&got, "== %s\n%s\n%s\n", c.name, jaxlike.MakeJaxpr(g)(c.at), g(c.at))
		fmt.Fprintf(&got, "%s\n", jaxlike.MakeJaxpr(jaxlike.Grad(square))(c.at))
		fmt.Fprintf(&got, "%s\n", jaxlike.MakeJaxpr(h)(jnp.Stack([]arr{c.at, c.at.Add(1)})))
	}
	// JAX 0.12.0.1 gives an operand that is not mapped its dimensions twice here.
	same := jaxlike.Vmap(func(v arr) arr { return lax.AllToAll(jnp.Ones([]int{2, 3}), "i", 0, 1).Add(v) }, jaxlike.AxisName("i"))
	if got := same(jnp.Zeros([]int{2, 3, 2})).Shape(); fmt.Sprint(got) != "[2 3 2]" {
		t.Errorf("all_to_all of a value that is not mapped: %v", got)
	}
	for want, call := range map[string]func(){
		"NameError: unbound axis name: i": func() { lax.AllGather(1., "i") },
		"ValueError: all_to_all requires the size of the mapped axis axis_name to equal x.shape[split_axis], but they are 2 and 3 respectively.": func() {
			jaxlike.Vmap(func(v arr) arr { return lax.AllToAll(v, "i", 0, 0) }, jaxlike.AxisName("i"))(x)
		},
	} {
		if got := raised(call); got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
	want, err := os.ReadFile("testdata/moves.txt")
	if err != nil {
		t.Fatal(err)
	}
	wants, gots := strings.Split(string(want), "== "), strings.Split(got.String(), "== ")
	for i, w := range wants {
		if i >= len(gots) || gots[i] != w {
			t.Errorf("%s\nwant %s", gots[i], w)
		}
	}
}
