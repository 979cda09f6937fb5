package rt

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/types"
	"io"
	"reflect"
)

// JSON of cell types goes by shadows: values of types made by reflection that
// have the exported names, tags and embedded structs of the Go type, which
// yaegi's own types lack.

func (s *Session) jsonSymbols() map[string]any {
	return map[string]any{
		"Marshal": func(v any) ([]byte, error) { return json.Marshal(s.A(v)) },
		"MarshalIndent": func(v any, prefix, indent string) ([]byte, error) {
			return json.MarshalIndent(s.A(v), prefix, indent)
		},
		"Unmarshal":  func(data []byte, v any) error { return json.Unmarshal(data, s.PB(s.A(v))) },
		"NewDecoder": func(r io.Reader) *json.Decoder { return json.NewDecoder(r) },
	}
}

// MarshalJSON encodes the value as encoding/json would in Go.
func (b Box) MarshalJSON() ([]byte, error) {
	if hasMethod(b.T.T, "MarshalJSON") {
		out := b.s.callMethod(b, "MarshalJSON", nil, false)
		err, _ := out[1].Interface().(error)
		return out[0].Bytes(), err
	}
	if hasMethod(b.T.T, "MarshalText") {
		out := b.s.callMethod(b, "MarshalText", nil, false)
		if err, _ := out[1].Interface().(error); err != nil {
			return nil, err
		}
		return json.Marshal(string(out[0].Bytes()))
	}
	c := &shadows{s: b.s}
	v := reflect.ValueOf(b.V)
	t := c.typ(b.T.T, v.Type())
	dst := reflect.New(t).Elem()
	c.fill(b.T.T, v, dst)
	return json.Marshal(dst.Interface())
}

// UnmarshalJSON decodes into what the boxed pointer points to.
func (b *Box) UnmarshalJSON(data []byte) error {
	p, ok := b.T.T.Underlying().(*types.Pointer)
	v := reflect.ValueOf(b.V)
	if !ok || v.IsNil() {
		return &json.InvalidUnmarshalError{Type: reflect.TypeOf(b.V)}
	}
	return b.s.decode(data, p.Elem(), v.Elem())
}

func (s *Session) decode(data []byte, t types.Type, v reflect.Value) error {
	if v.CanAddr() && hasMethod(types.NewPointer(t), "UnmarshalJSON") && isCell(t) {
		box := Box{s.typeOf(types.NewPointer(t)), v.Addr().Interface(), s}
		out := s.callMethod(box, "UnmarshalJSON", []reflect.Value{reflect.ValueOf(data)}, false)
		err, _ := out[0].Interface().(error)
		return err
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		if bytes.Equal(bytes.TrimSpace(data), []byte("null")) {
			v.SetZero()
			return nil
		}
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		return s.decode(data, p.Elem(), v.Elem())
	}
	c := &shadows{s: s, decoding: true, top: true}
	st := c.typ(t, v.Type())
	dst := reflect.New(st)
	c.fill(t, v, dst.Elem())
	if err := json.Unmarshal(data, dst.Interface()); err != nil {
		return err
	}
	return c.back(t, dst.Elem(), v)
}

// shadows makes shadow types and moves values between them and yaegi's.
type shadows struct {
	s        *Session
	decoding bool
	top      bool
	within   []types.Type // named types around, to stop at recursion
}

var (
	anyR = reflect.TypeOf((*any)(nil)).Elem()
	rawR = reflect.TypeOf(json.RawMessage(nil))
)

// opaque reports types that are encoded on their own: with methods for it, or
// already being encoded further out.
func (c *shadows) opaque(t types.Type) bool {
	top := c.top
	c.top = false
	if top || !isCell(t) {
		return false
	}
	for _, m := range []string{"MarshalJSON", "MarshalText", "UnmarshalJSON", "UnmarshalText"} {
		if hasMethod(t, m) || hasMethod(types.NewPointer(t), m) {
			return true
		}
	}
	for _, w := range c.within {
		if types.Identical(w, t) {
			return true
		}
	}
	return false
}

func (c *shadows) hole() reflect.Type {
	if c.decoding {
		return rawR
	}
	return anyR
}

// typ makes the shadow of type t, whose values look like r in memory.
func (c *shadows) typ(t types.Type, r reflect.Type) reflect.Type {
	if c.opaque(t) {
		return c.hole()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		if !isCell(n) {
			return r
		}
		c.within = append(c.within, n)
		defer func() { c.within = c.within[:len(c.within)-1] }()
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		return c.structType(u, r)
	case *types.Pointer:
		if isCell(u.Elem()) || r.Elem().Kind() == reflect.Struct {
			return reflect.PointerTo(c.typ(u.Elem(), r.Elem()))
		}
	case *types.Slice:
		return reflect.SliceOf(c.typ(u.Elem(), r.Elem()))
	case *types.Array:
		return reflect.ArrayOf(int(u.Len()), c.typ(u.Elem(), r.Elem()))
	case *types.Map:
		return reflect.MapOf(r.Key(), c.typ(u.Elem(), r.Elem()))
	case *types.Interface:
		return anyR
	}
	return r
}

