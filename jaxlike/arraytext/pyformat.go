package arraytext

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"gopherlo/jaxlike/dtype"
)

// Format prints a as Python's format(x, spec) does. A rank-0 array formats as
// the Python number it holds, so format(x, "") of float32 0.1 shows the exact
// 0.10000000149011612; other arrays only know the empty spec.
func (a Array) Format(spec string) (string, error) {
	number := len(a.Shape) == 0 && (native(a.DType) || a.DType == dtype.Bool)
	if !number {
		if spec != "" {
			return "", fmt.Errorf("unsupported format string passed to numpy.ndarray.__format__")
		}
		return a.Str(), nil
	}
	switch {
	case a.DType == dtype.Bool && spec == "", a.DType.IsComplex() && spec == "":
		return a.Str(), nil
	case a.DType.IsComplex():
		return "", fmt.Errorf("format of complex numbers takes no spec: format real and imaginary part apart")
	case a.DType.IsInt() && spec == "":
		return a.Str(), nil
	case spec == "":
		return PyFloat(a.DType.GetFloat(a.Data)), nil
	}
	s, err := parseSpec(spec)
	if err != nil {
		return "", err
	}
	if a.DType.IsFloat() {
		return s.float(a.DType.GetFloat(a.Data))
	}
	return s.int(a.DType.GetInt(a.Data))
}

// PyFloat prints a float as Python's repr: shortest digits, exponent below
// 1e-4 and from 1e16.
func PyFloat(v float64) string { return floatStr(dtype.Float64, v, ".0") }

// formatSpec is Python's format specification mini-language for numbers.
type formatSpec struct {
	fill, align string
	sign        byte
	alt         bool
	width       int
	group       string
	prec        int
	verb        byte
}

func parseSpec(spec string) (formatSpec, error) {
	s := formatSpec{fill: " ", align: ">", sign: '-', prec: -1}
	bad := fmt.Errorf("invalid format specifier %q", spec)
	r := []rune(spec)
	const aligns = "<>=^"
	switch {
	case len(r) > 1 && strings.ContainsRune(aligns, r[1]):
		s.fill, s.align, r = string(r[0]), string(r[1]), r[2:]
	case len(r) > 0 && strings.ContainsRune(aligns, r[0]):
		s.align, r = string(r[0]), r[1:]
	}
	next := func(set string) (rune, bool) {
		if len(r) > 0 && strings.ContainsRune(set, r[0]) {
			c := r[0]
			r = r[1:]
			return c, true
		}
		return 0, false
	}
	number := func() (int, bool) {
		i := 0
		for i < len(r) && r[i] >= '0' && r[i] <= '9' {
			i++
		}
		n, err := strconv.Atoi(string(r[:i]))
		r = r[i:]
		return n, err == nil && n < 1<<16
	}
	if c, ok := next("+- "); ok {
		s.sign = byte(c)
	}
	_, s.alt = next("#")
	if _, ok := next("0"); ok {
		s.fill, s.align = "0", "="
	}
	if n, ok := number(); ok {
		s.width = n
	}
	if c, ok := next(",_"); ok {
		s.group = string(c)
	}
	if _, ok := next("."); ok {
		n, ok := number()
		if !ok {
			return s, bad
		}
		s.prec = n
	}
	if len(r) == 1 {
		s.verb, r = byte(r[0]), nil
	}
	if len(r) > 0 {
		return s, bad
	}
	return s, nil
}

func (s formatSpec) float(v float64) (string, error) {
	prec := s.prec
	if prec < 0 {
		prec = 6
	}
	a := math.Abs(v)
	var t string
	if sp, ok := special(a); ok {
		t = sp
	} else {
		switch s.verb {
		case 'f', 'F':
			t = strconv.FormatFloat(a, 'f', prec, 64)
		case 'e', 'E':
			t = strconv.FormatFloat(a, s.verb, prec, 64)
		case '%':
			t = strconv.FormatFloat(a*100, 'f', prec, 64) + "%"
		case 'g', 'G', 'n', 0:
			t = s.generalFloat(a, prec)
		default:
			return "", fmt.Errorf("Unknown format code '%c' for object of type 'float'", s.verb) //nolint:staticcheck // Python's words
		}
	}
	return s.pad(math.Signbit(v) && !math.IsNaN(v), t), nil
}

func (s formatSpec) generalFloat(a float64, prec int) string {
	if s.verb == 0 && s.prec < 0 {
		return PyFloat(a)
	}
	prec = max(prec, 1)
	e := strconv.FormatFloat(a, 'e', prec-1, 64)
	_, es, _ := strings.Cut(e, "e")
	exp, _ := strconv.Atoi(es)
	limit := prec
	if s.verb == 0 {
		limit = prec - 1 // like g, but always with a digit after the point
	}
	if exp < -4 || exp >= limit {
		mant, _, _ := strings.Cut(e, "e")
		if strings.Contains(mant, ".") {
			mant = strings.TrimRight(strings.TrimRight(mant, "0"), ".")
		}
		return mant + "e" + es
	}
	t := strconv.FormatFloat(a, 'f', prec-1-exp, 64)
	if strings.Contains(t, ".") {
		t = strings.TrimRight(strings.TrimRight(t, "0"), ".")
	}
	if s.verb == 0 && !strings.Contains(t, ".") {
		t += ".0"
	}
	return t
}

func (s formatSpec) int(v int64) (string, error) {
	if strings.IndexByte("eEfFgG%", s.verb) >= 0 && s.verb != 0 {
		return s.float(float64(v))
	}
	base, ok := map[byte]int{0: 10, 'd': 10, 'n': 10, 'x': 16, 'X': 16, 'o': 8, 'b': 2}[s.verb]
	if !ok || s.prec >= 0 {
		return "", fmt.Errorf("Unknown format code '%c' for object of type 'int'", s.verb) //nolint:staticcheck // Python's words
	}
	t := strings.TrimPrefix(strconv.FormatInt(v, base), "-")
	if s.verb == 'X' {
		t = strings.ToUpper(t)
	}
	if s.alt && base != 10 {
		t = "0" + string(s.verb) + t
	}
	return s.pad(v < 0, t), nil
}

// pad adds sign, grouping and fill.
func (s formatSpec) pad(negative bool, t string) string {
	if s.group != "" {
		i := strings.IndexFunc(t, func(r rune) bool { return r < '0' || r > '9' })
		if i < 0 {
			i = len(t)
		}
		for i -= 3; i > 0; i -= 3 {
			t = t[:i] + s.group + t[i:]
		}
	}
	sign := ""
	switch {
	case negative:
		sign = "-"
	case s.sign != '-':
		sign = string(s.sign)
	}
	n := max(0, s.width-len(sign)-len(t))
	fill := strings.Repeat(s.fill, n)
	switch s.align {
	case "<":
		return sign + t + fill
	case "=":
		return sign + fill + t
	case "^":
		return strings.Repeat(s.fill, n/2) + sign + t + strings.Repeat(s.fill, n-n/2)
	}
	return fill + sign + t
}
