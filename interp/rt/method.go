package rt

import (
	"errors"
	"fmt"
	"go/token"
	"go/types"
	"reflect"
	"strings"

	"gopherlo/interp/check"
	"gopherlo/interp/lower"
	"gopherlo/interp/symbols"
)

// mainPkg makes unexported names of cells findable.
var mainPkg = types.NewPackage("main", "main")

// lookup finds a field or method by its name alone: one of cells, or else an
// unexported one of the packages that the type is made of.
func lookup(t types.Type, addressable bool, name string) (obj types.Object, index []int) {
	check.Methods.RLock()
	defer check.Methods.RUnlock()
	if obj, index, _ = types.LookupFieldOrMethod(t, addressable, mainPkg, name); obj != nil || token.IsExported(name) {
		return obj, index
	}
	for _, pkg := range packagesOf(t, 0) {
		if obj, index, _ = types.LookupFieldOrMethod(t, addressable, pkg, name); obj != nil {
			return obj, index
		}
	}
	return nil, nil
}

// methodSet is the method set of a type.
func methodSet(t types.Type) *types.MethodSet {
	check.Methods.RLock()
	defer check.Methods.RUnlock()
	return types.NewMethodSet(t)
}

// missingMethod is a method of an interface that a type has not, nil for none.
func missingMethod(t types.Type, it *types.Interface) *types.Func {
	check.Methods.RLock()
	defer check.Methods.RUnlock()
	m, _ := types.MissingMethod(t, it, true)
	return m
}

// packagesOf lists the packages of a named type and of its embedded fields.
func packagesOf(t types.Type, depth int) (list []*types.Package) {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil {
		list = append(list, n.Obj().Pkg())
	}
	if st, ok := t.Underlying().(*types.Struct); ok && depth < 8 {
		for f := range st.Fields() {
			if f.Embedded() {
				list = append(list, packagesOf(f.Type(), depth+1)...)
			}
		}
	}
	return list
}

// Dispatch fills a variable with the function that calls a method by name on
// an interface value.
func (s *Session) Dispatch(name string, p any) {
	v := reflect.ValueOf(p).Elem()
	t := v.Type()
	v.Set(reflect.MakeFunc(t, func(args []reflect.Value) []reflect.Value {
		out := s.call(args[0].Interface(), name, args[1:], t.IsVariadic())
		return convertResults(out, t)
	}))
}

func convertResults(out []reflect.Value, t reflect.Type) []reflect.Value {
	for i := range out {
		if i < t.NumOut() && out[i].Type() != t.Out(i) {
			out[i] = retype(out[i], t.Out(i))
		}
	}
	return out
}

// call calls a method of an interface value.
func (s *Session) call(x any, name string, args []reflect.Value, variadic bool) []reflect.Value {
	x = s.A(x)
	if x == nil {
		panic(errNilDeref)
	}
	b, ok := unbox(x)
	if !ok {
		return s.callNative(reflect.ValueOf(x), name, args, variadic)
	}
	return s.callMethod(b, name, args, variadic)
}

// callNative calls a method of a compiled type. One that looks into values by
// reflection gets them as Go would show them.
func (s *Session) callNative(v reflect.Value, name string, args []reflect.Value, variadic bool) []reflect.Value {
	m := v.MethodByName(name)
	if !m.IsValid() && v.CanAddr() {
		m = v.Addr().MethodByName(name)
	}
	if !m.IsValid() {
		panic(fmt.Sprintf("no method %s on %s", name, v.Type()))
	}
	star, t := "", v.Type()
	if t.Kind() == reflect.Pointer {
		star, t = "*", t.Elem()
	}
	if path := t.PkgPath(); path != "" && s.env.Reflects(path) {
		show := s.Facade
		if lower.OnlyReads(fmt.Sprintf("(%s%s.%s).%s", star, path, t.Name(), name)) {
			show = s.FacadeCopy
		}
		for i, a := range args {
			if a.Kind() == reflect.Interface && a.NumMethod() == 0 && !a.IsNil() {
				x := show(a.Interface())
				args[i] = reflect.ValueOf(&x).Elem()
			}
		}
	}
	return callFunc(m, args, variadic)
}

func callFunc(f reflect.Value, args []reflect.Value, variadic bool) []reflect.Value {
	t := f.Type()
	for i := range args {
		in := t.In(min(i, t.NumIn()-1))
		if args[i].Type() != in && args[i].Kind() != reflect.Interface {
			args[i] = retype(args[i], in)
		}
	}
	if variadic {
		return f.CallSlice(args)
	}
	return f.Call(args)
}

