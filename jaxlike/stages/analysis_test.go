package stages_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	jax "gopherlo/jaxlike"
	"gopherlo/jaxlike/jnp"
	"gopherlo/jaxlike/stages"
	_ "gopherlo/xla/pjrt" // registers the client
	"gopherlo/xla/plugin"
)

func needPlugin(t *testing.T) {
	t.Helper()
	if _, err := plugin.Find("cpu"); err != nil {
		t.Skip("no CPU plugin: run `gopherlo plugin install cpu`")
	}
}

// expOfTwo is the function of golden case 053.
func expOfTwo() *jax.Lowered {
	f := func(x, y jax.Array) jax.Array { return jnp.Exp(x).Mul(y).Add(1.) }
	return jax.Jit(jax.Named(f, "f", "x", "y")).Lower(jnp.Ones([]int{4, 3}), jnp.Ones([]int{3}))
}

// TestCosts compares with what JAX 0.12.0.1 gives for case 053.
func TestCosts(t *testing.T) {
	needPlugin(t)
	l := expOfTwo()
	const lowered = "{'bytes accessed': 568.0, 'bytes accessed0{}': 196.0, 'bytes accessed1{}': 96.0, 'bytes accessedout{}': 276.0, 'flops': 24.0, 'transcendentals': 12.0, 'utilization0{}': 8.0, 'utilization1{}': 2.0}"
	const compiled = "{'bytes accessed': 108.0, 'bytes accessed0{}': 12.0, 'bytes accessed1{}': 48.0, 'bytes accessedout{}': 48.0, 'flops': 24.0, 'transcendentals': 12.0, 'utilization0{}': 1.0, 'utilization1{}': 1.0}"
	if got := l.CostAnalysis().String(); got != lowered && !strings.HasPrefix(got, lowered+"  (computed") {
		t.Errorf("lowered: %s\nnot %s", got, lowered)
	}
	got := l.Compile().CostAnalysis()
	if text := got.String(); text != compiled && !strings.HasPrefix(text, compiled+"  (computed") {
		t.Errorf("compiled: %s\nnot %s", text, compiled)
	}
	if got["flops"] != 24 {
		t.Errorf("flops are %v", got["flops"])
	}
}

func TestMemoryText(t *testing.T) {
	needPlugin(t)
	f := func(x, y jax.Array) jax.Array { return x.MatMul(y) }
	m := jax.Jit(f).Lower(jnp.Ones([]int{8, 4}), jnp.Ones([]int{4, 2})).Compile().MemoryAnalysis()
	const want = "CompiledMemoryStats(generated_code_size_in_bytes=0, argument_size_in_bytes=160, output_size_in_bytes=64, alias_size_in_bytes=0, temp_size_in_bytes=0, host_generated_code_size_in_bytes=0, host_argument_size_in_bytes=0, host_output_size_in_bytes=0, host_alias_size_in_bytes=0, host_temp_size_in_bytes=0)"
	if m.String() != want {
		t.Errorf("%s\nnot %s", m, want)
	}
}

const envChild = "GOPHERLO_TEST_OPTIONS_CHILD"

// TestOptions lists options from all four origins. XLA_FLAGS are read once in a
// process, so it runs in one of its own.
func TestOptions(t *testing.T) {
	needPlugin(t)
	if os.Getenv(envChild) == "" {
		cmd := exec.Command(os.Args[0], "-test.run=^TestOptions$")
		cmd.Env = append(os.Environ(), envChild+"=1",
			"XLA_FLAGS=--xla_cpu_enable_fast_math=true --xla_cpu_multi_thread_eigen=false --xla_dump_max_hlo_modules=7 --xla_cpu_enable_fast_min_max=true")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return
	}
	f := jax.Jit(func(x jax.Array) jax.Array { return x.Add(1.) }, jax.CompilerOptions{
		"xla_cpu_multi_thread_eigen": false, "xla_embed_ir_in_executable": true, "xla_backend_optimization_level": 1,
	})
	l := f.Lower(1.0)
	jax.Update("jax_memory_fitting_level", "O3")
	defer jax.Update("jax_memory_fitting_level", "O2")
	o := l.Compile(jax.CompilerOptions{"xla_backend_optimization_level": 2, "optimization_level": jax.O1}).Options()
	for name, want := range map[string]stages.Option{
		"xla_cpu_enable_fast_math":       {Value: true, From: "XLA_FLAGS"},
		"xla_dump_max_hlo_modules":       {Value: int64(7), From: "XLA_FLAGS"},
		"xla_cpu_multi_thread_eigen":     {Value: false, From: "jit"},
		"xla_embed_ir_in_executable":     {Value: true, From: "jit"},
		"xla_backend_optimization_level": {Value: int64(2), From: "compile step"},
		"memory_fitting_level":           {Value: "O3", From: "process-wide"},
		"optimization_level":             {Value: "O1", From: "compile step"},
	} {
		got, ok := o.Get(name)
		if !ok || got.Value != want.Value || got.From != want.From {
			t.Errorf("%s is %+v, want %v from %s", name, got, want.Value, want.From)
		}
	}
	if _, ok := o.Get("xla_cpu_enable_fast_min_max"); ok {
		t.Error("a flag with its default value is listed")
	}
	if len(o) != 7 {
		t.Errorf("%d options, want 7:\n%s", len(o), o)
	}
	if text := o.String(); !strings.Contains(text, "xla_embed_ir_in_executable      true   jit           default false") {
		t.Errorf("the table is\n%s", text)
	}
	if text := expOfTwo().Compile().Options().String(); !strings.Contains(text, "XLA_FLAGS") {
		t.Error("XLA_FLAGS do not reach a compilation without options")
	}
}
