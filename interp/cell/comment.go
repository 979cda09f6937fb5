package cell

import (
	"go/ast"
	"go/scanner"
	"go/token"
	"strings"
)

// Comment is the text of the comment that stands above a declaration, or behind
// it on its line; "" without.
func (c *Cell) Comment(pos token.Pos) string {
	if !strings.Contains(c.Go, "//") && !strings.Contains(c.Go, "/*") {
		return ""
	}
	off := c.Offset(pos)
	if off < 0 {
		return ""
	}
	if c.comments == nil {
		c.comments = commentLines(c.Go)
	}
	line, _ := lineCol(c.Go, off)
	for _, g := range c.comments {
		if g.to == line-1 && g.alone || g.from == line && !g.alone {
			return g.text
		}
	}
	return ""
}

// commentGroup is a comment from one line to another; alone tells that it stands
// behind no code.
type commentGroup struct {
	from, to int
	alone    bool
	text     string
}

// commentLines lists the comments of a text that may document declarations.
func commentLines(text string) []commentGroup {
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(text))
	s.Init(file, []byte(text), func(token.Position, string) {}, scanner.ScanComments)
	groups := []commentGroup{}
	var open []*ast.Comment
	codeLine := 0 // the last line with code
	flush := func() {
		if len(open) > 0 {
			g := &groups[len(groups)-1]
			g.text = strings.TrimSpace((&ast.CommentGroup{List: open}).Text())
			open = nil
		}
	}
	for {
		pos, kind, lit := s.Scan()
		line := file.Line(pos)
		switch {
		case kind == token.EOF:
			flush()
			return groups
		case kind == token.SEMICOLON && lit == "\n":
		case kind != token.COMMENT:
			flush()
			codeLine = line + strings.Count(lit, "\n")
		default:
			end := line + strings.Count(lit, "\n")
			if len(open) == 0 || line > groups[len(groups)-1].to+1 || !groups[len(groups)-1].alone {
				flush()
				groups = append(groups, commentGroup{from: line, alone: line != codeLine})
			}
			groups[len(groups)-1].to = end
			open = append(open, &ast.Comment{Text: lit})
		}
	}
}
