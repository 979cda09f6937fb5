package rt

import (
	"reflect"

	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/stages"
	"gopherlo/jaxlike/tree"
)

// Named gives a function the names that it has in the cell, by which traces
// and programs show it.
func (s *Session) Named(f any, name string, params []string, file string, line int) any {
	if f == nil || reflect.TypeOf(f).Kind() != reflect.Func {
		return f
	}
	if _, ok := f.(stages.CallableFunc); !ok && stages.HasTitle(f) {
		return stages.NamedFunc{F: f} // the variable that holds it says less
	}
	return stages.NamedFunc{F: f, Name: name, Params: params, File: file, Line: line}
}

// Fn notes the names of a function of the cell, which it keeps wherever its
// value goes.
func (s *Session) Fn(f any, name string, params []string, file string, line int) any {
	core.SetTitle(f, core.Title{Names: core.Names{Name: name, Params: params}, File: file, Line: line})
	return f
}

// In gives the place that the function of a place, which begins, was called
// from, for AtIn and Back.
func (s *Session) In(place int) *core.Frames { return core.Enter(s.env.Place(place).Func) }

// At says which place of the cell the goroutine has reached.
func (s *Session) At(place int) { s.AtIn(nil, place) }

// AtIn says which place the goroutine has reached in a function that was called
// from caller.
func (s *Session) AtIn(caller *core.Frames, place int) {
	p := s.env.Place(place)
	core.AtIn(caller, core.Frame{File: p.File, Func: p.Func, Line: p.Line, EndLine: p.EndLine, Col: p.Col, EndCol: p.EndCol})
}

// Back is AtIn when a call has returned x: what its statement does next is not
// done in the function that was called.
func (s *Session) Back(caller *core.Frames, place int, x array.Array) array.Array {
	s.AtIn(caller, place)
	return x
}

// EndPlaces forgets where the goroutine is; it is called when it ends.
func (s *Session) EndPlaces() {
	s.unwound()
	core.EndShadow()
}

// Set stores x, which may be as it is in memory, where z points to.
func (s *Session) Set(x, z any) {
	raw := s.Raw(x)
	to := reflect.TypeOf(z).Elem()
	if v := reflect.ValueOf(raw); v.IsValid() && to.Kind() != reflect.Interface && !sameLayout(v.Type(), to, 0) {
		if array.IntoAny(raw, z) != nil {
			core.TypeErrorf("a result of type %s does not fit into %s; tree.MapAny gives results of any type", s.DynamicType(x), tree.ClassName(to))
		}
		return
	}
	s.set(z, raw)
}

// sameLayout reports whether a value of one type can be taken for one of the
// other: cell types have several forms in memory that differ in names only.
func sameLayout(a, b reflect.Type, depth int) bool {
	if a == b || depth > 8 {
		return true
	}
	if a.Kind() != b.Kind() || a.Size() != b.Size() {
		return false
	}
	switch a.Kind() {
	case reflect.Interface: // one with methods has a table of them in the place of the type
		return a.NumMethod() == 0 && b.NumMethod() == 0
	case reflect.Func:
		return sameSignature(a, b, depth)
	case reflect.Slice, reflect.Pointer, reflect.Chan:
		return sameLayout(a.Elem(), b.Elem(), depth+1)
	case reflect.Array:
		return a.Len() == b.Len() && sameLayout(a.Elem(), b.Elem(), depth+1)
	case reflect.Map:
		return sameLayout(a.Key(), b.Key(), depth+1) && sameLayout(a.Elem(), b.Elem(), depth+1)
	case reflect.Struct:
		if a.NumField() != b.NumField() {
			return false
		}
		for i := range a.NumField() {
			if !sameLayout(a.Field(i).Type, b.Field(i).Type, depth+1) {
				return false
			}
		}
	}
	return true
}

func sameSignature(a, b reflect.Type, depth int) bool {
	same := a.NumIn() == b.NumIn() && a.NumOut() == b.NumOut() && a.IsVariadic() == b.IsVariadic()
	for i := 0; same && i < a.NumIn(); i++ {
		same = sameLayout(a.In(i), b.In(i), depth+1)
	}
	for i := 0; same && i < a.NumOut(); i++ {
		same = sameLayout(a.Out(i), b.Out(i), depth+1)
	}
	return same
}

// Lit is a number as an Array; it keeps its weak type.
func (s *Session) Lit(x any) array.Array {
	v, ok := array.ToValue(s.Raw(x))
	if !ok {
		core.TypeErrorf("%s is no number", s.DynamicType(x))
	}
	return array.New(v)
}

// Into takes the results of a call apart.
func (s *Session) Into(x array.Array, ptrs ...any) { x.Into(ptrs...) }

// ResetJit forgets what was traced and compiled.
func (s *Session) ResetJit() { stages.ClearTraces() }
