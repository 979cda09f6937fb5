package interp

import (
	"context"
	"encoding/json"
	"os"
	"testing"

	"gopherlo/interp/cell"
)

// FuzzPrepare looks for cells that the checker or the lowerer fails on, or that
// yaegi refuses although they are right. Nothing is run.
func FuzzPrepare(f *testing.F) {
	for _, name := range []string{"cells.json", "more.json"} {
		text, err := os.ReadFile("testdata/go-cells/" + name)
		if err != nil {
			f.Fatal(err)
		}
		var file struct{ Cases []goldenCase }
		if err := json.Unmarshal(text, &file); err != nil {
			f.Fatal(err)
		}
		for _, c := range file.Cases {
			for _, src := range c.Cells {
				f.Add(src)
			}
		}
	}
	var in *Interp
	runs := 0
	f.Fuzz(func(t *testing.T, src string) {
		if len(src) > 2000 {
			return
		}
		if runs++; in == nil || runs%200 == 0 { // a session grows
			if in != nil {
				in.rt.Close()
			}
			in = New(Options{})
		}
		c, errs := cell.Parse(in.fset, 1, src)
		if len(errs) > 0 {
			return
		}
		r := &cellRun{in: in, ctx: context.Background(), host: &recorder{}}
		d, failure := r.prepare(c)
		if d != nil {
			in.leave(d)
		}
		if failure != nil && failure.Name == "InternalError" {
			t.Fatalf("%q:\n%s\n%v", src, failure.Value, failure.Traceback[1:])
		}
	})
}
