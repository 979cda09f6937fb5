package tree

import (
	"reflect"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
	"unsafe"
)

// field is one field of a struct type: its place and the name it was written
// with.
type field struct {
	name  string
	index int
	typ   reflect.Type
}

var fieldCache sync.Map // reflect.Type -> []field

func fieldsOf(t reflect.Type) []field {
	if f, ok := fieldCache.Load(t); ok {
		return f.([]field)
	}
	var out []field
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Name == "_" {
			continue
		}
		out = append(out, field{writtenName(t, f.Name), i, f.Type})
	}
	fieldCache.Store(t, out)
	return out
}

// writtenName undoes yaegi's renaming: it builds struct types by reflection,
// which only knows exported fields, so it calls a lower-case field w "Xw".
func writtenName(t reflect.Type, name string) string {
	rest, ok := strings.CutPrefix(name, "X")
	if t.Name() != "" || !ok {
		return name
	}
	if r, _ := utf8.DecodeRuneInString(rest); unicode.IsLower(r) || r == '_' {
		return rest
	}
	return name
}

// structName is the name of a struct type. Types made by reflection have none;
// the front end of cells notes it in a tag of the first field, `yg:"Name;field"`.
func structName(t reflect.Type) string {
	t = derefStruct(t)
	name := t.Name()
	if name == "" && t.NumField() > 0 {
		name, _, _ = strings.Cut(t.Field(0).Tag.Get("yg"), ";")
		name, _, _ = strings.Cut(name, "[")
		name = name[strings.LastIndexByte(name, '.')+1:]
	}
	name, _, _ = strings.Cut(name, "[") // without type arguments
	if name == "" {
		return "struct"
	}
	return name
}

// addressable returns v, or a copy of it, in memory that fields can be reached
// in.
func addressable(v reflect.Value) reflect.Value {
	if v.CanAddr() {
		return v
	}
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	return c
}

// open returns the i-th field of an addressable struct with access also to
// unexported ones: a program's own lower-case fields are part of its trees.
func open(v reflect.Value, i int) reflect.Value {
	f := v.Field(i)
	if f.CanSet() {
		return f
	}
	return reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem()
}

// sameFunc compares func values by their closure, which is their identity.
func sameFunc(a, b any) bool { return funcWord(a) == funcWord(b) }

func funcWord(f any) unsafe.Pointer { return (*[2]unsafe.Pointer)(unsafe.Pointer(&f))[1] }
