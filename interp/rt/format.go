package rt

import (
	"cmp"
	"fmt"
	"go/types"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"gopherlo/interp/lower"
	"gopherlo/jaxlike/array"
)

// Format prints a boxed value as package fmt prints the value in Go.
func (b Box) Format(st fmt.State, verb rune) {
	p := &printer{s: b.s, st: st, verb: verb, sharp: st.Flag('#'), plus: st.Flag('+')}
	p.value(b.T.T, reflect.ValueOf(b.V), 0, false)
}

// printer prints one value by one verb, following fmt/print.go of Go 1.26.
type printer struct {
	s           *Session
	st          fmt.State
	verb        rune
	sharp, plus bool
}

func (p *printer) sharpV() bool { return p.verb == 'v' && p.sharp }
func (p *printer) plusV() bool  { return p.verb == 'v' && p.plus }

func (p *printer) text(s string) { _, _ = io.WriteString(p.st, s) }

// leaf prints a value that needs no Go type by fmt itself.
func (p *printer) leaf(v any) { fmt.Fprintf(p.st, fmt.FormatString(p.st, p.verb), v) }

// value prints v of type t. hidden tells that it was reached by an unexported
// field, whose methods fmt does not call.
func (p *printer) value(t types.Type, v reflect.Value, depth int, hidden bool) {
	v = held(t, v)
	if (!hidden || isArray(v)) && p.methods(t, v) {
		return
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		p.basic(t, v)
	case *types.Map:
		p.mapping(t, u, v, depth, hidden)
	case *types.Struct:
		p.structure(t, u, v, depth, hidden)
	case *types.Interface:
		p.iface(t, v, depth, hidden)
	case *types.Slice:
		p.list(t, u.Elem(), v, depth, hidden)
	case *types.Array:
		p.list(t, u.Elem(), v, depth, hidden)
	case *types.Pointer:
		p.pointer(t, u, v, depth, hidden)
	default:
		p.address(t, v)
	}
}

// isArray reports an Array that can be read. Cells show one in a lower-case field
// as in any other, where compiled Go would print an address.
func isArray(v reflect.Value) bool {
	return v.IsValid() && v.CanInterface() && v.Type() == reflect.TypeFor[array.Array]()
}

// held takes the value of a recursive type out of the "any" that holds it.
func held(t types.Type, v reflect.Value) reflect.Value {
	if v.Kind() != reflect.Interface {
		return v
	}
	if n, ok := types.Unalias(t).(*types.Named); ok && lower.Erased(n) {
		if v.IsNil() {
			return reflect.Zero(innerType(n))
		}
		return v.Elem()
	}
	return v
}

// innerType is a nil map, slice, func or pointer of a recursive type.
func innerType(n *types.Named) reflect.Type {
	switch n.Underlying().(type) {
	case *types.Map:
		return reflect.TypeFor[map[string]any]()
	case *types.Slice:
		return reflect.TypeFor[[]any]()
	case *types.Signature:
		return reflect.TypeFor[func()]()
	}
	return reflect.TypeFor[*any]()
}

// methods calls the methods that fmt looks for; it reports whether one has
// printed the value.
func (p *printer) methods(t types.Type, v reflect.Value) (printed bool) {
	if types.IsInterface(t) {
		return false // those of the value in it count, if there is one
	}
	if (!isCell(t) || isUnnamed(t)) && !embeds(t) {
		if v.CanInterface() && !isCell(t) {
			return p.nativeMethods(v)
		}
		return false
	}
	box := Box{p.s.typeOf(t), v.Interface(), p.s}
	if isFormatter(t) {
		printed = true // even if the method panics
		defer p.recovered("Format", v)
		p.s.callMethod(box, "Format", []reflect.Value{reflect.ValueOf(&p.st).Elem(), reflect.ValueOf(p.verb)}, false)
		return true
	}
	if p.sharpV() {
		if !stringMethod(t, "GoString") {
			return false
		}
		printed = true
		defer p.recovered("GoString", v)
		p.text(p.s.callMethod(box, "GoString", nil, false)[0].String())
		return true
	}
	if !strings.ContainsRune("vsxXq", p.verb) {
		return false
	}
	for _, name := range []string{"Error", "String"} {
		if stringMethod(t, name) {
			p.call(box, name, v)
			return true
		}
	}
	return false
}

