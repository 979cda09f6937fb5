package hlotool_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"gopherlo/xla"
	"gopherlo/xla/hlo"
	"gopherlo/xla/hlotool"
	_ "gopherlo/xla/pjrt" // registers the client
	"gopherlo/xla/plugin"
)

// golden has the files of the golden modules by name: the packed ones of
// packages hlo and stablehlo, and those of GOPHERLO_GOLDEN's folder hlo-print.
var golden = sync.OnceValues(func() (map[string][]byte, error) {
	files := map[string][]byte{}
	for _, pkg := range []string{"hlo", "stablehlo"} {
		f, err := os.Open(filepath.Join("..", pkg, "testdata", "hlo-print.tar.gz"))
		if err != nil {
			return nil, err
		}
		err = errors.Join(unpack(f, files), f.Close())
		if err != nil {
			return nil, err
		}
	}
	if dir := os.Getenv("GOPHERLO_GOLDEN"); dir != "" {
		more, _ := filepath.Glob(filepath.Join(dir, "hlo-print", "*"))
		for _, name := range more {
			if b, err := os.ReadFile(name); err == nil {
				files[filepath.Base(name)] = b
			}
		}
	}
	return files, nil
})

func unpack(r io.Reader, to map[string][]byte) error {
	z, err := gzip.NewReader(r)
	if err != nil {
		return err
	}
	for t := tar.NewReader(z); ; {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if to[h.Name], err = io.ReadAll(t); err != nil {
			return err
		}
	}
}

func client(t testing.TB) xla.Client {
	t.Helper()
	if _, err := plugin.Find("cpu"); err != nil {
		t.Skip("no CPU plugin: run `gopherlo plugin install cpu`")
	}
	c, err := xla.Open("cpu")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestLoweredModulesRun compiles every golden lowered module from our own
// bytes, and the StableHLO text it was made of, and compares their results.
func TestLoweredModulesRun(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles 650 programs")
	}
	files, err := golden()
	if err != nil {
		t.Fatal(err)
	}
	c := client(t)
	ran, refused := 0, map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		base, ok := strings.CutSuffix(name, ".lowered.pb")
		if !ok {
			continue
		}
		text, ok := files[base+".stablehlo.mlir"]
		if !ok {
			continue
		}
		switch why, err := runBoth(c, base, files[name], text); {
		case err != nil:
			t.Errorf("%s: %v", base, err)
		case why != "":
			refused[base] = why
		default:
			ran++
		}
	}
	for _, base := range slices.Sorted(maps.Keys(refused)) {
		t.Logf("left out: %s: %s", base, refused[base])
	}
	t.Logf("%d modules give what their StableHLO gives, %d are left out", ran, len(refused))
	if ran < 310 {
		t.Errorf("only %d modules ran", ran)
	}
}

// runBoth says why a program is not compared (the plugin takes it in neither
// form), or how the two forms differ.
func runBoth(c xla.Client, base string, pb, text []byte) (refused string, err error) {
	ours, err := hlotool.Read(base+".pb", pb)
	if err != nil {
		return "", err
	}
	theirs, err := hlotool.Read(base+".mlir", text)
	if err != nil {
		return "", err
	}
	fill := "random"
	switch {
	case len(ours.HLO.FindOpcode("rng")) > 0:
		return "its random numbers have no seed", nil
	case len(ours.HLO.FindOpcode("while")) > 0:
		fill = "ones" // some loops do not end for negative numbers
	}
	inputs, err := ours.Inputs(nil, fill)
	if err != nil {
		return "", err
	}
	want, wantErr := theirs.Run(c, inputs, nil)
	got, gotErr := ours.Run(c, inputs, nil)
	switch {
	case wantErr != nil && gotErr != nil:
		return firstLine(gotErr), nil
	case gotErr != nil:
		return "", fmt.Errorf("from HLO only: %w", gotErr)
	case wantErr != nil:
		return "", fmt.Errorf("from StableHLO only: %w", wantErr)
	case len(want) != len(got):
		return "", fmt.Errorf("%d results, not %d", len(got), len(want))
	}
	for i := range want {
		if why := differ(got[i], want[i]); why != "" {
			return "", fmt.Errorf("result %d: %s", i, why)
		}
	}
	return "", nil
}

func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line[:min(len(line), 160)]
}

// differ compares two literals: integers exactly, floats to a few units of the
// type's precision, since the two forms are simplified differently.
func differ(got, want *hlo.Literal) string {
	t := want.Shape.ElementType
	if got.Shape.ElementType != t || !slices.Equal(got.Shape.Dimensions, want.Shape.Dimensions) {
		return fmt.Sprintf("%s, not %s", got.Shape, want.Shape)
	}
	if bytes.Equal(got.Data, want.Data) {
		return ""
	}
	for i := range want.NumElements() {
		var a, b complex128
		switch {
		case t.IsComplex():
			a, b = got.Complex(i), want.Complex(i)
		case t.IsFloat():
			a, b = complex(got.Float(i), 0), complex(want.Float(i), 0)
		default:
			if got.Int(i) != want.Int(i) {
				return fmt.Sprintf("element %d is %d, not %d", i, got.Int(i), want.Int(i))
			}
			continue
		}
		if !near(real(a), real(b), t) || !near(imag(a), imag(b), t) {
			return fmt.Sprintf("element %d is %v, not %v", i, a, b)
		}
	}
	return ""
}

func near(a, b float64, t hlo.PrimitiveType) bool {
	if a == b || math.IsNaN(a) && math.IsNaN(b) {
		return true
	}
	eps := 2e-6
	if t.Bits() < 32 {
		eps = 0.02
	}
	return math.Abs(a-b) <= eps*max(1, math.Abs(a), math.Abs(b))
}
