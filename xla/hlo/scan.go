package hlo

import (
	"fmt"
	"strconv"
	"strings"
)

// ParseError says what is wrong in an HLO text, and where. Line and Column
// count from 1, Column in bytes.
type ParseError struct {
	Line, Column int
	Msg          string
}

// Error gives "hlo: 3:14: unknown opcode ...".
func (e *ParseError) Error() string { return fmt.Sprintf("hlo: %d:%d: %s", e.Line, e.Column, e.Msg) }

// maxNesting bounds how deep braces and parentheses nest in a text.
const maxNesting = 500

// scanner reads HLO text. Its methods panic with a *ParseError, which Parse recovers.
type scanner struct {
	s     string
	at    int
	depth int
}

func (p *scanner) fail(at int, msg string, args ...any) {
	if len(args) > 0 {
		msg = fmt.Sprintf(msg, args...)
	}
	before := p.s[:min(at, len(p.s))]
	panic(&ParseError{
		Line:   strings.Count(before, "\n") + 1,
		Column: len(before) - strings.LastIndexByte(before, '\n'),
		Msg:    msg,
	})
}

// enter guards a recursive rule; call the result at its end.
func (p *scanner) enter() {
	if p.depth++; p.depth > maxNesting {
		p.fail(p.at, "nested more than %d deep", maxNesting)
	}
}

func (p *scanner) leave() { p.depth-- }

// skip passes blanks and comments.
func (p *scanner) skip() {
	for p.at < len(p.s) {
		switch c := p.s[p.at]; {
		case c == ' ' || c == '\n' || c == '\t' || c == '\r':
			p.at++
		case c == '/' && strings.HasPrefix(p.s[p.at:], "/*"):
			end := strings.Index(p.s[p.at+2:], "*/")
			if end < 0 {
				p.fail(p.at, "comment without end")
			}
			p.at += end + 4
		case c == '/' && strings.HasPrefix(p.s[p.at:], "//"):
			end := strings.IndexByte(p.s[p.at:], '\n')
			if end < 0 {
				end = len(p.s) - p.at
			}
			p.at += end
		default:
			return
		}
	}
}

// peek returns the next byte that is not blank, 0 at the end.
func (p *scanner) peek() byte {
	p.skip()
	if p.at == len(p.s) {
		return 0
	}
	return p.s[p.at]
}

// accept passes tok if it comes next.
func (p *scanner) accept(tok string) bool {
	p.skip()
	if !strings.HasPrefix(p.s[p.at:], tok) {
		return false
	}
	p.at += len(tok)
	return true
}

// glued passes tok if it follows at once, without a blank or comment.
func (p *scanner) glued(tok string) bool {
	if !strings.HasPrefix(p.s[p.at:], tok) {
		return false
	}
	p.at += len(tok)
	return true
}

func (p *scanner) expect(tok string) {
	if !p.accept(tok) {
		p.fail(p.at, "expected %q, found %s", tok, p.found())
	}
}

// found describes what comes next, for messages.
func (p *scanner) found() string {
	p.skip()
	if p.at == len(p.s) {
		return "the end of the text"
	}
	end := p.at + 1
	for end < len(p.s) && end-p.at < 32 && isNameByte(p.s[end]) && isNameByte(p.s[p.at]) {
		end++
	}
	return strconv.Quote(p.s[p.at:end])
}

func isNameByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '.' || c == '-'
}

// word reads an identifier: a name, an opcode or a key. It stops before "->".
func (p *scanner) word(what string) string {
	p.skip()
	start := p.at
	for p.at < len(p.s) && isNameByte(p.s[p.at]) {
		if p.s[p.at] == '-' && p.at+1 < len(p.s) && p.s[p.at+1] == '>' {
			break
		}
		p.at++
	}
	if p.at == start {
		p.fail(start, "expected %s, found %s", what, p.found())
	}
	return p.s[start:p.at]
}

// name reads a name with or without "%".
func (p *scanner) name(what string) string {
	p.accept("%")
	return p.word(what)
}

