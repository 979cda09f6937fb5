package tree

import (
	"fmt"
	"reflect"
	"strings"
)

// Convert makes a value of type to from a leaf that is not assignable to it, such
// as a float64 from an array. A nil leaf stands for Python's None.
type Convert func(leaf any, to reflect.Type) (reflect.Value, error)

// BuildError tells which part of a tree does not fit where it should go.
type BuildError struct {
	Path   Path
	Reason string
}

func (e *BuildError) Error() string {
	if len(e.Path) == 0 {
		return e.Reason
	}
	return "at " + e.Path.String() + ": " + e.Reason
}

// Unflatten puts a tree together. Containers have their Go types where the
// leaves fit, else general ones: []any, map[string]any, [Struct].
func (d *Def) Unflatten(leaves []any) any {
	if err := d.checkCount(leaves); err != nil {
		panic(err)
	}
	v, _ := d.loose(leaves)
	return v
}

// checkCount complains about a wrong number of leaves in JAX's words.
func (d *Def) checkCount(leaves []any) error {
	switch n := len(leaves); {
	case n < d.leaves:
		return &BuildError{Reason: fmt.Sprintf("Too few leaves for PyTreeDef; expected %d, got %d", d.leaves, n)}
	case n > d.leaves:
		return &BuildError{Reason: fmt.Sprintf("Too many leaves for PyTreeDef; expected %d.", d.leaves)}
	}
	return nil
}

// loose builds without places to fit: leaves as they are.
func (d *Def) loose(leaves []any) (any, []any) {
	switch d.kind {
	case KindLeaf:
		return leaves[0], leaves[1:]
	case KindNone:
		return nil, leaves
	case KindStatic:
		return d.reboxed(d.aux), leaves
	}
	children := make([]any, len(d.children))
	for i, c := range d.children {
		children[i], leaves = c.loose(leaves)
	}
	if d.kind == KindCustom {
		v := d.custom.Unflatten(d.aux, children)
		if _, ok := v.(Boxed); ok {
			return v, leaves
		}
		return d.reboxed(v), leaves
	}
	vals := make([]reflect.Value, len(children))
	for i, c := range children {
		vals[i] = reflect.ValueOf(c)
	}
	if v, ok := d.typed(vals); ok {
		return d.reboxed(v.Interface()), leaves
	}
	return d.general(children), leaves
}

// reboxed puts a value into the box that the flattened one came from.
func (d *Def) reboxed(v any) any {
	if d.box != nil {
		return d.box.Reboxed(v)
	}
	return v
}

func (d *Def) general(children []any) any {
	switch d.kind {
	case KindTuple:
		return Tuple(children)
	case KindList:
		return children
	case KindDict:
		m := make(map[string]any, len(children))
		for i, c := range children {
			m[d.keys[i].Name] = c
		}
		return m
	}
	s := Struct{Type: d.typ}
	for i, c := range children {
		s.Fields = append(s.Fields, Field{d.keys[i].Name, c, d.children[i].kind == KindStatic})
	}
	return s
}

// typed puts children into a container of d's own type; false if one does not
// fit.
func (d *Def) typed(children []reflect.Value) (reflect.Value, bool) {
	switch d.kind {
	case KindTuple, KindList:
		return typedSequence(d.typ, children)
	case KindDict:
		m := reflect.MakeMapWithSize(d.typ, len(children))
		for i, c := range children {
			c, ok := fit(c, d.typ.Elem())
			if !ok {
				return m, false
			}
			m.SetMapIndex(reflect.ValueOf(d.keys[i].Name).Convert(d.typ.Key()), c)
		}
		return m, true
	}
	st := derefStruct(d.typ)
	p := reflect.New(st)
	for i, fd := range fieldsOf(st) {
		c, ok := fit(children[i], fd.typ)
		if !ok {
			return p, false
		}
		open(p.Elem(), fd.index).Set(c)
	}
	if d.typ.Kind() == reflect.Pointer {
		return p, true
	}
	return p.Elem(), true
}

