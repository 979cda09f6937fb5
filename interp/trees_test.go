package interp

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gopherlo/kernel/language"
)

// TestTrees runs the sessions of testdata/trees cell by cell: typed values of
// Funcs and trees. Traces need no plugin. In a cell, a line "= text" is what it
// shows and "! text" a part of its error.
func TestTrees(t *testing.T) {
	files, err := filepath.Glob("testdata/trees/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			in := New(Options{})
			defer in.rt.Close()
			for i, part := range strings.Split(string(text), "\n---\n") {
				treeCell(t, in, i+1, part)
			}
		})
	}
}

func treeCell(t *testing.T, in *Interp, n int, part string) {
	var code, want, bad []string
	for _, line := range strings.Split(strings.TrimSpace(part), "\n") {
		switch {
		case strings.HasPrefix(line, "= "):
			want = append(want, line[2:])
		case strings.HasPrefix(line, "! "):
			bad = append(bad, line[2:])
		default:
			code = append(code, line)
		}
	}
	res := in.Execute(context.Background(), language.Request{Code: strings.Join(code, "\n"), Count: n}, &recorder{})
	if res.Error != nil {
		text := strings.Join(res.Error.Traceback, "\n")
		for _, b := range bad {
			if !strings.Contains(text, b) {
				t.Errorf("cell %d: no %q in\n%s", n, b, text)
			}
		}
		if len(bad) == 0 {
			t.Errorf("cell %d: %s", n, text)
		}
		return
	}
	if len(bad) > 0 {
		t.Errorf("cell %d: no error", n)
	}
	if got, _ := res.Value["text/plain"].(string); got != strings.Join(want, "\n") {
		t.Errorf("cell %d: got %s", n, got)
	}
}
