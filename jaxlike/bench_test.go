package jaxlike_test

import (
	"syscall"
	"testing"
	"time"

	jax "gopherlo/jaxlike"
	"gopherlo/jaxlike/jnp"
	"gopherlo/metadata"

	_ "gopherlo/xla/pjrt" // the runtime
)

// benchProgram makes a function anew, so that nothing is cached for it, and
// lowers it. testdata/bench.py does the same in JAX and prints the ratios.
type benchProgram struct {
	name string
	make func(i int) *jax.Lowered
}

func benchPrograms() []benchProgram {
	x := jnp.AsArray(float32(0.5))
	wave := func(i int) func(x arr) arr {
		return func(x arr) arr {
			_ = i // each is a closure of its own
			return jnp.Sin(x).Mul(x)
		}
	}
	block := func(i int) jax.Func { return metadata.Call(wave(i), metadata.Attrs{"k": "v"}) }
	programs := []benchProgram{
		{"wave", func(i int) *jax.Lowered { return jax.Jit(wave(i)).Lower(x) }},
		{"block", func(i int) *jax.Lowered { return jax.Jit(block(i)).Lower(x) }},
		{"grad-block", func(i int) *jax.Lowered { return jax.Jit(jax.Grad(block(i))).Lower(x) }},
		{"grad-grad-block", func(i int) *jax.Lowered { return jax.Jit(jax.Grad(jax.Grad(block(i)))).Lower(x) }},
		{"mlp12-grad", mlpGrad(12, 16)},
	}
	for _, n := range []int{100, 1000, 10_000} {
		programs = append(programs, benchProgram{"chain-" + map[int]string{100: "100", 1000: "1000", 10_000: "10000"}[n], func(i int) *jax.Lowered {
			return jax.Jit(func(x arr) arr {
				for range n / 2 {
					x = jnp.Sin(x).Add(float64(i%2 + 1))
				}
				return x
			}).Lower(x)
		}})
	}
	return programs
}

// mlpGrad is value and gradient of a multi-layer perceptron's loss.
func mlpGrad(depth, width int) func(i int) *jax.Lowered {
	type layer struct{ W, B arr }
	params := make([]layer, depth)
	for k := range params {
		params[k] = layer{jnp.Ones([]int{width, width}), jnp.Ones(width)}
	}
	x := jnp.Ones([]int{8, width})
	return func(i int) *jax.Lowered {
		loss := func(params []layer, x arr) arr {
			_ = i
			for _, l := range params {
				x = jnp.Tanh(jnp.Dot(x, l.W).Add(l.B))
			}
			return jnp.Mean(x.Mul(x))
		}
		return jax.Jit(jax.ValueAndGrad(loss)).Lower(params, x)
	}
}

// cpuTime is the processor time of the process so far: on a busy machine it
// says more than the clock.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func reportCPU(b *testing.B) (end func()) {
	start := cpuTime()
	return func() {
		b.ReportMetric(float64((cpuTime()-start).Nanoseconds())/float64(b.N), "cpu-ns/op")
	}
}

// reportBest times rounds of n calls and reports the best of them, by the
// processor's time and by the clock: other work on the machine makes rounds
// slower only, and a round is shorter than a time slice.
func reportBest(b *testing.B, n int, f func()) {
	clock, spent := time.Hour, time.Hour
	for b.Loop() {
		start, cpu := time.Now(), cpuTime()
		for range n {
			f()
		}
		spent, clock = min(spent, cpuTime()-cpu), min(clock, time.Since(start))
	}
	b.ReportMetric(float64(spent.Nanoseconds())/float64(n), "cpu-ns/op")
	b.ReportMetric(float64(clock.Nanoseconds())/float64(n), "best-ns/op")
}

func BenchmarkTraceLower(b *testing.B) {
	for _, p := range benchPrograms() {
		b.Run(p.name, func(b *testing.B) {
			i := 0
			defer reportCPU(b)()
			for b.Loop() {
				i++
				p.make(i)
			}
		})
	}
}

// BenchmarkHLOText prints the HLO of a module that is new each time.
func BenchmarkHLOText(b *testing.B) {
	for _, p := range benchPrograms() {
		b.Run(p.name, func(b *testing.B) {
			i := 0
			var spent time.Duration
			for b.Loop() {
				i++
				b.StopTimer()
				l := p.make(i)
				b.StartTimer()
				start := cpuTime()
				l.AsText("hlo")
				spent += cpuTime() - start
			}
			b.ReportMetric(float64(spent.Nanoseconds())/float64(b.N), "cpu-ns/op")
		})
	}
}

func BenchmarkWarmCall(b *testing.B) {
	f := jax.Jit(func(x jax.Array) jax.Array { return jnp.Sin(x) })
	x := jnp.AsArray([]float32{1})
	f(x)
	b.Run("Deleted", func(b *testing.B) {
		reportBest(b, warmRound, func() {
			y := f(x)
			y.BlockUntilReady()
			y.Delete()
		})
	})
	b.Run("Dropped", func(b *testing.B) {
		reportBest(b, warmRound, func() { f(x).BlockUntilReady() })
	})
}

// Rounds of warm calls have to be long enough for two collections, of those
// that free dropped results; eager ones are as in bench.py.
const warmRound, eagerRound = 3000, 100

// BenchmarkEager is operations outside of jit, on 1,000 floats and on scalars.
func BenchmarkEager(b *testing.B) {
	x, one := jnp.Arange(1000.), jnp.AsArray(float32(1))
	for _, o := range []struct {
		name string
		f    func() arr
	}{
		{"add", func() arr { return x.Add(x) }},
		{"sin", func() arr { return jnp.Sin(x) }},
		{"sum", func() arr { return jnp.Sum(x) }},
		{"add-number", func() arr { return x.Add(1.) }},
		{"add-scalars", func() arr { return one.Add(one) }},
		{"index", func() arr { return x.Index(3) }},
		{"slice", func() arr { return x.Index(jnp.Slice(2, 10)) }},
		{"set", func() arr { return x.At(3).Set(1.) }},
		{"sum-to-host", func() arr { s := jnp.Sum(x); s.Float(); return s }},
	} {
		o.f()
		b.Run(o.name, func(b *testing.B) {
			reportBest(b, eagerRound, func() { o.f().BlockUntilReady() })
		})
	}
}
