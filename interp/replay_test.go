package interp

import (
	"slices"
	"testing"
)

func TestPlanReplay(t *testing.T) {
	kept := saved{"w": {}, "n": {}, "m": {Mutable: true}}
	for _, test := range []struct {
		name  string
		cells []string
		runs  []int // cells that run or restore
	}{
		{"nothing saved", []string{"a := 1", "b := a"}, []int{0, 1}},
		{"computed before", []string{"w := train()", "%checkpoint w", "f(w)"}, []int{1, 2}},
		{"loop", []string{"w := zero", "for range 10 {\n\tw = step(w)\n\tfmt.Println(w)\n}", "%checkpoint w"}, []int{2}},
		{"read between", []string{"w := train()", "v := w + 1", "%checkpoint w"}, []int{0, 1, 2}},
		{"another is set", []string{"w, v := train()", "%checkpoint w"}, []int{0, 1}},
		{"effects", []string{"register()\nw := train()", "%checkpoint w"}, []int{0, 1}},
		{"declares", []string{"func f() int { return 1 }\nw := f()", "%checkpoint w"}, []int{0, 1}},
		{"changed after", []string{"w := train()", "%checkpoint w", "w = step(w)"}, []int{1, 2}},
		{"saved twice", []string{"w := train()", "%checkpoint w", "w = step(w)", "%checkpoint w"}, []int{3}},
		{"two names", []string{"w := a()", "n := b()", "%checkpoint w n"}, []int{2}},
		{"may change", []string{"m := a()", "%checkpoint m", "n := m.step()", "%checkpoint n"}, []int{1, 2, 3}},
		{"struct", []string{"m := a()", "%checkpoint m", "n := m.X", "%checkpoint n"}, []int{1, 3}},
		{"not saved", []string{"x := a()", "%checkpoint x"}, []int{0}},
	} {
		var runs []int
		for i, p := range planReplay(test.cells, kept) {
			if !p.skip {
				runs = append(runs, i)
			}
		}
		if !slices.Equal(runs, test.runs) {
			t.Errorf("%s: cells %v run, want %v", test.name, runs, test.runs)
		}
	}
}
