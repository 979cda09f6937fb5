package jaxlike_test

import (
	"strings"
	"testing"

	jax "gopherlo/jaxlike"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
	"gopherlo/jaxlike/jnp"
	"gopherlo/jaxlike/stages"
	"gopherlo/metadata"
)

// counted is a function that counts how often it is run.
type counted struct{ traces int }

func (c *counted) fn() func(x jax.Array) jax.Array {
	return func(x jax.Array) jax.Array {
		c.traces++
		return x.Mul(2.).Add(1.)
	}
}

// step is a call, with the traces and compilations that JAX 0.12.0.1 makes for
// it: counted with its monitoring events.
type step struct {
	name             string
	call             func()
	traces, compiles int
}

func runSteps(t *testing.T, c *counted, steps []step) {
	t.Helper()
	for _, s := range steps {
		compiles := func() int {
			stages.Counts.Lock()
			defer stages.Counts.Unlock()
			return stages.Counts.Compiles
		}
		t0, c0 := c.traces, compiles()
		s.call()
		if tr, co := c.traces-t0, compiles()-c0; tr != s.traces || co != s.compiles {
			t.Errorf("%s: %d traces, %d compiles; JAX: %d, %d", s.name, tr, co, s.traces, s.compiles)
		}
	}
}

// TestCacheLikeJAX counts traces and compilations call by call: JAX 0.12.0.1 has
// the same counts.
func TestCacheLikeJAX(t *testing.T) {
	jnp.Sin(jnp.Zeros(3)) // the runtime is up
	for name, test := range map[string]func(*testing.T){
		"types":               cacheTypes,
		"options":             cacheOptions,
		"stages":              cacheStages,
		"contexts":            cacheContexts,
		"static":              cacheStatic,
		"trees":               cacheTrees,
		"inner":               cacheInner,
		"x64, clear, disable": cacheSwitches,
	} {
		t.Run(name, test)
	}
}

func cacheTypes(t *testing.T) {
	z3, z4, i3, strong := jnp.Zeros(3), jnp.Zeros(4), jnp.Zeros(3).AsType(dtype.Int32), jnp.AsArray(float32(1))
	c := &counted{}
	f := c.fn()
	j := jax.Jit(f)
	runSteps(t, c, []step{
		{"first", func() { j(z3) }, 1, 1},
		{"again", func() { j(z3) }, 0, 0},
		{"another jit of the function", func() { jax.Jit(f)(z3) }, 0, 0},
		{"shape", func() { j(z4) }, 1, 1},
		{"first shape", func() { j(z3) }, 0, 0},
		{"dtype", func() { j(i3) }, 1, 1},
		{"float", func() { j(1.) }, 1, 1},
		{"other float", func() { j(2.) }, 0, 0},
		{"strong", func() { j(strong) }, 1, 1},
		{"sized number", func() { j(float32(3)) }, 0, 0},
		{"int", func() { j(1) }, 1, 1},
		{"bool", func() { j(true) }, 1, 1},
	})
}

func cacheOptions(t *testing.T) {
	z3 := jnp.Zeros(3)
	c := &counted{}
	f := c.fn()
	opt := func(b bool) jax.CompilerOptions {
		return jax.CompilerOptions{"xla_embed_ir_in_executable": b}
	}
	runSteps(t, c, []step{
		{"none", func() { jax.Jit(f)(z3) }, 1, 1},
		{"empty", func() { jax.Jit(f, jax.CompilerOptions{})(z3) }, 0, 0},
		{"one", func() { jax.Jit(f, opt(true))(z3) }, 0, 1},
		{"equal", func() { jax.Jit(f, opt(true))(z3) }, 0, 0},
		{"other", func() { jax.Jit(f, opt(false))(z3) }, 0, 1},
	})
}

