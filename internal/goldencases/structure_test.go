package goldencases

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"gopherlo/internal/golden"
	jax "gopherlo/jaxlike"
	"gopherlo/jaxlike/core"
)

// structureProgram is one of the small programs whose jaxprs are known.
type structureProgram struct {
	f    any
	args []any
}

// structures maps the ids of the programs to their Go forms; making one runs
// in the test, since it may need the runtime.
var structures = map[string]func() structureProgram{}

func structure(ps map[string]func() structureProgram) bool {
	for id, p := range ps {
		if structures[id] != nil {
			panic("two programs for " + id)
		}
		structures[id] = p
	}
	return true
}

// program1 is a program whose making needs nothing else.
func program1(f any, args ...any) func() structureProgram {
	return func() structureProgram { return structureProgram{f, args} }
}

type goldenStructure struct {
	ID, Defs, F, Args, Jaxpr string
	HLO, StableHLO           string // "": not known
	Names                    string // of the HLO's instructions, and their op_name
}

func readStructures(t *testing.T, name string) []goldenStructure {
	t.Helper()
	file, err := os.Open("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	z, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	var out []goldenStructure
	s := bufio.NewScanner(z)
	s.Buffer(nil, 1<<24)
	for s.Scan() {
		var g goldenStructure
		if err := json.Unmarshal(s.Bytes(), &g); err != nil {
			t.Fatal(err)
		}
		out = append(out, g)
	}
	return out
}

// TestStructures compares the jaxprs of small programs on tracing, printing,
// transformations and sharing with JAX's, byte for byte, and checks them.
func TestStructures(t *testing.T) {
	compareStructures(t, "structure.jsonl.gz", structures)
}

// TestControlFlow does the same with further programs of loops, branches,
// checkpoints and collectives (testdata/control.py makes them).
func TestControlFlow(t *testing.T) { compareStructures(t, "control.jsonl.gz", controls) }

var controls = map[string]func() structureProgram{}

func more(ps map[string]func() structureProgram) bool {
	for id, p := range ps {
		controls[id] = p
	}
	return true
}

func compareStructures(t *testing.T, file string, programs map[string]func() structureProgram) {
	passed, total := 0, 0
	var missing []string
	for _, g := range readStructures(t, file) {
		total++
		build := programs[g.ID]
		if build == nil {
			missing = append(missing, g.ID)
			continue
		}
		t.Run(strings.ReplaceAll(g.ID, "/", "|"), func(t *testing.T) {
			var j *jax.Jaxpr
			var p structureProgram
			if err := raised(func() {
				p = build()
				if names := paramNames(g, len(p.args)); names != nil && g.HLO != "" {
					p.f = jax.Named(p.f, "", names...)
				}
				j = jax.MakeJaxpr(p.f)(p.args...)
			}); err != nil {
				t.Fatalf("%s on %s: %v", g.F, g.Args, err)
			}
			if got := j.String(); got != g.Jaxpr {
				t.Fatalf("%s on %s:\n%s", g.F, g.Args, golden.Diff(g.Jaxpr, got))
			}
			if err := core.Check(j); err != nil {
				t.Fatal(err)
			}
			compareLowered(t, g, p)
			passed++
		})
	}
	t.Logf("no Go program: %s", strings.Join(missing, " "))
	fmt.Fprintf(os.Stdout, "%s: %d of %d programs pass, %d have no Go program\n", t.Name(), passed, total, len(missing))
}

var lambdaParams = regexp.MustCompile(`lambda ([a-z0-9,]+):`)

// paramNames are the parameters' names in the Python program: those of the first
// lambda with as many, which the transformations around it keep.
func paramNames(g goldenStructure, n int) []string {
	if strings.HasPrefix(g.F, "(lambda") {
		return []string{"x"} // what is made by calling a lambda
	}
	for _, m := range lambdaParams.FindAllStringSubmatch(g.F, -1) {
		if names := strings.Split(m[1], ","); len(names) == n {
			return names
		}
	}
	return nil
}

func compareLowered(t *testing.T, g goldenStructure, p structureProgram) {
	if g.HLO == "" {
		return
	}
	l := jax.Jit(p.f).Lower(p.args...)
	if got := l.AsText(); got != g.StableHLO {
		t.Fatalf("StableHLO of %s on %s:\n%s", g.F, g.Args, golden.Diff(g.StableHLO, got))
	}
	if got := l.AsText("hlo"); got != g.HLO {
		t.Fatalf("HLO of %s on %s:\n%s", g.F, g.Args, golden.Diff(g.HLO, got))
	}
	if got := opNames(l.AsTextDebug("hlo")); g.Names != "" && got != g.Names {
		t.Fatalf("operation names of %s on %s:\n%s", g.F, g.Args, golden.Diff(g.Names, got))
	}
}

var opName = regexp.MustCompile(`(?m)^\s*(?:ROOT )?(\S+) = .*op_name="([^"]*)"`)

func opNames(hlo string) string {
	var lines []string
	for _, m := range opName.FindAllStringSubmatch(hlo, -1) {
		lines = append(lines, m[1]+" "+m[2])
	}
	return strings.Join(lines, "\n")
}
