package interp

import (
	"reflect"
	"unsafe"

	yaegi "github.com/traefik/yaegi/interp"

	"gopherlo/internal/bug"
)

// This file runs a cell's statements by themselves, with what yaegi v0.16.1 keeps
// to itself.

// yaegiFields says where the fields of yaegi's types are.
var yaegiFields = func() (p struct{ init, start, types, frame, data uintptr }) {
	program := reflect.TypeFor[yaegi.Program]()
	field := func(t reflect.Type, name string) reflect.StructField {
		f, ok := t.FieldByName(name)
		if !ok {
			bug.Panicf("%v has no field %s: another version of yaegi?", t, name)
		}
		return f
	}
	inits := field(program, "init")
	node := inits.Type.Elem().Elem()
	frame := field(reflect.TypeFor[yaegi.Interpreter](), "frame")
	p.init, p.start, p.types = inits.Offset, field(node, "start").Offset, field(node, "types").Offset
	p.frame, p.data = frame.Offset, field(frame.Type.Elem(), "data").Offset
	return p
}()

// newFrame makes the variables of a function that is called; runCfg runs it from
// a node on.
//
//go:linkname newFrame github.com/traefik/yaegi/interp.newFrame
func newFrame(outer unsafe.Pointer, length int, id uint64) unsafe.Pointer

//go:linkname runCfg github.com/traefik/yaegi/interp.runCfg
func runCfg(n, f, function, call unsafe.Pointer)

// withoutLast takes the last init function out of a program. What it returns is
// called once the rest has run, and gives what runs the function: on any
// goroutine, and to no effect once an interrupt has come. A function value that
// yaegi made would do the same, and takes yaegi as long as the rest of a small cell.
func (in *Interp) withoutLast(p *yaegi.Program) func() (run func()) {
	inits := (*[]unsafe.Pointer)(unsafe.Add(unsafe.Pointer(p), yaegiFields.init))
	last := (*inits)[len(*inits)-1]
	*inits = (*inits)[:len(*inits)-1]
	return func() func() {
		start := *(*unsafe.Pointer)(unsafe.Add(last, yaegiFields.start))
		types := *(*[]reflect.Type)(unsafe.Add(last, yaegiFields.types))
		outer := *(*unsafe.Pointer)(unsafe.Add(unsafe.Pointer(in.yaegi), yaegiFields.frame))
		f := newFrame(outer, len(types), *in.stops.id)
		data := *(*[]reflect.Value)(unsafe.Add(f, yaegiFields.data))
		for i, t := range types {
			data[i] = reflect.New(t).Elem()
		}
		return func() { runCfg(start, f, last, nil) }
	}
}
