package hlocost

import (
	"archive/tar"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gopherlo/xla/hlo"
)

// allowed are the modules whose costs differ from XLA's, and why.
var allowed = map[string]string{
	"524-hand-async.pb":         "asynchronous wrappers count their computation in XLA",
	"525-hand-async-sugar.pb":   "the same",
	"527-hand-layouts.pb":       "XLA counts the padding of a tiled layout",
	"528-hand-dynamic-shape.pb": "XLA adds the sizes of dynamic dimensions",
	"531-hand-infeed-send.pb":   "XLA counts an infeed's data by tuple element",
	"548-hand-domain.pb":        "XLA takes a domain as free",
}

// TestAgainstXLA compares with what jaxlib 0.12.0.1's hlo_module_cost_analysis
// says of the modules of golden/hlo-print: testdata/cost.json.gz, made by
//
//	{f: hlo_module_cost_analysis(client, HloModule.from_serialized_hlo_module_proto(open(f, "rb").read())) for f in "*.pb"}
func TestAgainstXLA(t *testing.T) {
	want := readWant(t)
	compared, differ := 0, 0
	eachModule(t, func(name string, code []byte) {
		costs, ok := want[name]
		if !ok {
			return
		}
		m, err := hlo.Unmarshal(code)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		compared++
		if diff := difference(Analyze(m), costs); diff != "" {
			differ++
			if allowed[name] == "" {
				t.Errorf("%s:%s", name, diff)
			}
		} else if allowed[name] != "" {
			t.Errorf("%s is as XLA has it now", name)
		}
	})
	if compared < 700 {
		t.Errorf("only %d modules compared", compared)
	}
	t.Logf("%d modules, %d differ", compared, differ)
}

func difference(got, want map[string]float64) (diff string) {
	for k, v := range want {
		if math.Abs(got[k]-v) > 1e-6*max(1, math.Abs(v)) {
			diff += fmt.Sprintf(" %s is %v, want %v;", k, got[k], v)
		}
	}
	for k, v := range got {
		if _, ok := want[k]; !ok {
			diff += fmt.Sprintf(" %s is %v, want none;", k, v)
		}
	}
	return diff
}

func readWant(t *testing.T) map[string]map[string]float64 {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", "cost.json.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var want map[string]map[string]float64
	if err := json.NewDecoder(z).Decode(&want); err != nil {
		t.Fatal(err)
	}
	return want
}

// eachModule reads the protos that package hlo tests its printer with.
func eachModule(t *testing.T, f func(name string, code []byte)) {
	t.Helper()
	file, err := os.Open(filepath.Join("..", "hlo", "testdata", "hlo-print.tar.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	z, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	for tr := tar.NewReader(z); ; {
		h, err := tr.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(h.Name, ".pb") {
			code, err := io.ReadAll(tr)
			if err != nil {
				t.Fatal(err)
			}
			f(filepath.Base(h.Name), code)
		}
	}
}

// Modules that XLA would refuse must not hang or crash the analysis.
func TestBrokenModules(t *testing.T) {
	if n := len(Analyze(nil)); n != 0 {
		t.Errorf("nil has %d costs", n)
	}
	self := &hlo.Computation{Name: "c"}
	call := &hlo.Instruction{Opcode: hlo.OpCall, Called: []*hlo.Computation{self, nil}}
	self.Instructions = []*hlo.Instruction{call}
	Analyze(&hlo.Module{Entry: self})
	for op := range rules {
		Analyze(&hlo.Module{Entry: &hlo.Computation{Instructions: []*hlo.Instruction{{Opcode: op}}}})
	}
}
