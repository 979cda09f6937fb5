package goldencases

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"gopherlo/internal/golden"
	jax "gopherlo/jaxlike"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
	"gopherlo/jaxlike/jnp"
	"gopherlo/jaxlike/kw"
	"gopherlo/jaxlike/lax"
	"gopherlo/jaxlike/nn"
	"gopherlo/jaxlike/tree"
	"gopherlo/xla/plugin"
)

// goldenProgram is a whole program with its inputs, outputs and texts
// (golden/programs/README.md).
type goldenProgram struct {
	Name, Jaxpr, HLO string
	Args             []any
	Out              any
}

type params = map[string]any

// wholePrograms are the programs' main functions in Go, by number.
var wholePrograms = map[string]any{
	"00": jax.Named(func(w params, x, y A) (params, A) {
		predict := func(w params, x A) A {
			return jnp.Tanh(x.MatMul(w["w1"]).Add(w["b1"])).MatMul(w["w2"]).Add(w["b2"])
		}
		loss := func(w params, x, y A) A { return jnp.Mean(predict(w, x).Sub(y).Pow(2)) }
		var last params
		c, l := lax.Scan(func(w params, _ any) (params, A) {
			var l A
			var g params
			jax.ValueAndGrad(loss)(w, x, y).Into(&l, &g)
			return treeMap2(w, g, func(p, d A) A { return p.Sub(jnp.Multiply(0.1, d)) }), l
		}, w, nil, kw.Length(10))
		c.Into(&last)
		return last, l
	}, "main", "w", "x", "y"),
	"01": jax.Named(func(w, b, x, y A) (A, A, A) {
		loss := func(w, b, x, y A) A {
			preds := nn.Sigmoid(x.MatMul(w).Add(b))
			probs := preds.Mul(y).Add(jnp.Subtract(1, preds).Mul(jnp.Subtract(1, y)))
			return jnp.Sum(jnp.Log(probs)).Neg()
		}
		wb := lax.ForiLoop(0, 20, func(i A, wb jax.Tuple) jax.Tuple {
			g := jax.Grad(loss, jax.Argnums(0, 1))(wb[0], wb[1], x, y)
			return jax.Tuple{wb[0].(A).Sub(jnp.Multiply(0.1, g.Out(0))), wb[1].(A).Sub(jnp.Multiply(0.1, g.Out(1)))}
		}, jax.Tuple{w, b})
		return wb.Out(0), wb.Out(1), loss(wb.Out(0), wb.Out(1), x, y)
	}, "main", "w", "b", "x", "y"),
	"02": jax.Named(func(p params, xs A) A {
		loss := func(p params, xs A) A {
			hs := ys(func(h, x A) (A, A) {
				h = jnp.Tanh(h.MatMul(p["wh"]).Add(x.MatMul(p["wx"])).Add(p["b"]))
				return h, h
			}, jnp.Zeros(4), xs)
			return jnp.Mean(hs.Pow(2))
		}
		return jax.ValueAndGrad(loss)(p, xs)
	}, "main", "p", "xs"),
	"03": jax.Named(func(x0 A) A {
		f := func(x A) A { return x.Pow(3).Sub(jnp.Multiply(2.0, x)).Sub(5.0) }
		return lax.WhileLoop(func(s jax.Tuple) A {
			x, i := s[0].(A), s[1].(A)
			return jnp.Abs(f(x)).Gt(1e-5).And(i.Lt(50))
		}, func(s jax.Tuple) jax.Tuple {
			x, i := s[0].(A), s[1].(A)
			return jax.Tuple{x.Sub(f(x).Div(jax.Grad(f)(x))), i.Add(1)}
		}, jax.Tuple{x0, 0})
	}, "main", "x0"),
	"04": jax.Named(func(x A) (A, A, A) {
		f := log1pexp()
		return jax.Vmap(f)(x), jax.Vmap(jax.Grad(f))(x), jax.Vmap(jax.Grad(jax.Grad(f)))(x)
	}, "main", "x"),
	"05": jax.Named(func(t A) (A, A) {
		clip := clipGradient()
		f := func(x A) A { return jnp.Sin(clip(-0.75, 0.75, x)).Mul(2.0) }
		return jax.Vmap(f)(t), jax.Vmap(jax.Grad(f))(t)
	}, "main", "t"),
	"10": jax.Named(func(y0, p A) (A, A) {
		field := func(y, p A) A {
			u := jnp.Unstack(p)
			a, b, c, d := u[0], u[1], u[2], u[3]
			return jnp.Stack([]A{a.Mul(y.Index(0)).Sub(b.Mul(y.Index(0)).Mul(y.Index(1))), c.Neg().Mul(y.Index(1)).Add(d.Mul(y.Index(0)).Mul(y.Index(1)))})
		}
		solve := func(y0, p A) (A, A) {
			const h = 0.05
			return lax.Scan(func(y A, _ any) (A, A) {
				k1 := field(y, p)
				k2 := field(y.Add(jnp.Multiply(h/2, k1)), p)
				k3 := field(y.Add(jnp.Multiply(h/2, k2)), p)
				k4 := field(y.Add(jnp.Multiply(h, k3)), p)
				y = y.Add(jnp.Multiply(h/6, k1.Add(jnp.Multiply(2, k2)).Add(jnp.Multiply(2, k3)).Add(k4)))
				return y, y
			}, y0, nil, kw.Length(20))
		}
		return stackedYs(solve(y0, p)), jax.Jacfwd(func(q A) A { return lastCarry(solve(y0, q)) })(p)
	}, "main", "y0", "p"),
	"11": jax.Named(func(a A) A {
		n := a.Shape()[1]
		all := jnp.Slice(nil)
		outer := func(i A, s jax.Tuple) A {
			q, r := s[0].(A), s[1].(A)
			rii := jnp.Sqrt(jnp.Sum(q.Index(all, i).Pow(2)))
			r = r.At(i, i).Set(rii)
			q = q.At(all, i).Divide(rii)
			inner := func(j A, s jax.Tuple) jax.Tuple {
				q, r := s[0].(A), s[1].(A)
				rij := q.Index(all, i).MatMul(q.Index(all, j))
				return jax.Tuple{q.At(all, j).Add(rij.Neg().Mul(q.Index(all, i))), r.At(i, j).Set(rij)}
			}
			return lax.ForiLoop(i.Add(1), n, inner, jax.Tuple{q, r})
		}
		return lax.ForiLoop(0, n, outer, jax.Tuple{a, jnp.Zeros([]int{n, n})})
	}, "main", "a"),
	"13": jax.Named(func(re, im A) A {
		c := re.Index(jnp.NewAxis, jnp.Slice(nil)).Add(jnp.Multiply(1i, im.Index(jnp.Slice(nil), jnp.NewAxis)))
		body := func(_ A, s jax.Tuple) jax.Tuple {
			z, n := s[0].(A), s[1].(A)
			z = jnp.Where(jnp.Abs(z).Le(2.0), z.Mul(z).Add(c), z)
			return jax.Tuple{z, n.Add(jnp.Abs(z).Le(2.0))}
		}
		return lax.ForiLoop(0, 30, body, jax.Tuple{jnp.ZerosLike(c), jnp.Zeros(c.Shape(), kw.DType(dtype.Int32))}).Out(1)
	}, "main", "re", "im"),
	"14": jax.Named(func(g A) (A, A) {
		return lax.Scan(func(g A, _ any) (A, A) {
			n := jnp.Add(0, jnp.Roll(g, []int{-1, -1}, kw.Axis(0, 1)))
			for _, ij := range [][]int{{-1, 0}, {-1, 1}, {0, -1}, {0, 1}, {1, -1}, {1, 0}, {1, 1}} {
				n = n.Add(jnp.Roll(g, ij, kw.Axis(0, 1)))
			}
			g = jnp.Where(n.Eq(3).Or(g.Eq(1).And(n.Eq(2))), 1, 0)
			return g, jnp.Sum(g)
		}, g, nil, kw.Length(6))
	}, "main", "g"),
	"15": jax.Named(func(x A) (A, A) {
		f := func(x A) A {
			return jnp.Subtract(1, x.Index(0)).Pow(2).Add(jnp.Multiply(100, x.Index(1).Sub(x.Index(0).Pow(2)).Pow(2)))
		}
		c, fs := lax.Scan(func(s jax.Tuple, t A) (jax.Tuple, A) {
			x, m, v := s[0].(A), s[1].(A), s[2].(A)
			g := jax.Grad(f)(x)
			m = jnp.Multiply(0.9, m).Add(jnp.Multiply(0.1, g))
			v = jnp.Multiply(0.999, v).Add(jnp.Multiply(0.001, g.Pow(2)))
			mh := m.Div(jnp.Subtract(1, jnp.Power(0.9, t)))
			vh := v.Div(jnp.Subtract(1, jnp.Power(0.999, t)))
			return jax.Tuple{x.Sub(jnp.Multiply(0.05, mh).Div(jnp.Sqrt(vh).Add(1e-8))), m, v}, f(x)
		}, jax.Tuple{x, jnp.Zeros(2), jnp.Zeros(2)}, jnp.Arange(1, 51, dtF32))
		return c.Out(0), fs.Index(jnp.Slice(nil, nil, 10))
	}, "main", "x"),
	"30": jax.Named(func(a, b A) (A, A) {
		y1 := lax.AssociativeScan(func(l, r jax.Tuple) jax.Tuple {
			l0, l1, r0, r1 := l[0].(A), l[1].(A), r[0].(A), r[1].(A)
			return jax.Tuple{l0.Mul(r0), r0.Mul(l1).Add(r1)}
		}, jax.Tuple{a, b}).Out(1)
		y2 := ys(func(c A, ab jax.Tuple) (A, A) {
			v := ab[0].(A).Mul(c).Add(ab[1])
			return v, v
		}, f32(0), jax.Tuple{a, b})
		return y1, y2
	}, "main", "a", "b"),
	"34": jax.Named(func(w, x A) A {
		block := jax.Checkpoint(jax.Named(func(w, x A) A { return jnp.Sin(w.MatMul(x)).Add(jnp.Cos(x)) }, "block", "w", "x"))
		f := func(w, x A) A {
			for range 3 {
				x = block(w, x)
			}
			return jnp.Sum(x.Pow(2))
		}
		return jax.ValueAndGrad(f, jax.Argnums(0, 1))(w, x)
	}, "main", "w", "x"),
	"36": jax.Named(func(a, b A) (A, A) {
		m := b.Shape()[0]
		row := func(prev, ac A) (A, A) {
			cell := func(left A, bpd jax.Tuple) (A, A) {
				bc, up, diag := bpd[0].(A), bpd[1].(A), bpd[2].(A)
				v := jnp.Minimum(jnp.Minimum(left.Add(1), up.Add(1)), diag.Add(jnp.Where(ac.Eq(bc), 0, 1)))
				return v, v
			}
			first := prev.Index(0).Add(1)
			rest := ys(cell, first, jax.Tuple{b, prev.Index(jnp.Slice(1, nil)), prev.Index(jnp.Slice(nil, -1))})
			r := jnp.Concatenate([]A{first.Index(jnp.NewAxis), rest})
			return r, r.Index(-1)
		}
		last := carry(row, jnp.Arange(m+1), a)
		return last.Index(-1), last
	}, "main", "a", "b"),
	"37": jax.Named(func(src, dst A) (A, A) {
		const n = 5
		deg := jnp.Zeros(n).At(src).Add(1.0)
		r := lax.ForiLoop(0, 20, func(_, r A) A {
			c := r.Index(src).Div(deg.Index(src))
			return jnp.Add(0.15/n, jnp.Multiply(0.85, jnp.Zeros(n).At(dst).Add(c)))
		}, jnp.Full(n, 1.0/n))
		return r, jnp.ArgSort(r.Neg())
	}, "main", "src", "dst"),
}

