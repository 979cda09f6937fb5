package export_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"gopherlo/interp/export"
	"gopherlo/interp/notebook"
)

// goCase is a session of plain Go cells with what Go gives for it.
type goCase struct {
	id     string
	cells  []string
	expect []map[string]any
}

// stub is package cells without JAX, so that programs of plain Go link fast.
const stub = `package cells

import (
	"fmt"
	"os"
	"strings"
)

type Cell struct {
	N       int
	Body    func()
	MayFail bool
}

func Run(cells ...Cell) {
	for _, c := range cells {
		done := make(chan bool)
		go func() {
			defer close(done)
			defer func() {
				if r := recover(); r != nil {
					if e, ok := r.(error); ok {
						r = e.Error()
					}
					fmt.Printf("panic: %v\n", r)
					if !c.MayFail {
						os.Exit(1)
					}
				}
			}()
			c.Body()
		}()
		<-done
	}
}

func Show(values ...any) { fmt.Println(strings.TrimSuffix(fmt.Sprintln(values...), "\n")) }

func Raise(name, text string) { panic(name) }

func Fn[F any](f F, name string, params ...string) F { return f }
`

// Sessions of plain Go print as programs what Go says they print.
func TestGoCellsLong(t *testing.T) {
	if os.Getenv("GOPHERLO_LONG") == "" {
		t.Skip("not run: long, set GOPHERLO_LONG=1")
	}
	dir := t.TempDir()
	put(t, dir, "go.mod", "module gopherlo\n\ngo 1.26\n")
	put(t, dir, "cells/cells.go", stub)
	want := map[string]string{}
	for _, file := range []string{"cells.json", "more.json"} {
		for _, c := range readCases(t, filepath.Join("..", "testdata", "go-cells", file)) {
			want[c.id] = writeCase(t, dir, c)
		}
	}
	build := exec.Command("go", "build", "-ldflags=-s -w", "-o", filepath.Join(dir, "bin")+"/", "./...")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	if len(want) < 131 {
		t.Errorf("%d sessions, not 131", len(want))
	}
	for id, text := range want {
		out, err := exec.Command(filepath.Join(dir, "bin", id)).Output()
		if string(out) != text {
			t.Errorf("%s (%v) prints:\n%s\nwant:\n%s", id, err, out, text)
		}
	}
}

var pjrtLine = regexp.MustCompile(`(?m)^\t_ "gopherlo/xla/pjrt"\n`)

// writeCase writes the program of a case and gives what it should print, "" when
// there is none.
func writeCase(t *testing.T, dir string, c goCase) (want string) {
	t.Helper()
	nb := &notebook.Notebook{Name: c.id}
	for i, text := range c.cells {
		cell := notebook.Cell{Kind: "code", Source: text}
		e := c.expect[i]
		out, _ := e["stdout"].(string)
		want += out
		if v, ok := e["value"].(string); ok {
			want += v + "\n"
		}
		switch e["error"] {
		case "compile":
			cell.Tags = []string{"raises-exception"}
			want += "panic: CompileError\n"
		case "panic":
			cell.Tags = []string{"raises-exception"}
			want += fmt.Sprintf("panic: %v\n", e["panic"])
		}
		nb.Cells = append(nb.Cells, cell)
	}
	p, err := export.Notebook(nb, options())
	if err != nil {
		t.Errorf("%s: %v", c.id, err)
		return ""
	}
	put(t, dir, filepath.Join(c.id, "main.go"), pjrtLine.ReplaceAllString(p.Text, ""))
	return want
}

func readCases(t *testing.T, file string) []goCase {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var all struct {
		Cases []struct {
			ID     string
			Cells  []string
			Expect []map[string]any
		}
	}
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	var list []goCase
	for _, c := range all.Cases {
		list = append(list, goCase{c.ID, c.Cells, c.Expect})
	}
	return list
}

func put(t *testing.T, dir, name, text string) {
	t.Helper()
	file := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
