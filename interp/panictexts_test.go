package interp

import (
	"context"
	"strings"
	"testing"

	"gopherlo/kernel/language"
)

// TestPanicTexts compares the words of panics that end a cell with those of Go
// 1.26. Of values that are neither numbers nor texts Go prints the address, a cell
// the value.
func TestPanicTexts(t *testing.T) {
	const declared = "type E struct{ A int; B string }\ntype S int\nfunc (s S) String() string { return `S!` }\n" +
		"type Er struct{ c int }\nfunc (e Er) Error() string { return fmt.Sprint(`code `, e.c) }\ntype F float64\ntype St string"
	in := New(Options{})
	defer in.rt.Close()
	run := func(code string) *language.Error {
		return in.Execute(context.Background(), language.Request{Code: code}, quiet{}).Error
	}
	if e := run(declared); e != nil {
		t.Fatal(e)
	}
	for _, c := range []struct{ code, want string }{
		{"panic(E{1, `x`})", `main.E{A:1, B:"x"}`},
		{"panic(&E{1, `x`})", `&main.E{A:1, B:"x"}`},
		{"panic(S(3))", "S!"},
		{"panic(Er{4})", "code 4"},
		{"panic(&Er{5})", "code 5"},
		{"panic(F(2.5))", "main.F(2.5)"},
		{"panic(St(`hey`))", `main.St("hey")`},
		{"panic(1.5)", "1.5"},
		{"panic(2 + 3i)", "(2+3i)"},
		{"panic('x')", "120"},
		{"panic(`a\nb`)", "a\n\tb"},
		{"panic(nil)", "panic called with nil argument"},
		{"panic([]int{1, 2})", "[]int{1, 2}"},
		{"panic(map[string]int{`a`: 1})", `map[string]int{"a":1}`},
		{"panic(time.Second)", "1s"},
		{"panic(fmt.Errorf(`wrapped: %w`, io.EOF))", "wrapped: EOF"},
		{"func() { defer func() { r := recover(); panic(fmt.Sprint(`again `, r)) }(); panic(`first`) }()", "first [recovered]\n\tpanic: again first"},
		{"func() { defer func() { panic(recover()) }(); panic(`first`) }()", "first [recovered, repanicked]"},
		{"func() { defer func() { panic(`second`) }(); panic(`first`) }()", "first\n\tpanic: second"},
		{
			"func() { defer func() { panic(recover()) }(); func() { defer func() { panic(fmt.Errorf(`w %v`, recover())) }(); panic(`one`) }() }()",
			"one [recovered]\n\tpanic: w one [recovered, repanicked]",
		},
		{
			"func() { defer func() { defer func() { panic(`three`) }(); panic(`two`) }(); panic(`one`) }()",
			"one\n\tpanic: two\n\tpanic: three",
		},
		{"func() { defer func() { fmt.Sprint(recover()) }(); panic(`one`) }(); panic(`after`)", "after"},
	} {
		e := run(c.code)
		if e == nil || e.Value != c.want || !strings.HasPrefix(e.Traceback[0], "panic: ") {
			t.Errorf("%s\ngot %+v, want %q", c.code, e, c.want)
		}
	}
}
