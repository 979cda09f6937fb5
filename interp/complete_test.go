package interp

import (
	"context"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gopherlo/kernel/language"
)

// session runs cells and returns the interpreter.
func session(t testing.TB, cells ...string) *Interp {
	t.Helper()
	in := New(Options{})
	for _, code := range cells {
		if res := in.Execute(context.Background(), language.Request{Code: code}, quiet{}); res.Error != nil {
			t.Fatal(res.Error.Traceback)
		}
	}
	return in
}

func TestComplete(t *testing.T) {
	needsPlugin(t)
	in := session(t,
		"type point struct{ horizontal, vertical int }\nfunc (p point) Norm() int { return p.horizontal }",
		"import \"strings\"\nhello := point{horizontal: 1}\nfunc helper(n int) point { return hello }\nvar list []point",
		"f := jit(func(x Array) Array { return x })\nvar b strings.Builder\nx := jnp.Zeros([]int{3})")
	for _, test := range []struct{ code, has, hasNot string }{
		{"fmt.Printl", "fmt:Println", ""},
		{"fmt.", "Sprintf Println", "println"},
		{"jnp.Sum(x, kw.", "Axis DType KeepDims Where", "AxisOption"},
		{"jnp.Sum(jnp.Sin(x + 1), kw.Axis(0), kw.", "KeepDims", "Num"},
		{"jnp.Linspace(0, 1,\n\tkw.N", "Num", "NaN"},
		{"kw.Ax", "Axis Axis1", ""},
		{"helper(kw.Ax", "Axis Axis1", ""},
		{"jnp.Sin", "Sin Sinh", "Cos"},
		{"hel", "hello helper", "list"},
		{"Ou", "Out", ""},
		{"hello.", "horizontal vertical Norm", ""},
		{"hello.ho", "horizontal", "vertical"},
		{"helper(1).", "Norm", ""},
		{"list[0].ver", "vertical", ""},
		{"b.WriteS", "WriteString", ""},
		{"strings.NewReader(\"a\").", "Len ReadByte", ""},
		{"x.Resh", "Reshape", ""},
		{"f(1.0).", "Reshape T", ""},
		{"f.Lo", "Lower", ""},
		{"y := x\ny.Resh", "Reshape", ""},
		{"(x + 1).Resh", "Reshape", ""},
		{"func g(p point) { p.", "Norm", ""},
		{"for i := range 3 { ret", "return", ""},
		{"gra", "grad", ""},
		{"value_and", "value_and_grad", ""},
		{"appen", "append", ""},
		{"point{hor", "horizontal", ""},
		{"%ti", "%time %timeit", ""},
		{"%%x", "%%xla", ""},
		{"import \"net/ht", "net/http", ""},
		{"attrs{\"must", "must_fuse", ""},
		{"jit(f, compiler_options{\"optim", "optimization_level", ""},
		{"jax.Update(\"jax_e", "jax_enable_x64", "jax_optimization_level"},
		{"f.Lower(1.).AsText(\"h", "hlo", "stablehlo"},
		{"é := 1\nhel", "hello", ""},
		{"nothing.", "", ""},
		{"x.(", "", ""},
		{"", "hello", ""},
	} {
		got := in.Complete(context.Background(), test.code, len([]rune(test.code)))
		for _, want := range strings.Fields(test.has) {
			want = want[strings.Index(want, ":")+1:]
			if !slices.Contains(got.Matches, want) {
				t.Errorf("%q: %s is not among %d matches %.200q", test.code, want, len(got.Matches), got.Matches)
			}
		}
		if test.hasNot != "" && slices.Contains(got.Matches, test.hasNot) {
			t.Errorf("%q: %s is among the matches", test.code, test.hasNot)
		}
		if len(got.Types) != len(got.Matches) || got.Matches == nil {
			t.Errorf("%q: %d types for %d matches", test.code, len(got.Types), len(got.Matches))
		}
		if word := string([]rune(test.code)[got.Start:got.End]); test.has != "" && !strings.HasSuffix(test.code, word) {
			t.Errorf("%q: replaces %q", test.code, word)
		}
	}
}

