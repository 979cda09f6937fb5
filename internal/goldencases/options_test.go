package goldencases

import (
	"fmt"
	"math"
	"math/big"
	"os"
	"regexp"
	"strings"
	"unsafe"

	jax "gopherlo/jaxlike"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/jnp"
	"gopherlo/jaxlike/stages"
	"gopherlo/metadata"
)

type (
	// A is short for what all programs handle.
	A     = jax.Array
	attrs = metadata.Attrs
	opts  = jax.CompilerOptions
)

// power is 2 to the n as an integer of any size.
func power(n uint) *big.Int { return new(big.Int).Lsh(big.NewInt(1), n) }

func negative(n *big.Int) *big.Int { return new(big.Int).Neg(n) }

// attempt says how a compilation ends: "ok", or the error's class and words.
func attempt(body func()) any {
	if err := raised(body); err != nil {
		return err.Name + ": " + err.Message
	}
	return "ok"
}

// table attempts one thing for many values, by their Python text.
func table(try func(v any) any, values ...any) map[string]any {
	out := map[string]any{}
	for _, v := range values {
		out[core.PyRepr(listed(v))] = try(v)
	}
	return out
}

// listed gives slices in a form that prints as Python prints lists.
func listed(v any) any {
	switch v := v.(type) {
	case []string:
		out := core.List{}
		for _, s := range v {
			out = append(out, s)
		}
		return out
	case jax.Tuple:
		return core.Tuple(v)
	}
	return v
}

// compiling attempts to compile a lowered program with one option.
func compiling(l *jax.Lowered, name string) func(v any) any {
	return func(v any) any { return attempt(func() { l.Compile(opts{name: v}) }) }
}

// asked makes a probe of each value.
func asked(try func(v any) any, names []string, values ...any) []probe {
	var out []probe
	for i, n := range names {
		out = append(out, probe{n, func() any { return try(values[i]) }})
	}
	return out
}

func square(x A) A { return x.Mul(x) }

const (
	embed  = "xla_embed_ir_in_executable"
	budget = "xla_gpu_auto_spmd_partitioning_memory_budget_ratio"
)

