package jaxlike_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	jax "gopherlo/jaxlike"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/jnp"
	"gopherlo/jaxlike/lax"
	"gopherlo/jaxlike/stages"
	"gopherlo/metadata"
)

// TestLongStress has 32 goroutines make, transform, share and drop functions for
// a minute (or GOPHERLO_STRESS, "5m"): results are right and nothing is left
// running.
func TestLongStress(t *testing.T) {
	if !long() {
		t.Skip("not run: long, set GOPHERLO_LONG=1")
	}
	span := time.Minute
	if s := os.Getenv("GOPHERLO_STRESS"); s != "" {
		var err error
		if span, err = time.ParseDuration(s); err != nil {
			t.Fatal(err)
		}
	}
	var shared [8]jax.Func
	for i := range shared {
		shared[i] = jax.Jit(func(x arr) arr { return x.Mul(float64(i)).Add(1.) })
	}
	shared[0](2.)
	goroutines, threads := runtime.NumGoroutine(), osThreads(t)
	var done atomic.Int64
	end := time.Now().Add(span)
	var wg sync.WaitGroup
	for w := range 32 {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(uint64(w), 1))
			for time.Now().Before(end) && !t.Failed() {
				var bad string
				if err := jax.Catch(func() { bad = stressStep(r, shared[:]) }); err != nil || bad != "" {
					t.Error(bad, err)
				}
				done.Add(1)
			}
			if !core.Current().Plain() || core.Current().Trace != nil {
				t.Error("the goroutine's state was not restored")
			}
		})
	}
	wg.Wait()
	stages.ClearTraces()
	for range 50 { // goroutines that end take a moment
		if runtime.NumGoroutine() <= goroutines {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Logf("%d programs; goroutines %d -> %d, threads %d -> %d", done.Load(), goroutines, runtime.NumGoroutine(), threads, osThreads(t))
	if n := runtime.NumGoroutine(); n > goroutines+2 {
		t.Errorf("%d goroutines are left of %d", n, goroutines)
	}
	if n := osThreads(t); n > threads+40 {
		t.Errorf("%d threads, at first %d", n, threads)
	}
}

// osThreads is the number of the process's threads.
func osThreads(t *testing.T) int {
	t.Helper()
	tasks, err := os.ReadDir("/proc/self/task")
	if err != nil {
		t.Skip(err)
	}
	return len(tasks)
}

// stressStep does one random thing and tells what was wrong.
func stressStep(r *rand.Rand, shared []jax.Func) string {
	i := r.IntN(len(shared))
	x := math.Round(r.Float64()*8) / 4
	wave := func(v arr) arr { return jnp.Sin(v).Mul(v).Add(float64(i)) }
	want, got := 0., 0.
	switch r.IntN(8) {
	case 0:
		want, got = x*float64(i)+1, shared[i](x).Float()
	case 1:
		want, got = math.Sin(x)+x*math.Cos(x), jax.Jit(jax.Grad(wave))(x).Float()
	case 2:
		want, got = float64(i), jax.Grad(shared[i])(x).Float()
	case 3:
		want, got = math.Sin(x)*x+float64(i), jax.Jit(jax.Vmap(wave))(jnp.Full([]int{i + 1}, x)).Floats()[i]
	case 4:
		c, _ := lax.Scan(func(c, _ arr) (arr, arr) { return shared[i](c), c }, x, jnp.Arange(2.))
		want, got = (x*float64(i)+1)*float64(i)+1, c.Float()
	case 5:
		want, got = 2*math.Cos(x)-x*math.Sin(x), jax.Grad(jax.Grad(wave))(x).Float()
	case 6:
		tag := fmt.Sprint(r.IntN(4))
		var text string
		metadata.With(metadata.Attrs{"t": tag}).Do(func() { text = jax.Jit(wave).Lower(x).AsText("hlo") })
		if strings.Count(text, `{t="`+tag+`"}`) != strings.Count(text, "frontend_attributes=") {
			return "the context of another goroutine: " + text
		}
	case 7:
		if r.IntN(20) == 0 {
			stages.ClearTraces()
		}
		f := jax.Jit(wave)
		want, got = math.Sin(x)*x+float64(i), f.Lower(x).Compile()(x).Float()
		if r.IntN(2) == 0 {
			f.ClearCache()
		}
	}
	if math.Abs(want-got) > 1e-4*(1+math.Abs(want)) {
		return fmt.Sprintf("%v instead of %v", got, want)
	}
	return ""
}
