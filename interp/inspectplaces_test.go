package interp

import (
	"context"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"gopherlo/kernel/language"
)

// inspectCells are declarations with comments, for the places below.
var inspectCells = []string{
	`// Layer is one layer.
// It has two Arrays.
type Layer struct {
	W Array // the weights
	// B is the bias.
	B Array
	n int
}

// Apply applies the layer.
func (l Layer) Apply(x Array) Array { return x * l.W }

type shape interface {
	// Area is the area.
	Area() float64
}

const Steps = 10 // how many

// rate is how fast.
var rate = 0.5

/* twice
doubles */
func twice(n int) int { return 2 * n }

func plain() {}`,
	`layer := Layer{W: jnp.Ones([]int{2}), B: jnp.Zeros([]int{3}), n: 7}
table := map[string]Layer{"a": layer}
list := []float64{1, 2}
f := jit(func(x Array) Array { return x + 1 })
f(1.)`,
	"jnp.Arange(3.)",
}

// describedPlaces are texts with a cursor and what the inspection there says, in
// any order; after ~ what the source of detail 1 has.
var describedPlaces = []struct{ code, want, source string }{
	// Packages and their members.
	{"fm¦t.Println", "package fmt // import \"fmt\"|implements formatted I/O", ""},
	{"jnp¦", "package jnp // import \"gopherlo/jaxlike/jnp\"", ""},
	{"strings¦", "package strings", ""},
	{"fmt.Println¦(1)", "func Println(a ...any) (n int, err error)|Println formats", ""},
	{"fmt.Println(¦", "func Println(", ""},
	{"fmt.Println(twice(1), ¦", "func Println(", ""},
	{"fmt.Println(twice(¦", "func twice(n int) int", ""},
	{"fmt.Println(\n\t1,\n\t¦\n)", "func Println(", ""},
	{"fmt.Println([]int{1, ¦}", "func Println(", ""},
	{"jnp.Sum(x, kw.Ax¦is(0))", "func Axis(", ""},
	{"jnp.Arange(3.).Resh¦ape", "func (Array) Reshape(", ""},
	{"math.Pi¦", "const Pi untyped float = 3.14159|", ""},
	{"http.MethodGet¦", "const MethodGet untyped string = \"GET\"", ""},
	{"http.Server{Add¦r: \"\"}", "field Addr string|optionally specifies", ""},
	{"var b strings.Build¦er", "type Builder struct{ … }|WriteString(s string)", ""},
	{"var r io.Read¦er", "type Reader interface{Read(p []byte) (n int, err error)}", ""},
	{"os.Args¦", "var Args []string", ""},
	// Names of JAX.
	{"gra¦d(f)", "func grad(f any|", ""},
	{"jit¦", "func jit(", ""},
	{"var a Arr¦ay", "type Array struct{ … }|methods: Abs, Add|n-dimensional", ""},
	{"compiler_opt¦ions{}", "type compiler_options map[string]any", ""},
	{"O3¦", "O3", ""},
	{"set_xla_metadata(x, ¦", "func set_xla_metadata[T any](x T", ""},
	// Cells' names.
	{"twi¦ce(3)", "func twice(n int) int|twice\ndoubles|declared in cell 1", "return 2 * n"},
	{"pla¦in", "func plain()|declared in cell 1", "func plain() {}"},
	{"Lay¦er{}", "type Layer struct {\n\tW Array\n\tB Array\n\tn int\n}|Layer is one layer.\nIt has two Arrays.|func (Layer) Apply(x Array) Array", "W Array // the weights"},
	{"layer.App¦ly(x)", "func (Layer) Apply(x Array) Array|Apply applies|declared in cell 1", "return x * l.W"},
	{"layer.W¦", "field W Array|the weights|float32[2]", ""},
	{"layer.B¦", "field B Array|B is the bias.|float32[3]", ""},
	{"layer.n¦", "field n int|= 7", ""},
	{"Layer{B¦: x}", "field B Array|B is the bias.", ""},
	{"var s shape; s.Ar¦ea()", "func (shape) Area() float64|Area is the area.", ""},
	{"Ste¦ps", "const Steps untyped int = 10|how many", ""},
	{"ra¦te", "var rate float64|rate is how fast.|= 0.5", ""},
	{"lay¦er", "var layer Layer|W float32[2]|B float32[3]|n = 7", ""},
	{"tab¦le", "var table map[string]Layer|length 1|[\"a\"].W float32[2]", ""},
	{"li¦st", "var list []float64|length 2|[0] = 1|[1] = 2", ""},
	{"f¦", "var f Func|cached: entries: 1, traces: 1, compiles: 1", ""},
	{"f¦(2.)", "var f Func|cached:", ""},
	// Names of the cell that is written.
	{"local := twice(3)\nloc¦al", "var local int", ""},
	{"func g(p Layer) { p¦ }", "var p Layer", ""},
	{"func g(p Layer) { p.App¦ly(", "func (Layer) Apply(x Array) Array", ""},
	{"for i, v := range list {\n\tv¦", "var v float64", ""},
	{"switch v := any(1).(type) {\ncase int:\n\tv¦\n}", "var v int", ""},
	{"y := jnp.Sin(1.) + 1\ny¦", "var y Array", ""},
	{"größe := 1; gröβ := 2; größ¦e", "var größe int", ""},
	{"s := \"😀\"; twi¦ce(1)", "func twice(", ""},
	{"func (l Layer) New() {}\nlayer.Ap¦ply", "Apply applies", ""},
	// Go itself.
	{"app¦end", "func append(slice []T, elems ...T) []T|append gives a slice", ""},
	{"le¦n(list)", "func len(v T) int", ""},
	{"make(¦", "func make(", ""},
	{"defe¦r f()", "defer|when the function around it ends", ""},
	{"ran¦ge list", "range", ""},
	{"var e err¦or", "type error interface{Error() string}", ""},
	{"va¦r x int", "var|declare variables", ""},
	{"st¦ring", "type string", ""},
	{"tru¦e", "true", ""},
	{"ni¦l", "nil", ""},
	// Compiler options, attributes and other texts.
	{"compiler_options{\"xla_embed_ir_in_exec¦utable\": true}", "xla_embed_ir_in_executable|bool", ""},
	{"compiler_options{\"xla_embed_ir_in_executable¦", "xla_embed_ir_in_executable", ""},
	{"compiler_options{\"xla_embed_ir_in_executable\": \"tr¦", "xla_embed_ir_in_executable", ""},
	{"/* 😀 */ compiler_options{\"xla_embed_ir_in_executable¦", "xla_embed_ir_in_executable", ""},
	{"compiler_options{\"optimization_lev¦el\": O3}", "optimization_level O0|compiles fastest", ""},
	{"%%xla {\"xla_embed_ir_in_exec¦utable\": true}", "xla_embed_ir_in_executable", ""},
	{"%env XLA_FLAGS=--xla_dump_¦to=/tmp", "xla_dump_to", ""},
	{"attrs{\"must_f¦use\": 1}", "must_fuse|XLA fuses", ""},
	{"jax.Update(\"jax_enable_x¦64\", true)", "jax_enable_x64 bool|64 bits", ""},
	{"f.Lower(1.).AsText(\"stable¦hlo\")", "stablehlo|StableHLO", ""},
	{"import \"net/ht¦tp\"", "package http // import \"net/http\"", ""},
	{"import (\n\t\"strings¦\"\n)", "package strings", ""},
	{"fmt.Println(\"some te¦xt\")", "func Println(", ""},
	// Magics.
	{"%ti¦me f(x)", "%time STATEMENT|time one", ""},
	{"%timeit¦", "%timeit|BlockUntilReady", ""},
	{"%%xl¦a {}", "%%xla {OPTIONS}|what a jit says", ""},
	{"%cd fold¦er", "%cd [DIR]", ""},
	{"%timeit twi¦ce(3)", "func twice(n int) int", ""},
	{"¦!ls", "!COMMAND|your rights", ""},
	// The history.
	{"Ou¦t[3]", "Out|values that cells have shown", ""},
	{"In¦", "In|texts of the cells", ""},
	{"_¦", "_|last value", ""},
	// Declarations, also of this cell.
	{"// Twice is two.\nfunc (l Layer) Tw¦ice(n int) Layer { return l }", "func (l Layer) Twice(n int) Layer|Twice is two.", ""},
	{"func nam¦e(a int) {}", "func name(a int)", ""},
	{"type Na¦me struct{ A int }", "type Name struct {\n\tA int\n}", ""},
	{"xx¦ := 3", "var xx int", ""},
	{"const kk¦ = 3", "const kk untyped int = 3", ""},
	{"func f(par¦am int) {}", "var param int", ""},
	{"type T struct { fie¦ld int }", "field field int", ""},
	{"type I interface { Meth¦od() int }", "func (I) Method() int", ""},
	{"for idx¦ := range 3 {}", "var idx int", ""},
	{"outer:\nfor {\n\tbreak out¦er\n}", "label outer", ""},
	{"func Map[T, U any](xs []T, g func(T) U¦) []U { return nil }", "type U any", ""},
	{"import ss \"strings\"\ns¦s.Split(\"\", \"\")", "package strings", ""},
	{"p := &Layer{}\np.App¦ly(x)", "func (Layer) Apply(x Array) Array|Apply applies", ""},
	{"layer.W.Resha¦pe(1)", "func (Array) Reshape(shape ...int) Array", ""},
	// Functions with options list them.
	{"jnp.Su¦m", "func Sum(a any|// options:\nkw.Axis(axes ...int)\n|kw.KeepDims(keep bool)", ""},
	{"lax.Sca¦n", "kw.Length(n int)|kw.Reverse(on bool)", ""},
	{"jit(¦", "func jit(f any|Options: CompilerOptions", ""},
	{"kw.Nu¦m(3)", "func Num(n int) kw.NumOption", ""},
	{"xla_metadata_ca¦ll2", "func xla_metadata_call2(f any, attrs metadata.Attrs", ""},
	{"f.Low¦er(1.)", "func (Func) Lower(args ...any)|without compiling", ""},
	{"f.Lower(1.).Comp¦ile()", "Compile(options ...map[string]any)", ""},
	{"f.Lower(1.).HLO().FindOp¦code(\"sine\")", "FindOpcode(ops ...hlo.Opcode)", ""},
	{"xla.Comp¦ile(\"\")", "func Compile(program any", ""},
	{"display.HT¦ML(\"\")", "func HTML(markup string)", ""},
	{"jax.CompilerOpt¦ions{}", "type CompilerOptions map[string]any", ""},
	{"jnp.Float3¦2", "const Float32 dtype.DType", ""},
	{"time.Seco¦nd", "const Second time.Duration = 1000000000|Common durations", ""},
	{"io.EO¦F", "var EOF error|no more input", ""},
	{"http.Client{Time¦out: 3}", "field Timeout time.Duration|time limit", ""},
	{"fmt.Fprintf(os.Stdout, \"%d\", ¦", "func Fprintf(w io.Writer", ""},
	{"an¦y(1)", "type any = interface{}", ""},
	{"io¦ta", "const iota|counts the lines", ""},
	{"%env XLA_FL¦AGS=1", "%env [NAME[=VALUE]]|secret", ""},
	{"x := 3 // tw¦o", "", ""},
	// Nothing.
	{"undefinedName¦", "", ""},
	{"1 + ¦", "", ""},
	{"¦", "", ""},
	{"// twi¦ce", "", ""},
	{"layer.nothing¦", "", ""},
	{"func g() {\n\t¦\n}", "", ""},
}

