package goldencases

import (
	"fmt"
	"math"

	jax "gopherlo/jaxlike"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
	"gopherlo/jaxlike/jnp"
	"gopherlo/jaxlike/kw"
	"gopherlo/metadata"
	"gopherlo/xla/hlo"
)

// strong is a number as an array of its own type.
func strong(v any, d dtype.DType) A { return jnp.AsArray(v, kw.DType(d)) }

func memory(c jax.Compiled) map[string]int64 {
	m := c.MemoryAnalysis()
	return map[string]int64{
		"argument_size_in_bytes": m.ArgumentSize, "output_size_in_bytes": m.OutputSize, "alias_size_in_bytes": m.AliasSize,
		"temp_size_in_bytes": m.TempSize, "host_argument_size_in_bytes": m.HostArgumentSize,
		"host_output_size_in_bytes": m.HostOutputSize, "host_temp_size_in_bytes": m.HostTempSize,
	}
}

// kindsZero is -0.0, which Go has no literal for.
var kindsZero = math.Copysign(0, -1)

func plusOne(x A) A { return x.Add(1.) }

var _ = register(cases{
	"051": func() program {
		f := one(func(x A) A { return jnp.Sqrt(x) })
		l := jax.Jit(f).Lower(4.0)
		return program{f: f, args: []any{4.0}, probes: []probe{
			{"none", func() any { return fmt.Sprint(l.CompilerIR()) }},
			{"hlo_text", func() any { return l.CompilerIR("hlo").(*hlo.Module).String() }},
			{"invalid", func() any { return fmt.Sprint(l.CompilerIR("mhlo")) }},
			{"same_as_text", func() any { return fmt.Sprint(l.CompilerIR("stablehlo")) == l.AsText() }},
		}}
	},
	"052": func() program {
		f := one(plusOne)
		compiled := jax.Jit(f).Lower(1.0).Compile()
		return program{probes: []probe{
			{"plain", func() any { return compiled.AsText() }},
			{"twice_equal", func() any {
				return withoutPlaces(jax.Jit(f).Lower(1.0).Compile().AsText()) == withoutPlaces(compiled.AsText())
			}},
			{"module_name", func() any { return compiled.HLO().Name }},
		}}
	},
	"054": func() program {
		f := jax.Named(func(x, y A) A { return x.MatMul(y) }, "f", "x", "y")
		a, b := ones(8, 4), ones(4, 2)
		return program{f: f, args: []any{a, b}, probes: []probe{
			{"fields", func() any { return memory(jax.Jit(f).Lower(a, b).Compile()) }},
			{"donated", func() any {
				return memory(jax.Jit(lambda(plusOne, "x"), jax.DonateArgnums(0)).Lower(a).Compile())
			}},
		}}
	},
	"055": func() program {
		x := ones(2, 3)
		compiled := jax.Jit(jax.Named(func(x, y A) A { return x.Mul(y) }, "f", "x", "y")).Lower(x, x).Compile()
		call := func(args ...any) func() any { return func() any { return compiled(args...) } }
		return program{probes: []probe{
			{"good", call(x, x)},
			{"shape", call(ones(3, 2), x)},
			{"rank", call(float32(1), x)},
			{"dtype", call([][]int32{{1, 1, 1}, {1, 1, 1}}, x)},
			{"both", call([]int32{1, 1}, jnp.Ones(1, kw.DType(jnp.Float16)))},
			{"float64", call([][]float64{{1, 1, 1}, {1, 1, 1}}, x)},
			{"python_scalar", call(1.0, x)},
			{"too_few", call(x)},
			{"too_many", call(x, x, x)},
			{"list", call([]any{x}, x)},
			{"none", call(nil, x)},
			{"string", call("a", x)},
		}}
	},
	"056": func() program {
		f := one(func(x A) A { return x.Add(x) })
		weak, integer := jax.Jit(f).Lower(1.0).Compile(), jax.Jit(f).Lower(1).Compile()
		strongly := jax.Jit(f).Lower(strong(1.0, jnp.Float32)).Compile()
		return program{probes: []probe{
			{"weak_float", func() any { return weak(2.0) }},
			{"weak_array", func() any { return weak(strong(2.0, jnp.Float32)) }},
			{"weak_numpy", func() any { return weak(float32(2)) }},
			{"weak_int", func() any { return weak(2) }},
			{"weak_numpy64", func() any { return weak(float64(2)) }},
			{"strong_float", func() any { return strongly(2.0) }},
			{"strong_int", func() any { return strongly(2) }},
			{"int_bool", func() any { return integer(true) }},
			{"int_float", func() any { return integer(2.0) }},
		}}
	},
	"057": func() program {
		c := jax.Jit(lambda(func(x A) A { return x.Mul(2.) }, "x")).Lower(1.0).Compile()
		return program{probes: []probe{
			{"vmap", func() any { return jax.Vmap(c)(jnp.Arange(3.)) }},
			{"grad", func() any { return jax.Grad(c)(1.0) }},
			{"jit", func() any { return jax.Jit(lambda(func(x A) A { return c(x).Add(1.) }, "x"))(1.0) }},
			{"jvp", func() any {
				y, _ := jax.Jvp(c, jax.Args{1.0}, jax.Args{1.0})
				return y
			}},
			{"make_jaxpr", func() any { return jax.MakeJaxpr(c)(1.0).String() }},
			{"two_args", func() any {
				c2 := jax.Jit(lambda(func(a, b A) A { return a.Mul(b) }, "a", "b")).Lower(1.0, 2.0).Compile()
				return jax.Vmap(c2)(jnp.Arange(3.), jnp.Arange(3.))
			}},
		}}
	},
	"060": func() program {
		return program{
			f:    jax.Named(func(x, y A) A { return x.Add(y) }, "f", "x", "y"),
			args: []any{jnp.Array([]float64{1, 2}), jnp.Array([]float64{3, 4})}, jit: []jax.Option{jax.DonateArgnums(0)},
		}
	},
	"061": func() program {
		g := jax.Jit(lambda(plusOne, "x"), jax.DonateArgnums(0))
		after := func(ask func(x A) any) func() any {
			return func() any {
				x := jnp.Arange(3.)
				g(x)
				return ask(x)
			}
		}
		return program{probes: []probe{
			{"read_after", after(func(x A) any { return x.Add(1.) })},
			{"call_again", after(func(x A) any { return g(x) })},
			{"is_deleted", func() any {
				x := jnp.Arange(3.)
				before := x.IsDeleted()
				g(x)
				return []bool{before, x.IsDeleted()}
			}},
			{"compiled", func() any {
				x := jnp.Arange(3.)
				c := g.Lower(x).Compile()
				c(x)
				return c(x)
			}},
			{"print", after(func(x A) any { return x.String() })},
		}}
	},
	"063": func() program {
		f := jax.Named(func(n any, x A) A {
			times, ok := n.(int)
			if a, traced := n.(A); traced {
				times, ok = a.IndexInt(), true
			}
			for range times {
				x = x.Mul(2.)
			}
			if !ok {
				panic("n is no number")
			}
			return x
		}, "f", "n", "x")
		j := jax.Jit(f, jax.StaticArgnums(0))
		return program{f: f, args: []any{3, 1.5}, jit: []jax.Option{jax.StaticArgnums(0)}, jaxpr: []jax.Option{jax.StaticArgnums(0)}, probes: []probe{
			{"compiled_without", func() any { return j.Lower(3, 1.5).Compile()(1.5) }},
			{"compiled_with", func() any { return j.Lower(3, 1.5).Compile()(3, 1.5) }},
			{"names", func() any { return jax.Jit(f, jax.StaticArgnames("n")).Lower(2, 1.5).AsText("hlo") }},
			{"array_static", func() any { return j(jnp.Arange(2), 1.5) }},
			{"list_static", func() any { return j([]int{3}, 1.5) }},
			{"out_of_range", func() any { return jax.Jit(f, jax.StaticArgnums(4))(3, 1.5) }},
			{"unknown_name", func() any { return jax.Jit(f, jax.StaticArgnames("zz")).Name() }},
			{"not_static", func() any { return jax.Jit(f)(3, 1.5) }},
		}}
	},
	"064": func() program {
		f := jax.Named(func(x, unused, y A) A { return x.Sub(y) }, "f", "x", "unused", "y")
		args := []any{float32(5), ones(1, 100)[0], float32(2)}
		return program{
			f: f, args: args, variants: []variant{{"kept", jax.Jit(f, jax.KeepUnused(true)), args}},
			probes: []probe{
				{"called_with_other_shape", func() any {
					return jax.Jit(f).Lower(args...).Compile()(float32(5), ones(1, 7)[0], float32(2))
				}},
				{"called_with_good", func() any { return jax.Jit(f).Lower(args...).Compile()(args...) }},
			},
		}
	},
	"066": func() program {
		f := func(a, b, c A) (A, A, A, A, A) { return a.Add(b), a.Mul(2), b.Add(1.5), c.Add(1), c.Mul(2.5) }
		return program{f: jax.Named(f, "f", "a", "b", "c"), args: []any{float32(1), 3, []int16{1, 2}}}
	},
	"067": shapesWithoutRunning,
	"068": badArguments,
	"069": func() program {
		traced := func(f any, name string, args ...any) func() any {
			return func() any { return jax.Jit(lambda(f, name))(args...) }
		}
		return program{probes: []probe{
			{"if", traced(func(x A) any {
				if x.Gt(0).Bool() {
					return 1.
				}
				return 2.
			}, "x", 1.0)},
			{"float", traced(func(x A) any { return x.Float() }, "x", 1.0)},
			{"int", traced(func(n A) any { return n.Int() }, "n", 1)},
			{"range", traced(func(n A) any {
				sum := 0
				for i := range n.IndexInt() {
					sum += i
				}
				return sum
			}, "n", 3)},
			{"numpy", traced(func(x A) any { return x.ToSlice() }, "x", 1.0)},
			{"index", traced(func(n A) any { return []int{1, 2, 3}[n.IndexInt()] }, "n", 1)},
			{"bool_mask", traced(func(x A) A { return x.Index(x.Gt(0)) }, "x", jnp.Arange(3.))},
			{"shape_from_value", traced(func(n A) A { return jnp.Zeros([]any{n}) }, "n", 3)},
		}}
	},
	"071": func() program {
		f := func(x, n A) any {
			return map[string]any{"b": x.Add(1.), "a": []any{n.Mul(2), jax.Tuple{x, nil}}, "c": map[string]A{}}
		}
		return program{f: jax.Named(f, "f", "x", "n"), args: []any{[]float32{1, 2}, 4}}
	},
	"072": func() program {
		return program{f: one(func(x A) A { return x }), args: []any{[][]int32{{1, 2}, {3, 4}}}}
	},
	"073": func() program {
		f := func(x A) any {
			jnp.Sin(x)
			return nil
		}
		return program{f: jax.Named(f, "f", "x"), args: []any{1.0}, variants: []variant{
			{"no-arguments", lambda(func() A { return jnp.Arange(3).Mul(2) }), nil},
			{"nothing", lambda(func() any { return jax.Tuple{} }), nil},
		}}
	},
	"074": func() program {
		inner := jax.Jit(jax.Named(func(x A) A { return jnp.Sin(x).Mul(2.) }, "inner", "x"))
		f := func(x, v A) (A, A) { return inner(x).Add(inner(inner(x))), inner(v) }
		return program{f: jax.Named(f, "f", "x", "v"), args: []any{1.0, []float32{1, 2}}}
	},
	"075": func() program {
		w := jnp.Array([][]float64{{1, 2}, {3, 4}})
		n := []int32{20, 40} // N * 2 is NumPy's work in the Python program
		return program{f: one(func(x A) A { return w.MatMul(x).Add(n).Add(0.5) }), args: []any{[]float32{1, -1}}}
	},
	"076": func() program {
		big, same := row(40), make([]float32, 50)
		for i := range same {
			same[i] = 2.5
		}
		rows := [][]int32{{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}}
		f := func(x A) (A, any, A) { return x.Add(big), rows, jnp.Multiply(same, x.Index(0)) }
		return program{f: jax.Named(f, "f", "x"), args: []any{ones(1, 40)[0]}}
	},
	"077": func() program {
		f := func(x A) (A, A, A, A, A, A, A, A) {
			return x.Add(1e-7), x.Mul(1e10), x.Sub(0.1), x.Div(3.), x.Add(123456789.), x.Mul(kindsZero), x.Add(2.5e-40), x.Mul(16777217.)
		}
		return program{f: jax.Named(f, "f", "x"), args: []any{float32(1)}}
	},
	"081": func() program {
		n := 0
		g := jax.Jit(jax.Named(func(x A) A {
			n++
			return x.Add(1)
		}, "g", "x"))
		count := func(args ...any) func() any {
			return func() any {
				n = 0
				for _, a := range args {
					g(a)
				}
				return n
			}
		}
		return program{probes: []probe{
			{"1_float", count(1.0, 2.0, -3.5)},
			{"2_int", count(1, 2)},
			{"3_bool", count(true, false)},
			{"4_np_scalar", count(float32(1), float32(2), strong(3.0, jnp.Float32))},
			{"6_shapes", count([]float32{1, 1}, []float32{1, 1, 1}, []float32{1, 1})},
			{"7_lower", func() any {
				n = 0
				g.Lower(1.0)
				g.Lower(1.0)
				g.Trace(1.0)
				return n
			}},
			{"8_cache_clear", func() any {
				g.ClearCache()
				return count(1.0, 1.0)()
			}},
		}}
	},
	"199": func() program {
		lam := func(f any, args ...any) func() any {
			return func() any { return core.PyRepr(jax.Jit(lambda(f, "x"))(args...)) }
		}
		return program{probes: []probe{
			{"vector", lam(func(x A) A { return x.Mul(0.1) }, jnp.Arange(5.))},
			{"matrix", lam(func(x A) A { return x.MatMul(x) }, jnp.Arange(4.).Reshape(2, 2))},
			{"int_scalar", lam(func(x A) A { return x.Add(1) }, 1)},
			{"bool", lam(func(x A) A { return x.Gt(1) }, jnp.Arange(3))},
			{"long", func() any { return jnp.Arange(2000.).Repr() }},
			{"special", func() any { return jnp.Array([]float64{jnp.NaN, jnp.Inf, kindsZero, 1e-10, 1e10}).Repr() }},
			{"bf16", func() any { return jnp.Array([]float64{1.5, 2.25}, kw.DType(jnp.BFloat16)).Repr() }},
			{"empty", func() any { return jnp.Zeros([]int{0, 3}).Repr() }},
			{"str", func() any { return jnp.Arange(4.).Reshape(2, 2).String() }},
			{"tuple", lam(func(x A) (A, map[string]A) { return x, map[string]A{"a": x.Add(1)} }, 1.0)},
			{"grad", func() any { return jax.Grad(metadata.Call(jnp.Sin, tagged1))(1.0).Repr() }},
			{"vmap", func() any {
				return jax.Vmap(metadata.Call(lambda(func(x A) A { return x.Mul(2.) }, "x"), tagged1))(jnp.Arange(3.)).Repr()
			}},
		}}
	},
})

