package goldencases

import (
	jax "gopherlo/jaxlike"
	"gopherlo/jaxlike/jnp"
	"gopherlo/jaxlike/lax"
	"gopherlo/metadata"
)

func tuple(y, z A) jax.Tuple { return jax.Tuple{y, z} }

var _ = register(cases{
	"078": func() program {
		f := func(x, n A) (A, A, A, A, A, A) {
			a, ys := lax.Scan(lambda(func(c, y A) (A, A) { return c.Add(y), c.Mul(y) }, "c", "y"), x, jnp.Arange(3.))
			b := lax.WhileLoop(lambda(func(v A) A { return v.Lt(10.) }, "v"), lambda(func(v A) A { return v.Mul(2.) }, "v"), x)
			c := lax.Cond(n.Gt(2), jnp.Sin, lambda(func(v A) A { return v.Sub(1.) }, "v"), x)
			d := lax.Switch(n, []any{
				lambda(func(v A) A { return v }, "v"), lambda(func(v A) A { return v.Neg() }, "v"), lambda(func(v A) A { return v.Mul(v) }, "v"),
			}, x)
			e := lax.ForiLoop(0, 3, lambda(func(i, v A) A { return v.Add(i) }, "i", "v"), x)
			return a, ys, b, c, d, e
		}
		return program{f: jax.Named(f, "f", "x", "n"), args: []any{float32(1.5), 2}}
	},
	"106": func() program {
		step := metadata.Tag(tagged1)(jax.Named(func(c, x A) (A, A) { return c.Add(x), c.Mul(x) }, "step", "c", "x"))
		f := func(c, xs A) (A, A) { return lax.Scan(step, c, xs) }
		return program{f: jax.Named(f, "f", "c", "xs"), args: []any{float32(0), row(4)}}
	},
	"107": func() program {
		cond := metadata.Call(lambda(func(x A) A { return x.Lt(20.) }, "x"), attrs{"k": "cond"})
		body := metadata.Call(lambda(func(x A) A { return x.Mul(2.).Add(1.) }, "x"), attrs{"k": "body"})
		return program{f: one(func(x A) A { return lax.WhileLoop(cond, body, x) }), args: []any{1.0}}
	},
	"108": func() program {
		t := metadata.Call(lambda(func(x A) A { return jnp.Sin(x) }, "x"), attrs{"k": "yes"})
		e := metadata.Call(lambda(func(x A) A { return jnp.Cos(x) }, "x"), attrs{"k": "no"})
		f := func(p, x A) (A, A, A) {
			return lax.Cond(p, t, e, x), lax.Switch(1, []any{t, e}, x), lax.Cond(p, t, lambda(func(v A) A { return v }, "v"), x)
		}
		return program{f: jax.Named(f, "f", "p", "x"), args: []any{true, 0.5}}
	},
	"109": func() program {
		block := metadata.Tag(tagged1)(jax.Named(func(x, xs A) (A, A) {
			c, ys := lax.Scan(lambda(func(c, v A) (A, A) { return c.Add(v), c }, "c", "v"), x, xs)
			d := lax.Cond(c.Gt(1.), jnp.Sin, jnp.Cos, c)
			return lax.ForiLoop(0, 2, lambda(func(_, v A) A { return v.Mul(d) }, "i", "v"), c), ys
		}, "block", "x", "xs"))
		f := func(x, xs A) A { return block(x, xs) }
		return program{f: jax.Named(f, "f", "x", "xs"), args: []any{float32(0), row(3)}}
	},
	"140": func() program {
		vec := metadata.Call(lambda(func(x A) A { return x.Mul(2.) }, "x"), tagged1)
		block := func(f any) jax.Func { return metadata.Call(lambda(f, "x"), tagged1) }
		return program{probes: []probe{
			{"vector", func() any { return jax.Grad(vec)(jnp.Ones(2)) }},
			{"int", func() any { return jax.Grad(vec)(3) }},
			{"int_result", func() any { return jax.Grad(block(func(A) any { return 7 }))(1.0) }},
			{"tuple_result", func() any { return jax.Grad(block(func(x A) (A, A) { return x, x }))(1.0) }},
			{"argnums", func() any { return jax.Grad(vec, jax.Argnums(1))(1.0) }},
			{"jvp_types", func() any { return tuple(jax.Jvp(vec, jax.Args{1.0}, jax.Args{jnp.Ones(2)})) }},
			{"jvp_int_tangent", func() any { return tuple(jax.Jvp(vec, jax.Args{1.0}, jax.Args{1})) }},
			{"vjp_wrong", func() any {
				_, back := jax.Vjp(vec, 1.0)
				return back(jnp.Ones(2))
			}},
			{"while_reverse", func() any {
				return jax.Grad(block(func(x A) A {
					return lax.WhileLoop(lambda(func(v A) A { return v.Lt(9.) }, "v"), lambda(func(v A) A { return v.Mul(2.) }, "v"), x)
				}))(1.0)
			}},
		}}
	},
	"145": func() program {
		step := metadata.Tag(tagged1)(jax.Named(func(c, x A) (A, A) { return jnp.Sin(c).Add(x), c }, "step", "c", "x"))
		f := jax.Named(func(c, xs A) A {
			out, ys := lax.Scan(step, c, xs)
			return out.Add(ys.Sum())
		}, "f", "c", "xs")
		args := []any{float32(0.5), row(3)}
		return program{f: f, args: args, variants: grads(f, args)[:1]}
	},
	"169": func() program {
		f := func(c, xs A) (A, A) {
			return lax.Scan(jax.Named(func(c, x A) (A, A) {
				y := metadata.Set(c.Mul(x), tagged1)
				return y.Add(1.), y
			}, "body", "c", "x"), c, xs)
		}
		return program{f: jax.Named(f, "f", "c", "xs"), args: []any{float32(1), row(3)}}
	},
	"170": func() program {
		set := func(x A, k string) A { return metadata.Set(x, attrs{"k": k}) }
		f := func(x A) A {
			a := lax.WhileLoop(lambda(func(v A) A { return set(v.Lt(10.), "test") }, "v"), lambda(func(v A) A { return set(v.Mul(2.), "body") }, "v"), x)
			return lax.Cond(x.Gt(0.), lambda(func(v A) A { return set(jnp.Sin(v), "yes") }, "v"), lambda(func(v A) A { return set(v, "no") }, "v"), a)
		}
		return program{f: one(f), args: []any{1.5}}
	},
	"187": func() program {
		f := func(x, xs A) (c, ys A) {
			metadata.With(tagged1).Do(func() {
				a := lax.WhileLoop(lambda(func(v A) A { return v.Lt(10.) }, "v"), lambda(func(v A) A { return v.Add(1.) }, "v"), x)
				var b A
				b, ys = lax.Scan(lambda(func(c, v A) (A, A) { return c.Mul(v), c }, "c", "v"), a, xs)
				c = lax.Cond(b.Lt(0.), jnp.Sin, jnp.Cos, b)
			})
			return c, ys
		}
		return program{f: jax.Named(f, "f", "x", "xs"), args: []any{float32(0.5), []float32{1, 2, 3}}}
	},
	"188": func() program {
		within := func(k any, f func(x A) A) func(x A) A {
			return func(x A) (y A) {
				metadata.With(attrs{"k": k}).Do(func() { y = f(x) })
				return y
			}
		}
		cond := jax.Named(within("cond", func(x A) A { return x.Lt(10.) }), "cond", "x")
		body := jax.Named(within("body", func(x A) A { return x.Add(1.) }), "body", "x")
		no := jax.Named(within(nil, func(x A) A { return jnp.Cos(x) }), "no", "x")
		f := func(x A) (y A) {
			a := lax.WhileLoop(cond, body, x)
			metadata.With(attrs{"k": "branch"}).Do(func() { y = lax.Cond(x.Lt(0.), jnp.Sin, no, a) })
			return y
		}
		return program{f: one(f), args: []any{0.5}}
	},
	"200": func() program {
		block := metadata.Tag(tagged1)(jax.Named(func(x A) A { return jnp.Sin(x).Mul(jnp.Cos(x)) }, "block", "x"))
		f := one(func(x A) A {
			return lax.ForiLoop(0, 4, lambda(func(_, v A) A { return block(v).Add(x.Sum()) }, "i", "v"), x).MatMul(x)
		})
		l := jax.Jit(f).Lower(row(4))
		texts := func(key string) func() any {
			return func() any {
				out := map[string]bool{}
				for _, level := range []string{"UNKNOWN", "O0", "O1", "O2", "O3"} {
					out[level] = l.Compile(opts{key: level}).AsText() == l.Compile().AsText()
				}
				return out
			}
		}
		return program{probes: []probe{{"optimization", texts("optimization_level")}, {"memory", texts("memory_fitting_level")}}}
	},
})
