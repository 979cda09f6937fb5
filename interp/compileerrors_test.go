package interp

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"gopherlo/internal/cellscript"
)

// sameErrors are lines where the go command and go/types word or place a
// mistake so differently that only the cell is compared: after a syntax error
// each goes its own way.
const syntaxWord = "syntax error"

// TestCompileErrors compares the errors of cells with those of the go command:
// every line that it names must be named, and no other.
func TestCompileErrors(t *testing.T) {
	text, err := os.ReadFile("testdata/compile-errors.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Cells []struct {
			Cell   string
			Errors []struct {
				Line, Col int
				Msg       string
			}
		}
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	lines, missed := 0, 0
	for i, c := range file.Cells {
		got := startScript(t).Run(c.Cell)
		have := map[int]bool{}
		for _, m := range got.Mistakes {
			have[m.Line] = true
		}
		want := map[int]bool{}
		syntax := false
		for _, e := range c.Errors {
			want[e.Line] = true
			syntax = syntax || strings.Contains(e.Msg, syntaxWord) || e.Line == 0
		}
		if syntax {
			if len(got.Mistakes) == 0 {
				t.Errorf("cell %d:\n%s\nno error, want %v", i, c.Cell, c.Errors)
			}
			continue
		}
		for line := range want {
			lines++
			if !have[line] {
				missed++
				t.Errorf("cell %d:\n%s\nline %d: want %v, got %v", i, c.Cell, line, c.Errors, brief(got.Mistakes))
			}
		}
		for line := range have {
			if !want[line] {
				t.Errorf("cell %d:\n%s\nline %d: unexpected; got %v, want %v", i, c.Cell, line, brief(got.Mistakes), c.Errors)
			}
		}
	}
	t.Logf("%d of %d lines with errors found in %d cells", lines-missed, lines, len(file.Cells))
}

func brief(ms []cellscript.Mistake) []string {
	var out []string
	for _, m := range ms {
		first, _, _ := strings.Cut(m.Text, "\n")
		out = append(out, fmt.Sprintf("%d: %s", m.Line, first))
	}
	return out
}
