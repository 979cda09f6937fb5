package rt

import (
	"reflect"
	"runtime"
	"sync"
	"unsafe"

	"gopherlo/interp/facade"
)

// Errors of Go's runtime: a cell that recovers one sees the type that it has in
// compiled code. Those types are not exported; values of them are made of ones that
// the runtime has raised.

// provoked is the panic that f raises.
func provoked(f func()) (r any) {
	defer func() { r = recover() }()
	f()
	return nil
}

var (
	errorStringType = reflect.TypeOf(provoked(func() { _ = 1 / len(noBytes) }))
	plainErrorType  = reflect.TypeOf(provoked(func() { close((chan int)(nil)) }))
	boundsErrorType = reflect.TypeOf(provoked(func() { _ = noBytes[len(noBytes)] }))

	noBytes []byte
)

// runtimeError is one of Go's run-time errors; its text gets the usual prefix.
func runtimeError(text string) error { return textError(errorStringType, text) }

// plainError is a run-time error whose text has no prefix.
func plainError(text string) error { return textError(plainErrorType, text) }

func textError(t reflect.Type, text string) error {
	v := reflect.New(t).Elem()
	v.SetString(text)
	return v.Interface().(error)
}

var errNilDeref = runtimeError("invalid memory address or nil pointer dereference")

// bounds is the layout of runtime.boundsError in Go 1.26 (src/runtime/error.go).
type bounds struct {
	x      int64
	y      int
	signed bool
	code   uint8
}

// The kinds of bounds that are exceeded, abi.BoundsErrorCode of Go 1.26.
const (
	boundsIndex = iota
	boundsSliceLen
	boundsSliceCap
	boundsSliceLow
	boundsSlice3Len
	boundsSlice3Cap
	boundsSlice3High
	boundsSlice3Low
	boundsConvert
)

var boundsKnown = sameFields(boundsErrorType, reflect.TypeFor[bounds]())

// sameFields compares the layouts of two struct types.
func sameFields(t, want reflect.Type) bool {
	if t.Kind() != reflect.Struct || t.NumField() != want.NumField() {
		return false
	}
	for i := range t.NumField() {
		f, w := t.Field(i), want.Field(i)
		if f.Offset != w.Offset || f.Type.Kind() != w.Type.Kind() {
			return false
		}
	}
	return true
}

// outOfBounds raises the error of bounds that are exceeded.
func outOfBounds(code uint8, x, y int) {
	if !boundsKnown {
		panic(runtimeError("index or slice bounds out of range"))
	}
	v := reflect.New(boundsErrorType)
	*(*bounds)(v.UnsafePointer()) = bounds{int64(x), y, true, code}
	panic(v.Elem().Interface())
}

// assertion is the layout of runtime.TypeAssertionError in Go 1.26.
type assertion struct {
	static, concrete, asserted *byte
	missing                    string
}

var assertionKnown = sameFields(reflect.TypeFor[runtime.TypeAssertionError](), reflect.TypeFor[assertion]())

// failedAssertion is the error of a failed assertion: the names of the interface
// and of what it holds ("" for none), of the type wanted, and of the method that
// is not there.
func failedAssertion(static, concrete, asserted, missing string) error {
	if !assertionKnown {
		return runtimeError("interface conversion: " + static + " is " + concrete + ", not " + asserted)
	}
	e := new(runtime.TypeAssertionError)
	*(*assertion)(unsafe.Pointer(e)) = assertion{nameType(static), nameType(concrete), nameType(asserted), missing}
	return e
}

// nameTypes are the types that stand for a name in errors.
var nameTypes sync.Map

// nameType is a type that has a name and nothing else.
func nameType(name string) *byte {
	if name == "" {
		return nil
	}
	t, ok := nameTypes.Load(name)
	if !ok {
		t, _ = nameTypes.LoadOrStore(name, facade.NewInterface(name, "", nil))
	}
	return (*byte)(reflect.ValueOf(t).UnsafePointer())
}