// TestInspectPlaces asks what stands at many places, with both forms of the
// answer.
func TestInspectPlaces(t *testing.T) {
	needsPlugin(t)
	in := session(t, inspectCells...)
	for _, p := range describedPlaces {
		before, after, ok := strings.Cut(p.code, "¦")
		if !ok {
			t.Fatalf("%q has no cursor", p.code)
		}
		got := in.Inspect(context.Background(), before+after, utf8.RuneCountInString(before), 0)
		text, _ := got.Data["text/plain"].(string)
		markdown, _ := got.Data["text/markdown"].(string)
		if got.Found != (p.want != "") || got.Found != (text != "") || got.Found != (markdown != "") {
			t.Errorf("%q: found %v, %q", p.code, got.Found, text)
			continue
		}
		for _, want := range strings.Split(p.want, "|") {
			if !strings.Contains(text, want) {
				t.Errorf("%q: %q\nhas no %q", p.code, text, want)
			}
		}
		if got.Found && (!strings.HasPrefix(markdown, "```go\n") || strings.Count(markdown, "```")%2 != 0) {
			t.Errorf("%q: Markdown %q", p.code, markdown)
		}
		got = in.Inspect(context.Background(), before+after, utf8.RuneCountInString(before), 1)
		if text, _ = got.Data["text/plain"].(string); !strings.Contains(text, p.source) || p.source != "" && !strings.Contains(got.Data["text/markdown"].(string), p.source) {
			t.Errorf("%q: detail 1 is %q, want the source %q", p.code, text, p.source)
		}
	}
}

