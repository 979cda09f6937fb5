package interp

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// placeCells are the session in which the places below are completed.
var placeCells = []string{
	`import (
	"os"
	str "strings"
)
type Point struct{ X, Y float64; label string }
// Norm is the length.
func (p Point) Norm() float64 { return math.Hypot(p.X, p.Y) }
func (p *Point) Scale(by float64) { p.X *= by }
type Circle struct { Point; Radius float64; tags map[string]int }
type Shape interface { Area() float64; Perimeter() float64 }
func (c Circle) Area() float64 { return 3 * c.Radius }
type Stack[T any] struct { items []T }
func (s *Stack[T]) Push(v T) { s.items = append(s.items, v) }
func (s *Stack[T]) Pop() T { return s.items[0] }
type Color int
const ( Red Color = iota; Green )
func (c Color) Name() string { return "c" }
type Params struct { W1, B1 Array; Layers []Layer }
type Layer struct { W, B Array }`,
	`center := Point{X: 1, Y: 2}
circle := Circle{Point: center, Radius: 2}
ptr := &circle
points := []Point{center}
byName := map[string]Point{"origin": center, "other": center}
nested := map[string][]Circle{}
ch := make(chan Point, 1)
ages := map[string]int{"ann": 1, "bob": 2}
stack := Stack[Point]{}
intStack := &Stack[int]{}
var shape Shape = nil
var anyValue any = 1
params := Params{W1: jnp.Ones([]int{2}), B1: jnp.Zeros([]int{2})}
x := jnp.Arange(3.)
größe := 3
名前 := Point{}
f := jit(func(x Array) Array { return x + 1 })
two := func() (Point, error) { return center, nil }
makeAdder := func(n int) func(int) Circle { return nil }`,
	`func Map[T, U any](xs []T, g func(T) U) []U { return nil }
func pair() (Circle, Array) { return circle, x }
func options(name string, os ...string) *Params { return nil }
x.Sum()`,
	`circle`,
}

