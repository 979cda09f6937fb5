package interp

import (
	"context"
	"strings"
	"testing"

	"gopherlo/kernel/language"
)

// TestCapturedInLists runs what yaegi takes for types: parenthesised arithmetic
// on captured variables as elements of a list, here on goroutines of native
// functions, where a panic must not end the process.
func TestCapturedInLists(t *testing.T) {
	in := New(Options{})
	host := &recorder{}
	const code = `import "sync"
func cnt() func() []any {
	n := 1
	return func() []any { n++; fmt.Println(2*(n+1)); return []any{(n + 1) * 2, []float64{float64(n+1) * 2}, map[string]any{"a": -(n + 1)}} }
}
fmt.Println(cnt()())
var wg sync.WaitGroup
for i := range 3 { wg.Go(func() { fmt.Println(10 / (i - 1)) }) }
wg.Wait()`
	res := in.Execute(context.Background(), language.Request{Code: code, Count: 1}, host)
	if res.Error != nil {
		t.Fatal(strings.Join(res.Error.Traceback, "\n"))
	}
	for _, want := range []string{"6\n[6 [6] map[a:-3]]\n", "-10\n", "10\n"} {
		if !strings.Contains(host.stdout.String(), want) {
			t.Errorf("no %q in %q", want, host.stdout.String())
		}
	}
	if got := host.stderr.String(); !strings.Contains(got, "integer divide by zero") {
		t.Errorf("standard error %q", got)
	}
}

// TestPanicBeforeEnd wants the report of a goroutine's panic before the end of
// the cell that has waited for the goroutine, not after.
func TestPanicBeforeEnd(t *testing.T) {
	in := New(Options{})
	defer in.rt.Close()
	const code = `var wg sync.WaitGroup
wg.Add(1)
go func() {
	defer wg.Done()
	panic("boom")
}()
wg.Wait()`
	for i := range 30 {
		host := &recorder{}
		if res := in.Execute(context.Background(), language.Request{Code: code, Count: i + 1}, host); res.Error != nil {
			t.Fatal(res.Error.Traceback)
		}
		host.mu.Lock()
		got := host.stderr.String()
		host.mu.Unlock()
		if !strings.Contains(got, "boom") {
			t.Fatalf("run %d: standard error %q", i, got)
		}
	}
}
