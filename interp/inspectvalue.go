package interp

import (
	"fmt"
	"reflect"
	"strings"

	"gopherlo/interp/check"
	"gopherlo/jaxlike"
	"gopherlo/jaxlike/array"
)

// maxInspected bounds the elements of an Array and the bytes of a string that an
// inspection shows: it must not wait for a copy of much memory.
const maxInspected = 1000

// valueText is the value of the variable that an inspection is about: an Array's
// type and elements, what a jitted function has cached, numbers and strings.
func (in *Interp) valueText(word, before string) (text string) {
	sym := in.session.Lookup(word)
	if sym == nil || sym.Kind != check.Var || strings.HasSuffix(strings.TrimSuffix(before, word), ".") {
		return ""
	}
	v, ok := in.globals.lookup(in.yaegi, sym.Emit)
	if !ok || !v.IsValid() || !v.CanInterface() {
		return ""
	}
	defer func() {
		if r := recover(); r != nil { // a deleted Array; a Func that is no jit has no cache
			text = ""
			if err, ok := r.(error); ok && v.Type() == reflect.TypeFor[array.Array]() {
				text = err.Error()
			}
		}
	}()
	switch x := v.Interface().(type) {
	case array.Array:
		return arrayText(x)
	case jaxlike.Func:
		if x == nil {
			return "nil"
		}
		return "cached: " + x.Cache().String()
	}
	return shortText(v)
}

// arrayText is an Array's type, and its elements where they are few; of several
// results, and of an Array without a value, the text alone.
func arrayText(x array.Array) string {
	typ, elements := "", 0
	if jaxlike.Catch(func() { typ, elements = jaxlike.Typeof(x)+"\n", x.Size() }) != nil {
		return x.Repr()
	}
	if elements > maxInspected {
		return strings.TrimSpace(typ)
	}
	return typ + x.Repr()
}

// shortText is a number, a string or the length of a collection: what can be
// shown without running code of the user's.
func shortText(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr,
		reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128:
		return "= " + fmt.Sprint(v)
	case reflect.String:
		s := v.String()
		if len(s) > maxInspected {
			return fmt.Sprintf("= %q… (%d bytes)", s[:maxInspected], len(s))
		}
		return fmt.Sprintf("= %q", s)
	case reflect.Slice, reflect.Map, reflect.Chan:
		return fmt.Sprintf("length %d", v.Len())
	}
	return ""
}
