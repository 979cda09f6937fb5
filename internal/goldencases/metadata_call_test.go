package goldencases

import (
	"math"
	"math/big"
	"strings"

	jax "gopherlo/jaxlike"
	"gopherlo/jaxlike/jnp"
	"gopherlo/metadata"
)

// thing is an object that is no value of JAX's.
type Thing struct{ _ int }

// String is what Python's str gives for it.
func (Thing) String() string { return "a thing" }

// PyRepr is what Python's repr gives for it.
func (Thing) PyRepr() string { return "Thing()" }

func matrix(rows, cols int, at func(i, j int) float32) [][]float32 {
	out := make([][]float32, rows)
	for i := range out {
		out[i] = make([]float32, cols)
		for j := range out[i] {
			out[i][j] = at(i, j)
		}
	}
	return out
}

func ones(rows, cols int) [][]float32 {
	return matrix(rows, cols, func(int, int) float32 { return 1 })
}

func counting(rows, cols int) [][]float32 {
	return matrix(rows, cols, func(i, j int) float32 { return float32(i*cols + j) })
}

func rootLine(hlo string) string {
	for line := range strings.Lines(hlo) {
		if strings.Contains(line, "ROOT") {
			return strings.TrimSpace(line)
		}
	}
	return ""
}

var _ = register(cases{
	"082": func() program {
		block := metadata.Tag(attrs{"stage": "first"})(jax.Named(func(x, y A) A { return jnp.Sin(x).Mul(y) }, "block", "x", "y"))
		f := func(x, y A) A { return block(x, y).Sub(y) }
		return program{f: jax.Named(f, "f", "x", "y"), args: []any{0.5, 2.0}}
	},
	"083": func() program {
		f := metadata.Tag(attrs{"s": "text", "b": true, "nb": false, "i": 12, "neg": -3, "fl": 0.5, "zero": 0, "whole": 2.0})(
			jax.Named(func(x A) A { return x.Mul(2.) }, "f", "x"))
		return program{f: f, args: []any{1.5}}
	},
	"084": func() program {
		f := metadata.Tag(attrs{
			"a": 1e-7, "b": math.Copysign(0, -1), "c": math.Inf(1), "d": math.Inf(-1), "e": math.NaN(), "f": 1e16, "g": 1e15,
			"h": 0.1, "i": 1.0 / 3, "j": 123456789.123, "k": 1e22, "l": 5e-324, "m": 0.0001, "n": 0.00001, "o": 1e100, "p": 100000.0,
		})(jax.Named(func(x A) A { return x.Add(1.) }, "f", "x"))
		return program{f: f, args: []any{1.5}}
	},
	"085": func() program {
		ten30 := new(big.Int).Exp(big.NewInt(10), big.NewInt(30), nil)
		f := metadata.Tag(attrs{
			"a": 1 << 31, "b": uint64(1 << 63), "c": new(big.Int).Add(power(64), big.NewInt(1)), "d": negative(power(70)),
			"e": ten30, "f": 0, "g": -1,
		})(jax.Named(func(x A) A { return x.Add(1.) }, "f", "x"))
		return program{f: f, args: []any{1.5}}
	},
	"086": func() program {
		f := metadata.Tag(attrs{
			"empty": "", "quote": `say "hi"`, "single": "it's", "newline": "a\nb", "tab": "a\tb", "back": `a\b`,
			"brace": `{x="1"}`, "comma": "a,b", "uni": "größe", "cjk": "日本", "space": " a ", "percent": "%s",
			"nul": "a\x00b", "bell": "\x07", "emoji": "🙂",
		})(jax.Named(func(x A) A { return x.Sub(1.) }, "f", "x"))
		return program{f: f, args: []any{1.5}}
	},
	"087": func() program {
		f := metadata.Tag(attrs{"zeta": "1", "alpha": "2", "Mid": "3", "_under": "4", "a1": "5", "a10": "6", "a2": "7", "B": "8"})(
			jax.Named(square, "f", "x"))
		return program{f: f, args: []any{3.0}}
	},
	"088": func() program {
		block := metadata.Tag(nil)(jax.Named(func(x A) A { return jnp.Cos(x) }, "block", "x"))
		return program{
			f: jax.Named(func(x A) A { return block(x).Mul(2.) }, "f", "x"), args: []any{0.5},
			variants: []variant{{"direct", metadata.Call(jnp.Cos, nil), []any{0.5}}},
		}
	},
	"089": badValues,
	"090": func() program {
		k := attrs{"k": "v"}
		lambda := func(f any) jax.NamedFunc { return jax.Named(f, "<lambda>", "x") }
		zero := 0
		return program{probes: []probe{
			{"number_given", func() any { return metadata.Call(3, k)(1.0) }},
			{"string_given", func() any { return metadata.Call("name", k)(1.0) }},
			{"decorate_number", func() any { return metadata.Tag(k)(3)(1.0) }},
			{"none_explicit", func() any { return metadata.Call(nil, k) != nil }},
			{"wrong_arity", func() any { return metadata.Call(jnp.Sin, k)(1.0, 2.0) }},
			{"bad_argument", func() any { return metadata.Call(lambda(func(x A) A { return x }), k)("text") }},
			{"bad_result", func() any { return metadata.Call(lambda(func(A) any { return "text" }), k)(1.0) }},
			{"if_inside", func() any {
				return metadata.Call(lambda(func(x A) any {
					if x.Gt(0).Bool() {
						return 1.
					}
					return 2.
				}), k)(1.0)
			}},
			{"raises_inside", func() any { return metadata.Call(lambda(func(x A) any { return 1 / zero }), k)(1.0) }},
		}}
	},
	"091": func() program {
		poly := jax.Named(func(x A) A { return x.Mul(x).Add(1.) }, "poly", "x")
		deco := metadata.Tag(attrs{"k": "v"})(poly)
		wrap := metadata.Call(poly, attrs{"k": "v"})
		overJit := metadata.Call(jax.Jit(poly), attrs{"k": "v"})
		f := func(x A) A { return deco(x).Add(wrap(x)).Add(overJit(x)) }
		return program{f: jax.Named(f, "f", "x"), args: []any{2.0}, probes: []probe{
			{"name", func() any { return deco.Name() + " " + wrap.Name() }},
			{"eager", func() any { return deco(3.0) }},
			{"module_name", func() any {
				return strings.TrimSpace(firstLine(jax.Jit(deco).Lower(1.0).AsText("hlo")))
			}},
		}}
	},
	"092": func() program {
		f := metadata.Tag(attrs{"whole": "yes"})(jax.Named(func(x, y A) A { return x.MatMul(y) }, "f", "x", "y"))
		return program{f: f, args: []any{ones(2, 2), []float32{1, 1}}}
	},
	"093": func() program {
		g := metadata.Tag(attrs{"k": "v"})(jax.Named(func(x A) map[string]any {
			return map[string]any{"a": x.Add(1), "b": []A{x.Mul(2.5)}}
		}, "g", "x"))
		return program{probes: []probe{
			{"float", func() any { return g(1.0) }},
			{"int", func() any { return g(2) }},
			{"array", func() any { return g(jnp.Arange(3)) }},
			{"jaxpr", func() any { return jax.MakeJaxpr(g)(1.0).String() }},
		}}
	},
	"094": func() program {
		a := metadata.Call(jax.Named(func(x A) A { return jnp.Exp(x) }, "<lambda>", "x"), attrs{"part": "a"})
		b := metadata.Call(jax.Named(func(x A) A { return jnp.Log(x).Add(1.) }, "<lambda>", "x"), attrs{"part": "b"})
		return program{f: jax.Named(func(x A) A { return b(a(x)) }, "f", "x"), args: []any{0.5}}
	},
	"095": func() program {
		block := metadata.Tag(attrs{"part": "a"})(jax.Named(func(x A) A { return jnp.Exp(x).Add(1.) }, "block", "x"))
		return program{f: jax.Named(func(x A) A { return block(block(x)) }, "f", "x"), args: []any{0.5}}
	},
	"096": func() program {
		block := metadata.Tag(attrs{"part": "a"})(jax.Named(func(x A) A { return x.Mul(2).Add(1) }, "block", "x"))
		f := func(x, v, n A) (A, A, A, A, A) {
			return block(x), block(v), block(n), block(x.Add(1.)), block(v.Index(jnp.Slice(nil, 2)))
		}
		return program{f: jax.Named(f, "f", "x", "v", "n"), args: []any{0.5, []float32{0, 1, 2}, 4}}
	},
	"097": func() program {
		body := jax.Named(func(x A) A { return jnp.Sin(x).Mul(x) }, "body", "x")
		a, b := metadata.Call(body, attrs{"k": "one"}), metadata.Call(body, attrs{"k": "two"})
		return program{f: jax.Named(func(x A) A { return a(x).Add(b(x)) }, "f", "x"), args: []any{0.5}}
	},
	"098": func() program {
		inner := metadata.Tag(attrs{"level": "inner", "only_inner": 1})(jax.Named(func(x A) A { return jnp.Sin(x).Add(1.) }, "inner", "x"))
		outer := metadata.Tag(attrs{"level": "outer", "only_outer": 2})(jax.Named(func(x A) A { return inner(x).Mul(jnp.Cos(x)) }, "outer", "x"))
		return program{f: jax.Named(func(x A) A { return outer(x).Sub(1.) }, "f", "x"), args: []any{0.5}}
	},
	"099": func() program {
		block := metadata.Tag(attrs{"k": "v"})(jax.Named(func(x, y A) (A, map[string]any) {
			return x.Add(y), map[string]any{"d": x.Mul(y), "s": jax.Tuple{x.Sub(y)}}
		}, "block", "x", "y"))
		f := func(x, y A) (A, A) {
			var a A
			var b struct {
				D A
				S [1]A
			}
			out := block(x, y)
			a = out.Out(0)
			b.D, b.S[0] = out.Out(1).Out(0), out.Out(1).Out(1).Out(0)
			return a.Add(b.S[0]), b.D
		}
		return program{f: jax.Named(f, "f", "x", "y"), args: []any{float32(3), float32(4)}}
	},
	"100": func() program {
		block := metadata.Tag(attrs{"k": "v"})(jax.Named(func(p map[string]any, scale A) map[string]A {
			return map[string]A{"out": p["w"].(A).Mul(scale).Add(p["b"].([]any)[0].(A))}
		}, "block", "p", "scale"))
		f := func(p map[string]any, s A) A { return block(p, s).Out(0) }
		return program{
			f:    jax.Named(f, "f", "p", "s"),
			args: []any{map[string]any{"w": []float32{1, 2}, "b": []any{float32(0.5)}}, 2.0},
		}
	},
	"101": func() program {
		block := metadata.Tag(attrs{"k": "v"})(jax.Named(func(x A) (A, A, A) { return jnp.Sin(x), jnp.Cos(x), jnp.Exp(x) }, "block", "x"))
		return program{f: jax.Named(func(x A) A { return block(x).Out(0).Mul(2.) }, "f", "x"), args: []any{0.5}}
	},
	"102": func() program {
		block := metadata.Tag(attrs{"k": "v"})(jax.Named(func(x A) A { return jnp.Sin(x) }, "block", "x"))
		return program{f: jax.Named(func(x A) A {
			block(x)
			return x.Add(1.)
		}, "f", "x"), args: []any{0.5}}
	},
	"103": func() program {
		block := metadata.Tag(attrs{"k": "v"})(jax.Named(func(x, unused, through A) (A, A) { return x.Mul(2.), through }, "block", "x", "unused", "through"))
		f := func(x, y, z A) A { return block(x, y, z) }
		return program{f: jax.Named(f, "f", "x", "y", "z"), args: []any{float32(1), float32(2), []int32{3, 4}}}
	},
})

