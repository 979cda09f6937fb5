package rt

import (
	"fmt"
	"go/types"
	"reflect"
	"runtime"
	"strings"
)

// Box is an interface value whose Go type yaegi cannot express: a value of a
// type that a cell declared. Boxes compare and hash as the values would.
type Box struct {
	T *Type
	V any
	s *Session
}

// errBox is the box of a value whose type is an error.
type errBox struct{ Box }

// Unboxed gives the value as yaegi holds it.
func (b Box) Unboxed() any { return b.V }

// Reboxed boxes another value of the same type.
func (b Box) Reboxed(v any) any { return b.s.canon(Box{b.T, v, b.s}) }

// TypeName is the name of the type as Go prints it.
func (b Box) TypeName() string { return TypeString(b.T.T) }

// B boxes a value as type id.
func (s *Session) B(id int, v any) any { return s.canon(Box{s.typ(id), v, s}) }

func (s *Session) canon(b Box) any {
	if b.T.err {
		return errBox{b}
	}
	return b
}

// unbox finds the box in an interface value.
func unbox(x any) (Box, bool) {
	switch b := x.(type) {
	case Box:
		return b, true
	case errBox:
		return b.Box, true
	}
	return Box{}, false
}

// A makes a plain interface value of one that came from a native interface:
// values of cell types come out of the wrappers by which they went in.
func (s *Session) A(x any) any {
	if x == nil {
		return nil
	}
	switch x.(type) {
	case Box, errBox:
		return x
	}
	v := reflect.ValueOf(x)
	if v.Kind() == reflect.Struct && v.NumField() > 0 && v.Type().Field(0).Name == "IValue" {
		if b, ok := unbox(v.Field(0).Interface()); ok {
			return s.canon(b)
		}
	}
	if s.facadeMade.Load() {
		if b, ok := s.fromFacade(x); ok {
			return s.canon(b)
		}
	}
	return x
}

// Raw is the value inside an interface value as it is in memory.
func (s *Session) Raw(x any) any {
	if b, ok := unbox(s.A(x)); ok {
		return b.V
	}
	return x
}

// I makes an interface value of a function: passing it to native code turns
// yaegi's form into a func.
func (s *Session) I(x any) any { return x }

// P raises a panic. yaegi's own has a reflect.Value for its value, which native
// functions that recover would see: net/http's server looks for its ErrAbortHandler.
func (s *Session) P(x any) any {
	switch v := x.(type) {
	case nil:
		x = new(runtime.PanicNilError)
	case errBox: // yaegi calls the Error method of each panic
		x = v.Box
	case *reflect.ValueError:
		x = reflected{x}
	case string:
		if strings.HasPrefix(v, "reflect") {
			x = reflected{x}
		}
	}
	panic(x)
}

// IsNil compares an interface value with nil.
func (s *Session) IsNil(x any) bool { return x == nil }

// Eq compares two interface values as Go does.
func (s *Session) Eq(a, b any) bool {
	x, y := s.A(a), s.A(b)
	if bx, ok := unbox(x); ok {
		if by, ok := unbox(y); ok && types.Identical(bx.T.T, by.T.T) && !types.Comparable(bx.T.T) {
			panic(runtimeError("comparing uncomparable type " + TypeString(bx.T.T)))
		}
	}
	return x == y
}

// Same compares two values of one type that is no interface.
func (s *Session) Same(a, b any) bool {
	v, w := reflect.ValueOf(a), reflect.ValueOf(b)
	if v.Type() != w.Type() {
		b = retype(w, v.Type()).Interface()
	}
	return a == b
}

// match reports whether x is a value of type t, and gives it as it is in memory.
func (s *Session) match(x any, t *Type) (any, bool) {
	x = s.A(x)
	if x == nil {
		return nil, false
	}
	if it, ok := t.T.Underlying().(*types.Interface); ok {
		return x, s.implements(x, it, t)
	}
	if b, ok := unbox(x); ok {
		return b.V, b.T == t
	}
	r := s.memory(t)
	if reflect.TypeOf(x) != r {
		return nil, false
	}
	return x, !t.cell || isTagged(r)
}

// isTagged reports whether a type in memory belongs to one declared type
// only: structs of cells carry their name.
func isTagged(r reflect.Type) bool {
	if r.Kind() == reflect.Pointer {
		r = r.Elem()
	}
	return r.Kind() == reflect.Struct && r.NumField() > 0 && r.Field(0).Tag.Get("yg") != ""
}

// implements reports whether a value has the methods of an interface.
func (s *Session) implements(x any, it *types.Interface, t *Type) bool {
	return s.missing(x, it, t) == ""
}