var _ = register(cases{
	"001": func() program {
		f := func(x A) A { return jnp.Sqrt(x.Pow(2)).Add(1.) }
		return program{f: jax.Named(f, "f", "x"), args: []any{-3.0}, jit: []jax.Option{opts{embed: true}}}
	},
	"002": func() program {
		f := func(x A) A { return jnp.Exp(x).Mul(2.) }
		return program{
			f: jax.Named(f, "f", "x"), args: []any{[]float32{0, 1, -1}},
			jit: []jax.Option{opts{embed: false}}, compile: opts{embed: false},
		}
	},
	"003": func() program {
		l := jax.Jit(jax.Named(func(x A) A { return x.Add(1.) }, "f", "x")).Lower(1.0)
		return program{probes: []probe{{"table", func() any {
			return table(compiling(l, embed), "true", "True", "TRUE", "tRue", "1", "t", "T", "yes", "y", "on", "false", "False",
				"FALSE", "0", "f", "no", "n", "off", "", " true", "true ", "2", "maybe")
		}}}}
	},
	"004": func() program {
		l := jax.Jit(jax.Named(func(x A) A { return x.Mul(2.) }, "<lambda>", "x")).Lower(1.0)
		return program{probes: asked(compiling(l, embed),
			[]string{"int_1", "int_0", "int_2", "int_negative", "float", "none", "list", "dict", "bytes", "numpy_int"},
			1, 0, 2, -1, 1.0, nil, []bool{true}, map[string]bool{"a": true}, []byte("true"), int32(1))}
	},
	"005": func() program {
		l := jax.Jit(jax.Named(func(x A) A { return x.Sub(1.) }, "<lambda>", "x")).Lower(1.0)
		try := compiling(l, "xla_dump_max_hlo_modules")
		return program{probes: []probe{
			{"table", func() any {
				return table(try, 200, 0, -1, "200", "-5", "+7", "0x10", " 12", "12 ", "1_000", "1.0", "abc", "", true, false, 1.0, 1.5,
					1<<31-1, 1<<31, -1<<31-1, 1<<40)
			}},
			{"beyond_64_bits", func() any { return try(power(70)) }},
		}}
	},
	"006": func() program {
		l := jax.Jit(jax.Named(func(x A) A { return x.Div(3.) }, "<lambda>", "x")).Lower(1.0)
		return program{probes: []probe{{"table", func() any {
			return table(compiling(l, budget), 0.5, 1, -2, "0.5", "1e-3", ".5", "5.", "abc", "", " 1", "inf", "nan",
				math.Inf(1), math.NaN(), true, 1e300, "1e300", 1<<40)
		}}}}
	},
	"007": func() program {
		l := jax.Jit(jax.Named(func(x A) A { return x.Neg() }, "<lambda>", "x")).Lower(1.0)
		return program{probes: []probe{{"table", func() any {
			return table(compiling(l, "xla_dump_hlo_pass_re"), "", "nothing", "a b", "é", 3, 2.5, true, nil, []string{"a"}, jax.Tuple{"a"})
		}}}}
	},
	"008": func() program {
		l := jax.Jit(jax.Named(func(x A) A { return x.Abs() }, "<lambda>", "x")).Lower(1.0)
		return program{probes: []probe{
			{"step_marker", func() any {
				return table(compiling(l, "xla_step_marker_location"), "STEP_MARK_AT_ENTRY", "STEP_MARK_NONE", "step_mark_none",
					"NOPE", "", 0, 1, "1", 999, true, 1.0)
			}},
			{"partitioning", func() any {
				return table(compiling(l, "xla_partitioning_algorithm"), "PARTITIONING_ALGORITHM_NOOP", "NOOP", 0)
			}},
		}}
	},
	"009": func() program {
		f := func(x A) A { return jnp.Tanh(x) }
		return program{f: jax.Named(f, "f", "x"), args: []any{0.25}, jit: []jax.Option{opts{"not_a_flag_here": 1}}}
	},
	"010": func() program {
		try := func(k any) any {
			f := jax.Named(func(x A) A { return x.Add(1.) }, "<lambda>", "x")
			return attempt(func() { jax.Jit(f, opts{k.(string): true})(1.0) })
		}
		return program{probes: []probe{{"table", func() any {
			return table(try, "--xla_embed_ir_in_executable", "xla-embed-ir-in-executable", "XLA_EMBED_IR_IN_EXECUTABLE",
				" xla_embed_ir_in_executable", "xla_embed_ir_in_executable ", "xla_embed_ir_in_executable=true", "",
				"embed_ir_in_executable", "it's", `a"b`, "naïve")
		}}}}
	},
	"011": func() program {
		f := jax.Named(square, "f", "x")
		return program{
			f: f, args: []any{3.0}, jit: []jax.Option{opts{}},
			variants: []variant{
				{"none", jax.Jit(f, opts(nil)), []any{3.0}},
				{"empty", jax.Jit(f, opts{}), []any{3.0}},
			},
			probes: []probe{
				{"compile_none", func() any { return jax.Jit(f).Lower(3.0).Compile(nil)(3.0).Float() }},
				{"compile_empty", func() any { return jax.Jit(f).Lower(3.0).Compile(opts{})(3.0).Float() }},
			},
		}
	},
	// All its probes give something else than a map: see docs/exceptions.md.
	"012": func() program { return program{} },
	"013": func() program {
		inner := jax.Jit(jax.Named(func(x A) A { return x.Mul(2.) }, "inner", "x"), opts{embed: true})
		plain := func(x A) A { return inner(x).Add(1.) }
		f := jax.Named(plain, "f", "x")
		return program{f: f, args: []any{3.0}, probes: []probe{
			{"inner_alone", func() any { return inner(3.0) }},
			{"outer_not_jitted", func() any { return plain(jnp.AsArray(3.0)) }},
			{"make_jaxpr", func() any { return jax.MakeJaxpr(f)(3.0).String() }},
			{"same_options_outside", func() any { return jax.Jit(f, opts{embed: true})(3.0) }},
		}}
	},
	"014": func() program {
		inner := jax.Jit(jax.Named(func(x A) A { return x.Mul(2.) }, "inner", "x"), opts{})
		f := func(x A) A { return inner(x).Add(1.) }
		return program{f: jax.Named(f, "f", "x"), args: []any{3.0}}
	},
	"015": func() program {
		g := jax.Jit(jax.Named(func(x A) A { return jnp.Sin(x).Mul(x) }, "<lambda>", "x"), opts{embed: true})
		return program{probes: []probe{
			{"grad", func() any { return jax.Grad(g)(2.0) }},
			{"vmap", func() any { return jax.Vmap(g)(jnp.Arange(3.)) }},
			{"jvp", func() any {
				y, t := jax.Jvp(g, jax.Args{2.0}, jax.Args{1.0})
				return jax.Tuple{y, t}
			}},
			{"vjp", func() any {
				_, back := jax.Vjp(g, 2.0)
				return back(1.0)
			}},
			{"grad_grad", func() any { return jax.Grad(jax.Grad(g))(2.0) }},
			{"jit_grad", func() any { return jax.Jit(jax.Grad(g))(2.0) }},
			{"jit_vmap", func() any { return jax.Jit(jax.Vmap(g))(jnp.Arange(3.)) }},
			{"jaxpr_grad", func() any { return jax.MakeJaxpr(jax.Grad(g))(2.0).String() }},
		}}
	},
	"016": func() program {
		f := jax.Named(func(x A) A { return x.Add(1.) }, "f", "x")
		good := opts{embed: true}
		both := func(a, b opts) func() any {
			return func() any { return attempt(func() { jax.Jit(f, a).Lower(1.0).Compile(b) }) }
		}
		return program{probes: []probe{
			{"bad_on_jit", both(opts{"zz_jit": 1}, good)},
			{"bad_at_compile", both(good, opts{"zz_compile": 1})},
			{"both_bad", both(opts{"zz_jit": 1}, opts{"zz_compile": 1})},
			{"same_key_bad_jit", both(opts{embed: "from-jit"}, good)},
			{"same_key_bad_compile", both(good, opts{embed: "from-compile"})},
			{"same_key_both_bad", both(opts{embed: "from-jit"}, opts{embed: "from-compile"})},
			{"bad_jit_no_compile", both(opts{"zz_jit": 1}, nil)},
		}}
	},
	"017": func() program {
		f := jax.Named(func(x A) A { return jnp.Sqrt(x).Add(1.) }, "f", "x")
		names := []string{"UNKNOWN", "O0", "O1", "O2", "O3"}
		levels := []any{jax.UNKNOWN, jax.O0, jax.O1, jax.O2, jax.O3}
		return program{
			f: f, args: []any{4.0}, jit: []jax.Option{opts{"optimization_level": jax.O3, "memory_fitting_level": jax.O1}},
			probes: []probe{
				{"members", func() any {
					out := map[string]any{}
					for i, l := range levels {
						out[names[i]] = l
					}
					return out
				}},
				{"repr", func() any { return fmt.Sprintf("%#v %v", jax.O3, jax.O3) }},
				{"each", func() any {
					var out []float64
					for _, l := range levels {
						out = append(out, jax.Jit(f, opts{"optimization_level": l})(4.0).Float())
					}
					return out
				}},
			},
		}
	},
	"018": func() program {
		l := jax.Jit(jax.Named(func(x A) A { return x.Add(1.) }, "<lambda>", "x")).Lower(1.0)
		level, memory := compiling(l, "optimization_level"), compiling(l, "memory_fitting_level")
		return program{probes: []probe{
			{"strings", func() any { return table(level, "O0", "O1", "O2", "O3", "UNKNOWN", "o1", "O4", "0", "9", "", " O1") }},
			{"ints", func() any { return table(level, 0, 9, 19, 29, 39, 1, 2, 3, -1, 40) }},
			{"others", func() any { return table(level, nil, true, false, 9.0, 19.5) }},
			{"list", func() any { return level([]string{"O1"}) }},
			{"memory", func() any { return table(memory, "O0", "O3", "O5", 19, 5, nil) }},
		}}
	},
	"019": func() program {
		f := func(x A) A { return x.Mul(3.) }
		return program{f: jax.Named(f, "f", "x"), args: []any{1.5}, jit: []jax.Option{opts{"optimization_level": "O7"}}}
	},
	"020": func() program {
		l := jax.Jit(jax.Named(func(x A) A { return x.Add(1.) }, "<lambda>", "x")).Lower(1.0)
		return program{probes: []probe{
			{"exec_time", func() any {
				return table(compiling(l, "exec_time_optimization_effort"), 0.0, 0.5, -1.0, 2.0, "0.5", 1, "abc", true)
			}},
			{"memory", func() any { return table(compiling(l, "memory_fitting_effort"), 0.0, -1.0, "x") }},
		}}
	},
	"021": func() program {
		l := jax.Jit(jax.Named(func(x A) A { return x.Add(1.) }, "<lambda>", "x")).Lower(1.0)
		return program{probes: []probe{
			{"strings", func() any {
				return table(compiling(l, "xla_disable_hlo_passes"), "", "fusion", "fusion,dce", " fusion , dce", "no-such-pass",
					[]string{"fusion"}, jax.Tuple{"fusion"}, 3)
			}},
			{"enums", func() any {
				return table(compiling(l, "xla_gpu_enable_command_buffer"), "", "FUSION", "FUSION,CUBLAS", "+FUSION", "-FUSION", "fusion",
					"NOPE", 1, []string{"FUSION"})
			}},
			{"only", func() any { return table(compiling(l, "xla_enable_hlo_passes_only"), "fusion", "dce") }},
		}}
	},
	"022": func() program {
		l := jax.Jit(jax.Named(func(x A) A { return x.Add(1.) }, "<lambda>", "x")).Lower(1.0)
		try := compiling(l, "xla_backend_extra_options")
		return program{probes: []probe{
			{"table", func() any { return table(try, "", "a=b", "a", "a=b,c=d", "=", 3, true) }},
			{"dict", func() any { return try(map[string]string{"a": "b"}) }},
		}}
	},
	"023": func() program {
		part := metadata.Tag(attrs{"k": "v"})(jax.Named(func(x A) A { return jnp.Sin(x).Mul(jnp.Cos(x)) }, "part", "x"))
		f := jax.Named(func(x A) A { return part(x).Add(2.) }, "f", "x")
		args := []any{[]float32{0.5, 1.5}}
		return program{
			f: f, args: args, jit: []jax.Option{opts{"xla_disable_hlo_passes": "call-inliner"}},
			variants: []variant{{"default", f, args}},
		}
	},
	"024": func() program {
		f := jax.Named(func(x A) A { return jnp.Sin(x).Mul(jnp.Cos(x)).Add(2.) }, "f", "x")
		args := []any{[]float32{0.5, 1.5}}
		return program{
			f: f, args: args, jit: []jax.Option{opts{"xla_disable_hlo_passes": "fusion"}},
			variants: []variant{{"default", f, args}},
		}
	},
	"025": func() program {
		f := func(x, y A) A { return x.Add(y).Mul(x.Add(y)).Sub(jnp.Multiply(0., y)) }
		return program{
			f: jax.Named(f, "f", "x", "y"), args: []any{[]float32{1, 2}, []float32{3, 4}},
			jit: []jax.Option{opts{"xla_backend_optimization_level": 0}},
		}
	},
	"026": func() program {
		f := func(x A) A { return jnp.Log1p(x) }
		return program{
			f: jax.Named(f, "f", "x"), args: []any{1.0},
			jit: []jax.Option{opts{budget: 0.5, "xla_gpu_autotune_level": 0}},
		}
	},
	"027": dumping,
	"028": cachedByOptions,
	"029": func() program {
		l := jax.Jit(jax.Named(func(x A) A { return x.Mul(5.).Sub(1.) }, "<lambda>", "x")).Lower(float32(1.0))
		var made []jax.Compiled
		count := func(o opts) func() any {
			return func() any {
				return counted(func() { made = append(made, l.Compile(o)) })["compiles"]
			}
		}
		return program{probes: []probe{
			{"1_none", count(nil)},
			{"2_none_again", count(nil)},
			{"3_true", count(opts{embed: true})},
			{"4_true_again", count(opts{embed: true})},
			{"5_false", count(opts{embed: false})},
			{"6_distinct_objects", func() any {
				ids := map[unsafe.Pointer]bool{}
				for _, m := range made {
					ids[*(*unsafe.Pointer)(unsafe.Pointer(&m))] = true
				}
				return len(ids)
			}},
		}}
	},
	"030": func() program {
		o := opts{embed: true}
		f := jax.Named(func(x A) A { return x.Add(1.) }, "<lambda>", "x")
		g := jax.Jit(f, o)
		o["zz_added_later"] = 1
		return program{probes: []probe{
			{"call", func() any { return g(1.0) }},
			{"fresh", func() any { return jax.Jit(f, o)(1.0) }},
		}}
	},
	"031": func() program {
		f := jax.Named(func(x A) A { return x.Add(1.) }, "f", "x")
		with := func(o opts) func() any { return func() any { return jax.Jit(f, o)(1.0) } }
		return program{probes: []probe{
			{"list", with(opts{"xla_disable_hlo_passes": []string{"fusion"}})},
			{"dict", with(opts{"xla_backend_extra_options": map[string]string{"a": "b"}})},
			{"tuple", with(opts{"xla_disable_hlo_passes": jax.Tuple{"fusion"}})},
		}}
	},
	"032": func() program {
		g := jax.Jit(jax.Named(square, "g", "x"), opts{embed: true})
		h := jax.Jit(jax.Named(func(x A, n int) A { return x.Pow(n) }, "h", "x", "n"), opts{embed: false}, jax.StaticArgnames("n"))
		return program{f: g, args: []any{5.0}, probes: []probe{
			{"partial", func() any { return h(2.0, 3) }},
			{"jaxpr", func() any { return jax.MakeJaxpr(g)(5.0).String() }},
		}}
	},
})

