package cell

import (
	"go/scanner"
	"go/token"
	"strings"
)

// Completeness of a text: what a console needs to know to run or to go on.
const (
	Complete   = "complete"
	Incomplete = "incomplete"
	Invalid    = "invalid"
)

// IsComplete tells whether src can be run as it is, whether more lines must
// follow (then indent is what the next line should start with), or whether no
// continuation can make it right.
func IsComplete(src string) (status, indent string) {
	if strings.TrimSpace(src) == "" {
		return Complete, ""
	}
	if first := firstLine(src); strings.HasPrefix(first, "%%") {
		// A cell magic takes all that follows; a console ends it by a blank line.
		if strings.HasSuffix(src, "\n\n") || !strings.Contains(strings.TrimRight(src, "\n"), "\n") && strings.HasSuffix(src, "\n") {
			return Complete, ""
		}
		return Incomplete, ""
	}
	b := newBrackets(MaskMagics(src))
	switch {
	case b.bad:
		return Invalid, ""
	case b.depth > 0 || b.openRaw || b.openComment:
		return Incomplete, strings.Repeat("\t", b.lineDepth)
	case b.continues:
		return Incomplete, "\t"
	}
	if _, errs := Parse(token.NewFileSet(), 1, src); len(errs) > 0 {
		return Invalid, ""
	}
	return Complete, ""
}

func firstLine(src string) string {
	src = strings.TrimLeft(src, " \t\r\n")
	if i := strings.IndexByte(src, '\n'); i >= 0 {
		return src[:i]
	}
	return src
}

// brackets is what one pass over the tokens learns about open constructs.
type brackets struct {
	depth, lineDepth     int
	openRaw, openComment bool
	continues            bool // the text ends in a token that needs more
	bad                  bool // closes what it has not opened, or unfinished string
}

func newBrackets(src string) brackets {
	var b brackets
	var s scanner.Scanner
	fset := token.NewFileSet()
	file := fset.AddFile("", -1, len(src))
	s.Init(file, []byte(src), func(_ token.Position, msg string) {
		switch {
		case strings.Contains(msg, "raw string literal not terminated"):
			b.openRaw = true
		case strings.Contains(msg, "comment not terminated"):
			b.openComment = true
		default:
			b.bad = true
		}
	}, 0)
	var stack []token.Token
	last := token.ILLEGAL
	for {
		_, tok, lit := s.Scan()
		if tok == token.EOF {
			break
		}
		switch tok {
		case token.LPAREN, token.LBRACK, token.LBRACE:
			stack = append(stack, tok)
		case token.RPAREN, token.RBRACK, token.RBRACE:
			if len(stack) == 0 || !matches(stack[len(stack)-1], tok) {
				b.bad = true
				return b
			}
			stack = stack[:len(stack)-1]
		}
		// A new line after an operand inside ( or [ is a mistake in Go only when no
		// comma follows; the next line may still bring the bracket.
		if tok != token.SEMICOLON || lit != "\n" {
			last = tok
		}
	}
	b.depth = len(stack)
	b.lineDepth = len(stack)
	b.continues = b.depth == 0 && (last.IsOperator() && !endsStatement(last) || needsMore(last))
	return b
}

func matches(open, shut token.Token) bool {
	return open == token.LPAREN && shut == token.RPAREN ||
		open == token.LBRACK && shut == token.RBRACK ||
		open == token.LBRACE && shut == token.RBRACE
}

// endsStatement reports operators after which a statement may end.
func endsStatement(t token.Token) bool {
	switch t {
	case token.RPAREN, token.RBRACK, token.RBRACE, token.INC, token.DEC, token.SEMICOLON, token.COLON, token.ELLIPSIS:
		return true
	}
	return false
}

func needsMore(t token.Token) bool {
	switch t {
	case token.FUNC, token.TYPE, token.VAR, token.CONST, token.IMPORT, token.IF, token.FOR,
		token.SWITCH, token.SELECT, token.GO, token.DEFER, token.RANGE, token.STRUCT,
		token.INTERFACE, token.MAP, token.CHAN, token.ELSE, token.CASE, token.GOTO:
		return true
	}
	return false
}
