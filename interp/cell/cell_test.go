package cell

import (
	"go/token"
	"reflect"
	"strings"
	"testing"
)

// parse parses a cell that must be right.
func parse(t *testing.T, text string) *Cell {
	t.Helper()
	c, errs := Parse(token.NewFileSet(), 1, text)
	if len(errs) > 0 {
		t.Fatalf("%q: %v", text, errs)
	}
	return c
}

var splitTests = []struct {
	text                  string
	imports, funcs, stmts int
	tail                  bool
}{
	{"", 0, 0, 0, false},
	{"// only a comment", 0, 0, 0, false},
	{"1 + 2", 0, 0, 1, true},
	{"1 + 2;", 0, 0, 1, false},
	{"1 + 2 // shown", 0, 0, 1, true},
	{"1 + 2 /* shown */\n\n", 0, 0, 1, true},
	{"x := 1\nx", 0, 0, 2, true},
	{"import \"fmt\"\nfmt.Println(1)", 1, 0, 1, true},
	{"fmt.Println(1)\nimport (\n\t\"fmt\"\n\tm \"math\"\n)", 2, 0, 1, false},
	{"func f() int { return 1 }\nf()", 0, 1, 1, true},
	{"f()\nfunc f() int { return 1 }", 0, 1, 1, false},
	{"func (t T) M() {}\nfunc (t *T) N(x int) (y int) { return x }", 0, 2, 0, false},
	{"func Map[T, U any](xs []T, f func(T) U) []U { return nil }", 0, 1, 0, false},
	{"func() { println(1) }()", 0, 0, 1, true},
	{"func(x int) int { return x }(3)", 0, 0, 1, true},
	{"x := func() int { return 1 }\nx()", 0, 0, 2, true},
	{"a := 1; import \"os\"; func g() {}; b := 2", 1, 1, 2, false},
	{"import \"os\"; import \"io\"; func f() {}; func g() {}; x := 1; f(); x", 2, 2, 3, true},
	{"type T struct{ f func(int) }\nvar t T", 0, 0, 2, false},
	{"const a = `\nfunc f() {}\nimport \"x\"\n`\na", 0, 0, 2, true},
	{"if true {\n\tfunc() {}()\n}", 0, 0, 1, false},
	{"L:\nfor {\n\tbreak L\n}", 0, 0, 1, false},
	{"x := []int{\n\t1,\n\t2,\n}\nx[0]", 0, 0, 2, true},
}

func TestSplit(t *testing.T) {
	for _, tt := range splitTests {
		c := parse(t, tt.text)
		if len(c.Imports) != tt.imports || len(c.Funcs) != tt.funcs || len(c.Stmts) != tt.stmts || (c.Tail != nil) != tt.tail {
			t.Errorf("%q: %d imports, %d funcs, %d statements, tail %t", tt.text, len(c.Imports), len(c.Funcs), len(c.Stmts), c.Tail != nil)
		}
	}
}

func TestPositions(t *testing.T) {
	c := parse(t, "a := 1\nfunc f() int {\n\treturn 2\n}\n  b := f()\nimport \"os\"\n  a + b")
	places := map[string][2]int{}
	note := func(name string, pos token.Pos) {
		line, col := c.Position(pos)
		places[name] = [2]int{line, col}
	}
	note("func", c.Funcs[0].Pos())
	note("return", c.Funcs[0].Body.List[0].Pos())
	note("b", c.Stmts[1].Pos())
	note("import", c.Imports[0].Pos())
	note("tail", c.Tail.Pos())
	want := map[string][2]int{"func": {2, 1}, "return": {3, 2}, "b": {5, 3}, "import": {6, 8}, "tail": {7, 3}}
	if !reflect.DeepEqual(places, want) {
		t.Errorf("got %v, want %v", places, want)
	}
}

var errorTests = []struct {
	text string
	line int
	msg  string
}{
	{"x := (1 +\n", 1, "unexpected end of the cell, expected expression"},
	{"for {\n\tx := (1 +\n}", 3, "unexpected }, expected expression"},
	{"x := 1\n}", 2, "unexpected }"},
	{"x := \"abc\ny", 1, "newline in string"},
	{"func f( {}", 1, "expected"},
	{"import fmt", 1, "missing import path"},
}

func TestSyntaxErrors(t *testing.T) {
	for _, tt := range errorTests {
		_, errs := Parse(token.NewFileSet(), 1, tt.text)
		if len(errs) == 0 || errs[0].Line != tt.line || !strings.Contains(errs[0].Msg, tt.msg) {
			t.Errorf("%q: got %v, want line %d: %s", tt.text, errs, tt.line, tt.msg)
		}
	}
}

