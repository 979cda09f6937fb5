package gosyntax

import (
	"fmt"
	"go/token"
	"strings"
	"unicode"
	"unicode/utf8"
)

// scanner reads one token after the other. Tokens are those of package token;
// what the compiler takes together, such as names of operators, is in parse.go.
type scanner struct {
	src    string
	off    int // of what follows the token
	before int // of what follows the one before
	report func(off int, msg string)

	tok  token.Token
	pos  int    // offset of the token
	lit  string // text of a name or a literal; what a semicolon stands for
	bad  bool   // a literal without a value
	ends bool   // a line that ends behind the token ends a statement

	found Found
}

func (s *scanner) errorf(off int, format string, args ...any) {
	s.report(off, fmt.Sprintf(format, args...))
}

// char is the character at the offset, -1 at the end; NUL, broken UTF-8 and
// marks of the byte order are told and left out.
func (s *scanner) char() rune {
	for s.off < len(s.src) {
		r, size := rune(s.src[s.off]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(s.src[s.off:])
		}
		switch {
		case r == 0:
			s.errorf(s.off, "invalid NUL character")
		case r == utf8.RuneError && size == 1:
			s.errorf(s.off, "invalid UTF-8 encoding")
		case r == '\ufeff':
			s.errorf(s.off, "invalid BOM in the middle of the file")
		default:
			return r
		}
		s.found.Characters = append(s.found.Characters, Span{s.off, s.off + size})
		s.off += size
	}
	return -1
}

// skip goes behind the character at the offset.
func (s *scanner) skip() {
	if s.off < len(s.src) {
		_, size := utf8.DecodeRuneInString(s.src[s.off:])
		s.off += size
	}
}

func (s *scanner) next() {
	ends := s.ends
	s.before = s.off
	s.ends, s.bad, s.lit = false, false, ""
	for {
		c := s.char()
		for c == ' ' || c == '\t' || c == '\r' || c == '\n' && !ends {
			s.off++
			c = s.char()
		}
		s.pos = s.off
		switch {
		case c < 0:
			s.tok = token.EOF
			if ends {
				s.tok, s.lit = token.SEMICOLON, "EOF"
			}
		case c == '\n':
			s.off++
			s.tok, s.lit = token.SEMICOLON, "newline"
		case letter(c) || c >= utf8.RuneSelf:
			s.name()
		case digit(c) || c == '.' && s.off+1 < len(s.src) && digit(rune(s.src[s.off+1])):
			s.number()
		case c == '"':
			s.text()
		case c == '`':
			s.rawText()
		case c == '\'':
			s.rune()
		case strings.HasPrefix(s.src[s.off:], "//"):
			s.off = s.pos + lineEnd(s.src[s.off:])
			continue
		case strings.HasPrefix(s.src[s.off:], "/*"):
			if !s.comment() || !ends {
				continue
			}
			s.tok, s.lit = token.SEMICOLON, "newline"
		case !s.operator():
			s.errorf(s.off, "invalid character %#U", c)
			s.found.Characters = append(s.found.Characters, Span{s.off, s.off + utf8.RuneLen(c)})
			s.skip()
			continue
		}
		return
	}
}

func lineEnd(text string) int {
	if i := strings.IndexByte(text, '\n'); i >= 0 {
		return i
	}
	return len(text)
}

// comment goes behind a comment in /* */ and reports whether it has several lines.
func (s *scanner) comment() bool {
	from := s.off
	i := strings.Index(s.src[from+2:], "*/")
	if i < 0 {
		s.errorf(from, "comment not terminated")
		s.off = len(s.src)
	} else {
		s.off = from + 2 + i + 2
	}
	return strings.Contains(s.src[from:s.off], "\n")
}

// operators are the tokens that are neither names nor literals, longer ones before
// those they start with.
var operators = func() (list [4][]token.Token) {
	for t := token.ADD; t <= token.COLON; t++ {
		if n := len(t.String()); t.IsOperator() && n < 4 {
			list[n] = append(list[n], t)
		}
	}
	list[1] = append(list[1], token.TILDE)
	return list
}()

func (s *scanner) operator() bool {
	rest := s.src[s.off:]
	for n := 3; n > 0; n-- {
		for _, t := range operators[n] {
			if strings.HasPrefix(rest, t.String()) {
				s.tok = t
				s.off += n
				switch t {
				case token.RPAREN, token.RBRACK, token.RBRACE, token.INC, token.DEC:
					s.ends = true
				case token.SEMICOLON:
					s.lit = "semicolon"
				}
				return true
			}
		}
	}
	return false
}

func letter(c rune) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_' }
func digit(c rune) bool  { return '0' <= c && c <= '9' }

