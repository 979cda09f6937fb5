package jaxlike_test

import (
	jax "gopherlo/jaxlike"
	"gopherlo/jaxlike/dtype"
	"gopherlo/jaxlike/jnp"
	"gopherlo/jaxlike/kw"
	"gopherlo/jaxlike/lax"
)

// nestedControlCases are loops, branches and checkpoints in each other: their
// rules meet constants, carries that are not mapped or have no tangent, and
// residuals that do not depend on the loop.
func nestedControlCases() []ruleCase {
	v, rows := operand{[]int{3}, .3, 1}, operand{[]int{4, 3}, .3, 1}
	step := func(c, x arr) (arr, arr) { return lax.Mul(lax.Sin(c), x), lax.Mul(c, c) }
	pair := func(c, ys arr) any { return jax.Tuple{c, ys} }
	half := func(x arr) arr { return lax.Mul(x, lax.ConstLike(x, .5)) }
	positive := func(x arr) arr { s := jnp.Sum(x); return lax.Gt(s, lax.ConstLike(s, 1)) }
	scanCase := func(note string, f func(xs []arr) any) ruleCase {
		return ruleCase{prim: "scan", note: note, kinds: "f", in: []operand{v, rows, v}, f: f}
	}
	return []ruleCase{
		scanCase("reverse", func(xs []arr) any { return pair(lax.Scan(step, xs[0], xs[1], kw.Reverse(true))) }),
		scanCase("unrolled", func(xs []arr) any { return pair(lax.Scan(step, xs[0], xs[1], kw.Unroll(3))) }),
		scanCase("unrolled whole", func(xs []arr) any { return pair(lax.Scan(step, xs[0], xs[1], kw.Unroll(true))) }),
		scanCase("constants outside", func(xs []arr) any {
			return pair(lax.Scan(func(c, x arr) (arr, arr) {
				k := lax.Exp(xs[2])
				return lax.Add(lax.Mul(c, lax.Sin(k)), x), lax.Mul(k, k)
			}, xs[0], xs[1]))
		}),
		scanCase("counted", func(xs []arr) any {
			c, ys := lax.Scan(func(c jax.Tuple, x arr) (jax.Tuple, arr) {
				i, s := jnp.AsArray(c[0]), jnp.AsArray(c[1])
				f := lax.ConvertElementType(i, s.DType())
				return jax.Tuple{lax.Add(i, int32(1)), lax.Mul(lax.Add(s, lax.Broadcast(f, []int{3})), x)}, s
			}, jax.Tuple{jnp.AsArray(int32(0)), xs[0]}, xs[1])
			return jax.Tuple{c.Out(1), ys}
		}),
		scanCase("of unmapped carries", func(xs []arr) any {
			c, _ := lax.Scan(func(c jax.Tuple, x arr) (jax.Tuple, any) {
				a, b := jnp.AsArray(c[0]), jnp.AsArray(c[1])
				return jax.Tuple{b, half(lax.Mul(a, x))}, nil
			}, jax.Tuple{jnp.OnesLike(xs[0]), xs[0]}, xs[1])
			return jax.Tuple{c.Out(0), c.Out(1)}
		}),
		scanCase("in scan", func(xs []arr) any {
			return pair(lax.Scan(func(c, x arr) (arr, arr) {
				d, ys := lax.Scan(func(d, y arr) (arr, arr) { return lax.Mul(lax.Cos(d), y), lax.Mul(d, c) }, x, xs[1])
				return lax.Add(half(c), d), jnp.Sum(ys, kw.Axis(0))
			}, xs[0], xs[1]))
		}),
		scanCase("of cond", func(xs []arr) any {
			return pair(lax.Scan(func(c, x arr) (arr, arr) {
				y := lax.Cond(positive(c), func(a, b arr) arr { return lax.Mul(lax.Sin(a), b) }, func(a, b arr) arr { return lax.Add(a, lax.Mul(b, b)) }, c, x)
				return y, lax.Mul(y, xs[2])
			}, xs[0], xs[1]))
		}),
		scanCase("of checkpoint", func(xs []arr) any {
			body := jax.Checkpoint(func(c, x arr) (arr, arr) { y := lax.Sin(lax.Mul(c, x)); return y, lax.Mul(y, y) })
			return pair(lax.Scan(func(c, x arr) (arr, arr) { out := body(c, x); return out.Out(0), out.Out(1) }, xs[0], xs[1]))
		}),
		scanCase("map in batches", func(xs []arr) any {
			return lax.Map(func(x arr) arr { return lax.Mul(lax.Sin(x), xs[0]) }, xs[1], kw.BatchSize(3))
		}),
		scanCase("counted loop", func(xs []arr) any {
			return lax.ForiLoop(0, 4, func(i, c arr) arr {
				return lax.Mul(lax.Sin(c), lax.DynamicIndexInDim(xs[1], i, 0, false))
			}, xs[0])
		}),
		{prim: "while", note: "in scan", kinds: "f", forward: true, in: []operand{v, rows}, f: func(xs []arr) any {
			return pair(lax.Scan(func(c, x arr) (arr, arr) {
				y := lax.WhileLoop(func(s arr) arr { m := jnp.Sum(s); return lax.Lt(m, lax.ConstLike(m, 4)) },
					func(s arr) arr { return lax.Add(lax.Add(s, half(s)), lax.Mul(x, c)) }, x)
				return lax.Sin(y), lax.Mul(y, c)
			}, xs[0], xs[1]))
		}},
		{prim: "while", note: "bound that varies", kinds: "f", forward: true, in: []operand{v, {[]int{}, 1.2, 3}}, f: func(xs []arr) any {
			n := lax.ConvertElementType(xs[1], dtype.Int32)
			return lax.ForiLoop(0, n, func(i, c arr) arr { return lax.Mul(lax.Sin(c), xs[0]) }, xs[0])
		}},
		{prim: "cond", note: "of three", kinds: "f", in: []operand{rows, rows}, f: func(xs []arr) any {
			return lax.Switch(indexOf(xs[0]), []any{
				func(a, b arr) jax.Tuple { return jax.Tuple{lax.Mul(a, b), jnp.OnesLike(a)} },
				func(a, b arr) jax.Tuple { return jax.Tuple{lax.Sin(a), a} },
				func(a, b arr) jax.Tuple { return jax.Tuple{lax.Exp(b), lax.Mul(lax.Sin(b), a)} },
			}, xs[0], xs[1])
		}},
		{prim: "cond", note: "of scans", kinds: "f", in: []operand{v, rows}, f: func(xs []arr) any {
			run := func(reverse bool) func(c, x arr) jax.Tuple {
				return func(c, x arr) jax.Tuple {
					c, ys := lax.Scan(step, c, x, kw.Reverse(reverse))
					return jax.Tuple{c, ys}
				}
			}
			return lax.Cond(positive(xs[0]), run(true), run(false), xs[0], xs[1])
		}},
		{prim: "remat2", note: "of scan", kinds: "f", in: []operand{v, rows}, f: func(xs []arr) any {
			return jax.Checkpoint(func(c, x arr) any { return pair(lax.Scan(step, c, x)) }, jax.Policy(jax.CheckpointPolicies.DotsSaveable))(xs[0], xs[1])
		}},
		{prim: "remat2", note: "saved by name", kinds: "f", in: []operand{v, v}, f: func(xs []arr) any {
			return jax.Checkpoint(func(a, b arr) any {
				y := jax.CheckpointName(lax.Sin(a), "y")
				return lax.Mul(lax.Exp(y), lax.Cos(b))
			}, jax.Policy(jax.SaveOnlyTheseNames("y")))(xs[0], xs[1])
		}},
		{prim: "custom_linear_solve", kinds: "f", in: []operand{v, v}, f: func(xs []arr) any {
			solve := func(_ any, b arr) arr { return lax.Div(b, lax.Sin(xs[0])) }
			return lax.CustomLinearSolve(func(x arr) arr { return lax.Mul(lax.Sin(xs[0]), x) }, xs[1], solve, lax.SymmetricSolve(true))
		}},
	}
}