// callMethod calls a method of a boxed value, found by go/types: its own or
// one of an embedded field.
func (s *Session) callMethod(b Box, name string, args []reflect.Value, variadic bool) []reflect.Value {
	obj, index := lookup(b.T.T, true, name)
	m, ok := obj.(*types.Func)
	if !ok {
		panic(fmt.Sprintf("no method %s on %s", name, TypeString(b.T.T)))
	}
	v, t := s.addressable(b), b.T.T
	for _, i := range index[:len(index)-1] {
		v, t = s.field(v, t, i)
	}
	if _, isIface := t.Underlying().(*types.Interface); isIface {
		return s.call(v.Interface(), name, args, variadic)
	}
	named := receiverNamed(m)
	if named == nil || !check.Interpreted(named.Obj().Pkg()) {
		return s.callNative(v, name, args, variadic)
	}
	f := s.impl(t, m, name)
	if ft := f.Type(); !variadic && !ft.IsVariadic() && ft.NumIn() != 1+len(args) {
		panic(fmt.Sprintf("method %s of %s has been declared again as %s: what called it by an interface or a value before must be declared again too",
			name, TypeString(b.T.T), strings.TrimPrefix(TypeString(m.Signature()), "func")))
	}
	return callFunc(f, append([]reflect.Value{s.receiver(v, t, m)}, args...), variadic)
}

// addressable gives the boxed value in memory of its own, so that fields can
// be reached by address.
func (s *Session) addressable(b Box) reflect.Value {
	v := reflect.ValueOf(b.V)
	if v.Kind() == reflect.Pointer {
		return v
	}
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	return c
}

// field selects field i of a struct or of what a pointer points to.
func (s *Session) field(v reflect.Value, t types.Type, i int) (reflect.Value, types.Type) {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
		if v.IsNil() {
			panic(errNilDeref)
		}
		v = v.Elem()
	}
	st := t.Underlying().(*types.Struct)
	return v.Field(i), st.Field(i).Type()
}

func receiverNamed(m *types.Func) *types.Named {
	t := types.Unalias(m.Signature().Recv().Type())
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	n, _ := t.(*types.Named)
	return n
}

// impl finds the function of a method of the named type that t is or points to.
func (s *Session) impl(t types.Type, m *types.Func, name string) reflect.Value {
	base := types.Unalias(t)
	if p, ok := base.(*types.Pointer); ok {
		base = types.Unalias(p.Elem())
	}
	id := s.table.ID(base)
	s.mu.Lock()
	f, ok := s.impls[implKey{id, name}]
	s.mu.Unlock()
	if !ok || f.IsNil() {
		panic(fmt.Sprintf("method %s is not in place", m.FullName()))
	}
	return f
}

// receiver makes the receiver that a method wants of a value or pointer.
func (s *Session) receiver(v reflect.Value, t types.Type, m *types.Func) reflect.Value {
	_, wantPtr := types.Unalias(m.Signature().Recv().Type()).(*types.Pointer)
	_, isPtr := t.Underlying().(*types.Pointer)
	switch {
	case wantPtr && !isPtr && v.CanAddr():
		return v.Addr()
	case !wantPtr && isPtr:
		if v.IsNil() {
			n := receiverNamed(m)
			panic(plainError(fmt.Sprintf("value method %s.%s called using nil *%s pointer", TypeString(n), m.Name(), n.Obj().Name())))
		}
		return v.Elem()
	}
	return v
}

// hasMethod reports whether a type has a method that can be called on a value
// in an interface.
func hasMethod(t types.Type, name string) bool {
	obj, _ := lookup(t, false, name)
	_, ok := obj.(*types.Func)
	if !ok {
		return false
	}
	return methodSet(t).Lookup(obj.Pkg(), name) != nil
}

// N stores x in a variable of a native interface type; a value of a cell type
// goes in by way of a wrapper that calls its methods.
func (s *Session) N(x, z any) {
	dst := reflect.ValueOf(z).Elem()
	if x = s.A(x); x == nil {
		dst.SetZero()
		return
	}
	b, ok := unbox(x)
	if !ok {
		dst.Set(reflect.ValueOf(x))
		return
	}
	if v := reflect.ValueOf(b.V); v.Type().Implements(dst.Type()) {
		dst.Set(v)
		return
	}
	if f := s.asFacade(b); f.Type().Implements(dst.Type()) {
		dst.Set(f)
		return
	}
	dst.Set(s.wrap(b, dst.Type()))
}

// wrap fills the wrapper of a native interface with the methods of a value.
func (s *Session) wrap(b Box, iface reflect.Type) reflect.Value {
	p, ok := symbols.Lookup(iface.PkgPath(), "_"+iface.Name())
	if !ok {
		panic(fmt.Sprintf("%s cannot be passed as %s: its interface has methods that only package %s can implement", TypeString(b.T.T), iface, iface.PkgPath()))
	}
	w := reflect.New(p.Type().Elem()).Elem()
	w.Field(0).Set(reflect.ValueOf(s.canon(b)))
	for i := 1; i < w.NumField(); i++ {
		name := w.Type().Field(i).Name[1:]
		ft := w.Type().Field(i).Type
		w.Field(i).Set(reflect.MakeFunc(ft, func(args []reflect.Value) []reflect.Value {
			if calledBack[name] {
				s.goOn()
			}
			return convertResults(s.callMethod(b, name, args, ft.IsVariadic()), ft)
		}))
	}
	return w
}

