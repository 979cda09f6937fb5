package goldencases

import (
	jax "gopherlo/jaxlike"
	"gopherlo/jaxlike/dtype"
	"gopherlo/jaxlike/jnp"
	"gopherlo/jaxlike/kw"
	"gopherlo/jaxlike/lax"
	"gopherlo/jaxlike/nn"
	"gopherlo/jaxlike/random"
)

// on is a program whose arguments are arrays.
func on(f any, args func() []any) func() structureProgram {
	return func() structureProgram { return structureProgram{f, args()} }
}

func onOnes(f any) func() structureProgram {
	return on(f, func() []any { return []any{ones3()} })
}

func onMatrix(f any) func() structureProgram {
	return on(f, func() []any { return []any{jnp.Ones([]int{2, 3})} })
}

func xAndIndices() []any { return []any{ones3(), jnp.Array([]int{0, 1})} }

func aKey() []any { return []any{random.Key(0)} }

var logSoftmax = func(x A) A { return nn.LogSoftmax(x) }

var _ = structure(map[string]func() structureProgram{
	"basics-closure-np-used-twice": func() structureProgram {
		n := []float32{0, 1, 2}
		return structureProgram{func(x A) A { return x.Add(n).Mul(n) }, []any{ones3()}}
	},
	"basics-np-0-d":      onOnes(func(x A) A { return x.Add(jnp.Array(2., dtF32)) }),
	"higher-logsumexp":   onOnes(func(x A) A { return nn.LogSumExp(x) }),
	"printing-lits-bf16": on(func(x A) (A, A) { return x.Mul(strong(0.1, dtype.BFloat16)), x.Mul(strong(1e30, dtype.BFloat16)) }, func() []any { return []any{strong(1., dtype.BFloat16)} }),
	"printing-lits-f16":  on(func(x A) jax.Tuple { return jax.Tuple{x.Mul(strong(0.1, dtype.Float16))} }, func() []any { return []any{strong(1., dtype.Float16)} }),
	"printing-linear_solve": onOnes(func(b A) A {
		return lax.CustomLinearSolve(func(x A) A { return jnp.Multiply(2., x) }, b, func(_ any, b A) A { return b.Div(2.) }, lax.SymmetricSolve(true))
	}),
	"printing-gather":     on(func(x, i A) A { return x.Index(i) }, xAndIndices),
	"printing-at-add-arr": on(func(x, i A) A { return x.At(i).Add(1.) }, xAndIndices),
	"printing-static-index": onOnes(func(x A) (A, A, A, A, A) {
		return x.Index(0), x.Index(-1), x.Index(jnp.Slice(1, nil)), x.Index(jnp.Slice(nil, nil, 2)), x.Index(jnp.Slice(nil, nil, -1))
	}),
	"printing-dyn-index": on(func(x, i A) A { return x.Index(i) }, func() []any { return []any{ones3(), 1} }),
	"printing-at-set":    onOnes(func(x A) A { return x.At(1).Set(2.) }),
	"printing-dot-pref": on(func(a, b A) A {
		return lax.DotGeneral(a, b, lax.DotDims{LHSContract: []int{1}, RHSContract: []int{0}}, "", dtype.BFloat16)
	}, func() []any { return []any{jnp.Ones([]int{2, 3}, dtBF16), jnp.Ones([]int{3, 2}, dtBF16)} }),
	"printing-reduce_window": onOnes(func(x A) A { return lax.ReduceWindow(x, "max", []int{2}, []int{1}, "VALID") }),
	"printing-random":        on(func(k A) A { return random.Normal(k, kw.Shape(2)) }, aKey),
	"printing-random-raw":    on(func(k A) A { return random.Uniform(k, kw.Shape(2)) }, func() []any { return []any{random.PRNGKey(0)} }),
	"printing-key-make":      program1(func() A { return random.Key(0) }),
	"printing-key-split":     on(func(k A) A { return random.Split(k, 3) }, aKey),
	"printing-key-data-fold": on(func(k A) (A, A) { return random.FoldIn(k, 1), random.KeyData(k) }, aKey),
	"printing-topk":          onOnes(func(x A) []A { v, i := lax.TopK(x, 2); return []A{v, i} }),
	"printing-split":         onOnes(func(x A) []A { return jnp.Split(x, 3) }),
	"printing-einsum": on(func(a, b A) A { return jnp.Einsum("ij,jk->ik", a, b) },
		func() []any { return []any{jnp.Ones([]int{2, 3}), jnp.Ones([]int{3, 2})} }),
	"printing-jit-partial-name": program1(func(x A) A { return jax.Jit(jax.Named(plusOne, "f1", "x"))(x) }, 1.),
	"printing-flatten-kwargs":   program1(func(x, y, z A) (A, A, A) { return y, z, x }, 1., 2., 3),

	"rules-V5-vmap-index":       on(jax.Vmap(func(a, i A) A { return a.Index(i) }), func() []any { return []any{jnp.Ones([]int{2, 3}), jnp.Arange(2)} }),
	"rules-V6-vmap-sort/argmax": onMatrix(jax.Vmap(func(a A) (A, A) { return jnp.Sort(a), jnp.ArgMax(a) })),
	"rules-V10-vmap-concatenate": onMatrix(jax.Vmap(func(a A) A {
		return jnp.Concatenate([]A{a, jnp.Zeros(1)})
	})),
	"rules-V12-vmap-dynamic_slice": on(jax.Vmap(func(a, i A) A { return lax.DynamicSlice(a, []any{i}, []int{2}) }),
		func() []any { return []any{jnp.Ones([]int{2, 3}), jnp.Arange(2)} }),
	"rules-V13-vmap-random": on(jax.Vmap(func(k A) A { return random.Uniform(k, kw.Shape(2)) }),
		func() []any { return []any{random.Split(random.Key(0), 3)} }),
	"rules-W2-fori-array-carry": onOnes(func(x A) A {
		return lax.ForiLoop(0, 3, func(i, c A) A { return c.At(i).Set(c.Index(i).Mul(2.)) }, x)
	}),
	"rules-Z6-grad-indexing": onOnes(gradOf(func(x A) A { return x.Index(1).Mul(x.Index(2)) })),
	"rules-Z8-grad-slice+concat": onOnes(gradOf(func(x A) A {
		return jnp.Sum(jnp.Concatenate([]A{x.Index(jnp.Slice(1, nil)), x.Index(jnp.Slice(1))}).Mul(x))
	})),
	"rules-Z10-grad-mean/var":   onOnes(gradOf(func(x A) A { return jnp.Var(x) })),
	"rules-Z11-grad-softmax-ce": onOnes(gradOf(func(x A) A { return nn.LogSoftmax(x).Index(1).Neg() })),
	"rules-Z13-grad-cumsum":     onOnes(gradOf(func(x A) A { return jnp.Sum(jnp.CumSum(x).Mul(x)) })),
	"order-grad-dot-same-lax": onOnes(gradOf(func(x A) A {
		return lax.DotGeneral(x, x, lax.DotDims{LHSContract: []int{0}, RHSContract: []int{0}}, "", dtype.Invalid)
	})),
	"naming-const-order-w/-dead-first": func() structureProgram {
		c1, c2 := jnp.Arange(3.), []float32{0, 2, 4}
		return structureProgram{func(x A) A { c1.Mul(2.); return x.Add(c2) }, []any{ones3()}}
	},
	"naming-weak-type-arg-conversions": program1(func(x, y A) (A, A, A) {
		return jnp.Where(true, x, y), jnp.AsArray(x), x.AsType(jnp.Float32)
	}, 1., float32(2)),
	"naming-jacfwd-mat": on(jax.Jacfwd(func(x A) A { return jnp.Stack([]A{x.Index(0).Mul(x.Index(1)), x.Index(1)}) }),
		func() []any { return []any{jnp.Ones(2)} }),
	"sharing-relu-twice":            onOnes(func(x A) A { return nn.Relu(nn.Relu(x)) }),
	"sharing-softmax-fn-twice-vmap": onMatrix(jax.Vmap(func(x A) A { return logSoftmax(logSoftmax(x)) })),
	"sharing-scatter-add-twice":     onOnes(func(x A) A { return x.At(0).Add(1.).At(1).Add(2.) }),
})

var _ = more(map[string]p{
	"remat-custom-jvp": lazy(remat(func(x A) A { return nn.Relu(jnp.Sin(x)) }), args(1.)),
	"scan-custom-jvp": lazy(grad(func(c, xs A) A {
		return carry(func(c, x A) (A, any) { return nn.Relu(c).Mul(x), nil }, c, xs)
	}), args(1., onesOf(3))),
})