// PrintsItself reports whether the value's type has a method that fmt calls.
func (b Box) PrintsItself() bool {
	return isFormatter(b.T.T) || stringMethod(b.T.T, "Error") || stringMethod(b.T.T, "String")
}

// Shown is a value whose type says how it shows, as a value of a Go type with
// these methods; package display asks for it.
func (b Box) Shown() (v any, ok bool) {
	if !hasMethod(b.T.T, "MIMEBundle") && !hasMethod(b.T.T, "DisplaySource") {
		return nil, false
	}
	return b.s.asFacade(b).Interface(), true
}

// stringMethod reports whether t has the method name() string.
func stringMethod(t types.Type, name string) bool {
	obj, _ := lookup(t, false, name)
	m, ok := obj.(*types.Func)
	if !ok || methodSet(t).Lookup(obj.Pkg(), name) == nil {
		return false
	}
	sig := m.Type().(*types.Signature)
	return sig.Params().Len() == 0 && sig.Results().Len() == 1 && types.Identical(sig.Results().At(0).Type(), types.Typ[types.String])
}

// isFormatter reports whether t is a fmt.Formatter.
func isFormatter(t types.Type) bool {
	if !hasMethod(t, "Format") {
		return false
	}
	obj, _ := lookup(t, false, "Format")
	sig := obj.Type().(*types.Signature)
	return sig.Params().Len() == 2 && sig.Results().Len() == 0 &&
		types.TypeString(sig.Params().At(0).Type(), nil) == "fmt.State" &&
		types.Identical(sig.Params().At(1).Type(), types.Typ[types.Rune])
}

// embeds reports struct types without a name, and pointers to them, that may have
// methods of embedded fields.
func embeds(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	st, ok := types.Unalias(t).(*types.Struct)
	if !ok {
		return false
	}
	for f := range st.Fields() {
		if f.Embedded() {
			return true
		}
	}
	return false
}

func isUnnamed(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		return false
	case *types.Pointer:
		return isUnnamed(t.Elem())
	case *types.Struct:
		return false
	}
	return true
}

// nativeMethods lets fmt print native values that have methods for it.
func (p *printer) nativeMethods(v reflect.Value) bool {
	if !v.IsValid() || v.Kind() == reflect.Interface {
		return false
	}
	switch v.Interface().(type) {
	case fmt.Formatter, error, fmt.Stringer, fmt.GoStringer:
		p.leaf(v.Interface())
		return true
	}
	return false
}

// call prints what a method returns.
func (p *printer) call(box Box, name string, v reflect.Value) {
	defer p.recovered(name, v)
	p.leaf(p.s.callMethod(box, name, nil, false)[0].String())
}

// recovered prints the panic of a method; that of a nil receiver is <nil>.
func (p *printer) recovered(name string, v reflect.Value) {
	heard()
	r := p.s.raised(recover())
	if r == nil {
		return
	}
	switch r.(type) {
	case Interrupted, Exit:
		panic(r)
	}
	if v.Kind() == reflect.Pointer && v.IsNil() {
		p.text("<nil>")
		return
	}
	p.text("%!" + string(p.verb) + "(PANIC=" + name + " method: " + p.s.PanicText(r) + ")")
}

// verbs are those that fmt takes for a kind of value.
func verbs(k reflect.Kind) string {
	switch k {
	case reflect.Bool:
		return "tv"
	case reflect.String:
		return "svxXq"
	case reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128:
		return "beEfFgGvxX"
	}
	return "bcdoOqvxXU"
}

func (p *printer) basic(t types.Type, v reflect.Value) {
	if !strings.ContainsRune(verbs(v.Kind()), p.verb) {
		p.wrongVerb(t, func() { p.basic(t, v) })
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		p.leaf(v.Bool())
	case reflect.String:
		p.leaf(v.String())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		p.leaf(v.Int())
	case reflect.Uint8:
		p.leaf(uint8(v.Uint()))
	case reflect.Uint, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		p.leaf(v.Uint())
	case reflect.Float32:
		p.leaf(float32(v.Float()))
	case reflect.Float64:
		p.leaf(v.Float())
	case reflect.Complex64:
		p.leaf(complex64(v.Complex()))
	case reflect.Complex128:
		p.leaf(v.Complex())
	default:
		p.leaf(v.Interface())
	}
}

