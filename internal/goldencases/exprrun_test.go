package goldencases

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gopherlo/internal/golden"
	jax "gopherlo/jaxlike"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/tree"
	"gopherlo/xla/plugin"
)

// exprProgram is a program as an expression tree, and what JAX gave for it.
// Texts that are empty are not known.
type exprProgram struct {
	ID    string
	Pre   expr
	F     expr
	Args  []any
	More  []any // further argument lists of the jitted function
	Jit   map[string]any
	Run   int
	Eager int
	JAX   exprOutcome
}

type exprOutcome struct {
	ErrDefine []string `json:"err_define"`
	ErrJaxpr  []string `json:"err_jaxpr"`
	ErrLower  []string `json:"err_lower"`
	ErrCall   []string `json:"err_call"`
	ErrEager  []string `json:"err_eager"`
	Src       string
	Jaxpr, StableHLO, HLO, Ops, SDebug,
	Tree string
	Out, Eager     []exprLeaf
	T1, T2, T3, T4 map[string]int
	More           map[string]json.RawMessage `json:"-"`
}

// exprLeaf is dtype, shape, weakness and elements.
type exprLeaf [4]any

// exprReport says what differs, by kind of text.
type exprReport map[string]string

func (r exprReport) same(kind, want, got string) {
	if want == "" {
		return
	}
	if want != got {
		r[kind] = golden.Diff(want, got)
		return
	}
	r[kind] = ""
}

func (r exprReport) error(kind string, want []string, got *jax.Error) {
	switch {
	case want == nil && got == nil:
		return
	case want == nil:
		r[kind] = fmt.Sprintf("raises %s: %s", got.Name, got.Message)
	case got == nil:
		r[kind] = fmt.Sprintf("does not raise %s: %s", want[0], want[1])
	default:
		a, b := want[0]+": "+plainError(want[1]), got.Name+": "+plainError(got.Message)
		r[kind] = ""
		if a != b {
			r[kind] = fmt.Sprintf("raises\n  %s\nnot\n  %s", b, a)
		}
	}
}

var (
	placeText   = regexp.MustCompile(`(?:[\w./<>-]+\.(?:py|go)|<string>):\d+(?::\d+)?(?: \([^)]*\))?`)
	addressText = regexp.MustCompile(`0x[0-9a-f]*(?:\.\.\.)?`)
)

func plainError(s string) string {
	s = addressText.ReplaceAllString(placeText.ReplaceAllString(s, "SOURCE"), "0x")
	if i := strings.Index(s, "\n--------------------"); i > 0 {
		s = s[:i]
	}
	return strings.TrimRight(s, "\n ")
}

func ticksText(m map[int]int) string {
	var out []string
	for _, k := range slices.Sorted(maps.Keys(m)) {
		out = append(out, fmt.Sprintf("%d:%d", k, m[k]))
	}
	return strings.Join(out, " ")
}

func (r exprReport) ticks(kind string, want map[string]int, got map[int]int) {
	if want == nil {
		return
	}
	w := map[int]int{}
	for k, n := range want {
		var site int
		fmt.Sscan(k, &site)
		w[site] = n
	}
	r[kind] = ""
	if a, b := ticksText(w), ticksText(got); a != b {
		r[kind] = "runs of functions " + b + ", not " + a
	}
}

// compareExpr runs one program and compares all that is known about it.
func compareExpr(p *exprProgram) exprReport {
	r, v := exprReport{}, &evaluator{map[int]int{}}
	var f any
	var args []any
	top := &scope{map[string]any{}, nil}
	err := raised(func() {
		v.run(p.Pre, top)
		f = v.eval(p.F, top)
		for _, a := range p.Args {
			args = append(args, exprArg(a))
		}
	})
	if err != nil || p.JAX.ErrDefine != nil {
		r.error("define", p.JAX.ErrDefine, err)
		return r
	}
	r.texts(p, v, f, args)
	return r
}

