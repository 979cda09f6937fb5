package cells

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/tree"
)

// Text is the text of a Go value that holds Arrays, a struct of parameters
// say: the text that a result of the same structure has, with each Array's type.
// It gives up on values that print themselves, hold no Array, or hold themselves.
func Text(v any) (string, bool) {
	if printsItself(v) || !newArraySearch().in(reflect.ValueOf(v), 0) {
		return "", false
	}
	leaves, def := tree.FlattenWith(v, nil, tree.Options{Expand: array.Expand})
	if def.IsLeaf() {
		return "", false
	}
	texts := make([]string, len(leaves))
	for i, leaf := range leaves {
		switch leaf := leaf.(type) {
		case array.Array:
			texts[i] = leaf.Repr()
		case string:
			texts[i] = strconv.Quote(leaf)
		default:
			texts[i] = fmt.Sprint(leaf)
		}
	}
	return def.Fill(texts), true
}

// Values is the text of the values of an expression that has several: a tuple
// where one of them is an Array or holds some, else what fmt.Println prints.
func Values(values []any) string {
	texts, known, arrays := make([]string, len(values)), make([]bool, len(values)), false
	for i, v := range values {
		texts[i], known[i] = Text(v)
		if a, is := v.(array.Array); is {
			texts[i], known[i] = a.Repr(), true
		}
		arrays = arrays || known[i]
	}
	if !arrays {
		return strings.TrimSuffix(fmt.Sprintln(values...), "\n")
	}
	for i, v := range values {
		switch s, isText := v.(string); {
		case v == nil:
			texts[i] = "None"
		case isText:
			texts[i] = strconv.Quote(s)
		case !known[i]:
			texts[i] = fmt.Sprint(v)
		}
	}
	return "(" + strings.Join(texts, ", ") + ")"
}

func printsItself(v any) bool {
	switch v := v.(type) {
	case interface{ PrintsItself() bool }: // a value of a cell's type
		return v.PrintsItself()
	case array.Array, fmt.Stringer, fmt.Formatter, error:
		return true
	}
	return false
}

// arraySearch looks for an Array inside a Go value.
type arraySearch struct {
	on      map[uintptr]bool // the pointers on the way to the value
	left    int              // how many more values it looks at
	endless bool             // a value holds itself, or there is too much
}

func newArraySearch() *arraySearch { return &arraySearch{on: map[uintptr]bool{}, left: 10_000} }

// in reports whether v holds an Array and can be walked to its end.
func (s *arraySearch) in(v reflect.Value, depth int) bool {
	found := s.walk(v, depth)
	return found && !s.endless
}

func (s *arraySearch) walk(v reflect.Value, depth int) (found bool) {
	if s.left--; s.left < 0 || depth > 100 {
		s.endless = true
	}
	if s.endless || !v.IsValid() {
		return false
	}
	if v.Type() == reflect.TypeFor[array.Array]() {
		return true
	}
	if v.CanInterface() {
		if x, ok := v.Interface().(tree.Boxed); ok {
			return s.walk(reflect.ValueOf(x.Unboxed()), depth+1)
		}
	}
	switch v.Kind() {
	case reflect.Interface:
		return s.walk(v.Elem(), depth+1)
	case reflect.Pointer:
		if v.IsNil() {
			return false
		}
		if s.on[v.Pointer()] {
			s.endless = true
			return false
		}
		s.on[v.Pointer()] = true
		defer delete(s.on, v.Pointer())
		return s.walk(v.Elem(), depth+1)
	case reflect.Struct:
		for i := range v.NumField() {
			found = s.walk(v.Field(i), depth+1) || found
		}
	case reflect.Slice, reflect.Array:
		if !mayHold(v.Type().Elem()) {
			return false
		}
		for i := range v.Len() {
			found = s.walk(v.Index(i), depth+1) || found
		}
	case reflect.Map:
		for _, k := range v.MapKeys() {
			found = s.walk(v.MapIndex(k), depth+1) || found
		}
	}
	return found
}

// mayHold is false for the plain types, whose slices may be long.
func mayHold(t reflect.Type) bool {
	return t.Kind() > reflect.Complex128 && t.Kind() != reflect.String
}