func (c *shadows) structType(u *types.Struct, r reflect.Type) reflect.Type {
	var fields []reflect.StructField
	for i := range u.NumFields() {
		f := u.Field(i)
		if !shown(f) {
			continue
		}
		name := f.Name()
		if !f.Exported() {
			name = "X" + name
		}
		_, isStruct := f.Type().Underlying().(*types.Struct)
		fields = append(fields, reflect.StructField{
			Name: name, Type: c.typ(f.Type(), r.Field(i).Type), Tag: reflect.StructTag(u.Tag(i)),
			Anonymous: f.Embedded() && isStruct,
		})
	}
	return reflect.StructOf(fields)
}

// shown reports fields that encoding/json looks at.
func shown(f *types.Var) bool {
	_, isStruct := f.Type().Underlying().(*types.Struct)
	return f.Exported() || f.Embedded() && isStruct
}

// fill copies a value into its shadow.
func (c *shadows) fill(t types.Type, v, dst reflect.Value) {
	if dst.Type() == rawR && isCell(t) {
		return
	}
	if dst.Kind() == reflect.Interface {
		c.fillAny(t, v, dst)
		return
	}
	if dst.Type() == v.Type() {
		dst.Set(v)
		return
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		k := 0
		for i := range u.NumFields() {
			if f := u.Field(i); shown(f) {
				c.fill(f.Type(), v.Field(i), dst.Field(k))
				k++
			}
		}
	case *types.Pointer:
		if !v.IsNil() {
			dst.Set(reflect.New(dst.Type().Elem()))
			c.fill(u.Elem(), v.Elem(), dst.Elem())
		}
	case *types.Slice:
		if !v.IsNil() {
			dst.Set(reflect.MakeSlice(dst.Type(), v.Len(), v.Len()))
			c.fillEach(u.Elem(), v, dst)
		}
	case *types.Array:
		c.fillEach(u.Elem(), v, dst)
	case *types.Map:
		if !v.IsNil() {
			dst.Set(reflect.MakeMap(dst.Type()))
			for _, k := range v.MapKeys() {
				e := reflect.New(dst.Type().Elem()).Elem()
				c.fill(u.Elem(), v.MapIndex(k), e)
				dst.SetMapIndex(k, e)
			}
		}
	}
}

func (c *shadows) fillEach(t types.Type, v, dst reflect.Value) {
	for i := range v.Len() {
		c.fill(t, v.Index(i), dst.Index(i))
	}
}

// fillAny puts a value that encodes itself into an interface.
func (c *shadows) fillAny(t types.Type, v, dst reflect.Value) {
	if v.Kind() == reflect.Interface {
		if !v.IsNil() {
			dst.Set(reflect.ValueOf(c.s.A(v.Interface())))
		}
		return
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Slice:
		if v.IsNil() {
			return
		}
	}
	dst.Set(reflect.ValueOf(c.s.canon(Box{c.s.typeOf(t), v.Interface(), c.s})))
}

// back copies a decoded shadow into the value.
func (c *shadows) back(t types.Type, src, v reflect.Value) error {
	if src.Type() == rawR && isCell(t) {
		if src.Len() == 0 {
			return nil
		}
		return c.s.decode(src.Bytes(), t, v)
	}
	if src.Type() == v.Type() || src.Kind() == reflect.Interface {
		if src.Type().AssignableTo(v.Type()) {
			v.Set(src)
			return nil
		}
		return fmt.Errorf("json: cannot unmarshal into %s", TypeString(t))
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		k := 0
		for i := range u.NumFields() {
			if f := u.Field(i); shown(f) {
				if err := c.back(f.Type(), src.Field(k), v.Field(i)); err != nil {
					return err
				}
				k++
			}
		}
	case *types.Pointer:
		return c.backPointer(u, src, v)
	case *types.Slice:
		if src.IsNil() {
			v.SetZero()
			return nil
		}
		v.Set(reflect.MakeSlice(v.Type(), src.Len(), src.Len()))
		return c.backEach(u.Elem(), src, v)
	case *types.Array:
		return c.backEach(u.Elem(), src, v)
	case *types.Map:
		return c.backMap(u, src, v)
	}
	return nil
}

func (c *shadows) backPointer(u *types.Pointer, src, v reflect.Value) error {
	if src.IsNil() {
		v.SetZero()
		return nil
	}
	if v.IsNil() {
		v.Set(reflect.New(v.Type().Elem()))
	}
	return c.back(u.Elem(), src.Elem(), v.Elem())
}

func (c *shadows) backEach(t types.Type, src, v reflect.Value) error {
	for i := range src.Len() {
		if err := c.back(t, src.Index(i), v.Index(i)); err != nil {
			return err
		}
	}
	return nil
}

func (c *shadows) backMap(u *types.Map, src, v reflect.Value) error {
	if src.IsNil() {
		v.SetZero()
		return nil
	}
	v.Set(reflect.MakeMap(v.Type()))
	for _, k := range src.MapKeys() {
		e := reflect.New(v.Type().Elem()).Elem()
		if err := c.back(u.Elem(), src.MapIndex(k), e); err != nil {
			return err
		}
		v.SetMapIndex(k, e)
	}
	return nil
}