func cacheStages(t *testing.T) {
	z3, strong := jnp.Zeros(3), jnp.AsArray(float32(1))
	c := &counted{}
	f := c.fn()
	j := jax.Jit(f)
	runSteps(t, c, []step{
		{"lower", func() { j.Lower(z3) }, 1, 0},
		{"compile", func() { j.Lower(z3).Compile() }, 0, 1},
		{"call", func() { j(z3) }, 0, 0},
		{"trace", func() { j.Trace(z3) }, 0, 0},
		{"make_jaxpr", func() { jax.MakeJaxpr(f)(z3) }, 0, 0},
		{"make_jaxpr of the jit", func() { jax.MakeJaxpr(j)(z3) }, 0, 0},
		{"eval_shape", func() { jax.EvalShape(f, z3) }, 0, 0},
		{"struct", func() { j.Lower(jax.ShapeDtypeStruct{Shape: []int{3}, DType: dtype.Float32}) }, 0, 0},
		{"grad", func() { jax.Grad(j)(1.) }, 1, 2}, // JAX compiles a 1.0 besides
		{"grad again", func() { jax.Grad(j)(1.) }, 0, 0},
		{"call at grad's type", func() { j(1.) }, 0, 1},
		{"jit of grad", func() { jax.Jit(jax.Grad(j))(1.) }, 0, 1},
		{"vmap", func() { jax.Vmap(j)(z3) }, 1, 1},
		{"call at vmap's type", func() { j(strong) }, 0, 1},
		{"jit of vmap", func() { jax.Jit(jax.Vmap(f))(z3) }, 1, 1},
	})
}

func cacheContexts(t *testing.T) {
	z3 := jnp.Zeros(3)
	c := &counted{}
	j := jax.Jit(c.fn())
	in := func(v any) func() {
		return func() { metadata.With(metadata.Attrs{"a": v}).Do(func() { j(z3) }) }
	}
	runSteps(t, c, []step{
		{"none", func() { j(z3) }, 1, 1},
		{"b", in("b"), 1, 1},
		{"b again", in("b"), 0, 0},
		{"c", in("c"), 1, 1},
		{"none again", func() { j(z3) }, 0, 0},
		{"1", in(1), 1, 1},
		{"true, which is 1", in(true), 0, 0},
	})
}

func cacheStatic(t *testing.T) {
	z3 := jnp.Zeros(3)
	c := &counted{}
	g := func(x jax.Array, n any) jax.Array { c.traces++; return x.Mul(n) }
	j := jax.Jit(g, jax.StaticArgnums(1))
	runSteps(t, c, []step{
		{"2", func() { j(z3, 2) }, 1, 1},
		{"2 again", func() { j(z3, 2) }, 0, 0},
		{"3", func() { j(z3, 3) }, 1, 1},
		{"2.0", func() { j(z3, 2.) }, 1, 1},
		{"true", func() { j(z3, true) }, 1, 1},
		{"1", func() { j(z3, 1) }, 1, 1},
		{"another jit", func() { jax.Jit(g, jax.StaticArgnums(1))(z3, 2) }, 0, 0},
		{"traced", func() { jax.Jit(g)(z3, 2) }, 1, 1},
	})
}

func cacheTrees(t *testing.T) {
	z3 := jnp.Zeros(3)
	c := &counted{}
	j := jax.Jit(func(d map[string]any) jax.Array { c.traces++; return leaf(d["a"]) })
	runSteps(t, c, []step{
		{"a", func() { j(map[string]any{"a": z3}) }, 1, 1},
		{"a, b", func() { j(map[string]any{"a": z3, "b": z3}) }, 1, 1},
		{"list", func() { j(map[string]any{"a": []any{z3}}) }, 1, 1},
		{"tuple", func() { j(map[string]any{"a": jax.Tuple{z3}}) }, 1, 1},
		{"none", func() { j(map[string]any{"a": jax.Tuple{z3}, "b": nil}) }, 1, 1},
		{"tuple again", func() { j(map[string]any{"a": jax.Tuple{z3}}) }, 0, 0},
	})
}

