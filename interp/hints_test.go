package interp

import (
	"context"
	"flag"
	"os"
	"strings"
	"testing"

	"gopherlo/kernel/language"
)

var update = flag.Bool("update", false, "write testdata/hints.txt")

// TestHints: each cell of testdata/hints.txt, written by somebody who knows Python or
// Go better than this kernel, gets the hints that stand below it.
func TestHints(t *testing.T) {
	const file, mark = "testdata/hints.txt", "// hint: "
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	in := New(Options{})
	defer func() { in.rt.Close() }()
	var out []string
	for i, chunk := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n---\n") {
		code, _, _ := strings.Cut(chunk, "\n"+mark)
		res := in.Execute(context.Background(), language.Request{Code: code, Count: i + 1}, quiet{})
		now := code
		for _, h := range hintsOf(res.Error) {
			now += "\n" + mark + h
		}
		if out = append(out, now); now != chunk && !*update {
			t.Errorf("%s\nis now\n%s", chunk, now)
		}
	}
	if *update {
		if err := os.WriteFile(file, []byte(strings.Join(out, "\n---\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// hintsOf are the lines of a compile error that stand below those which mark a place.
func hintsOf(e *language.Error) (hints []string) {
	if e == nil {
		return nil
	}
	for _, text := range e.Traceback {
		lines := strings.Split(text, "\n")
		for i := 1; i < len(lines); i++ {
			if strings.TrimLeft(lines[i-1], " ") == "^" {
				hints = append(hints, strings.TrimSpace(lines[i]))
			}
		}
	}
	return hints
}
