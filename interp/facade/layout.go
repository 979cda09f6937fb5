package facade

//lint:file-ignore U1000 fields stand for what lies in memory

import (
	"reflect"
	"unsafe"
)

// The layouts of run-time types, from internal/abi/type.go and map.go of
// Go 1.26.
type common struct {
	size, ptrBytes             uintptr
	hash                       uint32
	tflag, align, falign, kind uint8
	equal                      func(unsafe.Pointer, unsafe.Pointer) bool
	gcData                     *byte
	str, ptrToThis             int32
}

type (
	elemType struct { // pointers and slices
		common
		elem unsafe.Pointer
	}
	arrayType struct {
		common
		elem, slice unsafe.Pointer
		n           uintptr
	}
	chanType struct {
		common
		elem unsafe.Pointer
		dir  int
	}
	mapType struct {
		common
		key, elem, group             unsafe.Pointer
		hasher                       func(unsafe.Pointer, uintptr) uintptr
		groupSize, slotSize, elemOff uintptr
		flags                        uint32
	}
	funcType struct {
		common
		in, out uint16
	}
	structType struct {
		common
		pkgPath *byte
		fields  []structField
	}
	structField struct {
		name   *byte
		typ    unsafe.Pointer
		offset uintptr
	}
	ifaceType struct {
		common
		pkgPath *byte
		methods []imethod
	}
	imethod struct{ name, typ int32 }
)

// uncommon follows the layout of a type that has a name or methods.
type uncommon struct {
	pkgPath        int32
	mcount, xcount uint16
	moff           uint32
	_              uint32
}

type method struct{ name, mtyp, ifn, tfn int32 }

const (
	flagUncommon    = 1 << 0
	flagExtraStar   = 1 << 1
	flagNamed       = 1 << 2
	flagDirectIface = 1 << 5
)

const (
	nameExported = 1 << 0
	nameTag      = 1 << 1
	nameEmbedded = 1 << 3
)

// maxMethods is how many methods a type can show.
const maxMethods = 120

// block is a type with room for its methods.
type block[T any] struct {
	t T
	u uncommon
	m [maxMethods]method
}

// funcBlock is the block of a function type, whose parameters come before its
// methods.
type funcBlock struct {
	t    funcType
	u    uncommon
	args [48]unsafe.Pointer
	m    [maxMethods]method
}

// made is a type in memory and where its parts are.
type made struct {
	p unsafe.Pointer // also a *common
	u *uncommon
	m *[maxMethods]method
}

func (m made) common() *common { return (*common)(m.p) }

// typeWord is the pointer behind a reflect.Type.
func typeWord(t reflect.Type) unsafe.Pointer { return (*[2]unsafe.Pointer)(unsafe.Pointer(&t))[1] }

// reflectType is the reflect.Type of a type in memory.
func reflectType(p unsafe.Pointer) reflect.Type {
	var x any
	(*[2]unsafe.Pointer)(unsafe.Pointer(&x))[0] = p
	return reflect.TypeOf(x)
}

// newBlock copies a type by its kind into a block of its own.
func newBlock(base reflect.Type) made {
	src := typeWord(base)
	switch base.Kind() {
	case reflect.Pointer, reflect.Slice:
		return fill[elemType](src)
	case reflect.Array:
		return fill[arrayType](src)
	case reflect.Chan:
		return fill[chanType](src)
	case reflect.Map:
		return fill[mapType](src)
	case reflect.Struct:
		return fill[structType](src)
	case reflect.Interface:
		return fill[ifaceType](src)
	case reflect.Func:
		return newFunc(base, src)
	}
	return fill[common](src)
}

func fill[T any](src unsafe.Pointer) made {
	b := &block[T]{t: *(*T)(src)}
	b.u.moff = uint32(unsafe.Offsetof(b.m) - unsafe.Offsetof(b.u))
	keep(unsafe.Pointer(b))
	return made{unsafe.Pointer(b), &b.u, &b.m}
}

func newFunc(base reflect.Type, src unsafe.Pointer) made {
	b := &funcBlock{t: *(*funcType)(src)}
	n := 0
	for i := range base.NumIn() {
		b.args[n] = typeWord(base.In(i))
		n++
	}
	for i := range base.NumOut() {
		b.args[n] = typeWord(base.Out(i))
		n++
	}
	b.u.moff = uint32(unsafe.Offsetof(b.m) - unsafe.Offsetof(b.u))
	keep(unsafe.Pointer(b))
	return made{unsafe.Pointer(b), &b.u, &b.m}
}

// newName encodes a name as the run time keeps it.
func newName(name, tag string, exported, embedded bool) *byte {
	flags := byte(0)
	if exported {
		flags |= nameExported
	}
	if tag != "" {
		flags |= nameTag
	}
	if embedded {
		flags |= nameEmbedded
	}
	b := append([]byte{flags}, varint(len(name))...)
	b = append(b, name...)
	if tag != "" {
		b = append(append(b, varint(len(tag))...), tag...)
	}
	keep(unsafe.Pointer(&b[0]))
	return &b[0]
}

func varint(n int) []byte {
	var b []byte
	for n >= 0x80 {
		b = append(b, byte(n)|0x80)
		n >>= 7
	}
	return append(b, byte(n))
}
