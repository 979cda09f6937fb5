package hlo

import (
	"encoding/binary"
	"math"
	"slices"
	"strconv"
	"strings"
)

// ParseLiteral reads a literal of the given shape, as Literal.String prints it.
func ParseLiteral(s string, shape Shape) (l *Literal, err error) {
	defer recoverParse(&err)
	p := &scanner{s: s}
	l = p.literal(&shape)
	if p.peek() != 0 {
		p.fail(p.at, "expected the end of the literal, found %s", p.found())
	}
	return l, nil
}

func (p *scanner) literal(s *Shape) *Literal {
	l := &Literal{Shape: *s}
	if s.Layout != nil { // no tiles, no packing
		l.Shape.Layout = &Layout{MinorToMajor: s.Layout.MinorToMajor, MemorySpace: s.Layout.MemorySpace, TailPaddingAlign: 1}
	}
	if p.elided() {
		l.Elided = true
		return l
	}
	switch {
	case s.ElementType == Tuple:
		p.expect("(")
		p.until(")", func() {
			if len(l.Tuple) == len(s.Tuple) {
				p.fail(p.at, "the literal has more elements than its shape %s", s)
			}
			l.Tuple = append(l.Tuple, p.literal(&s.Tuple[len(l.Tuple)]))
		})
		if len(l.Tuple) != len(s.Tuple) {
			p.fail(p.at, "the literal has %d elements, its shape %d", len(l.Tuple), len(s.Tuple))
		}
	case s.ElementType == Token:
		p.expect("token")
	case !s.ElementType.IsArray():
		p.fail(p.at, "there are no constants of type %s", s.ElementType)
	default:
		p.array(l, 0)
	}
	return l
}

// elided passes "{...}".
func (p *scanner) elided() bool {
	at := p.at
	if p.accept("{") && p.accept("...") && p.accept("}") {
		return true
	}
	p.at = at
	return false
}

// array reads dimension d and those below it.
func (p *scanner) array(l *Literal, d int) {
	dims := l.Shape.Dimensions
	if d == len(dims) {
		p.element(l)
		return
	}
	p.skip()
	start := p.at
	p.expect("{")
	n := int64(0)
	p.until("}", func() {
		n++
		p.array(l, d+1)
	})
	if n != dims[d] && !(n == 0 && slices.Contains(dims, 0)) {
		p.fail(start, "dimension %d has %d elements, the shape %s says %d", d, n, &l.Shape, dims[d])
	}
}

// token reads the characters of one number.
func (p *scanner) token() string {
	p.skip()
	start := p.at
	for p.at < len(p.s) && (isNameByte(p.s[p.at]) || p.s[p.at] == '+') {
		p.at++
	}
	if strings.HasPrefix(p.s[p.at:], "(") && strings.HasSuffix(p.s[start:p.at], "nan") {
		if end := strings.IndexByte(p.s[p.at:], ')'); end >= 0 {
			p.at += end + 1
		}
	}
	if p.at == start {
		p.fail(start, "expected a number, found %s", p.found())
	}
	return p.s[start:p.at]
}

func (p *scanner) element(l *Literal) {
	t := l.Shape.ElementType
	if t.kind() == kindComplex {
		if !p.accept("(") { // a real number
			l.Data = p.float(l.Data, t.ComplexPart())
			l.Data = append(l.Data, make([]byte, t.ComplexPart().Bytes())...)
			return
		}
		l.Data = p.float(l.Data, t.ComplexPart())
		p.expect(",")
		l.Data = p.float(l.Data, t.ComplexPart())
		p.expect(")")
		return
	}
	if t.kind() == kindFloat {
		l.Data = p.float(l.Data, t)
		return
	}
	p.skip()
	start := p.at
	n := len(l.Data) / t.Bytes()
	s := p.token()
	switch s {
	case "true":
		s = "1"
	case "false":
		s = "0"
	}
	v, ok := parseInteger(s, t)
	if !ok {
		p.fail(start, "%s is no value of type %s", s, t)
	}
	l.Data = append(l.Data, zeros[:t.Bytes()]...)
	l.SetInt(n, v)
}

var zeros [16]byte

func parseInteger(s string, t PrimitiveType) (int64, bool) {
	switch {
	case t.IsPred():
		v, err := strconv.ParseUint(s, 10, 1)
		return int64(v), err == nil
	case t.IsSigned():
		v, err := strconv.ParseInt(s, 10, t.Bits())
		return v, err == nil
	}
	v, err := strconv.ParseUint(s, 10, t.Bits())
	return int64(v), err == nil
}

// float reads one number and appends its bytes.
func (p *scanner) float(b []byte, t PrimitiveType) []byte {
	p.skip()
	start := p.at
	s := p.token()
	e := zeros
	code := e[:t.Bytes()]
	if !parseFloat(s, t, code) {
		p.fail(start, "%s is no value of type %s", s, t)
	}
	return append(b, code...)
}

func parseFloat(s string, t PrimitiveType, code []byte) bool {
	digits, neg := strings.CutPrefix(s, "-")
	if payload, ok := strings.CutPrefix(digits, "nan"); ok {
		return parseNaN(payload, neg, t, code)
	}
	switch t {
	case F32:
		v, err := strconv.ParseFloat(s, 32)
		binary.LittleEndian.PutUint32(code, math.Float32bits(float32(v)))
		return err == nil
	case F64:
		v, err := strconv.ParseFloat(s, 64)
		binary.LittleEndian.PutUint64(code, math.Float64bits(v))
		return err == nil
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return false
	}
	encodeFloat(t, code, v)
	r := decodeFloat(t, code)
	return math.IsInf(v, 0) == math.IsInf(r, 0) && r == r
}

// parseNaN reads what follows "nan": nothing, or a payload "(0x1234)".
func parseNaN(payload string, neg bool, t PrimitiveType, code []byte) bool {
	var bits uint64
	if payload != "" {
		hex, ok := strings.CutPrefix(payload, "(0x")
		hex, ok2 := strings.CutSuffix(hex, ")")
		v, err := strconv.ParseUint(hex, 16, 64)
		if !ok || !ok2 || err != nil || v == 0 {
			return false
		}
		bits = v
	}
	man, exp := 23, 8
	switch t {
	case F32:
	case F64:
		man, exp = 52, 11
	default:
		f := smallFloats[t]
		if payload == "" {
			v := math.NaN()
			if neg {
				v = math.Copysign(v, -1)
			} else {
				v = math.Copysign(v, 1)
			}
			encodeFloat(t, code, v)
			return !f.noNaN
		}
		if f.fnuz || f.noInf {
			return false
		}
		man, exp = f.man, f.exp
	}
	if payload == "" {
		bits = 1 << (man - 1)
	}
	if bits >= 1<<man {
		return false
	}
	bits |= (1<<exp - 1) << man
	if neg {
		bits |= 1 << (man + exp)
	}
	for i := range code {
		code[i] = byte(bits >> (8 * i))
	}
	return true
}