// wrongVerb tells that a value of type t does not take the verb; value prints it
// by %v, with the flags and the width of the verb.
func (p *printer) wrongVerb(t types.Type, value func()) {
	verb := p.verb
	p.text("%!" + string(verb) + "(" + TypeString(t) + "=")
	p.verb = 'v'
	value()
	p.verb = verb
	p.text(")")
}

func (p *printer) mapping(t types.Type, u *types.Map, v reflect.Value, depth int, hidden bool) {
	open, shut, sep := "map[", "]", " "
	if p.sharpV() {
		if v.IsNil() {
			p.text(TypeString(t) + "(nil)")
			return
		}
		open, shut, sep = TypeString(t)+"{", "}", ", "
	}
	p.text(open)
	for i, e := range sortedEntries(v) {
		if i > 0 {
			p.text(sep)
		}
		p.value(u.Key(), e[0], depth+1, hidden)
		p.text(":")
		p.value(u.Elem(), e[1], depth+1, hidden)
	}
	p.text(shut)
}

func (p *printer) structure(t types.Type, u *types.Struct, v reflect.Value, depth int, hidden bool) {
	if p.sharpV() {
		p.text(TypeString(t))
	}
	p.text("{")
	for i := range u.NumFields() {
		if i > 0 {
			if p.sharpV() {
				p.text(", ")
			} else {
				p.text(" ")
			}
		}
		f := u.Field(i)
		if p.plusV() || p.sharpV() {
			p.text(f.Name() + ":")
		}
		p.value(f.Type(), v.Field(i), depth+1, hidden || !f.Exported())
	}
	p.text("}")
}

// iface prints what an interface value holds.
func (p *printer) iface(t types.Type, v reflect.Value, depth int, hidden bool) {
	if v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if !v.IsValid() {
		if p.sharpV() {
			p.text(TypeString(t) + "(nil)")
		} else {
			p.text("<nil>")
		}
		return
	}
	if !v.CanInterface() { // inside a native struct
		p.leaf(v)
		return
	}
	x := p.s.deep(p.s.A(v.Interface()))
	if b, ok := unbox(x); ok {
		p.value(b.T.T, reflect.ValueOf(b.V), depth, hidden)
		return
	}
	if hidden {
		p.withoutMethods(x)
		return
	}
	if v.Kind() == reflect.Pointer && depth > 0 && !p.printsItself(x) {
		if p.sharpV() {
			p.text(fmt.Sprintf("(%T)(%#x)", x, v.Pointer()))
			return
		}
		p.address(t, v)
		return
	}
	p.leaf(x)
}

// withoutMethods prints a value of a compiled type that was reached by an unexported
// field, as fmt prints such a field.
func (p *printer) withoutMethods(x any) {
	text := fmt.Sprintf(fmt.FormatString(p.st, p.verb), struct{ v any }{x})
	before := "{"
	switch {
	case p.sharpV():
		before = "struct { v interface {} }{v:"
	case p.plusV():
		before = "{v:"
	}
	p.text(strings.TrimSuffix(strings.TrimPrefix(text, before), "}"))
}

// printsItself reports values with a method that fmt calls for the verb.
func (p *printer) printsItself(x any) bool {
	switch x.(type) {
	case fmt.Formatter:
		return true
	case fmt.GoStringer:
		return p.sharpV()
	case error, fmt.Stringer:
		return !p.sharpV()
	}
	return false
}

