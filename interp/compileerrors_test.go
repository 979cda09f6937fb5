package interp

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"gopherlo/internal/cellscript"
)

// syntaxWord is in the errors after which the go command and go/parser each go
// their own way.
const syntaxWord = "syntax error"

// TestCompileErrors compares the errors of cells with those of the go command:
// every line and column that it names must be named, and no other. Of the cells
// in the first file that have syntax errors only the first is compared.
func TestCompileErrors(t *testing.T) {
	places := 0
	cells := append(readWrong(t, "compile-errors.json"), readWrong(t, "compile-errors-2.json")...)
	for i, c := range cells {
		got := startScript(t).Run(c.Cell)
		want := c.places()
		places += len(want)
		have := map[place]bool{}
		for _, m := range got.Mistakes {
			have[place{m.Line, m.Col}] = true
		}
		for p := range want {
			if !have[p] {
				t.Errorf("cell %d:\n%s\n%v: want %v, got %v", i, c.Cell, p, c.Errors, brief(got.Mistakes))
			}
		}
		for p := range have {
			if !want[p] && !c.syntax() {
				t.Errorf("cell %d:\n%s\n%v: unexpected; got %v, want %v", i, c.Cell, p, brief(got.Mistakes), c.Errors)
			}
		}
		if len(got.Mistakes) == 0 {
			t.Errorf("cell %d:\n%s\nno error", i, c.Cell)
		}
	}
	t.Logf("%d places of errors in %d cells", places, len(cells))
}

// TestAllErrors compares the errors of cells with those of the compiler: lines,
// columns and words, of all of them and in their order.
func TestAllErrors(t *testing.T) {
	for i, c := range readWrong(t, "compile-errors-3.json") {
		var have, want []string
		for _, m := range startScript(t).Run(c.Cell).Mistakes {
			text, _, _ := strings.Cut(m.Text, "\n")
			have = append(have, fmt.Sprintf("%d:%d: %s", m.Line, m.Col, c.imported(text)))
		}
		for _, e := range c.Errors {
			want = append(want, fmt.Sprintf("%d:%d: %s", e.Line, e.Col, c.imported(e.Msg)))
		}
		slices.Sort(have)
		slices.Sort(want)
		if !slices.Equal(have, want) {
			t.Errorf("cell %d:\n%s\ngot\n%s\nwant\n%s", i, c.Cell, strings.Join(have, "\n"), strings.Join(want, "\n"))
		}
	}
}

// imported is a message, but for those about a package that is not there: a kernel
// says more of them than a compiler.
func (c *wrongCell) imported(msg string) string {
	if strings.HasPrefix(msg, "could not import ") || strings.HasSuffix(msg, "?") && strings.HasPrefix(msg, "package ") {
		return "not imported"
	}
	return msg
}

// TestSyntaxErrors compares all syntax errors of cells with those of the go
// command.
func TestSyntaxErrors(t *testing.T) {
	for i, c := range readWrong(t, "syntax-errors.json") {
		got := startScript(t).Run(c.Cell)
		var have, want []place
		for _, m := range got.Mistakes {
			have = append(have, place{m.Line, m.Col})
		}
		for _, e := range c.Errors {
			want = append(want, place{e.Line, e.Col})
		}
		if !slices.Equal(have, want) {
			t.Errorf("cell %d:\n%s\ngot %v, want %v", i, c.Cell, brief(got.Mistakes), c.Errors)
		}
	}
}

func readWrong(t *testing.T, name string) []wrongCell {
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Cells []wrongCell }
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	return file.Cells
}

type place struct{ line, col int }

// wrongCell is a cell with what the go command says of it.
type wrongCell struct {
	Cell   string
	Errors []struct {
		Line, Col int
		Msg       string
	}
}

func (c *wrongCell) syntax() bool {
	return len(c.Errors) == 0 || strings.Contains(c.Errors[0].Msg, syntaxWord) || c.Errors[0].Line == 0
}

// places are those that a cell must name: not the value at its end, which is
// used, and after a syntax error no more.
func (c *wrongCell) places() map[place]bool {
	want := map[place]bool{}
	lines := strings.Count(strings.TrimSpace(c.Cell), "\n") + 1
	for i, e := range c.Errors {
		tail := e.Line == lines && strings.HasSuffix(e.Msg, "is not used")
		if e.Line > 0 && !tail && (i == 0 || !c.syntax()) {
			want[place{e.Line, e.Col}] = true
		}
	}
	return want
}

func brief(ms []cellscript.Mistake) []string {
	var out []string
	for _, m := range ms {
		first, _, _ := strings.Cut(m.Text, "\n")
		out = append(out, fmt.Sprintf("%d:%d: %s", m.Line, m.Col, first))
	}
	return out
}
