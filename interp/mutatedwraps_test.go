package interp

import "strings"

// exprWraps make an expression anew that has the same value. E is the
// expression, T its type.
var exprWraps = []string{
	"(E)", "func() T { return E }()", "[]T{E}[0]", `map[string]T{"k": E}["k"]`, "any(E).(T)", "(*(&[]T{E}[0]))", "struct{ f T }{E}.f",
	"(&struct{ f T }{E}).f", "func(x T) T { return x }(E)", "func(x ...T) T { return x[0] }(E)", "func() (x T) { defer func() { x = E }(); return }()",
	"<-func() chan T { c := make(chan T, 1); c <- E; return c }()", "append([]T{}, E)[0]", "[...]T{E}[0]", "[2]T{1: E}[1]",
	"func() T { type N struct{ v T }; n := N{E}; return n.v }()", "func() T { type N = T; var n N = E; return n }()", "func() T { type N T; return T(N(E)) }()",
	"func() T { for x := range func(yield func(T) bool) { yield(E) } { return x }; panic(0) }()",
	"func() T { for _, x := range []T{E} { return x }; panic(0) }()",
	"func() T { x := E; p := &x; f := func() T { return *p }; return f() }()",
	"func() T { switch x := any(E).(type) { case T: return x }; panic(0) }()",
	"func() T { if x, ok := any(E).(T); ok { return x }; panic(0) }()",
	"func() T { var x T; x, _ = E, 0; return x }()",
	"func() T { x := new(T); *x = E; return *x }()",
	"func() T { select { default: return E } }()",
	"func() (x T) { func() { x = E }(); return }()",
	"zId(E)", "zId[T](E)", "zBox[T]{E}.get()", "(&zBox[T]{E}).get()", "zGetter[T](zBox[T]{E}).get()", "zPair[int, T]{1, E}.b", "zApply(zBox[T].get, zBox[T]{E})", "zApply(func(x T) T { return x }, E)", "zLast(E, E)", "zLast([]T{E}...)",
	"func() T { var g zGetter[T] = &zBox[T]{E}; return g.get() }()", "func() T { f := zBox[T]{E}.get; return f() }()", "func() T { type N struct{ zBox[T] }; return N{zBox[T]{E}}.get() }()",
	"func() T { type N struct{ *zBox[T] }; n := N{&zBox[T]{E}}; return n.v }()",
	"func() T { m := map[zPair[int, string]]T{{1, \"a\"}: E}; return m[zPair[int, string]{1, \"a\"}] }()",
	"func() (x T) { defer func() { recover(); x = E }(); panic(1) }()",
	"func() T { x := E; func() { defer func() { x := recover(); _ = x }(); var m map[string]int; m[\"a\"] = 1 }(); return x }()",
	"func() T { var fs []func() T; for i := range 3 { fs = append(fs, func() T { if i == 1 { return E }; return *new(T) }) }; return fs[1]() }()",
	"func() T { goto L; L: return E }()",
	"func() T { c := make(chan T); go func() { c <- E }(); return <-c }()",
	"func() T { c := make(chan T); go func() { defer close(c); c <- E }(); for x := range c { return x }; panic(0) }()",
	"func() T { switch { case true: fallthrough; default: return E } }()",
	"func() T { a := [3]T{E, E, E}; b := a; return b[2] }()",
	"func() T { s := make([]T, 1, 2); copy(s, []T{E}); return s[:2:2][0] }()",
	"func() T { type L[U any] struct { v U; n *L[U] }; l := &L[T]{E, nil}; return l.v }()",
	"func() T { x, y := E, 1; _ = y; x, y = x, 2; return x }()",
	"func() T { return func() T { return E }() }()",
	"func() T { var e error = zErr[T]{E}; if z, ok := e.(zErr[T]); ok { return z.v }; panic(0) }()",
	"func() T { var x any = E; return x.(T) }()", "func() T { f := func(xs ...any) any { return xs[len(xs)-1] }; return f(1, E).(T) }()",
	"*func() *T { x := E; return &x }()",
	"zRange(E)",
}

// kindWraps are for types of some kind.
var kindWraps = map[string][]string{
	"number":  {"E+0", "-(-E)", "(E*1)", "max(E, E)", "min(E, E)", "T(E)", "(E)/1", "func() T { x := E; x += 1; x--; return x }()", "zSum(E)", "func() T { var x T; x += E; return x }()"},
	"integer": {"E<<1>>1", "E|0", "E^0", "E&^0", "^(^E)", "func() T { x := E; x <<= 0; return x }()"},
	"boolean": {"!(!E)", "(E && true)", "(E || false)", "(E == true)", "!(E != true)"},
	"string":  {`(E+"")`, "E[:]", "string([]byte(E))", "string([]rune(E))", `fmt.Sprint(E)`, `fmt.Sprintf("%v", E)`, "func() (s T) { for _, r := range E { s += T(r) }; return }()", "func() T { x := E; x += \"\"; return x }()"},
	"slice":   {"E[:]", "E[0:]", "append(E[:0:0], E...)", "func() T { x := E; x = append(x, x...)[:len(x)]; return x }()"},
	"func":    {"func() T { f := E; g := func() T { return f }; return g() }()", "map[int]T{0: E}[0]"},
	"map":     {"func() T { m := T{}; for k, v := range E { m[k] = v }; return m }()"},
	"pointer": {"&*E", "func() T { p := E; q := &p; return *q }()"},
	"struct":  {"func() T { x := E; y := x; _ = y; x, y = y, x; return x }()", "*func(p *T) *T { return p }(&[]T{E}[0])"},
}

