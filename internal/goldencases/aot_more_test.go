package goldencases

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	jax "gopherlo/jaxlike"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/jnp"
	"gopherlo/jaxlike/kw"
)

func info(tree func() any) func() any { return func() any { return core.PyRepr(tree()) } }

var _ = register(cases{
	"050": func() program {
		f := jax.Named(func(x, y A) A { return jnp.Dot(x, y) }, "f", "x", "y")
		args := []any{ones(2, 3), ones(1, 3)[0]}
		l := jax.Jit(f).Lower(args...)
		text := func(dialect ...string) func() any { return func() any { return l.AsText(dialect...) } }
		debug := func(dialect ...string) func() any {
			return func() any {
				jax.At("cell.py", "<module>", 14, 10, 14, 33)
				defer jax.EndAt()
				f := func(x, y A) A {
					jax.At("cell.py", "f", 11, 9, 11, 22)
					return jnp.Dot(x, y)
				}
				return jax.Jit(jax.Named(f, "f", "x", "y")).Lower(args...).AsTextDebug(dialect...)
			}
		}
		return program{f: f, args: args, probes: []probe{
			{"none_is_stablehlo", func() any { return l.AsText() == l.AsText("stablehlo") }},
			{"keyword", func() any { return l.AsText("hlo") == fmt.Sprint(l.CompilerIR("hlo")) }},
			{"mhlo", text("mhlo")},
			{"upper", text("HLO")},
			{"empty", text("")},
			{"debug", debug()},
			{"debug_hlo", debug("hlo")},
		}}
	},
	"053": func() program {
		f := jax.Named(func(x, y A) A { return jnp.Exp(x).Mul(y).Add(1.) }, "f", "x", "y")
		args := []any{ones(4, 3), ones(1, 3)[0]}
		l := jax.Jit(f).Lower(args...)
		return program{f: f, args: args, probes: []probe{
			{"lowered", func() any { return l.CostAnalysis() }},
			{"compiled", func() any { return l.Compile().CostAnalysis() }},
		}}
	},
	"058": func() program {
		f := jax.Named(func(x A, p jax.Tuple, k A) map[string]any {
			return map[string]any{"s": x.Add(k), "t": jax.Tuple{p[0], p[1].(A).Mul(2)}}
		}, "f", "x", "p", "k")
		t := jax.Jit(f).Trace(1.0, jax.Tuple{[]int32{0, 1, 2}, ones(2, 2)}, 2.0)
		l := t.Lower()
		c := l.Compile()
		return program{probes: []probe{
			{"out_info", info(l.OutInfo)},
			{"out_info_compiled", info(c.OutInfo)},
			{"out_tree", func() any { return l.OutTree().String() }},
			{"donate", func() any { return core.PyRepr(core.NewInts(l.DonateArgnums()...)) }},
			{"traced_info", info(t.OutInfo)},
		}}
	},
	"059": func() program {
		poly := jax.Named(func(x A) A { return jnp.Multiply(3., x.Pow(2)).Add(x) }, "poly", "x")
		t := jax.Jit(poly).Trace(2.0)
		class := func(v any) string {
			of := reflect.TypeOf(v)
			if of.Kind() == reflect.Pointer {
				of = of.Elem()
			}
			return of.Name()
		}
		return program{probes: []probe{
			{"name", func() any { return t.FunName() }},
			{"jaxpr", func() any { return t.Jaxpr().String() }},
			{"out_info", info(t.OutInfo)},
			{"lower", func() any { return t.Lower().AsText("hlo") }},
			{"type", func() any { return []string{class(t), class(t.Lower()), class(t.Lower().Compile())} }},
		}}
	},
	"062": func() program {
		f := jax.Named(func(x, y A) A { return jnp.Sum(x).Add(jnp.Sum(y)) }, "f", "x", "y")
		args := func() []any { return []any{jnp.Ones(3), jnp.Ones([]int{2, 2}, kw.DType(jnp.Int32))} }
		return program{f: f, args: args(), jit: []jax.Option{jax.DonateArgnums(0, 1)}}
	},
	"065": names,
})

// adder is a value that is called through its method.
type adder struct{ n float64 }

func (a adder) method(x A) A { return x.Add(a.n) }

func names() program {
	plusName := func(name string) jax.NamedFunc { return jax.Named(plusOne, name, "x") }
	plain := plusName("plain_name")
	lines := func(f any) string {
		l := jax.Jit(f).Lower(1.0)
		first := func(s string) string { line, _, _ := strings.Cut(s, "\n"); return line }
		return first(l.AsText("hlo")) + " | " + first(l.AsText())
	}
	show := func(f any) func() any { return func() any { return lines(f) } }
	local := func() any { return plusName("local") }
	return program{probes: []probe{
		{"plain", show(plain)},
		{"lambda", show(func(x A) A { return x.Add(1.) })},
		{"method", show(adder{1}.method)},
		{"local", show(local())},
		{"odd", show(plusName("my name-with.odd:chars"))},
		{"unicode", show(plusName("größe"))},
		{"jnp", show(jnp.Sin)},
		{"grad", show(jax.Grad(plain))},
		{"vmap", func() any {
			line, _, _ := strings.Cut(jax.Jit(jax.Vmap(plain)).Lower(jnp.Arange(2.)).AsText("hlo"), "\n")
			return line
		}},
		{"jit_of_jit", func() any { return jax.Jit(jax.Jit(plain)).Lower(1.0).AsText("hlo") }},
		{"value_and_grad", show(jax.ValueAndGrad(plain))},
		{"checkpoint", show(jax.Checkpoint(plain))},
		{"named_call", show(jax.NamedCall(plain, "given"))},
	}}
}

// TestInfos compares what staged programs tell of their arguments with what JAX
// 0.12.0.1 tells of the same Python program, which case 058 asks with keyword
// arguments only.
func TestInfos(t *testing.T) {
	f := jax.Named(func(x A, p jax.Tuple) A { return x.Add(p[0]).Mul(p[1]) }, "f", "x", "p")
	l := jax.Jit(f, jax.DonateArgnums(1)).Lower(1.0, jax.Tuple{[]int32{0, 1, 2}, ones(1, 3)[0]})
	want := []struct{ what, got, want string }{
		{"InTree", l.InTree().String(), "PyTreeDef(((*, (*, *)), {}))"},
		{"InAvals", core.PyRepr(l.InAvals()), "((ShapedArray(float32[], weak_type=True), (ShapedArray(int32[3]), ShapedArray(float32[3]))), {})"},
		{"ArgsInfo", core.PyRepr(l.ArgsInfo()), "((ArgInfo(_aval=ShapedArray(float32[], weak_type=True), donated=False), (ArgInfo(_aval=ShapedArray(int32[3]), donated=True), ArgInfo(_aval=ShapedArray(float32[3]), donated=True))), {})"},
		{"DonateArgnums", core.PyRepr(core.NewInts(l.DonateArgnums()...)), "(1, 2)"},
		{"OutInfo", core.PyRepr(l.OutInfo()), "ShapeDtypeStruct(shape=(3,), dtype=float32)"},
	}
	for _, w := range want {
		if w.got != w.want {
			t.Errorf("%s is\n%s\nnot\n%s", w.what, w.got, w.want)
		}
	}
}