// places are texts with a cursor, ¦, what is to be offered there, and after -
// what is not; "name:type" tells the type too, "name=signature" the signature.
var places = []struct{ code, has, hasNot string }{
	// Members of Arrays.
	{"x.¦", "Sum Reshape T Shape At Mean", "v many"},
	{"x.Re¦", "Reshape:function Real", "Sum"},
	{"x.re¦", "Reshape", ""},
	{"x.Sum().¦", "Reshape", ""},
	{"(x + 1).¦", "Reshape Add", ""},
	{"(-x).¦", "Reshape", ""},
	{"(x*x > 0).¦", "Any All Sum", ""},
	{"x[0].¦", "Reshape", ""},
	{"x[1:].¦", "Reshape", ""},
	{"y := x*2 + 1\ny.¦", "Reshape", ""},
	{"y := 2*x\nz := y - 1\nz.M¦", "Mean Max Min", "Sum"},
	{"jnp.Sin(x).¦", "Reshape", ""},
	{"jnp.Sin(x + 1).Re¦", "Reshape", ""},
	{"x.At(0).¦", "Set Add Mul Get", "Reshape"},
	{"x.\n  Resh¦", "Reshape", ""},
	{"x.Add(1).\n\tMul(2).\n\tRe¦", "Reshape", ""},
	{"f(1.).¦", "Reshape", ""},
	{"f.¦", "Lower Trace Cache Explain", "Reshape"},
	{"f.Lower(1.).¦", "Compile AsText HLO", ""},
	{"f.Lower(1.).Compile().¦", "AsText Options", ""},
	{"jit(f)(x).¦", "Reshape", ""},
	{"grad(f)(x).¦", "Reshape", ""},
	{"Out[3].¦", "Reshape", ""},
	{"Out[4].¦", "Radius Area Norm", ""},
	{"_.¦", "Radius Area", ""},
	{"Out[¦", "3 4", "1"},
	// Packages.
	{"fmt.¦", "Println Sprintf Errorf Stringer", "println pp"},
	{"fmt.Fp¦", "Fprintf:function Fprintln", "Println"},
	{"jnp.¦", "Sin Zeros Float32", ""},
	{"jnp.expand_d¦", "ExpandDims", ""},
	{"lax.Sc¦", "Scan", ""},
	{"random.¦", "Normal Uniform Split Key", ""},
	{"math.¦", "Pi:instance Sqrt Inf", ""},
	{"math.Pi¦", "Pi", ""},
	{"strings.¦", "Split Join Builder:class", ""},
	{"str.¦", "Split Join", ""},
	{"os.¦", "Args ReadFile Getenv", ""},
	{"time.Se¦", "Second:instance", ""},
	{"rand.¦", "Intn IntN Reader", ""},
	{"rand.N¦", "New NewPCG", ""},
	{"metadata.¦", "Call Set Survival", ""},
	{"display.¦", "HTML Markdown", ""},
	{"nn.¦", "Relu Softmax", ""},
	{"sort.Sl¦", "Slice SliceStable", ""},
	{"http.Met¦", "MethodGet:instance", ""},
	{"var wg sync.¦", "WaitGroup:class Mutex", ""},
	{"var b strings.Builder\nb.¦", "WriteString Len String", "buf addr"},
	{"x.¦\nfmt.Println(x)", "Reshape", ""},
	// Fields, promoted fields, methods of cell types.
	{"center.¦", "X:property Y:property label:property Norm:function Scale:function", ""},
	{"circle.¦", "Radius X Y Norm Scale Area Point tags", ""},
	{"circle.Point.¦", "X Norm", "Radius"},
	{"ptr.¦", "Radius X Area", ""},
	{"(*ptr).R¦", "Radius", ""},
	{"points[0].¦", "X Norm", ""},
	{"points[len(points)-1].N¦", "Norm", ""},
	{"byName[\"origin\"].¦", "X Norm", ""},
	{"nested[\"a\"][0].¦", "Radius Area", ""},
	{"(<-ch).¦", "X Norm", ""},
	{"two().¦", "", "Reshape"},
	{"p, err := two()\np.¦", "X Norm", ""},
	{"p, err := two()\nerr.¦", "Error", ""},
	{"c, arr := pair()\narr.¦", "Reshape", ""},
	{"c, arr := pair()\nc.¦", "Radius", ""},
	{"makeAdder(1)(2).¦", "Radius", ""},
	{"shape.¦", "Area Perimeter", ""},
	{"Circle{}.¦", "Radius Area", ""},
	{"(&Circle{}).¦", "Radius Scale", ""},
	{"Point.¦", "Norm", "X"},
	{"(*Point).¦", "Norm Scale", "X"},
	{"Red.¦", "Name", ""},
	{"anyValue.(Circle).¦", "Radius", ""},
	{"params.¦", "W1 B1 Layers", ""},
	{"params.W1.¦", "Reshape", ""},
	{"params.Layers[0].W.¦", "Reshape", ""},
	{"params.Layers[0].¦", "W B", ""},
	{"options(\"a\").¦", "W1", ""},
	{"名前.¦", "X Norm", ""},
	{"struct{ inner int }{}.¦", "inner", ""},
	// Generics.
	{"stack.¦", "Push Pop items", ""},
	{"stack.Pop().¦", "X Norm", ""},
	{"intStack.P¦", "Push=func(v Pop", ""},
	{"Map(points, func(p Point) Circle { return Circle{} })[0].¦", "Radius", ""},
	{"Map(points, func(p Point) int { return p.¦", "X Norm", ""},
	{"slices.Max([]Color{Red}).¦", "Name", ""},
	{"func G[T Shape](v T) { v.¦ }", "Area Perimeter", ""},
	{"Stack[Circle]{}.¦", "Push", ""},
	{"var s Stack[¦", "Point Circle int", ""},
	// Struct literal keys.
	{"Point{¦", "X Y label center", ""},
	{"Point{X: 1, ¦", "Y label", ""},
	{"Point{X: 1, Y: ce¦", "center", ""},
	{"Point{\n\tX: 1,\n\tl¦\n}", "label", ""},
	{"&Circle{Ra¦}", "Radius", ""},
	{"[]Point{{¦}}", "X Y", ""},
	{"map[string]Circle{\"a\": {Ra¦", "Radius", ""},
	{"Params{W1: x, Layers: []Layer{{W¦", "W", ""},
	{"http.Server{Addr¦", "Addr:property", ""},
	{"f(Point{Y¦", "Y", ""},
	// Keys of maps.
	{"ages[\"¦", "ann bob", ""},
	{"ages[\"a¦", "ann", "bob"},
	{"byName[\"or¦\"]", "origin", ""},
	{"d := map[string]int{}\nd[\"left\"] = 1\nd[\"¦", "left", ""},
	// Keywords, Go's own names.
	{"ret¦", "return:keyword", ""},
	{"for i := range 3 { cont¦", "continue", ""},
	{"swi¦", "switch", ""},
	{"def¦", "defer default", ""},
	{"appe¦", "append:function=func(slice", ""},
	{"tru¦", "true", ""},
	{"var e err¦", "error:class", ""},
	{"var n uin¦", "uint uint8 uint64", ""},
	// Names of cells.
	{"cen¦", "center:instance=Point", "circle"},
	{"Cir¦", "Circle:class", ""},
	{"gr¦", "größe grad", ""},
	{"größ¦", "größe", ""},
	{"名¦", "名前", ""},
	{"😀 := 1\ncen¦", "center", ""},
	{"s := \"😀😀\"; cen¦", "center", ""},
	{"/* é */ Cir¦", "Circle", ""},
	{"Gre¦", "Green:instance=Color", ""},
	{"opt¦", "options:function", ""},
	// Names of the cell itself.
	{"local := 1\nloc¦", "local", ""},
	{"func helper(first int, second Point) { sec¦", "second=Point", ""},
	{"func helper(first int, second Point) { second.¦", "X", ""},
	{"func helper(first int, second Point) (res Circle) {\n\tres.¦\n}", "Radius", ""},
	{"for idx, pt := range points { pt.¦ }", "X Norm", ""},
	{"for idx, pt := range points {\n\tid¦", "idx=int", ""},
	{"for i := range 3 {\n\tfor j := range points {\n\t\tpoints[j].¦\n\t}\n}", "X", ""},
	{"if v, ok := byName[\"a\"]; ok { v.¦", "X", ""},
	{"if center.¦", "X Norm", ""},
	{"if center.¦ > 1 {\n}", "X Norm", ""},
	{"for center.¦", "X Norm", ""},
	{"switch center.¦", "X Norm", ""},
	{"switch v := anyValue.(type) {\ncase Circle:\n\tv.¦\n}", "Radius", ""},
	{"switch Red {\ncase Gr¦", "Green", ""},
	{"select {\ncase p := <-ch:\n\tp.¦\n}", "X", ""},
	{"func(q Circle) { q.¦", "Radius", ""},
	{"g := jit(func(w Array, q Point) Array {\n\tz := w + 1\n\treturn z.¦\n})", "Reshape", ""},
	{"g := jit(func(w Array) Array { return w.¦", "Reshape", ""},
	{"defer center.¦", "Norm", ""},
	{"go circle.¦", "Area", ""},
	{"return cen¦", "center", ""},
	{"later := 1\nlat¦\nlatest := 2", "later", "latest"},
	{"type T struct { a Poi¦", "Point", ""},
	{"type New struct { Alpha int }\nvar v New\nv.¦", "Alpha", ""},
	{"type New struct { Alpha int }\nfunc (n New) Beta() {}\nNew{}.¦", "Alpha Beta", ""},
	{"func (p Point) Flip() Point { return p.¦ }", "X Norm", ""},
	{"func (p Point) Flip() Point { return p }\ncenter.F¦", "Flip", ""},
	{"func (q Cir¦", "Circle", ""},
	{"func h(a Poi¦", "Point", ""},
	{"func h(a int) Poi¦", "Point", ""},
	{"var z map[string]Poi¦", "Point", ""},
	{"m := map[Poi¦", "Point", ""},
	{"q := []Poi¦", "Point", ""},
	{"outer:\nfor {\n\tbreak ou¦\n}", "outer:label", "order"},
	{"outer:\nfor {\n\tfor {\n\t\tcontinue ¦\n\t}\n}", "outer", ""},
	{"import \"bufio\"\nbufio.NewS¦", "NewScanner", ""},
	{"import b \"bufio\"\nb.NewS¦", "NewScanner", ""},
	{"broken := (\ncenter.¦", "X", ""},
	{"a := 1 +\ncenter.¦", "X", ""},
	{"a := [1, 2]\ncenter.¦", "X", ""},
	{"for i in range(3) {\n}\ncenter.¦", "X", ""},
	{"}\ncenter.¦", "X", ""},
	{"func bad( {\n}\ncenter.¦", "X", ""},
	{"undefinedThing.foo()\ncenter.¦", "X", ""},
	// Calls over several lines.
	{"fmt.Println(\n\tcenter.¦\n)", "X", ""},
	{"fmt.Println(\n\t\"a\",\n\tcenter.¦", "X", ""},
	{"jnp.Sum(\n\tx,\n\tkw.¦", "Axis KeepDims", "Num AxisOption"},
	{"fmt.Println(center.¦\nfmt.Println(1)", "X", ""},
	{"r := options(\n\tcen¦\n)", "center", ""},
	// Keyword options.
	{"jnp.Sum(x, kw.Ax¦", "Axis:function", "KeepDims"},
	{"jnp.Sum(x, ¦", "kw.Axis kw.KeepDims center", "kw.Num"},
	{"jnp.Sum(x, Ke¦", "kw.KeepDims", ""},
	{"jnp.Sum(x, kw.Axis(0), kw.¦)", "KeepDims", "Num"},
	{"y := jnp.Linspace(0, 1, kw.N¦)", "Num", "NaN"},
	{"x.Sum(kw.¦", "Axis KeepDims", ""},
	{"jit(f, stat¦", "static_argnums static_argnames", ""},
	{"jit(f, ¦", "donate_argnums compiler_options", ""},
	{"grad(f, arg¦", "argnums", ""},
	// Compiler options.
	{"jit(f, compiler_options{\"¦", "optimization_level:property", "center"},
	{"jit(f, compiler_options{\"xla_embed¦", "xla_embed_ir_in_executable", "optimization_level"},
	{"jit(f, compiler_options{\"xla_embed¦\"})", "xla_embed_ir_in_executable", ""},
	{"jit(f, compiler_options{\n\t\"xla_embed_ir_in_executable\": true,\n\t\"optim¦", "optimization_level", ""},
	{"jit(f, compiler_options{\"optimization_level\": O¦", "O0 O3", ""},
	{"jit(f, compiler_options{\"optimization_level\": \"¦", "O0 O3", "xla_embed_ir_in_executable"},
	{"f.Lower(1.).Compile(compiler_options{\"memory¦", "memory_fitting_level", ""},
	{"f.Lower(1.).Compile(jax.CompilerOptions{\"memory¦", "memory_fitting_level", ""},
	{"opts := compiler_options{`xla_emb¦", "xla_embed_ir_in_executable", ""},
	{"/* 😀 */ opts := compiler_options{\"xla_emb¦", "xla_embed_ir_in_executable", ""},
	{"%%xla {\"xla_emb¦", "xla_embed_ir_in_executable", ""},
	{"%%xla {\"optimization_level\": \"O1\", \"xla_emb¦", "xla_embed_ir_in_executable", ""},
	{"%%xla {\"optimization_level\": \"O1\"}\ng := jit(f)\ncenter.¦", "X", ""},
	{"xla_metadata_call(attrs{\"mu¦", "must_fuse", ""},
	{"metadata.Attrs{\"a\": 1, \"must¦", "must_fuse", ""},
	{"jax.Update(\"jax_e¦", "jax_enable_x64", ""},
	{"jax.Update(\"jax_optimization_level\", \"¦", "O2", ""},
	{"f.Lower(1.).AsText(\"¦", "hlo stablehlo", ""},
	{"os.Getenv(\"PLACES_V¦", "PLACES_VARIABLE", ""},
	// Imports.
	{"import \"net/ht¦", "net/http", ""},
	{"import \"¦", "fmt strings", ""},
	{"import (\n\t\"fmt\"\n\t\"enc¦", "encoding/json:module", ""},
	{"import j \"encoding/js¦\"", "encoding/json", ""},
	{"import \"gopherlo/jaxlike/j¦", "gopherlo/jaxlike/jnp", ""},
	// Magics and their arguments.
	{"%¦", "%time %env %%xla", ""},
	{"%ti¦", "%time %timeit", "%env"},
	{"%%¦", "%%time %%xla %%hlo", "%env"},
	{"center\n%ti¦", "%time:magic %timeit", "%%time"},
	{"%time center.¦", "X Norm", ""},
	{"%timeit f(x).Blo¦", "BlockUntilReady", ""},
	{"%hlo f¦", "f fmt", ""},
	{"%%time\ncenter.¦", "X", ""},
	{"%%timeit\nx.Resh¦", "Reshape", ""},
	{"%env PLACES_V¦", "PLACES_VARIABLE", ""},
	{"%env XLA_F¦", "XLA_FLAGS", ""},
	{"%env XLA_FLAGS=--xla_dump_t¦", "xla_dump_to", ""},
	{"%env XLA_FLAGS=--xla_a=1 --xla_dump_t¦", "xla_dump_to", ""},
	{"%reset cen¦", "center", "center.X"},
	{"%reset ji¦", "jit", ""},
	{"%help ti¦", "time timeit", ""},
	{"%help %ti¦", "%time", ""},
	{"%operators o¦", "on off", ""},
	{"%replay au¦", "auto", ""},
	{"%replay auto o¦", "on off", ""},
	{"%interrupt gr¦", "grace", ""},
	{"%interrupt grace ¦", "never 10s", ""},
	{"%checkpoint par¦", "params", ""},
	{"%checkpoint params cen¦", "center", ""},
	{"%flags xla_emb¦", "xla_embed_ir_in_executable", ""},
	{"%cd inner¦", "innerfolder/:folder", "inner.txt"},
	{"%load inner¦", "inner.txt:file innerfolder/", ""},
	{"%load innerfolder/d¦", "data.csv", ""},
	{"!cat inn¦", "inner.txt innerfolder/", ""},
	{"!cat innerfolder/d¦", "data.csv", ""},
	{"!cat \"inn¦", "inner.txt", ""},
	{"!ca¦", "cat:command", ""},
	{"!ls | ca¦", "cat", ""},
	{"os.ReadFile(\"inn¦", "inner.txt", ""},
	{"os.ReadFile(\"innerfolder/¦\")", "data.csv", ""},
	{"?cen¦", "center", ""},
	// Nothing.
	{"12¦", "", "center"},
	{"1.¦", "", "center"},
	{"// cen¦", "", "center"},
	{"x := \"cen¦\"", "", "center"},
	{"nothing.¦", "", "center"},
	{"%%hlo\nHloModule m¦", "", "center math"},
}