// firstOutput is a host that tells of the first output.
type firstOutput struct {
	quiet
	once sync.Once
	seen chan struct{}
}

func (h *firstOutput) Stream(string, string) { h.once.Do(func() { close(h.seen) }) }

// TestInspectBesideCell asks for values while a cell runs that changes them: they
// are those that the last cell has left.
func TestInspectBesideCell(t *testing.T) {
	needsPlugin(t)
	in := session(t,
		"x := jnp.Arange(3.)\nn := 1\ntext := \"before\"\nlist := []int{1}\nf := jit(func(x Array) Array { return x + 1 })\nf(1.)\ntype P struct{ W Array }\np := P{jnp.Ones([]int{2, 3})}\nm := map[string]int{\"a\": 1}",
		"n = 2")
	in.keepAll()
	ctx, cancel := context.WithCancel(context.Background())
	done, seen := make(chan language.Result), make(chan struct{})
	go func() {
		done <- in.Execute(ctx, language.Request{Code: "for {\n\tx = jnp.Zeros([]int{4})\n\tn++\n\ttext += \"x\"\n\tlist = append(list, n)\n\tp = P{x}\n\tm[\"b\"] = n\n\tf(1)\n\tfmt.Println()\n}"}, &firstOutput{seen: seen})
	}()
	<-seen // a round has ended
	const left = "as of the end of cell 2 (another cell is running):\n"
	for range 20 {
		for name, want := range map[string]string{
			"x": left + "float32[3]\nArray([0., 1., 2.], dtype=float32)", "n": left + "= 2", "text": left + "= \"before\"", "list": left + "length 1\n[0] = 1",
			"f": left + "cached: ", "p": left + "W float32[2,3]", "m": left + "length 1",
		} {
			text, _ := in.Inspect(context.Background(), name, len(name), 0).Data["text/plain"].(string)
			if !strings.Contains(text, want) {
				t.Fatalf("%s: %q, want %q", name, text, want)
			}
		}
		in.Complete(context.Background(), "m[\"", 3)
	}
	cancel()
	if res := <-done; res.Error == nil {
		t.Error("the cell was not interrupted")
	}
	if text, _ := in.Inspect(context.Background(), "x", 1, 0).Data["text/plain"].(string); strings.Contains(text, "as of") || !strings.Contains(text, "float32[4]") {
		t.Errorf("after the cell: %q", text)
	}
}
