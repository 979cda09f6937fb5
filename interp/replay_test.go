package interp

import (
	"context"
	"slices"
	"strings"
	"testing"

	"gopherlo/kernel/language"
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
		for i, p := range planReplay(wellEnded(test.cells), kept) {
			if !p.skip {
				runs = append(runs, i)
			}
		}
		if !slices.Equal(runs, test.runs) {
			t.Errorf("%s: cells %v run, want %v", test.name, runs, test.runs)
		}
	}
}

func wellEnded(codes []string) (past []language.Past) {
	for _, code := range codes {
		past = append(past, language.Past{Code: code})
	}
	return past
}

// TestReplayOfFailed: what a failed cell did before it failed is done again; a
// cell that was interrupted is left out and named; a cell that ended well and
// fails now stops the replay.
func TestReplayOfFailed(t *testing.T) {
	host := &journalHost{cells: []language.Past{
		{Code: "x := 5"},
		{Code: "y := x + 1\npanic(\"no\")\nz := 1", Failed: true},
		{Code: "undefined + 1", Failed: true},
		{Code: "for {\n}", Failed: true, Lost: true},
		{Code: "y *= 2"},
	}}
	in := New(Options{})
	defer in.rt.Close()
	run := func(code string) language.Result {
		return in.Execute(context.Background(), language.Request{Code: code}, host)
	}
	if res := run("%replay"); res.Error != nil {
		t.Fatal(res.Error)
	}
	if got := run("y").Value["text/plain"]; got != "12" {
		t.Errorf("y is %v", got)
	}
	if out := host.stdout.String(); !strings.Contains(out, "replayed 4 cells in") || !strings.HasSuffix(out, "of which 2 failed, as before\n") || !strings.HasPrefix(out, "not run again, as it was interrupted or ended its worker:\n    for {\n    }\n") {
		t.Errorf("it says %q", out)
	}
	host.stdout.Reset()
	host.cells = host.cells[:1]
	if run("%replay"); !strings.Contains(host.stdout.String(), "replayed 1 cell in") {
		t.Errorf("it says %q", host.stdout.String())
	}
}

// TestReplayGoesOn: cells that need one which was left out fail, are told of, and
// the later ones run.
func TestReplayGoesOn(t *testing.T) {
	cells := []language.Past{
		{Code: "z := 41"},
		{Code: "x := 0\nfor { x++ }", Failed: true, Lost: true},
		{Code: "x > 0"},
		{Code: "z++"},
	}
	host := &journalHost{cells: cells}
	in := New(Options{})
	defer in.rt.Close()
	if res := in.Execute(context.Background(), language.Request{Code: "%replay"}, host); res.Error != nil {
		t.Fatal(res.Error)
	}
	if out := host.stdout.String(); !strings.HasPrefix(out, "not run again, as it was interrupted or ended its worker:\n    x := 0\n    for { x++ }\n") || !strings.HasSuffix(out, "; 1 cell failed that had not\n") {
		t.Errorf("it says %q", out)
	}
	if e := host.stderr.String(); !strings.HasPrefix(e, "cell 2 of 3 failed now, and had not:\n    x > 0\nCompileError: ") {
		t.Errorf("it warns %q", e)
	}
	res := in.Execute(context.Background(), language.Request{Code: "z"}, host)
	if res.Error != nil || res.Value["text/plain"] != "42" {
		t.Errorf("z: %v, %+v", res.Value, res.Error)
	}
	// Where it comes by itself the user's cell does not run.
	again := New(Options{})
	defer again.rt.Close()
	if res := again.Execute(context.Background(), language.Request{Code: "z", Replay: true}, host); res.Error == nil || res.Error.Name != "CompileError" {
		t.Errorf("result %+v", res)
	}
}
