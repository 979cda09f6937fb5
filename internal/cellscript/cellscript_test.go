package cellscript

import (
	"strings"
	"testing"
)

const script = `x := 1
// out: hello
// value: 2
---
y := nope ### "undefined: nope"
z := 3
---
nothing()
`

func TestParse(t *testing.T) {
	cells, err := Parse(script)
	if err != nil {
		t.Fatal(err)
	}
	if len(cells) != 3 || cells[1].Line != 5 {
		t.Fatalf("got %+v", cells)
	}
	if c := cells[0]; c.Code != "x := 1" || c.Out != "hello\n" || c.Value != "2" {
		t.Errorf("got %+v", c)
	}
	if c := cells[1]; c.Code != "y := nope\nz := 3" || c.Wants[0].Line != 1 {
		t.Errorf("got %+v", c)
	}
	if _, err := Parse(`x ### "("`); err == nil {
		t.Error("a bad regexp is taken")
	}
}

func TestCompare(t *testing.T) {
	cells, err := Parse(script)
	if err != nil {
		t.Fatal(err)
	}
	if bad := cells[0].Compare(Result{Stdout: "hello\n", Value: "2"}); len(bad) > 0 {
		t.Errorf("unexpected: %v", bad)
	}
	if bad := cells[1].Compare(Result{Mistakes: []Mistake{{1, 0, "undefined: nope"}}}); len(bad) > 0 {
		t.Errorf("unexpected: %v", bad)
	}
	for _, r := range []Result{{}, {Stdout: "hello\n"}, {Value: "2"}} {
		if bad := cells[0].Compare(r); len(bad) == 0 {
			t.Errorf("%+v passes", r)
		}
	}
	bad := cells[2].Compare(Result{Mistakes: []Mistake{{1, 0, "boom"}}})
	if len(bad) != 1 || !strings.Contains(bad[0], "boom") {
		t.Errorf("got %v", bad)
	}
}
