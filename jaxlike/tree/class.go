package tree

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Class returns the class that error texts show for a type, in the words of
// JAX's messages: <class 'list'> for slices, <class 'dict'> for maps, and so on.
func Class(t reflect.Type) string {
	if t != nil && t.Kind() == reflect.Interface && t.NumMethod() > 0 {
		return "<class '" + t.String() + "'>"
	}
	return "<class '" + className(t) + "'>"
}

// ClassOf is [Class] for the type of a value.
func ClassOf(v any) string {
	if of, ok := valueClasses.Load(reflect.TypeOf(v)); ok {
		if c := of.(func(any) string)(v); c != "" {
			return "<class '" + c + "'>"
		}
	}
	return Class(reflect.TypeOf(v))
}

// ClassName is the bare name of [Class]: list, dict, float.
func ClassName(t reflect.Type) string {
	name := className(t)
	return name[strings.LastIndexByte(name, '.')+1:]
}

func className(t reflect.Type) string {
	if t == nil {
		return "NoneType"
	}
	if c, ok := leaves.Load(t); ok {
		return c.(string)
	}
	if c, ok := classes.Load(t); ok {
		return c.(string)
	}
	if n := nodeOf(t); n != nil {
		return "__main__." + n.Name
	}
	if t == tupleType {
		return "tuple"
	}
	switch t.Kind() {
	case reflect.Pointer:
		return className(t.Elem())
	case reflect.Struct:
		return structClass(t)
	case reflect.Bool:
		return "bool"
	case reflect.Int, reflect.Int64, reflect.Uint, reflect.Uint64:
		return "int"
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Uint8, reflect.Uint16, reflect.Uint32,
		reflect.Float32, reflect.Complex64:
		return "numpy." + t.Kind().String() // numbers of a size are NumPy's
	case reflect.Float64:
		return "float"
	case reflect.Complex128:
		return "complex"
	case reflect.String:
		return "str"
	case reflect.Slice:
		if t == reflect.TypeFor[[]byte]() {
			return "bytes"
		}
		return "list"
	case reflect.Array:
		return "tuple"
	case reflect.Map:
		return "dict"
	case reflect.Func:
		return "function"
	case reflect.Interface:
		return "object"
	}
	return t.String()
}

// structClass is the class of a struct; types of cells and of package main are
// the user's own, Python's __main__.
func structClass(t reflect.Type) string {
	pkg := t.PkgPath()
	if pkg == "" || pkg == "main" {
		pkg = "__main__"
	}
	return strings.ReplaceAll(pkg, "/", ".") + "." + structName(t)
}

// quote prints a string as Python's repr.
func quote(s string) string {
	q := byte('\'')
	if strings.Contains(s, "'") && !strings.Contains(s, `"`) {
		q = '"'
	}
	var b strings.Builder
	b.WriteByte(q)
	for _, r := range s {
		switch {
		case r == rune(q) || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < 0x20 || r == 0x7f:
			fmt.Fprintf(&b, `\x%02x`, r)
		case strconv.IsPrint(r):
			b.WriteRune(r)
		case r < 0x100:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
	}
	b.WriteByte(q)
	return b.String()
}

// literal prints a static value as Python would show it in a tuple.
func literal(v any) string {
	if r, ok := v.(interface{ Repr() string }); ok {
		return r.Repr()
	}
	rv := reflect.ValueOf(v)
	switch rv.Kind() {
	case reflect.Slice, reflect.Array:
		return sequenceText(rv)
	case reflect.Map:
		return mappingText(rv)
	case reflect.Invalid:
		return "None"
	case reflect.Bool:
		if rv.Bool() {
			return "True"
		}
		return "False"
	case reflect.String:
		return quote(rv.String())
	case reflect.Float32, reflect.Float64:
		return floatLiteral(rv.Float())
	case reflect.Func:
		return "<function>"
	}
	return fmt.Sprint(v)
}

func sequenceText(rv reflect.Value) string {
	parts := make([]string, rv.Len())
	for i := range parts {
		parts[i] = literal(rv.Index(i).Interface())
	}
	switch text := strings.Join(parts, ", "); {
	case rv.Kind() == reflect.Slice && rv.Type() != tupleType:
		return "[" + text + "]"
	case len(parts) == 1:
		return "(" + text + ",)"
	default:
		return "(" + text + ")"
	}
}

func mappingText(rv reflect.Value) string {
	parts := make([]string, 0, rv.Len())
	for _, k := range rv.MapKeys() {
		parts = append(parts, literal(k.Interface())+": "+literal(rv.MapIndex(k).Interface()))
	}
	slices.Sort(parts)
	return "{" + strings.Join(parts, ", ") + "}"
}

func floatLiteral(f float64) string {
	if math.IsInf(f, 0) || math.IsNaN(f) {
		return strings.TrimPrefix(strings.ToLower(strconv.FormatFloat(f, 'g', -1, 64)), "+")
	}
	format := byte('f')
	if a := math.Abs(f); a != 0 && (a < 1e-4 || a >= 1e16) {
		format = 'e'
	}
	s := strconv.FormatFloat(f, format, -1, 64)
	if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	return s
}

// ClassLiteral prints a plain value as Python's repr would.
func ClassLiteral(v any) string { return literal(v) }
