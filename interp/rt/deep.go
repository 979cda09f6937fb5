package rt

import (
	"go/types"
	"reflect"
)

// deep boxes a list, map or struct without a name that holds pointers of cells in
// its interfaces: fmt shows what a pointer points to at the top only, and a box that
// fmt asks to print itself does not see how deep it is.
func (s *Session) deep(x any) any {
	v := reflect.ValueOf(x)
	switch v.Kind() {
	case reflect.Slice, reflect.Array, reflect.Map, reflect.Struct:
	default:
		return x
	}
	if v.Type().Name() != "" || !holdsPointers(v, 0) {
		return x
	}
	t := openType(v.Type(), 0)
	if t == nil {
		return x
	}
	return Box{s.typeOf(t), x, s}
}

// maxNesting bounds how deep pointers are looked for.
const maxNesting = 8

// holdsPointers reports whether an interface in a value holds a pointer of a cell.
func holdsPointers(v reflect.Value, depth int) bool {
	if depth > maxNesting || !mayHold(v.Type(), 0) {
		return false
	}
	switch v.Kind() {
	case reflect.Interface:
		if v.IsNil() {
			return false
		}
		if e := v.Elem(); e.CanInterface() {
			if b, ok := unbox(e.Interface()); ok {
				return reflect.ValueOf(b.V).Kind() == reflect.Pointer
			}
			return holdsPointers(e, depth+1)
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			if holdsPointers(v.Index(i), depth+1) {
				return true
			}
		}
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			if holdsPointers(it.Key(), depth+1) || holdsPointers(it.Value(), depth+1) {
				return true
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if holdsPointers(v.Field(i), depth+1) {
				return true
			}
		}
	}
	return false
}

// mayHold reports types of lists, maps and structs with interfaces in them.
func mayHold(t reflect.Type, depth int) bool {
	switch t.Kind() {
	case reflect.Interface:
		return t.NumMethod() == 0
	case reflect.Slice, reflect.Array:
		return depth < maxNesting && mayHold(t.Elem(), depth+1)
	case reflect.Map:
		return depth < maxNesting && (mayHold(t.Key(), depth+1) || mayHold(t.Elem(), depth+1))
	case reflect.Struct:
		if t.Name() != "" || depth >= maxNesting {
			return false
		}
		for i := range t.NumField() {
			if mayHold(t.Field(i).Type, depth+1) {
				return true
			}
		}
	}
	return false
}

// openType is the Go type of lists, maps and structs of basic types and of the empty
// interface, nil for others.
func openType(r reflect.Type, depth int) types.Type {
	if t := plainType(r); t != nil || depth > maxNesting || r.Name() != "" {
		return t
	}
	switch r.Kind() {
	case reflect.Slice:
		if e := openType(r.Elem(), depth+1); e != nil {
			return types.NewSlice(e)
		}
	case reflect.Array:
		if e := openType(r.Elem(), depth+1); e != nil {
			return types.NewArray(e, int64(r.Len()))
		}
	case reflect.Map:
		k, e := openType(r.Key(), depth+1), openType(r.Elem(), depth+1)
		if k != nil && e != nil {
			return types.NewMap(k, e)
		}
	case reflect.Struct:
		var fields []*types.Var
		var tags []string
		for i := range r.NumField() {
			f := r.Field(i)
			t := openType(f.Type, depth+1)
			if t == nil || f.PkgPath != "" || f.Anonymous {
				return nil
			}
			fields = append(fields, types.NewField(0, mainPkg, f.Name, t, false))
			tags = append(tags, string(f.Tag))
		}
		return types.NewStruct(fields, tags)
	}
	return nil
}
