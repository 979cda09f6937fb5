package goldencases

import (
	"math"

	jax "gopherlo/jaxlike"
	"gopherlo/jaxlike/dtype"
	"gopherlo/jaxlike/jnp"
	"gopherlo/jaxlike/lax"
	"gopherlo/metadata"
)

func ones3() A { return jnp.Ones(3) }

var _ = structure(map[string]func() structureProgram{
	"basics-x*2.0": program1(func(x A) A { return x.Mul(2.0) }, 1.),
	"basics-x*2-int-arr": func() structureProgram {
		return structureProgram{func(x A) A { return x.Mul(2) }, []any{jnp.Arange(3)}}
	},
	"basics-x-int-*-2.5": func() structureProgram {
		return structureProgram{func(x A) A { return x.Mul(2.5) }, []any{jnp.Arange(3)}}
	},
	"basics-python-int-arg-*-2.5": program1(func(x A) A { return x.Mul(2.5) }, 3),
	"basics-weak-float-+-i32[3]": func() structureProgram {
		return structureProgram{func(x, y A) A { return x.Add(y) }, []any{3., jnp.Arange(3)}}
	},
	"basics-bool-lit": func() structureProgram {
		return structureProgram{func(x A) A { return jnp.Where(x.Gt(0), true, false) }, []any{ones3()}}
	},
	"basics-lax.add-lit": func() structureProgram {
		return structureProgram{func(x A) A { return lax.Add(x, jnp.Array(2, dtF32)) }, []any{ones3()}}
	},
	"basics-closure-np-array": func() structureProgram {
		n := []float32{0, 1, 2}
		return structureProgram{func(x A) A { return x.Add(n) }, []any{ones3()}}
	},
	"basics-closure-jnp-twice": func() structureProgram {
		c := jnp.Arange(3.)
		return structureProgram{func(x A) A { return x.Add(c).Mul(c) }, []any{ones3()}}
	},
	"basics-scalar-jnp-array-closure": func() structureProgram {
		s := jnp.Array(2., dtF32)
		return structureProgram{func(x A) A { return x.Add(s) }, []any{ones3()}}
	},
	"basics-np-scalar": func() structureProgram {
		return structureProgram{func(x A) A { return x.Add(float32(2)) }, []any{ones3()}}
	},
	"basics-jnp.array(2.)": func() structureProgram {
		return structureProgram{func(x A) A { return x.Add(jnp.Array(2.)) }, []any{ones3()}}
	},
	"basics-jnp.zeros": func() structureProgram {
		return structureProgram{func(x A) A { return x.Add(jnp.Zeros(3)) }, []any{ones3()}}
	},
	"basics-empty":        program1(func() jax.Tuple { return jax.Tuple{} }),
	"basics-two-out-same": func() structureProgram { return structureProgram{func(x A) (A, A) { return x, x }, []any{ones3()}} },
	"basics-const-out": func() structureProgram {
		c := jnp.Arange(3.)
		return structureProgram{func(x A) jax.Tuple { return jax.Tuple{1., 2, true, c} }, []any{ones3()}}
	},
	"basics-unused": program1(func(x, y A) A { a := jnp.Sin(x); jnp.Cos(y); return a }, 1., 2.),
	"basics-nested-jit-same-fn-twice": program1(func(x A) A {
		h := jax.Jit(func(x A) A { return jnp.Sin(x) })
		return h(h(x))
	}, 1.),
	"basics-jit-unused-output": func() structureProgram {
		g := jax.Jit(func(x, y A) (A, A) { return x.Add(1), y })
		return structureProgram{func(x, y A) A { return g(x, y).Out(1) }, []any{1., 2.}}
	},
	"basics-jit-closure-const": func() structureProgram {
		c := jnp.Arange(3.)
		return structureProgram{func(x A) A { return jax.Jit(func(x A) A { return x.Add(c) })(x) }, []any{ones3()}}
	},
	"basics-jit-closure-tracer": program1(func(x A) A { return jax.Jit(func(y A) A { return x.Add(y) })(2.) }, 1.),
	"basics-jit-static,-donated,-keep_unused": func() structureProgram {
		return structureProgram{func(x A) A {
			return jax.Jit(func(x, y A) A { return x }, jax.DonateArgnums(0), jax.KeepUnused(true))(x, 1.)
		}, []any{ones3()}}
	},
	"basics-jit-inline": func() structureProgram {
		return structureProgram{func(x A) A { return jax.Jit(jax.Named(jnp.Sin, "sin", "x"), jax.Inline(true))(x) }, []any{ones3()}}
	},
	"basics-jit-wrapping-args-repeated": func() structureProgram {
		return structureProgram{func(x A) A { return jax.Jit(func(a, b A) A { return a.Mul(b) })(x, x) }, []any{ones3()}}
	},
	"basics-jit-no-out": func() structureProgram {
		return structureProgram{func(x A) A { return jax.Jit(func(a A) any { return nil })(x) }, []any{ones3()}}
	},

	"printing-lits": program1(func(x A) jax.Tuple {
		return jax.Tuple{x.Mul(math.NaN()), x.Mul(math.Inf(1)), x.Mul(math.Inf(-1)), x.Mul(1e-7), x.Mul(1e16), x.Mul(3.0000001), x.Mul(1e22), x.Mul(0.1)}
	}, 1.),
	"printing-lits-np.float32(0.1)": program1(func(x A) (A, A) { return x.Mul(float32(0.1)), x.Mul(0.1) }, float32(1)),
	"printing-lits-complex": program1(func(x A) jax.Tuple {
		return jax.Tuple{x.Mul(1 + 2i), x.Mul(1i), x.Mul(complex(math.Copysign(0, -1), -1)), x.Mul(complex(0, math.Copysign(0, -1)))}
	}, complex64(1)),
	"printing-iota":    program1(func() A { return jnp.Arange(4) }),
	"printing-iota-2d": program1(func() A { return lax.BroadcastedIota(dtype.Int32, []int{2, 3}, 1) }),
	"printing-clamp": func() structureProgram {
		return structureProgram{func(x A) A { return lax.Clamp(0., x, 1.) }, []any{ones3()}}
	},
	"printing-while-long": func() structureProgram {
		return structureProgram{func(x A) A {
			return lax.WhileLoop(func(c A) A { return jnp.Sum(c).Lt(10.) }, func(c A) A {
				for range 8 {
					c = jnp.Sin(c).Mul(c)
				}
				return c
			}, x)
		}, []any{ones3()}}
	},
	"printing-many-args-wrap": func() structureProgram {
		args := make([]any, 12)
		for i := range args {
			args[i] = jnp.Ones([]int{100, 100})
		}
		sum := func(a ...A) A {
			s := jnp.Add(0, a[0])
			for _, x := range a[1:] {
				s = s.Add(x)
			}
			return s
		}
		return structureProgram{func(a ...A) A {
			in := make([]any, len(a))
			for i, x := range a {
				in[i] = x
			}
			return jax.Jit(func(a ...A) A { return sum(a...) })(in...)
		}, args}
	},
	"printing-many-outs-wrap": func() structureProgram {
		return structureProgram{func(x A) jax.Tuple {
			out := make(jax.Tuple, 30)
			for i := range out {
				out[i] = x.Mul(i)
			}
			return out
		}, []any{jnp.Ones([]int{100, 100})}}
	},
	"printing-name-scope": func() structureProgram {
		return structureProgram{func(x A) A { return jax.NamedCall(jnp.Sin, "foo")(x) }, []any{ones3()}}
	},
	"printing-stop_gradient": func() structureProgram {
		return structureProgram{func(x A) A { return lax.StopGradient(x) }, []any{ones3()}}
	},
	"printing-shared-nested-in-two": program1(func(x A) A {
		h := jax.Jit(func(q A) A { return q.Mul(2.) })
		return jax.Jit(func(z A) A { return h(h(z)) })(h(x))
	}, 1.),
	"printing-two-different-named-f,-each-twice": func() structureProgram {
		mk := func() any { n := 2.; return jax.Named(func(x A) A { return x.Add(n) }, "f", "x") }
		h1, h2 := jax.Jit(mk()), jax.Jit(mk())
		return structureProgram{func(x A) A { return h1(h1(h2(h2(x)))) }, []any{1.}}
	},
	"printing-hoisted-name-'a'-blocks-letter-a": func() structureProgram {
		mk := func(n float64) any { return jax.Named(func(x A) A { return x.Add(n) }, "a", "x") }
		ha, hb := jax.Jit(mk(1)), jax.Jit(mk(2))
		return structureProgram{func(x A) A { return ha(ha(hb(hb(x)))) }, []any{1.}}
	},
	"printing-weak-ints": program1(func(i A) jax.Tuple {
		return jax.Tuple{i.Add(1), i.Mul(1.5), i.Div(2), i.FloorDiv(2), i.Mod(2), i.Pow(2), i.Neg(), i.Abs()}
	}, 3),
	"printing-weak-f": program1(func(i A) jax.Tuple {
		return jax.Tuple{i.Add(1), i.Mul(1.5), i.Div(2), i.FloorDiv(2), i.Mod(2), i.Pow(2), i.Pow(0.5), jnp.Power(2, i), jnp.Divide(1, i)}
	}, 3.),
	"printing-f32[3]-ops": func() structureProgram {
		return structureProgram{func(i A) jax.Tuple {
			return jax.Tuple{
				i.Add(1), i.Mul(1.5), i.Div(2), i.FloorDiv(2), i.Mod(2), i.Pow(2), i.Pow(0.5), jnp.Power(2, i), jnp.Divide(1, i),
				i.Gt(1), i.Eq(0), i.Neg(), i.Abs(), jnp.Subtract(1, i),
			}
		}, []any{ones3()}}
	},
	"printing-i32[3]-ops": func() structureProgram {
		return structureProgram{func(i A) jax.Tuple {
			return jax.Tuple{
				i.Add(1), i.Mul(1.5), i.Div(2), i.FloorDiv(2), i.Mod(2), i.Pow(2), jnp.Power(2, i), jnp.Divide(1, i),
				i.Gt(1), i.Eq(0), i.Neg(), i.Abs(), i.Lsh(1),
			}
		}, []any{jnp.Arange(3)}}
	},
	"printing-f32[3]+f32[]": func() structureProgram {
		return structureProgram{func(a, b A) A { return a.Add(b) }, []any{ones3(), float32(1)}}
	},
	"printing-f32[2,1]+f32[1,3]": func() structureProgram {
		return structureProgram{func(a, b A) A { return a.Add(b) }, []any{jnp.Ones([]int{2, 1}), jnp.Ones([]int{1, 3})}}
	},
	"printing-f32+bf16": func() structureProgram {
		return structureProgram{func(a, b A) A { return a.Add(b) }, []any{ones3(), jnp.Ones(3, dtBF16)}}
	},
	"printing-lax.mul-scalar": func() structureProgram {
		return structureProgram{func(a A) A { return lax.Mul(a, 2.) }, []any{ones3()}}
	},
	"printing-maximum": func() structureProgram {
		return structureProgram{func(a A) jax.Tuple {
			return jax.Tuple{jnp.Maximum(a, 0.), jnp.Maximum(0., a), jnp.Where(a.Gt(0), 1., a)}
		}, []any{ones3()}}
	},
	"printing-dead-const": func() structureProgram {
		c := jnp.Arange(3.)
		return structureProgram{func(x A) A { x.Add(c); return x.Mul(2.) }, []any{ones3()}}
	},
	"printing-truly-dead-const": func() structureProgram {
		return structureProgram{func(x A) A { jnp.Array([]float64{1, 2}); return x }, []any{ones3()}}
	},
	"printing-linear-transpose": program1(func(ct A) A {
		return jax.LinearTranspose(func(x A) A { return x.Mul(3.).Add(x) }, 1.)(ct).Out(0)
	}, 1.),
	"printing-precision-reduce": func() structureProgram {
		return structureProgram{func(x A) A { return lax.ReducePrecision(x, 5, 10) }, []any{ones3()}}
	},
	"printing-barrier": func() structureProgram {
		return structureProgram{func(x A) any { return lax.OptimizationBarrierAny(jax.Tuple{x, x}) }, []any{ones3()}}
	},
	"printing-checkpoint_name": func() structureProgram {
		return structureProgram{func(x A) A { return jax.CheckpointName(x, "a") }, []any{ones3()}}
	},

	"naming-nested-hoist": func() structureProgram {
		g := jax.Jit(func(y A) A { return jnp.Cos(y) })
		h := jax.Jit(func(y A) A { return g(y).Add(1.) })
		return structureProgram{func(x A) A { return h(h(x)) }, []any{1.}}
	},
	"naming-two-array-consts-same-values": func() structureProgram {
		return structureProgram{func(x A) A {
			return x.Add(jnp.Array([]float64{1, 2, 3})).Mul(jnp.Array([]float64{1, 2, 3}))
		}, []any{ones3()}}
	},
	"naming-np-scalar-closure-f64-py": func() structureProgram {
		return structureProgram{func(x A) A { return x.Mul(2.) }, []any{ones3()}}
	},
	"naming-jit-pytree-args": program1(func(d map[string]any) A {
		return jax.Jit(func(d map[string]any) A { return d["a"].(A).Add(d["b"].(jax.Tuple)[0]) })(d)
	}, map[string]any{"b": jax.Tuple{1.}, "a": 2.}),
	"naming-jit-static-kw":           program1(func(x A) A { return jax.Jit(func(x A, n int) A { return x.Mul(n) }, jax.StaticArgnums(1))(x, 3) }, 1.),
	"naming-jit-returns-input-twice": program1(func(x A) A { return jax.Jit(func(x A) (A, A) { return x, x })(x) }, 1.),
	"naming-jit-out-literal": program1(func(x A) A {
		return jax.Jit(func(x A) jax.Tuple { return jax.Tuple{x, 2.} })(x).Out(1).Add(x)
	}, 1.),
	"naming-dropped-output-in-jit-inner": program1(func(x A) A {
		return jax.Jit(func(x A) A { a := jnp.Sin(x); jnp.Cos(x); return a })(x)
	}, 1.),
	"naming-donate": program1(func(x A) A { return jax.Jit(func(x A) A { return x.Add(1.) }, jax.DonateArgnums(0))(x) }, 1.),
	"naming-meta-nested-jit-names": program1(func(x A) A {
		return metadata.Call(func(x A) A { return jax.Jit(jax.Named(jnp.Sin, "sin", "x"))(x).Mul(2.) }, attrs{"k": true})(x)
	}, 1.),
	"sharing-same-jit-diff-shapes": func() structureProgram {
		h := jax.Jit(func(x A) A { return x.Mul(x) })
		return structureProgram{func(x, y A) (A, A) { return h(x), h(y) }, []any{1., ones3()}}
	},
	"sharing-where-twice": func() structureProgram {
		return structureProgram{func(x A) A { return jnp.Where(x.Gt(0), jnp.Where(x.Gt(1), x, 0.), 0.) }, []any{ones3()}}
	},
	"sharing-meta-twice": func() structureProgram {
		mc := metadata.Call(sinLambda, attrs{"k": "v"})
		return structureProgram{func(x A) A { return mc(mc(x)) }, []any{1.}}
	},
	"more-jit-two-closures-order": program1(func(x, y A) A {
		return jax.Jit(func(z A) A { return z.Mul(y).Add(x) })(2.)
	}, 1., 3.),
})
