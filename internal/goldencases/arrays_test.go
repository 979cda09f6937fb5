package goldencases

import (
	jax "gopherlo/jaxlike"
	"gopherlo/jaxlike/jnp"
	"gopherlo/jaxlike/kw"
	"gopherlo/jaxlike/lax"
	"gopherlo/jaxlike/nn"
	"gopherlo/metadata"
)

// gradVariant is the variant "grad" of a function at the case's arguments.
func gradVariant(f any, args []any) []variant { return grads(f, args)[:1] }

var _ = register(cases{
	"070": func() program {
		a := ones(2, 3)
		on := func(f func(a A) A) func() any {
			return func() any { return jax.Jit(lambda(f, "a"))(a) }
		}
		return program{probes: []probe{
			{"add", on(func(a A) A { return a.Add(jnp.Ones(4)) })},
			{"matmul", on(func(a A) A { return a.MatMul(a) })},
			{"dot_1d", on(func(a A) A { return jnp.Dot(a, jnp.Ones(2)) })},
			{"concatenate", on(func(a A) A { return jnp.Concatenate([]any{a, jnp.Ones(2)}) })},
			{"reshape", on(func(a A) A { return a.Reshape(4, 2) })},
			{"lax_add", on(func(a A) A { return lax.Add(a, jnp.Ones([]int{3, 2})) })},
			{"lax_dtype", on(func(a A) A { return lax.Add(a, jnp.Ones([]int{2, 3}, kw.DType(jnp.Int32))) })},
			{"lax_scalar", on(func(a A) A { return lax.Add(a, 1.0) })},
			{"axis", on(func(a A) A { return jnp.Sum(a, kw.Axis(2)) })},
			{"transpose", on(func(a A) A { return jnp.Transpose(a, 0, 0) })},
		}}
	},
	"079": func() program {
		f := func(x, y, n A) any {
			return jax.Tuple{
				x.Add(y), x.Sub(y), x.Mul(y), x.Div(y), x.Neg(), x.Abs(), jnp.Exp(x), jnp.Log(y), jnp.Sqrt(y), lax.Rsqrt(y), jnp.Tanh(x),
				nn.Sigmoid(x), jnp.Maximum(x, y), jnp.Minimum(x, y), x.Gt(y), jnp.Where(x.Gt(y), x, y), jnp.Power(y, x),
				x.Pow(3), jnp.Floor(x), jnp.Round(x), jnp.Sign(x), n.Mod(3), n.FloorDiv(2), n.Lsh(1), n.And(6), n.Not(),
				jnp.Clip(x, kw.Min(0.), kw.Max(1.)), jnp.Expm1(x), jnp.Log1p(y), jnp.ArcTan2(x, y), x.AsType(jnp.Int32), jnp.IsNaN(x), nn.Relu(x),
			}
		}
		return program{f: jax.Named(f, "f", "x", "y", "n"), args: []any{[]float32{-1.5, 0.5}, []float32{2, 4}, []int32{5, 7}}}
	},
	"080": func() program {
		f := func(a, b A) any {
			return jax.Tuple{
				a.Sum(), a.Sum(0), a.Max(1), a.Mean(), a.T(), a.Reshape(6), a.Index(0), a.Index(jnp.Slice(nil), jnp.Slice(1, nil)), a.MatMul(b),
				jnp.Dot(a.Index(0), b.Index(jnp.Slice(nil), 0)),
				jnp.Concatenate([]A{a, a}), jnp.Stack([]A{a.Index(0), a.Index(1)}), jnp.BroadcastTo(a.Index(0), []int{2, 3}),
				jnp.CumSum(a.Index(0)), jnp.ArgMax(a, kw.Axis(1)),
				a.Index(jnp.Slice(nil, nil, -1)), jnp.ExpandDims(a, 0), jnp.Squeeze(a.Index(jnp.Slice(1))),
				jnp.Einsum("ij,jk->ki", a, b), jnp.Outer(a.Index(0), a.Index(1)),
			}
		}
		return program{f: jax.Named(f, "f", "a", "b"), args: []any{
			[][]float32{{0, 1, 2}, {3, 4, 5}}, [][]float32{{0, 1}, {2, 3}, {4, 5}},
		}}
	},
	"141": func() program {
		block := jax.Checkpoint(metadata.Tag(tagged1)(jax.Named(func(x A) A { return jnp.Sin(jnp.Sin(x)) }, "block", "x")))
		f, args := one(func(x A) A { return block(x).Mul(2.) }), []any{0.5}
		return program{f: f, args: args, variants: gradVariant(f, args)}
	},
	"142": func() program {
		block := metadata.Tag(tagged1)(jax.Checkpoint(jax.Named(func(x A) A { return jnp.Sin(jnp.Sin(x)) }, "block", "x")))
		f, args := one(func(x A) A { return block(x).Mul(2.) }), []any{0.5}
		return program{f: f, args: args, variants: gradVariant(f, args)}
	},
	"203": func() program {
		f := func(a, i A) any {
			return jax.Tuple{
				a.Index(i), a.Index(i, 1), lax.DynamicSliceInDim(a, i, 1, 0), a.At(i, 0).Set(7.), a.At(0).Multiply(2.),
				jnp.Take(a, jnp.Array([]int{1, 0}), kw.Axis(0)),
			}
		}
		return program{f: jax.Named(f, "f", "a", "i"), args: []any{[][]float32{{0, 1}, {2, 3}, {4, 5}}, 2}}
	},
	"204": func() program {
		f := func(x A) any {
			sorted, order := jnp.Sort(x), jnp.ArgSort(x)
			values, indices := lax.TopK(x, 2)
			return jax.Tuple{sorted, order, []any{values, indices}, jnp.Median(x)}
		}
		return program{f: jax.Named(f, "f", "x"), args: []any{[]float32{0.5, -1, 2, 0}}}
	},
	"205": func() program {
		f := func(x A) any {
			return jax.Tuple{nn.Softmax(x), nn.Gelu(x), jnp.Square(x), jnp.IsFinite(x), nn.Silu(x)}
		}
		args := []any{[]float32{0.5, -1}}
		first := lambda(func(x A) A { return nn.Softmax(x).Index(0) }, "x")
		return program{f: jax.Named(f, "f", "x"), args: args, variants: gradVariant(first, args)}
	},
	"206": func() program {
		sums := lambda(func(v A) (A, A, A) { return lax.PSum(v, "i"), v.Sub(lax.PMean(v, "i")), lax.PMax(v, "i") }, "v")
		f := func(x A) A { return jax.Vmap(sums, jax.AxisName("i"))(x) }
		return program{f: one(f), args: []any{[]float32{1, 2, 4}}}
	},
	"208": func() program {
		block := metadata.Call2(lambda(func(x A) A {
			return jnp.Where(x.Gt(0.), x.Mul(x), 0.).Add(nn.Relu(x)).Add(jnp.Maximum(x, 0.25)).Add(jnp.Abs(x))
		}, "x"), attrs{"k": "fwd"}, metadata.AdMetadata(attrs{"k": "bwd"}))
		f, args := lambda(func(x A) A { return block(x).Sum() }, "x"), []any{[]float32{-1, 0, 0.25, 2}}
		return program{f: f, args: args, variants: gradVariant(f, args)}
	},
})