func shapesWithoutRunning() program {
	f := jax.Named(func(x A, p map[string]A) map[string]any {
		return map[string]any{"dot": x.MatMul(p["w"]).Add(p["b"]), "n": x.Shape()[0], "s": jnp.Sum(x)}
	}, "f", "x", "p")
	s := func(d dtype.DType, shape ...int) jax.ShapeDtypeStruct {
		return jax.ShapeDtypeStruct{Shape: shape, DType: d}
	}
	x := s(jnp.Float32, 5, 3)
	p := map[string]any{"w": s(jnp.Float32, 3, 2), "b": s(jnp.Float32, 2)}
	return program{probes: []probe{
		{"structs", func() any { return core.PyRepr(jax.EvalShape(f, x, p)) }},
		{"scalar", func() any { return core.PyRepr(jax.EvalShape(lambda(func(x A) A { return x.Add(1) }, "x"), 1.0)) }},
		{"mismatch", func() any {
			return jax.EvalShape(f, x, map[string]any{"w": s(jnp.Float32, 4, 2), "b": p["b"]})
		}},
		{"bad_add", func() any {
			return jax.EvalShape(lambda(func(a, b A) A { return a.Add(b) }, "a", "b"), s(jnp.Float32, 2), s(jnp.Float32, 3))
		}},
		{"struct_repr", func() any {
			return []string{core.PyRepr(s(jnp.Int32, 2, 3)), core.PyRepr(s(jnp.BFloat16)), s(jnp.Bool, 1).String()}
		}},
		{"lower", func() any { return jax.Jit(f).Lower(x, p).AsText("hlo") }},
		{"run_struct", func() any { return jax.Jit(lambda(plusOne, "x"))(s(jnp.Float32)) }},
		{"bad_shape", func() any { return s(jnp.Float32, -1).String() }},
		{"eq", func() any {
			return []bool{s(jnp.Float32, 2).Equal(s(jnp.Float32, 2)), s(jnp.Float32, 2).Equal(s(jnp.Int32, 2))}
		}},
	}}
}

func badArguments() program {
	f := jax.Named(func(x any) any { return x }, "f", "x")
	call := func(args ...any) func() any { return func() any { return jax.Jit(f)(args...) } }
	return program{probes: []probe{
		{"string", call("text")},
		{"big_int", call(1 << 40)},
		{"big_negative", call(-1<<31 - 1)},
		{"none", func() any { return core.PyRepr(jax.Jit(f)(nil)) }},
		{"missing", call()},
		{"extra", call(1., 2.)},
		{"function_result", func() any { return jax.Jit(lambda(func(x A) any { return square }, "x"))(1.0) }},
		{"string_result", func() any { return jax.Jit(lambda(func(x A) any { return "a" }, "x"))(1.0) }},
		{"not_callable", func() any { return jax.Jit(3).Name() }},
		{"lower_string", func() any { return jax.Jit(f).Lower("text").AsText() }},
	}}
}
