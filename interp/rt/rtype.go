package rt

import (
	"fmt"
	"go/types"
	"reflect"
	"strconv"
	"strings"
	"sync/atomic"
	"unsafe"

	"gopherlo/internal/bug"
	"gopherlo/interp/check"
	"gopherlo/interp/lower"
	"gopherlo/interp/symbols"
)

// CellPath is the import path under which lowered code finds the struct types
// of cells. They are made here by reflection: yaegi's own struct types go wrong
// when several refer to each other.
const CellPath = "gopherlo/cell"

// unique makes the tags of struct types different: reflection gives equal
// types for equal fields, and types of different cells must not be one.
var unique atomic.Int64

// builder makes types of values in memory. Struct types are made with stand-ins for
// the struct types that they point to, which are replaced in place when the type
// itself, and with it its size, is there.
type builder struct {
	s      *Session
	depth  int // struct types in the making, each a part of the one before
	far    int // pointers, slices and the like between the last of them and the type
	met    int // stand-ins met so far
	fixes  []fix
	fixing int // calls of finish under way
	// made are the struct types so far. The session gets them when none of them holds a
	// stand-in any more.
	made map[*Type]reflect.Type
}

// fix is a field whose type held a stand-in.
type fix struct {
	st    reflect.Type
	index int
	typ   types.Type
}

// standIn is what a struct type that another one points to is taken for.
type standIn struct{}

var standInType = reflect.TypeFor[standIn]()

// RType is how values of a type look in memory.
func (s *Session) RType(t types.Type) reflect.Type {
	s.buildMu.Lock()
	defer s.buildMu.Unlock()
	b := &builder{s: s, made: map[*Type]reflect.Type{}}
	return b.typ(t)
}

// memory is how values of a numbered type look in memory.
func (s *Session) memory(t *Type) reflect.Type {
	if r := t.r.Load(); r != nil {
		return *r
	}
	r := s.RType(t.T)
	t.r.Store(&r)
	return r
}

func (b *builder) typ(t types.Type) reflect.Type {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		return basicType(t)
	case *types.Named:
		return b.named(t)
	case *types.Pointer:
		return reflect.PointerTo(b.away(t.Elem()))
	case *types.Slice:
		return reflect.SliceOf(b.away(t.Elem()))
	case *types.Array:
		return reflect.ArrayOf(int(t.Len()), b.typ(t.Elem()))
	case *types.Map:
		return reflect.MapOf(b.away(t.Key()), b.away(t.Elem()))
	case *types.Chan:
		return reflect.ChanOf(chanDirs[t.Dir()], b.away(t.Elem()))
	case *types.Signature:
		return b.signature(t)
	case *types.Struct:
		return reflect.StructOf(b.fields(t, "", nil))
	}
	return anyR
}

// away is a type of values that are not part of the value that leads to them.
func (b *builder) away(t types.Type) reflect.Type {
	b.far++
	defer func() { b.far-- }()
	return b.typ(t)
}

var anyR = reflect.TypeFor[any]()

var chanDirs = map[types.ChanDir]reflect.ChanDir{types.SendRecv: reflect.BothDir, types.SendOnly: reflect.SendDir, types.RecvOnly: reflect.RecvDir}

func (b *builder) signature(t *types.Signature) reflect.Type {
	in := make([]reflect.Type, t.Params().Len())
	out := make([]reflect.Type, t.Results().Len())
	for i := range in {
		in[i] = b.away(t.Params().At(i).Type())
	}
	for i := range out {
		out[i] = b.away(t.Results().At(i).Type())
	}
	return reflect.FuncOf(in, out, t.Variadic())
}

var basicTypes = map[types.BasicKind]reflect.Type{
	types.Bool: reflect.TypeFor[bool](), types.UntypedBool: reflect.TypeFor[bool](),
	types.Int: reflect.TypeFor[int](), types.UntypedInt: reflect.TypeFor[int](),
	types.Int8: reflect.TypeFor[int8](), types.Int16: reflect.TypeFor[int16](),
	types.Int32: reflect.TypeFor[int32](), types.UntypedRune: reflect.TypeFor[int32](),
	types.Int64: reflect.TypeFor[int64](), types.Uint: reflect.TypeFor[uint](),
	types.Uint8: reflect.TypeFor[uint8](), types.Uint16: reflect.TypeFor[uint16](),
	types.Uint32: reflect.TypeFor[uint32](), types.Uint64: reflect.TypeFor[uint64](),
	types.Uintptr: reflect.TypeFor[uintptr](), types.UnsafePointer: reflect.TypeFor[unsafe.Pointer](),
	types.Float32: reflect.TypeFor[float32](), types.Float64: reflect.TypeFor[float64](),
	types.UntypedFloat: reflect.TypeFor[float64](), types.Complex64: reflect.TypeFor[complex64](),
	types.Complex128: reflect.TypeFor[complex128](), types.UntypedComplex: reflect.TypeFor[complex128](),
	types.String: reflect.TypeFor[string](), types.UntypedString: reflect.TypeFor[string](),
}

func basicType(t *types.Basic) reflect.Type {
	if r, ok := basicTypes[t.Kind()]; ok {
		return r
	}
	return anyR
}

func (b *builder) named(t *types.Named) reflect.Type {
	obj := t.Obj()
	if obj.Pkg() == nil {
		if obj.Name() == "error" {
			return reflect.TypeFor[error]()
		}
		return anyR
	}
	if !check.Interpreted(obj.Pkg()) {
		if lower.IsAtomicPointer(t) {
			return reflect.TypeFor[AtomicPointer]()
		}
		if r := nativeType(t); r != nil && t.TypeArgs().Len() == 0 {
			return r
		}
		return b.typ(t.Underlying())
	}
	switch t.Underlying().(type) {
	case *types.Interface:
		return anyR
	case *types.Struct:
		if n := lower.NativeBase(t); n != nil {
			return b.typ(n)
		}
		return b.structure(t)
	}
	if lower.Recursive(t) {
		return anyR
	}
	return b.typ(t.Underlying())
}

