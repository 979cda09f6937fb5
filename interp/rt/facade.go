package rt

import (
	"fmt"
	"go/types"
	"reflect"

	"gopherlo/interp/facade"
	"gopherlo/interp/lower"
)

// Packages that look into values by reflection get values of cell types as
// facades: types with the name, fields and methods that the cell declared, of
// the same layout in memory. A facade that comes back is a box again.

// facades is what a session has made.
type facades struct {
	defs map[int]*facade.Def // by number of the declared type
	old  []*facade.Def       // that have been replaced
	// unnamed are those of struct types without a name.
	unnamed []*facade.Def
	types   map[int]reflect.Type   // of types without a name
	back    map[reflect.Type]*Type // nil: no facade
	has     map[reflect.Type]bool  // types that hold plain interfaces
}

func newFacades() facades {
	return facades{
		defs: map[int]*facade.Def{}, types: map[int]reflect.Type{},
		back: map[reflect.Type]*Type{}, has: map[reflect.Type]bool{},
	}
}

// Facade is x as packages see it that look into values by reflection. What
// interfaces inside hold is replaced in place, so decoders may write into x.
func (s *Session) Facade(x any) any { return s.newWalker(false).facade(x) }

// FacadeCopy is Facade for calls that only read: what has to be replaced is
// replaced in a copy.
func (s *Session) FacadeCopy(x any) any { return s.newWalker(true).facade(x) }

// FacadeInto stores x in z with facades for the boxes that it holds.
func (s *Session) FacadeInto(x, z any) {
	reflect.ValueOf(z).Elem().Set(s.newWalker(true).walk(reflect.ValueOf(x)))
}

// TypeFor is reflect.TypeFor of the type with a number.
func (s *Session) TypeFor(id int) reflect.Type { return s.facadeType(s.typ(id).T, true) }

// visit is a pointer that has been copied.
type visit struct {
	p any
	t reflect.Type
}

// facade is x with the boxes that it is or holds replaced.
func (w *walker) facade(x any) any {
	was := reflect.TypeOf(x)
	if x = w.s.A(x); x == nil {
		return nil
	}
	b, ok := unbox(x)
	if !ok {
		v := reflect.ValueOf(x)
		if v.Kind() == reflect.Func && !v.IsNil() {
			return w.s.facadeFunc(v, v.Type()).Interface()
		}
		return w.walk(v).Interface()
	}
	v := reflect.ValueOf(b.V)
	f := w.s.facadeType(b.T.T, v.Kind() == reflect.Pointer && v.IsNil())
	if f != was {
		w.boxes++
	}
	if v.Kind() == reflect.Func && !v.IsNil() {
		return w.s.facadeFunc(v, f).Interface()
	}
	return w.walk(retype(v, f)).Interface()
}

// facadeFunc makes a function of facades of one of values in memory: what it
// gives in interfaces becomes facades.
func (s *Session) facadeFunc(f reflect.Value, t reflect.Type) reflect.Value {
	plain := true
	for i := range t.NumOut() {
		plain = plain && !s.holds(t.Out(i))
	}
	if plain {
		return retype(f, t)
	}
	return reflect.MakeFunc(t, func(args []reflect.Value) []reflect.Value {
		return s.results(callFunc(f, args, t.IsVariadic()), t)
	})
}

// results converts what a method or function of a cell gives.
func (s *Session) results(out []reflect.Value, t reflect.Type) []reflect.Value {
	out = convertResults(out, t)
	for i, v := range out {
		out[i] = s.newWalker(true).walk(v)
	}
	return out
}

// holds reports whether values of a type may hold plain interfaces where boxes
// can be.
func (s *Session) holds(t reflect.Type) bool {
	s.facadeMu.Lock()
	defer s.facadeMu.Unlock()
	var open []reflect.Type // found to hold none, if those around hold none
	h := s.holdsLocked(t, &open)
	if h {
		for _, t := range open {
			delete(s.facades.has, t)
		}
	}
	return h
}