// counted counts traces and compilations while body runs.
func counted(body func()) map[string]int {
	read := func() (traces, compiles int) {
		stages.Counts.Lock()
		defer stages.Counts.Unlock()
		return stages.Counts.Traces, stages.Counts.Compiles
	}
	t, c := read()
	body()
	t2, c2 := read()
	return map[string]int{"traces": t2 - t, "compiles": c2 - c}
}

func cachedByOptions() program {
	f := jax.Named(func(x A) A { return x.Mul(2.).Add(1.) }, "f", "x")
	count := func(o ...jax.Option) func() any {
		return func() any { return counted(func() { jax.Jit(f, o...)(float32(1.0)) }) }
	}
	return program{probes: []probe{
		{"1_first", count(opts{embed: true})},
		{"2_same_options_again", count(opts{embed: true})},
		{"3_other_value", count(opts{embed: false})},
		{"4_none", count()},
		{"5_empty", count(opts{})},
		{"6_two_keys", count(opts{embed: true, "xla_dump_max_hlo_modules": 3})},
		{"8_string_value", count(opts{embed: "true"})},
		{"9_one_instead_of_true", count(opts{embed: 1})},
	}}
}

// dumpNumber is the count of compilations that the names of dumped files start
// with. JAX's own client counts two for each, the plugin one, from the start of
// the process.
var dumpNumber = regexp.MustCompile(`^module_\d{4}`)

// dumping compares the names of dumped files, all but those of LLVM code (.ll),
// which the plugin's XLA, newer than JAX's, dumps beside the rest.
func dumping() program {
	compilations := 0
	f := jax.Named(func(x A) A { return jnp.Sin(x).Add(1.) }, "f", "x")
	names := func(flag string) func() any {
		return func() any {
			dir, err := os.MkdirTemp("", "dump")
			if err != nil {
				return err
			}
			defer os.RemoveAll(dir)
			o := opts{"xla_dump_to": dir}
			if flag != "" {
				o[flag] = true
			}
			jax.Jit(f, o)(1.0)
			entries, err := os.ReadDir(dir)
			if err != nil {
				return err
			}
			var out []string
			for _, e := range entries {
				if !strings.HasSuffix(e.Name(), ".ll") {
					out = append(out, dumpNumber.ReplaceAllString(e.Name(), fmt.Sprintf("module_%04d", 2*compilations)))
				}
			}
			compilations++
			return out
		}
	}
	return program{probes: []probe{
		{"default", names("")},
		{"text", names("xla_dump_hlo_as_text")},
		{"proto", names("xla_dump_hlo_as_proto")},
		{"dot", names("xla_dump_hlo_as_dot")},
	}}
}