// TestCompletePlaces completes at many places, each as it may stand in a cell
// that is being written.
func TestCompletePlaces(t *testing.T) {
	needsPlugin(t)
	dir := t.TempDir()
	t.Chdir(dir)
	t.Setenv("PLACES_VARIABLE", "1")
	for _, name := range []string{"inner.txt", "innerfolder/data.csv"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	in := session(t, append(placeCells, `circle.tags = map[string]int{"blue": 1}`)...)
	for _, p := range append(places, morePlaces...) {
		before, after, ok := strings.Cut(p.code, "¦")
		if !ok {
			t.Fatalf("%q has no cursor", p.code)
		}
		at := utf8.RuneCountInString(before)
		got := in.Complete(context.Background(), before+after, at)
		typed := string([]rune(before)[min(got.Start, at):])
		if got.End != at || got.Start > at {
			t.Errorf("%q: replaces %d to %d, the cursor is at %d", p.code, got.Start, got.End, at)
		}
		for _, want := range strings.Fields(p.has) {
			checkMatch(t, p.code, want, got.Matches, func(i int) (string, string) { return got.Types[i].Type, got.Types[i].Signature })
		}
		for _, not := range strings.Fields(p.hasNot) {
			if slices.Contains(got.Matches, not) {
				t.Errorf("%q: %s is among the matches", p.code, not)
			}
		}
		for i, m := range got.Matches {
			if _, member, _ := strings.Cut(m, "."); !strings.HasPrefix(foldWord(m), foldWord(typed)) && !strings.HasPrefix(foldWord(member), foldWord(typed)) {
				t.Errorf("%q: %q replaces %q", p.code, m, typed)
			}
			if got.Types[i].Text != m || got.Types[i].Start != got.Start || got.Types[i].End != got.End || got.Types[i].Type == "" {
				t.Errorf("%q: type %+v of %q", p.code, got.Types[i], m)
			}
		}
	}
}

// TestCompleteOptionsFirst: the options of a call are there before any cell has
// named their package.
func TestCompleteOptionsFirst(t *testing.T) {
	const code = "jnp.Sum(1., "
	got := session(t).Complete(context.Background(), code, len(code))
	if len(got.Matches) == 0 || got.Matches[0] != "kw.Axis" {
		t.Errorf("%q: %.160q", code, got.Matches)
	}
}

// checkMatch checks that a name is offered, with the type and the signature that
// are wanted.
func checkMatch(t *testing.T, code, want string, matches []string, of func(i int) (kind, signature string)) {
	t.Helper()
	want, signature, _ := strings.Cut(want, "=")
	want, kind, _ := strings.Cut(want, ":")
	i := slices.Index(matches, want)
	if i < 0 {
		t.Errorf("%q: %s is not among %d matches %.160q", code, want, len(matches), matches)
		return
	}
	gotKind, gotSignature := of(i)
	if kind != "" && gotKind != kind || signature != "" && !strings.HasPrefix(gotSignature, signature) {
		t.Errorf("%q: %s is a %s %q", code, want, gotKind, gotSignature)
	}
}
