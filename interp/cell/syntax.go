package cell

import (
	"fmt"
	"go/token"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

var foundRE = regexp.MustCompile(`found ('EOF'|'\}'|newline)`)

// syntax words and places an error of go/parser as the go command does, for text
// that is a cell.
func (c *Cell) syntax(msg string, off int) (string, int) {
	if off >= len(strings.TrimRight(c.Go, " \t\r\n")) && !strings.HasPrefix(msg, "expression in ") {
		msg = foundRE.ReplaceAllString(msg, "found the end of the cell")
		return strings.Replace(msg, "expected ';', found the end", "expected '}', found the end", 1), off
	}
	rest := c.Go[off:]
	switch {
	case msg == "expected statement, found 'package'":
		return "a cell has no package clause: write the rest without it", off
	case msg == "expected at most 2 expressions":
		return "range clause permits at most two iteration variables", off
	case msg == "string literal not terminated" && strings.HasPrefix(rest, `"`):
		if i := strings.IndexByte(rest, '\n'); i >= 0 {
			return "newline in string", off + i
		}
	case msg == "rune literal not terminated":
		if i := strings.IndexByte(rest, '\n'); i >= 0 {
			return "newline in rune literal", off + i
		}
	case strings.HasSuffix(msg, "index required in 3-index slice"):
		if toks := scan(rest); len(toks) > 1 {
			return msg, off + toks[1].off
		}
	case strings.HasPrefix(msg, "illegal character "):
		return "invalid" + strings.TrimPrefix(msg, "illegal"), off
	case msg == "illegal rune literal" && strings.HasPrefix(rest, "''"):
		return "empty rune literal or unescaped '", off + 1
	case strings.HasPrefix(msg, "expected ") && strings.Contains(msg, " expression, found assignment"):
		return c.assignedCondition(msg, off)
	case strings.HasPrefix(msg, "expression in "):
		return msg, c.callStart(off)
	}
	if r, size := utf8.DecodeRuneInString(rest); size > 0 && strings.HasSuffix(msg, "found 'ILLEGAL'") {
		return fmt.Sprintf("invalid character %U %q", r, r), off
	}
	return msg, off
}

// assignedCondition is for a condition that is an assignment: "if x := 1 {".
func (c *Cell) assignedCondition(msg string, off int) (string, int) {
	depth, end, op := 0, len(c.Go), -1
	for _, t := range scan(c.Go[off:]) {
		switch t.kind {
		case token.LPAREN, token.LBRACK:
			depth++
		case token.RPAREN, token.RBRACK:
			depth--
		case token.DEFINE, token.ASSIGN:
			if depth == 0 && op < 0 {
				op = off + t.off
			}
			continue
		case token.LBRACE:
		default:
			continue
		}
		if t.kind == token.LBRACE && depth == 0 && op >= 0 {
			end = off + t.off
			break
		}
	}
	if op < 0 {
		return msg, off
	}
	return "cannot use " + strings.TrimSpace(c.Go[off:end]) + " as value", op
}

// callStart is where the expression of a go or defer statement starts that ends
// at off.
func (c *Cell) callStart(off int) int {
	toks := scan(c.Go)
	at := off
	for i, t := range toks {
		if t.off >= off {
			break
		}
		if (t.kind == token.GO || t.kind == token.DEFER) && i+1 < len(toks) {
			at = toks[i+1].off
		}
	}
	return at
}

// extraMessage is the error for a closing bracket that nothing opened.
func extraMessage(bracket byte) string { return fmt.Sprintf("syntax error: unexpected %c", bracket) }

// tidy keeps the errors that are no consequences of others: of what the scanner
// says, the first of each line, and of what go/parser says the first, as it has
// lost its way then; what is wrong behind that is found otherwise.
func (c *Cell) tidy(errs Errors) Errors {
	errs = errs.Sort()
	var kept Errors
	lost := false
	for _, e := range errs {
		switch {
		case strings.HasPrefix(e.Msg, "expression in "), scannerRE.MatchString(e.Msg): // it goes on behind it
			kept = append(kept, e)
		case !lost:
			lost = true
			kept = append(append(kept, e), c.further(e)...)
		}
	}
	seen := map[int]bool{}
	kept = slices.DeleteFunc(kept.Sort(), func(e Error) bool {
		again := seen[e.Line] && !strings.HasPrefix(e.Msg, "newline in ") && !strings.HasPrefix(e.Msg, "expression in ") || len(seen) > 0 && strings.Contains(e.Msg, "found the end of the cell")
		seen[e.Line] = true
		return again
	})
	return kept[:min(len(kept), mostErrors)]
}

// scannerRE matches errors of single tokens, after which the parser goes on.
var scannerRE = regexp.MustCompile(`newline in string|rune literal|invalid (digit|character)|has no digits|separate successive digits|escape|literal not terminated|cannot use .* as value|at most two iteration`)

// offsetIn is the offset of a line and column of a text.
func offsetIn(text string, line, col int) int {
	off := 0
	for range line - 1 {
		i := strings.IndexByte(text[off:], '\n')
		if i < 0 {
			break
		}
		off += i + 1
	}
	return off + col - 1
}