func (s *Session) holdsLocked(t reflect.Type, open *[]reflect.Type) bool {
	switch t.Kind() {
	case reflect.Interface:
		return t.NumMethod() == 0
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
	case reflect.Struct:
		if t.PkgPath() != "" && !s.madeIn(t.PkgPath()) {
			return false
		}
	default:
		return false
	}
	if h, ok := s.facades.has[t]; ok {
		return h
	}
	s.facades.has[t] = false // while it is looked into
	h := false
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			h = h || s.holdsLocked(t.Field(i).Type, open)
		}
	case reflect.Map:
		h = s.holdsLocked(t.Key(), open) || s.holdsLocked(t.Elem(), open)
	default:
		h = s.holdsLocked(t.Elem(), open)
	}
	if h {
		s.facades.has[t] = true
	} else {
		*open = append(*open, t)
	}
	return h
}

// walker replaces the boxes in the interfaces that a value holds, in place or
// in copies.
type walker struct {
	s      *Session
	copies bool
	seen   map[visit]reflect.Value
	boxes  int // replaced so far
}

func (s *Session) newWalker(copies bool) *walker {
	return &walker{s: s, copies: copies, seen: map[visit]reflect.Value{}}
}

func (w *walker) walk(v reflect.Value) reflect.Value {
	if !w.s.holds(v.Type()) {
		return v
	}
	switch v.Kind() {
	case reflect.Interface:
		if v.IsNil() {
			return v
		}
		n := reflect.New(v.Type()).Elem()
		n.Set(reflect.ValueOf(w.facade(v.Elem().Interface())))
		return n
	case reflect.Pointer:
		return w.pointer(v)
	case reflect.Slice:
		return w.slice(v)
	case reflect.Map:
		return w.mapping(v)
	}
	if w.copies || !v.CanAddr() {
		n := reflect.New(v.Type()).Elem()
		n.Set(v)
		v = n
	}
	w.parts(v)
	return v
}

// parts replaces what an array or struct holds, in place.
func (w *walker) parts(v reflect.Value) {
	if v.Kind() == reflect.Array {
		for i := range v.Len() {
			w.replace(v.Index(i), v.Index(i))
		}
		return
	}
	for i := range v.NumField() {
		if f := v.Field(i); w.s.holds(f.Type()) {
			f = reflect.NewAt(f.Type(), f.Addr().UnsafePointer()).Elem()
			w.replace(f, f)
		}
	}
}

// replace sets a place to what v becomes. In place, where goroutines of the cell may
// be reading, what holds no boxes is not written.
func (w *walker) replace(place, v reflect.Value) {
	before := w.boxes
	if e := w.walk(v); w.copies || w.boxes != before {
		place.Set(e)
	}
}

func (w *walker) pointer(v reflect.Value) reflect.Value {
	if v.IsNil() {
		return v
	}
	k := visit{v.UnsafePointer(), v.Type()}
	if n, ok := w.seen[k]; ok {
		return n
	}
	if !w.copies {
		w.seen[k] = v
		if before, e := w.boxes, w.walk(v.Elem()); e.Kind() == reflect.Interface && w.boxes != before {
			v.Elem().Set(e)
		}
		return v
	}
	n := reflect.New(v.Type().Elem())
	w.seen[k] = n.Convert(v.Type())
	n.Elem().Set(w.walk(v.Elem()))
	return w.seen[k]
}

func (w *walker) slice(v reflect.Value) reflect.Value {
	if v.IsNil() {
		return v
	}
	n := v
	if w.copies {
		n = reflect.MakeSlice(v.Type(), v.Len(), v.Len())
	} else {
		k := visit{v.UnsafePointer(), v.Type()}
		if _, ok := w.seen[k]; ok {
			return v
		}
		w.seen[k] = v
	}
	for i := range v.Len() {
		w.replace(n.Index(i), v.Index(i))
	}
	return n
}

