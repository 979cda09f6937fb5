package tree

import (
	"fmt"
	"reflect"
	"strings"
)

// ForFields makes a specification whose maps stand for structs one that is a
// prefix of full: a map that meets a struct says something of the fields it
// names, and nil of all others. name is what an error calls the specification.
func ForFields(name string, spec any, full *Def) (any, error) {
	v := reflect.ValueOf(spec)
	switch {
	case spec == nil || full.kind == KindLeaf:
		return spec, nil
	case v.Kind() == reflect.Map && v.Type().Key().Kind() == reflect.String:
		if full.kind == KindStruct {
			return structFields(name, v, full)
		}
		out := make(map[string]any, v.Len())
		for _, k := range v.MapKeys() {
			e, err := below(name, v.MapIndex(k).Interface(), full, k.String())
			if err != nil {
				return nil, err
			}
			out[k.String()] = e
		}
		return out, nil
	case v.Kind() == reflect.Slice && v.Len() == len(full.children):
		out := reflect.MakeSlice(anySlice(v.Type()), v.Len(), v.Len())
		for i, c := range full.children {
			e, err := ForFields(name, v.Index(i).Interface(), c)
			if err != nil {
				return nil, err
			}
			if e != nil {
				out.Index(i).Set(reflect.ValueOf(e))
			}
		}
		return out.Interface(), nil
	}
	return spec, nil
}

// anySlice is the slice type of a specification whose entries may change type:
// a tuple stays one.
func anySlice(t reflect.Type) reflect.Type {
	if t == tupleType {
		return t
	}
	return reflect.TypeFor[[]any]()
}

// below is the specification of the child of full that is called key; a child
// that is not there is left to the comparison of the trees.
func below(name string, spec any, full *Def, key string) (any, error) {
	for i, k := range full.keys {
		if full.kind == KindDict && k.Name == key {
			return ForFields(name, spec, full.children[i])
		}
	}
	return spec, nil
}

func structFields(name string, spec reflect.Value, full *Def) (any, error) {
	left := map[string]any{}
	for _, k := range spec.MapKeys() {
		left[k.String()] = spec.MapIndex(k).Interface()
	}
	s := Struct{Type: full.typ}
	var names []string
	for i, c := range full.children {
		field := full.keys[i].Name
		if c.kind == KindStatic {
			s.Fields = append(s.Fields, Field{Name: field, Value: c.aux, static: true})
			continue
		}
		e, err := ForFields(name, left[field], c)
		if err != nil {
			return nil, err
		}
		names = append(names, field)
		delete(left, field)
		s.Fields = append(s.Fields, Field{Name: field, Value: e})
	}
	for field := range left {
		return nil, &PrefixError{fmt.Sprintf("%s names the field %s of %s, whose fields are %s", name, field, ClassName(full.typ), strings.Join(names, ", "))}
	}
	return s, nil
}
