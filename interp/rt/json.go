package rt

import (
	"encoding/json"
	"go/types"
	"reflect"
	"strings"
	"unsafe"
)

// MarshalJSON encodes the value as encoding/json would in Go: boxes get to
// encoders by way of packages that keep values in interfaces.
func (b Box) MarshalJSON() ([]byte, error) { return json.Marshal(b.s.FacadeCopy(b)) }

// unmarshal is json.Unmarshal.
func (s *Session) unmarshal(data []byte, v any) error {
	return s.decoded(v, func() error { return json.Unmarshal(data, v) })
}

// decoded calls a function of package json that writes to where v points. An
// interface of a cell that has methods is empty to the package, which puts maps
// and numbers there; in Go that is an error, and what was there stays.
func (s *Session) decoded(v any, decode func() error) error {
	target := reflect.ValueOf(v)
	if target.Kind() != reflect.Pointer || target.IsNil() || !s.facadeMade.Load() || !s.hasSlots(target.Type()) {
		return decode()
	}
	d := &slots{s: s, before: map[unsafe.Pointer]reflect.Value{}, seen: map[visit]bool{}}
	d.visit = func(slot reflect.Value, _ string, _ []string) {
		old := reflect.New(slot.Type()).Elem()
		old.Set(slot)
		d.before[slot.Addr().UnsafePointer()] = old
	}
	d.walk(target, "", nil)
	err := decode()
	clear(d.seen)
	d.visit, d.decoded = d.restore, true
	d.walk(target, "", nil)
	if err == nil && d.wrong != nil {
		return d.wrong
	}
	return err
}

// hasSlots reports whether values of a facade may hold interfaces of cells that
// have methods.
func (s *Session) hasSlots(t reflect.Type) bool {
	known, ok := s.slots.Load(t)
	if !ok {
		s.facadeMu.Lock()
		known = s.findSlots(t, map[reflect.Type]bool{})
		s.facadeMu.Unlock()
		s.slots.Store(t, known)
	}
	return known.(bool)
}

func (s *Session) findSlots(t reflect.Type, seen map[reflect.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Interface:
		return s.isSlotLocked(t)
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		return s.findSlots(t.Elem(), seen)
	case reflect.Struct:
		for f := range t.Fields() {
			if s.findSlots(f.Type, seen) {
				return true
			}
		}
	}
	return false
}

func (s *Session) isSlotLocked(t reflect.Type) bool {
	g := s.facades.back[t]
	if g == nil {
		return false
	}
	it, ok := g.T.Underlying().(*types.Interface)
	return ok && it.NumMethods() > 0
}

// slots walks over interfaces of cells that have methods.
type slots struct {
	s      *Session
	visit  func(slot reflect.Value, in string, path []string)
	before map[unsafe.Pointer]reflect.Value
	seen   map[visit]bool
	// decoded tells that the walk is that after the decoder.
	decoded  bool
	restored int // interfaces so far
	wrong    error
}

// walk looks through a value that is reached by the fields of path, the last of
// them in a struct named in.
func (d *slots) walk(v reflect.Value, in string, path []string) {
	if !d.s.hasSlots(v.Type()) {
		return
	}
	switch v.Kind() {
	case reflect.Interface:
		if v.CanAddr() {
			d.visit(v, in, path)
		}
	case reflect.Pointer:
		k := visit{v.UnsafePointer(), v.Type()}
		if !v.IsNil() && !d.seen[k] {
			d.seen[k] = true
			d.walk(v.Elem(), in, path)
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			d.walk(v.Index(i), in, path)
		}
	case reflect.Map:
		if d.decoded { // a decoder does not write to what is in a map before
			d.elements(v, in, path)
		}
	case reflect.Struct:
		d.fields(v, in, path)
	}
}

// elements looks through those of a map, which goroutines of the cell may read
// meanwhile: only what is restored is written.
func (d *slots) elements(m reflect.Value, in string, path []string) {
	restored := reflect.MakeMap(m.Type())
	for i := m.MapRange(); i.Next(); {
		e := reflect.New(m.Type().Elem()).Elem()
		e.Set(i.Value())
		before := d.restored
		if d.walk(e, in, path); d.restored > before {
			restored.SetMapIndex(i.Key(), e)
		}
	}
	for i := restored.MapRange(); i.Next(); {
		m.SetMapIndex(i.Key(), i.Value())
	}
}

func (d *slots) fields(v reflect.Value, in string, path []string) {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		owner := v.Type().Name()
		if f.Anonymous && name == "" && in != "" {
			owner = in
		}
		if name == "" {
			name = f.Name
		}
		embedded := f.Anonymous && f.Type.Kind() == reflect.Struct
		if (f.IsExported() || embedded) && name != "-" {
			d.walk(v.Field(i), owner, append(path[:len(path):len(path)], name))
		}
	}
}

// restore puts back what the decoder has replaced by a value without methods.
func (d *slots) restore(slot reflect.Value, in string, path []string) {
	if slot.IsNil() {
		return
	}
	kind := ""
	switch slot.Elem().Interface().(type) {
	case map[string]any:
		kind = "object"
	case []any:
		kind = "array"
	case float64, json.Number:
		kind = "number"
	case string:
		kind = "string"
	case bool:
		kind = "bool"
	default:
		return
	}
	d.restored++
	t := slot.Type()
	if old, ok := d.before[slot.Addr().UnsafePointer()]; ok {
		slot.Set(old)
	} else {
		slot.SetZero()
	}
	if d.wrong == nil {
		d.wrong = &json.UnmarshalTypeError{Value: kind, Type: t, Struct: in, Field: strings.Join(path, ".")}
	}
}