func typedSequence(t reflect.Type, children []reflect.Value) (reflect.Value, bool) {
	var s reflect.Value
	if t.Kind() == reflect.Array {
		s = reflect.New(t).Elem()
	} else {
		s = reflect.MakeSlice(t, len(children), len(children))
	}
	for i, c := range children {
		c, ok := fit(c, t.Elem())
		if !ok {
			return s, false
		}
		s.Index(i).Set(c)
	}
	return s, true
}

// fit returns c as a value that can be stored in a place of type t.
func fit(c reflect.Value, t reflect.Type) (reflect.Value, bool) {
	if !c.IsValid() {
		switch t.Kind() {
		case reflect.Interface, reflect.Pointer, reflect.Map, reflect.Slice, reflect.Func, reflect.Chan:
			return reflect.Zero(t), true
		}
		return c, false
	}
	return c, c.Type().AssignableTo(t)
}

// Build puts a tree together as a value of type t: the way of results into
// typed Go variables. Containers are matched by kind, so a list can fill a
// []Array and a dict a struct with those field names; leaves that do not fit as
// they are go through conv (nil: none do).
func (d *Def) Build(t reflect.Type, leaves []any, conv Convert) (reflect.Value, error) {
	if err := d.checkCount(leaves); err != nil {
		return reflect.Value{}, err
	}
	b := builder{conv: conv, leaves: leaves}
	return b.build(d, t, nil)
}

type builder struct {
	conv   Convert
	leaves []any
}

func (b *builder) build(d *Def, t reflect.Type, p Path) (reflect.Value, error) {
	if t.Kind() == reflect.Interface && d.kind != KindLeaf {
		v, rest := d.loose(b.leaves)
		b.leaves = rest
		c, ok := fit(reflect.ValueOf(v), t)
		if !ok {
			return c, &BuildError{p, fmt.Sprintf("%T does not implement %s", v, t)}
		}
		return c, nil
	}
	switch d.kind {
	case KindLeaf:
		return b.leaf(t, p)
	case KindNone:
		if c, ok := fit(reflect.Value{}, t); ok {
			return c, nil
		}
		if b.conv != nil {
			if c, err := b.conv(nil, t); err == nil {
				return c, nil
			}
		}
		return reflect.Value{}, &BuildError{p, fmt.Sprintf("None cannot be stored in a variable of type %s; one of type any takes it", placeName(t))}
	case KindStatic:
		if c, ok := fit(reflect.ValueOf(d.aux), t); ok {
			return c, nil
		}
		return reflect.Value{}, &BuildError{p, fmt.Sprintf("%s cannot be stored in a variable of type %s", literal(d.aux), placeName(t))}
	case KindCustom:
		v, rest := d.loose(b.leaves)
		b.leaves = rest
		if c, ok := fit(reflect.ValueOf(v), t); ok {
			return c, nil
		}
		if box, ok := v.(Boxed); ok { // of an interpreted function
			if c, ok := fit(reflect.ValueOf(box.Unboxed()), t); ok {
				return c, nil
			}
		}
		return reflect.Value{}, &BuildError{p, fmt.Sprintf("%T cannot be stored in a variable of type %s", v, placeName(t))}
	}
	return b.container(d, t, p)
}

func (b *builder) leaf(t reflect.Type, p Path) (reflect.Value, error) {
	leaf := b.leaves[0]
	b.leaves = b.leaves[1:]
	v := reflect.ValueOf(leaf)
	if c, ok := fit(v, t); ok {
		return c, nil
	}
	if b.conv != nil {
		c, err := b.conv(leaf, t)
		if err != nil {
			return c, &BuildError{p, err.Error()}
		}
		return c, nil
	}
	return v, &BuildError{p, fmt.Sprintf("%T cannot be stored in a variable of type %s", leaf, placeName(t))}
}