// E makes an error of an interface value that is one.
func (s *Session) E(x any) error {
	x = s.A(x)
	if x == nil {
		return nil
	}
	if b, ok := unbox(x); ok {
		if e, ok := s.asFacade(b).Interface().(error); ok {
			return e
		}
		return errBox{b}
	}
	return x.(error)
}

// Method stores the method value x.name where z points to.
func (s *Session) Method(x any, name string, z any) {
	if x == nil {
		panic(errNilDeref)
	}
	reflect.ValueOf(z).Elem().Set(reflect.ValueOf(x).MethodByName(name))
}

// Error calls the value's Error method.
func (b errBox) Error() string {
	return b.s.callMethod(b.Box, "Error", nil, false)[0].String()
}

// Unwrap calls the value's Unwrap method if it has the usual one.
func (b errBox) Unwrap() error {
	if !hasMethod(b.T.T, "Unwrap") {
		return nil
	}
	out := b.s.callMethod(b.Box, "Unwrap", nil, false)
	if len(out) != 1 {
		return nil
	}
	err, _ := out[0].Interface().(error)
	return err
}

// Is calls the value's Is method if it has one.
func (b errBox) Is(target error) bool {
	if !hasMethod(b.T.T, "Is") {
		return false
	}
	out := b.s.callMethod(b.Box, "Is", []reflect.Value{reflect.ValueOf(&target).Elem()}, false)
	return len(out) == 1 && out[0].Kind() == reflect.Bool && out[0].Bool()
}

// errorsIs is errors.Is. An error that a method has been added to since looks
// like another to package errors.
func (s *Session) errorsIs(err, target error) bool {
	if errors.Is(err, target) {
		return true
	}
	s.facadeMu.Lock()
	changed := len(s.facades.old) > 0
	s.facadeMu.Unlock()
	if !changed || target == nil {
		return false
	}
	for _, e := range chain(err) {
		if reflect.TypeOf(e).Comparable() && reflect.TypeOf(target).Comparable() && s.A(e) == s.A(target) {
			return true
		}
	}
	return false
}

// chain lists an error and those that it wraps.
func chain(err error) []error {
	if err == nil {
		return nil
	}
	list := []error{err}
	switch u := err.(type) {
	case interface{ Unwrap() error }:
		list = append(list, chain(u.Unwrap())...)
	case interface{ Unwrap() []error }:
		for _, e := range u.Unwrap() {
			list = append(list, chain(e)...)
		}
	}
	return list
}

// asTarget is the target of errors.As as the As method of an error sees it.
func (s *Session) asTarget(t *Type, target any) any {
	p := types.NewPointer(t.T)
	if !isCell(p) {
		return target
	}
	return Box{s.typeOf(p), target, s}
}

// AsType is errors.AsType for the type with a number; z may hold an older result.
func (s *Session) AsType(err error, id int, z any) bool {
	reflect.ValueOf(z).Elem().SetZero()
	return s.ErrorsAs(err, id, z)
}

// ErrorsAs is errors.As for a target of type id.
func (s *Session) ErrorsAs(err error, id int, target any) bool {
	return s.errorsAs(err, s.typ(id), target)
}

// ErrorsAsAny is errors.As for a target that is held in an interface.
func (s *Session) ErrorsAsAny(err error, target any) bool {
	b, ok := unbox(s.A(target))
	if !ok {
		return errors.As(err, target)
	}
	p, ok := b.T.T.Underlying().(*types.Pointer)
	if !ok || reflect.ValueOf(b.V).IsNil() {
		panic("errors: target must be a non-nil pointer")
	}
	if _, iface := p.Elem().Underlying().(*types.Interface); !iface && !isError(p.Elem()) {
		panic("errors: *target must be interface or implement error")
	}
	return s.errorsAs(err, s.typeOf(p.Elem()), b.V)
}

// isError reports a type whose values are errors.
func isError(t types.Type) bool {
	return missingMethod(t, errorIface) == nil
}

func (s *Session) errorsAs(err error, t *Type, target any) bool {
	for err != nil {
		if v, ok := s.match(err, t); ok {
			s.set(target, v)
			return true
		}
		if x, ok := err.(interface{ As(any) bool }); ok && x.As(s.asTarget(t, target)) {
			return true
		}
		switch u := err.(type) {
		case interface{ Unwrap() error }:
			err = u.Unwrap()
		case interface{ Unwrap() []error }:
			for _, e := range u.Unwrap() {
				if s.errorsAs(e, t, target) {
					return true
				}
			}
			return false
		default:
			return false
		}
	}
	return false
}
