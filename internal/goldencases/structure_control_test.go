package goldencases

import (
	jax "gopherlo/jaxlike"
	"gopherlo/jaxlike/jnp"
	"gopherlo/jaxlike/kw"
	"gopherlo/jaxlike/lax"
)

// carry and last are parts of a scan's results.
func lastCarry(carry, _ A) A { return carry }
func stackedYs(_, ys A) A    { return ys }

var (
	mulCarry = func(c, x A) (A, A) { return c.Mul(x), c }
	below10  = func(c A) A { return c.Lt(10.) }
)

func f32(v float64) A { return jnp.Array(v, dtF32) }

var _ = structure(map[string]func() structureProgram{
	"higher-scan": func() structureProgram {
		return structureProgram{func(c, xs A) (A, A) {
			return lax.Scan(func(c, x A) (A, A) { return c.Add(x), c.Mul(x) }, c, xs)
		}, []any{0., ones3()}}
	},
	"higher-scan-consts": func() structureProgram {
		return structureProgram{func(w, c, xs A) (A, A) {
			return lax.Scan(func(c, x A) (A, any) { return c.Mul(w).Add(x), nil }, c, xs)
		}, []any{2., 0., ones3()}}
	},
	"higher-scan-noxs": program1(func(c A) (A, A) {
		return lax.Scan(func(c A, _ any) (A, any) { return c.Mul(2.), nil }, c, nil, kw.Length(3))
	}, 1.),
	"higher-scan-dead-y": func() structureProgram {
		return structureProgram{func(c, xs A) A {
			return lastCarry(lax.Scan(func(c, x A) (A, jax.Tuple) { return c.Add(x), jax.Tuple{c.Mul(x), x} }, c, xs))
		}, []any{0., ones3()}}
	},
	"higher-scan-jvp": func() structureProgram {
		return structureProgram{func(c, xs, t A) (A, A) {
			return jvp1(func(c A) (A, A) { return lax.Scan(func(c, x A) (A, A) { return c.Mul(x), c.Add(x) }, c, xs) }, c, t)
		}, []any{0., ones3(), 1.}}
	},
	"higher-scan-grad": func() structureProgram {
		return structureProgram{gradOf(func(c, xs A) A {
			return lastCarry(lax.Scan(func(c, x A) (A, any) { return jnp.Sin(c).Mul(x), nil }, c, xs))
		}), []any{0., ones3()}}
	},
	"higher-scan-grad-const": func() structureProgram {
		return structureProgram{gradOf(func(w, c, xs A) A {
			return lastCarry(lax.Scan(func(c, x A) (A, any) { return jnp.Sin(w).Mul(c).Mul(x), nil }, c, xs))
		}), []any{2., 0., ones3()}}
	},
	"higher-scan-grad-xs": func() structureProgram {
		return structureProgram{gradOf(func(xs A) A { return lastCarry(lax.Scan(func(c, x A) (A, A) { return c.Mul(x), c }, 1., xs)) }), []any{ones3()}}
	},
	"higher-scan-vmap": func() structureProgram {
		return structureProgram{jax.Vmap(func(c, xs A) (A, A) {
			return lax.Scan(func(c, x A) (A, A) { return c.Add(x), c }, c, xs)
		}, jax.InAxes(nil, 0)), []any{0., jnp.Ones([]int{2, 3})}}
	},
	"higher-fori-dyn": program1(func(n, x A) A { return lax.ForiLoop(0, n, func(i, c A) A { return c.Mul(x) }, 1.) }, 3, 2.),
	"higher-fori-grad": program1(gradOf(func(x A) A {
		return lax.ForiLoop(0, 3, func(i, c A) A { return c.Mul(x) }, 1.)
	}), 2.),
	"higher-while": program1(func(x A) A { return lax.WhileLoop(below10, doubleLambda, x) }, 1.),
	"higher-while-consts": program1(func(x, a, b A) A {
		return lax.WhileLoop(func(c A) A { return c.Lt(a) }, func(c A) A { return c.Mul(b) }, x)
	}, 1., 2., 3.),
	"higher-while-jvp": program1(func(x, b A) (A, A) {
		return jvp1(func(x A) A {
			return lax.WhileLoop(func(c jax.Tuple) A { return c[0].(A).Lt(3) },
				func(c jax.Tuple) jax.Tuple { return jax.Tuple{c[0].(A).Add(1), c[1].(A).Mul(b)} }, jax.Tuple{0, x})
		}, x, 1.)
	}, 1., 3.),
	"higher-while-vmap": func() structureProgram {
		return structureProgram{jax.Vmap(func(x A) A { return lax.WhileLoop(below10, doubleLambda, x) }), []any{ones3()}}
	},
	"higher-while-vmap-unbatched-pred": func() structureProgram {
		return structureProgram{jax.Vmap(func(x A) A {
			return lax.WhileLoop(func(c jax.Tuple) A { return c[0].(A).Lt(3) },
				func(c jax.Tuple) jax.Tuple { return jax.Tuple{c[0].(A).Add(1), c[1].(A).Mul(2.)} }, jax.Tuple{0, x})
		}), []any{ones3()}}
	},
	"higher-switch": program1(func(i, x A) A {
		return lax.Switch(i, []any{jnp.Sin, jnp.Cos, func(x A) A { return x }}, x)
	}, 1, 1.),
	"higher-cond-grad": program1(gradOf(func(x A) A {
		return lax.Cond(x.Gt(0), func(x A) A { return jnp.Sin(x).Mul(x) }, func(x A) A { return jnp.Exp(x) }, x)
	}), 1.),
	"higher-cond-jvp": program1(func(x A) (A, A) {
		return jvp1(func(x A) A { return lax.Cond(x.Gt(0), jnp.Sin, func(x A) float64 { return 1 }, x) }, x, 1.)
	}, 1.),
	"higher-cond-vmap-pred": func() structureProgram {
		return structureProgram{jax.Vmap(func(x A) A { return lax.Cond(x.Gt(0), jnp.Sin, jnp.Cos, x) }), []any{ones3()}}
	},
	"higher-cond-vmap-op": func() structureProgram {
		return structureProgram{func(p, x A) A {
			return jax.Vmap(func(x A) A { return lax.Cond(p, jnp.Sin, func(x A) float64 { return 1 }, x) })(x)
		}, []any{true, ones3()}}
	},
	"higher-map": func() structureProgram {
		return structureProgram{func(x A) A { return lax.Map(func(v A) A { return v.Mul(v) }, x) }, []any{ones3()}}
	},
	"higher-assoc-scan": func() structureProgram {
		return structureProgram{func(x A) A { return lax.AssociativeScan(lax.Add, x) }, []any{ones3()}}
	},
	"rules-S1-scan-carry-fwd-to-const": func() structureProgram {
		return structureProgram{func(c, w, xs A) (A, A) {
			return lax.Scan(func(c jax.Tuple, x A) (jax.Tuple, any) {
				return jax.Tuple{c[0].(A).Add(x.Mul(c[1])), c[1]}, nil
			}, jax.Tuple{c, w}, xs)
		}, []any{f32(0), f32(1), ones3()}}
	},
	"rules-S3-scan-vmap-batched-const": func() structureProgram {
		x := ones3()
		return structureProgram{jax.Vmap(func(w, xs A) (A, A) {
			return lax.Scan(func(c, x A) (A, A) { return c.Add(x.Mul(w)), c }, f32(0), xs)
		}, jax.InAxes(0, nil)), []any{x, x}}
	},
	"rules-S4-scan-weak-init-becomes-strong": func() structureProgram {
		return structureProgram{func(xs A) A {
			return lastCarry(lax.Scan(func(c, x A) (A, any) { return c.Add(x), nil }, 0., xs))
		}, []any{ones3()}}
	},
	"rules-S6-grad-rnn": func() structureProgram {
		return structureProgram{gradOf(func(w, xs A) A {
			return jnp.Sum(stackedYs(lax.Scan(func(h, x A) (A, A) {
				n := jnp.Tanh(h.MatMul(w).Add(x))
				return n, n
			}, jnp.Zeros(2), xs)))
		}), []any{jnp.Ones([]int{2, 2}), jnp.Ones([]int{3, 2})}}
	},
	"rules-S7-scan-reverse-unroll": func() structureProgram {
		return structureProgram{func(xs A) (A, A) {
			return lax.Scan(func(c, x A) (A, A) { return c.Add(x), c }, f32(0), xs, kw.Reverse(true), kw.Unroll(2))
		}, []any{jnp.Ones(4)}}
	},
	"rules-S8-grad-scan-hoist-const": func() structureProgram {
		return structureProgram{gradOf(func(w, xs A) A {
			return lastCarry(lax.Scan(func(c, x A) (A, any) { return c.Add(jnp.Sin(w).Mul(x)), nil }, f32(0), xs))
		}), []any{f32(1), ones3()}}
	},
	"rules-S9-array-const-in-body": func() structureProgram {
		return structureProgram{func(xs A) A {
			return lastCarry(lax.Scan(func(c, x A) (A, any) { return c.Add(jnp.Array([]float64{1, 2}).Mul(x)), nil }, jnp.Zeros(2), xs))
		}, []any{ones3()}}
	},
	"rules-C2-cond-shared-closure": program1(func(p, x, y A) A {
		return lax.Cond(p, func() A { return x.Mul(y) }, func() A { return y.Mul(x).Mul(x) })
	}, true, 1., 2.),
	"rules-C4-cond-grad-closure": program1(gradOf(func(x, w A) A {
		return lax.Cond(x.Gt(0), func() A { return jnp.Sin(x).Mul(w) }, func() A { return w.Mul(w).Mul(x) })
	}), 1., 2.),
	"rules-W1-fori-non-zero-lower-dyn": program1(func(a, b, x A) A {
		return lax.ForiLoop(a, b, func(i, c A) A { return c.Add(i) }, x)
	}, 1, 5, 0),
	"rules-K4-scan-of-ckpt-grad": func() structureProgram {
		return structureProgram{gradOf(func(w, xs A) A {
			return lastCarry(lax.Scan(jax.Checkpoint(func(c, x A) (A, any) { return jnp.Sin(c.Mul(w)).Add(x), nil }), f32(0), xs))
		}), []any{f32(1), ones3()}}
	},
	"sharing-scan-twice": func() structureProgram {
		return structureProgram{func(x A) A { return lastCarry(lax.Scan(mulCarry, lastCarry(lax.Scan(mulCarry, f32(1), x)), x)) }, []any{ones3()}}
	},
	"sharing-scan-twice-with-array-const": func() structureProgram {
		w := f32(2)
		bw := func(c, x A) (A, A) { return c.Mul(x).Add(w), c }
		return structureProgram{func(x A) A { return lastCarry(lax.Scan(bw, lastCarry(lax.Scan(bw, f32(1), x)), x)) }, []any{ones3()}}
	},
	"sharing-scan-twice-grad": func() structureProgram {
		return structureProgram{gradOf(func(x A) A { return lastCarry(lax.Scan(mulCarry, lastCarry(lax.Scan(mulCarry, f32(1), x)), x)) }), []any{ones3()}}
	},
	"sharing-scan-twice-vmap": func() structureProgram {
		return structureProgram{jax.Vmap(func(x A) A { return lastCarry(lax.Scan(mulCarry, lastCarry(lax.Scan(mulCarry, f32(1), x)), x)) }), []any{jnp.Ones([]int{2, 3})}}
	},
	"sharing-cond-twice": program1(func(p, x A) A {
		return lax.Cond(p, sinLambda, doubleLambda, lax.Cond(p, sinLambda, doubleLambda, x))
	}, true, 1.),
	"sharing-cond-twice-grad": program1(gradOf(func(x A) A {
		p := x.Gt(0)
		q := x.Gt(0)
		return lax.Cond(p, sinLambda, doubleLambda, lax.Cond(q, sinLambda, doubleLambda, x))
	}), 1.),
	"sharing-while-twice": program1(func(x A) A {
		return lax.WhileLoop(below10, doubleLambda, lax.WhileLoop(below10, doubleLambda, x))
	}, 1.),
	"sharing-ckpt-twice-grad": func() structureProgram {
		ck := jax.Checkpoint(sinLambda)
		return structureProgram{gradOf(func(x A) A { return ck(ck(x)) }), []any{1.}}
	},
	"sharing-fori-twice": program1(func(x A) A {
		inner := lax.ForiLoop(0, 2, func(i, c A) A { x.Shape(); return c.Mul(2.) }, x)
		return lax.ForiLoop(0, 2, func(i, c A) A { x.Shape(); return c.Mul(2.) }, inner)
	}, 1.),
	"sharing-fori-twice-same-fn": program1(func(x A) A {
		fb := func(i, c A) A { x.Shape(); return c.Mul(2.) }
		return lax.ForiLoop(0, 2, fb, lax.ForiLoop(0, 2, fb, x))
	}, 1.),
	"scan-zero-ct-ys": func() structureProgram {
		return structureProgram{gradOf(func(xs A) A {
			ys := stackedYs(lax.Scan(func(c, x A) (A, jax.Tuple) { return c.Mul(x), jax.Tuple{c, jnp.Sin(x).Mul(c)} }, f32(1), xs))
			return jnp.Sum(ys.Out(0))
		}), []any{ones3()}}
	},
	"scan-grad-of-vmap-scan": func() structureProgram {
		return structureProgram{gradOf(func(xs A) A {
			return jnp.Sum(jax.Vmap(func(xs A) A { return lastCarry(lax.Scan(func(c, x A) (A, A) { return c.Mul(x), c }, f32(1), xs)) })(xs))
		}), []any{jnp.Ones([]int{2, 3})}}
	},
	"scan-vmap-of-grad-scan": func() structureProgram {
		return structureProgram{jax.Vmap(gradOf(func(xs A) A {
			return lastCarry(lax.Scan(func(c, x A) (A, A) { return c.Mul(x), c }, f32(1), xs))
		})), []any{jnp.Ones([]int{2, 3})}}
	},
	"scan-grad-grad-scan": program1(gradOf(gradOf(func(c A) A {
		return lastCarry(lax.Scan(func(c A, _ any) (A, any) { return jnp.Sin(c), nil }, c, nil, kw.Length(2)))
	})), 1.),
	"scan-linearize-scan": program1(func(c, t A) A {
		_, l := jax.Linearize(func(c A) (A, A) {
			return lax.Scan(func(c A, _ any) (A, A) { return jnp.Sin(c), c }, c, nil, kw.Length(2))
		}, c)
		return l(t)
	}, 1., 1.),
	"scan-remat-scan-in-jit": program1(jax.Jit(func(c A) A {
		return lastCarry(lax.Scan(func(c A, _ any) (A, A) { return jnp.Sin(c), c }, c, nil, kw.Length(2)))
	}), 1.),
	"scan-map-batch": func() structureProgram {
		return structureProgram{func(x A) A { return lax.Map(func(v A) A { return v.Mul(2.) }, x, kw.BatchSize(2)) }, []any{jnp.Ones(5)}}
	},
	"scan-scan-dce-via-jit-unused": func() structureProgram {
		return structureProgram{func(x A) A {
			return jax.Jit(func(x A) (A, A) {
				return lax.Scan(func(c, x A) (A, A) { return c.Add(x), c.Mul(x) }, 0., x)
			})(x).Out(0)
		}, []any{ones3()}}
	},
	"more-scan-two-closures-order": func() structureProgram {
		return structureProgram{func(x, y, xs A) A {
			return lastCarry(lax.Scan(func(c, v A) (A, any) { return c.Mul(y).Add(x.Mul(v)), nil }, 1., xs))
		}, []any{f32(1), f32(3), ones3()}}
	},
	"more-cond-non-bool-pred": program1(func(p, x A) A {
		return lax.Cond(p, func() A { return x }, func() A { return x.Add(1.) })
	}, 1, 2.),
	"more-switch-closure": program1(func(i, x, y A) A {
		return lax.Switch(i, []any{func() A { return y }, func() A { return x.Mul(y) }})
	}, 1, 2., 3.),

	"higher-checkpoint":      program1(jax.Checkpoint(func(x A) A { return jnp.Sin(jnp.Sin(x)) }), 1.),
	"higher-grad-checkpoint": program1(gradOf(jax.Checkpoint(func(x A) A { return jnp.Sin(jnp.Sin(x)) })), 1.),
	"higher-grad-checkpoint-dots": func() structureProgram {
		return structureProgram{gradOf(jax.Checkpoint(func(x A) A {
			return jnp.Sum(jnp.Sin(x.MatMul(jnp.Ones([]int{3, 3}))))
		}, jax.Policy(jax.CheckpointPolicies.DotsSaveable))), []any{ones3()}}
	},
	"higher-custom_jvp-grad":      func() structureProgram { return structureProgram{gradOf(customSin()), []any{1.}} },
	"higher-custom_jvp-vmap-grad": func() structureProgram { return structureProgram{jax.Vmap(gradOf(customSin())), []any{ones3()}} },
	"higher-custom_jvp-jit-grad":  func() structureProgram { return structureProgram{gradOf(jax.Jit(customSin())), []any{1.}} },
	"higher-custom_vjp":           func() structureProgram { return structureProgram{customSinTimes(), []any{1., 2.}} },
	"higher-custom_vjp-grad":      func() structureProgram { return structureProgram{gradOf(customSinTimes(), 0, 1), []any{1., 2.}} },
	"higher-custom_vjp-vmap": func() structureProgram {
		x := ones3()
		return structureProgram{jax.Vmap(customSinTimes()), []any{x, x}}
	},
	"higher-custom_vjp-grad-of-jit": func() structureProgram { return structureProgram{gradOf(jax.Jit(customSinTimes())), []any{1., 2.}} },
	"sharing-custom_jvp-twice-in-jit-grad": func() structureProgram {
		cj := customNamed("cj")
		return structureProgram{gradOf(jax.Jit(func(x A) A { return cj(cj(x)) })), []any{1.}}
	},
	"naming-custom_jvp-const": func() structureProgram { return structureProgram{customTimesConst(), []any{ones3(), 2.}} },
	"naming-custom_jvp-vmap": func() structureProgram {
		return structureProgram{jax.Vmap(customTimesConst(), jax.InAxes(0, nil)), []any{jnp.Ones([]int{2, 3}), 2.}}
	},
})

