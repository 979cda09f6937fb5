package hloconv_test

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"gopherlo/xla/hlo"
	"gopherlo/xla/hloconv"
	"gopherlo/xla/stablehlo"
)

// unpack reads a packed folder, and what GOPHERLO_GOLDEN has in the folder more.
func unpack(t testing.TB, archive, more string) map[string]string {
	t.Helper()
	f, err := os.Open(archive)
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
	if dir := os.Getenv("GOPHERLO_GOLDEN"); dir != "" && more != "" {
		names, _ := filepath.Glob(filepath.Join(dir, more, "*"))
		for _, n := range names {
			if b, err := os.ReadFile(n); err == nil {
				files[filepath.Base(n)] = string(b)
			}
		}
	}
	return files
}

// convert parses StableHLO text and converts it.
func convert(t testing.TB, text string) *hlo.Module {
	t.Helper()
	m, err := stablehlo.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	h, err := hloconv.Convert(m)
	if err != nil {
		t.Fatal(err)
	}
	if err := h.Verify(); err != nil {
		t.Fatalf("the module does not pass hlo's verifier: %v", err)
	}
	return h
}

// exceptions are the programs that cannot be converted, with the reason.
var exceptions = map[string]string{
	"406-sh-shardmap-psum":      "sdy.manual_computation",
	"407-sh-shardmap-allgather": "sdy.manual_computation",
	"409-sh-shardmap-a2a":       "sdy.manual_computation",
	"410-sh-shardmap-scatter":   "sdy.manual_computation",
	"419-sh-pbroadcast":         "sdy.manual_computation",
}

// TestGolden converts the programs that JAX lowered, with their locations, and
// compares as_text("hlo") without and with debug_info=True.
func TestGolden(t *testing.T) {
	src := unpack(t, "../stablehlo/testdata/hlo-print.tar.gz", "hlo-print")
	want := unpack(t, "../hlo/testdata/hlo-print.tar.gz", "hlo-print")
	n := 0
	for file, text := range src {
		name, ok := strings.CutSuffix(file, ".stablehlo_debug.mlir")
		if !ok {
			continue
		}
		short, ok := want[name+".lowered.short.txt"]
		if !ok {
			continue // its protos are not packed
		}
		n++
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if why, ok := exceptions[name]; ok {
				m, err := stablehlo.Parse(text)
				if err != nil {
					t.Fatal(err)
				}
				if _, err = hloconv.Convert(m); err == nil || !strings.Contains(err.Error(), why) {
					t.Errorf("got error %v, want one about %s", err, why)
				}
				return
			}
			m := convert(t, text)
			if d := cmp.Diff(short, m.Text(hlo.ShortParsable())); d != "" {
				t.Error(d)
			}
			if meta, ok := want[name+".lowered.short_metadata.txt"]; ok {
				if d := cmp.Diff(meta, m.Text(hlo.ShortParsableMetadata())); d != "" {
					t.Error(d)
				}
			}
		})
	}
	if n < 280 {
		t.Errorf("only %d programs found", n)
	}
}

// TestFunctions is TestGolden for a sample of JAX's functions, their gradients
// and batched forms.
func TestFunctions(t *testing.T) {
	files := unpack(t, "testdata/functions.tar.gz", "")
	n := 0
	for file, text := range files {
		name, ok := strings.CutSuffix(file, ".dbg")
		if !ok {
			continue
		}
		n++
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m, err := stablehlo.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(files[name+".mlir"], m.Text()); d != "" {
				t.Error(d)
			}
			_, debug, _ := strings.Cut(text, "\n") // the first line names the function
			if d := cmp.Diff(debug, m.DebugText()); d != "" {
				t.Error(d)
			}
			if d := cmp.Diff(files[name+".hlo"], convert(t, text).Text(hlo.ShortParsableMetadata())); d != "" {
				t.Error(d)
			}
		})
	}
	if n < 1300 {
		t.Errorf("only %d modules found", n)
	}
}

// TestRules converts small modules that show one rule each.
func TestRules(t *testing.T) {
	a, err := txtar.ParseFile("testdata/rules.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(a.Files); i += 2 {
		in, want := a.Files[i], a.Files[i+1]
		t.Run(strings.TrimSuffix(in.Name, ".mlir"), func(t *testing.T) {
			got := strings.TrimRight(convert(t, string(in.Data)).Text(hlo.ShortParsable()), "\n") + "\n"
			if d := cmp.Diff(string(want.Data), got); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestConvertKeepsModule checks that a conversion leaves its input as it was.
func TestConvertKeepsModule(t *testing.T) {
	src := unpack(t, "../stablehlo/testdata/hlo-print.tar.gz", "")
	for _, name := range []string{"361-md-reduce", "384-net-mlp-grad", "401-sci-erf", "170-complex-math"} {
		m, err := stablehlo.Parse(src[name+".stablehlo_debug.mlir"])
		if err != nil {
			t.Fatal(err)
		}
		before := m.Text()
		first, err := hloconv.Convert(m)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(before, m.Text()); d != "" {
			t.Errorf("%s: %s", name, d)
		}
		second, err := hloconv.Convert(m)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(first.String(), second.String()); d != "" {
			t.Errorf("%s, converted again: %s", name, d)
		}
	}
}

// TestErrors checks that bad modules give errors that say where.
func TestErrors(t *testing.T) {
	const head = "module @m {\n  func.func public @main(%x: tensor<3xf32>) -> tensor<3xf32> {\n"
	tests := []struct{ name, body, want string }{
		{"unknown op", `%0 = "stablehlo.nonesuch"(%x) : (tensor<3xf32>) -> tensor<3xf32>` + "\n return %0 : tensor<3xf32>", "op stablehlo.nonesuch cannot be converted"},
		{"no return", `%0 = stablehlo.sine %x : tensor<3xf32>`, "does not end in a return"},
		{"bad permutation", `%0 = stablehlo.transpose %x, dims = [1] : (tensor<3xf32>) -> tensor<3xf32>` + "\n return %0 : tensor<3xf32>", "stablehlo.transpose: permutation: dimension 1 is not below 1"},
		{"bad slice", `%0 = stablehlo.slice %x [0:4] : (tensor<3xf32>) -> tensor<4xf32>` + "\n return %x : tensor<3xf32>", "stablehlo.slice: range 0:4:1 does not fit"},
		{"unknown callee", `%0 = call @g(%x) : (tensor<3xf32>) -> tensor<3xf32>` + "\n return %0 : tensor<3xf32>", "function g is not defined"},
		{"recursion", `%0 = call @main(%x) : (tensor<3xf32>) -> tensor<3xf32>` + "\n return %0 : tensor<3xf32>", "function main calls itself"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m, err := stablehlo.Parse(head + tt.body + "\n  }\n}\n")
			if err != nil {
				t.Fatal(err)
			}
			if _, err := hloconv.Convert(m); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
	if _, err := hloconv.Convert(stablehlo.NewModule("m")); err == nil {
		t.Error("a module without main converts")
	}
}

// FuzzConvert feeds broken text to the parser and the passes.
func FuzzConvert(f *testing.F) {
	for name, text := range unpack(f, "../stablehlo/testdata/hlo-print.tar.gz", "") {
		if strings.HasSuffix(name, ".stablehlo.mlir") && len(text) < 3000 {
			f.Add(text)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		m, err := stablehlo.Parse(text)
		if err != nil || slices.ContainsFunc(strings.Fields(text), func(s string) bool { return len(s) > 10000 }) {
			return
		}
		if h, err := hloconv.Convert(m); err == nil {
			_ = h.String()
		}
	})
}
