package interp

import (
	"errors"
	"fmt"
	"go/types"
	"reflect"
	"strconv"
	"strings"
	"unsafe"

	"gopherlo/interp/check"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
)

// arrayPath is the package of Array.
const arrayPath = "gopherlo/jaxlike/array"

// savedValue is one value of a checkpoint, by the kind of its type.
type savedValue struct {
	Plain string           `json:"p,omitempty"` // bool, number or quoted string
	Array *int             `json:"a,omitempty"` // an Array, or the memory of a slice of numbers
	Nil   bool             `json:"nil,omitempty"`
	List  []*savedValue    `json:"l,omitempty"` // fields, elements, or what a pointer points to
	Pairs [][2]*savedValue `json:"m,omitempty"` // of a map
}

// savedArrayInfo describes the bytes of an Array.
type savedArrayInfo struct {
	DType string `json:"dtype,omitempty"` // "" is the memory of a slice
	Shape []int  `json:"shape"`
	Weak  bool   `json:"weak,omitempty"`
	Size  int    `json:"size"`
}

type savedArray struct {
	info  savedArrayInfo
	bytes func() []byte
}

// saver walks a value as its type describes it.
type saver struct {
	arrays []savedArray
	path   []string
}

// deepest ends the walk of what refers to itself.
const deepest = 100

var errEndless = errors.New("it refers to itself, or is too deep")

// place says where in the variable the walk has stopped.
func (s *saver) place() string {
	if len(s.path) == 0 {
		return ""
	}
	if len(s.path) > 8 {
		s.path = append(s.path[:8:8], "…")
	}
	return strings.Join(s.path, "") + ": "
}

