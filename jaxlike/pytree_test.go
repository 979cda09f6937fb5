package jaxlike_test

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	jax "gopherlo/jaxlike"
	"gopherlo/jaxlike/jnp"
	"gopherlo/jaxlike/tree"
)

type layer struct {
	W, b jax.Array
	name string
}

type model struct {
	Layers []*layer
	Scale  map[string]jax.Array
	Steps  [2]jax.Array
	rate   float64
	Extra  any
}

func newModel() model {
	z := jnp.Zeros(2)
	return model{
		Layers: []*layer{{W: z, b: z, name: "one"}, {W: z, b: z, name: "two"}},
		Scale:  map[string]jax.Array{"b": jnp.Ones(2), "a": z},
		Steps:  [2]jax.Array{z, z}, rate: .5, Extra: map[string]any{"k": []any{1., nil}},
	}
}

var resultInfo = regexp.MustCompile(`jax.result_info = "([^"]*)"`)

func resultPaths(text string) string {
	var out []string
	for _, m := range resultInfo.FindAllStringSubmatch(text, -1) {
		out = append(out, m[1])
	}
	return strings.Join(out, " ")
}

// point is a type of another package's kind: a registered node.
type point struct{ xy [2]any }

func init() {
	err := tree.Register(point{}, tree.Node{
		Name:      "point",
		Flatten:   func(v any) ([]any, any) { p := v.(point); return p.xy[:], "meta" },
		Unflatten: func(_ any, xs []any) any { return point{[2]any{xs[0], xs[1]}} },
	})
	if err != nil {
		panic(err)
	}
}

func TestTrees(t *testing.T) {
	f := jax.Jit(jax.Named(func(m model, x jax.Array) (model, map[string]any) {
		for _, l := range m.Layers {
			l.W = l.W.Add(x).Mul(m.rate)
		}
		m.Steps[1] = m.Steps[1].Add(1.)
		return m, map[string]any{"a": []any{x, jax.Tuple{x}}, "p": point{[2]any{x, x}}}
	}, "f", "m", "x"))
	m := newModel()
	got := resultPaths(f.Lower(m, 1.).AsText())
	want := "result[0].Layers[0].W result[0].Layers[0].b result[0].Layers[1].W result[0].Layers[1].b result[0].Scale['a'] result[0].Scale['b'] " +
		"result[0].Steps[0] result[0].Steps[1] result[0].Extra['k'][0] result[1]['a'][0] result[1]['a'][1][0] " +
		"result[1]['p'][0] result[1]['p'][1]"
	if got != want {
		t.Errorf("result paths\n got %s\nwant %s", got, want)
	}
	var out model
	var aux map[string]any
	f(m, 1.).Into(&out, &aux)
	if w := out.Layers[1].W.Floats()[0]; w != .5 || out.rate != .5 || out.Layers[1].name != "two" || out.Scale["b"].Floats()[1] != 1 || out.Steps[1].Floats()[0] != 1 {
		t.Errorf("Into gave %v %v", w, out)
	}
	if m.Layers[1].W.Floats()[0] != 0 {
		t.Error("tracing changed the caller's value behind its pointer")
	}
	if p, ok := aux["p"].(point); !ok {
		t.Errorf("registered node came back as %T", aux["p"])
	} else if leaf(p.xy[0]).Float() != 1 {
		t.Error(p)
	}

	typed := jax.As[func(model, float64) (model, map[string]any)](f)
	out, aux = typed(m, 2.)
	if w := out.Layers[0].W.Floats()[0]; w != 1 {
		t.Errorf("As gave %v", w)
	}
	if got := leaf(f(m, 3.).Out(1).Out(0).Out(0)).Float(); got != 3 {
		t.Errorf("Out gave %v", got)
	}
}

func TestIntoKinds(t *testing.T) {
	f := jax.Jit(func(x jax.Array) (jax.Array, jax.Array, jax.Array) {
		return jnp.Sum(x), x.Mul(2.), jnp.Reshape(x, []int{2, 2})
	})
	var a float64
	var b []float32
	var c [][]float64
	f([]float64{1, 2, 3, 4}).Into(&a, &b, &c)
	if a != 10 || b[3] != 8 || c[1][0] != 3 {
		t.Error(a, b, c)
	}
	var n int
	var x jax.Array
	err := jax.Catch(func() { f([]float64{1, 2, 3, 4}).Into(&n, &x) })
	if err == nil || !strings.Contains(err.Error(), "the call gave 3 results, not 2") {
		t.Error(err)
	}
	err = jax.Catch(func() { f([]float64{1, 2, 3, 4}).Into(&n, &x, &n) })
	if err == nil || !strings.Contains(err.Error(), "result 2") {
		t.Error(err)
	}
}

// A struct with a plain field among several results stands for itself.
func TestOutWithStaticFields(t *testing.T) {
	type named struct {
		W    jax.Array
		Name string
		N    int
	}
	f := func(p named, x jax.Array) jax.Array { return p.W.Mul(x) }
	var v, g jax.Array
	jax.ValueAndGrad(f, jax.Argnums(0, 1))(named{jnp.AsArray(2.), "n", 3}, 5.).Into(&v, &g)
	var p named
	var x float64
	g.Into(&p, &x)
	if v.Float() != 10 || p.W.Float() != 5 || p.Name != "n" || p.N != 3 || x != 2 {
		t.Error(v, p, x)
	}
}

func TestJvpLists(t *testing.T) {
	two := func(a, b jax.Array) jax.Array { return a.Mul(b) }
	one := func(xs []jax.Array) jax.Array { return xs[0].Mul(xs[1]) }
	xs, ts := []jax.Array{jnp.AsArray(2.), jnp.AsArray(3.)}, []jax.Array{jnp.AsArray(1.), jnp.AsArray(0.)}
	for _, f := range []any{two, one} {
		if y, d := jax.Jvp(f, xs, ts); y.Float() != 6 || d.Float() != 3 {
			t.Error(y, d)
		}
	}
}

func TestErrorResults(t *testing.T) {
	bad := errors.New("rate is negative")
	f := jax.Jit(func(x jax.Array, rate float64) (jax.Array, error) {
		if rate < 0 {
			return x, bad
		}
		return x.Mul(rate), nil
	})
	if y := f(2., 3.); y.Float() != 6 {
		t.Error(y)
	}
	if _, err := f.Try(2., -1.); !errors.Is(err, bad) {
		t.Errorf("got %v", err)
	}
	if s := f.Lower(2., 3.).OutTree().String(); s != "PyTreeDef(*)" {
		t.Error(s)
	}
	g := jax.As[func(jax.Array, float64) (float64, error)](f)
	if v, err := g(jnp.AsArray(2.), 4.); v != 8 || err != nil {
		t.Error(v, err)
	}
	if _, err := g(jnp.AsArray(2.), -4.); !errors.Is(err, bad) {
		t.Error(err)
	}
	if _, err := f.Lower(2., 3.).Compile().Try(jnp.Ones(2), 3.); err == nil || !strings.Contains(err.Error(), "float32[2]") {
		t.Error(err)
	}
	// Under a transformation the error is the caller's too.
	if _, err := jax.Grad(f).Try(2., -1.); !errors.Is(err, bad) {
		t.Error(err)
	}
}
