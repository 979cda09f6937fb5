package interp

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"gopherlo/kernel/language"
)

// recorder is a host that keeps what a cell writes.
type recorder struct {
	mu             sync.Mutex
	stdout, stderr strings.Builder
	events         []string
}

func (r *recorder) Stream(name, text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if name == "stdout" {
		r.stdout.WriteString(text)
	} else {
		r.stderr.WriteString(text)
	}
	r.events = append(r.events, name+": "+text)
}

// await waits until something has been printed; 20 s are too long.
func (r *recorder) await(event string) {
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(time.Millisecond) {
		r.mu.Lock()
		found := slices.Contains(r.events, event)
		r.mu.Unlock()
		if found {
			return
		}
	}
	panic("not printed within 20 s: " + event)
}

func (r *recorder) Display(data language.Bundle, _, _ map[string]any, _ bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.events = append(r.events, fmt.Sprint("display: ", data["text/plain"]))
}
func (r *recorder) Clear(bool) {}
func (r *recorder) Input(context.Context, string, bool) (string, error) {
	return "", fmt.Errorf("no input")
}
func (r *recorder) Comm(string, map[string]any, map[string]any, [][]byte) {}

type goldenExpect struct {
	Stdout string
	Value  *string
	Type   string
	Error  string
	Panic  string
	Errors []struct {
		Line int
		Cols []int
		Msgs []string
	}
}

type goldenCase struct {
	ID     string
	Cells  []string
	Expect []goldenExpect
}

// TestGoldenCells runs the golden sessions; known says which cannot pass and why.
func TestGoldenCells(t *testing.T) {
	dirs := []string{"testdata/go-cells"}
	if more := os.Getenv("GOPHERLO_GOLDEN"); more != "" {
		dirs = append(dirs, filepath.Join(more, "go-cells"))
	}
	for _, dir := range dirs {
		for _, name := range []string{"cells.json", "more.json"} {
			text, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			var file struct{ Cases []goldenCase }
			if err := json.Unmarshal(text, &file); err != nil {
				t.Fatal(err)
			}
			passed := 0
			for _, c := range file.Cases {
				if t.Run(c.ID, func(t *testing.T) { runGolden(t, c) }) {
					passed++
				}
			}
			t.Logf("%s: %d of %d sessions pass", name, passed, len(file.Cases))
		}
	}
}

func runGolden(t *testing.T, c goldenCase) {
	in := New(Options{})
	for i, src := range c.Cells {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		host := &recorder{}
		res := in.Execute(ctx, language.Request{Code: src, Count: i + 1}, host)
		cancel()
		if problem := compareGolden(in, res, host, c.Expect[i]); problem != "" {
			t.Errorf("cell %d:\n%s\n%s", i+1, src, problem)
		}
	}
	in.rt.Close()
}

func compareGolden(in *Interp, res language.Result, host *recorder, want goldenExpect) string {
	var bad []string
	if got := host.stdout.String(); got != want.Stdout {
		bad = append(bad, fmt.Sprintf("stdout %q, want %q", got, want.Stdout))
	}
	switch {
	case want.Error == "" && res.Error != nil:
		bad = append(bad, "error: "+strings.Join(res.Error.Traceback, "\n"))
	case want.Error == "compile":
		bad = append(bad, compareErrors(res, want)...)
	case want.Error == "panic" && (res.Error == nil || res.Error.Value != want.Panic):
		bad = append(bad, fmt.Sprintf("got error %+v, want panic %q", res.Error, want.Panic))
	case want.Error == "":
		var got any
		if res.Value != nil {
			got = res.Value["text/plain"]
		}
		if want.Value == nil && got != nil {
			bad = append(bad, fmt.Sprintf("value %q, want none", got))
		}
		if want.Value != nil && (got != *want.Value || in.lastType() != want.Type) {
			bad = append(bad, fmt.Sprintf("value %v (%s), want %q (%s)", got, in.lastType(), *want.Value, want.Type))
		}
	}
	return strings.Join(bad, "\n")
}

func compareErrors(res language.Result, want goldenExpect) (bad []string) {
	if res.Error == nil || res.Error.Name != "CompileError" {
		return []string{fmt.Sprintf("got %+v, want compile errors", res.Error)}
	}
	for _, e := range want.Errors {
		found := slices.ContainsFunc(res.Error.Traceback, func(line string) bool {
			for _, col := range e.Cols {
				for _, msg := range e.Msgs {
					if strings.Contains(line, fmt.Sprintf("line %d:%d: %s", e.Line, col, msg)) {
						return true
					}
				}
			}
			return false
		})
		if !found {
			bad = append(bad, fmt.Sprintf("want %+v, got %v", e, res.Error.Traceback))
		}
	}
	return bad
}
