package goldencases

import (
	jax "gopherlo/jaxlike"
	"gopherlo/jaxlike/jnp"
	"gopherlo/metadata"
)

var tagged1 = attrs{"k": "v"}

func sinTimes(x A) A { return jnp.Sin(x).Mul(x) }

var _ = register(cases{
	"123": func() program {
		block := metadata.Tag(tagged1)(jax.Named(sinTimes, "block", "x"))
		args := []any{0.5}
		return program{f: block, args: args, variants: []variant{
			{"grad", jax.Grad(block), args}, {"value-and-grad", jax.ValueAndGrad(block), args},
		}}
	},
	"124": func() program {
		block := metadata.Tag(tagged1)(jax.Named(func(x A) A { return jnp.Tanh(x).Add(x) }, "block", "x"))
		f := jax.Named(func(x A) A { return jnp.Exp(block(x.Mul(2.))) }, "f", "x")
		return program{f: f, args: []any{0.25}, variants: []variant{{"grad", jax.Grad(f), []any{0.25}}}}
	},
	"125": func() program {
		block := metadata.Tag(tagged1)(jax.Named(func(x A) A { return jnp.Multiply(3., x) }, "block", "x"))
		f := jax.Named(func(x A) A { return block(x) }, "f", "x")
		args := []any{2.0}
		return program{f: f, args: args, variants: []variant{
			{"grad", jax.Grad(f), args}, {"value-and-grad", jax.ValueAndGrad(f), args},
		}}
	},
	"126": func() program {
		block := metadata.Tag(tagged1)(jax.Named(func(x, y A) A { return x.Mul(y).Add(jnp.Sin(y)) }, "block", "x", "y"))
		args := []any{2.0, 3.0}
		return program{f: block, args: args, variants: []variant{
			{"first", jax.Grad(block, jax.Argnums(0)), args},
			{"second", jax.Grad(block, jax.Argnums(1)), args},
			{"both", jax.Grad(block, jax.Argnums(0, 1)), args},
		}}
	},
	"127": func() program {
		block := metadata.Tag(tagged1)(jax.Named(sinTimes, "block", "x"))
		args := []any{0.5}
		return program{f: block, args: args, variants: []variant{
			{"second", jax.Grad(jax.Grad(block)), args}, {"third", jax.Grad(jax.Grad(jax.Grad(block))), args},
		}}
	},
	"128": func() program {
		block := metadata.Tag(tagged1)(jax.Named(func(x, y A) A { return x.Mul(jnp.Cos(y)) }, "block", "x", "y"))
		f := func(x, y, tx A) (A, A) {
			return jax.Jvp(jax.Named(func(u A) A { return block(u, y) }, "<lambda>", "u"), jax.Args{x}, jax.Args{tx})
		}
		return program{f: jax.Named(f, "f", "x", "y", "tx"), args: []any{2.0, 0.5, 1.0}, variants: []variant{
			{
				"both", jax.Named(func(x, y, a, b A) (A, A) { return jax.Jvp(block, jax.Args{x, y}, jax.Args{a, b}) }, "<lambda>", "x", "y", "a", "b"),
				[]any{2.0, 0.5, 1.0, 10.0},
			},
			{"zero-tangent", jax.Named(func(x A) (A, A) {
				return jax.Jvp(jax.Named(func(u A) A { return block(u, u) }, "<lambda>", "u"), jax.Args{x}, jax.Args{0.0})
			}, "<lambda>", "x"), []any{2.0}},
		}}
	},
	"129": func() program {
		block := metadata.Tag(tagged1)(jax.Named(func(x A) (A, A) { return jnp.Exp(x).Mul(x), x.Mul(x) }, "block", "x"))
		f := func(x, a, b A) (A, A) {
			y, back := jax.Vjp(block, x)
			return y, back(jax.Tuple{a, b})
		}
		return program{f: jax.Named(f, "f", "x", "a", "b"), args: []any{0.5, 1.0, 2.0}}
	},
	"130": func() program {
		block := metadata.Tag(tagged1)(jax.Named(sinTimes, "block", "x"))
		f := func(x, t A) (A, A) {
			y, lin := jax.Linearize(block, x)
			return y, lin(t)
		}
		return program{f: jax.Named(f, "f", "x", "t"), args: []any{0.5, 2.0}, probes: []probe{{"linear_jaxpr", func() any {
			_, lin := jax.Linearize(block, 0.5)
			return jax.MakeJaxpr(lin)(1.0).String()
		}}}}
	},
	"131": func() program {
		block := metadata.Tag(tagged1)(jax.Named(func(x A) A { return jnp.Sin(x).Mul(x.Sum()) }, "block", "x"))
		scalar := metadata.Tag(attrs{"k": "s"})(jax.Named(func(x A) A {
			return x.Pow(3).Sum().Add(x.Index(0).Mul(x.Index(1)))
		}, "scalar", "x"))
		args := []any{[]float32{0.5, 1.5}}
		return program{f: block, args: args, variants: []variant{
			{"jacfwd", jax.Jacfwd(block), args},
			{"jacrev", jax.Jacrev(block), args},
			{"hessian", jax.Hessian(scalar), args},
		}}
	},
	"132": func() program {
		block := metadata.Tag(tagged1)(jax.Named(func(x, y A) A { return jnp.Sin(x).Mul(y) }, "block", "x", "y"))
		row := []float32{0, 1, 2}
		return program{f: jax.Vmap(block), args: []any{row, []float32{1, 1, 1}}, variants: []variant{
			{"in-axes-none", jax.Vmap(block, jax.InAxes(0, nil)), []any{row, float32(2)}},
			{"in-axes-one", jax.Vmap(block, jax.InAxes(1)), []any{counting(2, 3), ones(2, 3)}},
			{"out-axes", jax.Vmap(block, jax.OutAxes(1)), []any{counting(3, 2), ones(3, 2)}},
		}}
	},
	"133": func() program {
		block := metadata.Call(jax.Named(func(x, y A) A { return x.Add(y) }, "<lambda>", "x", "y"), tagged1)
		three := jnp.Ones(3)
		return program{probes: []probe{
			{"sizes", func() any { return jax.Vmap(block)(jnp.Ones(2), three) }},
			{"scalar", func() any { return jax.Vmap(block)(1.0, three) }},
			{"all_none", func() any { return jax.Vmap(block, jax.InAxes(nil))(three, three) }},
			{"axes_length", func() any { return jax.Vmap(block, jax.InAxes([]int{0}))(three, three) }},
			{"axis_size", func() any { return jax.Vmap(block, jax.AxisSize(4))(three, three) }},
		}}
	},
	"134": func() program {
		block := metadata.Tag(tagged1)(jax.Named(func(w, x A) A { return jnp.Tanh(w.Mul(x)) }, "block", "w", "x"))
		args := []any{float32(0.5), []float32{0, 1, 2}}
		sum := jax.Named(func(w, x A) A { return jax.Vmap(block, jax.InAxes(nil, 0))(w, x).Sum() }, "<lambda>", "w", "x")
		return program{
			f: jax.Vmap(jax.Grad(block), jax.InAxes(nil, 0)), args: args,
			variants: []variant{{"grad-of-vmap", jax.Grad(sum), args}},
		}
	},
})