func (r exprReport) texts(p *exprProgram, v *evaluator, f any, args []any) {
	var j *jax.Jaxpr
	var static []jax.Option
	if s, ok := p.Jit["static_argnums"]; ok {
		static = append(static, jax.StaticArgnums(intsOf(s)...))
	}
	r.error("error jaxpr", p.JAX.ErrJaxpr, raised(func() { j = jax.MakeJaxpr(f, static...)(args...) }))
	if j != nil {
		r.same("jaxpr", p.JAX.Jaxpr, j.String())
		if err := core.Check(j); err != nil {
			r["check"] = err.Error()
		}
	}
	r.ticks("runs 1", p.JAX.T1, v.ticks)
	jitted, ok := isJitted(f)
	if !ok || len(p.Jit) > 0 {
		jitted = jax.Jit(f, jitOptions(p.Jit)...)
	}
	var l *jax.Lowered
	r.error("error lower", p.JAX.ErrLower, raised(func() {
		l = jitted.Lower(args...)
		r.same("stablehlo", p.JAX.StableHLO, l.AsText())
		r.same("hlo", p.JAX.HLO, l.AsText("hlo"))
		r.same("ops", p.JAX.Ops, opNames(l.AsTextDebug("hlo")))
		r.same("sdebug", p.JAX.SDebug, namedLocs(l.AsTextDebug()))
	}))
	r.ticks("runs 2", p.JAX.T2, v.ticks)
	if p.Run > 0 && !noRuntime {
		r.error("error call", p.JAX.ErrCall, raised(func() {
			out := jitted(args...)
			r.leaves("numbers", p.JAX.Out, out, 1e-5)
			jitted(args...)
		}))
		r.ticks("runs 3", p.JAX.T3, v.ticks)
	}
	if p.Eager > 0 && !noRuntime {
		r.error("error eager", p.JAX.ErrEager, raised(func() {
			r.leaves("eager", p.JAX.Eager, apply(f, args), 1e-5)
		}))
		r.ticks("runs 4", p.JAX.T4, v.ticks)
	}
}

var noRuntime bool

func (r exprReport) leaves(kind string, want []exprLeaf, got any, tol float64) {
	if want == nil {
		return
	}
	r[kind] = ""
	leaves, _ := tree.FlattenWith(got, nil, tree.Options{Expand: array.Expand})
	if len(leaves) != len(want) {
		r[kind] = fmt.Sprintf("%d results, not %d", len(leaves), len(want))
		return
	}
	for i, l := range leaves {
		a := toArray(l)
		w := want[i]
		if d := a.DType().String(); d != w[0] || fmt.Sprint(a.Shape()) != fmt.Sprint(w[1]) || (a.WeakType() != w[2] && d != "float0") {
			r[kind] = fmt.Sprintf("result %d: %s%v weak=%v, not %v", i, d, a.Shape(), a.WeakType(), w)
			return
		}
		if w[0] == "float0" || w[0] == "complex64" {
			continue
		}
		flat := flatNumbers(a.ToSlice())
		for k, x := range w[3].([]any) {
			if !closeTo(flat[k], x, tol) {
				r[kind] = fmt.Sprintf("result %d: %v, not %v", i, flat, w[3])
				return
			}
		}
	}
}

func flatNumbers(x any) []float64 {
	switch x := x.(type) {
	case []any:
		var out []float64
		for _, v := range x {
			out = append(out, flatNumbers(v)...)
		}
		return out
	case bool:
		if x {
			return []float64{1}
		}
		return []float64{0}
	}
	return []float64{number(x)}
}

func closeTo(g float64, want any, tol float64) bool {
	if s, ok := want.(string); ok {
		return fmt.Sprint(jsonFloat(g)) == s
	}
	w := number(want)
	return math.Abs(g-w) <= tol*(1+math.Abs(w))
}

var (
	locLine = regexp.MustCompile(`(?m)^(#loc\d*) = loc\((.*)\)$`)
	locName = regexp.MustCompile(`^"((?:[^"\\]|\\.)*)"(\(|$)`)
	locUse  = regexp.MustCompile(`loc\((#loc\d*)\)`)
	locArg  = regexp.MustCompile(`loc\("((?:[^"\\]|\\.)*)"\(#loc\d*\)\)`)
	locRow  = regexp.MustCompile(`(?m)^#loc.*\n`)
)

