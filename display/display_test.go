package display

import (
	"errors"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	tags  = regexp.MustCompile(`<[^>]*>`)
	style = regexp.MustCompile(`(?s)<style>.*?</style>`)
)

// textOf is what a browser shows of the fragment; each fold's first line ends
// where the block below it begins.
func textOf(fragment string) string {
	fragment = style.ReplaceAllString(fragment, "")
	fragment = strings.ReplaceAll(fragment, "</summary>", "\n")
	fragment = strings.ReplaceAll(fragment, "<pre>\n", "<pre>")
	return html.UnescapeString(tags.ReplaceAllString(fragment, ""))
}

func sourceFile(t *testing.T, name string) (language, source string) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(name, ".")[1], string(data)
}

func TestSourceKeepsText(t *testing.T) {
	for _, name := range []string{"lowered.hlo.txt", "optimized.hlo.txt", "lowered.stablehlo.txt", "call.jaxpr.txt"} {
		language, source := sourceFile(t, name)
		bundle := Source(language, source)
		if bundle["text/plain"] != source {
			t.Errorf("%s: text/plain is not the source", name)
		}
		if got, want := textOf(bundle["text/html"].(string)), strings.TrimRight(source, "\n"); got != want {
			t.Errorf("%s: the HTML shows\n%s\nwant\n%s", name, got, want)
		}
		// The same text as a bare string is recognised.
		if _, ok := Of(source)["text/html"]; !ok {
			t.Errorf("%s: not recognised", name)
		}
	}
}

func TestHighlight(t *testing.T) {
	for _, test := range []struct{ language, file, want string }{
		{"hlo", "lowered.hlo.txt", `<span class="m">frontend_attributes={stage=&#34;first&#34;}</span>`},
		{"hlo", "lowered.hlo.txt", `<summary><span class="r">xla_metadata_call.1</span> {</summary>`},
		{"hlo", "lowered.hlo.txt", `<span class="d">sin.1 =</span> <span class="t">f32[]</span> <span class="k">sine</span>(<span class="r">Arg_0.1</span>)`},
		{"hlo", "lowered.hlo.txt", `<details open><summary><span class="k">ENTRY</span>`},
		{"hlo", "optimized.hlo.txt", `<span class="q">metadata={op_name=&#34;jit(f)/xla_metadata_call/sin&#34; stack_frame_id=3}</span>`},
		{"stablehlo", "lowered.stablehlo.txt", `<span class="m">mhlo.frontend_attributes = {stage = &#34;first&#34;}</span>`},
		{"stablehlo", "lowered.stablehlo.txt", `<span class="k">stablehlo.sine</span>`},
		{"jaxpr", "call.jaxpr.txt", `<span class="m">xla_metadata=((&#39;stage&#39;, &#39;first&#39;),)</span>`},
		{"jaxpr", "call.jaxpr.txt", `<span class="k">lambda</span>`},
	} {
		_, source := sourceFile(t, test.file)
		if got := Source(test.language, source)["text/html"].(string); !strings.Contains(got, test.want) {
			t.Errorf("%s: no %s in\n%s", test.file, test.want, style.ReplaceAllString(got, ""))
		}
	}
}

// Whatever a program's strings hold, no markup of theirs gets through.
func TestEscaping(t *testing.T) {
	const evil = `</pre><script>alert("x")</script><img src=x onerror='y'>&amp;`
	for language := range grammars {
		for _, source := range []string{
			evil,
			"HloModule jit_f\n\nENTRY main.1 {\n  ROOT x.1 = f32[] parameter(0), frontend_attributes={k=\"" + evil + "\"}\n}\n",
			"module @\"" + evil + "\" {\n  func.func public @main() {\n  }\n}\n",
			"{ lambda ; a:f32[]. let b = f[xla_metadata=(('k', '" + evil + "'),)] a in (b,) }",
			evil + " {\n}\n",
		} {
			got := Source(language, source)["text/html"].(string)
			for _, tag := range tags.FindAllString(style.ReplaceAllString(got, ""), -1) {
				name := strings.Trim(strings.Fields(strings.Trim(tag, "<>/"))[0], "/")
				switch name {
				case "div", "pre", "span", "details", "summary":
				default:
					t.Errorf("%s: tag %s in\n%s", language, tag, got)
				}
			}
		}
	}
}

