package interp

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"gopherlo/interp/cell"
	"gopherlo/kernel/language"
)

// FuzzPrepare looks for cells that the checker or the lowerer fails or hangs on,
// that yaegi refuses although they are right, or that spoil the session: after
// them a good cell must work. The cells themselves are not run. Go's fuzzer
// instruments yaegi and go/types too, which makes a cell cost a tenth of a second,
// and runs all that it starts from before it changes anything. So it starts from
// few cells and, without a cell, from numbers by which the mutator makes one of
// a known one.
func FuzzPrepare(f *testing.F) {
	seeds := fuzzSeeds(f)
	m := newMutator(seeds, 0)
	for n := range uint64(12) {
		f.Add(n, "")
		f.Add(n, seeds[int(n)*len(seeds)/12])
	}
	var in *Interp
	runs := 0
	f.Fuzz(func(t *testing.T, n uint64, src string) {
		if len(src) > 2000 {
			return
		}
		if src == "" {
			m.rnd = rand.New(rand.NewPCG(n, 1))
			src = m.next(m.rnd.IntN(len(seeds)))
		}
		if runs++; in == nil || runs%200 == 0 || shadowed(in) { // a session grows
			if in != nil {
				in.rt.Close()
			}
			in = New(Options{})
		}
		fuzzCell(t, in, src)
		if runs%8 == 0 && !shadowed(in) {
			goodCell(t, in, src)
		}
	})
}

// fuzzCell checks, lowers and declares a cell; it reports whether it was right.
func fuzzCell(t *testing.T, in *Interp, src string) bool {
	c, errs := cell.Parse(in.fset, 1, src)
	if len(errs) > 0 {
		return false
	}
	began := time.Now()
	r := &cellRun{in: in, ctx: context.Background(), host: &recorder{}}
	d, failure := r.prepare(c)
	if d != nil {
		in.names.Lock()       // values are kept beside
		d.res.Commit(1 << 30) // its variables too, for the cells that follow
		in.names.Unlock()
		in.leave(d)
	}
	if failure != nil && failure.Name == "InternalError" {
		t.Fatalf("%q:\n%s\n%v", src, failure.Value, failure.Traceback[1:])
	}
	if took := time.Since(began); took > 10*time.Second {
		t.Fatalf("%q: %v", src, took)
	}
	return failure == nil
}

// goodCell runs a cell that works in any session.
func goodCell(t *testing.T, in *Interp, src string) {
	const good = "type goodT struct{ xs []int }\nfunc (g goodT) sum() (n int) { for _, x := range g.xs { n += x }; return n }\ngoodX := goodT{[]int{1, 2, 39}}\ngoodX.sum()"
	res := in.Execute(context.Background(), language.Request{Code: good, Count: 2}, &recorder{})
	if res.Error != nil || res.Value["text/plain"] != "42" {
		t.Fatalf("after %q: %v %+v", src, res.Value, res.Error)
	}
}

// shadowed reports a session that has other meanings for the names of the good
// cell.
func shadowed(in *Interp) bool {
	for _, name := range []string{"int", "goodT", "goodX"} {
		if sym := in.session.Lookup(name); sym != nil && (name == "int" || sym.Cell != 2) {
			return true
		}
	}
	return false
}

// fuzzSeeds are the cells of the sessions.
func fuzzSeeds(t testing.TB) (seeds []string) {
	for _, session := range fuzzSessions(t) {
		seeds = append(seeds, session...)
	}
	return seeds
}

// fuzzSessions are the golden sessions, those of scripts and, one by one, the
// cells of the tests for wrong cells.
func fuzzSessions(t testing.TB) (sessions [][]string) {
	read := func(name string, into any) {
		text, err := os.ReadFile("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(text, into); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"cells.json", "more.json"} {
		var file struct{ Cases []goldenCase }
		read("go-cells/"+name, &file)
		for _, c := range file.Cases {
			sessions = append(sessions, c.Cells)
		}
	}
	for _, name := range []string{"compile-errors.json", "syntax-errors.json"} {
		var wrong struct{ Cells []wrongCell }
		read(name, &wrong)
		for _, c := range wrong.Cells {
			sessions = append(sessions, []string{c.Cell})
		}
	}
	for _, pattern := range []string{"testdata/scripts/*.txt", "testdata/trees/*.txt", "testdata/programs/*.txt"} {
		files, _ := filepath.Glob(pattern)
		for _, name := range files {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			sessions = append(sessions, strings.Split(expectedRE.ReplaceAllString(string(text), ""), "\n---\n"))
		}
	}
	return sessions
}

// expectedRE finds what a script expects, which is not Go.
var expectedRE = regexp.MustCompile(`(?m)^[=!] .*\n|\s*### .*$|^// (value|out|err): .*\n`)