// nativeType is a compiled type, nil when it is not known.
func nativeType(t *types.Named) reflect.Type {
	path, name := t.Obj().Pkg().Path(), t.Obj().Name()
	if !t.Obj().Exported() {
		return unexportedType(t)
	}
	v, ok := symbols.Lookup(path, name)
	if !ok || v.Kind() != reflect.Pointer || v.Type().Elem().Name() != name && v.Type().Elem().Name() != "" {
		return nil
	}
	return v.Type().Elem()
}

// unexportedType finds the type of which its package has a variable, or that a
// function of it gives.
func unexportedType(t *types.Named) reflect.Type {
	scope := t.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		v, known := symbols.Lookup(scope.Lookup(name).Pkg().Path(), name)
		switch obj := scope.Lookup(name).(type) {
		case *types.Var:
			if r := same(t, obj.Type(), known, v.Type); r != nil {
				return r
			}
		case *types.Func:
			results := obj.Signature().Results()
			for i := range results.Len() {
				if r := same(t, results.At(i).Type(), known && v.Kind() == reflect.Func, func() reflect.Type { return v.Type().Out(i) }); r != nil {
					return r
				}
			}
		}
	}
	return nil
}

// same is the compiled type of t where typ, which compiled gives, is t or a pointer
// to it.
func same(t *types.Named, typ types.Type, known bool, compiled func() reflect.Type) reflect.Type {
	if !known {
		return nil
	}
	p, isPtr := types.Unalias(typ).(*types.Pointer)
	switch {
	case types.Identical(t, typ):
		return compiled()
	case isPtr && types.Identical(t, p.Elem()):
		return compiled().Elem()
	}
	return nil
}

// structure makes a declared struct type, once.
func (b *builder) structure(t *types.Named) reflect.Type {
	info := b.s.typeOf(t)
	if r := info.r.Load(); r != nil {
		return *r
	}
	if r := b.made[info]; r != nil {
		return r
	}
	if b.depth > 0 && b.far > 0 {
		b.met++
		return standInType
	}
	far := b.far
	b.far = 0
	b.depth++
	st := t.Underlying().(*types.Struct)
	var holes []int
	r := reflect.StructOf(b.fields(st, TypeString(t), &holes))
	for _, i := range holes {
		b.fixes = append(b.fixes, fix{r, i, st.Field(i).Type()})
	}
	b.far = far
	b.depth--
	b.made[info] = r
	if b.depth == 0 {
		b.finish()
	}
	return r
}

// finish replaces the stand-ins, and gives the session the types when it has replaced
// all of them.
func (b *builder) finish() {
	b.fixing++
	fixes := b.fixes
	b.fixes = nil
	for _, f := range fixes {
		want := b.typ(f.typ)
		setFieldType(f.st, f.index, want)
		if got := f.st.Field(f.index).Type; got != want {
			bug.Panicf("field %d of %s has type %s", f.index, f.st, got)
		}
	}
	if b.fixing--; b.fixing > 0 {
		return
	}
	for info, r := range b.made {
		info.r.Store(&r)
	}
	clear(b.made)
}

// fields makes the fields of a struct; holes gets those that hold a stand-in.
func (b *builder) fields(t *types.Struct, name string, holes *[]int) []reflect.StructField {
	fields := make([]reflect.StructField, 0, t.NumFields())
	for i := range t.NumFields() {
		before := b.met
		typ := b.typ(t.Field(i).Type())
		if holes != nil && b.met != before {
			*holes = append(*holes, i)
		}
		tag := lower.FieldTag(t, i, name)
		if name != "" && i == 0 {
			tag = strings.TrimSpace(tag + ` id:"` + strconv.FormatInt(unique.Add(1), 10) + `"`)
		}
		fields = append(fields, reflect.StructField{Name: lower.FieldName(t, i), Type: typ, Tag: reflect.StructTag(tag)})
	}
	if len(fields) == 0 && name != "" {
		tag := fmt.Sprintf(`yg:%s id:"%d"`, strconv.Quote(name+";"), unique.Add(1))
		fields = append(fields, reflect.StructField{Name: "X_", Type: reflect.TypeFor[struct{}](), Tag: reflect.StructTag(tag)})
	}
	return fields
}

// The layouts of reflection's struct types, from internal/abi/type.go of Go
// 1.26. setFieldType is checked after each use.
//
//lint:ignore U1000 a layout
type abiField struct {
	name   *byte
	typ    unsafe.Pointer
	offset uintptr
}

type abiStruct struct {
	typ struct {
		size, ptrBytes             uintptr
		hash                       uint32
		tflag, align, falign, kind uint8
		equal                      func(unsafe.Pointer, unsafe.Pointer) bool
		gcData                     *byte
		str, ptrToThis             int32
	}
	pkgPath *byte
	fields  []abiField
}

// setFieldType gives a field of a struct type made by reflection another type
// of the same size and kind.
func setFieldType(st reflect.Type, i int, t reflect.Type) {
	typeWord := func(t reflect.Type) unsafe.Pointer { return (*[2]unsafe.Pointer)(unsafe.Pointer(&t))[1] }
	(*abiStruct)(typeWord(st)).fields[i].typ = typeWord(t)
}
