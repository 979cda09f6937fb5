package goldencases

import (
	"fmt"
	"slices"

	jax "gopherlo/jaxlike"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/jnp"
	"gopherlo/jaxlike/kw"
	"gopherlo/metadata"
)

func lambda(f any, params ...string) jax.NamedFunc { return jax.Named(f, "<lambda>", params...) }

func row(n int) []float32 { return counting(1, n)[0] }

// grads are the variants that most cases have.
func grads(f any, args []any) []variant {
	return []variant{{"grad", jax.Grad(f), args}, {"value-and-grad", jax.ValueAndGrad(f), args}}
}

var _ = register(cases{
	"104": func() program {
		f := func(x A) A {
			y := x.Mul(3.)
			return metadata.Call(lambda(func(a A) A { return a.Add(y) }, "a"), tagged1)(x)
		}
		return program{f: one(f), args: []any{2.0}}
	},
	"105": func() program {
		w := jnp.Array([][]float64{{1, 2}, {3, 4}})
		b := []float32{10, 12} // B * 2. is NumPy's work in the Python program
		block := metadata.Tag(tagged1)(jax.Named(func(x A) A { return w.MatMul(x).Add(b) }, "block", "x"))
		return program{f: one(func(x A) A { return block(x).Add(w.Index(0)) }), args: []any{[]float32{1, 1}}}
	},
	"110": func() program {
		block := metadata.Tag(tagged1)(jax.Named(func(n, b, h A) (A, A, A) {
			return n.FloorDiv(2), jnp.LogicalNot(b), h.Mul(2)
		}, "block", "n", "b", "h"))
		f := func(n, b, h A) A { return block(n, b, h) }
		return program{f: jax.Named(f, "f", "n", "b", "h"), args: []any{
			[]int32{7, -7}, []bool{true, false}, jnp.Array([]float64{1.5, 2.5}, kw.DType(jnp.BFloat16)),
		}}
	},
	"111": func() program {
		n := 0
		inner := jax.Jit(jax.Named(func(x A) A {
			n++
			return x.Mul(2.)
		}, "inner", "x"))
		count := func(f func() jax.Func) func() any {
			return func() any {
				n = 0
				f()(float32(1))
				return n
			}
		}
		return program{probes: []probe{
			{"1_plain", count(func() jax.Func { return inner })},
			{"2_tagged", count(func() jax.Func { return metadata.Call(inner, attrs{"k": "a"}) })},
			{"3_other_tag", count(func() jax.Func { return metadata.Call(inner, attrs{"k": "b"}) })},
			{"4_jitted", count(func() jax.Func {
				return jax.Jit(metadata.Call(lambda(func(x A) A { return inner(x).Add(1.) }, "x"), attrs{"k": "c"}))
			})},
		}}
	},
	"112": func() program {
		f := func(x A, n int) A {
			return metadata.Tag(attrs{"power": n})(jax.Named(func(v A) A { return v.Pow(n) }, "block", "v"))(x)
		}
		return program{f: jax.Named(f, "f", "x", "n"), args: []any{1.5, 3}, jit: []jax.Option{jax.StaticArgnums(1)}}
	},
	"113": func() program {
		left := metadata.SchedulingGroup("g0:s0")(jax.Named(func(a, b A) A { return a.Add(b) }, "left", "a", "b"))
		right := metadata.SchedulingGroup("g0:s1")(jax.Named(func(a, b A) A { return a.Mul(b) }, "right", "a", "b"))
		both := metadata.SchedulingGroup("g0")(jax.Named(func(a, b, c, d A) (A, A) { return left(a, b), right(c, d) }, "both", "a", "b", "c", "d"))
		f := func(a, b, c, d A) A { return both(a, b, c, d) }
		return program{f: jax.Named(f, "f", "a", "b", "c", "d"), args: []any{1., 2., 3., 4.}}
	},
	"114": func() program {
		block := metadata.Tag(attrs{"inlineable": "false"})(jax.Named(func(x A) A { return x.Mul(2.) }, "block", "x"))
		f := one(func(x A) A { return jnp.Sin(block(x)).Sum() })
		args := []any{row(4)}
		return program{f: f, args: args, variants: grads(f, args)[:1]}
	},
	"115": func() program {
		block := metadata.MustFuseCall("7")(jax.Named(func(x A) (A, A) {
			y := jnp.Sin(x)
			return y.Sum(), y
		}, "block", "x"))
		return program{f: one(func(x A) A { return block(x) }), args: []any{row(8)}}
	},
	"116": func() program {
		return program{f: one(func(x A) A {
			y := jnp.Sin(x)
			var z A
			for range metadata.FuseLimit().Scope {
				z = y.Mul(2.)
			}
			return jnp.Cos(z)
		}), args: []any{row(3)}}
	},
	"117": func() program {
		block := metadata.Call(lambda(func(x A) A { return jnp.Sin(x) }, "x"), tagged1)
		return program{f: one(func(x A) A { return block(x).Add(1.) }), args: []any{row(3)}}
	},
	"118": func() program {
		block := metadata.Tag(tagged1)(jax.Named(func(x A) (A, A) {
			a, b := jnp.Sin(x), jnp.Cos(x)
			return a.Mul(b), a.Sub(b)
		}, "block", "x"))
		return program{f: one(func(x A) A {
			out := block(x)
			return out.Out(0).Add(out.Out(1))
		}), args: []any{row(3)}}
	},
	"119": func() program {
		inner := metadata.Call(lambda(func(x A) A { return jnp.Sin(x) }, "x"), attrs{"shared": "inner", "a": "1"})
		outer := metadata.Call(lambda(func(x A) A { return inner(x).Mul(jnp.Cos(x)) }, "x"), attrs{"shared": "outer", "b": "2"})
		return program{f: one(func(x A) A { return outer(x) }), args: []any{row(3)}}
	},
	"120": func() program {
		block := metadata.Call(lambda(func(x A) A { return x.Add(0.).Mul(1.) }, "x"), tagged1)
		f := func(x A) (A, A, A) {
			z := metadata.Set(block(x).Sub(0.), attrs{"m": "dropped"})
			return z.Mul(2.), metadata.Call(lambda(func(v A) A { return v.T().T() }, "v"), attrs{"k": "w"})(x),
				metadata.Set(jnp.Full(3, 2.).Mul(3.), attrs{"c": "folded"})
		}
		return program{f: jax.Named(f, "f", "x"), args: []any{row(3)}}
	},
	"121": func() program {
		block := metadata.Tag(tagged1)(jax.Named(func(a, b A) (A, A, A) {
			c := a.MatMul(b)
			return c.Sum(0), c.T(), jnp.Reshape(c, -1)
		}, "block", "a", "b"))
		return program{f: jax.Named(func(a, b A) A { return block(a, b) }, "f", "a", "b"), args: []any{ones(2, 3), ones(3, 2)}}
	},
	"122": func() program {
		f := func(x, y A) (A, A) {
			a := metadata.Set(jnp.Sin(x), attrs{"which": "sine"})
			b := metadata.Set(a.Mul(y), attrs{"which": "product"})
			return metadata.Set(b.MatMul(y), attrs{"which": "dot"}), metadata.Set(jnp.Sum(b), attrs{"which": "sum"})
		}
		return program{f: jax.Named(f, "f", "x", "y"), args: []any{row(3), []float32{1, 1, 1}}}
	},
	"135": func() program {
		inner := metadata.Call(lambda(func(x A) A { return jnp.Sin(x) }, "x"), attrs{"k": "inner"})
		outer := metadata.Call(lambda(func(x A) A { return inner(x).Mul(x) }, "x"), attrs{"k": "outer"})
		return program{f: outer, args: []any{0.5}, variants: grads(outer, []any{0.5})[:1]}
	},
	"136": func() program {
		block := metadata.Tag(tagged1)(jax.Named(func(x A) A { return jnp.Sin(x) }, "block", "x"))
		f := one(func(x A) A { return block(x).Mul(block(x.Add(1.))) })
		chain := lambda(func(x A) A { return block(block(x)) }, "x")
		args := []any{0.5}
		return program{f: f, args: args, variants: []variant{{"grad", jax.Grad(f), args}, {"chain", jax.Grad(chain), args}}}
	},
	"137": func() program {
		f := one(func(x A) A {
			y := x.Mul(x)
			return metadata.Call(lambda(func(a A) A { return jnp.Sin(a).Mul(y) }, "a"), tagged1)(x)
		})
		return program{f: f, args: []any{0.5}, variants: grads(f, []any{0.5})[:1]}
	},
	"138": func() program {
		block := metadata.Tag(tagged1)(jax.Named(func(x, n A) (A, A) { return x.Mul(x).Mul(n), n.Add(1) }, "block", "x", "n"))
		f := jax.Named(func(x, n A) A { return block(x, n).Out(0).Mul(2.) }, "f", "x", "n")
		args := []any{1.5, 3}
		return program{f: f, args: args, variants: grads(f, args)}
	},
	"139": func() program {
		block := metadata.Tag(tagged1)(jax.Named(func(x A) (A, map[string]A) {
			return x.Pow(3), map[string]A{"aux": x.Add(1.)}
		}, "block", "x"))
		args := []any{2.0}
		return program{f: block, args: args, variants: []variant{
			{"grad", jax.Grad(block, jax.HasAux(true)), args},
			{"value-and-grad", jax.ValueAndGrad(block, jax.HasAux(true)), args},
		}}
	},
	"143": func() program {
		var op jax.Func
		op = jax.CustomJVP(jax.Named(func(x A) A { return jnp.Sin(x) }, "op", "x"), jax.Named(func(p, t jax.Args) (A, A) {
			x, dx := p[0].(A), t[0].(A)
			return op(x), jnp.Multiply(2., jnp.Cos(x)).Mul(dx)
		}, "rule", "primals", "tangents"))
		block := metadata.Tag(tagged1)(jax.Named(func(x A) A { return op(x).Add(x) }, "block", "x"))
		args := []any{0.5}
		return program{f: block, args: args, variants: []variant{
			{"grad", jax.Grad(block), args},
			{"jvp", lambda(func(x A) (A, A) { return jax.Jvp(block, jax.Args{x}, jax.Args{1.0}) }, "x"), args},
		}}
	},
	"144": func() program {
		var op jax.Func
		op = jax.CustomVJP(jax.Named(func(x A) A { return jnp.Sin(x) }, "op", "x"),
			jax.Named(func(x A) (A, A) { return op(x), jnp.Cos(x) }, "fwd", "x"),
			jax.Named(func(c, g A) jax.Tuple { return jax.Tuple{jnp.Multiply(10., c).Mul(g)} }, "bwd", "c", "g"))
		block := metadata.Tag(tagged1)(jax.Named(func(x A) A { return op(x).Mul(2.) }, "block", "x"))
		return program{f: block, args: []any{0.5}, variants: grads(block, []any{0.5})[:1]}
	},
	"146": func() program {
		a := metadata.Call(jax.Jit(lambda(func(x A) A { return jnp.Sin(x).Mul(x) }, "x")), attrs{"k": "outside"})
		b := jax.Jit(metadata.Call(lambda(func(x A) A { return jnp.Sin(x).Mul(x) }, "x"), attrs{"k": "inside"}))
		args := []any{0.5}
		return program{f: lambda(func(x A) A { return a(x).Add(b(x)) }, "x"), args: args, variants: []variant{
			{"grad-a", jax.Grad(a), args}, {"grad-b", jax.Grad(b), args},
		}}
	},
})

