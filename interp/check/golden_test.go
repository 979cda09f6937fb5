package check_test

import (
	"encoding/json"
	"go/token"
	"os"
	"slices"
	"strings"
	"testing"

	"gopherlo/interp/cell"
	"gopherlo/interp/check"
	"gopherlo/interp/symbols"
)

type goldenError struct {
	Line int
	Cols []int
	Msgs []string
}

type goldenCase struct {
	ID     string
	Cells  []string
	Expect []struct {
		Error  string
		Errors []goldenError
	}
}

// TestGolden checks every golden session: cells that Go accepts are accepted,
// the others fail where and how Go says.
func TestGolden(t *testing.T) {
	for _, name := range []string{"cells.json", "more.json"} {
		text, err := os.ReadFile("../testdata/go-cells/" + name)
		if err != nil {
			t.Fatal(err)
		}
		var file struct{ Cases []goldenCase }
		if err := json.Unmarshal(text, &file); err != nil {
			t.Fatal(err)
		}
		for _, c := range file.Cases {
			t.Run(c.ID, func(t *testing.T) { checkCase(t, c) })
		}
	}
}

func checkCase(t *testing.T, c goldenCase) {
	fset := token.NewFileSet()
	s := check.NewSession(fset, symbols.NewImporter(fset), check.Env{Packages: symbols.Packages()})
	for i, src := range c.Cells {
		want := c.Expect[i].Errors
		parsed, errs := cell.Parse(fset, i+1, src)
		var got []cell.Error
		if errs != nil {
			got = errs
		} else {
			res, diags := s.Check(parsed)
			for _, d := range diags {
				got = append(got, d.Error)
			}
			if res != nil {
				res.Commit(len(res.Stmts))
			}
		}
		for _, w := range want {
			if !slices.ContainsFunc(got, func(e cell.Error) bool {
				return e.Line == w.Line && slices.Contains(w.Cols, e.Col) && slices.Contains(w.Msgs, strings.SplitN(e.Msg, "\n", 2)[0])
			}) {
				t.Errorf("cell %d: want %+v, got %+v", i+1, w, got)
			}
		}
		if len(want) == 0 && len(got) > 0 {
			t.Errorf("cell %d: %s\nunexpected: %v", i+1, src, got)
		}
	}
}
