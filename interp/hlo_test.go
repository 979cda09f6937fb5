package interp

import (
	"context"
	"strings"
	"testing"
	"time"

	"gopherlo/kernel/language"
	_ "gopherlo/xla/pjrt" // registers the client
	"gopherlo/xla/plugin"
)

// TestHLOCells works with HLO as a value in cells. want is the value's text,
// or with a leading "!" a part of the error.
func TestHLOCells(t *testing.T) {
	needsPlugin(t)
	if _, err := plugin.Find("cpu"); err != nil {
		t.Skip("no CPU plugin: run `gopherlo plugin install cpu`")
	}
	in := New(Options{})
	defer in.rt.Close()
	for i, c := range []struct{ src, want string }{
		{"f := jit(func(x Array) Array { return jnp.Sin(x)*2 + 1. })\nm := f.Lower(1.).HLO();", ""},
		{`len(m.FindOpcode("sine"))`, "1"},
		{"m.FindOpcode(\"sine\")[0].Opcode = \"cosine\"\nm.FindName(\"mul.1\").SetAttr(\"k\", \"v\")\ng := xla.Compile(m, compiler_options{\"xla_embed_ir_in_executable\": true})\ng(0.)", "Array(3., dtype=float32)"},
		{"g(0.) - f(0.)", "Array(2., dtype=float32)"},
		{"xla.Compile(`HloModule double\nENTRY e { x = f32[2] parameter(0) ROOT y = f32[2] add(x, x) }`)([]float64{1, 2})", "Array([2., 4.], dtype=float32)"},
		{"xla.Parse(f.Lower(1.).AsText(\"hlo\")).Name", "jit_f"},
		{"h := xla.Compile(f.Lower(1.).AsText())\nh(0.)", "Array(1., dtype=float32)"},
		{"xla.Parse(`HloModule x\nENTRY e { ROOT y = f32[] sone() }`)", "!ValueError: hlo: 2:26"},
		{"m.Entry.Parameters()[0].ParameterNumber = -1\nxla.Compile(m)", "!ValueError: hlo: computation main"},
		{"xla.Compile(f.Lower(1.).HLO(), compiler_options{\"nope\": 1})", "!JaxRuntimeError: INVALID_ARGUMENT: No such compile option: 'nope'"},
		{"jit(func(x Array) Array { return x }, compiler_options{\"xla_cpu_enable_fastmath\": true})(1.)", "!did you mean xla_cpu_enable_fast_math?"},
		{"len(xla.Flags(\"fast_math\")) >= 5", "true"},
		{"xla.Devices()[0].String()", "cpu:0"},
		{"o, _ := g.Options().Get(\"xla_embed_ir_in_executable\")\no.From", "compile step"},
		{"g.CostAnalysis()[\"transcendentals\"]", "1"},
	} {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		host := &recorder{}
		res := in.Execute(ctx, language.Request{Code: c.src, Count: i + 1}, host)
		cancel()
		if part, fails := strings.CutPrefix(c.want, "!"); fails {
			if res.Error == nil || !strings.Contains(strings.Join(res.Error.Traceback, "\n"), part) {
				t.Errorf("%s\nerror %+v, want %s", c.src, res.Error, part)
			}
			continue
		}
		if res.Error != nil {
			t.Errorf("%s\n%s", c.src, strings.Join(res.Error.Traceback, "\n"))
			continue
		}
		if got, _ := res.Value["text/plain"].(string); got != c.want {
			t.Errorf("%s\nvalue %q, want %q", c.src, got, c.want)
		}
	}
}
