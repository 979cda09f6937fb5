package interp

import (
	"context"
	"slices"
	"testing"

	"gopherlo/kernel/language"
)

// TestTracebacks: each function that a panic has left is there once, with the
// line that ran, in inner loops too.
func TestTracebacks(t *testing.T) {
	if raceEnabled {
		t.Skip("lines are not known then")
	}
	for _, c := range []struct {
		cell string
		want []string
	}{
		{"func outer() int {\n\tdefer fmt.Print()\n\tpanic(\"x\")\n}\nouter()", []string{"panic: x", "cell 1, line 3, in outer", "cell 1, line 5"}},
		{
			"func outer() (n int) {\n\tdefer func() { n++ }()\n\treturn inner()\n}\nfunc inner() int {\n\tdefer fmt.Print()\n\tvar m map[int]int\n\tm[1] = 2\n\treturn 0\n}\nouter()",
			[]string{"panic: assignment to entry in nil map", "cell 1, line 8, in inner", "cell 1, line 3, in outer", "cell 1, line 11"},
		},
		{
			"x := []int{1}\nfor i := range 2 {\n\tfor j := range 2 {\n\t\t_ = i\n\t\t_ = x[j]\n\t}\n}",
			[]string{"panic: runtime error: index out of range", "cell 1, line 5"},
		},
	} {
		in := New(Options{})
		res := in.Execute(context.Background(), language.Request{Code: c.cell, Count: 1}, quiet{})
		in.rt.Close()
		if res.Error == nil || !slices.Equal(res.Error.Traceback, c.want) {
			t.Errorf("%s\ngot %+v, want %q", c.cell, res.Error, c.want)
		}
	}
}
