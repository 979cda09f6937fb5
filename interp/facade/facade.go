package facade

import (
	"fmt"
	"go/token"
	"hash/fnv"
	"reflect"
	"sort"
	"strings"
	"sync"
	"unsafe"
)

// addReflectOff registers memory by a number, which types use for names,
// types and code that are not in the binary.
//
//go:linkname addReflectOff reflect.addReflectOff
func addReflectOff(p unsafe.Pointer) int32

func init() { addReflectOff(unsafe.Pointer(newName("facade", "", false, false))) } // the first number, -1, is not code to the run time

var (
	keptMu sync.Mutex
	kept   []unsafe.Pointer // types and names live for ever, as those of the binary
	serial uint32
)

func keep(p unsafe.Pointer) {
	keptMu.Lock()
	defer keptMu.Unlock()
	kept = append(kept, p)
}

// Def is a type that is being made. Its Type is usable at once; fields and
// methods may follow.
type Def struct {
	t, ptr made
	slots  []int
}

// Method is one method of a type.
type Method struct {
	Name string
	// Type is that of the method without its receiver.
	Type reflect.Type
	// Pointer tells that only the pointer has the method.
	Pointer bool
	// Call runs the method. The receiver is the value, or a pointer to it if
	// that is what the method was called on.
	Call func(recv reflect.Value, args []reflect.Value) []reflect.Value
}

// Field is one field of a struct.
type Field struct {
	Name     string
	Type     reflect.Type // of the same layout as the field of the base
	Tag      string
	Embedded bool
}

// New makes a type with the layout of base. The name is as reflection prints it
// ("main.T"); without a package path the type is one without a name.
func New(base reflect.Type, name, pkgPath string) *Def {
	if err := fits(); err != nil {
		panic(err)
	}
	return newDef(base, name, pkgPath)
}

func newDef(base reflect.Type, name, pkgPath string) *Def {
	d := &Def{t: newBlock(base)}
	h := fnv.New32()
	_, _ = h.Write([]byte(name))
	keptMu.Lock()
	serial++
	n := serial
	keptMu.Unlock()
	c := d.t.common()
	c.hash = h.Sum32() + n*2654435761
	c.tflag &^= flagExtraStar | flagUncommon | flagNamed
	c.str = addReflectOff(unsafe.Pointer(newName(name, "", true, false)))
	if pkgPath != "" {
		c.tflag |= flagUncommon | flagNamed
		d.t.u.pkgPath = addReflectOff(unsafe.Pointer(newName(pkgPath, "", false, false)))
	}
	d.ptr = newBlock(reflect.TypeFor[*unsafe.Pointer]())
	p := (*elemType)(d.ptr.p)
	p.elem = d.t.p
	p.hash = c.hash + 1
	p.tflag &^= flagExtraStar | flagUncommon | flagNamed
	p.str = addReflectOff(unsafe.Pointer(newName("*"+name, "", true, false)))
	p.ptrToThis = 0
	c.ptrToThis = addReflectOff(d.ptr.p)
	return d
}

// Type is the type.
func (d *Def) Type() reflect.Type { return reflectType(d.t.p) }

// SetFields says what the fields of a struct are called and of which types
// they are. Fields of the base that have none are hidden.
func (d *Def) SetFields(pkgPath string, fields []Field) {
	st := (*structType)(d.t.p)
	old := st.fields
	st.pkgPath = newName(pkgPath, "", false, false)
	st.fields = make([]structField, len(fields))
	for i, f := range fields {
		st.fields[i] = structField{newName(f.Name, f.Tag, token.IsExported(f.Name), f.Embedded), typeWord(f.Type), old[i].offset}
	}
}

// SetMethods gives the type its methods; those with names that are not
// exported are left out. It fails when no room is left for code.
func (d *Def) SetMethods(methods []Method) error {
	methods = append([]Method{}, methods...)
	sort.Slice(methods, func(i, j int) bool { return methods[i].Name < methods[j].Name })
	var ofValue, ofPointer []method
	for _, m := range methods {
		if !token.IsExported(m.Name) || len(ofPointer) == maxMethods {
			continue
		}
		name := addReflectOff(unsafe.Pointer(newName(m.Name, "", true, false)))
		typ := addReflectOff(typeWord(m.Type))
		code, err := d.code(m, reflect.PointerTo(d.Type()), true)
		if err != nil {
			return err
		}
		ofPointer = append(ofPointer, method{name, typ, code, code})
		if m.Pointer {
			continue
		}
		direct := d.t.common().tflag&flagDirectIface != 0
		ifn, err := d.code(m, d.Type(), direct)
		if err != nil {
			return err
		}
		tfn := ifn
		if !direct {
			if tfn, err = d.valueCode(m); err != nil {
				return err
			}
		}
		ofValue = append(ofValue, method{name, typ, ifn, tfn})
	}
	d.t.set(ofValue)
	d.ptr.set(ofPointer)
	return nil
}

