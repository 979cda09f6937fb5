package interp

import (
	"context"
	"fmt"
	"testing"
	"time"

	"gopherlo/kernel/language"
)

// quiet is a host that drops everything.
type quiet struct{}

func (quiet) Stream(string, string)                                         {}
func (quiet) Display(language.Bundle, map[string]any, map[string]any, bool) {}
func (quiet) Clear(bool)                                                    {}
func (quiet) Input(context.Context, string, bool) (string, error)           { return "", language.ErrNoStdin }
func (quiet) Comm(string, map[string]any, map[string]any, [][]byte)         {}

func benchmarkCells(b *testing.B, setup string, cell func(i int) string) {
	in := New(Options{})
	run := func(code string) {
		if res := in.Execute(context.Background(), language.Request{Code: code}, quiet{}); res.Error != nil {
			b.Fatal(res.Error.Traceback)
		}
	}
	run(setup)
	i := 0
	for b.Loop() {
		i++
		run(cell(i))
	}
}

// BenchmarkCell is a trivial cell without the kernel around it.
func BenchmarkCell(b *testing.B) {
	benchmarkCells(b, "x := 7", func(int) string { return "x = 7" })
}

// BenchmarkCellChanged has another text each time, and a value.
func BenchmarkCellChanged(b *testing.B) {
	benchmarkCells(b, "x := 7", func(i int) string { return fmt.Sprintf("x + %d", i) })
}

// BenchmarkLines prints 10,000 lines.
func BenchmarkLines(b *testing.B) {
	benchmarkCells(b, "x := 7", func(int) string { return "for i := range 10000 {\n\tfmt.Println(\"line\", i)\n}" })
}

// TestCostStaysFlat runs 2,000 cells that declare names, keep values and print,
// and wants a trivial cell to cost then what it did before.
func TestCostStaysFlat(t *testing.T) {
	if testing.Short() || raceEnabled {
		t.Skip("measures times")
	}
	in := New(Options{})
	defer in.rt.Close()
	n := 0
	run := func(code string) time.Duration {
		n++
		began := time.Now()
		if res := in.Execute(context.Background(), language.Request{Code: code, Count: n}, quiet{}); res.Error != nil {
			t.Fatal(res.Error.Traceback)
		}
		return time.Since(began)
	}
	quickest := func() time.Duration { // of many: other work on the machine only adds
		best := time.Hour
		for i := range 60 {
			best = min(best, run(fmt.Sprintf("x + %d", i)))
		}
		return best
	}
	run("x := 7\nfunc f(n int) int { return n + x }\ntype T struct{ a, b int }\nfunc (t T) Sum() int { return t.a + t.b }")
	quickest()
	before := quickest()
	for i := range 500 {
		run(fmt.Sprintf("v%d := f(%d)", i, i))
		run(fmt.Sprintf("func g%d(t T) int { return t.Sum() + v%d }\ng%d(T{%d, 1})", i, i, i, i))
		run(fmt.Sprintf("_ + v%d", i))
		run(fmt.Sprintf("v%d := fmt.Sprint(v%d)\nfor range 3 { x++ }", i, i))
	}
	after := quickest()
	t.Logf("%v before, %v after %d cells", before, after, n)
	if after > 3*before+100*time.Microsecond {
		t.Errorf("a trivial cell takes %v, %v before", after, before)
	}
}