func (w *walker) mapping(v reflect.Value) reflect.Value {
	if v.IsNil() {
		return v
	}
	n := v
	if w.copies {
		n = reflect.MakeMapWithSize(v.Type(), v.Len())
	} else {
		k := visit{v.UnsafePointer(), v.Type()}
		if _, ok := w.seen[k]; ok {
			return v
		}
		w.seen[k] = v
	}
	// Goroutines of the cell may read a map in place meanwhile: what holds no boxes is not
	// written.
	var keys, elems []reflect.Value
	for i := v.MapRange(); i.Next(); {
		k, before := i.Key(), w.boxes
		e := w.walk(i.Value())
		switch {
		case w.copies:
			n.SetMapIndex(w.walk(k), e)
		case w.boxes != before && k.Equal(k): // there is no way to a NaN
			keys, elems = append(keys, k), append(elems, e)
		}
	}
	for i, k := range keys {
		n.SetMapIndex(k, elems[i])
	}
	return n
}

// facadeType is the facade of a type. top allows forms that values inside
// others do not have.
func (s *Session) facadeType(t types.Type, top bool) reflect.Type {
	s.facadeMu.Lock()
	defer s.facadeMu.Unlock()
	if !top {
		return s.facadeOf(t)
	}
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		if it := s.ifaceType(p.Elem()); it != nil {
			return reflect.PointerTo(it)
		}
	}
	if it := s.ifaceType(t); it != nil {
		return it
	}
	return s.facadeOf(t)
}

// ifaceType is an interface of a cell as a type alone.
func (s *Session) ifaceType(t types.Type) reflect.Type {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || !isCell(n) {
		return nil
	}
	it, ok := n.Underlying().(*types.Interface)
	if !ok || it.NumMethods() == 0 {
		return nil
	}
	id := -1 - s.table.ID(n)
	if r, ok := s.facades.types[id]; ok {
		return r
	}
	methods := make([]facade.IMethod, it.NumMethods())
	for i := range methods {
		m := it.Method(i)
		methods[i] = facade.IMethod{Name: m.Name(), Type: s.facadeIn(m.Type())}
	}
	r := facade.NewInterface(TypeString(n), s.pathOf(n), methods)
	s.facades.types[id] = r
	return r
}

// facadeIn is the facade of a type within another.
func (s *Session) facadeIn(t types.Type) reflect.Type {
	if n, ok := types.Unalias(t).(*types.Named); ok && isCell(n) && lower.Erased(n) {
		return anyR
	}
	return s.facadeOf(t)
}

func (s *Session) facadeOf(t types.Type) reflect.Type {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		if isCell(t) {
			return s.facadeNamed(t)
		}
	case *types.Pointer:
		return reflect.PointerTo(s.facadeIn(t.Elem()))
	case *types.Slice:
		return reflect.SliceOf(s.facadeIn(t.Elem()))
	case *types.Array:
		return reflect.ArrayOf(int(t.Len()), s.facadeIn(t.Elem()))
	case *types.Map:
		return reflect.MapOf(s.facadeIn(t.Key()), s.facadeIn(t.Elem()))
	case *types.Chan:
		return reflect.ChanOf(chanDirs[t.Dir()], s.facadeIn(t.Elem()))
	case *types.Signature:
		return s.facadeSignature(t)
	case *types.Struct:
		return s.facadeStruct(t)
	}
	return s.RType(t)
}

func (s *Session) facadeSignature(t *types.Signature) reflect.Type {
	in, out := make([]reflect.Type, t.Params().Len()), make([]reflect.Type, t.Results().Len())
	for i := range in {
		in[i] = s.facadeIn(t.Params().At(i).Type())
	}
	for i := range out {
		out[i] = s.facadeIn(t.Results().At(i).Type())
	}
	return reflect.FuncOf(in, out, t.Variadic())
}

func (s *Session) facadeStruct(t *types.Struct) reflect.Type {
	mem := s.RType(t)
	if t.NumFields() == 0 {
		return mem
	}
	id := s.table.ID(t)
	if r, ok := s.facades.types[id]; ok {
		return r
	}
	d := facade.New(mem, TypeString(t), "")
	s.facades.types[id] = d.Type()
	s.facades.back[d.Type()] = s.typeOf(t)
	s.facades.back[reflect.PointerTo(d.Type())] = s.typeOf(types.NewPointer(t))
	s.facadeMade.Store(true)
	s.facades.unnamed = append(s.facades.unnamed, d)
	d.SetFields("main", s.facadeFields(t))
	s.facadeMethods(d, t)
	return d.Type()
}