func log1pexp() jax.Func {
	var f jax.Func
	f = jax.CustomJVP(jax.Named(func(x A) A { return jnp.Log(jnp.Add(1.0, jnp.Exp(x))) }, "log1pexp", "x"),
		jax.Named(func(p, t []A) (A, A) {
			x := p[0]
			return f(x), jnp.Subtract(1.0, jnp.Divide(1.0, jnp.Add(1.0, jnp.Exp(x)))).Mul(t[0])
		}, "_", "primals", "tangents"))
	return f
}

func clipGradient() jax.Func {
	return jax.CustomVJP(jax.Named(func(lo, hi, x A) A { return x }, "clip_gradient", "lo", "hi", "x"),
		jax.Named(func(lo, hi, x A) (A, jax.Tuple) { return x, jax.Tuple{lo, hi} }, "fwd", "lo", "hi", "x"),
		jax.Named(func(res jax.Tuple, g A) jax.Tuple {
			return jax.Tuple{nil, nil, jnp.Clip(g, kw.Min(res[0]), kw.Max(res[1]))}
		}, "bwd", "res", "g"))
}

// treeMap2 joins two trees of arrays.
func treeMap2(a, b params, f func(x, y A) A) params {
	return tree.Map(f, a, b)
}

// TestPrograms runs whole programs: jaxpr, HLO and results.
func TestPrograms(t *testing.T) {
	if _, err := plugin.Find("cpu"); err != nil {
		t.Skip("no CPU plugin: run `gopherlo plugin install cpu`")
	}
	file, err := os.Open("testdata/programs.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	z, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	passed, total := 0, 0
	var missing []string
	s := bufio.NewScanner(z)
	s.Buffer(nil, 1<<24)
	for s.Scan() {
		var g goldenProgram
		d := json.NewDecoder(strings.NewReader(s.Text()))
		d.UseNumber()
		if err := d.Decode(&g); err != nil {
			t.Fatal(err)
		}
		total++
		main := wholePrograms[g.Name[:2]]
		if main == nil {
			missing = append(missing, g.Name)
			continue
		}
		if t.Run(g.Name, func(t *testing.T) { g.check(t, main) }) {
			passed++
		}
	}
	t.Logf("no Go program: %s", strings.Join(missing, " "))
	fmt.Fprintf(os.Stdout, "programs: %d of %d pass, %d have no Go program\n", passed, total, len(missing))
}

func (g *goldenProgram) check(t *testing.T, main any) {
	dec := &decodeOp{leaves: opLeaves(any(g.Args))}
	in := dec.value(any(g.Args)).([]any)
	if err := raised(func() {
		j := jax.MakeJaxpr(main)(in...)
		if got := j.String(); strings.TrimRight(got, "\n") != strings.TrimRight(g.Jaxpr, "\n") {
			t.Errorf("jaxpr:\n%s", golden.Diff(g.Jaxpr, got))
		}
		if err := core.Check(j); err != nil {
			t.Error(err)
		}
		if got := jax.Jit(main).Lower(in...).AsText("hlo"); strings.TrimRight(got, "\n") != strings.TrimRight(g.HLO, "\n") {
			t.Errorf("HLO:\n%s", golden.Diff(g.HLO, got))
		}
		nearLeaves(t, leavesOf(jax.Jit(main)(in...)), opLeaves(g.Out))
	}); err != nil {
		t.Errorf("%s: %s", err.Name, err.Message)
	}
}

// nearLeaves compares floats to 1e-5 of the largest.
func nearLeaves(t *testing.T, got, want []A) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%d results, want %d", len(got), len(want))
		return
	}
	for i, w := range want {
		g := got[i]
		if !g.Aval().Equal(w.Aval()) {
			t.Errorf("result %d has type %s, want %s", i, g.Aval().LongWeak(), w.Aval().LongWeak())
			continue
		}
		if !w.DType().IsFloat() {
			if !slices.Equal(g.Bytes(), w.Bytes()) {
				t.Errorf("result %d is %s, want %s", i, g, w)
			}
			continue
		}
		top := 0.
		for _, x := range w.Floats() {
			top = max(top, math.Abs(x))
		}
		for k, x := range w.Floats() {
			if d := math.Abs(g.Floats()[k] - x); d > 1e-5*(top+math.Abs(x)) {
				t.Errorf("result %d, element %d is %v, want %v", i, k, g.Floats()[k], x)
			}
		}
	}
}