// ahead returns the word that comes next without reading it, "" if none does.
func (p *scanner) ahead() string {
	p.skip()
	start := p.at
	end := start
	for end < len(p.s) && isNameByte(p.s[end]) {
		end++
	}
	return p.s[start:end]
}

func (p *scanner) int() int64 {
	p.skip()
	start := p.at
	if p.at < len(p.s) && p.s[p.at] == '-' {
		p.at++
	}
	for p.at < len(p.s) && p.s[p.at] >= '0' && p.s[p.at] <= '9' {
		p.at++
	}
	n, err := strconv.ParseInt(p.s[start:p.at], 10, 64)
	if err != nil {
		p.at = start
		p.fail(start, "expected an integer, found %s", p.found())
	}
	return n
}

func (p *scanner) int32() int32 {
	start := p.at
	n := p.int()
	if n != int64(int32(n)) {
		p.fail(start, "%d is too large", n)
	}
	return int32(n)
}

func (p *scanner) bool() bool {
	start := p.at
	switch p.word("true or false") {
	case "true", "1":
		return true
	case "false", "0":
		return false
	}
	p.fail(start, "expected true or false")
	return false
}

// until reads elements of a list up to the closing token, separated by commas.
func (p *scanner) until(end string, element func()) {
	p.enter()
	defer p.leave()
	if p.accept(end) {
		return
	}
	for {
		element()
		if p.accept(end) {
			return
		}
		if !p.accept(",") {
			p.fail(p.at, "expected \",\" or %q, found %s", end, p.found())
		}
	}
}

// ints reads {1,2,3} or, with other brackets, [1,2,3].
func (p *scanner) ints(open, end string) []int64 {
	p.expect(open)
	var list []int64
	p.until(end, func() { list = append(list, p.int()) })
	return list
}

// text reads a quoted string with C escapes.
func (p *scanner) text() string {
	p.skip()
	start := p.at
	quote := p.peek()
	if quote != '"' && quote != '\'' {
		p.fail(start, "expected a string in quotes, found %s", p.found())
	}
	p.at++
	if end := strings.IndexByte(p.s[p.at:], quote); end >= 0 && strings.IndexByte(p.s[p.at:p.at+end], '\\') < 0 {
		s := p.s[p.at : p.at+end]
		p.at += end + 1
		return s
	}
	var b []byte
	for p.at < len(p.s) {
		c := p.s[p.at]
		p.at++
		switch c {
		case quote:
			return string(b)
		case '\\':
			b = append(b, p.escape(start))
		default:
			b = append(b, c)
		}
	}
	p.fail(start, "string without end")
	return ""
}

// escape reads what follows a backslash.
func (p *scanner) escape(start int) byte {
	if p.at == len(p.s) {
		p.fail(start, "string without end")
	}
	c := p.s[p.at]
	p.at++
	switch c {
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	case '"', '\'', '\\', '?':
		return c
	case 'x':
		return p.code(2, 16)
	}
	if c >= '0' && c <= '7' {
		p.at--
		return p.code(3, 8)
	}
	p.fail(p.at-2, "unknown escape \\%c in a string", c)
	return 0
}

// code reads up to n digits of a character code.
func (p *scanner) code(n, base int) byte {
	start := p.at
	digits := "01234567"
	if base == 16 {
		digits = "0123456789abcdefABCDEF"
	}
	for p.at < len(p.s) && p.at-start < n && strings.IndexByte(digits, p.s[p.at]) >= 0 {
		p.at++
	}
	v, err := strconv.ParseUint(p.s[start:p.at], base, 8)
	if err != nil {
		p.fail(start, "bad character code in a string")
	}
	return byte(v)
}

// braces reads a text in balanced braces as it stands; quoted strings in it
// may hold braces.
func (p *scanner) braces() string {
	p.skip()
	start := p.at
	depth := 0
	for ; p.at < len(p.s); p.at++ {
		switch p.s[p.at] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				p.at++
				return p.s[start:p.at]
			}
		case '"':
			for p.at++; p.at < len(p.s) && p.s[p.at] != '"'; p.at++ {
				if p.s[p.at] == '\\' {
					p.at++
				}
			}
		}
	}
	p.at = len(p.s)
	p.fail(start, "braces without end")
	return ""
}
