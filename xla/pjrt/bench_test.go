//go:build cgo

package pjrt

import (
	"testing"
	"time"

	"gopherlo/xla"
)

func BenchmarkCall(b *testing.B) {
	c := openCPU(b)
	e := compileText(b, c, sinProgram, 1, 1, xla.CompileOptions{})
	args := []xla.Buffer{buffer32(b, c, nil, 1)}
	b.Run("CLoop", func(b *testing.B) {
		if err := e.Loop(args, b.N); err != nil {
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
	tb.Helper()
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
// execute, await and destroy: 1.3 where results are freed, 1.6 where they are
// dropped. Rounds alternate and the best of each counts, as other work on the
// machine only makes them slower; the bounds are loose, so that it does not
// fail the test.
func TestCallBudget(t *testing.T) {
	if raceEnabled || testing.Short() {
		t.Skip("timing: not under the race detector, not in short mode")
	}
	c := openCPU(t)
	e := compileText(t, c, sinProgram, 1, 1, xla.CompileOptions{})
	args := []xla.Buffer{buffer32(t, c, nil, 1)}
	// A round of the first two is shorter than a time slice; one of dropped
	// results is long enough for two collections.
	const few, many = 500, 3000
	best := func(into *time.Duration, n int, f func()) {
		start := time.Now()
		f()
		if took := time.Since(start) / time.Duration(n); *into == 0 || took < *into {
			*into = took
		}
	}
	var loop, deleted, dropped time.Duration
	for range 100 {
		best(&loop, few, func() {
			if err := e.Loop(args, few); err != nil {
				t.Fatal(err)
			}
		})
		best(&deleted, few, func() {
			for range few {
				call(t, e, args)[0].Delete()
			}
		})
		best(&dropped, many, func() {
			for range many {
				call(t, e, args)
			}
		})
	}
	r1, r2 := float64(deleted)/float64(loop), float64(dropped)/float64(loop)
	t.Logf("C loop %v, deleted %v (%.2f x), dropped %v (%.2f x)", loop, deleted, r1, dropped, r2)
	if r1 > 2.5 || r2 > 5 {
		t.Errorf("a call takes %.2f x the C loop where results are freed, %.2f x where they are dropped", r1, r2)
	}
}
