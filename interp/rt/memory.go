package rt

import (
	"errors"
	"reflect"
	"unsafe"
)

// memorySymbols are what packages from source have of package unsafe. Lowering uses
// them for values only that are in memory as in compiled Go.
func memorySymbols() map[string]any {
	return map[string]any{
		"Pointer": (*unsafe.Pointer)(nil), "PointerOf": pointerOf, "PointerAt": pointerAt, "PointerAdd": pointerAdd,
		"Pointing": pointing, "Address": address, "StringAt": stringAt, "StringData": func(s string) *byte { return unsafe.StringData(s) },
		"SliceData": sliceData, "SliceAt": sliceAt, "Refused": refused,
	}
}

// pointerOf sets *z to unsafe.Pointer(x) for a pointer x.
func pointerOf(x any, z *unsafe.Pointer) { *z = reflect.ValueOf(x).UnsafePointer() }

// pointerAt is unsafe.Pointer(u).
func pointerAt(u uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&u)) }

func pointerAdd(p unsafe.Pointer, n int) unsafe.Pointer { return unsafe.Add(p, n) }

// pointing sets the pointer *z to (*T)(p).
func pointing(p unsafe.Pointer, z any) {
	*(*unsafe.Pointer)(reflect.ValueOf(z).UnsafePointer()) = p
}

// address is uintptr(unsafe.Pointer(x)), or that of an unsafe.Pointer.
func address(x any) uintptr { return uintptr(reflect.ValueOf(x).UnsafePointer()) }

func stringAt(p *byte, n int) string { return unsafe.String(p, n) }

// sliceData sets *z to unsafe.SliceData(x).
func sliceData(x, z any) {
	v := reflect.ValueOf(x)
	*(*unsafe.Pointer)(reflect.ValueOf(z).UnsafePointer()) = v.UnsafePointer()
}

// sliceAt sets *z to unsafe.Slice(x, n).
func sliceAt(x any, n int, z any) {
	p := reflect.ValueOf(x).UnsafePointer()
	switch {
	case n < 0:
		panic(runtimeError("unsafe.Slice: len out of range"))
	case p == nil && n > 0:
		panic(runtimeError("unsafe.Slice: ptr is nil and len is not zero"))
	}
	*(*sliceHeader)(reflect.ValueOf(z).UnsafePointer()) = sliceHeader{p, n, n}
}

// sliceHeader is a slice in memory.
type sliceHeader struct {
	data     unsafe.Pointer
	len, cap int
}

// refused is what a function fails with that cannot be interpreted.
func refused(why, path string) error {
	return errors.New(why + "; `gopherlo build --with " + path + "` makes a kernel that has the package compiled")
}
