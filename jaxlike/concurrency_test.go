package jaxlike_test

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	jax "gopherlo/jaxlike"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/jnp"
	"gopherlo/jaxlike/lax"
	"gopherlo/jaxlike/stages"
	"gopherlo/metadata"
)

func compiles() int {
	stages.Counts.Lock()
	defer stages.Counts.Unlock()
	return stages.Counts.Compiles
}

// TestConcurrent runs mixed jits in 32 goroutines: ambient traces and metadata
// contexts stay with their goroutine, results are right, and of equal calls one
// compiles.
func TestConcurrent(t *testing.T) {
	const workers, rounds = 32, 6
	var traces sync.Map // what was traced -> how often
	count := func(key string) {
		n, _ := traces.LoadOrStore(key, new(atomic.Int64))
		n.(*atomic.Int64).Add(1)
	}
	shared := jax.Jit(func(x arr) arr {
		count("shared")
		return jnp.Sin(x).Mul(x)
	})
	grad := jax.Jit(jax.Grad(func(x arr) arr {
		count("grad")
		return jnp.Sum(jnp.Sin(x).Mul(x))
	}))
	x := jnp.AsArray([]float64{1, 2, 3})
	before := compiles()
	var wg sync.WaitGroup
	errs := make(chan string, workers*rounds*4)
	for w := range workers {
		wg.Go(func() {
			err := jax.Catch(func() { concurrentWork(w, rounds, x, shared, grad, errs) })
			if err != nil {
				errs <- err.Error()
			}
			if core.Current().Trace != nil || core.Current().Metadata != nil {
				errs <- "the goroutine's state was not restored"
			}
		})
	}
	wg.Wait()
	close(errs)
	for e := range errs {
		t.Error(e)
	}
	traces.Range(func(key, n any) bool {
		if got := n.(*atomic.Int64).Load(); got != 1 {
			t.Errorf("%s was traced %d times", key, got)
		}
		return true
	})
	t.Logf("%d compilations by %d goroutines", compiles()-before, workers)
	again := compiles()
	shared(x)
	grad(x)
	if n := compiles() - again; n != 0 {
		t.Errorf("%d compilations after all was compiled", n)
	}
}

func concurrentWork(w, rounds int, x arr, shared, grad jax.Func, errs chan<- string) {
	tag := strconv.Itoa(w)
	own := jax.Jit(func(x arr) arr { return jnp.Cos(x).Add(float64(w + 1)) })
	loop := jax.Jit(func(x arr) arr {
		c, _ := lax.Scan(func(c, _ arr) (arr, arr) { return c.Mul(2.), c }, x, jnp.Arange(3.))
		return c
	})
	for range rounds {
		if got := shared(x).Floats()[1]; !near(got, 2*0.9092974) {
			errs <- fmt.Sprint("shared gave ", got)
		}
		if got := grad(x).Floats()[0]; !near(got, 0.8414709+0.5403023) {
			errs <- fmt.Sprint("grad gave ", got)
		}
		if got := loop(x).Floats()[2]; got != 24 {
			errs <- fmt.Sprint("scan gave ", got)
		}
		if got := jax.Vmap(own)(x).Floats()[0]; !near(got, 0.5403023+float64(w+1)) {
			errs <- fmt.Sprint("vmap gave ", got)
		}
		var text string
		metadata.With(metadata.Attrs{"w": tag}).Do(func() { text = own.Lower(x).AsText("hlo") })
		if n := strings.Count(text, `frontend_attributes={w="`+tag+`"}`); n != 2 || strings.Count(text, "frontend_attributes") != n {
			errs <- fmt.Sprintf("worker %d has the context of another: %s", w, text)
		}
		if text := own.Lower(x).AsText("hlo"); strings.Contains(text, "frontend_attributes") {
			errs <- "a context outlived its region: " + text
		}
	}
}

func near(a, b float64) bool { d := a - b; return d < 1e-5 && d > -1e-5 }

