//go:build cgo

package jaxlike_test

import (
	"slices"
	"testing"
	"time"

	jax "gopherlo/jaxlike"
	"gopherlo/jaxlike/jnp"
	"gopherlo/xla"
	"gopherlo/xla/hlo"
	"gopherlo/xla/pjrt"
	"gopherlo/xla/plugin"
)

// TestCallBudget compares warm jitted calls with a loop in C over execute,
// await and destroy of the same program. Rounds alternate, as the machine's
// speed drifts, and the best of each counts: other work only makes them slower.
// The design's aims are 1.3 where results are freed and 1.6 where they are
// dropped; the bounds here are loose, so that a busy machine does not fail.
func TestCallBudget(t *testing.T) {
	if raceEnabled || testing.Short() {
		t.Skip("timing: not under the race detector, not in short mode")
	}
	if _, err := plugin.Find("cpu"); err != nil {
		t.Skip("no CPU plugin: run `gopherlo plugin install cpu`")
	}
	f := jax.Jit(func(x jax.Array) jax.Array { return jnp.Sin(x) })
	loop := cLoop(t, f.Lower(float32(1)).HLO())
	x := jnp.AsArray(float32(1))
	f(x)
	// A round of freed results is shorter than a time slice; one of dropped
	// results has to be long enough for two collections.
	const few, many = 500, 3000
	ways := []struct {
		n   int
		run func()
	}{
		{few, func() { loop(few) }},
		{few, func() {
			for range few {
				y := f(x)
				y.BlockUntilReady()
				y.Delete()
			}
		}},
		{many, func() {
			for range many {
				f(x).BlockUntilReady()
			}
		}},
	}
	times := make([][]time.Duration, len(ways))
	for range 100 {
		for i, way := range ways {
			start := time.Now()
			way.run()
			times[i] = append(times[i], time.Since(start)/time.Duration(way.n))
		}
	}
	c, freed, dropped := slices.Min(times[0]), slices.Min(times[1]), slices.Min(times[2])
	r1, r2 := float64(freed)/float64(c), float64(dropped)/float64(c)
	t.Logf("C loop %v, freed %v (%.2f x), dropped %v (%.2f x)", c, freed, r1, dropped, r2)
	if r1 > 2.5 || r2 > 5 {
		t.Errorf("a warm call takes %.2f x a C loop where results are freed, %.2f x where they are dropped", r1, r2)
	}
}

// cLoop compiles a module of one scalar argument and gives its loop in C.
func cLoop(t testing.TB, m *hlo.Module) func(n int) {
	t.Helper()
	client, err := xla.Open("cpu")
	if err != nil {
		t.Fatal(err)
	}
	p, err := xla.HLOProgram(m)
	if err != nil {
		t.Fatal(err)
	}
	e, err := client.Compile(p, xla.CompileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	b, err := client.NewBuffer(make([]byte, 4), hlo.F32, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return func(n int) {
		if err := e.(*pjrt.Executable).Loop([]xla.Buffer{b}, n); err != nil {
			t.Fatal(err)
		}
	}
}