func customSin() jax.Func { return customNamed("f") }

func customNamed(name string) jax.Func {
	var f jax.Func
	f = jax.CustomJVP(jax.Named(func(x A) A { return jnp.Sin(x) }, name, "x"), func(p, t []A) (A, A) {
		return f(p[0]), t[0].Mul(jnp.Cos(p[0]))
	})
	return f
}

func customTimesConst() jax.Func {
	c1 := jnp.Arange(3.)
	var f jax.Func
	f = jax.CustomJVP(jax.Named(func(x, y A) A { return x.Mul(y).Mul(c1) }, "f2", "x", "y"), func(p, t []A) (A, A) {
		return f(p[0], p[1]), t[0].Mul(p[1]).Add(t[1])
	})
	return f
}

func customSinTimes() jax.Func {
	var g jax.Func
	g = jax.CustomVJP(jax.Named(func(x, y A) A { return jnp.Sin(x).Mul(y) }, "g", "x", "y"),
		jax.Named(func(x, y A) (A, jax.Tuple) { return g(x, y), jax.Tuple{jnp.Cos(x), y} }, "gf", "x", "y"),
		jax.Named(func(r jax.Tuple, t A) (A, A) { return t.Mul(r[0]).Mul(r[1]), t }, "gb", "r", "t"))
	return g
}
