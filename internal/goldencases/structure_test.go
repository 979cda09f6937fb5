package goldencases

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
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

type goldenStructure struct{ ID, Defs, F, Args, Jaxpr string }

func readStructures(t *testing.T) []goldenStructure {
	t.Helper()
	file, err := os.Open("testdata/structure.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	z, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	var out []goldenStructure
	for s := bufio.NewScanner(z); s.Scan(); {
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
	passed, total := 0, 0
	var missing []string
	for _, g := range readStructures(t) {
		total++
		build := structures[g.ID]
		if build == nil {
			missing = append(missing, g.ID)
			continue
		}
		t.Run(strings.ReplaceAll(g.ID, "/", "|"), func(t *testing.T) {
			var j *jax.Jaxpr
			if err := raised(func() {
				p := build()
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
			passed++
		})
	}
	t.Logf("no Go program: %s", strings.Join(missing, " "))
	fmt.Fprintf(os.Stdout, "structures: %d of %d programs pass, %d have no Go program\n", passed, total, len(missing))
}
