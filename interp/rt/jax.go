package rt

import (
	"reflect"

	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/stages"
)

// Named gives a function the names that it has in the cell, by which traces
// and programs show it.
func (s *Session) Named(f any, name string, params []string, file string, line int) any {
	if f == nil || reflect.TypeOf(f).Kind() != reflect.Func {
		return f
	}
	return stages.NamedFunc{F: f, Name: name, Params: params, File: file, Line: line}
}

// At says which place of the cell the goroutine has reached.
func (s *Session) At(place int) {
	p := s.env.Places[place]
	core.At(core.Frame{File: p.File, Func: p.Func, Line: p.Line, EndLine: p.EndLine, Col: p.Col, EndCol: p.EndCol})
}

// EndPlaces forgets where the goroutine is; it is called when it ends.
func (s *Session) EndPlaces() { core.EndShadow() }

// Set stores x, which may be as it is in memory, where z points to.
func (s *Session) Set(x, z any) { s.set(z, s.Raw(x)) }

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
