package interp

import (
	"context"
	"strings"
	"testing"

	"gopherlo/kernel/language"
)

// TestRoom: a make that would need more memory than there is ends the cell and
// not the process, and the session stays as it was.
func TestRoom(t *testing.T) {
	in := New(Options{})
	defer in.rt.Close()
	host := &recorder{}
	run := func(code string) language.Result {
		return in.Execute(context.Background(), language.Request{Code: code}, host)
	}
	run("n, x := 1<<44, 7")
	for _, c := range []struct{ code, want string }{
		{"b := make([]byte, 1<<44)", "17592186044416 bytes"},
		{"b := make([]byte, n)", "17592186044416 bytes"},
		{"b := make([]float64, 3, n)", "17592186044416 elements of 8 bytes"},
		{"type big struct{ a [1000]int }\nb := make([]big, 1<<40)", "1099511627776 elements of 8000 bytes"},
		{"m := make(map[string]int, n)", "17592186044416 elements of 24 bytes"},
		{"c := make(chan int, n)", "elements of 8 bytes"},
		{"func f(k uint64) []any { return make([]any, k) }\nf(1 << 44)", "elements of 16 bytes"},
	} {
		res := run(c.code)
		if res.Error == nil || !strings.Contains(res.Error.Value, "out of memory: make of") || !strings.Contains(res.Error.Value, c.want) {
			t.Errorf("%s: %+v", c.code, res.Error)
		}
	}
	for code, want := range map[string]string{
		"x": "7", "len(make([]int, x))": "7", "cap(make([]int, 1, x+1))": "8", "len(make([]struct{}, 1<<40)) > 0": "true",
		"len(make([]int, int8(3)))": "3", "cap(make(chan bool, x))": "7", "len(make(map[int]int, x))": "0",
	} {
		if res := run(code); res.Error != nil || res.Value["text/plain"] != want {
			t.Errorf("%s: %v %+v", code, res.Value, res.Error)
		}
	}
}
