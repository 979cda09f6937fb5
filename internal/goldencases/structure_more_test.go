package goldencases

import (
	"slices"

	jax "gopherlo/jaxlike"
	"gopherlo/jaxlike/jnp"
	"gopherlo/jaxlike/kw"
	"gopherlo/jaxlike/lax"
)

// The programs of testdata/control.jsonl.gz: loops, branches, checkpoints and
// collectives under all transformations, generated with JAX 0.12.0.1.

type p = func() structureProgram

// lazy is a program whose function and arguments are made in the test.
func lazy(f func() any, args func() []any) p {
	return func() structureProgram { return structureProgram{f(), args()} }
}

func args(xs ...any) func() []any {
	return func() []any {
		out := slices.Clone(xs)
		for i, x := range out {
			if f, ok := x.(func() A); ok {
				out[i] = f()
			}
		}
		return out
	}
}

func onesOf(shape ...int) func() A { return func() A { return jnp.Ones(shape) } }

func scanSin(c, x A) (A, any) { return jnp.Sin(c).Mul(x), nil }

var (
	policies  = &jax.CheckpointPolicies
	saveDots  = func() jax.Option { return jax.Policy(policies.DotsSaveable) }
	saveAll   = func() jax.Option { return jax.Policy(policies.EverythingSaveable) }
	sinSin    = func(x A) A { return jnp.Sin(jnp.Sin(x)) }
	squareOf  = func(x A) A { return x.Mul(x) }
	i32Counts = func() A { return jnp.Arange(3) }
)

func grad(f any, argnums ...int) func() any { return func() any { return gradOf(f, argnums...) } }

// remat is the gradient of a checkpointed function.
func remat(f any, opts ...func() jax.Option) func() any {
	return func() any { return jax.Grad(checkpointed(f, opts)) }
}

func checkpointed(f any, opts []func() jax.Option) jax.Func {
	var os []jax.Option
	for _, o := range opts {
		os = append(os, o())
	}
	return jax.Checkpoint(f, os...)
}

func just(f any) func() any { return func() any { return f } }

func carry(f, init, xs any, opts ...kw.ScanOption) A {
	return lastCarry(lax.Scan(f, init, xs, opts...))
}

func ys(f, init, xs any, opts ...kw.ScanOption) A { return stackedYs(lax.Scan(f, init, xs, opts...)) }

