//go:build cgo

package jaxlike_test

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	jax "gopherlo/jaxlike"
	"gopherlo/jaxlike/jnp"
	"gopherlo/jaxlike/stages"
	"gopherlo/xla"
	"gopherlo/xla/pjrt"
)

// memory is what a process holds.
type memory struct{ heap, resident, buffers, programs, goroutines int }

func (m memory) String() string {
	return fmt.Sprintf("heap %d MB, resident %d MB, %d buffers, %d executables, %d goroutines",
		m.heap>>20, m.resident>>20, m.buffers, m.programs, m.goroutines)
}

// measure waits for the cleanups of what is unreachable: until ten readings in
// a row, each after a collection, are the same. Cleanups run on a goroutine of
// their own, which a busy machine may keep waiting.
func measure(t *testing.T) memory {
	t.Helper()
	c, err := xla.Open("cpu")
	if err != nil {
		t.Fatal(err)
	}
	var m memory
	for same, tries := 0, 0; same < 10 && tries < 500; tries++ {
		m.heap = heap()
		buffers, programs := c.(*pjrt.Client).Live()
		same++
		if buffers != m.buffers || programs != m.programs {
			same = 0
		}
		m.buffers, m.programs = buffers, programs
		time.Sleep(20 * time.Millisecond)
	}
	m.resident, m.goroutines = resident(t), runtime.NumGoroutine()
	return m
}

// TestLongCompilationsDoNotLeak compiles 10,000 different functions that all
// stay callable: what is kept is bounded by the caches. When the functions are
// dropped, their executables go. Then 1,000 that are dropped at once.
//
// One in five has machine code of its own, the others only a constant: XLA takes
// 22 ms for the first and 6 ms for the second kind.
func TestLongCompilationsDoNotLeak(t *testing.T) {
	if !long() {
		t.Skip("not run: long, set GOPHERLO_LONG=1")
	}
	const n, workers = 10_000, 4
	make1 := func(i int) jax.Func {
		return jax.Jit(func(x arr) arr {
			if i%5 > 0 {
				return jnp.AsArray(float64(2*i + 1))
			}
			return x.Mul(float64(i)).Add(1.)
		})
	}
	held := make([]jax.Func, n)
	var next atomic.Int64
	compileTo := func(end int) {
		var wg sync.WaitGroup
		for range workers {
			wg.Go(func() {
				for {
					i := int(next.Add(1)) - 1
					if i >= end {
						return
					}
					f := make1(i)
					if i < n {
						held[i] = f
					}
					if got := f(2.).Float(); got != float64(float32(2*i+1)) {
						t.Errorf("function %d gave %v", i, got)
					}
				}
			})
		}
		wg.Wait()
		next.Store(int64(end))
	}
	start := time.Now()
	var at []memory
	for _, end := range []int{2000, 4000, 6000, 8000, n} {
		compileTo(end)
		at = append(at, measure(t))
		t.Logf("%d held, %v: %v", end, time.Since(start).Round(time.Second), at[len(at)-1])
	}
	// The caches are full from 1,024 on: memory must not grow.
	if grown := at[4].resident - at[0].resident; grown > 100<<20 {
		t.Errorf("memory grew by %d MB from 2,000 to 10,000 compilations", grown>>20)
	}
	if p := at[4].programs; p > 1100 {
		t.Errorf("%d executables are loaded", p)
	}
	before := compiles()
	held[n-1](2.)
	if held[0](2.); compiles()-before != 1 {
		t.Errorf("the last and the first function compiled %d times again, not once", compiles()-before)
	}
	clear(held)
	m := measure(t)
	t.Logf("dropped: %v", m)
	if m.programs > 50 {
		t.Errorf("%d executables of functions that nobody can call", m.programs)
	}
	compileTo(n + 1000)
	m = measure(t)
	t.Logf("1,000 more that were dropped at once: %v", m)
	if m.programs > 50 {
		t.Errorf("%d executables of functions that nobody can call", m.programs)
	}
	stages.ClearTraces()
	t.Logf("cleared: %v", measure(t))
}