// missing names a method of the interface that the value does not have.
func (s *Session) missing(x any, it *types.Interface, t *Type) string {
	if it.NumMethods() == 0 {
		return ""
	}
	if b, ok := unbox(x); ok {
		if m := missingMethod(b.T.T, it); m != nil {
			return m.Name()
		}
		return ""
	}
	r := reflect.TypeOf(x)
	if m := s.memory(t); m.Kind() == reflect.Interface && m.NumMethod() > 0 && r.Implements(m) {
		return ""
	}
	for i := range it.NumMethods() {
		m := it.Method(i)
		rm, ok := r.MethodByName(m.Name())
		sig := m.Type().(*types.Signature)
		if !ok || rm.Type.NumIn()-1 != sig.Params().Len() || rm.Type.NumOut() != sig.Results().Len() {
			return m.Name()
		}
	}
	return ""
}

// As is x.(T) of type id, stored where z points to.
func (s *Session) As(x any, id, static int, z any) {
	t := s.typ(id)
	v, ok := s.match(x, t)
	if !ok {
		panic(s.assertionError(x, t, s.typ(static)))
	}
	s.set(z, v)
}

// As2 is the form of As with ok.
func (s *Session) As2(x any, id int, z any) bool {
	v, ok := s.match(x, s.typ(id))
	if ok {
		s.set(z, v)
	} else {
		reflect.ValueOf(z).Elem().SetZero()
	}
	return ok
}

// set stores v where the pointer z points to. A nil is stored too: in yaegi the
// result of a function may hold what it held at the call before.
func (s *Session) set(z, v any) {
	dst := reflect.ValueOf(z).Elem()
	if dst.Kind() == reflect.Interface {
		if dst.NumMethod() > 0 {
			s.N(v, z)
			return
		}
		if v == nil {
			dst.SetZero()
		} else {
			dst.Set(reflect.ValueOf(v))
		}
		return
	}
	dst.Set(retype(reflect.ValueOf(v), dst.Type()))
}

// TypeSwitch finds the first of the types that x has; -1 stands for nil.
func (s *Session) TypeSwitch(x any, ids []int) int {
	x = s.A(x)
	for i, id := range ids {
		if id < 0 {
			if x == nil {
				return i
			}
			continue
		}
		if _, ok := s.match(x, s.typ(id)); ok {
			return i
		}
	}
	return -1
}

// assertionError words a failed assertion as Go's runtime does.
func (s *Session) assertionError(x any, t, static *Type) error {
	x = s.A(x)
	want, inter := TypeString(t.T), TypeString(static.T)
	it, toInterface := t.T.Underlying().(*types.Interface)
	switch {
	case x == nil && toInterface && it.NumMethods() > 0:
		return failedAssertion("", "", want, "")
	case x == nil:
		return failedAssertion(inter, "", want, "")
	}
	have := s.DynamicType(x)
	if toInterface {
		return failedAssertion(inter, have, want, s.missing(x, it, t))
	}
	if have == want && s.fromCells(x, t) {
		want += " (types from different cells)"
	}
	return failedAssertion(inter, have, want, "")
}

// fromCells reports that two types of one name are of different cells.
func (s *Session) fromCells(x any, t *Type) bool {
	b, ok := unbox(x)
	return !ok || packageOf(b.T.T) != packageOf(t.T)
}

func packageOf(t types.Type) *types.Package {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		return n.Obj().Pkg()
	}
	return nil
}

// DynamicType names the type of an interface value as %T does.
func (s *Session) DynamicType(x any) string {
	if b, ok := unbox(s.A(x)); ok {
		return TypeString(b.T.T)
	}
	return fmt.Sprintf("%T", x)
}

// retype gives v the type t, which has the same layout: yaegi knows recursive
// types under several names.
func retype(v reflect.Value, t reflect.Type) reflect.Value {
	if !v.IsValid() {
		return reflect.Zero(t)
	}
	if v.Type() == t {
		return v
	}
	if v.Kind() == reflect.Pointer && t.Kind() == reflect.Pointer {
		return reflect.NewAt(t.Elem(), v.UnsafePointer())
	}
	if k := v.Kind(); k != reflect.Struct && k == t.Kind() && v.Type().ConvertibleTo(t) || t.Kind() == reflect.Interface {
		return v.Convert(t)
	}
	if v.Kind() == t.Kind() && v.Type().Size() == t.Size() {
		c := reflect.New(v.Type())
		c.Elem().Set(v)
		return reflect.NewAt(t, c.UnsafePointer()).Elem()
	}
	return v
}
