package interp

import (
	"context"
	"strings"
	"testing"

	"gopherlo/kernel/language"
)

// askingTests are cells that ask about names, and what their output must hold.
var askingTests = []struct{ code, want string }{
	{"x?", "var x int"},
	{"?f", "func f(a int) int"},
	{"f??", "return a + x"},
	{"x = 2\nx?\nx++", "var x int"},
	{"fmt.Sprintf?", "Sprintf formats according to"},
	{"%time?", "time one statement"},
	{"nothing?", "Object `nothing` not found."},
	{"%help", "%timeit [-n LOOPS] [-r RUNS] STATEMENT"},
	{"%help who", "list the names"},
}

func TestAsking(t *testing.T) {
	in := New(Options{})
	defer in.rt.Close()
	in.Execute(context.Background(), language.Request{Code: "x := 1\nfunc f(a int) int { return a + x }", Count: 1}, &recorder{})
	for i, tt := range askingTests {
		host := &recorder{}
		res := in.Execute(context.Background(), language.Request{Code: tt.code, Count: i + 2}, host)
		if res.Error != nil || len(res.Payload) > 0 {
			t.Errorf("%s: %+v, payload %v", tt.code, res.Error, res.Payload)
		}
		if text := strings.Join(host.events, "\n"); !strings.Contains(text, tt.want) {
			t.Errorf("%s: no %q in %s", tt.code, tt.want, text)
		}
	}
	res := in.Execute(context.Background(), language.Request{Code: "%help whoo", Count: 20}, &recorder{})
	if res.Error == nil || !strings.Contains(res.Error.Value, "did you mean %who?") {
		t.Errorf("%+v", res.Error)
	}
}