// helpers are what the wraps call.
const helpers = `
func zId[T any](x T) T { return x }
type zBox[T any] struct{ v T }
func (b zBox[T]) get() T { return b.v }
type zGetter[T any] interface{ get() T }
type zPair[A, B any] struct { a A; b B }
func zApply[A, B any](f func(A) B, x A) B { return f(x) }
func zLast[T any](xs ...T) T { return xs[len(xs)-1] }
type zErr[T any] struct{ v T }
func (zErr[T]) Error() string { return "zErr" }
func zSum[T interface{ ~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr | ~float32 | ~float64 | ~complex64 | ~complex128 }](xs ...T) (s T) { for _, x := range xs { s += x }; return }
func zSeq[T any](xs ...T) func(func(T) bool) { return func(yield func(T) bool) { for _, x := range xs { if !yield(x) { return } } } }
func zRange[T any](x T) (r T) { for y := range zSeq(x, x) { r = y }; return r }
`

// wanted adds the helpers that a program calls and has not.
func wanted(src string) string {
	for _, h := range strings.Split(strings.TrimSpace(helpers), "\n") {
		name := strings.FieldsFunc(strings.TrimPrefix(strings.TrimPrefix(h, "func "), "type "), func(r rune) bool { return r == '[' || r == '(' })[0]
		if strings.HasPrefix(h, "func (") {
			continue
		}
		if strings.Contains(src, name) && !strings.Contains(src, h) {
			src += "\n" + h + "\n"
			for _, m := range strings.Split(helpers, "\n") {
				if strings.HasPrefix(m, "func (b "+name) || strings.HasPrefix(m, "func ("+name) {
					src += m + "\n"
				}
			}
			if name == "zRange" {
				return wanted(src)
			}
		}
	}
	return src
}

// fill puts an expression and a type into a wrap.
func fill(w, e, typ string) string {
	var out strings.Builder
	for i := 0; i < len(w); i++ {
		alone := (i == 0 || !letter(w[i-1])) && (i+1 == len(w) || !letter(w[i+1]))
		switch {
		case alone && w[i] == 'E':
			out.WriteString(e)
		case alone && w[i] == 'T':
			out.WriteString(typ)
		default:
			out.WriteByte(w[i])
		}
	}
	return out.String()
}

func letter(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// stmtWraps run a statement as before, or twice. S is the statement.
var stmtWraps = []string{
	"{ S }", "for range 2 { S }", "for zi := range 3 { if zi == 1 { continue }; S }", "func() { S }()", "defer func() { S }()", "{ zc := make(chan bool); go func() { defer close(zc); S }(); <-zc }",
	"select { default: S }", "switch { case true: S }", "if true { S } else { S }", "zL: for { S; break zL }", "for range (func(yield func() bool) { _ = yield() && yield() }) { S }",
	"func() { defer func() { if r := recover(); r != nil { println() } }(); S }()", "func() { defer func() { fmt.Println(recover()) }(); S }()",
	"for zi := 0; zi < 2; zi++ { defer func() { _ = zi; S }() }", "switch any(1).(type) { case int: S }", "func(zs ...func()) { for _, f := range zs { f() } }(func() { S })",
	"goto zM; zM: S", "switch zi := 1; zi { case 1: S; fallthrough; case 2: _ = zi; default: }", "for zi := range zSeq(1, 2) { if zi == 2 { break }; S }", "zO: for range 2 { for range zSeq(1, 2, 3) { S; continue zO } }",
	"func() { type zT struct{ f func() }; zT{func() { S }}.f() }()", "func() { zm := map[string]func(){\"a\": func() { S }}; zm[\"a\"]() }()", "if zv := 1; zv > 0 { S }", "var zf func(); zf = func() { S }; zf()",
	"{ var zs []func(); for zi := range 2 { zs = append(zs, func() { _ = zi; S }) }; zs[1]() }", "zN: { S; if true { break zN }; panic(0) }",
	"func() { zc := make(chan int, 1); select { case zc <- 1: S; case <-zc: } }()", "func() { for zi := 3; ; zi-- { if zi < 2 { return }; S } }()",
	"func() { defer func() { recover() }(); defer func() { S }(); panic(\"z\") }()",
}