func (s *saver) value(t types.Type, v reflect.Value, depth int) (*savedValue, error) {
	if depth > deepest {
		return nil, errEndless
	}
	if isArrayType(t) {
		return s.array(v)
	}
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil && !check.Interpreted(n.Obj().Pkg()) {
		if _, basic := n.Underlying().(*types.Basic); !basic {
			return nil, fmt.Errorf("values of type %s cannot be saved", n.Obj().Pkg().Name()+"."+n.Obj().Name())
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		text, err := plainText(v)
		return &savedValue{Plain: text}, err
	case *types.Pointer:
		if v.Kind() == reflect.Pointer && !v.IsNil() {
			return s.list(depth, 1, func(int) (string, types.Type, reflect.Value) { return "", u.Elem(), v.Elem() })
		}
	case *types.Slice:
		if v.Kind() == reflect.Slice && !v.IsNil() {
			if isNumber(u.Elem()) {
				return s.numbers(v), nil
			}
			return s.list(depth, v.Len(), func(i int) (string, types.Type, reflect.Value) {
				return fmt.Sprintf("[%d]", i), u.Elem(), v.Index(i)
			})
		}
	case *types.Array:
		return s.list(depth, v.Len(), func(i int) (string, types.Type, reflect.Value) {
			return fmt.Sprintf("[%d]", i), u.Elem(), v.Index(i)
		})
	case *types.Map:
		if v.Kind() == reflect.Map && !v.IsNil() {
			return s.pairs(u, v, depth)
		}
	case *types.Struct:
		if v.Kind() == reflect.Struct {
			return s.list(depth, u.NumFields(), func(i int) (string, types.Type, reflect.Value) {
				return "." + u.Field(i).Name(), u.Field(i).Type(), v.Field(i)
			})
		}
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Interface, reflect.Func, reflect.Chan:
		if v.IsNil() {
			return &savedValue{Nil: true}, nil
		}
	}
	return nil, fmt.Errorf("a %s cannot be saved; Arrays, numbers, strings, bools and structs, slices, maps and pointers of them can", kindName(t))
}

func kindName(t types.Type) string {
	switch t.Underlying().(type) {
	case *types.Signature:
		return "func"
	case *types.Chan:
		return "channel"
	case *types.Interface:
		return "value in an interface"
	}
	return "value of type " + types.TypeString(t, (*types.Package).Name)
}

// list saves parts in order.
func (s *saver) list(depth, n int, part func(i int) (string, types.Type, reflect.Value)) (*savedValue, error) {
	out := &savedValue{List: make([]*savedValue, n)}
	for i := range n {
		name, t, v := part(i)
		s.path = append(s.path, name)
		x, err := s.value(t, v, depth+1)
		if err != nil {
			return nil, err
		}
		s.path = s.path[:len(s.path)-1]
		out.List[i] = x
	}
	return out, nil
}

func (s *saver) pairs(u *types.Map, v reflect.Value, depth int) (*savedValue, error) {
	out := &savedValue{Pairs: [][2]*savedValue{}}
	for it := v.MapRange(); it.Next(); {
		pair, err := s.list(depth, 2, func(i int) (string, types.Type, reflect.Value) {
			if i == 0 {
				return "[key]", u.Key(), it.Key()
			}
			return fmt.Sprintf("[%v]", it.Key()), u.Elem(), it.Value()
		})
		if err != nil {
			return nil, err
		}
		out.Pairs = append(out.Pairs, [2]*savedValue{pair.List[0], pair.List[1]})
	}
	return out, nil
}

// array saves an Array.
func (s *saver) array(v reflect.Value) (out *savedValue, err error) {
	defer func() {
		if r := recover(); r != nil { // a tracer, a deleted array, several results
			err = fmt.Errorf("%v", r)
		}
	}()
	a, ok := v.Interface().(array.Array)
	if !ok {
		return nil, fmt.Errorf("an Array is a %s in memory", v.Type())
	}
	if a.IsZero() {
		return &savedValue{Nil: true}, nil
	}
	aval := a.Aval()
	return s.add(savedArrayInfo{
		DType: aval.DType.String(), Shape: append([]int{}, aval.Shape...), Weak: aval.Weak, Size: aval.Size() * aval.DType.Size(),
	}, a.Bytes), nil
}

// numbers saves the memory of a slice.
func (s *saver) numbers(v reflect.Value) *savedValue {
	size := v.Len() * int(v.Type().Elem().Size())
	return s.add(savedArrayInfo{Shape: []int{v.Len()}, Size: size}, func() []byte {
		if size == 0 {
			return nil
		}
		return unsafe.Slice((*byte)(v.UnsafePointer()), size)
	})
}

func (s *saver) add(info savedArrayInfo, bytes func() []byte) *savedValue {
	i := len(s.arrays)
	s.arrays = append(s.arrays, savedArray{info, bytes})
	return &savedValue{Array: &i}
}

// loader makes values from what a saver has written.
type loader struct {
	infos  []savedArrayInfo
	starts []int
	data   []byte
}

func newLoader(infos []savedArrayInfo, data []byte) (*loader, error) {
	l := &loader{infos: infos, data: data}
	at := 0
	for _, info := range infos {
		l.starts = append(l.starts, at)
		if info.Size < 0 || info.Size > len(data)-at {
			return nil, errors.New("the file is cut short")
		}
		at += info.Size
	}
	return l, nil
}

// blob gives the bytes of an array.
func (l *loader) blob(i int) (savedArrayInfo, []byte, error) {
	if i < 0 || i >= len(l.infos) {
		return savedArrayInfo{}, nil, errors.New("an array is missing")
	}
	info := l.infos[i]
	return info, l.data[l.starts[i] : l.starts[i]+info.Size : l.starts[i]+info.Size], nil
}

// value sets v, of type t, to what x describes.
func (l *loader) value(t types.Type, v reflect.Value, x *savedValue) error {
	if x == nil {
		return errors.New("a value is missing")
	}
	if x.Nil {
		v.SetZero()
		return nil
	}
	if isArrayType(t) {
		return l.array(v, x)
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return setPlain(v, x.Plain)
	case *types.Pointer:
		if v.Kind() == reflect.Pointer && len(x.List) == 1 {
			p := reflect.New(v.Type().Elem())
			v.Set(p)
			return l.value(u.Elem(), p.Elem(), x.List[0])
		}
	case *types.Slice:
		if x.Array != nil {
			return l.numbers(v, *x.Array)
		}
		v.Set(reflect.MakeSlice(v.Type(), len(x.List), len(x.List)))
		return l.list(x, v.Len(), func(i int) (types.Type, reflect.Value) { return u.Elem(), v.Index(i) })
	case *types.Array:
		return l.list(x, v.Len(), func(i int) (types.Type, reflect.Value) { return u.Elem(), v.Index(i) })
	case *types.Map:
		return l.pairs(u, v, x)
	case *types.Struct:
		if v.Kind() == reflect.Struct {
			return l.list(x, u.NumFields(), func(i int) (types.Type, reflect.Value) { return u.Field(i).Type(), v.Field(i) })
		}
	}
	return fmt.Errorf("it does not fit type %s", types.TypeString(t, (*types.Package).Name))
}

func (l *loader) list(x *savedValue, n int, part func(i int) (types.Type, reflect.Value)) error {
	if len(x.List) != n {
		return fmt.Errorf("its type has changed: %d parts were saved, it has %d", len(x.List), n)
	}
	for i, y := range x.List {
		t, v := part(i)
		if err := l.value(t, v, y); err != nil {
			return err
		}
	}
	return nil
}

func (l *loader) pairs(u *types.Map, v reflect.Value, x *savedValue) error {
	v.Set(reflect.MakeMapWithSize(v.Type(), len(x.Pairs)))
	for _, pair := range x.Pairs {
		key, elem := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		if err := l.value(u.Key(), key, pair[0]); err != nil {
			return err
		}
		if err := l.value(u.Elem(), elem, pair[1]); err != nil {
			return err
		}
		v.SetMapIndex(key, elem)
	}
	return nil
}

func (l *loader) array(v reflect.Value, x *savedValue) error {
	if x.Array == nil {
		return errors.New("an Array was something else when it was saved")
	}
	info, data, err := l.blob(*x.Array)
	if err != nil {
		return err
	}
	dt, ok := dtype.Parse(info.DType)
	if !ok {
		return fmt.Errorf("elements of type %q are not known", info.DType)
	}
	aval := &core.ShapedArray{Shape: info.Shape, DType: dt, Weak: info.Weak}
	if aval.Size()*dt.Size() != len(data) {
		return errors.New("an Array's data does not fit its shape")
	}
	v.Set(reflect.ValueOf(array.New(core.NewHostConst(aval, data))))
	return nil
}

func (l *loader) numbers(v reflect.Value, i int) error {
	info, data, err := l.blob(i)
	if err != nil {
		return err
	}
	if v.Kind() != reflect.Slice || len(info.Shape) != 1 || info.Shape[0]*int(v.Type().Elem().Size()) != len(data) {
		return errors.New("a slice does not fit its type")
	}
	s := reflect.MakeSlice(v.Type(), info.Shape[0], info.Shape[0])
	if len(data) > 0 {
		copy(unsafe.Slice((*byte)(s.UnsafePointer()), len(data)), data)
	}
	v.Set(s)
	return nil
}

// plainText writes a value of a basic kind.
func plainText(v reflect.Value) (string, error) {
	switch {
	case v.Kind() == reflect.Bool:
		return strconv.FormatBool(v.Bool()), nil
	case v.Kind() == reflect.String:
		return strconv.QuoteToASCII(v.String()), nil
	case v.CanInt():
		return strconv.FormatInt(v.Int(), 10), nil
	case v.CanUint():
		return strconv.FormatUint(v.Uint(), 10), nil
	case v.CanFloat():
		return strconv.FormatFloat(v.Float(), 'g', -1, 64), nil
	case v.CanComplex():
		return strconv.FormatComplex(v.Complex(), 'g', -1, 128), nil
	}
	return "", fmt.Errorf("a %s cannot be saved", v.Kind())
}

// setPlain reads what plainText has written.
func setPlain(v reflect.Value, text string) error {
	var err error
	switch {
	case v.Kind() == reflect.Bool:
		var b bool
		b, err = strconv.ParseBool(text)
		v.SetBool(b)
	case v.Kind() == reflect.String:
		var s string
		s, err = strconv.Unquote(text)
		v.SetString(s)
	case v.CanInt():
		var n int64
		n, err = strconv.ParseInt(text, 10, v.Type().Bits())
		v.SetInt(n)
	case v.CanUint():
		var n uint64
		n, err = strconv.ParseUint(text, 10, v.Type().Bits())
		v.SetUint(n)
	case v.CanFloat():
		var f float64
		f, err = strconv.ParseFloat(text, 64)
		v.SetFloat(f)
	case v.CanComplex():
		var c complex128
		c, err = strconv.ParseComplex(text, 128)
		v.SetComplex(c)
	default:
		err = fmt.Errorf("a %s cannot be restored", v.Kind())
	}
	return err
}

func isArrayType(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == arrayPath && n.Obj().Name() == "Array"
}

func isNumber(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsNumeric|types.IsBoolean) != 0
}

// mutable reports types whose values can change without an assignment to the
// variable: a method or a function gets at what they are made of.
func mutable(t types.Type) bool {
	if isArrayType(t) {
		return false
	}
	_, basic := t.Underlying().(*types.Basic)
	return !basic
}
