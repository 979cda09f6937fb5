package goldencases

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"gopherlo/internal/golden"
	jax "gopherlo/jaxlike"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/tree"
)

// isJitted tells a function that has the stages of its own.
func isJitted(f any) (jax.Func, bool) {
	g, ok := f.(jax.Func)
	return g, ok && strings.HasPrefix(g.String(), "<PjitFunction")
}

// run compares the four texts and the results of a function, or its error.
func (k *checker) run(prefix string, v variant, p program, want outcome) {
	var warned []warning
	defer core.OnWarn(func(class, text string) {
		if w := (warning{class, text}); !slices.Contains(warned, w) { // Python shows each once
			warned = append(warned, w)
		}
	})()
	defer func() {
		if !slices.Equal(warned, want.Warnings) {
			k.failf("%swarns %q, not %q", prefix, warned, want.Warnings)
		}
	}()
	k.jaxpr(prefix, v, p.jaxpr, want)
	jitted, ok := isJitted(v.f)
	if !ok {
		jitted = jax.Jit(v.f, p.jit...)
	}
	var (
		when     = "trace"
		traced   *jax.Traced
		lowered  *jax.Lowered
		compiled jax.Compiled
		result   jax.Array
	)
	err := raised(func() {
		traced = jitted.Trace(v.args...)
		when = "lower"
		lowered = traced.Lower()
		k.text(prefix+"lowered.stablehlo.txt", lowered.AsText())
		k.text(prefix+"lowered.hlo.txt", lowered.AsText("hlo"))
		when = "compile"
		if p.compile != nil {
			compiled = lowered.Compile(p.compile)
		} else {
			compiled = lowered.Compile()
		}
		k.optimized(prefix+"optimized.hlo.txt", compiled)
		when = "call"
		result = jitted(v.args...)
	})
	if err != nil || want.Error != nil {
		k.error(prefix, want.Error, err, when)
		return
	}
	k.outputs(prefix+"result", result, want.Outputs)
	if def := lowered.OutTree().String(); want.OutTree != "" && def != want.OutTree {
		k.failf("%sresult has structure %s, not %s", prefix, def, want.OutTree)
	}
}

func (k *checker) jaxpr(prefix string, v variant, opts []jax.Option, want outcome) {
	var text string
	err := raised(func() { text = jax.MakeJaxpr(v.f, opts...)(v.args...).String() })
	switch {
	case want.JaxprError != nil:
		k.error(prefix+"jaxpr", want.JaxprError, err, "")
	case err != nil && want.Error != nil:
	case err != nil:
		k.failf("%sjaxpr: %s: %s", prefix, err.Name, err.Message)
	default:
		k.text(prefix+"jaxpr.txt", text)
	}
}

// text compares with a file of the case, if it has that file.
func (k *checker) text(file, got string) {
	want, ok := k.c.Files[file]
	if !ok {
		return
	}
	if strings.TrimSuffix(want, "\n") != strings.TrimSuffix(got, "\n") {
		k.failf("%s differs\n%s", file, golden.Diff(want, got))
	}
}

var (
	metadataText = regexp.MustCompile(`, metadata=\{[^}]*\}`)
	sourceTable  = regexp.MustCompile(`(?m)^(FileNames|FunctionNames|FileLocations|StackFrames)\n(\d+ .*\n)*\n`)
	tagged       = regexp.MustCompile(`(?m)^ *(?:ROOT )?%\S+ = (\S+) ([\w-]+)\(.*frontend_attributes=(\{[^}]*\})`)
)

// withoutPlaces takes source places out of an optimised program.
func withoutPlaces(text string) string {
	text = sourceTable.ReplaceAllString(metadataText.ReplaceAllString(text, ""), "")
	return strings.TrimRight(strings.ReplaceAll(text, "\n\n\n", "\n\n"), "\n")
}

// tags lists which operations carry which attributes: opcode, type, attributes.
func tags(text string) []string {
	var out []string
	for _, m := range tagged.FindAllStringSubmatch(metadataText.ReplaceAllString(text, ""), -1) {
		out = append(out, m[2]+" "+m[1]+" "+m[3])
	}
	slices.Sort(out)
	return out
}

// optimized compares the compiled program. Where another XLA writes it in another
// way, the tags of its operations are compared, with JAX's or with those that
// otherXLA lists.
func (k *checker) optimized(file string, c jax.Compiled) {
	want, ok := k.c.Files[file]
	if !ok {
		return
	}
	got := c.AsText()
	a, b := withoutPlaces(want), withoutPlaces(got)
	if a == b {
		return
	}
	name, carried := k.c.ID+"/"+file, tags(got)
	listed, other := otherXLA(k.t)[name]
	if other && (slices.Equal(listed, carried) || slices.Equal(tags(want), carried)) {
		return
	}
	k.failf("%s differs\n%s", file, golden.Diff(a, b))
	k.other = append(k.other, name+"\t"+strings.Join(carried, "\t"))
}

var sourcePlace = regexp.MustCompile(`\b[\w./-]+\.(?:py|go):\d+(?::\d+)?`)

// plain makes texts of Python and Go programs comparable: places in the source
// and the package of the test's own types differ.
func plain(s string) string {
	s = sourcePlace.ReplaceAllString(s, "SOURCE")
	s = strings.ReplaceAll(s, "gopherlo.internal.goldencases.", "__main__.")
	return strings.TrimSuffix(s, "\n")
}

