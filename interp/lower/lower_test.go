package lower_test

import (
	"go/token"
	"strings"
	"testing"

	"gopherlo/interp/cell"
	"gopherlo/interp/check"
	"gopherlo/interp/lower"
	"gopherlo/interp/symbols"
)

// lowered gives the program of the last cell.
func lowered(t *testing.T, cells ...string) *lower.Program {
	t.Helper()
	fset := token.NewFileSet()
	s := check.NewSession(fset, symbols.NewImporter(fset), check.Env{Packages: symbols.Packages()})
	env := lower.NewEnv(s.Context())
	env.HasSymbol = func(path, _ string) bool { return !strings.HasPrefix(path, "gopherlo/") }
	var p *lower.Program
	for i, src := range cells {
		c, errs := cell.Parse(fset, i+1, src)
		if len(errs) > 0 {
			t.Fatal(errs)
		}
		res, diags := s.Check(c)
		if len(diags) > 0 {
			t.Fatal(diags)
		}
		var err error
		if p, err = lower.Lower(env, fset, res); err != nil {
			t.Fatal(err)
		}
		p.Compiled()
		res.Commit(len(res.Stmts))
	}
	return p
}

var lowerTests = []struct {
	name       string
	cells      []string
	want, none string
}{
	{"functions are variables", []string{"func f(x int) int { return f(x - 1) }"}, "f_f = f_fǃc1", ""},
	{"a new version keeps the variable", []string{"func f() int { return 1 }", "func f() int { return 2 }"}, "f_f = f_fǃc2", "var f_f "},
	{"another signature is another variable", []string{"func f() int { return 1 }", "func f() string { return \"\" }"}, "var f_fǃ2 func() string", ""},
	{"methods are functions", []string{"type T struct{}\nfunc (t *T) M() {}\nvar t T\nt.M()"}, "m_t_T_M(&v_t)", ""},
	{"named numbers are numbers", []string{"type ID int\nvar i ID = 3"}, "var v_i int", "ID"},
	{"values of cell types are boxed", []string{"type ID int\nvar x any = ID(3)"}, "_k.B(0, 3)", ""},
	{"native values are not", []string{"var x any = 3.5"}, "v_x = 3.5", "_k.B("},
	{"constants are folded", []string{"const k = 1 << 40\nx := k >> 38"}, "v_x = 4", "<<"},
	{"range over int", []string{"for i := range 3 { println(i) }"}, "< nː", "range"},
	{"loop variables of closures have memory of their own", []string{"var fs []func() int\nfor i := 0; i < 3; i++ { fs = append(fs, func() int { return i }) }"}, ":= new(int)", ""},
	{"others have not", []string{"for i := 0; i < 3; i++ { println(i) }"}, "for ;", "new(int)"},
	{"deferred calls have a frame", []string{"func f() { defer println(1) }"}, "_k.Call(", "defer "},
	{"unused generic functions leave nothing", []string{"func Id[T any](x T) T { return x }"}, "func init()", "Id"},
	{"instances are emitted once", []string{"func Id[T any](x T) T { return x }\nId(1)", "Id(2)"}, "i_Id", "func g_Id"},
	{"interfaces are any", []string{"type I interface{ M() }\nvar i I"}, "var v_i interface{}", ""},
	{"recursive types are any", []string{"type S []S\nvar s S"}, "var v_s interface{}", ""},
}

func TestLower(t *testing.T) {
	for _, tt := range lowerTests {
		t.Run(tt.name, func(t *testing.T) {
			text := lowered(t, tt.cells...).Text
			if !strings.Contains(text, tt.want) {
				t.Errorf("no %q in\n%s", tt.want, text)
			}
			if tt.none != "" && strings.Contains(text, tt.none) {
				t.Errorf("%q in\n%s", tt.none, text)
			}
		})
	}
}

// TestLines follows lines of the program back to the cell.
func TestLines(t *testing.T) {
	p := lowered(t, "x := 1\n\nfunc f() {\n\tprintln(x)\n}\nprintln(2)")
	found := map[lower.Pos]bool{}
	for i, line := range strings.Split(p.Text, "\n") {
		if strings.Contains(line, "_k.Println") {
			found[p.Lines[i+1]] = true
		}
	}
	if !found[lower.Pos{Cell: 1, Line: 4, Func: "f"}] || !found[lower.Pos{Cell: 1, Line: 6}] {
		t.Errorf("got %v", found)
	}
}