func (s *Session) facadeFields(t *types.Struct) []facade.Field {
	fields := make([]facade.Field, t.NumFields())
	for i := range fields {
		f := t.Field(i)
		fields[i] = facade.Field{Name: f.Name(), Type: s.facadeIn(f.Type()), Tag: t.Tag(i), Embedded: f.Embedded()}
	}
	return fields
}

// pathOf is the package path of a type that gets a facade.
func (s *Session) pathOf(n *types.Named) string {
	path := n.Obj().Pkg().Path()
	if path != mainPkg.Path() {
		s.facadePaths.Store(path, nil)
	}
	return path
}

// madeIn reports whether types with facades are declared in a package.
func (s *Session) madeIn(path string) bool {
	if path == mainPkg.Path() {
		return true
	}
	_, ok := s.facadePaths.Load(path)
	return ok
}

// facadeNamed makes the facade of a declared type, once.
func (s *Session) facadeNamed(t *types.Named) reflect.Type {
	info := s.typeOf(t)
	if d := s.facades.defs[info.ID]; d != nil {
		return d.Type()
	}
	st, isStruct := t.Underlying().(*types.Struct)
	isStruct = isStruct && lower.NativeBase(t) == nil
	var base reflect.Type
	_, isIface := t.Underlying().(*types.Interface)
	switch {
	case isStruct:
		base = s.memory(info)
	case isIface:
		base = anyR
	case lower.Erased(t):
		base = s.RType(t.Underlying())
	default:
		base = s.facadeOf(t.Underlying())
	}
	d := facade.New(base, TypeString(t), s.pathOf(t))
	s.facades.defs[info.ID] = d
	s.facades.back[d.Type()] = info
	s.facades.back[reflect.PointerTo(d.Type())] = s.typeOf(types.NewPointer(t))
	s.facadeMade.Store(true)
	if isStruct {
		d.SetFields(s.pathOf(t), s.facadeFields(st))
	}
	if !isIface {
		s.facadeMethods(d, t)
	}
	return d.Type()
}

// facadeMethods gives a facade the methods of its type, those of embedded
// fields too.
func (s *Session) facadeMethods(d *facade.Def, t types.Type) {
	ptr := types.NewPointer(t)
	ofValue, all := methodSet(t), methodSet(ptr)
	var methods []facade.Method
	for i := range all.Len() {
		m := all.At(i).Obj()
		if !m.Exported() {
			continue
		}
		ft := s.facadeSignature(m.Type().(*types.Signature))
		methods = append(methods, facade.Method{
			Name: m.Name(), Type: ft, Pointer: ofValue.Lookup(m.Pkg(), m.Name()) == nil,
			Call: func(recv reflect.Value, args []reflect.Value) []reflect.Value {
				b, ok := s.fromFacade(recv.Interface())
				if !ok {
					panic(fmt.Sprintf("method %s on %s", m.Name(), recv.Type()))
				}
				if calledBack[m.Name()] {
					s.goOn()
				}
				return s.results(s.callMethod(b, m.Name(), args, ft.IsVariadic()), ft)
			},
		})
	}
	if err := d.SetMethods(methods); err != nil {
		panic(plainError(TypeString(t) + ": " + err.Error()))
	}
}

// fromFacade boxes a value whose type is a facade.
func (s *Session) fromFacade(x any) (Box, bool) {
	r := reflect.TypeOf(x)
	switch r.Kind() {
	case reflect.Struct, reflect.Pointer, reflect.Slice, reflect.Map, reflect.Array, reflect.Func, reflect.Chan:
	default:
		if !s.madeIn(r.PkgPath()) {
			return Box{}, false
		}
	}
	s.facadeMu.Lock()
	t, ok := s.facades.back[r]
	if !ok {
		if g := s.goType(r, 0); g != nil {
			t = s.typeOf(g)
		}
		s.facades.back[r] = t
	}
	s.facadeMu.Unlock()
	if t == nil {
		return Box{}, false
	}
	v := reflect.ValueOf(x)
	mem := s.memory(t)
	if n, ok := types.Unalias(t.T).(*types.Named); ok && lower.Erased(n) {
		mem = s.RType(n.Underlying())
	}
	return Box{t, retype(v, mem).Interface(), s}, true
}

