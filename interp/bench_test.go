package interp

import (
	"context"
	"fmt"
	"testing"

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