func (k *checker) error(what string, want *golden.Error, got *jax.Error, when string) {
	switch {
	case want == nil:
		k.failf("%s raises %s at %s: %s", what, got.Name, when, got.Message)
	case got == nil:
		k.failf("%s does not raise %s: %s", what, want.Type, want.Message)
	case want.Type != got.Name || plain(want.Message) != plain(got.Message):
		k.failf("%s raises\n  %s: %s\nnot\n  %s: %s", what, got.Name, got.Message, want.Type, want.Message)
	case want.When != "" && want.When != when:
		k.failf("%s raises %s at %s, not at %s", what, got.Name, when, want.When)
	}
}

// outputs compares the leaves of a result.
func (k *checker) outputs(what string, got any, want []golden.Leaf) {
	leaves, def := tree.FlattenWith(got, nil, tree.Options{Expand: array.Expand})
	if len(leaves) != len(want) {
		k.failf("%s has %d leaves, not %d", what, len(leaves), len(want))
		return
	}
	for i, p := range def.Paths() {
		w := want[i]
		if p.String() != w.Path {
			k.failf("%s: path %s, not %s", what, p, w.Path)
		}
		a, ok := leaves[i].(jax.Array)
		if !ok {
			k.failf("%s%s is a %T", what, p, leaves[i])
			continue
		}
		if d := a.DType().String(); d != w.DType || !slices.Equal(a.Shape(), w.Shape) || a.WeakType() != w.WeakType {
			k.failf("%s%s: %s%v weak=%v, not %s%v weak=%v", what, p, d, a.Shape(), a.WeakType(), w.DType, w.Shape, w.WeakType)
			continue
		}
		if why := differs(a.ToSlice(), w.Value); why != "" {
			k.failf("%s%s: %s", what, p, why)
		}
	}
}

// differs compares an array's elements with the case's; numbers to 1e-6.
func differs(got, want any) string {
	if c, ok := got.(complex128); ok {
		got = []any{real(c), imag(c)}
	}
	switch w := want.(type) {
	case []any:
		g, ok := got.([]any)
		if !ok || len(g) != len(w) {
			return fmt.Sprintf("%v, not %v", got, want)
		}
		for i := range g {
			if why := differs(g[i], w[i]); why != "" {
				return why
			}
		}
		return ""
	case bool:
		if got == w {
			return ""
		}
	case json.Number:
		f, err := w.Float64()
		if err == nil && near(number(got), f) {
			return ""
		}
	case string:
		if special(w) && fmt.Sprint(jsonFloat(number(got))) == w {
			return ""
		}
	}
	return fmt.Sprintf("%v, not %v", got, want)
}

func special(s string) bool { return s == "nan" || s == "inf" || s == "-inf" }

func number(v any) float64 {
	switch v := v.(type) {
	case float64:
		return v
	case int64:
		return float64(v)
	case uint64:
		return float64(v)
	case json.Number:
		f, err := v.Float64()
		if err != nil {
			return math.NaN()
		}
		return f
	}
	return math.NaN()
}

func near(a, b float64) bool {
	if a == b {
		return math.Signbit(a) == math.Signbit(b)
	}
	return math.Abs(a-b) <= 1e-6*max(math.Abs(a), math.Abs(b))
}

func jsonFloat(f float64) any {
	switch {
	case math.IsNaN(f):
		return "nan"
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	}
	return f
}

// probe asks and compares the answer.
func (k *checker) probe(q probe, want answer) {
	var got any
	what := "probe " + q.name
	err := raised(func() { got = q.ask() })
	switch {
	case err != nil || want.Error != nil:
		k.error(what, want.Error, err, "call")
	case want.Text != nil:
		k.same(what, got, *want.Text)
	case want.File != "":
		k.same(what, got, k.c.Files[want.File])
	case want.Outputs != nil:
		k.outputs(what, got, want.Outputs)
	default:
		k.json(what, got, want.JSON)
	}
}

func (k *checker) same(what string, got any, want string) {
	text, ok := got.(string)
	if strings.Contains(want, "\nStackFrames\n") {
		want, text = withoutPlaces(want), withoutPlaces(text)
	}
	if !ok || plain(text) != plain(want) {
		k.failf("%s gives\n%v\nnot\n%s", what, got, want)
	}
}

func (k *checker) json(what string, got any, want json.RawMessage) {
	data, err := json.Marshal(got)
	if err != nil {
		k.failf("%s: %v", what, err)
		return
	}
	for _, d := range jsonDiff("", decoded(data), decoded(want)) {
		k.failf("%s%s", what, d)
	}
}

func decoded(data []byte) (v any) {
	d := json.NewDecoder(strings.NewReader(string(data)))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		return err
	}
	return v
}

func jsonDiff(path string, got, want any) []string {
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok {
			break
		}
		var out []string
		for key := range w {
			if _, ok := g[key]; !ok {
				out = append(out, fmt.Sprintf("%s[%s] is missing", path, key))
				continue
			}
			out = append(out, jsonDiff(path+"["+key+"]", g[key], w[key])...)
		}
		for key := range g {
			if _, ok := w[key]; !ok {
				out = append(out, fmt.Sprintf("%s[%s] is too much", path, key))
			}
		}
		slices.Sort(out)
		return out
	case []any:
		g, ok := got.([]any)
		if !ok || len(g) != len(w) {
			break
		}
		var out []string
		for i := range w {
			out = append(out, jsonDiff(fmt.Sprintf("%s[%d]", path, i), g[i], w[i])...)
		}
		return out
	case json.Number:
		if g, ok := got.(json.Number); ok && near(number(g), number(w)) {
			return nil
		}
	case string:
		if g, ok := got.(string); ok && plain(g) == plain(w) {
			return nil
		}
	default:
		if got == want {
			return nil
		}
	}
	return []string{fmt.Sprintf("%s: %v, not %v", path, got, want)}
}
