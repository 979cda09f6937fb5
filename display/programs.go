package display

import (
	"fmt"
	"html"
	"strings"
)

// Programs is a [Sourcer] that has its program in several languages, in the
// order in which they were made, what DisplaySource gives last: each with its title, the language as Sourcer
// lists them, and for HLO the places that instructions come from, as
// "cell-3.go:2" by their names. The type has no name, so that packages far from
// the kernel can have the method.
type Programs interface {
	Sourcer
	DisplayPrograms() []struct {
		Title, Language, Text string
		Places                map[string]string
	}
}

// maxPrograms bounds the texts that show beside each other: each output is kept
// in the notebook's file.
const maxPrograms = 100_000

// programs is the bundle of a program in several languages: the text of the one
// that the value shows as, and HTML with a tab for each and one for the lines of
// the cells with the instructions that come from them.
func programs(v Programs) Bundle {
	list, total := v.DisplayPrograms(), 0
	if len(list) == 0 {
		return Source(v.DisplaySource())
	}
	for _, p := range list {
		total += len(p.Text)
	}
	shown := len(list) - 1
	language, text := list[shown].Language, list[shown].Text
	at := newOrigins(list[shown].Places, cellText)
	if total > maxPrograms {
		if len(text) > maxHTML {
			return Text(text)
		}
		return Bundle{mimeText: text, mimeHTML: grammars[language].html(text, at)}
	}
	var t tabs
	if lines := at.byLine(grammars["hlo"], text); lines != "" {
		t.add("Go", lines, false)
	}
	rules := at.rules()
	for i, p := range list {
		own := newOrigins(p.Places, cellText)
		if r := own.rules(); len(r) > len(rules) {
			rules = r
		}
		t.add(p.Title, grammars[p.Language].block(p.Text, own), i == shown)
	}
	return Bundle{mimeText: text, mimeHTML: "<style>" + styleSheet + tabRules() + rules + "</style>" + t.html()}
}

// tabs are panes of which one shows, without a script.
type tabs struct{ heads, panes strings.Builder }

func (t *tabs) add(title, pane string, on bool) {
	checked := ""
	if on {
		checked = " checked"
	}
	fmt.Fprintf(&t.heads, `<label><input type="radio" name="t"%s>%s</label>`, checked, html.EscapeString(title))
	fmt.Fprintf(&t.panes, `<section><h6>%s</h6>%s</section>`, html.EscapeString(title), pane)
}

// html is the fragment. The form is the scope of the radio buttons' name: a page
// has many outputs. Its method makes it send nothing.
func (t *tabs) html() string {
	return `<form method="dialog" class="gopherlo-programs"><div>` + t.heads.String() + "</div>" + t.panes.String() + "</form>"
}

// cellText is the text of a cell by its file's name, where the output knows it.
func cellText(file string) (string, bool) {
	if o := output.Load(); o != nil {
		if c, ok := (*o).(interface {
			CellText(file string) (string, bool)
		}); ok {
			return c.CellText(file)
		}
	}
	return "", false
}

// maxTabs is how many tabs there can be: Go and all stages.
const maxTabs = 6

// tabRules show the pane whose tab is on. Where a front end drops forms or
// styles, all panes show, each under its title.
func tabRules() string {
	var b strings.Builder
	b.WriteString(`.gopherlo-programs:has(input:checked)>section{display:none}.gopherlo-programs:has(input:checked) h6{display:none}` +
		`.gopherlo-programs>div>label{cursor:pointer;font-size:90%;padding:1px 8px;margin-right:2px;border-bottom:2px solid transparent;opacity:.7}` +
		`.gopherlo-programs>div>label:has(input:checked){border-color:currentColor;opacity:1}` +
		`.gopherlo-programs>div>label:has(input:focus-visible){outline:1px solid currentColor}` +
		`.gopherlo-programs>div{margin-bottom:4px}.gopherlo-programs input{position:absolute;opacity:0;pointer-events:none}` +
		`.gopherlo-programs h6{margin:6px 0 2px}`)
	for i := 1; i <= maxTabs; i++ {
		fmt.Fprintf(&b, `.gopherlo-programs:has(>div>label:nth-child(%[1]d) input:checked)>section:nth-of-type(%[1]d){display:block}`, i)
	}
	return b.String()
}
