package jaxlike_test

import (
	"compress/gzip"
	"encoding/json"
	"os"
	"testing"

	"gopherlo/internal/golden"
	jax "gopherlo/jaxlike"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
	"gopherlo/jaxlike/jnp"
	"gopherlo/jaxlike/lax"
	"gopherlo/metadata"
)

type (
	arr  = jax.Array
	args = []any
)

// oracleText is what JAX 0.12.0.1 prints for a program (testdata/oracle.py).
type oracleText struct{ Jaxpr, HLO, StableHLO, Error string }

func readOracle(t *testing.T) map[string]oracleText {
	t.Helper()
	file, err := os.Open("testdata/oracle.json.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	z, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	var out map[string]oracleText
	if err := json.NewDecoder(z).Decode(&out); err != nil {
		t.Fatal(err)
	}
	return out
}

// oracleProgram is the Go form of one of them.
type oracleProgram struct {
	f    any
	args args
}

func lambda(f any, params ...string) any { return jax.Named(f, "<lambda>", params...) }

func sinx(x arr) arr { return jnp.Sin(x).Mul(x) }

func block() jax.Func {
	return metadata.Call(jax.Named(sinx, "blk", "x"), metadata.Attrs{"tag": "b"})
}

func pairOut(a, b any) jax.Tuple { return jax.Tuple{a, b} }

func derivatives() map[string]oracleProgram {
	x3 := jnp.Arange(3.)
	cube := func(x arr) arr { return jnp.Sum(x.Mul(x).Mul(x)) }
	return map[string]oracleProgram{
		"jacfwd":        {jax.Jacfwd(lambda(sinx, "x")), args{x3}},
		"jacrev":        {jax.Jacrev(lambda(sinx, "x")), args{x3}},
		"jacrev-two":    {jax.Jacrev(func(x, y arr) (arr, arr) { return x.Mul(y), jnp.Cos(y) }, jax.Argnums(0, 1)), args{x3, 2.}},
		"jacfwd-aux":    {jax.Jacfwd(func(x arr) (arr, arr) { return x.Mul(x), x.Sum() }, jax.HasAux(true)), args{x3}},
		"hessian":       {jax.Hessian(lambda(cube, "x")), args{x3}},
		"jit-hessian":   {jax.Jit(jax.Hessian(lambda(func(x arr) arr { return jnp.Sum(jnp.Sin(x)) }, "x"))), args{x3}},
		"jacfwd-scalar": {jax.Jacfwd(func(x arr) arr { return x.Mul(x) }), args{1.}},
		"jacrev-scalar": {jax.Jacrev(func(x arr) arr { return x.Mul(x) }), args{1.}},
		"vmap-grad":     {jax.Vmap(jax.Grad(sinx)), args{x3}},
		"grad-vmap": {jax.Grad(func(x arr) arr {
			return jnp.Sum(jax.Vmap(func(y arr) arr { return y.Mul(jnp.Cos(y)) })(x))
		}), args{x3}},
		"linearize": {func(x, t arr) arr {
			_, f := jax.Linearize(func(y arr) arr { return jnp.Sin(y).Mul(y) }, x)
			return f(t)
		}, args{1., 2.}},
		"vjp": {func(x, ct arr) arr {
			_, f := jax.Vjp(func(y arr) arr { return jnp.Exp(y).Mul(y) }, x)
			return f(ct)
		}, args{x3, x3}},
		"vjp-two": {func(x, y arr) arr {
			_, f := jax.Vjp(func(a, b arr) (arr, arr) { return a.Mul(b), a.Add(b) }, x, y)
			return f(pairOut(1., 2.))
		}, args{1., 2.}},
		"linear-transpose": {func(ct arr) arr {
			return jax.LinearTranspose(func(x arr) arr { return jnp.Multiply(2., x) }, 1.)(ct)
		}, args{3.}},
		"linear-transpose-sum": {func(ct arr) arr {
			return jax.LinearTranspose(func(x arr) arr { return jnp.Sum(x.Mul(3.)) }, jax.ShapeDtypeStruct{Shape: []int{3}, DType: dtype.Float32})(ct)
		}, args{3.}},
		"jvp-two": {func(x, y arr) jax.Tuple {
			o, t := jax.Jvp(func(a, b arr) arr { return a.Mul(jnp.Sin(b)) }, jax.Args{x, y}, jax.Args{1., 1.})
			return pairOut(o, t)
		}, args{1., 2.}},
		"jvp-of-vjp": {func(x arr) jax.Tuple {
			o, t := jax.Jvp(func(y arr) arr {
				_, f := jax.Vjp(jnp.Sin, y)
				return f(1.).Out(0)
			}, jax.Args{x}, jax.Args{1.})
			return pairOut(o, t)
		}, args{1.}},
		"grad-of-linearize": {jax.Grad(func(x arr) arr {
			_, f := jax.Linearize(func(y arr) arr { return y.Mul(y).Mul(x) }, x)
			return f(1.)
		}), args{1.}},
		"stop-gradient":   {jax.Grad(func(x arr) arr { return jax.StopGradient(jnp.Sin(x)).Mul(x) }), args{1.}},
		"named-call":      {jax.NamedCall(lambda(func(x arr) arr { return jnp.Sin(x).Add(1.) }, "x"), "inner"), args{1.}},
		"grad-named-call": {jax.Grad(jax.NamedCall(lambda(sinx, "x"), "inner")), args{1.}},
	}
}

func customRules() map[string]oracleProgram {
	x3 := jnp.Arange(3.)
	var f, app, pw, h, clip jax.Func
	f = jax.CustomJVP(jax.Named(func(x arr) arr { return jnp.Sin(x) }, "f", "x"), jax.Named(func(ps, ts jax.Args) (arr, arr) {
		return f(ps[0]), jnp.Multiply(2., ts[0]).Mul(jnp.Cos(ps[0]))
	}, "f_jvp"))
	app = jax.CustomJVP(jax.Named(func(g, x any) arr { return g.(func(any) arr)(x) }, "app", "g", "x"), jax.Named(func(g any, ps, ts jax.Args) (arr, arr) {
		return app(g, ps[0]), jnp.Multiply(3., ts[0])
	}, "app_jvp"), jax.NondiffArgnums(0))
	pw = jax.CustomJVP(jax.Named(func(x arr, n int) arr { return x.Mul(n) }, "pw", "x", "n"), jax.Named(func(n int, ps, ts jax.Args) (arr, arr) {
		return pw(ps[0], n), ts[0].(arr).Mul(n)
	}, "pw_jvp"), jax.NondiffArgnums(1))
	h = jax.CustomVJP(jax.Named(func(x, y arr) arr { return jnp.Sin(x).Mul(y) }, "h", "x", "y"),
		jax.Named(func(x, y arr) (arr, jax.Tuple) { return h(x, y), jax.Tuple{jnp.Cos(x), jnp.Sin(x), y} }, "h_fwd", "x", "y"),
		jax.Named(func(res jax.Tuple, g arr) (arr, arr) {
			c, s, y := res[0].(arr), res[1].(arr), res[2].(arr)
			return c.Mul(g).Mul(y), s.Mul(g)
		}, "h_bwd", "res", "g"))
	type fun = func(any) arr
	clip = jax.CustomVJP(jax.Named(func(g fun, x arr) arr { return g(x) }, "clip", "g", "x"),
		jax.Named(func(g fun, x arr) (arr, arr) { return clip(g, x), x }, "clip_fwd", "g", "x"),
		jax.Named(func(g fun, x, ct arr) jax.Tuple { return jax.Tuple{ct.Mul(g(x))} }, "clip_bwd", "g", "x", "ct"), jax.NondiffArgnums(0))
	b := block()
	return map[string]oracleProgram{
		"cjvp":           {f, args{1.}},
		"cjvp-grad":      {jax.Grad(f), args{1.}},
		"cjvp-vmap-grad": {jax.Vmap(jax.Grad(f)), args{x3}},
		"cjvp-jit-grad":  {jax.Jit(jax.Grad(lambda(func(x arr) arr { return f(x).Mul(x) }, "x"))), args{1.}},
		"cjvp-jvp-jit": {func(x arr) jax.Tuple {
			o, t := jax.Jvp(jax.Jit(lambda(func(y arr) arr { return f(y).Add(y) }, "y")), jax.Args{x}, jax.Args{1.})
			return pairOut(o, t)
		}, args{1.}},
		"cjvp-nondiff":      {func(x arr) arr { return app(fun(func(x any) arr { return jnp.Sin(x) }), x) }, args{1.}},
		"cjvp-nondiff-grad": {jax.Grad(func(x arr) arr { return app(fun(func(x any) arr { return jnp.Sin(x) }), x).Mul(x) }), args{1.}},
		"cjvp-nondiff-1":    {jax.Grad(func(x arr) arr { return pw(x, 3) }), args{1.}},
		"cvjp":              {h, args{1., 2.}},
		"cvjp-grad":         {jax.Grad(h, jax.Argnums(0, 1)), args{1., 2.}},
		"cvjp-vmap":         {jax.Vmap(h, jax.InAxes(0, nil)), args{x3, 2.}},
		"cvjp-jit-grad":     {jax.Jit(jax.Grad(lambda(func(x, y arr) arr { return h(x, y).Mul(x) }, "x", "y"))), args{1., 2.}},
		"cvjp-grad-jit":     {jax.Grad(jax.Jit(lambda(func(x, y arr) arr { return h(x, y).Mul(x) }, "x", "y"))), args{1., 2.}},
		"cvjp-nondiff":      {func(x arr) arr { return clip(fun(func(x any) arr { return jnp.Cos(x) }), x) }, args{1.}},
		"cvjp-nondiff-grad": {jax.Grad(func(x arr) arr { return clip(fun(func(x any) arr { return jnp.Cos(x) }), x).Mul(x) }), args{1.}},
		"m-cjvp":            {jax.Grad(func(x arr) arr { return b(f(x)) }), args{1.}},
		"m-of-cjvp":         {jax.Grad(func(x arr) arr { return b(x).Mul(f(x)) }), args{1.}},
		"m-cvjp":            {jax.Grad(func(x, y arr) arr { return b(h(x, y)) }), args{1., 2.}},
	}
}

func ctxed(v arr) (out arr) {
	metadata.With(metadata.Attrs{"k": "v"}).Do(func() { out = jnp.Sin(v).Mul(v) })
	return out
}

func vtag(v arr) arr { return metadata.Set(jnp.Sin(v), metadata.Attrs{"w": "1"}).Mul(v) }

// scanOf is a scan whose body adds the element to f of the carry; first keeps
// the last carry alone.
func scanOf(f func(arr) arr, first bool) func(c, xs arr) any {
	return func(c, xs arr) any {
		carry, ys := lax.Scan(lambda(func(c, a arr) (arr, arr) { return f(c).Add(a), c }, "c", "a"), c, xs)
		if first {
			return carry
		}
		return pairOut(carry, ys)
	}
}

func condOf(f any) func(q, c arr) arr {
	return func(q, c arr) arr { return lax.Cond(q, f, lambda(func(v arr) arr { return v.Mul(2.) }, "v"), c) }
}

func whileOf(f func(arr) arr) func(c arr) arr {
	return func(c arr) arr {
		return lax.WhileLoop(lambda(func(v arr) arr { return v.Lt(3.) }, "v"), lambda(func(v arr) arr { return f(v).Add(1.) }, "v"), c)
	}
}

func taggedPrograms() map[string]oracleProgram {
	x3 := jnp.Arange(3.)
	b := block()
	bf := func(x arr) arr { return b(x) }
	sin := func(x arr) arr { return jnp.Sin(x) }
	inCtx := func(f func(c, xs arr) any) func(c, xs arr) any {
		return func(c, xs arr) (out any) {
			metadata.With(metadata.Attrs{"o": "1"}).Do(func() { out = f(c, xs) })
			return out
		}
	}
	fori := func(c arr) arr {
		return lax.ForiLoop(0, 3, lambda(func(_, v arr) arr { return b(v) }, "i", "v"), c)
	}
	bscan := func(first bool) func(c, xs arr) any {
		return func(c, xs arr) any {
			carry, ys := lax.Scan(jax.Named(func(c, a arr) (arr, arr) { return b(c).Add(a), c }, "body", "c", "a"), c, xs)
			if first {
				return carry
			}
			return pairOut(carry, ys)
		}
	}
	return map[string]oracleProgram{
		"m-scan":      {bscan(false), args{1., x3}},
		"m-scan-grad": {jax.Grad(bscan(true)), args{1., x3}},
		"m-while":     {whileOf(bf), args{1.}},
		"m-fori":      {fori, args{1.}},
		"m-fori-grad": {jax.Grad(fori), args{1.}},
		"m-cond":      {condOf(b), args{true, 1.}},
		"m-cond-grad": {jax.Grad(condOf(b), jax.Argnums(1)), args{true, 1.}},
		"m-switch": {func(i, c arr) arr {
			return lax.Switch(i, []any{b, lambda(func(v arr) arr { return v.Mul(2.) }, "v"), jnp.Cos}, c)
		}, args{1, 1.}},
		"m-map":                {func(xs arr) arr { return lax.Map(b, xs) }, args{x3}},
		"ctx-scan":             {scanOf(ctxed, false), args{1., x3}},
		"ctx-scan-grad":        {jax.Grad(scanOf(ctxed, true)), args{1., x3}},
		"ctx-cond-grad":        {jax.Grad(condOf(jax.Named(ctxed, "ctxed", "v")), jax.Argnums(1)), args{true, 1.}},
		"ctx-around-scan":      {inCtx(scanOf(sin, false)), args{1., x3}},
		"ctx-around-scan-grad": {jax.Grad(inCtx(scanOf(sin, true))), args{1., x3}},
		"ctx-around-while": {func(c arr) (out arr) {
			metadata.With(metadata.Attrs{"o": "1"}).Do(func() { out = whileOf(sin)(c) })
			return out
		}, args{1.}},
		"val-scan":      {scanOf(vtag, false), args{1., x3}},
		"val-scan-grad": {jax.Grad(scanOf(vtag, true)), args{1., x3}},
		"val-cond":      {condOf(jax.Named(vtag, "vtag", "v")), args{true, 1.}},
		"val-while":     {whileOf(vtag), args{1.}},
		"m-jvp": {func(x arr) jax.Tuple {
			o, t := jax.Jvp(b, jax.Args{x}, jax.Args{1.})
			return pairOut(o, t)
		}, args{1.}},
		"m-vmap-grad": {jax.Vmap(jax.Grad(b)), args{x3}},
		"m-hessian":   {jax.Hessian(func(x arr) arr { return jnp.Sum(b(x)) }), args{x3}},
		"m-linearize": {func(x, t arr) arr {
			_, f := jax.Linearize(b, x)
			return f(t)
		}, args{1., 2.}},
		"m-jit-jit": {jax.Jit(lambda(func(x arr) arr {
			return jax.Jit(lambda(func(y arr) arr { return b(y) }, "y"))(x).Add(b(x))
		}, "x")), args{1.}},
		"ctx-grad":      {jax.Grad(jax.Named(ctxed, "ctxed", "v")), args{1.}},
		"ctx-vmap":      {jax.Vmap(jax.Named(ctxed, "ctxed", "v")), args{x3}},
		"ctx-jit-inner": {func(x arr) arr { return jax.Jit(jax.Named(ctxed, "ctxed", "v"))(x).Add(1.) }, args{1.}},
		"m-two-outs":    {jax.Grad(func(x, y arr) arr { return b(x).Mul(b(y)) }), args{1., 2.}},
	}
}

// TestLikeJAX compares jaxpr, HLO and StableHLO of small programs with JAX's,
// byte for byte: derivatives, rules of the user's own, and metadata inside
// control flow and under transformations.
func TestLikeJAX(t *testing.T) {
	want := readOracle(t)
	seen := 0
	for _, set := range []func() map[string]oracleProgram{derivatives, customRules, taggedPrograms} {
		for id, p := range set() {
			seen++
			t.Run(id, func(t *testing.T) { compareWithJAX(t, p, want[id]) })
		}
	}
	if seen != len(want) {
		t.Errorf("%d programs, JAX ran %d", seen, len(want))
	}
}

func compareWithJAX(t *testing.T, p oracleProgram, want oracleText) {
	t.Helper()
	if want.Jaxpr == "" {
		t.Fatalf("JAX has no text: %s", want.Error)
	}
	var j *jax.Jaxpr
	var l *jax.Lowered
	if err := jax.Catch(func() {
		j = jax.MakeJaxpr(p.f)(p.args...)
		f := jax.FuncOf(p.f)
		l = jax.Jit(jax.Named(func(a ...any) jax.Array { return f(a...) }, "<lambda>", "a")).Lower(p.args...)
	}); err != nil {
		t.Fatal(err)
	}
	if err := core.Check(j); err != nil {
		t.Error(err)
	}
	for _, c := range []struct{ what, got, want string }{
		{"jaxpr", j.String(), want.Jaxpr}, {"HLO", l.AsText("hlo"), want.HLO}, {"StableHLO", l.AsText(), want.StableHLO},
	} {
		if c.got != c.want {
			t.Errorf("%s:\n%s", c.what, golden.Diff(c.want, c.got))
			return
		}
	}
}
