package goldencases

import (
	"math"
	"strings"

	jax "gopherlo/jaxlike"
	"gopherlo/jaxlike/jnp"
	"gopherlo/jaxlike/kw"
	"gopherlo/metadata"
)

func one(f func(x A) A) jax.NamedFunc { return jax.Named(f, "f", "x") }

// kinds are attributes of every kind of value.
func kinds(more attrs) attrs {
	out := attrs{
		"b": true, "nb": false, "i": 3, "neg": -1, "fl": 0.25, "tiny": 1e-7, "nz": math.Copysign(0, -1), "inf": math.Inf(1),
		"big": power(70), "empty": "", "quote": `a"b`, "nl": "a\nb", "uni": "ü",
	}
	for k, v := range more {
		out[k] = v
	}
	return out
}

var _ = register(cases{
	"156": func() program {
		return program{f: one(func(x A) A {
			y := jnp.Sin(x)
			return metadata.Set(y.Add(1.), attrs{"mark": "here"})
		}), args: []any{0.5}}
	},
	"157": func() program {
		return program{f: one(func(x A) A { return metadata.Set(x.Mul(2.), kinds(attrs{"s": "t"})) }), args: []any{0.5}}
	},
	"158": func() program {
		text := func(a attrs) func() any {
			return func() any {
				f := func(x A) A { return metadata.Set(x.Add(1.), a) }
				return rootLine(jax.Jit(jax.Named(f, "<lambda>", "x")).Lower(1.).AsText("hlo"))
			}
		}
		return program{probes: []probe{
			{"none", text(attrs{"k": nil})},
			{"list", text(attrs{"k": []int{1, 2}})},
			{"tuple", text(attrs{"k": jax.Tuple{1, "a"}})},
			{"np_float32", text(attrs{"k": float32(0.1)})},
			{"bytes", text(attrs{"k": []byte("x")})},
			{"object", text(attrs{"k": Thing{}})},
			{"jax_array", text(attrs{"k": jnp.Ones(2)})},
			{"complex", text(attrs{"k": 1i})},
			{"effort", text(attrs{"k": jax.O1})},
			{"mixed", text(attrs{"a": 1, "b": nil, "c": true})},
		}}
	},
	"159": func() program {
		return program{f: one(func(x A) A { return metadata.Set(x.Mul(2.), nil) }), args: []any{0.5}}
	},
	"160": func() program {
		f := func(x, y A) A { return metadata.Set(x, attrs{"mark": "input"}).Add(y) }
		return program{f: jax.Named(f, "f", "x", "y"), args: []any{0.5, 1.0}, variants: []variant{
			{"returned", jax.Named(func(x A) A { return metadata.Set(x, attrs{"mark": "input"}) }, "<lambda>", "x"), []any{0.5}},
		}}
	},
	"161": func() program {
		c := []float32{1, 2, 3}
		f := func(x A) (A, A, A, A, A) {
			return metadata.SetAny(c, attrs{"mark": "array"}).(A).Add(x),
				metadata.Set(jnp.AsArray(2.5, kw.DType(jnp.Float32)), attrs{"mark": "scalar"}).Mul(x),
				metadata.SetAny(3., attrs{"mark": "python"}).(A).Mul(x),
				metadata.Set(jnp.Zeros(2), attrs{"mark": "zeros"}),
				metadata.Set(jnp.Arange(3), attrs{"mark": "iota"})
		}
		return program{f: jax.Named(f, "f", "x"), args: []any{float32(0.5)}}
	},
	"162": func() program {
		return program{f: one(func(x A) A {
			y := x.Mul(2.)
			a := metadata.Set(y, attrs{"k": "first"})
			return metadata.Set(a, attrs{"k": "second"})
		}), args: []any{0.5}}
	},
	"163": func() program {
		return program{f: one(func(x A) A {
			y := x.Mul(2.)
			a := metadata.Set(metadata.Set(y, attrs{"zz": "1"}), attrs{"aa": "2"})
			z := jnp.Sin(x)
			b := metadata.Set(z, attrs{"left": 1})
			c := metadata.Set(z, attrs{"right": 2})
			return a.Add(b).Add(c).Add(z)
		}), args: []any{0.5}}
	},
	"172": func() program {
		f := one(func(x A) A {
			y := metadata.Set(jnp.Sin(x).Mul(x), attrs{"k": "v"})
			return metadata.Set(jnp.Exp(y), attrs{"k": "w"})
		})
		args := []any{0.5}
		return program{f: f, args: args, variants: []variant{
			{"grad", jax.Grad(f), args}, {"value-and-grad", jax.ValueAndGrad(f), args},
		}}
	},
	"173": func() program {
		f := one(func(x A) A { return metadata.Set(jnp.Sin(x).Mul(x), attrs{"k": "v"}) })
		args, two := []any{0.5}, []any{0.5, 1.0}
		return program{f: f, args: args, variants: []variant{
			{"jvp", jax.Named(func(x, t A) (A, A) { return jax.Jvp(f, jax.Args{x}, jax.Args{t}) }, "<lambda>", "x", "t"), two},
			{"second", jax.Grad(jax.Grad(f)), args},
			{"linearize", jax.Named(func(x, t A) A {
				_, lin := jax.Linearize(f, x)
				return lin(t)
			}, "<lambda>", "x", "t"), two},
			{"jacfwd", jax.Jacfwd(f), args},
		}}
	},
	"174": func() program {
		f := func(x, y A) (A, A, A, A, A) {
			return metadata.Set(x.Add(y), attrs{"k": "broadcast-add"}),
				metadata.Set(x.Mul(2.), attrs{"k": "scalar-mul"}),
				metadata.Set(jnp.Sum(x, kw.Axis(0)), attrs{"k": "sum"}),
				metadata.Set(x.Mod(3.), attrs{"k": "mod"}),
				metadata.Set(x.Gt(1.), attrs{"k": "compare"})
		}
		return program{f: jax.Named(f, "f", "x", "y"), args: []any{ones(2, 3), []float32{1, 1, 1}}}
	},
	"175": func() program {
		return program{f: one(func(x A) A {
			a := jnp.Sin(x)
			var c A
			for range metadata.With(attrs{"zone": "hot"}).Scope {
				b := jnp.Cos(a)
				c = b.Mul(a)
			}
			return c.Add(1.)
		}), args: []any{0.5}}
	},
	"176": func() program {
		return program{f: one(func(x A) A {
			for range metadata.With(kinds(attrs{"zeta": "z", "Alpha": "A"})).Scope {
				return x.Mul(2.)
			}
			return x
		}), args: []any{0.5}}
	},
	"177": func() program {
		f := func(x, n A) (a, b, c A) {
			metadata.With(attrs{"zone": "hot"}).Do(func() {
				a = x.Mul(2.).Add(n)
				b = jnp.Zeros(3).Add(jnp.Arange(3))
				c = jnp.Where(x.Gt(0), x, 1.)
			})
			return a, b, c
		}
		return program{f: jax.Named(f, "f", "x", "n"), args: []any{[]float32{0.5, 1, 2}, 3}}
	},
	"178": func() program {
		return program{f: one(func(x A) A {
			var r A
			for range metadata.With(attrs{"a": "outer", "b": "outer"}).Scope {
				p := x.Add(1.)
				var q A
				for range metadata.With(attrs{"b": "inner", "c": "inner"}).Scope {
					q = p.Mul(2.)
				}
				r = q.Sub(3.)
			}
			return r.Div(4.)
		}), args: []any{0.5}}
	},
	"179": func() program {
		return program{f: one(func(x A) A {
			var r, s A
			metadata.With(attrs{"a": "1", "b": "2"}).Do(func() {
				p := x.Add(1.)
				metadata.With(attrs{"a": nil}).Do(func() {
					q := p.Mul(2.)
					metadata.With(attrs{"a": "3", "b": nil}).Do(func() { r = q.Sub(3.) })
				})
				metadata.With(attrs{"a": nil, "b": nil}).Do(func() { s = r.Div(4.) })
			})
			return s
		}), args: []any{0.5}}
	},
	"180": func() program {
		return program{f: one(func(x A) A {
			var y, z A
			for range metadata.With(nil).Scope {
				y = x.Add(1.)
			}
			func() {
				defer func() { _ = recover() }()
				metadata.With(attrs{"k": "v"}).Do(func() {
					z = y.Mul(2.)
					panic("inside")
				})
			}()
			return z.Sub(3.)
		}), args: []any{0.5}}
	},
	"181": func() program {
		plain := metadata.With(attrs{"k": "plain"}).Wrap(jax.Named(func(x A) A { return jnp.Sin(x).Add(1.) }, "plain", "x"))
		jitted := metadata.With(attrs{"k": "jitted"}).Wrap(jax.Jit(jax.Named(func(x A) A { return jnp.Cos(x).Mul(2.) }, "jitted", "x")))
		inside := jax.Jit(metadata.With(attrs{"k": "inside"}).Wrap(jax.Named(func(x A) A { return jnp.Exp(x).Sub(3.) }, "inside", "x")))
		f := one(func(x A) A { return plain(x).Add(jitted(x)).Add(inside(x)).Add(x) })
		return program{f: f, args: []any{0.5}, probes: []probe{
			{"lower", func() any { return jitted.Lower(1.0).AsText("hlo") }},
			{"lower_inside", func() any { return inside.Lower(1.0).AsText("hlo") }},
			{"call", func() any { return jitted(1.0) }},
			{"name", func() any { return plain.Name() + " " + jitted.Name() }},
			{"plain_no_lower", func() any { return plain.Lower(1.0).AsText() }},
			{"trace", func() any {
				var out []string
				for _, e := range jitted.Trace(1.0).Jaxpr().Eqns {
					out = append(out, e.Ctx.Metadata.String())
				}
				return "[" + strings.Join(out, ", ") + "]"
			}},
			{"grad", func() any { return jax.Grad(jitted)(1.0) }},
		}}
	},
})
