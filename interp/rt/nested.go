package rt

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/petermattis/goid"
)

// nested is a panic that a deferred call has raised while another one ran through
// its function, or after it had recovered from it.
type nested struct {
	v, before any
	earlier   *nested // of before
	recovered bool
}

// nests notes that a deferred call has raised v. Raising again what was recovered
// is one panic.
func (s *Session) nests(v, before any, recovered bool) {
	for _, x := range []any{v, before} {
		switch x.(type) {
		case Interrupted, Exit:
			return
		}
	}
	id := goid.Get()
	n := &nested{v: v, before: before, recovered: recovered}
	if e, ok := s.nested.Load(id); ok {
		switch e := e.(*nested); {
		case s.sameValue(e.v, before):
			if n.earlier = e; e.again(s) && s.sameValue(v, before) {
				n = e
			}
		case s.sameValue(e.v, v): // it has replaced another one within the deferred call
			first := e
			for first.earlier != nil {
				first = first.earlier
			}
			first.earlier = &nested{v: first.before, before: before, recovered: recovered}
			n = e
		}
	}
	s.nested.Store(id, n)
}

// again reports a panic with the value that had been recovered.
func (n *nested) again(s *Session) bool { return n.recovered && s.sameValue(n.v, n.before) }

func (s *Session) sameValue(a, b any) (same bool) {
	defer func() { _ = recover() }() // values that cannot be compared
	return s.A(Translate(a)) == s.A(Translate(b))
}

// Uncaught is a panic that ends a goroutine of a cell, with those that it has
// replaced.
func (s *Session) Uncaught(r any) any {
	n, ok := s.nested.LoadAndDelete(goid.Get())
	if r == nil || !ok || !s.sameValue(n.(*nested).v, r) {
		return r
	}
	return uncaught{r, n.(*nested)}
}

// forgetNested forgets the panics of the calling goroutine.
func (s *Session) forgetNested() { s.nested.Delete(goid.Get()) }

// uncaught is a panic with its history.
type uncaught struct {
	v any
	n *nested
}

// chain words a panic and those before it as Go does.
func (n *nested) chain(s *Session) string {
	text := ""
	if n.earlier != nil {
		text = n.earlier.chain(s)
	} else {
		text = s.valueText(n.before)
	}
	switch {
	case n.again(s):
		return text + " [recovered, repanicked]"
	case n.recovered:
		text += " [recovered]"
	}
	return text + "\n\tpanic: " + s.valueText(n.v)
}

// valueText writes a panic value as Go prints it; of values other than numbers and
// texts, of which Go prints the address, it writes the value.
func (s *Session) valueText(v any) string {
	switch v := s.A(Translate(v)).(type) {
	case nil:
		return "nil"
	case error:
		return indented(v.Error())
	case Box:
		if hasMethod(v.T.T, "Error") || hasMethod(v.T.T, "String") {
			return indented(fmt.Sprintf("%v", v))
		}
		return composite(v.TypeName(), reflect.ValueOf(v.V), v)
	case fmt.Stringer:
		return indented(v.String())
	case string:
		return indented(v)
	default:
		x := reflect.ValueOf(v)
		return composite(x.Type().String(), x, v)
	}
}

// composite writes a value of no basic type in Go's syntax, and one of a basic
// type as a conversion to it.
func composite(name string, x reflect.Value, v any) string {
	for x.Kind() == reflect.Interface && !x.IsNil() {
		x = x.Elem()
	}
	switch k := x.Kind(); {
	case k == reflect.String && name != "string":
		return fmt.Sprintf("%s(\"%s\")", name, indented(x.String()))
	case k <= reflect.Complex128 && k != reflect.Invalid || k == reflect.String:
		if name == k.String() {
			return fmt.Sprint(v)
		}
		return fmt.Sprintf("%s(%v)", name, v)
	case k == reflect.Func, k == reflect.Chan, k == reflect.UnsafePointer:
		return fmt.Sprintf("(%s) %v", name, v)
	}
	return fmt.Sprintf("%#v", v)
}

// indented indents the lines of a panic's text but the first.
func indented(text string) string { return strings.ReplaceAll(text, "\n", "\n\t") }
