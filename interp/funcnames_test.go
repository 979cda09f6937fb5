package interp

import (
	"context"
	"strings"
	"testing"
	"time"

	"gopherlo/kernel/language"
)

// TestFunctionNames lets functions go through variables, fields, other
// functions and interfaces before they are traced: programs name them and their
// parameters as the source does where they were written, as in JAX.
func TestFunctionNames(t *testing.T) {
	in := New(Options{})
	defer in.rt.Close()
	const setup = `
func sq(x Array) Array { return x * x }
func make1() func(Array) Array { return func(zed Array) Array { return zed + 1 } }
func make2() func(Array) Array { inner := func(zed Array) Array { return zed + 1 }; return inner }
func name(f Func) string {
	lines := strings.Split(f.Lower(1.).AsText("hlo"), "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, "ENTRY") {
			return strings.Split(strings.Fields(lines[0])[1], ",")[0] + " " + strings.Split(strings.TrimPrefix(strings.TrimSpace(lines[i+1]), "ROOT "), " ")[0]
		}
	}
	return ""
}
func anything(f any) string { return name(jit(f)) }
func function(f func(Array) Array) string { return name(jit(f)) }
type holder struct { F func(Array) Array; G any }
func (h holder) method(m Array) Array { return m + 2 }
lit := func(q Array) Array { return q + 1 }
h := holder{sq, lit}
list := []func(Array) Array{lit, sq}
other := sq`
	for i, c := range []struct{ src, want string }{
		{setup, ""},
		{"m := jit(func(v Array) Array { return v + 1 })\nname(m)", "jit_m v.1"},
		{"m := jit(grad(func(v Array) Array { return v * v }))\nname(m)", "jit_m v.1"},
		{"var m = xla_metadata_call(attrs{})(func(v Array) Array { return v * v })\nname(jit(m))", "jit_m v.1"},
		{"t := name(jit(func(v Array) Array { return v + 1 }))\nt", "jit__lambda v.1"},
		{"c := custom_jvp(func(v Array) Array { return v + 1 }, func(p, t []Array) (Array, Array) { return p[0], t[0] })\nstrings.Contains(make_jaxpr(c)(1.).String(), `jvp=<lambda>`)", "true"},
		{"anything(sq)", "jit_sq x.1"},
		{"function(sq)", "jit_sq x.1"},
		{"anything(make1())", "jit__lambda zed.1"},
		{"func tree1(f func(map[string]any) Array) string { return strings.Fields(jit(f).Lower(map[string]any{`a`: 1.}).AsText(`hlo`))[1] + fmt.Sprint(strings.Contains(jit(f).Lower(map[string]any{`a`: 1.}).AsText(`hlo`), `d__a__.1`)) }\ntree1(func(d map[string]any) Array { return d[`a`].(Array) * 2 })", "jit__lambda,true"},
		{"function(make2())", "jit_inner zed.1"},
		{"name(jit(make2()))", "jit_inner zed.1"},
		{"function(func(q Array) Array { return q + 1 })", "jit__lambda q.1"},
		{"function(lit)", "jit_lit q.1"},
		{"name(jit(list[1]))", "jit_sq x.1"},
		{"for _, f := range list { fmt.Print(name(jit(f)), `;`) }", "jit_lit q.1;jit_sq x.1;"},
		{"name(jit(h.F)) + name(jit(h.G))", "jit_sq x.1jit_lit q.1"},
		{"name(jit(h.method)) + function(h.method)", "jit_method m.1jit_method m.1"},
		{"name(jit(other))", "jit_sq x.1"},
		{"func twice[T int | float64](x Array, n T) Array { return x * n }\nname(jit(func(x Array) Array { return twice(x, 2) })) + strings.Fields(jit(twice[int]).Lower(1., 2).AsText(`hlo`))[1]", "jit__lambda x.1jit_twice,"},
		{"anything(grad(sq))", "jit_sq x.1"},
		{"anything(jnp.Sin)", "jit_sin x.1"},
		{"func sq(y Array) Array { return y * 2 }\nfunction(sq)", "jit_sq y.1"},
		{"k := jit(sq)\nk(1.)\nj := jit(list[1])\nj(1.)\nj.Cache().Traces", "0"}, // the same function,
	} {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		host := &recorder{}
		res := in.Execute(ctx, language.Request{Code: c.src, Count: i + 1}, host)
		cancel()
		if res.Error != nil {
			t.Errorf("%s\n%s", c.src, strings.Join(res.Error.Traceback, "\n"))
			continue
		}
		got, _ := res.Value["text/plain"].(string)
		if got == "" {
			got = host.stdout.String()
		}
		if got != c.want {
			t.Errorf("%s\ngot %q, want %q", c.src, got, c.want)
		}
	}
}