func (b *builder) container(d *Def, t reflect.Type, p Path) (reflect.Value, error) {
	if t.Kind() == reflect.Pointer && t.Elem().Kind() == reflect.Struct {
		v, err := b.container(d, t.Elem(), p)
		if err != nil {
			return v, err
		}
		return addressable(v).Addr(), nil
	}
	bad := func() (reflect.Value, error) {
		return reflect.Value{}, &BuildError{p, fmt.Sprintf("%s cannot be stored in a variable of type %s", d.describe(), placeName(t))}
	}
	n := len(d.children)
	switch {
	case IsLeafType(t):
		return bad()
	case (d.kind == KindList || d.kind == KindTuple) && t.Kind() == reflect.Slice:
		v := reflect.MakeSlice(t, n, n)
		return v, b.fill(d, p, func(i int) reflect.Value { return v.Index(i) })
	case (d.kind == KindList || d.kind == KindTuple) && t.Kind() == reflect.Array && t.Len() == n:
		v := reflect.New(t).Elem()
		return v, b.fill(d, p, func(i int) reflect.Value { return v.Index(i) })
	case d.kind == KindDict && t.Kind() == reflect.Map && t.Key().Kind() == reflect.String:
		return b.dict(d, t, p)
	case t.Kind() == reflect.Struct:
		return b.structure(d, t, p, bad)
	}
	return bad()
}

// fill builds every child into its place.
func (b *builder) fill(d *Def, p Path, place func(i int) reflect.Value) error {
	for i, c := range d.children {
		dst := place(i)
		v, err := b.build(c, dst.Type(), p.with(d.keys[i]))
		if err != nil {
			return err
		}
		dst.Set(v)
	}
	return nil
}

func (b *builder) dict(d *Def, t reflect.Type, p Path) (reflect.Value, error) {
	m := reflect.MakeMapWithSize(t, len(d.children))
	for i, c := range d.children {
		v, err := b.build(c, t.Elem(), p.with(d.keys[i]))
		if err != nil {
			return m, err
		}
		m.SetMapIndex(reflect.ValueOf(d.keys[i].Name).Convert(t.Key()), v)
	}
	return m, nil
}

// structure fills the fields of a struct by name from a struct or dict, by
// order from a tuple.
func (b *builder) structure(d *Def, t reflect.Type, p Path, bad func() (reflect.Value, error)) (reflect.Value, error) {
	fields := fieldsOf(t)
	if len(fields) != len(d.children) {
		return bad()
	}
	index := map[string]int{}
	for _, f := range fields {
		index[f.name] = f.index
	}
	if d.kind != KindTuple {
		for _, k := range d.keys {
			if _, ok := index[k.Name]; !ok {
				return bad()
			}
		}
	}
	v := reflect.New(t).Elem()
	return v, b.fill(d, p, func(i int) reflect.Value {
		if d.kind == KindTuple {
			return open(v, fields[i].index)
		}
		return open(v, index[d.keys[i].Name])
	})
}

// TypeName is a Go type as its user writes it.
func TypeName(t reflect.Type) string { return placeName(t) }

// placeName is the type of a place as its user writes it.
func placeName(t reflect.Type) string {
	switch {
	case t.PkgPath() != "" && t.Kind() != reflect.Struct || IsLeafType(t):
		return strings.TrimPrefix(t.String(), "array.")
	case t.Kind() == reflect.Struct:
		return structName(t)
	case t.Kind() == reflect.Pointer:
		return "*" + placeName(t.Elem())
	case t.Kind() == reflect.Slice:
		return "[]" + placeName(t.Elem())
	case t.Kind() == reflect.Map:
		return "map[" + t.Key().String() + "]" + placeName(t.Elem())
	}
	return t.String()
}

func (d *Def) describe() string {
	if d.kind == KindStruct {
		return "a " + structName(d.typ)
	}
	return fmt.Sprintf("a %s of length %d", ClassName(d.typ), len(d.children))
}

func derefStruct(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		return t.Elem()
	}
	return t
}
