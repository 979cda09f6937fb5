package goldencases

import (
	jax "gopherlo/jaxlike"
	"gopherlo/jaxlike/dtype"
	"gopherlo/jaxlike/jnp"
	"gopherlo/jaxlike/kw"
	"gopherlo/jaxlike/lax"
	"gopherlo/metadata"
)

var (
	dtF32  = kw.DType(dtype.Float32)
	dtBF16 = kw.DType(dtype.BFloat16)

	sinLambda    = func(x A) A { return jnp.Sin(x) }
	doubleLambda = func(x A) A { return x.Mul(2.) }
)

// grads is a gradient by the arguments given; x3 are the arguments.
func gradOf(f any, argnums ...int) jax.Func {
	if len(argnums) == 0 {
		return jax.Grad(f)
	}
	return jax.Grad(f, jax.Argnums(argnums...))
}

func jvp1(f any, x, t any) (A, A) { return jax.Jvp(f, jax.Args{x}, jax.Args{t}) }

func vjp1(f any, ct any, xs ...any) A {
	_, pull := jax.Vjp(f, xs...)
	return pull(ct)
}

var _ = structure(map[string]func() structureProgram{
	"ad-grad-sin":        program1(gradOf(jnp.Sin), 1.),
	"ad-grad-sin*x":      program1(gradOf(func(x A) A { return jnp.Sin(x).Mul(x) }), 1.),
	"ad-grad-x**2.5":     program1(gradOf(func(x A) A { return x.Pow(2.5) }), 1.),
	"ad-grad-x-y-unused": program1(gradOf(func(x, y A) A { return x }, 0, 1), 1., 2.),
	"ad-grad-sum-2x": func() structureProgram {
		return structureProgram{gradOf(func(x A) A { return jnp.Sum(x.Mul(2.)) }), []any{ones3()}}
	},
	"ad-grad-fan-out": program1(gradOf(func(x A) A { return jnp.Sin(x).Add(jnp.Cos(x)).Add(x) }), 1.),
	"ad-grad-max":     program1(gradOf(func(x, y A) A { return jnp.Maximum(x, y) }, 0, 1), 1., 2.),
	"ad-grad-dot": func() structureProgram {
		x := ones3()
		return structureProgram{gradOf(func(a, b A) A { return a.MatMul(b) }, 0, 1), []any{x, x}}
	},
	"ad-grad-broadcast": func() structureProgram {
		return structureProgram{gradOf(func(a, b A) A { return jnp.Sum(a.Add(b)) }, 0, 1), []any{ones3(), 1.}}
	},
	"ad-grad-const": program1(gradOf(func(a A) A { return jnp.Array(1.0) }), 1.),
	"ad-jvp-sin":    program1(func(x, t A) (A, A) { return jvp1(jnp.Sin, x, t) }, 1., 1.),
	"ad-jvp-mul":    program1(func(x, t A) (A, A) { return jvp1(func(x A) A { return x.Mul(x) }, x, t) }, 1., 1.),
	"ad-jvp-with-zero-out": program1(func(x, t A) (A, A) {
		return jvp1(func(x A) (A, A) { return x, jnp.Multiply(2., jnp.Ones(3)) }, x, t)
	}, 1., 1.),
	"ad-jvp-x+y": program1(func(x, y A) (A, A) {
		return jax.Jvp(func(a, b A) A { return a.Mul(b).Add(a) }, jax.Args{x, y}, jax.Args{1., 1.})
	}, 1., 1.),
	"ad-vjp-f,ct":     program1(func(x, y, ct A) A { return vjp1(func(x, y A) A { return x.Mul(jnp.Sin(y)) }, ct, x, y) }, 1., 2., 1.),
	"ad-vjp-two-outs": program1(func(x, a, b A) A { return vjp1(func(x A) (A, A) { return jnp.Sin(x), x.Mul(2.) }, jax.Tuple{a, b}, x) }, 1., 1., 1.),
	"ad-linearize": program1(func(x, t A) (A, A) {
		y, l := jax.Linearize(func(x A) A { return jnp.Sin(x).Mul(x) }, x)
		return y, l(t)
	}, 1., 1.),
	"ad-value_and_grad-aux": program1(jax.ValueAndGrad(func(x A) (A, A) { return jnp.Sin(x), x.Mul(3.) }, jax.HasAux(true)), 1.),
	"ad-jacfwd": func() structureProgram {
		return structureProgram{jax.Jacfwd(func(x A) A { return x.Mul(x) }), []any{ones3()}}
	},
	"ad-jacrev": func() structureProgram {
		return structureProgram{jax.Jacrev(func(x A) A { return x.Mul(x) }), []any{ones3()}}
	},
	"ad-vmap-sin*y": func() structureProgram {
		return structureProgram{jax.Vmap(func(x, y A) A { return jnp.Sin(x).Mul(y) }, jax.InAxes(0, nil)), []any{ones3(), 2.}}
	},
	"ad-vmap-const-out": func() structureProgram {
		return structureProgram{jax.Vmap(func(x A) jax.Tuple { return jax.Tuple{x, 1.0} }), []any{ones3()}}
	},
	"ad-vmap-jit": func() structureProgram {
		return structureProgram{jax.Vmap(func(x A) A { return jax.Jit(func(x, y A) A { return x.Add(y) })(x, 2.) }), []any{ones3()}}
	},
	"ad-vmap-sum": func() structureProgram {
		return structureProgram{jax.Vmap(func(x A) A { return jnp.Sum(x) }), []any{jnp.Ones([]int{2, 3})}}
	},
	"ad-vmap-out_axes": func() structureProgram {
		return structureProgram{jax.Vmap(func(x A) A { return x.Mul(2.) }, jax.InAxes(1), jax.OutAxes(1)), []any{jnp.Ones([]int{2, 3})}}
	},
	"ad-vmap-axis_index": func() structureProgram {
		return structureProgram{jax.Vmap(func(x A) A { return x.Add(lax.AxisIndex("i")) }, jax.AxisName("i")), []any{ones3()}}
	},
	"ad-grad-jit": program1(gradOf(jax.Jit(func(x A) A { return jnp.Sin(x).Mul(x) })), 1.),
	"ad-grad-jit-2-args-used-once": program1(gradOf(func(x, y A) A {
		return jax.Jit(func(x, y A) A { return x.Mul(y).Mul(y) })(x, y)
	}), 1., 2.),
	"ad-jvp-jit": program1(func(x A) (A, A) {
		return jvp1(jax.Jit(func(x A) jax.Tuple { return jax.Tuple{jnp.Sin(x), 1.0} }), x, 1.)
	}, 1.),
	"ad-grad-of-jit-applied-twice": program1(gradOf(func(x A) A {
		h := jax.Jit(jax.Named(jnp.Sin, "sin", "x"))
		return h(h(x))
	}), 1.),
	"ad-grad-where": program1(gradOf(func(x A) A { return jnp.Where(x.Gt(0), x, 0.) }), 1.),

	"rules-R1-grad-jit-residual-order": program1(gradOf(func(x, y A) A {
		return jax.Jit(func(x, y A) A { return jnp.Sin(x).Mul(jnp.Cos(y)).Mul(x) })(x, y)
	}, 0, 1), 1., 2.),
	"rules-R2-grad-jit-two-outs": program1(func(x, a, b A) A {
		return vjp1(jax.Jit(func(x A) (A, A) { return jnp.Sin(x), jnp.Exp(x).Mul(x) }), jax.Tuple{a, b}, x)
	}, 1., 1., 1.),
	"rules-R3-jit-only-one-out-has-grad": program1(gradOf(func(x A) A {
		return jax.Jit(func(x A) (A, A) { return jnp.Sin(x), jnp.Cos(x) })(x).Out(0)
	}), 1.),
	"rules-R4-grad-jit-dup-residual": program1(gradOf(jax.Jit(func(x A) A { s := jnp.Sin(x); return s.Mul(s).Mul(s) })), 1.),
	"rules-R5-nested-jit-grad": program1(gradOf(jax.Jit(func(x A) A {
		return jax.Jit(jax.Named(jnp.Sin, "sin", "x"))(x).Mul(2.)
	})), 1.),
	"rules-R8-jit-of-grad": program1(jax.Jit(gradOf(func(x A) A { return jnp.Sin(x).Mul(x) })), 1.),
	"rules-R9-jvp-of-jit,-const-tangent": program1(func(x, y A) (A, A) {
		return jax.Jvp(jax.Jit(func(x, y A) (A, A) { return x.Mul(y), y }), jax.Args{x, y}, jax.Args{1., 2.})
	}, 1., 2.),
	"rules-R10-linearize-jit": program1(func(x, t A) A {
		_, l := jax.Linearize(jax.Jit(func(x A) A { return jnp.Sin(x).Mul(x) }), x)
		return l(t)
	}, 1., 1.),
	"rules-V1-vmap-mixed-rank-mul": func() structureProgram {
		return structureProgram{jax.Vmap(func(a, b A) A { return a.Mul(b) }, jax.InAxes(0, nil)), []any{jnp.Ones([]int{2, 3}), ones3()}}
	},
	"rules-V2-vmap-both-axes": func() structureProgram {
		return structureProgram{jax.Vmap(func(a, b A) A { return a.Mul(b) }, jax.InAxes(0, 1)), []any{jnp.Ones([]int{2, 3}), jnp.Ones([]int{3, 2})}}
	},
	"rules-V3-vmap-scalar*vec": func() structureProgram {
		return structureProgram{jax.Vmap(func(s, b A) A { return s.Mul(b) }, jax.InAxes(0, nil)), []any{ones3(), jnp.Ones(4)}}
	},
	"rules-V4-vmap-matmul-both": func() structureProgram {
		return structureProgram{jax.Vmap(func(a, b A) A { return a.MatMul(b) }), []any{jnp.Ones([]int{2, 3, 4}), jnp.Ones([]int{2, 4, 5})}}
	},
	"rules-V7-vmap-of-vmap": func() structureProgram {
		return structureProgram{jax.Vmap(jax.Vmap(func(a, b A) A { return a.Mul(b) }, jax.InAxes(0, nil)), jax.InAxes(nil, 0)), []any{ones3(), jnp.Ones(2)}}
	},
	"rules-V9-vmap-reduce-in-axis1": func() structureProgram {
		return structureProgram{jax.Vmap(func(x A) A { return jnp.Sum(x) }, jax.InAxes(1)), []any{jnp.Ones([]int{2, 3})}}
	},
	"rules-V11-vmap-reshape": func() structureProgram {
		return structureProgram{jax.Vmap(func(a A) A { return a.Reshape(3, 2) }), []any{jnp.Ones([]int{2, 6})}}
	},
	"rules-Z2-grad-of-stop":  program1(gradOf(func(x A) A { return x.Mul(lax.StopGradient(x)) }), 1.),
	"rules-Z3-grad-of-round": program1(gradOf(func(x A) A { return jnp.Round(x).Add(x) }), 1.),
	"rules-Z4-jvp-floor":     program1(func(x A) (A, A) { return jvp1(jnp.Floor, x, 1.) }, 1.),
	"rules-Z12-grad-max-reduce": func() structureProgram {
		return structureProgram{gradOf(func(x A) A { return jnp.Max(x) }), []any{ones3()}}
	},
	"rules-Z14-grad-prod": func() structureProgram {
		return structureProgram{gradOf(func(x A) A { return jnp.Prod(x) }), []any{ones3()}}
	},
	"rules-Z15-grad-where": func() structureProgram {
		return structureProgram{gradOf(func(x A) A { return jnp.Sum(jnp.Where(x.Gt(0), jnp.Sin(x), x.Mul(x))) }), []any{ones3()}}
	},
	"rules-Z16-grad-bcast-mul": func() structureProgram {
		return structureProgram{gradOf(func(a, b A) A { return jnp.Sum(a.Mul(b)) }, 0, 1), []any{jnp.Ones([]int{2, 3}), ones3()}}
	},
	"rules-Z17-grad-scalar*vec": func() structureProgram {
		return structureProgram{gradOf(func(a, b A) A { return jnp.Sum(a.Mul(b)) }, 0, 1), []any{float32(1), ones3()}}
	},
	"rules-Z18-grad-pow-arr": func() structureProgram {
		x := ones3()
		return structureProgram{gradOf(func(a, b A) A { return jnp.Sum(a.Pow(b)) }, 0, 1), []any{x, x}}
	},
	"rules-Z19-grad-sub-neg": func() structureProgram {
		x := ones3()
		return structureProgram{gradOf(func(a, b A) A { return jnp.Sum(a.Sub(b).Neg()) }, 0, 1), []any{x, x}}
	},
	"rules-Z20-grad-add-same": program1(gradOf(func(a A) A { return a.Add(a) }), 1.),
	"rules-Z21-complex":       program1(gradOf(func(z A) A { return jnp.Real(z.Mul(jnp.Conj(z))) }), complex64(1+1i)),

	"order-lax-x*x*x":     program1(gradOf(func(x A) A { return lax.Mul(lax.Mul(x, x), x) }), 1.),
	"order-jnp-x*x*x":     program1(gradOf(func(x A) A { return x.Mul(x).Mul(x) }), 1.),
	"order-jit-x*x*x":     program1(gradOf(jax.Jit(func(x A) A { return x.Mul(x).Mul(x) })), 1.),
	"order-jnp.add(x,x)*": program1(gradOf(func(x A) A { return jnp.Multiply(jnp.Add(x, x), x) }), 1.),
	"order-grad-dot-same": func() structureProgram {
		return structureProgram{gradOf(func(x A) A { return jnp.Dot(x, x) }), []any{ones3()}}
	},
	"order-grad-sum-of-3-uses": program1(gradOf(func(x A) A { return x.Mul(x).Add(x.Mul(3.)).Add(jnp.Sin(x).Mul(x)) }), 1.),
	"order-grad-sum-of-3-uses-lax": program1(gradOf(func(x A) A {
		return lax.Add(lax.Add(lax.Mul(x, x), lax.Mul(x, 3.)), lax.Mul(lax.Sin(x), x))
	}), 1.),
	"naming-grad-of-jit-with-literal-residual": program1(gradOf(func(x A) A {
		return jax.Jit(func(x A) A { return x.Mul(3.).Mul(float32(2)) })(x)
	}), 1.),
	"naming-float0": program1(func(i, x A) A { return vjp1(func(i, x A) A { return x.Mul(i) }, 1., i, x).Out(1) }, 2, 3.),
	"naming-jvp-nested": program1(func(x A) (A, A) {
		return jvp1(func(x A) A { _, t := jvp1(jnp.Sin, x, 1.); return t }, x, 1.)
	}, 1.),
	"naming-vmap-vmap-grad": func() structureProgram {
		return structureProgram{jax.Vmap(jax.Vmap(gradOf(func(x A) A { return x.Pow(2) }))), []any{jnp.Ones([]int{2, 2})}}
	},
	"sharing-meta-twice-grad": func() structureProgram {
		mc := metadata.Call(sinLambda, attrs{"k": "v"})
		return structureProgram{gradOf(func(x A) A { return mc(mc(x)) }), []any{1.}}
	},
	"more-jit-fwd-out-cut": program1(gradOf(func(x A) A {
		return jax.Jit(func(x A) (A, A) { return x, jnp.Sin(x) })(x).Out(1)
	}), 1.),
	"more-meta-fwd-out": program1(gradOf(func(x A) A {
		return metadata.Call(func(x A) (A, A) { return x, jnp.Sin(x) }, attrs{"k": "v"})(x).Out(1)
	}), 1.),
	"more-unused-grad-arg-array": func() structureProgram {
		x := ones3()
		return structureProgram{gradOf(func(a, b A) A { return jnp.Sum(a) }, 0, 1), []any{x, x}}
	},
	"more-sub-bcast-grad": func() structureProgram {
		return structureProgram{gradOf(func(a, b A) A { return jnp.Sum(a.Sub(b)) }, 0, 1), []any{jnp.Ones([]int{2, 3}), jnp.Ones([]int{1, 3})}}
	},
	"more-vmap-in_axes1-twice-used": func() structureProgram {
		return structureProgram{jax.Vmap(func(a A) A { return jnp.Sin(a).Add(a) }, jax.InAxes(1)), []any{jnp.Ones([]int{2, 3})}}
	},
	"more-literal-zero-residual": program1(gradOf(func(x A) A {
		return jax.Jit(func(x A) A { return jnp.Where(x.Gt(0), x, 0.) })(x)
	}), 1.),
	"more-psum-no-vmap": program1(func(x A) A { return lax.PSum(x) }, 1.),
	"more-pmap-ish-axis": func() structureProgram {
		return structureProgram{func(x A) A {
			return jax.Vmap(func(v A) A { return lax.PMean(v, "i") }, jax.AxisName("i"))(x)
		}, []any{ones3()}}
	},
})
