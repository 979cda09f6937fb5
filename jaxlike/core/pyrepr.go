package core

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"gopherlo/jaxlike/dtype"
)

// PyRepr is a parameter value as Python's repr prints it.
func PyRepr(v any) string {
	switch v := v.(type) {
	case nil:
		return "None"
	case bool:
		if v {
			return "True"
		}
		return "False"
	case int:
		return strconv.Itoa(v)
	case int64:
		return strconv.FormatInt(v, 10)
	case uint64:
		return strconv.FormatUint(v, 10)
	case float64:
		return PyFloat(v)
	case complex128:
		return PyComplex(v)
	case string:
		return PyString(v)
	case Int:
		if v.NP {
			return "np.int64(" + strconv.Itoa(v.V) + ")"
		}
		return strconv.Itoa(v.V)
	case dtype.DType:
		return "dtype('" + v.String() + "')"
	case Ints:
		return pySeq(len(v), func(i int) any { return v[i] }, true)
	case Tuple:
		return pySeq(len(v), func(i int) any { return v[i] }, true)
	case List:
		return pySeq(len(v), func(i int) any { return v[i] }, false)
	case []*Jaxpr:
		return pySeq(len(v), func(i int) any { return v[i] }, true)
	case PyReprer:
		return v.PyRepr()
	case fmt.Stringer:
		return v.String()
	}
	return fmt.Sprint(v)
}

func pySeq(n int, at func(int) any, tuple bool) string {
	var b strings.Builder
	open, end := "[", "]"
	if tuple {
		open, end = "(", ")"
	}
	b.WriteString(open)
	for i := range n {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(PyRepr(at(i)))
	}
	if tuple && n == 1 {
		b.WriteByte(',')
	}
	b.WriteString(end)
	return b.String()
}

// PyStr is a parameter value as Python's str prints it: strings and dtypes bare.
func PyStr(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case dtype.DType:
		return v.String()
	}
	return PyRepr(v)
}

// PyFloat is Python's repr of a float: the shortest digits that round-trip,
// scientific below 1e-4 and from 1e16 on.
func PyFloat(f float64) string {
	switch {
	case math.IsNaN(f):
		return "nan"
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	}
	if a := math.Abs(f); a != 0 && (a < 1e-4 || a >= 1e16) {
		return strconv.FormatFloat(f, 'e', -1, 64)
	}
	s := strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.ContainsRune(s, '.') {
		s += ".0"
	}
	return s
}

// PyComplex is Python's repr of a complex number: "(1+2j)", "1j".
func PyComplex(c complex128) string {
	part := func(f float64) string { return strings.TrimSuffix(PyFloat(f), ".0") }
	re, im := real(c), imag(c)
	if re == 0 && !math.Signbit(re) {
		return part(im) + "j"
	}
	sign := ""
	if !math.Signbit(im) || math.IsNaN(im) {
		sign = "+"
	}
	return "(" + part(re) + sign + part(im) + "j)"
}

// PyString is Python's repr of a string.
func PyString(s string) string {
	quote := byte('\'')
	if strings.ContainsRune(s, '\'') && !strings.ContainsRune(s, '"') {
		quote = '"'
	}
	var b strings.Builder
	b.WriteByte(quote)
	for _, r := range s {
		switch {
		case r == rune(quote) || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, `\x%02x`, r)
		case !strconv.IsPrint(r) && r != ' ':
			writeEscape(&b, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte(quote)
	return b.String()
}

func writeEscape(b *strings.Builder, r rune) {
	switch {
	case r < 0x100:
		fmt.Fprintf(b, `\x%02x`, r)
	case r < 0x10000:
		fmt.Fprintf(b, `\u%04x`, r)
	default:
		fmt.Fprintf(b, `\U%08x`, r)
	}
}
