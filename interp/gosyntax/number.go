package gosyntax

import (
	"go/token"
	"strings"
)

// number is what is known of a number while it is read.
type number struct {
	s       *scanner
	base    int
	prefix  rune // 0, '0', 'x', 'o' or 'b'
	digits  bool
	under   bool // has _
	invalid int  // offset of the first digit that the base has not, or -1
	ok      bool
}

func (n *number) fail(off int, format string, args ...any) {
	if n.ok {
		n.s.errorf(off, format, args...)
	}
	n.ok = false
}

// run reads digits and _; of bases up to ten all decimal ones.
func (n *number) run(base int) {
	s := n.s
	for s.off < len(s.src) {
		c := rune(s.src[s.off])
		switch {
		case c == '_':
			n.under = true
		case digit(c) || base == 16 && value(c) < 16:
			if value(c) >= base && n.invalid < 0 {
				n.invalid = s.off
			}
			n.digits = true
		default:
			return
		}
		s.off++
	}
}

func (n *number) lower() rune {
	if n.s.off < len(n.s.src) && letter(rune(n.s.src[n.s.off])) {
		return rune(n.s.src[n.s.off]) | 0x20
	}
	return 0
}

func (s *scanner) number() {
	n := &number{s: s, base: 10, invalid: -1, ok: true}
	kind := token.INT
	if s.src[s.off] != '.' {
		n.start()
	}
	if s.off < len(s.src) && s.src[s.off] == '.' {
		if n.prefix == 'o' || n.prefix == 'b' {
			n.fail(s.off, "invalid radix point in %s literal", baseName(n.base))
		}
		kind = token.FLOAT
		s.off++
		n.run(n.base)
	}
	if !n.digits {
		n.fail(s.off, "%s literal has no digits", baseName(n.base))
	}
	if e := n.lower(); e == 'e' || e == 'p' {
		kind = token.FLOAT
		n.exponent(e)
	} else if n.prefix == 'x' && kind == token.FLOAT {
		n.fail(s.off, "hexadecimal mantissa requires a 'p' exponent")
	}
	if s.off < len(s.src) && s.src[s.off] == 'i' {
		kind = token.IMAG
		s.off++
	}
	if kind == token.INT && n.invalid >= 0 {
		n.fail(n.invalid, "invalid digit %q in %s literal", s.src[n.invalid], baseName(n.base))
	}
	if i := misplaced(s.src[s.pos:s.off]); n.under && i >= 0 {
		n.fail(s.pos+i, "'_' must separate successive digits")
	}
	s.literal(kind, n.ok)
}

// start reads the prefix and the digits in front of a point.
func (n *number) start() {
	if n.s.src[n.s.off] == '0' {
		n.s.off++
		switch l := n.lower(); l {
		case 'x':
			n.base, n.prefix = 16, 'x'
		case 'o':
			n.base, n.prefix = 8, 'o'
		case 'b':
			n.base, n.prefix = 2, 'b'
		default:
			n.base, n.prefix, n.digits = 8, '0', true
		}
		if n.prefix != '0' {
			n.s.off++
		}
	}
	n.run(n.base)
}

func (n *number) exponent(e rune) {
	s := n.s
	switch {
	case e == 'e' && n.prefix != 0 && n.prefix != '0':
		n.fail(s.off, "%q exponent requires decimal mantissa", s.src[s.off])
	case e == 'p' && n.prefix != 'x':
		n.fail(s.off, "%q exponent requires hexadecimal mantissa", s.src[s.off])
	}
	s.off++
	if s.off < len(s.src) && strings.IndexByte("+-", s.src[s.off]) >= 0 {
		s.off++
	}
	n.digits = false
	invalid := n.invalid
	n.run(10)
	n.invalid = invalid
	if !n.digits {
		n.fail(s.off, "exponent has no digits")
	}
}

// misplaced is the index of the first _ of a number that is not between digits,
// or a prefix and a digit; -1 without.
func misplaced(x string) int {
	hex := false
	before := byte('.') // '0' for a digit, '_', or '.' for all else
	i := 0
	if len(x) >= 2 && x[0] == '0' && strings.IndexByte("xob", x[1]|0x20) >= 0 {
		hex = x[1]|0x20 == 'x'
		before, i = '0', 2
	}
	for ; i < len(x); i++ {
		c := rune(x[i])
		switch {
		case c == '_':
			if before != '0' {
				return i
			}
			before = '_'
		case digit(c) || hex && value(c) < 16:
			before = '0'
		default:
			if before == '_' {
				return i - 1
			}
			before = '.'
		}
	}
	if before == '_' {
		return len(x) - 1
	}
	return -1
}