func TestInspect(t *testing.T) {
	needsPlugin(t)
	in := session(t, "// doubles\nfunc double(n int) int { return 2 * n }", "x := jnp.Zeros([]int{3})\nconst k = 7")
	for _, test := range []struct{ code, want string }{
		{"fmt.Println", "func Println(a ...any) (n int, err error)"},
		{"fmt.Println(", "Println formats"},
		{"double(3", "func double(n int) int"},
		{"x", "var x Array"},
		{"k", "const k untyped int = 7"},
		{"x.Reshape", "Reshape("},
		{"grad", "func grad("},
		{"fmt", "package fmt"},
		{"%time", "%time STATEMENT"},
		{"append", "func append"},
		{"undefinedName", ""},
		{"1 + ", ""},
		{"fmt.Println(double(1), ", "func Println("},
	} {
		got := in.Inspect(context.Background(), test.code, len(test.code), 0)
		text, _ := got.Data["text/plain"].(string)
		if got.Found != (test.want != "") || !strings.Contains(text, test.want) {
			t.Errorf("%q: %v %q, want %q", test.code, got.Found, text, test.want)
		}
	}
}

// TestInspectValue shows what a variable holds.
func TestInspectValue(t *testing.T) {
	needsPlugin(t)
	in := session(t, `x := jnp.Arange(3.)
big := jnp.Zeros([]int{100, 100})
var unset Array
gone := jnp.Ones([]int{2})
gone.Delete()
f := jit(func(x Array) Array { return x + 1 })
f(1.)
g := grad(f)
two := jit(func(x Array) (Array, Array) { return x, x })(1.)
n, s, list := 7, "a\nb", []int{1, 2}
type T struct{ n int }
func (T) String() string { panic("user code runs") }
t := T{1}`)
	for _, test := range []struct{ code, want, not string }{
		{"x", "float32[3]\nArray([0., 1., 2.], dtype=float32)", ""},
		{"big", "float32[100,100]", "Array(["},
		{"unset", "<unset>", ""},
		{"gone", "deleted", "Array(["},
		{"f", "cached: entries: 1, traces: 1, compiles: 1\n  (x: ~float32[]) | compiled", ""},
		{"g", "declared in cell 1", "cached"},
		{"two", "Array(1., dtype=float32, weak_type=True)", ""},
		{"n", "= 7", ""},
		{"s", `= "a\nb"`, ""},
		{"list", "length 2", ""},
		{"t", "var t T", "user code"},
		{"t.n", "field n int", "= 7"},
	} {
		got := in.Inspect(context.Background(), test.code, len(test.code), 0)
		text, _ := got.Data["text/plain"].(string)
		if !strings.Contains(text, test.want) || test.not != "" && strings.Contains(text, test.not) {
			t.Errorf("%s: %q, want %q and not %q", test.code, text, test.want, test.not)
		}
	}
}

// TestCompleteBesideCell asks while a cell runs.
func TestCompleteBesideCell(t *testing.T) {
	in := session(t, "hello := 1")
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan language.Result)
	go func() { done <- in.Execute(ctx, language.Request{Code: "for {\n\thello++\n}"}, quiet{}) }()
	for in.cells.Load() == 0 {
		runtime.Gosched()
	}
	for range 200 {
		if got := in.Complete(context.Background(), "hel", 3); !slices.Contains(got.Matches, "hello") {
			t.Fatalf("matches %v", got.Matches)
		}
		if text, _ := in.Inspect(context.Background(), "hello", 5, 0).Data["text/plain"].(string); !strings.HasSuffix(text, "as of the end of cell 1 (another cell is running):\n= 1") {
			t.Fatalf("inspection of a variable that a cell changes: %q", text)
		}
	}
	cancel()
	if res := <-done; res.Error == nil {
		t.Error("the cell was not interrupted")
	}
}

func BenchmarkComplete(b *testing.B) {
	in := session(b, "x := 1")
	for b.Loop() {
		in.Complete(context.Background(), "jnp.S", 5)
	}
}
