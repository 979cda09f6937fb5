package core

import (
	"bytes"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"gopherlo/jaxlike/dtype"
	"gopherlo/jaxlike/tree"
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
	case interface{ Repr() string }:
		return v.Repr()
	case fmt.Stringer:
		return v.String()
	}
	return goRepr(v)
}

// goRepr is a plain Go value as Python would print what it stands for: slices
// are lists, arrays tuples, maps dicts, byte slices bytes.
func goRepr(v any) string {
	if b, ok := v.([]byte); ok {
		return "b" + pyBytes(b)
	}
	rv := reflect.ValueOf(v)
	switch k := rv.Kind(); {
	case k == reflect.Bool:
		return PyRepr(rv.Bool())
	case rv.CanInt():
		return strconv.FormatInt(rv.Int(), 10)
	case rv.CanUint():
		return strconv.FormatUint(rv.Uint(), 10)
	case k == reflect.Float32:
		return pyFloat(rv.Float(), 32)
	case k == reflect.Float64:
		return PyFloat(rv.Float())
	case k == reflect.Complex64 || k == reflect.Complex128:
		return PyComplex(rv.Complex())
	case k == reflect.String:
		return PyString(rv.String())
	case k == reflect.Slice || k == reflect.Array:
		tuple := k == reflect.Array || rv.Type() == reflect.TypeFor[tree.Tuple]()
		return pySeq(rv.Len(), func(i int) any { return rv.Index(i).Interface() }, tuple)
	case k == reflect.Map && rv.Type().Key().Kind() == reflect.String:
		return pyDict(rv)
	case k == reflect.Func && !rv.IsNil():
		return "<function " + nameOf(rv, v) + " at 0x...>"
	}
	return fmt.Sprint(v)
}

// nameOf is the name of a function as texts show it; one that has none is Python's
// lambda.
func nameOf(rv reflect.Value, f any) string {
	if n := FunctionNames(rv.Pointer()); n != nil {
		return n.Name
	}
	if t := TitleOf((*[2]unsafe.Pointer)(unsafe.Pointer(&f))[1]); t != nil {
		return t.Name
	}
	return "<lambda>"
}

func pyDict(rv reflect.Value) string {
	keys := rv.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
	parts := make([]string, len(keys))
	for i, k := range keys {
		parts[i] = PyString(k.String()) + ": " + PyRepr(rv.MapIndex(k).Interface())
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// pyBytes is Python's repr of bytes without the prefix.
func pyBytes(b []byte) string {
	quote := byte('\'')
	if bytes.ContainsRune(b, '\'') && !bytes.ContainsRune(b, '"') {
		quote = '"'
	}
	out := []byte{quote}
	for _, c := range b {
		switch {
		case c == quote || c == '\\':
			out = append(out, '\\', c)
		case c == '\n':
			out = append(out, `\n`...)
		case c == '\r':
			out = append(out, `\r`...)
		case c == '\t':
			out = append(out, `\t`...)
		case c < ' ' || c > '~':
			out = fmt.Appendf(out, `\x%02x`, c)
		default:
			out = append(out, c)
		}
	}
	return string(append(out, quote))
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
	case fmt.Stringer:
		return v.String()
	}
	return PyRepr(v)
}

// PyFloat is Python's repr of a float: the shortest digits that round-trip,
// scientific below 1e-4 and from 1e16 on.
func PyFloat(f float64) string { return pyFloat(f, 64) }

func pyFloat(f float64, bits int) string {
	switch {
	case math.IsNaN(f):
		return "nan"
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	}
	if a := math.Abs(f); a != 0 && (a < 1e-4 || a >= 1e16) {
		return strconv.FormatFloat(f, 'e', -1, bits)
	}
	s := strconv.FormatFloat(f, 'f', -1, bits)
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
