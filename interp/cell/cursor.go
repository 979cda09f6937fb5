package cell

import (
	"go/scanner"
	"go/token"
	"slices"
	"strings"
)

// Cursor is what is open at a place of a text that need not be finished: brackets
// with what stands before them, headers of blocks, a text literal or a comment.
type Cursor struct {
	// Literal is the offset behind the quote of the text literal that the place
	// is in, -1 without.
	Literal int
	// Comment tells that the place is in a comment.
	Comment bool

	text   string
	toks   []tok
	levels []level
}

// level is a bracket that is open, or the text itself.
type level struct {
	at     int         // index of the bracket's token, -1 for the text itself
	head   token.Token // if, for, switch, select or func whose block has not begun
	calls  bool        // behind go or defer
	cases  bool        // behind case, before its colon
	mapKey bool        // the brackets of a map type
}

// At looks at the Go text before a place; lines for the kernel are no part of it.
func At(before string) Cursor {
	c := Cursor{Literal: -1, text: before, levels: []level{{at: -1}}}
	literal := -1
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(before))
	s.Init(file, []byte(before), func(p token.Position, msg string) {
		switch {
		case strings.Contains(msg, "comment not terminated"):
			c.Comment = true
		case strings.Contains(msg, "not terminated") && !strings.Contains(before[p.Offset:], "\n") || strings.Contains(msg, "raw string"):
			literal = p.Offset
		}
	}, scanner.ScanComments)
	for {
		pos, kind, lit := s.Scan()
		off := file.Offset(pos)
		if kind == token.EOF {
			return c
		}
		if kind == token.COMMENT {
			c.Comment = c.Comment || strings.HasPrefix(lit, "//") && off+len(lit) == len(before)
			continue
		}
		if literal == off {
			c.Literal = off + 1
			return c
		}
		if kind == token.SEMICOLON && lit == "\n" && off >= len(strings.TrimRight(before, " \t\r")) {
			return c // what ends the text; a word may follow
		}
		c.toks = append(c.toks, tok{kind, off, lit})
		c.add(kind, lit)
	}
}

func (c *Cursor) add(kind token.Token, lit string) {
	now := &c.levels[len(c.levels)-1]
	at := len(c.toks) - 1
	switch kind {
	case token.LPAREN, token.LBRACK:
		c.levels = append(c.levels, level{at: at, mapKey: kind == token.LBRACK && at > 0 && c.toks[at-1].kind == token.MAP})
	case token.LBRACE:
		now.head = token.ILLEGAL
		c.levels = append(c.levels, level{at: at})
	case token.RPAREN, token.RBRACK, token.RBRACE:
		if len(c.levels) > 1 {
			c.levels = c.levels[:len(c.levels)-1]
		}
	case token.IF, token.FOR, token.SWITCH, token.SELECT, token.FUNC:
		now.head = kind
	case token.GO, token.DEFER:
		now.calls = true
	case token.CASE:
		now.cases = true
	case token.COLON:
		now.cases = false
	case token.SEMICOLON:
		now.calls, now.cases = false, false
		if lit == "\n" || now.head == token.FUNC {
			now.head = token.ILLEGAL
		}
	}
}

// closing is what ends, behind the place, all that is open from an offset on;
// blocks says whether headers get blocks.
func (c *Cursor) closing(from int, blocks bool) string {
	var b strings.Builder
	for i := len(c.levels) - 1; i >= 0; i-- {
		lv := c.levels[i]
		if lv.calls && i == len(c.levels)-1 {
			b.WriteString("()")
		}
		if lv.cases {
			b.WriteString(":")
		}
		if lv.head != token.ILLEGAL && blocks {
			b.WriteString(" {}")
		}
		if lv.at < 0 || c.toks[lv.at].off < from {
			break
		}
		switch c.toks[lv.at].kind {
		case token.LPAREN:
			b.WriteString(")")
		case token.LBRACK:
			b.WriteString("]")
			if lv.mapKey {
				b.WriteString("int")
			}
		case token.LBRACE:
			b.WriteString("}")
		}
	}
	return b.String()
}

// Open tells about the innermost open bracket: which it is, and the operand before
// it, such as "jnp.Sum" of a call.
func (c *Cursor) Open() (bracket token.Token, operand string, start int) {
	lv := c.levels[len(c.levels)-1]
	if lv.at < 0 {
		return token.ILLEGAL, "", -1
	}
	from := c.operand(lv.at)
	if from == lv.at {
		return c.toks[lv.at].kind, "", c.toks[lv.at].off
	}
	off := c.toks[from].off
	return c.toks[lv.at].kind, strings.TrimSpace(c.text[off:c.toks[lv.at].off]), off
}

// Call is the operand of the innermost call that the place is in the arguments
// of, and where its last word ends; "" without one. Arguments may be literals.
func (c *Cursor) Call() (operand string, end int) {
	for i := len(c.levels) - 1; i > 0; i-- {
		at := c.levels[i].at
		if c.toks[at].kind != token.LPAREN {
			if c.toks[at].kind == token.LBRACE && c.operand(at) == at {
				return "", -1 // a block
			}
			continue
		}
		if from := c.operand(at); from < at {
			return c.text[c.toks[from].off:c.toks[at].off], c.toks[at].off
		}
	}
	return "", -1
}

// operand is the index of the token at which the operand begins that ends before
// token at.
func (c *Cursor) operand(at int) int {
	i, depth := at, 0
	for i > 0 {
		t := c.toks[i-1]
		switch t.kind {
		case token.RPAREN, token.RBRACK, token.RBRACE:
			depth++
		case token.LPAREN, token.LBRACK, token.LBRACE:
			if depth == 0 {
				return i
			}
			depth--
		case token.IDENT:
			if depth == 0 && i > 1 && c.toks[i-2].kind != token.PERIOD {
				return i - 1
			}
		case token.PERIOD:
		default:
			if depth == 0 {
				return i
			}
		}
		i--
	}
	return i
}

// Last is the text of the last tokens before the place, the last one first.
func (c *Cursor) Last(n int) []string {
	var list []string
	for i := len(c.toks) - 1; i >= 0 && len(list) < n; i-- {
		t := c.toks[i]
		if t.lit != "" && t.kind != token.SEMICOLON {
			list = append(list, t.lit)
		} else {
			list = append(list, t.kind.String())
		}
	}
	return append(list, slices.Repeat([]string{""}, n-len(list))...)
}

// Imports reports that the place is where the path of a package is due.
func (c *Cursor) Imports() bool {
	last := c.Last(2)
	if last[0] == "import" || last[1] == "import" {
		return true
	}
	lv := c.levels[len(c.levels)-1]
	return lv.at > 0 && c.toks[lv.at].kind == token.LPAREN && c.toks[lv.at-1].kind == token.IMPORT
}