func badValues() program {
	g := jax.Named(func(x A) A { return x }, "g", "x")
	with := func(v any) func() any { return func() any { return metadata.Call(g, attrs{"k": v}).Name() } }
	return program{probes: []probe{
		{"list", with([]int{1, 2})},
		{"none", with(nil)},
		{"dict", with(map[string]int{"a": 1})},
		{"tuple", with(jax.Tuple{1})},
		{"array", with(jnp.Ones(2))},
		{"np_int", with(int32(3))},
		{"np_float32", with(float32(3))},
		{"np_float64", func() any { return jax.Jit(metadata.Call(g, attrs{"k": 0.25})).Lower(1.).AsText("hlo") }},
		{"bytes", with([]byte("x"))},
		{"complex", with(1i)},
		{"object", with(Thing{})},
		{"function", with(square)},
		{"decorator_form", func() any { return metadata.Tag(attrs{"k": []int{1}})(g).Name() }},
		{"decorator_alone", func() any { return metadata.Tag(attrs{"k": []int{1}}) != nil }},
		{"first_bad_of_two", func() any { return metadata.Call(g, attrs{"good": "a", "bad1": nil, "bad2": []int{}}).Name() }},
		{"dtype", with(jnp.Float32)},
	}}
}

var _ = register(cases{
	"147": func() program {
		body := func(x A) A { return jnp.Sin(x) }
		named := func(name string, f func(x A) A) jax.NamedFunc { return jax.Named(f, name, "x") }
		a := metadata.Tag(attrs{"k": "positional"})(named("a", func(x A) A { return body(x) }))
		b := metadata.Tag(attrs{"k": "keyword"}, metadata.AdMetadata("drop"))(named("b", func(x A) A { return body(x) }))
		c := metadata.Call2(named("body", body), attrs{"k": "direct"})
		d := metadata.Call2(named("body", body), attrs{"k": "direct-keyword"})
		e := metadata.Tag(nil)(named("e", func(x A) A { return body(x) }))
		g := metadata.Call2(named("body", body), nil)
		f := func(x A) A { return a(x).Add(b(x)).Add(c(x)).Add(d(x)).Add(e(x)).Add(g(x)) }
		return program{f: named("f", f), args: []any{0.5}}
	},
	"148": func() program {
		lambda := jax.Named(func(x A) A { return jnp.Sin(x).Mul(x) }, "<lambda>", "x")
		block := metadata.Call2(lambda, attrs{"k": "v"}, metadata.AdMetadata("same"))
		other := jax.Named(func(x A) A { return jnp.Sin(x).Mul(x) }, "<lambda>", "x")
		return program{
			f: block, args: []any{0.5},
			variants: []variant{{"grad", jax.Grad(block), []any{0.5}}, {"value-and-grad", jax.ValueAndGrad(block), []any{0.5}}},
			probes: []probe{{"equal", func() any {
				return jax.Jit(jax.Grad(block)).Lower(0.5).AsText("hlo") ==
					jax.Jit(jax.Grad(metadata.Call(other, attrs{"k": "v"}))).Lower(0.5).AsText("hlo")
			}}},
		}
	},
	"149": func() program { return retagged(attrs{"k": "v"}, "drop") },
	"150": func() program { return retagged(attrs{"k": "fwd", "n": 1}, attrs{"k": "bwd", "m": true}) },
	"151": func() program {
		drop := metadata.Call2(jnp.Sin, attrs{"k": "v"}, metadata.AdMetadata("drop"))
		retag := metadata.Call2(jnp.Sin, attrs{"k": "fwd"}, metadata.AdMetadata(attrs{"k": "bwd"}))
		pair := func(y, t A) jax.Tuple { return jax.Tuple{y, t} }
		f := func(x, t A) jax.Tuple {
			return jax.Tuple{pair(jax.Jvp(drop, jax.Args{x}, jax.Args{t})), pair(jax.Jvp(retag, jax.Args{x}, jax.Args{t}))}
		}
		return program{
			f: jax.Named(f, "f", "x", "t"), args: []any{0.5, 1.0},
			variants: []variant{
				{"grad-of-jvp", jax.Grad(jax.Named(func(x A) A {
					_, t := jax.Jvp(retag, jax.Args{x}, jax.Args{1.0})
					return t
				}, "<lambda>", "x")), []any{0.5}},
				{"jvp-of-grad", jax.Named(func(x A) jax.Tuple {
					return pair(jax.Jvp(jax.Grad(retag), jax.Args{x}, jax.Args{1.0}))
				}, "<lambda>", "x"), []any{0.5}},
			},
		}
	},
	"152": func() program {
		run := func(ad any) any {
			b := metadata.Call2(jax.Named(func(x A) A { return jnp.Exp(x).Mul(x) }, "<lambda>", "x"), attrs{"k": "fwd"}, metadata.AdMetadata(ad))
			return jax.Named(func(x, t A) (A, A, A, A) {
				y, lin := jax.Linearize(b, x)
				z, back := jax.Vjp(b, x)
				return y, lin(t), z, back(t)
			}, "run", "x", "t")
		}
		args := []any{0.5, 2.0}
		return program{f: run("same"), args: args, variants: []variant{
			{"drop", run("drop"), args},
			{"retag", run(attrs{"k": "bwd"}), args},
		}}
	},
	"153": func() program {
		block := metadata.Call2(jax.Named(func(x, y A) A { return jnp.Sin(x).Mul(y) }, "<lambda>", "x", "y"),
			attrs{"k": "fwd"}, metadata.AdMetadata(attrs{"k": "bwd"}))
		args := []any{[]float32{0, 1, 2}, float32(2)}
		return program{
			f: jax.Vmap(block, jax.InAxes(0, nil)), args: args,
			variants: []variant{{"vmap-grad", jax.Vmap(jax.Grad(block), jax.InAxes(0, nil)), args}},
		}
	},
	"154": func() program {
		inner := metadata.Call2(jax.Named(func(x A) A { return jnp.Sin(x) }, "<lambda>", "x"),
			attrs{"k": "inner"}, metadata.AdMetadata(attrs{"k": "inner-bwd"}))
		outer := metadata.Call2(jax.Named(func(x A) A { return inner(x).Mul(x) }, "<lambda>", "x"), attrs{"k": "outer"}, metadata.AdMetadata("drop"))
		around := metadata.Call(jax.Named(func(x A) A { return outer(x).Add(1.) }, "<lambda>", "x"), attrs{"k": "plain"})
		return program{f: outer, args: []any{0.5}, variants: []variant{
			{"grad", jax.Grad(outer), []any{0.5}},
			{"grad-around", jax.Grad(around), []any{0.5}},
		}}
	},
	"155": func() program {
		g := jax.Named(func(x A) A { return x }, "g", "x")
		ad := func(v any) func() any {
			return func() any { return metadata.Call2(g, attrs{"a": "b"}, metadata.AdMetadata(v)).Name() }
		}
		return program{probes: []probe{
			{"ad_typo", ad("dorp")},
			{"ad_none", ad(nil)},
			{"ad_list", ad([]string{"a"})},
			{"ad_bad_value", ad(attrs{"c": []int{1}})},
			{"ad_none_value", ad(attrs{"c": nil})},
			{"not_callable", func() any { return metadata.Call2(3, attrs{"a": "b"}).Name() }},
			{"string_first", func() any { return metadata.Call2("name", attrs{"a": "b"}).Name() }},
			{"value", func() any { return metadata.Call2(g, attrs{"k": nil}).Name() }},
			{"value_array", func() any { return metadata.Call2(g, attrs{"k": jnp.Ones(1)}).Name() }},
			{"two_dicts", func() any { return metadata.Call2(attrs{"a": "b"}, attrs{"c": "d"}).Name() }},
			{"empty_dict", func() any { return jax.Jit(metadata.Call2(g, attrs{})).Lower(1.).AsText("hlo") }},
			{"empty_ad", func() any {
				return jax.Jit(jax.Grad(metadata.Call2(jnp.Sin, attrs{"a": "b"}, metadata.AdMetadata(attrs{})))).Lower(1.).AsText("hlo")
			}},
			{"bad_order", func() any { return metadata.Call2(g, attrs{"a": nil}, metadata.AdMetadata("typo")).Name() }},
		}}
	},
})

func retagged(meta attrs, ad any) program {
	block := metadata.Call2(jax.Named(func(x A) A { return jnp.Sin(x).Mul(x) }, "<lambda>", "x"), meta, metadata.AdMetadata(ad))
	args := []any{0.5}
	return program{f: block, args: args, variants: []variant{
		{"grad", jax.Grad(block), args},
		{"value-and-grad", jax.ValueAndGrad(block), args},
		{"second", jax.Grad(jax.Grad(block)), args},
	}}
}
