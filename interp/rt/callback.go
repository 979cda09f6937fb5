package rt

import (
	"reflect"
	"sync/atomic"
)

// An interrupt stops interpreted functions before their first step: they give
// their zero results. Compiled code that calls such a function again and again,
// as a sort does, would then still run to its end. So functions that it gets
// look for the interrupt before they are called, and unwind it.

// Watch says where yaegi keeps the number that an interrupt changes.
func (s *Session) Watch(id *uint64) { s.id, s.ownID = id, atomic.LoadUint64(id) }

// goOn unwinds the caller when an interrupt is under way.
func (s *Session) goOn() {
	if s.id != nil && atomic.LoadUint64(s.id) != s.ownID {
		panic(Interrupted{})
	}
}

// Callback is a function of the cells for compiled code that calls it on the
// goroutine of its own caller. The types that sorts and searches want need no
// reflection.
func (s *Session) Callback(f any) any {
	switch f := f.(type) {
	case func(int, int) bool:
		if f != nil {
			return func(i, j int) bool { s.goOn(); return f(i, j) }
		}
	case func(int) bool:
		if f != nil {
			return func(i int) bool { s.goOn(); return f(i) }
		}
	case func(rune) rune:
		if f != nil {
			return func(r rune) rune { s.goOn(); return f(r) }
		}
	case func(rune) bool:
		if f != nil {
			return func(r rune) bool { s.goOn(); return f(r) }
		}
	case func(int, int) int:
		if f != nil {
			return func(a, b int) int { s.goOn(); return f(a, b) }
		}
	case func(float64, float64) int:
		if f != nil {
			return func(a, b float64) int { s.goOn(); return f(a, b) }
		}
	case func(string, string) int:
		if f != nil {
			return func(a, b string) int { s.goOn(); return f(a, b) }
		}
	case func(string) string:
		if f != nil {
			return func(t string) string { s.goOn(); return f(t) }
		}
	case func(int, int):
		if f != nil {
			return func(i, j int) { s.goOn(); f(i, j) }
		}
	default:
		return s.anyCallback(f)
	}
	return f
}

func (s *Session) anyCallback(f any) any {
	v := reflect.ValueOf(f)
	if v.Kind() != reflect.Func || v.IsNil() {
		return f
	}
	t := v.Type()
	return reflect.MakeFunc(t, func(args []reflect.Value) []reflect.Value {
		s.goOn()
		if t.IsVariadic() {
			return v.CallSlice(args)
		}
		return v.Call(args)
	}).Interface()
}

// calledBack are the methods that compiled code calls in loops. Those that show
// a value are not among them: they are called also to tell of an interrupt.
var calledBack = map[string]bool{"Less": true, "Swap": true, "Read": true, "Write": true}
