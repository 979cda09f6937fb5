package flags

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
)

// pyType names the Python class that stands for a Go value in JAX's messages.
func pyType(v any) string {
	if _, ok := v.(Level); ok {
		return "jax._src.compiler.CompilerEffortLevel"
	}
	switch reflect.ValueOf(v).Kind() {
	case reflect.Invalid:
		return "NoneType"
	case reflect.String:
		return "str"
	case reflect.Bool:
		return "bool"
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return "int"
	case reflect.Float32, reflect.Float64:
		return "float"
	case reflect.Complex64, reflect.Complex128:
		return "complex"
	case reflect.Slice:
		if _, ok := v.([]byte); ok {
			return "bytes"
		}
		if isTuple(reflect.ValueOf(v)) {
			return "tuple"
		}
		return "list"
	case reflect.Array, reflect.Struct:
		return "tuple"
	case reflect.Map:
		return "dict"
	}
	return "object"
}

// str is Python's str of a Go value.
func str(v any) string {
	if rv := reflect.ValueOf(v); rv.Kind() == reflect.String {
		return rv.String()
	}
	return repr(v)
}

// repr is Python's repr of a Go value.
func repr(v any) string {
	if v == nil {
		return "None"
	}
	rv := reflect.ValueOf(v)
	switch rv.Kind() {
	case reflect.String:
		return reprString(rv.String())
	case reflect.Bool:
		if rv.Bool() {
			return "True"
		}
		return "False"
	case reflect.Float32, reflect.Float64:
		return reprFloat(rv.Float())
	case reflect.Slice:
		if b, ok := v.([]byte); ok {
			return reprBytes(b)
		}
		if isTuple(rv) {
			return reprTuple(rv)
		}
	}
	return fmt.Sprint(v)
}

func reprTuple(rv reflect.Value) string {
	parts := make([]string, rv.Len())
	for i := range parts {
		parts[i] = repr(rv.Index(i).Interface())
	}
	if len(parts) == 1 {
		return "(" + parts[0] + ",)"
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

func reprBytes(b []byte) string {
	s := make([]rune, len(b)) // each byte a rune: what is not ASCII is escaped
	for i, c := range b {
		s[i] = rune(c)
	}
	var out strings.Builder
	out.WriteByte('b')
	for _, r := range reprString(string(s)) {
		if r < 0x80 {
			out.WriteRune(r)
		} else {
			fmt.Fprintf(&out, `\x%02x`, r)
		}
	}
	return out.String()
}

func reprString(s string) string {
	quote := "'"
	if strings.Contains(s, "'") && !strings.Contains(s, `"`) {
		quote = `"`
	}
	var b strings.Builder
	b.WriteString(quote)
	for _, r := range s {
		switch {
		case r == '\\' || string(r) == quote:
			b.WriteString(`\` + string(r))
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, `\x%02x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String() + quote
}

func reprFloat(f float64) string {
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
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}