var _ = more(map[string]p{
	"remat-jit": lazy(remat(func(x A) A { return jax.Jit(func(y A) A { return jnp.Sin(y).Mul(y) })(jnp.Sin(x)) }), args(1.)),
	"remat-jit-save-dots": lazy(remat(func(x A) A {
		return jnp.Sum(jax.Jit(func(y A) A { return jnp.Sin(y.MatMul(jnp.Ones([]int{3, 3}))) })(jnp.Sin(x)))
	}, saveDots), args(onesOf(3))),
	"remat-scan": lazy(remat(func(c, xs A) A { return carry(scanSin, c, xs) }), args(1., onesOf(3))),
	"remat-scan-dots": lazy(remat(func(c, xs A) A {
		return jnp.Sum(carry(func(c, x A) (A, any) { return jnp.Sin(c.MatMul(jnp.Ones([]int{3, 3}))).Mul(x), nil }, c, xs))
	}, saveDots), args(onesOf(3), onesOf(3))),
	"remat-scan-consts-dots": lazy(remat(func(w, c, xs A) A {
		return jnp.Sum(ys(func(c, x A) (A, A) { return jnp.Sin(c.MatMul(jnp.Sin(w))).Mul(x), c }, c, xs))
	}, saveDots), args(onesOf(3, 3), onesOf(3), onesOf(3))),
	"remat-scan-hoist-dots": lazy(func() any {
		return gradOf(checkpointed(func(w, c, xs A) A {
			return jnp.Sum(ys(func(c, x A) (A, A) { return jnp.Sin(c.Mul(w.MatMul(w))).Mul(x), c }, c, xs))
		}, []func() jax.Option{saveDots}), 1)
	}, args(onesOf(3), 1., onesOf(3))),
	"remat-cond": lazy(remat(func(x A) A { return lax.Cond(x.Gt(0), sinSin, func(x A) A { return jnp.Exp(x) }, x) }), args(1.)),
	"remat-cond-save": lazy(remat(func(x A) A {
		return lax.Cond(x.Gt(0), sinSin, func(x A) A { return jnp.Exp(x).Mul(x) }, x)
	}, saveAll), args(1.)),
	"remat-while":       lazy(remat(func(x A) A { return jnp.Sin(x).Mul(lax.WhileLoop(below10, doubleLambda, lax.StopGradient(x))) }), args(1.)),
	"remat-names":       lazy(remat(named3, func() jax.Option { return jax.Policy(jax.SaveOnlyTheseNames("a")) }), args(1.)),
	"remat-names-any":   lazy(remat(named3, func() jax.Option { return jax.Policy(jax.SaveAnyNamesButThese("a")) }), args(1.)),
	"remat-everything":  lazy(remat(func(x A) A { return jnp.Sin(sinSin(x)) }, saveAll), args(1.)),
	"remat-nested":      lazy(remat(func(x A) A { return jnp.Sin(jax.Checkpoint(sinSin)(x)) }), args(1.)),
	"remat-nested-save": lazy(remat(func(x A) A { return jnp.Sin(jax.Checkpoint(sinSin)(x)) }, saveAll), args(1.)),
	"remat-two-args": lazy(func() any {
		return gradOf(jax.Checkpoint(func(x, y A) A { return jnp.Sin(x).Mul(y) }, jax.PreventCSE(false)), 0, 1)
	}, args(1., 2.)),
	"remat-cse-tuple": lazy(func() any {
		return gradOf(jax.Checkpoint(func(x, y A) A { return jnp.Sin(x).Mul(y) }, jax.PreventCSE(true, false)), 0, 1)
	}, args(1., 2.)),
	"remat-jvp": lazy(just(func(x A) (A, A) { return jvp1(jax.Checkpoint(sinSin), x, 1.) }), args(1.)),
	"remat-vmap": lazy(func() any {
		return jax.Vmap(jax.Checkpoint(func(x, y A) A { return jnp.Sin(x).Mul(y) }), jax.InAxes(0, nil))
	}, args(onesOf(3), 2.)),
	"remat-vmap-grad": lazy(func() any {
		return jax.Vmap(jax.Grad(jax.Checkpoint(func(x, y A) A { return sinSin(x).Mul(y) })), jax.InAxes(0, nil))
	}, args(onesOf(3), 2.)),
	"remat-grad-grad": lazy(func() any { return jax.Grad(jax.Grad(jax.Checkpoint(sinSin))) }, args(1.)),
	"remat-closure": lazy(just(func(x, w A) A {
		return jax.Grad(jax.Checkpoint(func(x A) A { return jnp.Sin(x.Mul(w)) }))(x)
	}), args(1., 2.)),
	"remat-closure-array": lazy(func() any {
		w := jnp.Arange(3.)
		return jax.Grad(jax.Checkpoint(func(x A) A { return jnp.Sum(jnp.Sin(x.Mul(w))) }))
	}, args(1.)),
	"remat-jit-grad":  lazy(func() any { return jax.Jit(jax.Grad(jax.Checkpoint(sinSin))) }, args(1.)),
	"remat-linearize": lazy(just(func(x, t A) A { _, l := jax.Linearize(jax.Checkpoint(sinSin), x); return l(t) }), args(1., 1.)),
	"remat-two-outs": lazy(just(func(x, a, b A) A {
		return vjp1(jax.Checkpoint(func(x A) jax.Tuple { return jax.Tuple{jnp.Sin(x), x.Mul(2.), 3.} }), jax.Tuple{a, b, 0.}, x)
	}), args(1., 1., 1.)),

	"scan-jvp-jvp": lazy(just(func(c, xs, t A) jax.Tuple {
		f := func(c A) jax.Tuple {
			a, b := jvp1(func(c A) (A, A) { return lax.Scan(func(c, x A) (A, A) { return jnp.Sin(c).Mul(x), c.Add(x) }, c, xs) }, c, t)
			return jax.Tuple{a, b}
		}
		a, b := jvp1(f, c, t)
		return jax.Tuple{a, b}
	}), args(1., onesOf(3), 1.)),
	"scan-jvp-of-grad": lazy(just(func(c, xs, t A) (A, A) {
		return jvp1(gradOf(func(c A) A { return carry(func(c, x A) (A, A) { return jnp.Sin(c).Mul(x), c.Add(x) }, c, xs) }), c, t)
	}), args(1., onesOf(3), 1.)),
	"scan-grad-of-jvp": lazy(just(func(c, xs A) A {
		return jax.Grad(func(c A) A {
			_, t := jvp1(func(c A) A { return carry(func(c, x A) (A, A) { return jnp.Sin(c).Mul(x), c.Add(x) }, c, xs) }, c, 1.)
			return t
		})(c)
	}), args(1., onesOf(3))),
	"scan-hessian": lazy(func() any { return jax.Hessian(func(c, xs A) A { return carry(scanSin, c, xs) }) }, args(1., onesOf(3))),
	"scan-vmap-carry-xs": lazy(func() any {
		return jax.Vmap(func(c, xs A) (A, A) { return lax.Scan(mulCarry, c, xs) }, jax.InAxes(0, 1))
	}, args(onesOf(3), onesOf(4, 3))),
	"scan-vmap-out": lazy(func() any {
		return jax.Vmap(func(c, xs A) (A, A) {
			return lax.Scan(func(c, x A) (A, jax.Tuple) { return c.Mul(x), jax.Tuple{c, x} }, c, xs)
		}, jax.InAxes(0, nil), jax.OutAxes(0, 1))
	}, args(onesOf(3), onesOf(4))),
	"scan-int-carry-grad": lazy(grad(func(x A) A {
		return carry(func(c jax.Tuple, _ any) (jax.Tuple, any) {
			return jax.Tuple{c[0].(A).Add(1), c[1].(A).Mul(x)}, c[0]
		}, jax.Tuple{0, 1.}, nil, kw.Length(3)).Out(1)
	}), args(2.)),
	"scan-int-ys-grad": lazy(grad(func(x, xs A) A {
		return jnp.Sum(ys(func(c, k A) (A, A) { return c.Mul(x), c.Mul(k) }, 1., xs))
	}), args(2., i32Counts)),
	"scan-vjp-zero-carry": lazy(just(func(xs, ct A) A {
		return vjp1(func(xs A) A { return ys(mulCarry, f32(1), xs) }, ct, xs)
	}), args(onesOf(3), onesOf(3))),
	"scan-jit-inside": lazy(grad(func(c, xs A) A {
		return carry(func(c, x A) A { return jax.Jit(func(c, x A) (A, A) { return jnp.Sin(c).Mul(x), c })(c, x) }, c, xs)
	}), args(1., onesOf(3))),
	"scan-cond-inside": lazy(grad(func(c, xs A) A {
		return carry(func(c, x A) (A, any) { return lax.Cond(x.Gt(0), sinLambda, squareOf, c), nil }, c, xs)
	}), args(1., onesOf(3))),
	"scan-scan-inside": lazy(grad(nestedScan), args(1., onesOf(2, 3))),
	"scan-scan-vmap":   lazy(func() any { return jax.Vmap(nestedScan, jax.InAxes(0, nil)) }, args(onesOf(3), onesOf(2, 3))),
	"scan-while-inside": lazy(just(func(c, xs A) (A, A) {
		return jvp1(func(c A) A {
			return carry(func(c, x A) (A, any) { return lax.WhileLoop(func(d A) A { return d.Lt(x) }, doubleLambda, c), nil }, c, xs)
		}, c, 1.)
	}), args(1., onesOf(3))),
	"scan-hoist-jit": lazy(grad(func(w, xs A) A {
		return carry(func(c, x A) (A, any) { return c.Add(jax.Jit(jax.Named(jnp.Sin, "sin", "x"))(w).Mul(x)), nil }, f32(0), xs)
	}), args(func() A { return f32(1) }, onesOf(3))),
	"scan-hoist-jit-mixed": lazy(grad(func(w, xs A) A {
		return carry(func(c, x A) A {
			return jax.Jit(func(c, w, x A) (A, any) { return c.Add(jnp.Sin(w).Mul(x)), nil })(c, w, x)
		}, f32(0), xs)
	}), args(func() A { return f32(1) }, onesOf(3))),
	"scan-hoist-cond": lazy(grad(func(w, xs A) A {
		return carry(func(c, x A) (A, any) { return c.Add(lax.Cond(w.Gt(0), jnp.Sin, jnp.Cos, w).Mul(x)), nil }, f32(0), xs)
	}), args(func() A { return f32(1) }, onesOf(3))),
	"scan-hoist-two": lazy(grad(func(w, v, xs A) A {
		return carry(func(c, x A) (A, A) {
			return c.Mul(jnp.Sin(w)).Add(jnp.Cos(v).Mul(x).Mul(w)), c.Mul(v)
		}, f32(0), xs)
	}, 0, 1), args(func() A { return f32(1) }, func() A { return f32(2) }, onesOf(3))),
	"scan-xs-as-res": lazy(grad(func(c, xs A) A {
		return jnp.Sum(ys(func(c, x A) (A, A) { return c.Mul(x).Mul(x), c.Mul(x) }, c, xs))
	}, 0, 1), args(1., onesOf(3))),
	"scan-np-xs": lazy(grad(func(c A) A {
		return carry(func(c, x A) (A, any) { return c.Mul(x), nil }, c, []float32{1, 1, 1})
	}), args(1.)),
	"scan-np-const": lazy(grad(func(c, xs A) A {
		return jnp.Sum(carry(func(c, x A) (A, any) { return c.Mul(x).Mul([]float32{1, 1}), nil }, c, xs))
	}), args(onesOf(2), onesOf(3))),
	"scan-reverse-grad": lazy(grad(func(c, xs A) A { return carry(scanSin, c, xs, kw.Reverse(true), kw.Unroll(2)) }), args(1., onesOf(3))),
	"scan-length0-grad": lazy(grad(func(c, xs A) A { return carry(scanSin, c, xs) }), args(1., onesOf(0))),
	"scan-dce-carry": lazy(just(func(c, xs A) A {
		_, l := jax.Linearize(func(c A) A {
			return carry(func(c jax.Tuple, x A) (jax.Tuple, any) {
				return jax.Tuple{c[0].(A).Mul(x), c[1].(A).Mul(c[0])}, c[1]
			}, jax.Tuple{c, c}, xs).Out(0)
		}, c)
		return l(1.)
	}), args(1., onesOf(3))),

	"while-vmap-mixed": lazy(func() any {
		return jax.Vmap(func(x, y A) A {
			return lax.WhileLoop(func(c jax.Tuple) A { return c[0].(A).Lt(y) },
				func(c jax.Tuple) jax.Tuple { return jax.Tuple{c[0].(A).Add(1.), c[1].(A).Mul(x)} }, jax.Tuple{0., 1.})
		}, jax.InAxes(0, nil))
	}, args(onesOf(3), 5.)),
	"while-vmap-cond-batched-const": lazy(func() any {
		return jax.Vmap(func(y A) A {
			return lax.WhileLoop(func(c A) A { return c.Lt(y) }, func(c A) A { return c.Add(1.) }, 0.)
		})
	}, args(onesOf(3))),
	"while-vmap-vmap": lazy(func() any {
		return jax.Vmap(jax.Vmap(func(x, y A) A {
			return lax.WhileLoop(func(c A) A { return c.Lt(y) }, func(c A) A { return c.Mul(x) }, 1.)
		}, jax.InAxes(0, nil)), jax.InAxes(nil, 0))
	}, args(onesOf(3), onesOf(3))),
	"while-readonly": lazy(just(func(x, w A) A {
		return lax.WhileLoop(func(c jax.Tuple) A { return c[0].(A).Lt(10.) },
			func(c jax.Tuple) jax.Tuple { return jax.Tuple{c[0].(A).Mul(c[1]), c[1]} }, jax.Tuple{x, w})
	}), args(1., 2.)),
	"while-linearize": lazy(just(func(x, t A) A {
		_, l := jax.Linearize(func(x A) A {
			return lax.WhileLoop(func(c jax.Tuple) A { return c[0].(A).Lt(3) },
				func(c jax.Tuple) jax.Tuple { return jax.Tuple{c[0].(A).Add(1), jnp.Sin(c[1])} }, jax.Tuple{0, x}).Out(1)
		}, x)
		return l(t)
	}), args(1., 1.)),
	"while-jit-jvp": lazy(just(func(x A) (A, A) {
		return jvp1(jax.Jit(func(x A) A { return lax.WhileLoop(below10, func(c A) A { return c.Mul(x) }, x) }), x, 1.)
	}), args(2.)),
	"fori-dyn-jvp": lazy(just(func(n, x A) (A, A) {
		return jvp1(func(x A) A { return lax.ForiLoop(0, n, func(i, c A) A { return c.Mul(x).Add(i) }, 1.) }, x, 1.)
	}), args(3, 2.)),
	"fori-vmap-n": lazy(func() any {
		return jax.Vmap(func(n, x A) A { return lax.ForiLoop(0, n, func(i, c A) A { return c.Mul(x) }, 1.) }, jax.InAxes(0, nil))
	}, args(i32Counts, 2.)),
	"fori-tuple": lazy(just(func(x A) A {
		return lax.ForiLoop(1, 4, func(i A, c jax.Tuple) jax.Tuple { return jax.Tuple{c[1], c[0].(A).Mul(i)} }, jax.Tuple{x, 2.})
	}), args(1.)),
	"fori-unroll": lazy(just(func(x A) A {
		return lax.ForiLoop(0, 4, func(i, c A) A { return c.Mul(x) }, 1., kw.Unroll(2))
	}), args(1.)),
	"cond-jvp-two": lazy(just(func(p, x, y A) (A, A) {
		return jax.Jvp(func(x, y A) A {
			return lax.Cond(p, func(x, y A) (A, A) { return x.Mul(y), y }, func(x, y A) (A, A) { return x, x }, x, y)
		}, jax.Args{x, y}, jax.Args{1., 1.})
	}), args(true, 1., 2.)),
	"cond-grad-two": lazy(grad(func(x, y A) A {
		return lax.Cond(x.Gt(y), func(x, y A) A { return jnp.Sin(x).Mul(y) }, func(x, y A) A { return jnp.Exp(x).Mul(jnp.Cos(y)).Mul(x) }, x, y)
	}, 0, 1), args(1., 2.)),
	"cond-vmap-grad": lazy(func() any {
		return jax.Vmap(jax.Grad(func(x A) A { return lax.Cond(x.Gt(0), jnp.Sin, squareOf, x) }))
	}, args(onesOf(3))),
	"cond-vmap-unbatched": lazy(just(func(p, x, y A) A {
		return jax.Vmap(func(x A) A { return lax.Cond(p, func(x A) A { return x.Mul(y) }, func(x A) A { return y }, x) })(x)
	}), args(true, onesOf(3), 2.)),
	"cond-vmap-consts": lazy(just(func(x, y A) A {
		return jax.Vmap(func(x A) A { return lax.Cond(x.Gt(0), func() A { return y.Mul(x) }, func() A { return y }) })(x)
	}), args(onesOf(3), 2.)),
	"switch-grad": lazy(grad(func(x, i A) A {
		return lax.Switch(i, []any{jnp.Sin, jnp.Cos, func(x A) A { return x.Mul(x).Mul(x) }}, x)
	}), args(1., 1)),
	"switch-vmap": lazy(func() any {
		return jax.Vmap(func(i, x A) A { return lax.Switch(i, []any{jnp.Sin, jnp.Cos, squareOf}, x) })
	}, args(i32Counts, onesOf(3))),
	"cond-const-out": lazy(just(func(p, x A) A {
		return lax.Cond(p, func() jax.Tuple { return jax.Tuple{1., x} }, func() jax.Tuple { return jax.Tuple{2., x} })
	}), args(true, 3.)),
	"cond-jit-branch-grad": lazy(grad(func(x A) A {
		return lax.Cond(x.Gt(0), jax.Jit(jax.Named(jnp.Sin, "sin", "x")), jax.Jit(squareOf), x)
	}), args(1.)),
	"map-grad": lazy(grad(func(xs A) A { return jnp.Sum(lax.Map(func(v A) A { return jnp.Sin(v).Mul(v) }, xs)) }), args(onesOf(3))),
	"map-tree": lazy(just(func(x, y A) A {
		return lax.Map(func(t jax.Tuple) jax.Tuple { return jax.Tuple{t[0].(A).Mul(t[1]), t[0]} }, jax.Tuple{x, y})
	}), args(onesOf(3), onesOf(3))),
	"assoc-grad": lazy(grad(func(x A) A { return jnp.Sum(lax.AssociativeScan(lax.Mul, x)) }), args(onesOf(4))),
	"assoc-rev":  lazy(just(func(x A) A { return lax.AssociativeScan(lax.Add, x, kw.Reverse(true), kw.Axis(1)) }), args(onesOf(2, 3))),
	"custom-jvp-scan-rule": lazy(func() any {
		return customRule(func(x A) A { return carry(func(c A, _ any) (A, any) { return jnp.Sin(c), nil }, x, nil, kw.Length(2)) })
	}, args(1.)),
	"custom-jvp-cond-rule": lazy(func() any {
		return customRule(func(x A) A { return lax.Cond(x.Gt(0), jnp.Sin, jnp.Cos, x) })
	}, args(1.)),
	"custom-jvp-jit-rule": lazy(func() any {
		return customRule(jax.Jit(func(x A) A { return jnp.Sin(x).Mul(x) }))
	}, args(1.)),
	"psum-grad": lazy(func() any {
		return jax.Vmap(jax.Grad(func(x A) A { return lax.PSum(x.Mul(x), "i") }), jax.AxisName("i"))
	}, args(onesOf(3))),
	"grad-vmap-psum": lazy(grad(func(x A) A {
		return jnp.Sum(jax.Vmap(func(x A) A { return lax.PSum(x, "i").Mul(x) }, jax.AxisName("i"))(x))
	}), args(onesOf(3))),
	"psum-jit": lazy(func() any {
		return jax.Vmap(jax.Jit(func(x A) A { return lax.PSum(x.Mul(x), "i") }), jax.AxisName("i"))
	}, args(onesOf(3))),
	"psum-const": lazy(func() any { return jax.Vmap(func(x A) A { return x.Mul(lax.PSum(1, "i")) }, jax.AxisName("i")) }, args(onesOf(3))),
	"psum-scan": lazy(func() any {
		return jax.Vmap(func(x A) A {
			return carry(func(c A, _ any) (A, any) { return c.Add(lax.PSum(c, "i")), nil }, x, nil, kw.Length(2))
		}, jax.AxisName("i"))
	}, args(onesOf(3))),
	"psum-two-axes": lazy(func() any {
		return jax.Vmap(jax.Vmap(func(x A) A { return lax.PSum(x, "i", "j") }, jax.AxisName("j")), jax.AxisName("i"))
	}, args(onesOf(2, 3))),
	"pmax-two": lazy(func() any {
		return jax.Vmap(jax.Vmap(func(x A) A { return lax.PMax(x, "i") }, jax.AxisName("j")), jax.AxisName("i"))
	}, args(onesOf(2, 3))),
	"pmin-unmapped": lazy(func() any {
		return jax.Vmap(func(x, y A) (A, A) { return x, lax.PMin(y, "i") }, jax.InAxes(0, nil), jax.AxisName("i"))
	}, args(onesOf(3), 2.)),
	"psum-unmapped": lazy(func() any {
		return jax.Vmap(func(x, y A) (A, A) { return x, lax.PSum(y, "i") }, jax.InAxes(0, nil), jax.AxisName("i"))
	}, args(onesOf(3), 2.)),
	"axis-index-jit": lazy(func() any {
		return jax.Vmap(jax.Jit(func(x A) A { return x.Mul(lax.AxisIndex("i")) }), jax.AxisName("i"))
	}, args(onesOf(3))),
	"linear-transpose-scan": lazy(just(func(ct jax.Tuple) A {
		return jax.LinearTranspose(func(x A) (A, A) {
			return lax.Scan(func(c A, _ any) (A, A) { return c.Mul(2.), c }, x, nil, kw.Length(3))
		}, 1.)(ct)
	}), func() []any { return []any{jax.Tuple{1., jnp.Ones(3)}} }),
	"solve-grad": lazy(func() any { return gradOf(func(a, b A) A { return quotient(a, b) }, 0, 1) }, args(onesOf(3), onesOf(3))),
	"solve-vmap": lazy(func() any { return jax.Vmap(func(a, b A) A { return quotient(a, b) }, jax.InAxes(0, nil)) }, args(onesOf(2, 3), onesOf(3))),
	"solve-jvp-sym": lazy(just(func(b A) (A, A) {
		return jvp1(func(b A) A {
			return lax.CustomLinearSolve(doubled, b, func(m func(any) A, b A) A { return b.Div(m(b)) }, lax.SymmetricSolve(true))
		}, b, b)
	}), args(onesOf(3))),
	"solve-aux": lazy(just(func(b A) (A, A) {
		return jvp1(func(b A) A {
			return lax.CustomLinearSolve(doubled, b, func(_ any, b A) (A, A) { return b.Div(2.), jnp.Sin(b) }, lax.SolveAux(true))
		}, b, b)
	}), args(onesOf(3))),
	"barrier-grad":          lazy(grad(func(x A) A { return lax.OptimizationBarrier(jnp.Sin(x)).Mul(x) }), args(1.)),
	"reduce-precision-grad": lazy(grad(func(x A) A { return lax.ReducePrecision(jnp.Sin(x), 5, 10) }), args(1.)),
	"dynslice-grad":         lazy(grad(func(x, i A) A { return jnp.Sum(lax.DynamicSlice(x, []any{i}, []int{2})) }), args(onesOf(3), 1)),
	"dynslice-neg":          lazy(just(func(x A) A { return lax.DynamicSlice(x, []any{-1, 0}, []int{1, 2}) }), args(onesOf(2, 3))),
	"dynupdate-grad": lazy(grad(func(x, u, i A) A {
		return jnp.Sum(lax.DynamicUpdateSlice(x, u, []any{i}).Mul(x))
	}, 0, 1), args(onesOf(3), onesOf(2), 1)),
	"dynindex": lazy(just(func(x, i A) (A, A) {
		return lax.DynamicIndexInDim(x, i, 0, false), lax.DynamicUpdateIndexInDim(x, 1., i, 0)
	}), args(onesOf(3), 1)),
	"scan-zero-ct": lazy(grad(jax.Jit(func(xs A) A {
		return ys(func(c, x A) (A, jax.Tuple) { return c.Mul(x), jax.Tuple{c.Mul(2.), jnp.Sin(x)} }, f32(1), xs).Out(0).Index(1)
	})), args(onesOf(3))),
	"cond-grad-array-res": lazy(grad(func(x A) A {
		return jnp.Sum(lax.Cond(x.Index(0).Gt(0), func(x A) A { return jnp.Sin(x).Mul(2.) }, func(x A) A { return x.Mul(jnp.Sum(x)) }, x))
	}), args(onesOf(3))),
})

var named3 = func(x A) A {
	return jnp.Sin(jax.CheckpointName(jnp.Sin(jax.CheckpointName(jnp.Sin(x), "a")), "b"))
}

var nestedScan = func(c, xs A) A {
	return carry(func(c, x A) (A, any) { return carry(scanSin, c, x), nil }, c, xs)
}

// customRule is the gradient of a function whose rule is the jvp of another.
func customRule(of any) any {
	f := jax.CustomJVP(jax.Named(func(x A) A { return jnp.Sin(x) }, "<lambda>", "x"), func(p, t []A) (A, A) {
		return jvp1(of, p[0], t[0])
	})
	return jax.Grad(f)
}

func doubled(x A) A { return jnp.Multiply(2., x) }

// quotient solves a*x = b and sums the solution.
func quotient(a, b A) A {
	by := func(_ any, b A) A { return b.Div(a) }
	return jnp.Sum(lax.CustomLinearSolve(func(x A) A { return a.Mul(x) }, b, by, lax.TransposeSolve(by)))
}