func cacheInner(t *testing.T) {
	z3, z4 := jnp.Zeros(3), jnp.Zeros(4)
	c := &counted{}
	j := jax.Jit(c.fn())
	o := jax.Jit(func(x jax.Array) jax.Array { return j(x).Add(j(x)) })
	runSteps(t, c, []step{
		{"outer", func() { o(z3) }, 1, 1},
		{"again", func() { o(z3) }, 0, 0},
		{"inner alone", func() { j(z3) }, 0, 1},
		{"shape", func() { o(z4) }, 1, 1},
		{"inner shape", func() { j(z4) }, 0, 1},
	})
}

func cacheSwitches(t *testing.T) {
	z3 := jnp.Zeros(3)
	c := &counted{}
	j := jax.Jit(c.fn())
	runSteps(t, c, []step{
		{"off", func() { j(z3) }, 1, 1},
		{"on", func() {
			jax.Update("jax_enable_x64", true)
			defer jax.Update("jax_enable_x64", false)
			j(z3)
		}, 1, 1},
		{"off again", func() { j(z3) }, 0, 0},
		{"cleared", func() { j.ClearCache(); j(z3) }, 1, 1},
		{"all cleared", func() { stages.ClearTraces(); j(z3) }, 1, 1},
		{"error", func() {
			bad := jax.Jit(func(x jax.Array) jax.Array { c.traces++; core.ValueErrorf("no"); return x })
			bad.Try(z3)
			bad.Try(z3)
		}, 2, 0},
	})
}

func leaf(x any) jax.Array {
	for {
		switch v := x.(type) {
		case jax.Array:
			return v
		case []any:
			x = v[0]
		case jax.Tuple:
			x = v[0]
		}
	}
}

func TestCacheInfo(t *testing.T) {
	type state struct {
		Step int
		W    jax.Array
	}
	f := jax.Jit(jax.Named(func(s state, x jax.Array) jax.Array { return s.W.Mul(x).Add(s.Step) }, "f", "state", "x"))
	z3, z4 := jnp.Zeros(3), jnp.Zeros(4)
	s := state{2, z3}
	if got := f.Explain(s, z3).String(); got != "never traced: the call traces and compiles" {
		t.Error(got)
	}
	f(s, z3)
	for _, c := range []struct{ got, want string }{
		{f.Explain(s, z3).String(), "cached: the call neither traces nor compiles"},
		{f.Explain(s, z4).String(), "retrace: shape of x: float32[3] -> float32[4]"},
		{f.Explain(s, z3.AsType(dtype.Int32)).String(), "retrace: dtype of x: float32[3] -> int32[3]"},
		{f.Explain(state{3, z3}, z3).String(), "retrace: static state.Step: 2 -> 3"},
		{f.Explain(s, 1.).String(), "retrace: shape of x: float32[3] -> float32[]"},
		{f.Explain(state{2, z4}, z4).String(), "retrace: shape of state.W: float32[3] -> float32[4]; shape of x: float32[3] -> float32[4]"},
	} {
		if c.got != c.want {
			t.Errorf("got  %s\nwant %s", c.got, c.want)
		}
	}
	metadata.With(metadata.Attrs{"k": "v"}).Do(func() {
		if got := f.Explain(s, z3).String(); got != "retrace: metadata context: None -> {'k': 'v'}" {
			t.Error(got)
		}
	})
	want := "entries: 1, traces: 1, compiles: 1\n  (state.W: float32[3], x: float32[3], state.Step=2) | compiled"
	if got := f.Cache().String(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}

	o := jax.Jit(func(x jax.Array) jax.Array { return x }, jax.CompilerOptions{"optimization_level": jax.O2, "xla_disable_hlo_passes": "fusion"})
	o(z3)
	if got, want := o.Cache().String(), `compiled with {"optimization_level": O2, "xla_disable_hlo_passes": "fusion"}`; !strings.HasSuffix(got, want) {
		t.Errorf("got  %s\nwant %s at the end", got, want)
	}
	g := func(x jax.Array, n any) jax.Array { return x.Mul(n) }
	a := jax.Jit(jax.Named(g, "g", "x", "n"), jax.StaticArgnums(1), jax.CompilerOptions{"xla_embed_ir_in_executable": true})
	b := jax.Jit(jax.Named(g, "g", "x", "n"), jax.StaticArgnums(1))
	a(1., 2)
	for _, c := range []struct{ got, want string }{
		{a.Explain(1., 3).String(), "retrace: static n: 2 -> 3"},
		{a.Explain(float32(1.), 2).String(), "retrace: weak type of x: ~float32[] -> float32[]"},
		{b.Explain(1., 2).String(), "recompile: option xla_embed_ir_in_executable: True -> unset"},
	} {
		if c.got != c.want {
			t.Errorf("got  %s\nwant %s", c.got, c.want)
		}
	}
}