// goType is the type that a composite of facades stands for; nil when there is
// no facade in it.
func (s *Session) goType(r reflect.Type, depth int) types.Type {
	if t := s.facades.back[r]; t != nil {
		return t.T
	}
	if depth > 8 || r.Name() != "" {
		return nil
	}
	elem := func() types.Type { return s.goType(r.Elem(), depth+1) }
	switch r.Kind() {
	case reflect.Pointer:
		if e := elem(); e != nil {
			return types.NewPointer(e)
		}
	case reflect.Slice:
		if e := elem(); e != nil {
			return types.NewSlice(e)
		}
	case reflect.Array:
		if e := elem(); e != nil {
			return types.NewArray(e, int64(r.Len()))
		}
	case reflect.Map:
		return s.goMap(r, depth)
	case reflect.Func:
		return s.goFunc(r, depth)
	}
	return nil
}

func (s *Session) goFunc(r reflect.Type, depth int) types.Type {
	found := false
	tuple := func(n int, at func(int) reflect.Type) *types.Tuple {
		vars := make([]*types.Var, n)
		for i := range vars {
			t := s.goType(at(i), depth+1)
			if t == nil {
				t = plainType(at(i))
			} else {
				found = true
			}
			if t == nil {
				return nil
			}
			vars[i] = types.NewParam(0, nil, "", t)
		}
		return types.NewTuple(vars...)
	}
	in, out := tuple(r.NumIn(), r.In), tuple(r.NumOut(), r.Out)
	if !found || in == nil && r.NumIn() > 0 || out == nil && r.NumOut() > 0 {
		return nil
	}
	return types.NewSignatureType(nil, nil, nil, in, out, r.IsVariadic())
}

func (s *Session) goMap(r reflect.Type, depth int) types.Type {
	k, e := s.goType(r.Key(), depth+1), s.goType(r.Elem(), depth+1)
	if k == nil && e == nil {
		return nil
	}
	if k == nil {
		k = plainType(r.Key())
	}
	if e == nil {
		e = plainType(r.Elem())
	}
	if k == nil || e == nil {
		return nil
	}
	return types.NewMap(k, e)
}

// plainType is a basic type or the empty interface.
func plainType(r reflect.Type) types.Type {
	if r == anyR {
		return types.NewInterfaceType(nil, nil)
	}
	for k, b := range basicTypes {
		if b == r && types.Typ[k].Info()&types.IsUntyped == 0 && k != types.UnsafePointer {
			return types.Typ[k]
		}
	}
	return nil
}

// newMethod sees to it that a method which a cell has added is seen: the type
// gets another facade.
func (s *Session) newMethod(id int, name string) {
	s.facadeMu.Lock()
	defer s.facadeMu.Unlock()
	d := s.facades.defs[id]
	if d == nil {
		return
	}
	if _, ok := reflect.PointerTo(d.Type()).MethodByName(name); ok {
		return
	}
	for _, d := range s.facades.defs {
		s.facades.old = append(s.facades.old, d)
	}
	clear(s.facades.defs)
	clear(s.facades.types)
	clear(s.facades.has)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range s.types {
		t.f.Store(nil)
	}
}

// asFacade is the boxed value as a facade, what it holds as it is.
func (s *Session) asFacade(b Box) reflect.Value {
	f := b.T.f.Load()
	if f == nil {
		t := s.facadeType(b.T.T, false)
		f = &t
		b.T.f.Store(f)
	}
	return retype(reflect.ValueOf(b.V), *f)
}

// freeFacades gives back the room of the methods.
func (s *Session) freeFacades() {
	s.facadeMu.Lock()
	defer s.facadeMu.Unlock()
	for _, d := range s.facades.defs {
		d.Free()
	}
	for _, d := range append(s.facades.old, s.facades.unnamed...) {
		d.Free()
	}
	s.facades.defs, s.facades.old, s.facades.unnamed = map[int]*facade.Def{}, nil, nil
}
