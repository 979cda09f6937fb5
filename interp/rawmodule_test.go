package interp

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRawModuleLine(t *testing.T) {
	for _, c := range []struct {
		line string
		want rawModule
	}{
		{"", rawModule{}},
		{"2.0, x", rawModule{args: "2.0, x"}},
		{"f =", rawModule{name: "f"}},
		{"f := 1.0", rawModule{name: "f", args: "1.0"}},
		{"x == y", rawModule{args: "x == y"}},
		{`{"a": "}"} f = g(attrs{"k": 1})`, rawModule{options: `{"a": "}"}`, name: "f", args: `g(attrs{"k": 1})`}},
	} {
		got, err := parseRawModule(c.line)
		if err != nil || got != c.want {
			t.Errorf("%q: %+v, %v; want %+v", c.line, got, err, c.want)
		}
	}
	if _, err := parseRawModule(`{"a": 1`); err == nil {
		t.Error("options without their end are taken")
	}
}

const squareModule = `
HloModule square

ENTRY %main (x: f32[3]) -> f32[3] {
  %x = f32[3] parameter(0)
  ROOT %y = f32[3] multiply(%x, %x)
}
`

func TestRawModules(t *testing.T) {
	needsPlugin(t)
	s := startScript(t)
	stablehlo := "module @jit_f {\n  func.func public @main(%arg0: tensor<2xf32>) -> tensor<2xf32> {\n    %0 = stablehlo.negate %arg0 : tensor<2xf32>\n    return %0 : tensor<2xf32>\n  }\n}\n"
	for _, c := range []struct{ cell, value, mistake string }{
		{"%%hlo jnp.Arange(3.0)" + squareModule, "Array([0., 1., 4.], dtype=float32)", ""},
		{"%%hlo f =" + squareModule, "", ""},
		{"f(jnp.Ones([]int{3}))", "Array([1., 1., 1.], dtype=float32)", ""},
		{"%%hlo" + squareModule, "", "UsageError: the module takes x: f32[3]"},
		{"%%hlo\nHloModule seven\nENTRY main {\n  ROOT y = f32[] constant(7)\n}", "Array(7., dtype=float32)", ""},
		{`%%hlo {"xla_no_flag": true} jnp.Arange(3.0)` + squareModule, "", "No such compile option: 'xla_no_flag'"},
		{"%%hlo 1.0" + strings.Replace(squareModule, "multiply", "multipl", 1), "", `6:20: unknown opcode "multipl"; did you mean multiply?`},
		{"%%stablehlo g = jnp.Ones([]int{2})\n" + stablehlo, "Array([-1., -1.], dtype=float32)", ""},
		{"%%stablehlo", "", "UsageError: %%stablehlo wants a module"},
	} {
		got := s.Run(c.cell)
		mistake := ""
		if len(got.Mistakes) > 0 {
			mistake = got.Mistakes[0].Text
		}
		if got.Value != c.value || (mistake == "") != (c.mistake == "") || !strings.Contains(mistake, c.mistake) {
			t.Errorf("%s\n gives %q and %q, want %q and %q", c.cell, got.Value, mistake, c.value, c.mistake)
		}
	}
}

// TestRawModulePlaces: mistakes in the line of the magic are shown there.
func TestRawModulePlaces(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{`%%hlo {"xla_embed_ir_in_executable": true} h`, "1:44: undefined: h"},
		{`%%hlo h [1`, "1:11: syntax error: unexpected ), expected comma, : or ]"},
		{`%%hlo f = nope, 2`, "1:11: undefined: nope"},
		{`%%hlo {"a": nope} f = 2`, "1:13: undefined: nope"},
		{`%%hlo 1 +`, "1:10: syntax error: unexpected ), expected expression"},
	} {
		got := startScript(t).Run(c.line + squareModule)
		found := ""
		for _, m := range got.Mistakes {
			found += fmt.Sprintf("%d:%d: %s\n", m.Line, m.Col, m.Text)
		}
		if !strings.HasPrefix(found, c.want) {
			t.Errorf("%s: %s, want %s", c.line, found, c.want)
		}
	}
}

func TestLoad(t *testing.T) {
	file := filepath.Join(t.TempDir(), "cell.go")
	if err := os.WriteFile(file, []byte("x := 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	in := session(t)
	r := &cellRun{in: in, host: &recorder{}}
	m, _ := findCellMagic("%%time")
	m.Args = file
	if _, err := r.load(m); err != nil {
		t.Fatal(err)
	}
	if got := r.payload[0]["text"]; got != "// %load "+file+"\nx := 1\n" {
		t.Errorf("the cell becomes %q", got)
	}
	m.Args = filepath.Dir(file)
	if _, err := r.load(m); err == nil || !strings.Contains(err.Error(), "is no file") {
		t.Errorf("a folder gives %v", err)
	}
}
