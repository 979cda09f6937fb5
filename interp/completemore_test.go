package interp

import (
	"context"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// morePlaces are further places, as in [places].
var morePlaces = []struct{ code, has, hasNot string }{
	// Where a type is due there are types and packages only.
	{"func (c *Circle) Foo(p ¦", "Point Circle int strings struct:keyword", "center x return append"},
	{"func (c *Circle) Foo() (r Poi¦", "Point", "points"},
	{"func f(a int, b ...Poi¦", "Point", "points"},
	{"func f(a int, b ...*Poi¦", "Point", "points"},
	{"var fn func(Poi¦", "Point", "points"},
	{"make(chan Poi¦", "Point", "points"},
	{"make([]Poi¦", "Point", "points"},
	{"type T struct { Poi¦", "Point", "points"},
	{"type T struct { strings.¦", "Builder", "Split"},
	{"type (\n\tA = Poi¦\n)", "Point", "points"},
	{"anyValue.(Poi¦", "Point", "points"},
	{"var wg sync.¦", "WaitGroup Mutex", "OnceFunc"},
	{"new(Cir¦", "Circle", ""},
	{"func F[T Sha¦", "Shape", ""},
	{"func F[T interface{ ~int | str¦", "string", ""},
	// Where nothing can stand that a session knows.
	{"import ¦", "", "center"},
	{"import (\n\t\"fmt\"\n\ts¦", "", "stack"},
	{"package ¦", "", "center"},
	{"center?¦", "", "center"},
	{"center.X?¦", "", "center"},
	{"'c¦'", "", "center"},
	{"x := 1 // comment ¦", "", "center"},
	// Expressions.
	{"center.Norm().¦", "", "Norm"},
	{"two := func() Point { return center }\ntwo().¦", "X Norm", ""},
	{"[3][2]Circle{}[0][1].¦", "Radius Norm", ""},
	{"fmt.Sprintf(\"%v\", center.¦)", "X Norm", ""},
	{"strings.NewReplacer(\"a\", \"b\").¦", "Replace WriteString", ""},
	{"time.Now().Add(1).¦", "Add Format", ""},
	{"resp, err := http.Get(\"x\")\nresp.Body.¦", "Close Read", ""},
	{"ctx, cancel := context.WithTimeout(context.Background(), 1)\nctx.¦", "Done Err", ""},
	{"var mu sync.Mutex\nmu.¦", "Lock Unlock", "state sema"},
	{"wg := sync.WaitGroup{}\nwg.¦", "Add Done Wait", ""},
	{"x := struct{ A int; B string }{A: 1}\nx.¦", "A:property B", ""},
	{"x := []struct{ A int; B string }{{¦", "A B", ""},
	{"&Params{Layers: []Layer{{W: x, ¦", "B", ""},
	{"circle = Circle{Point: Point{¦", "X Y", "Radius"},
	{"if p := points[0]; p.¦ > 1 {}", "X", ""},
	{"go func() { center.¦ }()", "X", ""},
	{"defer func() { if r := recover(); r != nil { fmt.Println(¦) } }()", "r center", ""},
	{"sort.Slice(points, func(i, j int) bool { return points[i].¦", "X", ""},
	{"slices.SortFunc(points, func(a, b Point) int { return cmp.Compare(a.¦", "X", ""},
	{"for _, l := range params.Layers { l.W.¦ }", "Reshape", ""},
	{"goto ¦\nL:\n\tfmt.Println()", "L:label", "center"},
	{"holder := struct{ m map[string]int }{}\nholder.m[\"¦", "", "center"},
	{"circle.tags[\"bl¦", "blue", ""},
	// What functions of JAX and XLA take.
	{"jnp.Linspace(0, 1, ¦", "kw.Num kw.Endpoint", "kw.Axis2"},
	{"random.Normal(random.Key(0), []int{2}, ¦", "kw.DType", "kw.Axis"},
	{"lax.Scan(¦", "kw.Length kw.Reverse", ""},
	{"vmap(f, in_¦", "in_axes:function", ""},
	{"f.Lower(1.).HLO().FindOpcode(\"¦", "add:function sine", "inner.txt"},
	{"f.Lower(1.).HLO().FindOpcode(\"sine\", \"mul¦", "multiply", "sine"},
	{"f.Lower(1.).HLO().FindOpcode(\"sine\")[0].SetAttr(\"¦", "must_fuse", "inner.txt"},
	{"xla.Flags(\"xla_emb¦", "xla_embed_ir_in_executable", ""},
	{"f.Lower(1.).Compile().Opt¦", "Options", ""},
	// Magics.
	{"%timeit -¦", "-n:option -r", ""},
	{"%%timeit -n 5 -¦", "-r", ""},
	{"%who ¦", "func:keyword var center Point", ""},
	{"%who fu¦", "func", ""},
	{"%env XLA_FLAGS=¦", "--xla_dump_to", "xla_dump_to"},
	{"%env XLA_FLAGS=--xla_dump_to=/tmp -¦", "--xla_dump_to", ""},
	{"%env XLA_FLAGS=--xla_cpu_enable_fast_math=¦", "true false", ""},
	{"%env GOPHERLO_¦", "GOPHERLO_CACHE GOPHERLO_DATA", ""},
	{"%env JAX_¦", "JAX_PLATFORMS JAX_ENABLE_X64", ""},
	{"%help ¦", "time env", ""},
	{"%pwd ¦", "", "center"},
	{"%%hlo {\"xla_emb¦", "xla_embed_ir_in_executable", ""},
}

// firstPlaces are texts with a cursor and what comes first there, in this order:
// what has the type that the place wants.
var firstPlaces = []struct{ code, first string }{
	{"var c Color = ¦", "Green Red"},
	{"func g() (int, Point) { return 1, ¦ }", "center"},
	{"center.X = circle.¦", "Radius X Y"},
	{"time.Now().Add(time.¦", "Hour Microsecond"},
	{"err := error(nil)\nerr == io.¦", "EOF ErrClosedPipe"},
	{"bufio.NewScanner(os.¦", "Stderr Stdin Stdout"},
	{"switch Red {\ncase ¦", "Green Red"},
	{"ch <- ¦", "center"},
	{"points = append(points, ¦", "center"},
	{"circle = Circle{Point: ¦", "center"},
	{"list := []*Circle{¦", "ptr"},
	{"byName[\"a\"] = ¦", "center"},
	{"jnp.Sum(x, ¦", "kw.Axis kw.DType"},
	{"p := Point{¦", "X Y label"},
	{"jit(f, ¦", "compiler_options donate_argnums keep_unused static_argnames static_argnums"},
	{"grad(f, ¦", "argnums"},
	{"xla_metadata_call2(f, attrs{\"tag\": \"a\"}, ¦", "ad_metadata"},
}

func TestCompleteFirst(t *testing.T) {
	needsPlugin(t)
	in := session(t, placeCells...)
	for _, p := range firstPlaces {
		before, after, _ := strings.Cut(p.code, "¦")
		got := in.Complete(context.Background(), before+after, utf8.RuneCountInString(before)).Matches
		want := strings.Fields(p.first)
		if len(got) < len(want) || !slices.Equal(got[:len(want)], want) {
			t.Errorf("%q: first %q, want %q", p.code, got[:min(len(got), 6)], want)
		}
	}
}