func TestMagics(t *testing.T) {
	text := "%env A=b\nx := 1\n!ls -l\n  %time f(x)\ny := !ok\nz := a %\n b\ns := `\n%not magic\n`\n%%inner"
	text = "!x.All()\n!f(1) && ok // both\n" + text // Go, which takes no shell
	masked, magics := ExtractMagics(text)
	if len(masked) != len(text) || strings.Count(masked, "\n") != strings.Count(text, "\n") {
		t.Errorf("the masked text has another shape: %q", masked)
	}
	var names []string
	for _, m := range magics {
		names = append(names, m.Name+"/"+m.Args)
	}
	want := []string{"env/A=b", "!/ls -l", "time/f(x)", "inner/"}
	if !reflect.DeepEqual(names, want) {
		t.Errorf("got %v, want %v", names, want)
	}
	if magics[1].Line != 5 || magics[2].Line != 6 {
		t.Errorf("lines %d and %d", magics[1].Line, magics[2].Line)
	}
}

func TestQuestions(t *testing.T) {
	_, magics := ExtractMagics("x?\n?jnp.Sin\n  f??\n%time?\n?? g\ny := a ?\nz?!\n`\nq?\n`")
	var got []string
	for _, m := range magics {
		got = append(got, m.Name+" "+m.Args)
	}
	want := []string{"? x", "? jnp.Sin", "?? f", "? %time", "?? g"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestCellMagic(t *testing.T) {
	_, magics := ExtractMagics("%%xla {\"a\": true}\nf(1)\n")
	if len(magics) != 1 || !magics[0].Cell || magics[0].Args != `{"a": true}` || magics[0].Body != "f(1)\n" {
		t.Errorf("got %+v", magics)
	}
}

var completeTests = []struct{ text, status, indent string }{
	{"", Complete, ""},
	{"x := 1", Complete, ""},
	{"f(1, 2)", Complete, ""},
	{"for i := 0; i < 3; i++ {", Incomplete, "\t"},
	{"func f() {\n\tif x {", Incomplete, "\t\t"},
	{"func f() {\n\tif x {\n\t}", Incomplete, "\t"},
	{"func f() {\n}", Complete, ""},
	{"x := []int{\n\t1,", Incomplete, "\t"},
	{"f(1,", Incomplete, "\t"},
	{"x := 1 +", Incomplete, "\t"},
	{"x.", Incomplete, "\t"},
	{"s := `abc", Incomplete, ""},
	{"/* open", Incomplete, ""},
	{"x)", Invalid, ""},
	{"f(]", Invalid, ""},
	{"if x {} else", Incomplete, "\t"},
	{"%time f(1)", Complete, ""},
	{"%%time\nx := 1", Incomplete, ""},
	{"%%time\nx := 1\n\n", Complete, ""},
	{"!ls {", Complete, ""},
	{"i++", Complete, ""},
	{"return", Complete, ""},
}

func TestIsComplete(t *testing.T) {
	for _, tt := range completeTests {
		status, indent := IsComplete(tt.text)
		if status != tt.status || indent != tt.indent {
			t.Errorf("%q: %s %q, want %s %q", tt.text, status, indent, tt.status, tt.indent)
		}
	}
}

// FuzzParse looks for texts that make the splitter panic or lose its place.
func FuzzParse(f *testing.F) {
	for _, tt := range splitTests {
		f.Add(tt.text)
	}
	for _, tt := range errorTests {
		f.Add(tt.text)
	}
	for _, tt := range completeTests {
		f.Add(tt.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, errs := Parse(token.NewFileSet(), 1, text)
		if len(c.Go) != len(text) {
			t.Fatalf("%q: the Go text has %d bytes", text, len(c.Go))
		}
		lines := strings.Count(text, "\n") + 1
		for _, e := range errs {
			if e.Line < 1 || e.Line > lines || e.Col < 1 {
				t.Fatalf("%q: error at %d:%d", text, e.Line, e.Col)
			}
		}
		for _, s := range c.Stmts {
			if line, _ := c.Position(s.Pos()); line < 1 || line > lines {
				t.Fatalf("%q: statement at line %d", text, line)
			}
		}
		IsComplete(text)
	})
}

func TestHLOMagic(t *testing.T) {
	for args, want := range map[string]string{
		"f(1.0)":               `f.Lower(1.0).AsText("hlo")`,
		"jit(f, O3)(x, \")\")": `jit(f, O3).Lower(x, ")").AsText("hlo")`,
		"f":                    "",
		"f(1":                  "",
		"":                     "",
	} {
		if got, ok := (Magic{Args: args}).HLO(); got != want || ok != (want != "") {
			t.Errorf("%%hlo %s: %q, want %q", args, got, want)
		}
	}
}

// TestFurtherEnds: what replaces a statement with an error can have one itself.
func TestFurtherEnds(t *testing.T) {
	for _, text := range []string{"switch x { case a b case c d default e }", "case case case", "func func func {", "select { case <-c x: default y }"} {
		if _, errs := Parse(token.NewFileSet(), 1, text); len(errs) == 0 {
			t.Errorf("%s: no errors", text)
		}
	}
}