// set puts a method table in place.
func (m made) set(list []method) {
	copy(m.m[:], list)
	m.u.mcount, m.u.xcount = uint16(len(list)), uint16(len(list))
	if len(list) > 0 {
		m.common().tflag |= flagUncommon
	}
}

// code makes the code of a method as interfaces call it: the receiver is one
// word, the value itself (direct) or its address.
func (d *Def) code(m Method, recv reflect.Type, direct bool) (int32, error) {
	f := reflect.MakeFunc(withReceiver(reflect.TypeFor[unsafe.Pointer](), m.Type), func(args []reflect.Value) []reflect.Value {
		p := args[0].UnsafePointer()
		var v reflect.Value
		if direct {
			v = reflect.NewAt(recv, unsafe.Pointer(&p)).Elem()
		} else {
			v = reflect.New(recv).Elem()
			v.Set(reflect.NewAt(recv, p).Elem())
		}
		return m.Call(v, args[1:])
	})
	return d.slot(f)
}

// valueCode makes the code of a method as a function with the receiver first.
func (d *Def) valueCode(m Method) (int32, error) {
	f := reflect.MakeFunc(withReceiver(d.Type(), m.Type), func(args []reflect.Value) []reflect.Value {
		return m.Call(args[0], args[1:])
	})
	return d.slot(f)
}

func (d *Def) slot(f reflect.Value) (int32, error) {
	i, code, err := newSlot(f)
	if err != nil {
		return 0, err
	}
	d.slots = append(d.slots, i)
	return addReflectOff(code), nil
}

// withReceiver is a function type with a parameter before the others.
func withReceiver(recv, t reflect.Type) reflect.Type {
	in := []reflect.Type{recv}
	for i := range t.NumIn() {
		in = append(in, t.In(i))
	}
	var out []reflect.Type
	for i := range t.NumOut() {
		out = append(out, t.Out(i))
	}
	return reflect.FuncOf(in, out, t.IsVariadic())
}

// Free gives the room of the methods' code back. The type must not be used any
// more.
func (d *Def) Free() {
	freeSlots(d.slots)
	d.slots = nil
}

// fits is Check, once: a program that is built with a Go of other layouts must
// not write types.
var fits = sync.OnceValue(Check)

// Check compares the layouts that this package relies on with what reflection
// says.
func Check() error {
	type sample struct {
		A int `k:"v"`
		//lint:ignore U1000 it has a place
		b string
	}
	t := reflect.TypeFor[sample]()
	c := (*structType)(typeWord(t))
	if c.size != t.Size() || reflect.Kind(c.kind) != t.Kind() || int(c.align) != t.Align() || len(c.fields) != t.NumField() || c.fields[1].offset != t.Field(1).Offset {
		return fmt.Errorf("facade: the layout of struct types is not Go 1.26's")
	}
	d := newDef(t, "main.Sample", "main")
	d.SetFields("main", []Field{{Name: "X", Type: reflect.TypeFor[int](), Tag: `j:"x"`}, {Name: "y", Type: reflect.TypeFor[string]()}})
	got := fmt.Sprintf("%v %s %v %+v", d.Type(), d.Type().PkgPath(), reflect.PointerTo(d.Type()), reflect.New(d.Type()).Elem())
	if got != "main.Sample main *main.Sample {X:0 y:}" || strings.Contains(got, "%!") {
		return fmt.Errorf("facade: a made type looks like %s", got)
	}
	return nil
}

// IMethod is a method of an interface.
type IMethod struct {
	Name string
	Type reflect.Type
}

// NewInterface makes an interface type with methods. It is for types alone:
// values in memory of cell interfaces have another layout.
func NewInterface(name, pkgPath string, methods []IMethod) reflect.Type {
	d := New(reflect.TypeFor[error](), name, pkgPath)
	it := (*ifaceType)(d.t.p)
	it.pkgPath = newName(pkgPath, "", false, false)
	it.methods = nil
	for _, m := range methods {
		n := newName(m.Name, "", token.IsExported(m.Name), false)
		it.methods = append(it.methods, imethod{addReflectOff(unsafe.Pointer(n)), addReflectOff(typeWord(m.Type))})
	}
	return d.Type()
}
