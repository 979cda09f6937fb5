package display

import (
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"
)

// class is a kind of token; its text is the CSS class.
type class string

// The classes of the style sheet.
const (
	keyword    class = "k" // operations and words of the language
	definition class = "d" // names where they are defined
	reference  class = "r" // names where they are used
	typeName   class = "t"
	attribute  class = "a"
	tag        class = "m" // frontend attributes: what users come to see
	quiet      class = "q" // op metadata and comments
	text       class = "s" // strings
	number     class = "n"
	added      class = "p" // lines of differences
	removed    class = "x"
)

// rule gives a class to what a regular expression matches. Groups in the
// expression must be non-capturing.
type rule struct {
	class   class
	pattern string
}

// grammar highlights one language: the first rule that matches at a place
// wins, as in a lexer. Lines that begin a block which can be folded match fold;
// the block ends at the next line that is foldEnd.
type grammar struct {
	name    string
	classes []class
	lexer   *regexp.Regexp
	fold    *regexp.Regexp
	foldEnd string
}

func newGrammar(name, fold, foldEnd string, rules []rule) *grammar {
	g := &grammar{name: name, foldEnd: foldEnd}
	var parts []string
	for _, r := range rules {
		g.classes = append(g.classes, r.class)
		parts = append(parts, "("+r.pattern+")")
	}
	g.lexer = regexp.MustCompile("(?m)" + strings.Join(parts, "|"))
	if fold != "" {
		g.fold = regexp.MustCompile(fold)
	}
	return g
}

// html renders a text as a self-contained fragment. Its text content is the
// text itself, so that copying from the page gives the program; lines that come
// from places in cells are marked with them.
func (g *grammar) html(source string, at *origins) string {
	return "<style>" + styleSheet + at.rules() + "</style>" + g.block(source, at)
}

// block is the fragment without its style sheet.
func (g *grammar) block(source string, at *origins) string {
	var b strings.Builder
	if at.any() {
		fmt.Fprintf(&b, "<div class=\"gopherlo-code placed\" data-language=\"%s\"%s>", g.name, at.width())
	} else {
		fmt.Fprintf(&b, "<div class=\"gopherlo-code\" data-language=\"%s\">", g.name)
	}
	lines := strings.SplitAfter(strings.TrimRight(source, "\n"), "\n")
	plain := 0 // first line not written yet
	for i := 0; i < len(lines); i++ {
		end := g.foldedTo(lines, i)
		if end < 0 {
			continue
		}
		g.pre(&b, lines[plain:i], at)
		g.details(&b, lines[i:end+1], len(lines), at)
		i, plain = end, end+1
	}
	g.pre(&b, lines[plain:], at)
	b.WriteString("</div>")
	return b.String()
}

// foldedTo gives the last line of the block that begins at line i, or -1.
func (g *grammar) foldedTo(lines []string, i int) int {
	if g.name == "hlo" && lines[i] == tables+"\n" {
		return tablesTo(lines, i)
	}
	if g.fold == nil || !g.fold.MatchString(lines[i]) {
		return -1
	}
	for end := i + 1; end < len(lines); end++ {
		if strings.TrimRight(lines[end], "\n") == g.foldEnd {
			return end
		}
	}
	return -1
}

// tables begin the source places of an optimised HLO text: four tables of
// numbers before the program, which start folded.
const tables = "FileNames"

// tablesTo gives the last line of the tables that begin at line i, or -1.
func tablesTo(lines []string, i int) int {
	last := slices.Index(lines[i:], "StackFrames\n")
	if last < 0 {
		return -1
	}
	empty := slices.Index(lines[i+last:], "\n")
	if empty < 0 {
		return -1
	}
	return i + last + empty - 1
}

// longText is the number of lines from which on blocks other than the entry
// computation start folded.
const longText = 200

func (g *grammar) details(b *strings.Builder, lines []string, total int, at *origins) {
	open := " open"
	if lines[0] == tables+"\n" || total > longText && !strings.HasPrefix(lines[0], "ENTRY") && !strings.Contains(lines[0], " public ") {
		open = ""
	}
	fmt.Fprintf(b, "<details%s><summary>", open)
	g.tokens(b, strings.TrimRight(lines[0], "\n"))
	b.WriteString("</summary>")
	g.pre(b, lines[1:], at)
	b.WriteString("</details>")
}

func (g *grammar) pre(b *strings.Builder, lines []string, at *origins) {
	if len(lines) == 0 {
		return
	}
	b.WriteString("<pre>")
	// HTML drops a newline right after <pre>; one more keeps an empty first line.
	if strings.HasPrefix(lines[0], "\n") {
		b.WriteString("\n")
	}
	if !at.any() {
		g.tokens(b, strings.Join(lines, ""))
	} else {
		for _, line := range lines {
			i := at.find(line)
			if i >= 0 {
				b.WriteString(at.open(i))
			}
			g.tokens(b, line)
			if i >= 0 {
				b.WriteString("</span>")
			}
		}
	}
	b.WriteString("</pre>")
}

// tokens writes the text with a span around each token.
func (g *grammar) tokens(b *strings.Builder, source string) {
	last := 0
	for _, match := range g.lexer.FindAllStringSubmatchIndex(source, -1) {
		for i, c := range g.classes {
			from, to := match[2*i+2], match[2*i+3]
			if from < 0 {
				continue
			}
			b.WriteString(html.EscapeString(source[last:from]))
			fmt.Fprintf(b, "<span class=\"%s\">%s</span>", c, html.EscapeString(source[from:to]))
			last = to
			break
		}
	}
	b.WriteString(html.EscapeString(source[last:]))
}
