package interp

import "testing"

// TestPackagesUnsafe runs packages that look at memory. Go prints the same.
func TestPackagesUnsafe(t *testing.T) {
	s := newPackageSession(t, map[string]string{"un/un.go": unsafePackage})
	s.want(`import "./un"
b := []byte("hello")
fmt.Println(un.Str(b), un.Str2(b), string(un.Bytes("abc")), len(un.Bytes("abc")), un.Str(nil) == "")
fmt.Println(un.Bits(1.5) == math.Float64bits(1.5), un.Float(math.Float32bits(2.5)), un.Size, un.SizeOf[int16](), un.SizeOf[un.T]())
s := "hello world"
fmt.Println(un.Inside(s, s[6:]), un.Inside(s, ""))
t := &un.T{A: 3}
fmt.Println(un.Same(t, t), un.Same(t, &un.T{}), un.Field(t) == "", un.Third([]int32{1, 2, 3}))
w := un.Words([]uint64{1, 256})
fmt.Println(w, *un.Array([]byte{1, 2, 3, 4, 5}))
a := un.Array(b)
a[0] = 'J'
fmt.Println(string(b))
e := &un.E{}
fmt.Println(e.Addr() != 0, e.Name())
var x any = e
fmt.Println(x.(*un.E) == e)`, `hello hello abc 3 true
true 2.5 48 2 48
6 -1
true false true 3
[1 0 0 0 0 0 0 0 0 1 0 0 0 0 0 0] [1 2 3 4]
Jello
true E
true
`)
	// A method that cannot be interpreted is one only when it is called.
	s.has("e.Word()", "panic: un/un.go:66: unsafe.Pointer to un.E, which has interfaces, functions or maps, cannot be interpreted; `gopherlo build --with ./un`")
	s.want("un.Trees()", "= true\n")
	s.has("un.Look()", "panic: un/un.go:", "which has interfaces, functions or maps, cannot be interpreted; `gopherlo build --with ./un`")
	s.has("import \"unsafe\"\nunsafe.String(&b[0], 2)", "unsafe.String cannot be interpreted")
}

const unsafePackage = `package un

import (
	"fmt"
	"unsafe"
)

type tree struct{ kids []tree }

func Same2(a, b *tree) bool { return unsafe.Pointer(a) == unsafe.Pointer(b) }

type withAny[T any] struct {
	v any
	t T
}

// Peek cannot be interpreted.
func Peek[T any](x *withAny[T]) uintptr { return *(*uintptr)(unsafe.Pointer(x)) }

func Look() uintptr { return Peek(&withAny[int]{}) }

func Trees() bool { t := &tree{[]tree{{}}}; return Same2(t, t) && !Same2(t, &t.kids[0]) }

type header struct {
	data unsafe.Pointer
	n    int
}

func Str(b []byte) string   { return unsafe.String(unsafe.SliceData(b), len(b)) }
func Str2(b []byte) string  { return *(*string)(unsafe.Pointer(&b)) }
func Bytes(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }
func Bits(f float64) uint64 { return *(*uint64)(unsafe.Pointer(&f)) }
func Float(b uint32) float32 { return *(*float32)(unsafe.Pointer(&b)) }

type T struct {
	A int32
	b string
	C []int
}

const Size = unsafe.Sizeof(T{})

func SizeOf[X any]() uintptr { var x X; return unsafe.Sizeof(x) }

func Inside(s, sub string) int {
	h, i := *(*header)(unsafe.Pointer(&s)), *(*header)(unsafe.Pointer(&sub))
	if i.data == nil {
		return -1
	}
	return int(uintptr(i.data) - uintptr(h.data))
}

func Same(a, b *T) bool { return uintptr(unsafe.Pointer(a)) == uintptr(unsafe.Pointer(b)) }

func Field(t *T) string { return *(*string)(unsafe.Pointer(uintptr(unsafe.Pointer(t)) + unsafe.Offsetof(t.b))) }

func Third(xs []int32) int32 { return *(*int32)(unsafe.Add(unsafe.Pointer(&xs[0]), 8)) }

func Words(xs []uint64) []byte { return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(xs))), 8*len(xs)) }

func Array(b []byte) *[4]byte { return (*[4]byte)(unsafe.Pointer(&b[0])) }

type E struct{ e fmt.Stringer }

func (e *E) Addr() uintptr { return uintptr(unsafe.Pointer(e)) }
func (e *E) Word() uintptr { return *(*uintptr)(unsafe.Pointer(e)) }
func (e *E) Name() string  { return "E" }
`
