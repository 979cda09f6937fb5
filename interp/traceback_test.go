package interp

import (
	"context"
	"slices"
	"strings"
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
			[]string{"panic: runtime error: index out of range [1] with length 1", "cell 1, line 5"},
		},
		{
			"func f(x any) string { return x.(string) }\nfunc Id[T any](x any) T { return x.(T) }\nfunc g() int {\n\treturn Id[int](f(`s`))\n}\ng()",
			[]string{"panic: interface conversion: interface {} is string, not int", "cell 1, line 2, in Id", "cell 1, line 4, in g", "cell 1, line 6"},
		},
		{
			"func at(i int) int { return []int{1}[i] }\nfunc thrice() int {\n\ta := at(0)\n\tb := at(0)\n\treturn a + b +\n\t\tat(5)\n}\nthrice()\nthrice()",
			[]string{"panic: runtime error: index out of range [5] with length 1", "cell 1, line 1, in at", "cell 1, line 5, in thrice", "cell 1, line 8"},
		},
		{
			"func a(n int) {\n\tif n == 0 {\n\t\tpanic(n)\n\t}\n\tfmt.Sprint()\n\tb(n)\n}\nfunc b(n int) {\n\tdefer recover()\n\tdefer fmt.Sprint()\n\tfor range 1 {\n\t\ta(n - 1)\n\t}\n\ta(n)\n}\na(1)",
			[]string{"panic: 0", "cell 1, line 3, in a", "cell 1, line 12, in b", "cell 1, line 6, in a", "cell 1, line 16"},
		},
		{
			"func each(yield func(int) bool) {\n\tyield(1)\n\tyield(2)\n}\nfunc use() {\n\tcheck(1)\n\tfor x := range each {\n\t\tcheck(1)\n\t\tcheck(x)\n\t}\n\tcheck(1)\n}\nfunc check(x int) {\n\tif x > 1 {\n\t\tpanic(`bad`)\n\t}\n}\nuse()",
			[]string{"panic: bad", "cell 1, line 15, in check", "cell 1, line 9, in use", "cell 1, line 3, in each", "cell 1, line 7, in use", "cell 1, line 18"},
		},
		{
			"func one(x Array) Array {\n\n\treturn x * 2\n}\nfunc via(x Array) Array {\n\tw := x\n\treturn one(w).Index(7, 7, 7)\n}\nvia(jnp.Array([]int{1}))",
			[]string{"IndexError: Too many indices: array is 1-dimensional, but 3 were indexed", "cell 1, line 7, in via", "cell 1, line 9"},
		},
		{
			"func o() {\n\ta := 1\n\tb := a\n\t_ = b\n\tfunc() { panic(`lit`) }()\n}\no()",
			[]string{"panic: lit", "cell 1, line 5, in o", "cell 1, line 7"},
		},
		{
			"func one() int {\n\treturn 1\n}\nfunc sorts() {\n\txs := []int{3, one()}\n\tslices.SortFunc(xs, func(a, b int) int {\n\t\tpanic(`cmp`)\n\t})\n\tone()\n}\nsorts()",
			[]string{"panic: cmp", "cell 1, line 7, in sorts", "cell 1, line 6, in sorts", "cell 1, line 11"},
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

// deepPanics are cells that panic some thousand calls deep, and what they give.
// Each took time with the square of the depth.
var deepPanics = []struct{ cell, want string }{
	{"deep(9000)", "panic: x; cell 1, line 3, in deep; cell 1, line 4, in deep; ... 8994 frames left out ...; cell 1, line 4, in deep; cell 2, line 1"},
	{"safe(9000)", "got x"},
	{"func even(n int) { var m map[int]int; if n == 0 { m[1] = 1 }; odd(n - 1) }\nfunc odd(n int) { even(n - 1) }\nsafely(func() { even(6000) })", "assignment to entry in nil map"},
	{"type L struct{ next *L }\nfunc (l *L) size() int { return 1 + l.next.size() }\nvar l *L\nfor range 5000 { l = &L{l} }\nsafely(func() { l.size() })", "runtime error: invalid memory address or nil pointer dereference"},
	{"var f func(int)\nf = func(n int) { if n == 0 { panic(n) }; f(n - 1) }\nsafely(func() { f(4000) })", "0"},
	{"done := make(chan bool)\ngo func() { defer close(done); deep(5000) }()\n<-done\n1", "1"},
	{"type T struct{}\nfunc (T) String() string { deep(3000); return `` }\nfmt.Sprint(T{})", "%!v(PANIC=String method: x)"},
	{"func d(n int) { defer func() { n-- }(); if n == 0 { panic(`deferred`) }; d(n - 1) }\nsafely(func() { d(2000) })", "deferred"},
	{"func s(xs []int, n int) { sort.Slice(xs, func(i, j int) bool { if n == 0 { panic(`sorted`) }; s([]int{2, 1}, n-1); return true }) }\nsafely(func() { s([]int{2, 1}, 500) })", "sorted"},
	{"safely(func() { defer func() { panic(fmt.Sprint(recover(), `!`)) }(); deep(3000) })", "x!"},
	{"safely(func() { defer func() { runtime.Goexit() }(); defer func() { recover() }(); deep(300) })", "Goexit: runtime.Goexit ended the cell: no statement after this one has run; cell 1, line 6, in safely; cell 2, line 1"},
	{"quits := func() {\n\tdefer fmt.Sprint()\n\truntime.Goexit()\n}\nquits()\n2", "Goexit: runtime.Goexit ended the cell: no statement after this one has run; cell 2, line 3; cell 2, line 5"},
	{"done2 := make(chan bool)\ngo func() { defer close(done2); runtime.Goexit() }()\n<-done2\n1", "1"},
	{"1 + 1", "2"},
}

func TestDeepPanics(t *testing.T) {
	if raceEnabled {
		t.Skip("lines are not known then")
	}
	in := New(Options{})
	defer in.rt.Close()
	run := func(n int, code string) language.Result {
		return in.Execute(context.Background(), language.Request{Code: code, Count: n}, quiet{})
	}
	const declared = "func deep(n int) int {\n\tif n == 0 {\n\t\tpanic(`x`) }\n\treturn deep(n-1) + 1\n}\n" +
		"func safely(f func()) (text string) { defer func() { text = fmt.Sprint(recover()) }(); f(); return `` }\n" +
		"func safe(n int) error { return fmt.Errorf(`got %v`, safely(func() { deep(n) })) }"
	if res := run(1, declared); res.Error != nil {
		t.Fatal(res.Error)
	}
	for _, c := range deepPanics {
		res := run(2, c.cell)
		got, _ := res.Value["text/plain"].(string)
		if res.Error != nil {
			got = strings.Join(res.Error.Traceback, "; ")
		}
		if got != c.want {
			t.Errorf("%s\ngot %q, want %q", c.cell, got, c.want)
		}
	}
}