var _ = register(cases{
	"164": func() program {
		f := func(x A) (A, A, A) {
			y := metadata.Set(jnp.Exp(x), tagged1)
			return y.Add(1.), y.Mul(y), y.Neg()
		}
		return program{f: jax.Named(f, "f", "x"), args: []any{0.5}}
	},
	"165": func() program {
		return program{f: one(func(x A) A {
			y := jnp.Exp(x)
			metadata.Set(y, attrs{"k": "lost"})
			metadata.Set(jnp.Cos(x), attrs{"k": "gone"})
			return y.Add(1.)
		}), args: []any{0.5}}
	},
	"166": func() program {
		f := func(x A) any {
			t := map[string]any{"a": x.Add(1.), "b": []any{x.Mul(2.), jax.Tuple{jnp.Sin(x), nil}}}
			return metadata.Set(t, tagged1)
		}
		return program{f: jax.Named(f, "f", "x"), args: []any{0.5}}
	},
	"167": func() program {
		return program{probes: []probe{
			{"array", func() any { return metadata.Set(jnp.Arange(3.), tagged1) }},
			{"float", func() any { return metadata.SetAny(2.5, tagged1) }},
			{"numpy", func() any { return metadata.SetAny([]float64{1, 1}, tagged1) }},
			{"jaxpr", func() any {
				return jax.MakeJaxpr(lambda(func(x A) A {
					return metadata.Set(x.Mul(2.), attrs{"z": 1, "a": true, "m": nil})
				}, "x"))(1.0).String()
			}},
			{"grad", func() any {
				return jax.Grad(lambda(func(x A) A { return metadata.Set(x.Mul(x), tagged1) }, "x"))(3.0)
			}},
		}}
	},
	"168": func() program {
		inner := jax.Jit(jax.Named(func(x A) A { return metadata.Set(jnp.Sin(x), attrs{"where": "inside"}).Add(1.) }, "inner", "x"))
		plain := jax.Jit(jax.Named(func(x A) A { return jnp.Cos(x) }, "plain", "x"))
		return program{f: one(func(x A) A {
			return inner(x).Add(metadata.Set(plain(x), attrs{"where": "result"})).Add(plain(x))
		}), args: []any{0.5}}
	},
	"171": func() program {
		f := jax.Named(func(x, y A) (A, A) {
			return metadata.Set(jnp.Dot(x, y), tagged1).Add(1.), metadata.Set(y.Mul(2.), attrs{"k": "unbatched"})
		}, "f", "x", "y")
		return program{f: jax.Vmap(f, jax.InAxes(0, nil)), args: []any{ones(4, 3), []float32{1, 1, 1}}}
	},
	"182": func() program {
		g := metadata.With(attrs{"a": "outer", "shared": "outer"}).Wrap(jax.Jit(jax.Named(func(x A) A {
			y := x.Add(1.)
			for range metadata.With(attrs{"b": "inner", "shared": "inner"}).Scope {
				y = y.Mul(2.)
			}
			return y
		}, "g", "x")))
		h := metadata.With(attrs{"k": "upper", "u": 1}).Wrap(metadata.With(attrs{"k": "lower", "l": 2}).Wrap(
			jax.Named(func(x A) A { return jnp.Sin(x) }, "h", "x")))
		return program{f: one(func(x A) A { return g(x).Add(h(x)) }), args: []any{0.5}, probes: []probe{
			{"lower_g", func() any { return g.Lower(1.0).AsText() }},
		}}
	},
	"183": func() program {
		g := func() jax.Func { return jax.Jit(jax.Named(func(x A) A { return jnp.Sin(x).Mul(2.) }, "g", "x")) }
		return program{probes: []probe{
			{"lower_inside", func() (text any) {
				metadata.With(tagged1).Do(func() { text = g().Lower(1.0).AsText("hlo") })
				return text
			}},
			{"lower_outside", func() any { return g().Lower(1.0).AsText("hlo") }},
			{"trace_inside_lower_outside", func() any {
				var t *jax.Traced
				metadata.With(tagged1).Do(func() { t = g().Trace(1.0) })
				return t.Lower().AsText("hlo")
			}},
			{"trace_outside_lower_inside", func() (text any) {
				t := g().Trace(1.0)
				metadata.With(tagged1).Do(func() { text = t.Lower().AsText("hlo") })
				return text
			}},
		}}
	},
	"184": func() program {
		inner := jax.Jit(jax.Named(func(x A) A { return jnp.Sin(x).Add(1.) }, "inner", "x"))
		return program{f: one(func(x A) A {
			a := inner(x)
			var b, c A
			metadata.With(attrs{"k": "v"}).Do(func() { b = inner(x) })
			metadata.With(attrs{"k": "w"}).Do(func() { c = inner(b) })
			return a.Add(b).Add(c)
		}), args: []any{0.5}}
	},
	"185": func() program {
		n := 0
		g := jax.Jit(jax.Named(func(x A) A {
			n++
			return x.Mul(2.)
		}, "g", "x"))
		return counting185(func(a attrs) func() any {
			return func() any {
				n = 0
				metadata.With(a).Do(func() { g(1.0) })
				return n
			}
		})
	},
	"186": func() program {
		g := jax.Jit(jax.Named(func(x A) A { return x.Mul(2.).Add(1.) }, "g", "x"))
		count := func(a attrs) func() any {
			return func() any {
				return counted(func() { metadata.With(a).Do(func() { g(float32(1)) }) })["compiles"]
			}
		}
		return program{probes: []probe{
			{"1_none", count(nil)},
			{"2_a", count(attrs{"k": "a"})},
			{"3_a_again", count(attrs{"k": "a"})},
			{"4_b", count(attrs{"k": "b"})},
			{"5_none_again", count(nil)},
		}}
	},
	"189": func() program {
		f := one(func(x A) A {
			var y A
			for range metadata.With(tagged1).Scope {
				y = jnp.Sin(x).Mul(x)
			}
			return jnp.Exp(y)
		})
		args := []any{0.5}
		return program{f: f, args: args, variants: append(grads(f, args), variant{"second", jax.Grad(jax.Grad(f)), args})}
	},
	"190": func() program {
		g := jax.Named(func(x, y A) A { return x.Pow(3).Add(y.Pow(2)).Add(jnp.Sin(x)) }, "g", "x", "y")
		f := func(x, y A) A {
			var d A
			for range metadata.With(tagged1).Scope {
				d = jax.Grad(g)(x, y)
			}
			return d.Mul(2.)
		}
		return program{f: jax.Named(f, "f", "x", "y"), args: []any{0.5, 2.0}}
	},
	"191": func() program {
		g := jax.Named(func(d map[string]A, x A) (r A) {
			metadata.With(attrs{"k": "inside"}).Do(func() { r = d["a"].Add(d["b"]).Add(x) })
			return r
		}, "g", "d", "x")
		f := func(d map[string]A, x A) (y, z A) {
			y = jax.Vmap(g, jax.InAxes(map[string]any{"a": nil, "b": 0}, nil))(d, x)
			metadata.With(attrs{"k": "around"}).Do(func() { z = jax.Vmap(lambda(func(v A) A { return v.Mul(v) }, "v"))(y) })
			return y, z
		}
		return program{f: jax.Named(f, "f", "d", "x"), args: []any{map[string]any{"a": float32(1), "b": row(3)}, 2.0}}
	},
	"192": func() program {
		f := one(func(x A) A {
			var y A
			for range metadata.With(attrs{"k": "v", "n": 1}).Scope {
				y = jnp.Sin(x)
			}
			return y.Add(1.)
		})
		contexts := func() any {
			var out []string
			for _, e := range jax.MakeJaxpr(f)(0.5).Eqns {
				out = append(out, e.Ctx.Metadata.String())
			}
			return out
		}
		return program{f: f, args: []any{0.5}, probes: []probe{
			{"contexts", contexts},
			{"contexts_outside", func() (out any) {
				metadata.With(attrs{"o": "p", "k": "outer"}).Do(func() { out = contexts() })
				return out
			}},
		}}
	},
	"193": func() program {
		return program{f: one(func(x A) A {
			var z A
			metadata.With(attrs{"ctx": "c", "shared": "from-context"}).Do(func() {
				y := metadata.Set(jnp.Sin(x), attrs{"val": "v", "shared": "from-value"})
				z = y.Add(1.)
			})
			return metadata.Set(z, attrs{"late": "yes"}).Mul(2.)
		}), args: []any{0.5}}
	},
	"194": func() program {
		block := metadata.Tag(attrs{"call": "c", "shared": "from-call"})(jax.Named(func(x A) A { return jnp.Sin(x).Mul(2.) }, "block", "x"))
		f := one(func(x A) A {
			var y A
			metadata.With(attrs{"ctx": "x", "shared": "from-context"}).Do(func() { y = block(x) })
			return y.Add(block(x))
		})
		return program{f: f, args: []any{0.5}, variants: grads(f, []any{0.5})[:1]}
	},
	"195": func() program {
		block := metadata.Tag(attrs{"call": "c", "shared": "from-call"})(jax.Named(func(x A) A {
			var y A
			metadata.With(attrs{"ctx": "x", "shared": "from-context"}).Do(func() { y = jnp.Sin(x) })
			return metadata.Set(y.Mul(2.), attrs{"val": "v", "shared": "from-value"})
		}, "block", "x"))
		f := one(func(x A) A { return metadata.Set(block(x), attrs{"result": "r"}).Add(1.) })
		return program{f: f, args: []any{0.5}, variants: []variant{
			{"grad", jax.Grad(f), []any{0.5}},
			{"vmap", jax.Vmap(f), []any{row(3)}},
		}}
	},
	"196": func() program {
		f := func(a, b, c, d, e A) (A, A, A, A, jax.Tuple, map[string]A) {
			return a.Add(b), b.Sub(c), c.Mul(d), d.Div(e), jax.Tuple{a, e}, map[string]A{"k": a.Mul(e)}
		}
		return program{f: jax.Named(f, "f", "a", "b", "c", "d", "e"), args: []any{float32(1), float32(2), float32(3), float32(4), float32(5)}}
	},
	"197": func() program {
		f := func(a, b, c A) (A, A, A, A, A, A) {
			return jnp.Transpose(a, 2, 0, 1), a.Sum(0, 2), b.Mul(2.), c.Add(1.), jnp.Zeros(0), a.Index(jnp.Ellipsis, jnp.NewAxis)
		}
		flat := row(24)
		a := [][][]float32{}
		for i := range slices.Chunk(flat, 12) {
			a = append(a, slices.Collect(slices.Chunk(i, 4)))
		}
		return program{f: jax.Named(f, "f", "a", "b", "c"), args: []any{
			a, [][][][]float32{{{{1, 1}}}}, jnp.Zeros([]int{0, 3}),
		}}
	},
	"198": func() program {
		f := func(a, b, c, d, e, g, h A) (A, A, A, A, A, A, A) {
			return a.Add(1), b.Add(1), c.Mul(2), d.Not(), e.Mul(2), g.Add(1), h.Mul(1i)
		}
		return program{f: jax.Named(f, "f", "a", "b", "c", "d", "e", "g", "h"), args: []any{
			[]int8{1},
			[]uint16{2},
			jnp.Array([]float64{1.5}, kw.DType(jnp.Float16)),
			[]bool{true},
			jnp.Array([]float64{2.5}, kw.DType(jnp.BFloat16)), uint32(7), complex64(1 + 2i),
		}}
	},
	"201": func() program {
		var kept []A
		leak := jax.Named(func(x A) A {
			kept = append(kept, x.Mul(2.))
			return x
		}, "leak", "x")
		after := func(call func()) func() any {
			return func() any {
				call()
				return kept[len(kept)-1].Add(1.)
			}
		}
		return program{probes: []probe{
			{"use_after_jit", after(func() { jax.Jit(leak)(1.0) })},
			{"use_after_block", after(func() { metadata.Call(leak, tagged1)(1.0) })},
			{"use_after_grad", after(func() { jax.Grad(leak)(1.0) })},
			{"print_after", func() any { return core.PyRepr(kept[0]) }},
		}}
	},
	"202": func() program {
		jax.Update("jax_enable_x64", true)
		block := metadata.Tag(tagged1)(jax.Named(func(x, n A) (A, A) { return x.Mul(0.1).Add(n), n.Add(1) }, "block", "x", "n"))
		f := jax.Named(func(x, n A) A { return block(x, n) }, "f", "x", "n")
		return program{
			f: f, args: []any{1.5, 3}, done: func() { jax.Update("jax_enable_x64", false) },
			variants: []variant{
				{"arrays", f, []any{[]float64{1, 2}, []int64{1, 2}}},
				{"float32", f, []any{[]float32{1, 2}, []int32{1, 2}}},
				{"grad", jax.Grad(lambda(func(x A) A { return block(x, 2).Out(0) }, "x")), []any{1.5}},
			},
		}
	},
	"207": func() program {
		dense := metadata.Tag(attrs{"layer": "dense"})(jax.Named(func(w, b, x A) A { return jnp.Tanh(x.MatMul(w).Add(b)) }, "dense", "w", "b", "x"))
		loss := jax.Named(func(p map[string]A, x, y A) A { return dense(p["w"], p["b"], x).Sub(y).Pow(2).Mean() }, "loss", "p", "x", "y")
		f := func(p map[string]A, x, y A) (A, map[string]A) {
			var v A
			var g map[string]A
			jax.ValueAndGrad(loss)(p, x, y).Into(&v, &g)
			next := map[string]A{}
			for _, k := range []string{"b", "w"} {
				next[k] = p[k].Sub(jnp.Multiply(0.5, g[k]))
			}
			return v, next
		}
		return program{f: jax.Named(f, "f", "p", "x", "y"), args: []any{
			map[string]any{"w": [][]float32{{0.5}, {-0.5}}, "b": []float32{0}}, [][]float32{{1, 2}, {0.5, -1}}, [][]float32{{1}, {0}},
		}}
	},
})

func counting185(count func(a attrs) func() any) program {
	var out []probe
	for i, c := range []struct {
		name string
		a    attrs
	}{
		{"none", nil},
		{"none_again", nil},
		{"a", attrs{"k": "a"}},
		{"a_again", attrs{"k": "a"}},
		{"b", attrs{"k": "b"}},
		{"none_again", nil},
		{"two_keys", attrs{"k": "a", "m": "b"}},
		{"two_keys_other_order", attrs{"m": "b", "k": "a"}},
		{"int_for_string", attrs{"k": 1}},
		{"true_for_one", attrs{"k": true}},
		{"none_value", attrs{"k": nil}},
		{"empty", nil},
	} {
		out = append(out, probe{fmt.Sprintf("%d_%s", i+1, c.name), count(c.a)})
	}
	return program{probes: out}
}
