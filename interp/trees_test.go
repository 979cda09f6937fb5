package interp

import (
	"context"
	"strings"
	"testing"

	"gopherlo/kernel/language"
)

// treeSession is run cell by cell; traces need no plugin.
const treeSession = `type P struct{ W, B Array }
func loss(p P, x Array) Array { return p.W*x + p.B }
p := P{2.0, 1.0}
---
len(make_jaxpr(func(p P, x Array) Array { g := grad(loss)(p, x); return g.W })(p, 3.0).Out)
= 1
---
step := jit(func(p P, x Array) (P, Array) { return P{p.W + x, p.B}, x })
sgd := jit(func(p P) P { return P{p.W + 1, p.B} })
double := jit(func(xs []Array) []Array { return []Array{xs[1], xs[0]} })
table := jit(func(m map[string]Array) map[string]Array { return m })
tag := xla_metadata_call(attrs{"t": 1})
---
func uses(p P, x Array) []Array {
	q := sgd(p)
	q = sgd(q)
	r, y := step(q, x)
	r = sgd(r)
	swapped := double([]Array{x, y})
	total := swapped[0] + swapped[1]
	for _, v := range double([]Array{x, y}) {
		total += v
	}
	m := table(map[string]Array{"a": x})
	out, pull := vjp(loss, p, x)
	gp, gx := pull(out)
	o2, t2 := jvp(func(xs []Array) []Array { return xs }, []any{[]Array{x}}, []any{[]Array{y}})
	c, ys := lax.Scan(func(c P, n Array) (P, Array) { return P{c.W + n, c.B}, n }, p, []float32{1, 2})
	l, g := value_and_grad(loss)(p, x)
	gw, gx2 := grad(loss, argnums(0, 1))(p, x)
	return []Array{sgd(p).W, q.W, r.B, total, m["a"], table(m)["a"], gp.W, gx, o2[0], t2[0], c.W, ys.Sum(), l, g.B, gw.W, gx2,
		tag(sgd)(p).W, lax.WhileLoop(func(p P) Array { return p.W < 9 }, func(p P) P { return P{p.W * 2, p.B} }, p).W}
}
len(make_jaxpr(uses)(p, 3.0).Out)
= 18
---
make_jaxpr(func(xs []any) any { return []any{P{xs[0].(P).W, xs[1].(Array)}} })([]any{p, 1.0})
= { lambda ; a:f32[] b:f32[] c:f32[]. let  in (a, c) }
---
make_jaxpr(func(p P) P { return p })(p)
= { lambda ; a:f32[] b:f32[]. let  in (a, b) }
---
p;
---
compose := func(fs ...func(Array) Array) func(Array) Array {
	return func(x Array) Array { for _, f := range fs { x = f(x) }; return x }
}
var last func(Array) Array = jnp.Cos
make_jaxpr(compose(jnp.Sin, last))(1.0)
= { lambda ; a:f32[]. let b:f32[] = sin a; c:f32[] = cos b in (c,) }
---
fs := []Func{sgd}
make_jaxpr(func(p P) Array { return fs[0](p).W })(p)
! fs[0](p).W undefined (type Array has no field or method W)
! give the result its type: var v P = …
`

func TestTrees(t *testing.T) {
	in := New(Options{})
	for i, part := range strings.Split(treeSession, "\n---\n") {
		var code, want, bad []string
		for _, line := range strings.Split(strings.TrimSpace(part), "\n") {
			switch {
			case strings.HasPrefix(line, "= "):
				want = append(want, line[2:])
			case strings.HasPrefix(line, "! "):
				bad = append(bad, line[2:])
			default:
				code = append(code, line)
			}
		}
		res := in.Execute(context.Background(), language.Request{Code: strings.Join(code, "\n"), Count: i + 1}, &recorder{})
		if res.Error != nil {
			text := strings.Join(res.Error.Traceback, "\n")
			for _, b := range bad {
				if !strings.Contains(text, b) {
					t.Errorf("cell %d: no %q in\n%s", i+1, b, text)
				}
			}
			if len(bad) == 0 {
				t.Errorf("cell %d: %s", i+1, text)
			}
			continue
		}
		if len(bad) > 0 {
			t.Errorf("cell %d: no error", i+1)
		}
		if got, _ := res.Value["text/plain"].(string); got != strings.Join(want, "\n") {
			t.Errorf("cell %d: got %s", i+1, got)
		}
	}
}