// namedLocs replaces the places of a StableHLO text by their names.
func namedLocs(t string) string {
	names := map[string]string{}
	for _, m := range locLine.FindAllStringSubmatch(t, -1) {
		name := "file"
		if q := locName.FindStringSubmatch(m[2]); q != nil {
			name = q[1]
		}
		for _, k := range []string{"callsite", "unknown", "fused"} {
			if strings.HasPrefix(m[2], k) {
				name = k
			}
		}
		names[m[1]] = name
	}
	t = locArg.ReplaceAllString(locRow.ReplaceAllString(t, ""), "loc($1)")
	return locUse.ReplaceAllStringFunc(t, func(s string) string { return "loc(" + names[s[4:len(s)-1]] + ")" })
}

func readLines(t *testing.T, name string, each func(line []byte)) {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var in io.Reader = file
	if strings.HasSuffix(name, ".gz") {
		if in, err = gzip.NewReader(file); err != nil {
			t.Fatal(err)
		}
	}
	s := bufio.NewScanner(in)
	s.Buffer(nil, 1<<26)
	for s.Scan() {
		each(s.Bytes())
	}
}

func decodeNumbers(line []byte, into any) error {
	d := json.NewDecoder(strings.NewReader(string(line)))
	d.UseNumber()
	return d.Decode(into)
}

// TestExprs compares programs whose outcomes are known, byte for byte: nests of
// transformations, control flow and metadata, and what they raise.
func TestExprs(t *testing.T) {
	if _, err := plugin.Find("cpu"); err != nil {
		noRuntime = true
	}
	readLines(t, "testdata/exprs.jsonl.gz", func(line []byte) {
		var p exprProgram
		if err := decodeNumbers(line, &p); err != nil {
			t.Fatal(err)
		}
		t.Run(p.ID, func(t *testing.T) {
			for kind, difference := range compareExpr(&p) {
				if difference != "" {
					t.Errorf("%s:\n%s", kind, difference)
				}
			}
		})
	})
}

// TestExprDiff compares the programs of a file with JAX's outcomes in another:
// GOPHERLO_EXPRS=programs,outcomes,report.
func TestExprDiff(t *testing.T) {
	names := strings.Split(os.Getenv("GOPHERLO_EXPRS"), ",")
	if len(names) != 3 {
		t.Skip("GOPHERLO_EXPRS names no files")
	}
	outcomes := map[string]exprOutcome{}
	readLines(t, names[1], func(line []byte) {
		var o struct {
			ID string
			exprOutcome
		}
		if err := decodeNumbers(line, &o); err != nil {
			t.Fatal(err)
		}
		outcomes[o.ID] = o.exprOutcome
	})
	report, err := os.Create(names[2])
	if err != nil {
		t.Fatal(err)
	}
	defer report.Close()
	only := os.Getenv("GOPHERLO_EXPR")
	pass, total := map[string]int{}, map[string]int{}
	readLines(t, names[0], func(line []byte) {
		var p exprProgram
		if err := decodeNumbers(line, &p); err != nil {
			t.Fatal(err)
		}
		o, known := outcomes[p.ID]
		if !known || only != "" && p.ID != only {
			return
		}
		p.JAX = o
		r := exprReport{}
		if err := raised(func() { r = compareExpr(&p) }); err != nil {
			r["panic"] = err.Name + ": " + err.Message
		}
		all := ""
		for k, d := range r {
			total[k]++
			if d == "" {
				pass[k]++
				delete(r, k)
			} else {
				all += k + " "
			}
		}
		total["ALL"]++
		if all == "" {
			pass["ALL"]++
			return
		}
		row, _ := json.Marshal(map[string]any{"id": p.ID, "diffs": r, "src": o.Src})
		fmt.Fprintf(report, "%s\n", row)
	})
	for _, k := range slices.Sorted(maps.Keys(total)) {
		fmt.Printf("%-12s %5d of %5d\n", k, pass[k], total[k])
	}
}
