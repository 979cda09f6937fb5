package pjrt

import (
	"slices"
	"testing"
	"time"

	"gopherlo/xla"
)

func BenchmarkCall(b *testing.B) {
	c := openCPU(b)
	e := compileText(b, c, sinProgram, 1, 1, xla.CompileOptions{})
	args := []xla.Buffer{buffer32(b, c, nil, 1)}
	b.Run("CLoop", func(b *testing.B) {
		if err := e.loop(args, b.N); err != nil {
			b.Fatal(err)
		}
	})
	b.Run("Deleted", func(b *testing.B) {
		for b.Loop() {
			call(b, e, args)[0].Delete()
		}
	})
	b.Run("Dropped", func(b *testing.B) {
		for b.Loop() {
			call(b, e, args)
		}
	})
}

// call executes and waits.
func call(tb testing.TB, e *Executable, args []xla.Buffer) []xla.Buffer {
	outs, err := e.Execute(args, nil)
	if err == nil {
		err = outs[0].Await()
	}
	if err != nil {
		tb.Fatal(err)
	}
	return outs
}

// TestCallBudget holds the direct path to the design's ratios to a C loop over
// execute, await and destroy. Medians of alternating rounds, as the machine's
// speed drifts; the bounds are loose so that a busy machine does not fail it.
func TestCallBudget(t *testing.T) {
	if raceEnabled || testing.Short() {
		t.Skip("timing: not under the race detector, not in short mode")
	}
	c := openCPU(t)
	e := compileText(t, c, sinProgram, 1, 1, xla.CompileOptions{})
	args := []xla.Buffer{buffer32(t, c, nil, 1)}
	const n = 20_000
	var loop, deleted, dropped []time.Duration
	timed := func(into *[]time.Duration, f func()) {
		start := time.Now()
		f()
		*into = append(*into, time.Since(start)/n)
	}
	for range 9 {
		timed(&loop, func() {
			if err := e.loop(args, n); err != nil {
				t.Fatal(err)
			}
		})
		timed(&deleted, func() {
			for range n {
				call(t, e, args)[0].Delete()
			}
		})
		timed(&dropped, func() {
			for range n {
				call(t, e, args)
			}
		})
	}
	median := func(d []time.Duration) float64 {
		slices.Sort(d)
		return float64(d[len(d)/2])
	}
	base := median(loop)
	t.Logf("C loop %.0f ns, deleted %.2f x, dropped %.2f x", base, median(deleted)/base, median(dropped)/base)
	if r := median(deleted) / base; r > 1.6 {
		t.Errorf("a call whose results are freed takes %.2f x the C loop", r)
	}
	if r := median(dropped) / base; r > 2.5 {
		t.Errorf("a call whose results are dropped takes %.2f x the C loop", r)
	}
}
