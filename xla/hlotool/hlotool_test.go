package hlotool_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gopherlo/xla/hlo"
	"gopherlo/xla/hlotool"
)

const sinText = `HloModule jit_f, entry_computation_layout={(f32[3]{0})->f32[3]{0}}

ENTRY main.1 {
  x.1 = f32[3]{0} parameter(0)
  ROOT sin.1 = f32[3]{0} sine(x.1)
}

`

const sinMLIR = `module @jit_f {
  func.func public @main(%arg0: tensor<3xf32> loc("x")) -> (tensor<3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.sine %arg0 : tensor<3xf32> loc("jit(f)/sin")
    return %0 : tensor<3xf32>
  }
}
`

func read(t *testing.T, name, text string) *hlotool.File {
	t.Helper()
	f, err := hlotool.Read(name, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestReadKinds(t *testing.T) {
	m, err := hlo.Parse(sinText)
	if err != nil {
		t.Fatal(err)
	}
	pb, err := m.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	m.Config = &hlo.Config{}
	withConfig, err := m.MarshalWithConfig()
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name, data string
		want       hlotool.Kind
	}{
		{"-", sinText, hlotool.HLOText},
		{"a.hlo", "// a remark\n/* and\nanother */ " + sinText, hlotool.HLOText},
		{"-", sinMLIR, hlotool.StableHLOText},
		{"-", string(pb), hlotool.HLOProto},
		{"x.txt", string(withConfig), hlotool.HLOProtoConfig},
	} {
		f, err := hlotool.Read(test.name, []byte(test.data))
		if err != nil {
			t.Errorf("%s: %v", test.want, err)
			continue
		}
		if f.Kind != test.want {
			t.Errorf("%s is read as %s", test.want, f.Kind)
		}
		if text, err := f.Print("lowered"); err != nil || text != sinText {
			t.Errorf("%s prints\n%s%v", test.want, text, err)
		}
		if err := f.Verify(); err != nil {
			t.Errorf("%s: %v", test.want, err)
		}
	}
}

func TestReadErrors(t *testing.T) {
	for _, test := range []struct{ name, data, want string }{
		{"a.hlo", strings.Replace(sinText, "sine(", "sone(", 1), "a.hlo:5:"},
		{"a.mlir", strings.Replace(sinMLIR, "sine %arg0", "sine %arg7", 1), "a.mlir:3:"},
		{"a.pb", "\x0a\xff\xff\xff\xff\x7f", "a.pb: "},
		{"notes", "hello world", "neither HLO text"},
		{"empty", "", "the file is empty"},
		{"nul.hlo", "HloModule m\n\nENTRY\x00", "nul.hlo:3:6: a NUL byte in the text"},
		{"bad.mlir", "module @m {\n  \xff", "bad.mlir:2:3: byte 0xFF is no UTF-8 text"},
	} {
		_, err := hlotool.Read(test.name, []byte(test.data))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v does not say %q", test.name, err, test.want)
		}
	}
	_, err := hlotool.Read("a.hlo", []byte("HloModule m\nENTRY {"))
	var place *hlotool.Error
	var parse *hlo.ParseError
	if !errors.As(err, &place) || place.Line != 2 || !errors.As(err, &parse) {
		t.Errorf("no place in %v", err)
	}
}

func TestDiff(t *testing.T) {
	a := read(t, "a", sinText)
	if d, err := hlotool.Diff(a, read(t, "b", sinMLIR), "lowered"); err != nil || d != "" {
		t.Errorf("equal programs differ:\n%s%v", d, err)
	}
	b := read(t, "b", strings.ReplaceAll(strings.ReplaceAll(sinText, "sine", "cosine"), "sin.1", "cos.1"))
	d, err := hlotool.Diff(a, b, "lowered")
	const want = `--- a
+++ b
@@ -2,5 +2,5 @@
 
 ENTRY main.1 {
   x.1 = f32[3]{0} parameter(0)
-  ROOT sin.1 = f32[3]{0} sine(x.1)
+  ROOT cos.1 = f32[3]{0} cosine(x.1)
 }
`
	if err != nil || d != want {
		t.Errorf("diff is\n%s%v", d, err)
	}
	renamed := read(t, "c", strings.ReplaceAll(sinText, "sin.1", "other.7"))
	if d, err := hlotool.Diff(a, renamed, "canonical"); err != nil || d != "" {
		t.Errorf("canonical difference:\n%s%v", d, err)
	}
	if _, err := hlotool.Diff(a, b, "pretty"); err == nil {
		t.Error("unknown style")
	}
}

func TestInputs(t *testing.T) {
	f := read(t, "a", sinText)
	file := filepath.Join(t.TempDir(), "x")
	if err := os.WriteFile(file, []byte("{7, 8, 9}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for word, want := range map[string]string{
		"{1, 2, 3}": "{1, 2, 3}", "[1,2,3.5]": "{1, 2, 3.5}", "zeros": "{0, 0, 0}", "ones": "{1, 1, 1}", "iota": "{0, 1, 2}", "@" + file: "{7, 8, 9}",
	} {
		in, err := f.Inputs([]string{word}, "")
		if err != nil || in[0].String() != want {
			t.Errorf("%s gives %v, %v", word, in, err)
		}
	}
	for _, test := range []struct {
		words []string
		want  string
	}{
		{nil, "no input for parameter 0 (x.1"},
		{[]string{"zeros", "zeros"}, "2 inputs"},
		{[]string{"{1, 2}"}, "parameter 0"},
		{[]string{"hello"}, "parameter 0"},
		{[]string{"@/no/such/file"}, "no such file"},
	} {
		if _, err := f.Inputs(test.words, ""); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: %v does not say %q", test.words, err, test.want)
		}
	}
}

func TestOptions(t *testing.T) {
	o, err := hlotool.Options([]string{"a=true", "--b=3", "c=0.5", "d=O3", `e="true"`, "f="})
	if err != nil || o["a"] != true || o["b"] != int64(3) || o["c"] != 0.5 || o["d"] != "O3" || o["e"] != "true" || o["f"] != "" {
		t.Errorf("options are %v, %v", o, err)
	}
	if _, err := hlotool.Options([]string{"novalue"}); err == nil {
		t.Error("an option without a value")
	}
}

func TestRun(t *testing.T) {
	c := client(t)
	for _, text := range []string{sinText, sinMLIR} {
		f := read(t, "a", text)
		in, err := f.Inputs([]string{"{0, 1, 2}"}, "")
		if err != nil {
			t.Fatal(err)
		}
		out, err := f.Run(c, in, map[string]any{"optimization_level": "O1", "xla_embed_ir_in_executable": true})
		if err != nil || len(out) != 1 || out[0].String() != "{0, 0.841470957, 0.909297407}" {
			t.Errorf("%s: %v, %v", f.Kind, out, err)
		}
		if _, err := f.Run(c, in, map[string]any{"nope": 1}); err == nil || err.Error() != "INVALID_ARGUMENT: No such compile option: 'nope'" {
			t.Errorf("a bad option: %v", err)
		}
		if _, err := f.Run(c, in, map[string]any{"optimization_level": "O9"}); err == nil || err.Error() != "'O9' is not a valid CompilerEffortLevel" {
			t.Errorf("a bad level: %v", err)
		}
	}
}
