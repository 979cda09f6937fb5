package display

import (
	"fmt"
	"strings"
	"testing"
)

// lowered is a program with its stages, as jaxlike's Lowered shows.
type lowered struct {
	jaxpr, text string
	places      map[string]string
}

func (l lowered) DisplaySource() (language, text string) { return "hlo", l.text }

func (l lowered) DisplayPrograms() []struct {
	Title, Language, Text string
	Places                map[string]string
} {
	return []struct {
		Title, Language, Text string
		Places                map[string]string
	}{{Title: "Jaxpr", Language: "jaxpr", Text: l.jaxpr}, {Title: "HLO", Language: "hlo", Text: l.text, Places: l.places}}
}

// cellsOutput is an output that knows the texts of cells.
type cellsOutput struct {
	*places
	cells map[string]string
}

func (o cellsOutput) CellText(file string) (string, bool) {
	text, ok := o.cells[file]
	return text, ok
}

func setCells(t *testing.T, cells map[string]string) {
	SetOutput(cellsOutput{nil, cells})
	t.Cleanup(func() { SetOutput(nil) })
}

func sample(t *testing.T) lowered {
	_, jaxpr := sourceFile(t, "call.jaxpr.txt")
	_, text := sourceFile(t, "lowered.hlo.txt")
	return lowered{jaxpr, text, map[string]string{"sin.1": "cell-1.go:2", "mul.1": "cell-1.go:2", "sub.1": "cell-3.go:1"}}
}

func TestProgramsShowAsTabs(t *testing.T) {
	setCells(t, map[string]string{"cell-1.go": "func block(x, y Array) Array {\n\treturn jnp.Sin(x) * y // <script>\n}", "cell-3.go": "block(x, y) - y"})
	l := sample(t)
	bundle := Of(l)
	if bundle["text/plain"] != l.text {
		t.Error("text/plain is not the HLO")
	}
	got := style.ReplaceAllString(bundle["text/html"].(string), "")
	for _, want := range []string{
		`<label><input type="radio" name="t">Go</label><label><input type="radio" name="t">Jaxpr</label><label><input type="radio" name="t" checked>HLO</label>`,
		// The margin names cell and line, the rest is for the pointer.
		`<span class="l L0" data-l="1:2" title="cell 1, line 2: return jnp.Sin(x) * y // &lt;script&gt;">  <span class="d">sin.1 =</span>`,
		`<span class="l L1" data-l="3:1" title="cell 3, line 1: block(x, y) - y">  <span class="k">ROOT</span> <span class="d">sub.1 =</span>`,
		// By line: the source, and under it what comes from it.
		"<span class=\"l\" data-l=\"1\">func block(x, y Array) Array {\n</span><span class=\"l L0\" data-l=\"2\">\treturn jnp.Sin(x) * y // &lt;script&gt;\n      <span class=\"d\">sin.1 =</span>",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
	panes := strings.Split(got, "<section>")
	if hlo, want := textOf(panes[len(panes)-1]), "HLO"+strings.TrimRight(l.text, "\n"); hlo != want {
		t.Errorf("the tab of HLO holds\n%s\nwant\n%s", hlo, want)
	}
	if strings.Contains(got, "<script") {
		t.Error("a script")
	}
}

func TestProgramsWithoutCells(t *testing.T) {
	l := sample(t)
	got := Of(l)["text/html"].(string)
	if strings.Contains(got, ">Go<") || !strings.Contains(got, `title="cell 1, line 2">`) {
		t.Errorf("without the text of cells there is no tab of lines and the places stay:\n%s", got)
	}
	l.places = nil
	if got := Of(l)["text/html"].(string); strings.Contains(got, "placed\"") || !strings.Contains(got, ">Jaxpr<") {
		t.Errorf("a program without places:\n%s", got)
	}
	l.jaxpr = "{ lambda ; " + strings.Repeat("a", maxPrograms) + " }"
	if got := Of(l)["text/html"].(string); strings.Contains(got, ">Jaxpr<") || !strings.Contains(got, "sin.1 =") {
		t.Error("long programs show beside each other")
	}
}

// The text of an optimised program says its places itself.
func TestTextWithPlaces(t *testing.T) {
	setCells(t, map[string]string{})
	_, text := sourceFile(t, "optimized.hlo.txt")
	got := Of(text)["text/html"].(string)
	for _, want := range []string{
		`<span class="l L0" data-l="12" title="cell.py, line 12">  <span class="d">%sin.2 =</span>`,
		`<span class="l L1" data-l="15" title="cell.py, line 15">  <span class="k">ROOT</span> <span class="d">%sub.0 =</span>`,
		`<details><summary><span class="r">FileNames</span></summary><pre><span class="n">1</span>`,
		`.gopherlo-code:has(.L1:hover) .L1{`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
}

// Places that name what is not there are no places, and the rest of the lines stays.
func TestOddPlaces(t *testing.T) {
	setCells(t, map[string]string{"cell-1.go": "x"})
	l := sample(t)
	l.places = map[string]string{"sin.1": "cell-1.go", "mul.1": "cell-1.go:99", "sub.1": "/a:b/<c>.go:1", "gone": "cell-1.go:1", "x.1": ""}
	got := style.ReplaceAllString(Of(l)["text/html"].(string), "")
	if strings.Contains(got, "<c>") {
		t.Error("a file's name is not escaped")
	}
	many := map[string]string{}
	text := "HloModule m\n\nENTRY main {\n"
	for i := range 1000 {
		text += fmt.Sprintf("  a.%d = f32[] parameter(0)\n", i)
		many[fmt.Sprintf("a.%d", i)] = fmt.Sprintf("cell-1.go:%d", i)
	}
	l = lowered{"{ lambda ; }", text + "}\n", many}
	if n := strings.Count(Of(l)["text/html"].(string), ":has(.L"); n != maxLinked {
		t.Errorf("%d rules", n)
	}
}

func BenchmarkPrograms(b *testing.B) {
	l := lowered{"{ lambda ; }", "HloModule m\n\nENTRY main {\n" + strings.Repeat("  a.1 = f32[3]{0} sine(b.2)\n", 1000) + "}\n", map[string]string{"a.1": "cell-1.go:1"}}
	for b.Loop() {
		Of(l)
	}
}
