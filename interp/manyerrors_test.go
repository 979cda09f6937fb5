package interp

import (
	"context"
	"strings"
	"testing"
	"time"

	"gopherlo/kernel/language"
)

// TestManyErrors refuses a cell with very many mistakes soon, telling the first
// of them and how many more there are.
func TestManyErrors(t *testing.T) {
	for _, c := range []struct {
		n, told int
		last    string
	}{
		{100, 100, "cell 1, line 100:1: undefined: unknown"},
		{150, 100, "too many errors (50 more)"},
		{20_000, 10, "too many errors (19990 more)"},
	} {
		in := New(Options{})
		began := time.Now()
		res := in.Execute(context.Background(), language.Request{Code: strings.Repeat("unknown()\n", c.n), Count: 1}, &recorder{})
		in.rt.Close()
		if res.Error == nil || res.Error.Name != "CompileError" {
			t.Fatalf("%d mistakes: %+v", c.n, res.Error)
		}
		shown := strings.Count(strings.Join(res.Error.Traceback, "\n"), "\ncell 1, line ")
		if last := res.Error.Traceback[len(res.Error.Traceback)-1]; shown != c.told || !strings.HasPrefix(last, c.last) {
			t.Errorf("%d mistakes: %d told, the last %q; want %d, %q", c.n, shown, last, c.told, c.last)
		}
		if took := time.Since(began); took > 30*time.Second {
			t.Errorf("%d mistakes took %v", c.n, took)
		}
	}
}
