package export

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/printer"
	"go/scanner"
	"go/token"
	"strconv"
	"strings"

	"gopherlo/interp/cell"
)

// comment is a comment of a cell. It belongs to one of the cell's parts: it
// stands above it, in it or behind it on its last line.
type comment struct {
	from  int
	text  string
	place place
	part  int // where the part begins; -1 for what follows the last one
}

type place int

const (
	above place = iota
	inside
	behind
)

// comments lists the comments of a cell.
func comments(c *cell.Cell) (list []*comment) {
	var spans [][2]int
	span := func(n ast.Node) { spans = append(spans, [2]int{c.Offset(n.Pos()), c.Offset(n.End())}) }
	for _, f := range c.Funcs {
		span(f)
	}
	for _, s := range c.Stmts {
		span(s)
	}
	sortBy(spans, func(s [2]int) int { return s[0] })
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(c.Go))
	s.Init(file, []byte(c.Go), func(token.Position, string) {}, scanner.ScanComments)
	for {
		pos, tok, lit := s.Scan()
		switch tok {
		case token.EOF:
			return list
		case token.COMMENT:
			if !strings.HasPrefix(lit, "//line ") && !strings.HasPrefix(lit, "/*line ") {
				list = append(list, placed(c.Go, spans, &comment{from: file.Offset(pos), text: lit, part: -1}))
			}
		}
	}
}

// placed says which part a comment belongs to.
func placed(text string, spans [][2]int, c *comment) *comment {
	for _, s := range spans {
		switch {
		case c.from < s[0]:
			c.part, c.place = s[0], above
			return c
		case c.from < s[1]:
			c.part, c.place = s[0], inside
			return c
		case !strings.Contains(text[s[1]:c.from], "\n") && strings.HasPrefix(c.text, "//"):
			c.part, c.place = s[0], behind
			return c
		}
	}
	return c
}

// texts prints the parts of a piece with their comments.
type texts struct {
	p        *piece
	fset     *token.FileSet
	comments []*comment
}

func newTexts(fset *token.FileSet, p *piece) *texts {
	return &texts{p: p, fset: fset, comments: comments(p.cell)}
}

// above gives the comments above the part that begins at an offset, or below
// the last one for -1.
func (t *texts) above(part int) (list []*comment) {
	for _, c := range t.comments {
		if c.part == part && c.place == above {
			list = append(list, c)
		}
	}
	return list
}

// behind gives the comment on a part's last line.
func (t *texts) behind(part int) string {
	for _, c := range t.comments {
		if c.part == part && c.place == behind {
			return " " + c.text
		}
	}
	return ""
}

// node prints a part that begins at from; node may have been rewritten. Comments
// inside it are kept where that gives Go.
func (t *texts) node(node ast.Node, from token.Pos) string {
	part := t.p.cell.Offset(from)
	base := int(from) - part
	var groups []*ast.CommentGroup
	for _, c := range t.comments {
		if c.part == part && c.place == inside {
			groups = append(groups, &ast.CommentGroup{List: []*ast.Comment{{Slash: token.Pos(base + c.from), Text: c.text}}})
		}
	}
	if len(groups) > 0 {
		if text, ok := t.print(&printer.CommentedNode{Node: node, Comments: groups}); ok {
			return t.lined(text, node)
		}
	}
	text, _ := t.print(node)
	return t.lined(text, node)
}

// print prints a node; ok tells that the text is Go.
func (t *texts) print(node any) (text string, ok bool) {
	var b bytes.Buffer
	cfg := printer.Config{Mode: printer.UseSpaces | printer.TabIndent, Tabwidth: 8}
	if err := cfg.Fprint(&b, t.fset, node); err != nil {
		return "", false
	}
	return b.String(), parses(b.String())
}

// parses reports text that is a declaration or a statement.
func parses(text string) bool {
	fset := token.NewFileSet()
	if _, err := parser.ParseFile(fset, "", "package p\n"+text, parser.SkipObjectResolution); err == nil {
		return true
	}
	_, err := parser.ParseFile(fset, "", "package p\nfunc _() {\n"+text+"\n}", parser.SkipObjectResolution)
	return err == nil
}

// formatted formats declarations.
func formatted(text string) string {
	out, err := format.Source([]byte(text))
	if err != nil {
		return text
	}
	return string(out)
}

// mapped writes text whose lines are those of a cell, with //line directives
// where the count of the lines before does not say so.
type mapped struct {
	b    *strings.Builder
	file string
	line int // of the cell, that the next line has for the compiler
}

// at makes the next line that of a cell.
func (m *mapped) at(cell, line int) {
	file := fmt.Sprintf("cell-%d.go", cell)
	if gap := line - m.line; m.file == file && gap > 0 && gap <= blanks {
		m.write(strings.Repeat("\n", gap))
	}
	if m.file != file || m.line != line {
		fmt.Fprintf(m.b, "//line %s:%d\n", file, line)
		m.file, m.line = file, line
	}
}

// blanks is how many empty lines may stand between statements: more become one
// //line directive.
const blanks = 1

// write adds whole lines, which may have directives among them.
func (m *mapped) write(text string) {
	m.b.WriteString(text)
	m.line += strings.Count(text, "\n")
	if i := strings.LastIndex(text, "\n//line "); i >= 0 {
		directive, rest, _ := strings.Cut(text[i+1:], "\n")
		m.line, _ = strconv.Atoi(directive[strings.LastIndexByte(directive, ':')+1:])
		m.line += strings.Count(rest, "\n")
	}
}

// indent puts a tab before each line that is neither empty nor inside a raw
// string or a directive.
func indent(text string) string {
	out, err := format.Source([]byte("package p\n\nfunc _() {\n" + text + "\n}\n"))
	if err != nil {
		return "\t" + text + "\n"
	}
	_, body, _ := strings.Cut(string(out), "func _() {\n")
	return strings.TrimSuffix(strings.TrimSuffix(body, "}\n"), "\n") + "\n"
}
