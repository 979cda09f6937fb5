package interp

import (
	"fmt"
	"go/types"
	"reflect"
	"sort"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"gopherlo/jaxlike"
	"gopherlo/jaxlike/array"
)

const (
	// maxInspected bounds the elements of an Array and the bytes of a string that
	// an inspection shows: it must not wait for a copy of much memory.
	maxInspected = 1000
	// maxParts bounds the parts of a struct, slice or map that are listed.
	maxParts = 24
	// inspectWait is how long an inspection waits for an Array that is being
	// computed.
	inspectWait = 300 * time.Millisecond
)

// valueText gives the text of a value, which it may hold; "" for none. It waits
// for no computation.
type valueText func() string

// fixed is a text that is known.
func fixed(text string) valueText { return func() string { return text } }

// textOf reads a value: an Array's type and elements, what a jitted function has
// cached, numbers, texts, and of structs, slices and maps what their parts are.
// No code of the user's runs. Entries of maps are read when the user asks: a map
// that a compiled package's goroutine writes through a cell's callback meanwhile
// would end the worker.
func textOf(v reflect.Value, t types.Type, asked bool) (text valueText) {
	defer func() {
		if recover() != nil {
			text = fixed("")
		}
	}()
	if hidden(concrete(v)) {
		return fixed("")
	}
	switch x := v.Interface().(type) {
	case array.Array:
		return arrayValue(x)
	case jaxlike.Func:
		if x == nil {
			return fixed("= nil")
		}
		return func() string { return cacheText(x) }
	}
	if s := scalarText(v); s != "" {
		return fixed("= " + s)
	}
	p := parts{maps: asked}
	p.add(v, t, "", 0)
	head := ""
	switch v.Kind() {
	case reflect.Slice, reflect.Map, reflect.Chan:
		head = fmt.Sprintf("length %d", v.Len())
	case reflect.Pointer, reflect.Interface, reflect.Func:
		if v.IsNil() {
			return fixed("= nil")
		}
	}
	return fixed(strings.TrimSpace(head + "\n" + p.text()))
}

// arrayValue is an Array's type, and its elements where they are few; the type
// alone holds no memory of a device.
func arrayValue(x array.Array) valueText {
	typ, elements := "", 0
	if jaxlike.Catch(func() { typ, elements = jaxlike.Typeof(x), x.Size() }) != nil {
		return func() string { return soon("", x.Repr) }
	}
	if elements > maxInspected {
		return fixed(typ)
	}
	return func() string { return soon(typ, x.Repr) }
}

// soon is a text behind a type; what it waits for may take long.
func soon(typ string, repr func() string) string {
	done := make(chan string, 1)
	go func() {
		text := ""
		if err := jaxlike.Catch(func() { text = repr() }); err != nil {
			text = err.Error()
		}
		done <- text
	}()
	select {
	case text := <-done:
		return strings.TrimSpace(typ + "\n" + text)
	case <-time.After(inspectWait):
		return typ + " (its computation has not finished)"
	}
}

// cacheText is what a jitted function has cached, "" for other functions.
func cacheText(f jaxlike.Func) (text string) {
	defer func() {
		if recover() != nil { // no jit
			text = ""
		}
	}()
	return "cached: " + f.Cache().String()
}

// scalarText is a number or a text as Go writes it, "" for other values.
func scalarText(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr,
		reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128:
		return fmt.Sprint(plainNumber(v))
	case reflect.String:
		s := v.String()
		if len(s) > maxInspected {
			return fmt.Sprintf("%q… (%d bytes)", s[:maxInspected], len(s))
		}
		return fmt.Sprintf("%q", s)
	}
	return ""
}

// plainNumber is a number without the methods of its type.
func plainNumber(v reflect.Value) any {
	switch {
	case v.CanInt():
		return v.Int()
	case v.CanUint():
		return v.Uint()
	case v.CanFloat() && v.Kind() == reflect.Float32:
		return float32(v.Float())
	case v.CanFloat():
		return v.Float()
	case v.CanComplex():
		return v.Complex()
	}
	return v.Bool()
}

