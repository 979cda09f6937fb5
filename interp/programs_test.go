package interp

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gopherlo/kernel/language"
)

var packageRE = regexp.MustCompile(`(?m)^package main\b`)

// TestPrograms runs whole Go programs as one cell and compares what they print
// with what go1.26.8 made of them (the .want files).
func TestPrograms(t *testing.T) {
	files, err := filepath.Glob("testdata/programs/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no programs", err)
	}
	for _, f := range files {
		t.Run(strings.TrimSuffix(filepath.Base(f), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			want, err := os.ReadFile(strings.TrimSuffix(f, ".txt") + ".want")
			if err != nil {
				t.Fatal(err)
			}
			in := New(Options{})
			defer in.rt.Close()
			host := &recorder{}
			code := packageRE.ReplaceAllString(string(text), "            ") + "\nmain()\n"
			res := in.Execute(context.Background(), language.Request{Code: code, Count: 1}, host)
			if res.Error != nil {
				t.Fatal(strings.Join(res.Error.Traceback, "\n"))
			}
			got := strings.Split(host.stdout.String(), "\n")
			for i, line := range strings.Split(string(want), "\n") {
				if i >= len(got) || got[i] != line {
					t.Fatalf("line %d: got %q, want %q", i+1, append(got, "")[min(i, len(got))], line)
				}
			}
		})
	}
}
