package stablehlo_test

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gopherlo/xla/stablehlo"
)

// unpack reads the packed golden texts, and those of GOPHERLO_GOLDEN's folder
// hlo-print.
func unpack(t testing.TB) map[string]string {
	t.Helper()
	f, err := os.Open("testdata/hlo-print.tar.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		files[h.Name] = string(b)
	}
	if dir := os.Getenv("GOPHERLO_GOLDEN"); dir != "" {
		names, _ := filepath.Glob(filepath.Join(dir, "hlo-print", "*.mlir"))
		for _, n := range names {
			if b, err := os.ReadFile(n); err == nil {
				files[filepath.Base(n)] = string(b)
			}
		}
	}
	return files
}

// TestGolden reads JAX's texts, without and with locations, and prints them.
func TestGolden(t *testing.T) {
	files := unpack(t)
	n := 0
	for file, text := range files {
		name, ok := strings.CutSuffix(file, ".stablehlo.mlir")
		if !ok {
			continue
		}
		n++
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, in := range []string{text, files[name+".stablehlo_debug.mlir"]} {
				if in == "" {
					continue // one module has no text with locations
				}
				m, err := stablehlo.Parse(in)
				if err != nil {
					t.Fatal(err)
				}
				if d := cmp.Diff(text, m.Text()); d != "" {
					t.Error(d)
				}
				if in != text {
					if d := cmp.Diff(in, m.DebugText()); d != "" {
						t.Error(d)
					}
				}
			}
		})
	}
	if n < 333 {
		t.Errorf("only %d texts", n)
	}
}

// TestOps is TestGolden for ops that JAX seldom emits; MLIR printed the file
// from the generic forms of the ops.
func TestOps(t *testing.T) {
	want, err := os.ReadFile("testdata/ops.mlir")
	if err != nil {
		t.Fatal(err)
	}
	m, err := stablehlo.Parse(string(want))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), m.Text()); d != "" {
		t.Error(d)
	}
}

// TestParseErrors checks that bad text gives an error with its place.
// MLIR's parser takes functions without a module around them.
func TestParseBareFunctions(t *testing.T) {
	const f = "  func.func @main(%arg0: tensor<f32>) -> tensor<f32> {\n    %0 = stablehlo.sine %arg0 : tensor<f32>\n    return %0 : tensor<f32>\n  }\n"
	bare, err := stablehlo.Parse("// a comment\n" + f)
	if err != nil {
		t.Fatal(err)
	}
	within, err := stablehlo.Parse("module {\n" + f + "}\n")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := bare.Text(), within.Text(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestParseErrors(t *testing.T) {
	const f = "module @m {\n  func.func public @main(%x: tensor<3xf32>) -> tensor<3xf32> {\n    "
	tests := []struct{ name, text, want string }{
		{"empty", "", `line 1, column 1: expected "module" or func.func`},
		{"after functions", "func.func @main() {\n  return\n}\nfoo", `line 4, column 1: expected "module" or func.func`},
		{"unknown value", f + "return %y : tensor<3xf32>\n}\n}", "line 3, column 12: value %y is not defined here"},
		{"wrong type", f + "return %x : tensor<4xf32>\n}\n}", "operand 0 has type tensor<3xf32>, not tensor<4xf32>"},
		{"unknown op", f + "%0 = stablehlo.frob %x : tensor<3xf32>\n}\n}", "op stablehlo.frob is not known in this form"},
		{"result count", f + "%0:2 = stablehlo.sine %x : tensor<3xf32>\n}\n}", "stablehlo.sine has 1 results, not 2"},
		{"elements", f + "%c = stablehlo.constant dense<[1, 2]> : tensor<3xi32>\n}\n}", "has 2 elements in dimension 0"},
		{"type", f + "%c = stablehlo.constant dense<1> : tensor<3xfoo>\n}\n}", "unknown element type foo"},
		{"string", f + "%0 = \"stablehlo.sine(%x)\n}\n}", "string without end"},
		{"open", f, "expected a name"},
		{"location", f + "return %x : tensor<3xf32> loc(#loc7)\n}\n}", "location #loc7 is not defined"},
		{"deep", f + strings.Repeat("\"a.b\"() ({\n", 1000), "nested deeper than 400 levels"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := stablehlo.Parse(tt.text)
			var pe *stablehlo.ParseError
			if !errors.As(err, &pe) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

// FuzzParse checks that what parses prints as text that parses the same.
func FuzzParse(f *testing.F) {
	for name, text := range unpack(f) {
		if len(text) < 2500 {
			f.Add(text)
		}
		_ = name
	}
	f.Fuzz(func(t *testing.T, text string) {
		m, err := stablehlo.Parse(text)
		if err != nil {
			return
		}
		first := m.Text()
		again, err := stablehlo.Parse(first)
		if err != nil {
			t.Fatalf("%v in\n%s", err, first)
		}
		if second := again.Text(); second != first {
			t.Errorf("printed\n%s\nthen\n%s", first, second)
		}
	})
}

// The barrier's attributes stand before its operands, as MLIR's own form has
// them (StableHLO's OptimizationBarrierOp).
func TestBarrierAttributes(t *testing.T) {
	const text = `module @m {
  func.func public @main(%arg0: tensor<f32>, %arg1: tensor<2xf32>) -> tensor<f32> {
    %0:2 = stablehlo.optimization_barrier {mhlo.frontend_attributes = {a = "b"}} %arg0, %arg1 : tensor<f32>, tensor<2xf32>
    return %0#0 : tensor<f32>
  }
}
`
	m, err := stablehlo.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	if got := m.Text(); got != text {
		t.Errorf("printed as\n%s", got)
	}
}