func (p *printer) list(t types.Type, elem types.Type, v reflect.Value, depth int, hidden bool) {
	if b, ok := elem.Underlying().(*types.Basic); ok && b.Kind() == types.Byte && strings.ContainsRune("sqxX", p.verb) {
		n := make([]byte, v.Len())
		reflect.Copy(reflect.ValueOf(n), v)
		p.leaf(n)
		return
	}
	open, shut, sep := "[", "]", " "
	if p.sharpV() {
		if v.Kind() == reflect.Slice && v.IsNil() {
			p.text(TypeString(t) + "(nil)")
			return
		}
		open, shut, sep = TypeString(t)+"{", "}", ", "
	}
	p.text(open)
	for i := range v.Len() {
		if i > 0 {
			p.text(sep)
		}
		p.value(elem, v.Index(i), depth+1, hidden)
	}
	p.text(shut)
}

func (p *printer) pointer(t types.Type, u *types.Pointer, v reflect.Value, depth int, hidden bool) {
	if depth == 0 && !v.IsNil() {
		switch u.Elem().Underlying().(type) {
		case *types.Array, *types.Slice, *types.Struct, *types.Map:
			p.text("&")
			p.value(u.Elem(), v.Elem(), depth+1, hidden)
			return
		}
	}
	p.address(t, v)
}

// address prints a pointer, function or channel.
func (p *printer) address(t types.Type, v reflect.Value) {
	addr := uintptr(0)
	switch v.Kind() {
	case reflect.Pointer, reflect.Func, reflect.Chan, reflect.Map, reflect.Slice, reflect.UnsafePointer:
		addr = v.Pointer()
	}
	hex := "0x" + strconv.FormatUint(uint64(addr), 16)
	switch {
	case p.sharpV() && addr == 0:
		p.text("(" + TypeString(t) + ")(nil)")
	case p.sharpV():
		p.text("(" + TypeString(t) + ")(" + hex + ")")
	case p.verb == 'v' && addr == 0:
		p.padded("<nil>")
	case p.verb == 'v', p.verb == 'p' && !p.sharp:
		p.padded(hex)
	case strings.ContainsRune("bodxX", p.verb):
		p.leaf(addr)
	case p.verb == 'p':
		p.padded(hex[2:])
	default:
		p.wrongVerb(t, func() { p.value(t, v, 0, true) }) // fmt begins anew
	}
}

// padded prints a text in the width of the verb.
func (p *printer) padded(text string) {
	w, ok := p.st.Width()
	switch {
	case !ok:
		p.text(text)
	case p.st.Flag('-'):
		fmt.Fprintf(p.st, "%-*s", w, text)
	default:
		fmt.Fprintf(p.st, "%*s", w, text)
	}
}

// sortedEntries are the keys of a map with what is there, in fmt's order.
func sortedEntries(v reflect.Value) [][2]reflect.Value {
	var entries [][2]reflect.Value
	for i := v.MapRange(); i.Next(); {
		entries = append(entries, [2]reflect.Value{i.Key(), i.Value()})
	}
	slices.SortStableFunc(entries, func(a, b [2]reflect.Value) int { return compareKeys(a[0], b[0]) })
	return entries
}

func compareKeys(a, b reflect.Value) int {
	if a.Kind() == reflect.Interface {
		a, b = dynamic(a), dynamic(b)
	}
	if !a.IsValid() || !b.IsValid() || a.Kind() != b.Kind() {
		return order(a.IsValid(), b.IsValid())
	}
	switch a.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return cmp.Compare(a.Int(), b.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return cmp.Compare(a.Uint(), b.Uint())
	case reflect.String:
		return strings.Compare(a.String(), b.String())
	case reflect.Float32, reflect.Float64:
		return cmp.Compare(a.Float(), b.Float())
	case reflect.Bool:
		return order(a.Bool(), b.Bool())
	case reflect.Struct:
		for i := range a.NumField() {
			if c := compareKeys(a.Field(i), b.Field(i)); c != 0 {
				return c
			}
		}
	case reflect.Array:
		for i := range a.Len() {
			if c := compareKeys(a.Index(i), b.Index(i)); c != 0 {
				return c
			}
		}
	}
	return 0
}

func dynamic(v reflect.Value) reflect.Value {
	v = v.Elem()
	if v.IsValid() && v.CanInterface() {
		if b, ok := unbox(v.Interface()); ok {
			return reflect.ValueOf(b.V)
		}
	}
	return v
}

func order(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}
