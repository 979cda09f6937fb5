package interp

import (
	"context"
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gopherlo/interp/cell"
	"gopherlo/kernel/language"
)

var packageRE = regexp.MustCompile(`(?m)^package main\b`)

// TestPrograms runs Go programs and sessions of cells and compares what they
// print with what go1.26.8 made of them (the .want files). A program is one
// cell; a session has its cells apart by "---", which were joined into a main
// for Go. The value of a last expression that is no call prints as "Out: …".
func TestPrograms(t *testing.T) {
	files, err := filepath.Glob("testdata/programs/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no programs", err)
	}
	for _, f := range files {
		if !slices.Contains(withLines, f) {
			compareProgram(t, f)
		}
	}
}

// withLines are programs whose panics need the lines of operations.
var withLines = []string{"testdata/programs/bounds-nested.txt", "testdata/programs/assign-order.txt", "testdata/programs/runtime-errors.txt", "testdata/programs/assign-random.txt", "testdata/programs/k-index-order.txt"}

func TestProgramWithLines(t *testing.T) {
	if raceEnabled {
		t.Skip("the line that tells one of several operations is not known then")
	}
	for _, f := range withLines {
		compareProgram(t, f)
	}
}

// compareProgram runs a program or session and compares what it prints.
func compareProgram(t *testing.T, f string) {
	name := strings.TrimSuffix(f, ".txt")
	t.Run(filepath.Base(name), func(t *testing.T) {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(name + ".want")
		if err != nil {
			t.Fatal(err)
		}
		got := strings.Split(runProgram(string(text)), "\n")
		for i, line := range strings.Split(string(want), "\n") {
			if i >= len(got) || got[i] != line {
				t.Fatalf("line %d: got %q, want %q", i+1, append(got, "")[min(i, len(got))], line)
			}
		}
	})
}

// runProgram gives what a program or a session prints.
func runProgram(text string) string {
	in := New(Options{})
	defer in.rt.Close()
	host := &recorder{}
	cells := strings.Split(text, "\n---\n")
	if packageRE.MatchString(text) {
		cells = []string{packageRE.ReplaceAllString(text, "            ") + "\nmain()\n"}
	}
	for i, code := range cells {
		res := in.Execute(context.Background(), language.Request{Code: code, Count: i + 1}, host)
		switch {
		case res.Error != nil && (res.Error.Name == "CompileError" || res.Error.Name == "InternalError"):
			host.Stream("stdout", strings.Join(res.Error.Traceback, "\n"))
		case res.Error != nil:
			host.Stream("stdout", "panic: "+res.Error.Value+"\n")
		case res.Value != nil && showsValue(code):
			host.Stream("stdout", fmt.Sprintf("Out: %v\n", res.Value["text/plain"]))
		}
	}
	return host.stdout.String()
}

// showsValue reports a cell whose last expression is no call.
func showsValue(code string) bool {
	c, errs := cell.Parse(token.NewFileSet(), 1, code)
	if len(errs) > 0 || c.Tail == nil {
		return false
	}
	_, call := ast.Unparen(c.Tail.X).(*ast.CallExpr)
	return !call
}