func TestLongTextStartsFolded(t *testing.T) {
	block := "%fused.1 (p: f32[]) -> f32[] {\n" + strings.Repeat("  %a = f32[] sine(%p)\n", 100) + "}\n\n"
	source := "HloModule m\n\n" + block + block + "ENTRY main {\n  %a = f32[] parameter(0)\n}\n"
	got := HLO(source)["text/html"].(string)
	if strings.Count(got, "<details>") != 2 || strings.Count(got, "<details open>") != 1 {
		t.Errorf("%d closed and %d open blocks, want 2 and 1", strings.Count(got, "<details>"), strings.Count(got, "<details open>"))
	}
	if _, ok := HLO(source + strings.Repeat("#", maxHTML))["text/html"]; ok {
		t.Error("a text above the limit has HTML")
	}
}

type sourced struct{}

func (sourced) DisplaySource() (language, text string) { return "hlo", "HloModule x" }

func TestOf(t *testing.T) {
	for _, test := range []struct {
		value      any
		mime, want string
	}{
		{nil, "text/plain", "<nil>"},
		{3, "text/plain", "3"},
		{"a string", "text/plain", "a string"},
		{[]int{1, 2}, "text/plain", "[1 2]"},
		{errors.New("broken"), "text/plain", "broken"},
		{sourced{}, "text/plain", "HloModule x"},
		{HTML("<b>x</b>"), "text/html", "<b>x</b>"},
		{HTML("<b>x</b>"), "text/plain", "<HTML>"},
		{Markdown("**x**"), "text/markdown", "**x**"},
		{LaTeX("$x$"), "text/latex", "$x$"},
		{SVG("<svg/>"), "image/svg+xml", "<svg/>"},
		{JSON(map[string]int{"a": 1}), "text/plain", "{\n  \"a\": 1\n}"},
		{JSON(func() {}), "text/plain", "json: unsupported type: func()"},
	} {
		if got := Of(test.value)[test.mime]; got != test.want {
			t.Errorf("Of(%v)[%s] = %v, want %q", test.value, test.mime, got, test.want)
		}
	}
	long := Of(make([]int, maxValue))["text/plain"].(string)
	if !strings.HasPrefix(long, "[0 0 ") || !strings.HasSuffix(long, " … (200001 bytes; fmt.Println shows them all)") || len(long) > maxValue+100 {
		t.Errorf("a long slice: %d bytes, …%q", len(long), long[len(long)-60:])
	}
	if text := strings.Repeat("é", maxValue); Of(text)["text/plain"] != text {
		t.Error("a long string is cut")
	}
	for _, plain := range []any{"HloModule is a word", "{ a lambda }", "module x"} {
		if _, ok := Of(plain)["text/html"]; ok {
			t.Errorf("%q is taken for a program", plain)
		}
	}
}

type recorder struct{ shown []Bundle }

func (r *recorder) Display(data Bundle, _, _ map[string]any, _ bool) { r.shown = append(r.shown, data) }

func TestShow(t *testing.T) {
	r := &recorder{}
	SetOutput(r)
	defer SetOutput(nil)
	Show(1, Markdown("x"))
	if len(r.shown) != 2 || r.shown[0]["text/plain"] != "1" || r.shown[1]["text/markdown"] != "x" {
		t.Errorf("shown: %v", r.shown)
	}
	SetOutput(nil)
	var out strings.Builder
	show(Text("to stdout"), &out)
	if out.String() != "to stdout\n" {
		t.Errorf("stdout: %q", out.String())
	}
}

func FuzzSource(f *testing.F) {
	_, hlo := "hlo", "HloModule jit_f\n\nENTRY main.1 {\n  x.1 = f32[] parameter(0)\n}\n"
	f.Add(hlo)
	f.Add("{ lambda ; a:f32[]. let in (a,) }")
	f.Fuzz(func(t *testing.T, source string) {
		for language := range grammars {
			bundle := Source(language, source)
			if markup, ok := bundle["text/html"].(string); ok && strings.Contains(style.ReplaceAllString(markup, ""), "<script") {
				t.Errorf("%s: %q", language, source)
			}
		}
	})
}