func TestRetraceNotice(t *testing.T) {
	type state struct {
		Step int
		W    jax.Array
	}
	var said []string
	defer core.OnWarn(func(class, text string) { said = append(said, class+": "+text) })()
	f := jax.Jit(jax.Named(func(s state) jax.Array { return s.W.Add(s.Step) }, "f", "state"))
	for i := range 6 {
		f(state{i, jnp.Zeros(2)})
	}
	if got, want := strings.Join(said, "\n"), "UserWarning: retraced: state.Step 2 -> 3 (make it an Array)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestDonationWarning(t *testing.T) {
	const see = "\nSee an explanation at https://docs.jax.dev/en/latest/201/jit.html#jax-201-buffer-donation."
	var said []string
	defer core.OnWarn(func(class, text string) { said = append(said, class+": "+text) })()
	check := func(what string, want ...string) {
		t.Helper()
		for i := range want {
			want[i] = "UserWarning: Some donated buffers were not usable: " + want[i] + see
		}
		if strings.Join(said, "|") != strings.Join(want, "|") {
			t.Errorf("%s: %q, want %q", what, said, want)
		}
		said = nil
	}
	x, y := jnp.Zeros(3), jnp.Zeros([]int{2, 2}).AsType(dtype.Int32)
	sum := func(x jax.Array) jax.Array { return jnp.Sum(x) }
	j := jax.Jit(sum, jax.DonateArgnums(0))
	j(x)
	check("first call", "float32[3].")
	if x.IsDeleted() {
		t.Error("an argument that could not be donated is deleted")
	}
	j(x)
	j.Lower(x)
	jax.Jit(sum, jax.DonateArgnums(0)).Lower(x).Compile()
	check("further calls")
	two := func(x, y jax.Array) jax.Array { return x.Add(1.) }
	jax.Jit(two, jax.DonateArgnums(0, 1))(jnp.Zeros(3), y)
	check("an argument that the program drops")
	jax.Jit(two, jax.DonateArgnums(0, 1), jax.KeepUnused(true))(jnp.Zeros(3), y)
	check("an argument that it keeps", "int32[2,2].")
	jax.Grad(jax.Jit(func(a jax.Array) jax.Array { return jnp.Sum(a.Mul(a)) }, jax.DonateArgnums(0)))(jnp.Zeros(5))
	check("grad", "float32[5].")
}

// TestLevelsDoNotRecompile: process-wide effort levels count for what is compiled
// later, and for nothing else (the figures are JAX's).
func TestLevelsDoNotRecompile(t *testing.T) {
	defer jax.Update("jax_optimization_level", "UNKNOWN")
	defer jax.Update("jax_memory_fitting_level", "O2")
	c := &counted{}
	f := jax.Jit(c.fn())
	lowered := f.Lower(1.)
	z3 := jnp.Zeros(3)
	runSteps(t, c, []step{
		{"first", func() { f(1.) }, 0, 1},
		{"O1", func() { jax.Update("jax_optimization_level", "O1"); f(1.) }, 0, 0},
		{"O3", func() { jax.Update("jax_optimization_level", "O3"); f(1.) }, 0, 0},
		{"memory", func() { jax.Update("jax_memory_fitting_level", "O1"); f(1.) }, 0, 0},
		{"compile step", func() { lowered.Compile() }, 0, 0},
		{"another shape", func() { f(z3) }, 1, 1},
		{"another shape, O1", func() { jax.Update("jax_optimization_level", "O1"); f(z3) }, 0, 0},
	})
}
