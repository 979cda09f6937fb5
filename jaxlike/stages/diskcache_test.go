//go:build cgo

package stages_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	jax "gopherlo/jaxlike"
	"gopherlo/jaxlike/jnp"
	"gopherlo/jaxlike/stages"
	"gopherlo/xla/diskcache"
	"gopherlo/xla/pjrt"
)

const envCacheChild = "GOPHERLO_TEST_CACHE_CHILD"

// mlpGradient is the gradient of a loss over 12 layers.
func mlpGradient() *jax.Lowered {
	loss := func(ws, bs []jax.Array, x, y jax.Array) jax.Array {
		for i, w := range ws {
			x = jnp.Tanh(x.MatMul(w).Add(bs[i]))
		}
		return x.Sub(y).Pow(2).Mean()
	}
	const layers, width = 12, 32
	ws, bs := make([]jax.Array, layers), make([]jax.Array, layers)
	for i := range ws {
		ws[i], bs[i] = jnp.Full([]int{width, width}, .01*float64(i+1)), jnp.Zeros([]int{width})
	}
	x := jnp.Ones([]int{8, width})
	return jax.Jit(jax.ValueAndGrad(loss, jax.Argnums(0, 1))).Lower(ws, bs, x, x)
}

// TestSecondProcessTakesExecutable compiles the gradient in two processes with
// one cache: the second takes what the first made.
func TestSecondProcessTakesExecutable(t *testing.T) {
	needPlugin(t)
	if dir := os.Getenv(envCacheChild); dir != "" {
		cacheChild(t, dir)
		return
	}
	private := func() string {
		dir := t.TempDir()
		if err := os.Chmod(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		return filepath.Join(dir, "executables")
	}
	run := func(dir string) (took time.Duration, loss string) {
		cmd := exec.Command(os.Args[0], "-test.run=^TestSecondProcessTakesExecutable$", "-test.v")
		cmd.Env = append(os.Environ(), envCacheChild+"="+dir)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		for line := range strings.Lines(string(out)) {
			var us int64
			if n, _ := fmt.Sscanf(line, "compiled in %d us, loss %s", &us, &loss); n == 2 {
				took = time.Duration(us) * time.Microsecond
			}
		}
		return took, loss
	}
	// The best of three of each: other work on the machine only makes them
	// slower.
	shared := private()
	first, want := run(shared)
	second, got := run(shared)
	for range 2 {
		cold, _ := run(private())
		again, _ := run(shared)
		first, second = min(first, cold), min(second, again)
	}
	if want == "" || got != want {
		t.Errorf("the loss is %q, then %q", want, got)
	}
	ratio := float64(first) / float64(second)
	t.Logf("12-layer MLP gradient: compiled in %v, taken from the cache in %v: %.1f times as fast", first, second, ratio)
	// The aim is 10; half of that still says that the cache was used.
	if ratio < 5 {
		t.Errorf("the cache is only %.1f times as fast as the compiler, want 10", ratio)
	}
}

func cacheChild(t *testing.T, dir string) {
	cache, err := diskcache.Open(dir, diskcache.DefaultLimit)
	if err != nil {
		t.Fatal(err)
	}
	defer cache.Close()
	pjrt.UseCache(cache)
	l := mlpGradient()
	l.HLO()
	jax.Devices() // the client is there, its plugin's hash is known
	jax.Jit(func(x jax.Array) jax.Array { return x.Add(1.) })(1.0)
	start := time.Now()
	c := l.Compile()
	took := time.Since(start)
	pjrt.FlushCache()
	ws, bs := make([]jax.Array, 12), make([]jax.Array, 12)
	for i := range ws {
		ws[i], bs[i] = jnp.Full([]int{32, 32}, .01*float64(i+1)), jnp.Zeros([]int{32})
	}
	x := jnp.Ones([]int{8, 32})
	loss := c(ws, bs, x, x).Out(0)
	fmt.Printf("compiled in %d us, loss %s\n", took.Microseconds(), loss)
}

// BenchmarkMLPGradient compares a compilation of the gradient with taking its
// executable from the cache.
func BenchmarkMLPGradient(b *testing.B) {
	l := mlpGradient()
	dir := b.TempDir()
	if err := os.Chmod(dir, 0o700); err != nil {
		b.Fatal(err)
	}
	cache, err := diskcache.Open(filepath.Join(dir, "executables"), diskcache.DefaultLimit)
	if err != nil {
		b.Fatal(err)
	}
	defer cache.Close()
	// The module as a program of its own: Lowered keeps what it compiled.
	m := l.HLO()
	b.Run("Compiled", func(b *testing.B) {
		for b.Loop() {
			stages.CompileHLO(m)
		}
	})
	pjrt.UseCache(cache)
	defer pjrt.UseCache(nil)
	stages.CompileHLO(m)
	pjrt.FlushCache()
	b.Run("FromCache", func(b *testing.B) {
		for b.Loop() {
			stages.CompileHLO(m)
		}
	})
}