// TestOneTraceOfMany has all goroutines make the first call at once.
func TestOneTraceOfMany(t *testing.T) {
	for range 20 {
		traced := make(chan int, 100)
		f := jax.Jit(func(x arr) arr {
			traced <- 1
			return x.Add(1.)
		})
		before := compiles()
		start := make(chan int)
		var wg sync.WaitGroup
		for range 16 {
			wg.Go(func() {
				<-start
				f(2.)
			})
		}
		close(start)
		wg.Wait()
		if len(traced) != 1 || compiles()-before != 1 {
			t.Fatalf("%d traces and %d compilations of one key", len(traced), compiles()-before)
		}
	}
}

// TestTracersStayInTheirGoroutine: a goroutine that a traced function starts
// inherits nothing, as a thread in JAX.
func TestTracersStayInTheirGoroutine(t *testing.T) {
	var inside any
	jax.Jit(func(x arr) arr {
		done := make(chan bool)
		go func() {
			defer close(done)
			inside = core.Current().Trace
		}()
		<-done
		return x
	})(1.)
	if inside != core.Trace(nil) && inside != nil {
		t.Errorf("a new goroutine has the trace %v", inside)
	}
}

// resident is the process's memory in bytes.
func resident(t *testing.T) int {
	t.Helper()
	runtime.GC()
	data, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Skip(err)
	}
	pages, err := strconv.Atoi(strings.Fields(string(data))[1])
	if err != nil {
		t.Fatal(err)
	}
	return pages * os.Getpagesize()
}

func heap() int {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

// TestLongCallsDoNotLeak makes 100,000 calls whose results are dropped.
func TestLongCallsDoNotLeak(t *testing.T) {
	if !long() {
		t.Skip("not run: long, set GOPHERLO_LONG=1")
	}
	f := jax.Jit(func(x, y arr) (arr, arr) { return jnp.Sin(x).Mul(y), x.Add(y) })
	x := jnp.Arange(1000.)
	run := func(n int) {
		for range n {
			a := f(x, 2.)
			x = a.Out(1).Mul(0.)
		}
		x.BlockUntilReady()
	}
	run(10_000)
	heap0, rss0 := heap(), resident(t)
	run(100_000)
	heap1, rss1 := heap(), resident(t)
	t.Logf("after 100,000 calls: heap %+d kB, resident %+d kB", (heap1-heap0)/1024, (rss1-rss0)/1024)
	if heap1-heap0 > 4<<20 || rss1-rss0 > 64<<20 {
		t.Error("calls leak")
	}
}

// TestStoppedWait: who waits for a compilation can be stopped; it is finished all
// the same, for the next call.
func TestStoppedWait(t *testing.T) {
	f := jax.Jit(func(x arr) arr { return jnp.Sin(x).Mul(3.) })
	f.Lower(1.)
	gate, begun, stop := make(chan bool), make(chan bool, 1), make(chan struct{})
	old := stages.Observer
	stages.Observer = func(string) func() {
		begun <- true
		<-gate
		return nil
	}
	core.SetStopper(func() (<-chan struct{}, any) { return stop, "stopped" })
	defer core.SetStopper(func() (<-chan struct{}, any) { return nil, nil })
	before := compiles()
	ended := make(chan any, 3)
	call := func() {
		go func() {
			defer func() { ended <- recover() }()
			f(1.)
		}()
	}
	call()
	<-begun
	call()
	close(stop)
	for range 2 {
		if r := <-ended; r != "stopped" {
			t.Errorf("a stopped wait ended with %v", r)
		}
	}
	core.SetStopper(func() (<-chan struct{}, any) { return nil, nil })
	call()
	close(gate)
	if r := <-ended; r != nil {
		t.Error(r)
	}
	stages.Observer = old
	if n := compiles() - before; n != 1 {
		t.Errorf("%d compilations", n)
	}
}

// TestFailedCompileOfMany: all who wait for a compilation get its error, and it
// is tried anew.
func TestFailedCompileOfMany(t *testing.T) {
	f := jax.Jit(func(x arr) arr { return x.Add(5.) }, jax.CompilerOptions{"no_such_option": 1})
	for range 2 {
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				if _, err := f.Try(1.); err == nil || !strings.Contains(err.Error(), "No such compile option: 'no_such_option'") {
					t.Error(err)
				}
			})
		}
		wg.Wait()
	}
}