// name reads a name or a keyword; all characters that are not ASCII are taken for
// parts of it.
func (s *scanner) name() {
	bad := false
	for {
		c := s.char()
		switch {
		case letter(c) || unicode.IsLetter(c):
		case c >= utf8.RuneSelf && unicode.IsDigit(c) || digit(c):
			if s.off == s.pos {
				s.errorf(s.off, "identifier cannot begin with digit %#U", c)
				bad = true
			}
		case c >= utf8.RuneSelf:
			s.errorf(s.off, "invalid character %#U in identifier", c)
			bad = true
		default:
			s.lit = s.src[s.pos:s.off]
			s.tok = token.Lookup(s.lit)
			switch s.tok {
			case token.IDENT, token.BREAK, token.CONTINUE, token.FALLTHROUGH, token.RETURN:
				s.ends = true
			}
			if bad {
				s.found.Names = append(s.found.Names, Span{s.pos, s.off})
			}
			return
		}
		s.skip()
	}
}

// literal ends a literal.
func (s *scanner) literal(kind token.Token, ok bool) {
	s.tok, s.lit, s.bad, s.ends = kind, s.src[s.pos:s.off], !ok, true
	if !ok {
		s.found.Literals = append(s.found.Literals, Span{s.pos, s.off})
	}
}

func (s *scanner) text() {
	ok := true
	s.off++
	for {
		switch s.char() {
		case '"':
			s.off++
			s.literal(token.STRING, ok)
			return
		case '\\':
			s.off++
			ok = s.escape('"') && ok
		case '\n':
			s.errorf(s.off, "newline in string")
			s.literal(token.STRING, false)
			return
		case -1:
			s.errorf(s.pos, "string not terminated")
			s.literal(token.STRING, false)
			return
		default:
			s.skip()
		}
	}
}

func (s *scanner) rawText() {
	i := strings.IndexByte(s.src[s.off+1:], '`')
	if i < 0 {
		s.errorf(s.pos, "string not terminated")
		s.off = len(s.src)
	} else {
		s.off += i + 2
	}
	s.literal(token.STRING, i >= 0)
}

func (s *scanner) rune() {
	ok, n := true, 0
	fail := func(off int, msg string) {
		if ok {
			s.report(off, msg)
		}
		ok = false
	}
	s.off++
	for ; ; n++ {
		c := s.char()
		switch {
		case c == '\'' && n == 0:
			fail(s.off, "empty rune literal or unescaped '")
		case c == '\'' && n > 1:
			fail(s.pos, "more than one character in rune literal")
		case c == '\n':
			fail(s.off, "newline in rune literal")
		case c < 0:
			fail(s.pos, "rune literal not terminated")
		}
		switch c {
		case '\'':
			s.off++
			s.literal(token.CHAR, ok)
			return
		case '\n', -1:
			s.literal(token.CHAR, ok)
			return
		case '\\':
			s.off++
			ok = s.escape('\'') && ok
		default:
			s.skip()
		}
	}
}

// escape reads what follows a backslash.
func (s *scanner) escape(quote rune) bool {
	n, base, most := 0, 0, rune(unicode.MaxRune)
	switch c := s.char(); {
	case c == quote || strings.ContainsRune(`abfnrtv\`, c) && c > 0:
		s.off++
		return true
	case '0' <= c && c <= '7':
		n, base, most = 3, 8, 255
	case c == 'x':
		n, base, most = 2, 16, 255
	case c == 'u':
		n, base = 4, 16
	case c == 'U':
		n, base = 8, 16
	case c < 0:
		return true // told when the literal ends
	default:
		s.errorf(s.off, "unknown escape")
		return false
	}
	if base == 16 {
		s.off++
	}
	x := int64(0)
	for range n {
		c := s.char()
		if c < 0 {
			return true
		}
		d := value(c)
		if d >= base {
			s.errorf(s.off, "invalid character %q in %s escape", c, baseName(base))
			return false
		}
		x = x*int64(base) + int64(d)
		s.skip()
	}
	switch {
	case x > int64(most) && base == 8:
		s.errorf(s.off, "octal escape value %d > 255", x)
		return false
	case x > int64(most), 0xD800 <= x && x < 0xE000:
		s.errorf(s.off, "escape is invalid Unicode code point %#U", uint32(x))
		return false
	}
	return true
}

// value is that of a digit, 16 of what is none.
func value(c rune) int {
	switch l := c | 0x20; {
	case digit(c):
		return int(c - '0')
	case 'a' <= l && l <= 'f':
		return int(l-'a') + 10
	}
	return 16
}

func baseName(base int) string {
	return map[int]string{2: "binary", 8: "octal", 10: "decimal", 16: "hexadecimal"}[base]
}
