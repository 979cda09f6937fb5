package interp

import (
	"context"
	"testing"

	"gopherlo/interp/lower"
	"gopherlo/kernel/language"
)

// refused are programs that yaegi does not take, by an error or a panic, after
// it has taken some of their declarations.
var refused = []string{
	"package main\nimport _k \"gopherlo/rt\"\nvar _ln int\nvar _top int\nvar v_x int\nfunc init() { v_x = undefined1 }\n",
	"package main\nimport p_strings \"strings\"\nvar v_y string\nfunc f_fǃc1() int { return \"a\" }\nfunc init() { _k.Lines(&_ln, &_top); v_y = p_strings.ToUpper(1, 2, 3) }\n",
	"package main\nvar v_x, v_z int\ntype t_T struct{ a int }\nfunc g(x undefinedType) {}\nfunc init() {}\n",
	"package main\nfunc init() { var x int = nil; x.y() }\n",
}

// TestRefused gives them to yaegi before and between cells, which must not
// notice.
func TestRefused(t *testing.T) {
	in := New(Options{})
	defer in.rt.Close()
	cells := []struct{ code, want string }{
		{"x := 1\nx", "1"},
		{"import \"strings\"\ny := strings.ToUpper(\"a\")\nfunc f() int { return x + 1 }\ny", "A"},
		{"z := f()\ntype T struct{ a int }\nz + T{3}.a", "5"},
		{"x = f()\nx", "2"},
		{"func f() string { return \"s\" }\nf()", "s"},
	}
	for i, c := range cells {
		for _, text := range refused {
			if _, err := in.compile(&lower.Program{Text: text}); err == nil && i == 0 {
				t.Errorf("yaegi takes %q", text)
			}
		}
		res := in.Execute(context.Background(), language.Request{Code: c.code, Count: i + 1}, &recorder{})
		if res.Error != nil || res.Value["text/plain"] != c.want {
			t.Fatalf("%q: %v, %+v", c.code, res.Value, res.Error)
		}
	}
}

// TestAbandoned leaves a type of an earlier cell as it was when a cell that adds
// a method to it cannot be run.
func TestAbandoned(t *testing.T) {
	in := New(Options{})
	defer in.rt.Close()
	run := func(code string, n int) language.Result {
		return in.Execute(context.Background(), language.Request{Code: code, Count: n}, &recorder{})
	}
	if res := run("type T struct{ a int }\nfunc (t T) Get() int { return t.a }", 1); res.Error != nil {
		t.Fatal(res.Error)
	}
	has := in.env.HasSymbol
	in.env.HasSymbol = func(path, name string) bool { return name != "Getpid" && has(path, name) }
	for i, code := range []string{"func (t T) Get() string { return \"s\" }\nos.Getpid()", "func (t T) More() int { return os.Getpid() }"} {
		if res := run(code, 2+i); res.Error == nil {
			t.Fatal("no error")
		}
	}
	if res := run("T{4}.Get() + 1", 4); res.Error != nil || res.Value["text/plain"] != "5" {
		t.Errorf("%v, %+v", res.Value, res.Error)
	}
	if res := run("T{4}.More()", 5); res.Error == nil || res.Error.Name != "CompileError" {
		t.Errorf("%+v", res.Error)
	}
}
