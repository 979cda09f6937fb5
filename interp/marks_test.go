package interp

import (
	"context"
	"slices"
	"testing"

	"gopherlo/interp/lower"
	"gopherlo/kernel/language"
)

// marking is a host that notes the marks whenever a cell prints.
type marking struct {
	quiet
	marks language.Marks
	seen  []language.Marks
}

func (m *marking) Marks() *language.Marks { return &m.marks }

func (m *marking) Stream(string, string) { m.seen = append(m.seen, m.marks) }

// TestMarks: the kernel's memory has the line that runs and the cell's statement,
// and nothing once the cell has ended.
func TestMarks(t *testing.T) {
	if raceEnabled {
		t.Skip("lines are not known under the race detector")
	}
	if lower.LineBase != language.MarkBase {
		t.Fatal("marks are not as the kernel reads them")
	}
	in := New(Options{})
	defer func() { in.rt.Close() }()
	host := &marking{}
	run := func(count int, code string, want ...language.Marks) {
		t.Helper()
		host.seen = nil
		if res := in.Execute(context.Background(), language.Request{Code: code, Count: count, Cell: int64(count)}, host); res.Error != nil {
			t.Fatalf("%v", res.Error)
		}
		if !slices.Equal(host.seen, want) {
			t.Errorf("%s: %v, not %v", code, host.seen, want)
		}
		if host.marks != (language.Marks{}) {
			t.Errorf("%s leaves %v", code, host.marks)
		}
	}
	run(1, "fmt.Println(1)", language.Marks{Line: 1_000_001, Statement: 1_000_001})
	run(2, "func f() {\n\tfmt.Println(2)\n}\nf()\nprintln(3)", language.Marks{Line: 2_000_002, Statement: 2_000_004}, language.Marks{Line: 2_000_005, Statement: 2_000_005})
	run(3, "%reset")
	run(4, "fmt.Println(1)", language.Marks{Line: 4_000_001, Statement: 4_000_001})
}