// parts lists what a tree holds, by the way to each leaf.
type parts struct {
	lines []string
	more  bool
	maps  bool // list their entries
}

func (p *parts) text() string {
	if p.more {
		return strings.Join(p.lines, "\n") + "\n…"
	}
	return strings.Join(p.lines, "\n")
}

func (p *parts) line(way, text string) {
	switch {
	case len(p.lines) >= maxParts:
		p.more = true
	case way != "":
		p.lines = append(p.lines, strings.TrimPrefix(way, ".")+" "+text)
	}
}

// add lists a value. Its Go type, nil when unknown, has the names of the fields.
func (p *parts) add(v reflect.Value, t types.Type, way string, depth int) {
	if p.more || depth > 4 || !v.IsValid() {
		return
	}
	if hidden(v.Type()) {
		return
	}
	if v.CanInterface() && concrete(v) == arrayType {
		x, typ := v.Interface().(array.Array), "Array(<unset>)"
		_ = jaxlike.Catch(func() { typ = jaxlike.Typeof(x) })
		p.line(way, typ)
		return
	}
	if s := scalarText(v); s != "" {
		p.line(way, "= "+s)
		return
	}
	var under types.Type
	if t != nil {
		under = t.Underlying()
	}
	switch v.Kind() {
	case reflect.Struct:
		st, _ := under.(*types.Struct)
		for i := range v.NumField() {
			name, typ := fieldName(v.Type().Field(i).Name), types.Type(nil)
			if st != nil && st.NumFields() == v.NumField() {
				name, typ = st.Field(i).Name(), st.Field(i).Type()
			}
			p.add(v.Field(i), typ, way+"."+name, depth+1)
		}
	case reflect.Slice, reflect.Array:
		for i := range min(v.Len(), maxParts+1) {
			p.add(v.Index(i), elemType(under), fmt.Sprintf("%s[%d]", way, i), depth+1)
		}
	case reflect.Map:
		p.entries(v, under, way, depth)
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			p.add(v.Elem(), elemType(under), way, depth+1)
		}
	}
}

var arrayType = reflect.TypeFor[array.Array]()

// concrete is the type of a value, that of what it holds for an interface; nil for
// a nil one.
func concrete(v reflect.Value) reflect.Type {
	if v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if !v.IsValid() {
		return nil
	}
	return v.Type()
}

// hidden reports a struct of a compiled package with fields of its own, such as a
// context or a server: goroutines of that package may be changing them while no
// code of cells runs.
func hidden(t reflect.Type) bool {
	if t == nil || t == arrayType || t.Kind() != reflect.Struct || t.PkgPath() == "" {
		return false
	}
	for i := range t.NumField() {
		if !t.Field(i).IsExported() {
			return true
		}
	}
	return false
}

// entries lists what a map with texts as keys holds.
func (p *parts) entries(v reflect.Value, under types.Type, way string, depth int) {
	if !p.maps || v.Type().Key().Kind() != reflect.String || v.Len() > maxInspected {
		return
	}
	keys := v.MapKeys()
	sort.Slice(keys, func(i, j int) bool { return keys[i].String() < keys[j].String() })
	for _, k := range keys {
		p.add(v.MapIndex(k), elemType(under), fmt.Sprintf("%s[%q]", way, k.String()), depth+1)
	}
}

// elemType is the type of what a collection or pointer holds, nil when unknown.
func elemType(t types.Type) types.Type {
	if e, ok := t.(interface{ Elem() types.Type }); ok {
		return e.Elem()
	}
	return nil
}

// fieldName is a field as a cell writes it: yaegi puts an X before small letters.
func fieldName(name string) string {
	if rest, ok := strings.CutPrefix(name, "X"); ok {
		if r, _ := utf8.DecodeRuneInString(rest); unicode.IsLower(r) || r == '_' {
			return rest
		}
	}
	return name
}
