package xla_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	jax "gopherlo/jaxlike"
	"gopherlo/jaxlike/jnp"
	"gopherlo/jaxlike/xla"
	_ "gopherlo/xla/pjrt" // registers the client
	"gopherlo/xla/plugin"
)

func TestMain(m *testing.M) {
	if _, err := plugin.Find("cpu"); err != nil {
		os.Stderr.WriteString("no CPU plugin: tests of package jaxlike/xla do not run\n")
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// raises gives the error that body raises, as "Name: message".
func raises(t *testing.T, body func()) string {
	t.Helper()
	err := jax.Catch(body)
	if err == nil {
		t.Fatal("no error")
	}
	if e := (*jax.Error)(nil); errors.As(err, &e) {
		return e.Name + ": " + e.Message
	}
	return err.Error()
}

func lowered() *jax.Lowered {
	return jax.Jit(jax.Named(func(x jax.Array) jax.Array { return jnp.Sin(x).Add(1.) }, "f", "x")).Lower(1.0)
}

func TestCompileEdited(t *testing.T) {
	m := lowered().HLO()
	m.FindOpcode("sine")[0].Opcode = "cosine"
	m.FindOpcode("cosine")[0].SetAttr("edited", "yes")
	g := xla.Compile(m, jax.CompilerOptions{"xla_embed_ir_in_executable": true})
	if got := g(0.0).Float(); got != 2 {
		t.Errorf("the edited program gives %v, not 2", got)
	}
	if !strings.Contains(g.AsText(), `frontend_attributes={edited="yes"}`) {
		t.Errorf("the attribute is lost:\n%s", g.AsText())
	}
	if got := g.Lowered().AsText("hlo"); !strings.Contains(got, "cosine(") {
		t.Errorf("lowered text:\n%s", got)
	}
	if got := raises(t, func() { g.Lowered().AsText() }); !strings.Contains(got, "was given as HLO") {
		t.Error(got)
	}
	if o, ok := g.Options().Get("xla_embed_ir_in_executable"); !ok || o.From != "compile step" {
		t.Errorf("options:\n%s", g.Options())
	}
	if got := g.Lowered().String(); !strings.HasPrefix(got, "HloModule jit_f") {
		t.Error(got)
	}
	// The original is as it was.
	if got := lowered().Compile()(0.0).Float(); got != 1 {
		t.Errorf("the unedited program gives %v", got)
	}
}

const pairText = `HloModule pair

ENTRY main {
  n = s32[] parameter(0)
  x = bf16[2] parameter(1)
  m = s32[] add(n, n)
  ROOT t = (s32[], s32[], bf16[2]) tuple(n, m, x)
}
`

func TestCompileText(t *testing.T) {
	g := xla.Compile(pairText)
	out := g(3, []float64{1, 2.5})
	var n, m int
	var x []float32
	out.Into(&n, &m, &x)
	if n != 3 || m != 6 || x[1] != 2.5 {
		t.Errorf("results are %v %v %v", n, m, x)
	}
	if dt := out.Out(2).DType().String(); dt != "bfloat16" {
		t.Errorf("result 2 is %s", dt)
	}
	sum := xla.Compile(`HloModule m
ENTRY e { x = f32[3] parameter(0) ROOT t = (f32[3]) tuple(x) }`)
	if got := sum([]int{1, 2, 3}).String(); got != "[1. 2. 3.]" {
		t.Errorf("one result in a tuple prints %s", got)
	}
	mlir := xla.Compile(lowered().AsText())
	if got := mlir(0.0).Float(); got != 1 {
		t.Errorf("StableHLO text gives %v", got)
	}
	if got := mlir.Lowered().AsText(); got != lowered().AsText() {
		t.Errorf("StableHLO text comes back as\n%s", got)
	}
	if got := xla.Compile(xla.ParseStableHLO(lowered().AsText()))(0.0).Float(); got != 1 {
		t.Errorf("a StableHLO module gives %v", got)
	}
	if got := xla.Compile(lowered())(0.0).Float(); got != 1 {
		t.Errorf("a lowered function gives %v", got)
	}
}

func TestErrors(t *testing.T) {
	g := xla.Compile(pairText)
	for name, test := range map[string]struct {
		body func()
		want string
	}{
		"text":     {func() { xla.Parse("HloModule m\nENTRY e { x = f32[] sone() }") }, "ValueError: hlo: 2:"},
		"no text":  {func() { xla.Compile("hello") }, "ValueError: it is neither HLO text"},
		"mlir":     {func() { xla.Compile("module @m {") }, "ValueError: program:1:"},
		"a number": {func() { xla.Compile(3) }, "TypeError: xla.Compile takes a module"},
		"verifier": {func() { xla.Compile(broken()) }, "ValueError: hlo: computation"},
		"option":   {func() { xla.Compile(pairText, map[string]any{"zz": 1}) }, "JaxRuntimeError: INVALID_ARGUMENT: No such compile option: 'zz'"},
		"level":    {func() { xla.Compile(pairText, map[string]any{"optimization_level": "O9"}) }, "ValueError: 'O9' is not a valid CompilerEffortLevel"},
		"too few":  {func() { g(3) }, "TypeError: Function compiled with input pytree does not match"},
		"kind":     {func() { g(3.5, []float64{1, 2}) }, "TypeError: Argument types differ"},
		"shape":    {func() { g(3, []float64{1, 2, 3}) }, "TypeError: Argument types differ"},
		"tracer":   {func() { jax.Grad(func(x jax.Array) jax.Array { return xla.Compile(lowered().HLO())(x) })(1.0) }, "TypeError: Cannot apply JAX transformations"},
		"token":    {func() { xla.Compile("HloModule m\nENTRY e { ROOT t = token[] after-all() }") }, "TypeError: a program whose result has the type token[]"},
		"tuple arg": {func() {
			xla.Compile("HloModule m\nENTRY e { p = (f32[]) parameter(0) ROOT x = f32[] get-tuple-element(p), index=0 }")
		}, "TypeError: a program whose parameter p has the type (f32[])"},
	} {
		if got := raises(t, test.body); !strings.HasPrefix(got, test.want) {
			t.Errorf("%s: %s\nwant %s", name, got, test.want)
		}
	}
}

// broken is a module whose parameter number would end the process in XLA.
func broken() *xla.Module {
	m := lowered().HLO()
	m.Entry.Parameters()[0].ParameterNumber = -1
	return m
}

func TestDiff(t *testing.T) {
	a, b := lowered().HLO(), lowered().HLO()
	if d := xla.Diff(a, b); d != "" {
		t.Errorf("equal modules differ:\n%s", d)
	}
	if _, text := xla.Diff(a, b).DisplaySource(); text != "no difference" {
		t.Errorf("equal modules show as %q", text)
	}
	b.FindOpcode("sine")[0].Opcode = "cosine"
	changed := "-  sin.1 = f32[] sine(x.1)\n+  sin.1 = f32[] cosine(x.1)\n"
	l := lowered()
	for _, row := range []struct {
		a, b any
		want string
	}{
		{a, b, changed},
		{l, b, "--- jit_f (lowered)\n+++ jit_f\n"},
		{l, l.Compile(), "+++ jit_f (compiled)\n"},
		{a.Text(xla.ShortParsable()), b, changed},
		{l.AsText(), "", "-  func.func public @main("},
		{l.CompilerIR(), xla.ParseStableHLO(l.AsText()), ""},
	} {
		if d := string(xla.Diff(row.a, row.b)); !strings.Contains(d, row.want) || d == "" != (row.want == "") {
			t.Errorf("difference of %T and %T:\n%s", row.a, row.b, d)
		}
	}
	defer func() {
		if r := recover(); !strings.Contains(fmt.Sprint(r), "xla.Diff takes modules") {
			t.Errorf("a number: %v", r)
		}
	}()
	xla.Diff(a, 1)
}

func TestRuntime(t *testing.T) {
	if d := xla.Devices(); len(d) == 0 || xla.Platform() != "cpu" || xla.PlatformVersion() == "" {
		t.Errorf("devices %v of %s", d, xla.Platform())
	}
	table := xla.Flags("cpu_enable_fast_math$")
	if len(table) != 1 || table[0].Type != "bool" || !strings.Contains(table.String(), "xla_cpu_enable_fast_math  bool") {
		t.Errorf("flags:\n%s", table)
	}
}
