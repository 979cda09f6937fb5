package tree

import (
	"reflect"
	"slices"
)

// Options change what [FlattenWith] takes for a leaf.
type Options struct {
	// IsLeaf makes further values leaves (JAX's is_leaf); nil values are asked
	// too.
	IsLeaf func(v any) bool
	// Static makes values that lie in a place of concrete Go type, such as a
	// field n int or an argument declared as string, part of the structure.
	Static bool
	// HostArrays makes slices and arrays of numbers leaves where the place could
	// hold an array (an array type, any, or no declared type).
	HostArrays bool
	// Expand replaces a value by the tree that it stands for, if it does.
	Expand func(v any) (any, bool)

	leafTypes bool // keep the type of each leaf in the structure, for error texts
}

// Flatten returns the leaves of a tree, left to right, and its structure.
func Flatten(v any) ([]any, *Def) { return FlattenWith(v, nil, Options{}) }

// FlattenWith is [Flatten] with options. place is the declared type that v is
// held in, nil if it is any.
func FlattenWith(v any, place reflect.Type, o Options) ([]any, *Def) {
	f := flattener{Options: o, out: []any{}}
	def := f.value(reflect.ValueOf(v), place)
	return f.out, def
}

// FlattenArgs flattens the arguments of a call, whose structure is a tuple.
// places holds the declared types of the parameters; further arguments have the
// last one's.
func FlattenArgs(args []any, places []reflect.Type, o Options) ([]any, *Def) {
	f := flattener{Options: o, out: make([]any, 0, len(args))}
	defs := make([]*Def, len(args))
	for i, a := range args {
		var place reflect.Type
		if n := len(places); n > 0 {
			place = places[min(i, n-1)]
		}
		defs[i] = f.value(reflect.ValueOf(a), place)
	}
	return f.out, TupleDef(defs...)
}

// Leaves returns the leaves of a tree.
func Leaves(v any) []any { l, _ := Flatten(v); return l }

// Structure returns the structure of a tree.
func Structure(v any) *Def { _, d := Flatten(v); return d }

type flattener struct {
	Options
	out []any
}

func (f *flattener) leaf(v any) *Def {
	f.out = append(f.out, v)
	if f.leafTypes {
		return &Def{kind: KindLeaf, typ: reflect.TypeOf(v), leaves: 1}
	}
	return leafDef
}

func (f *flattener) value(v reflect.Value, place reflect.Type) *Def {
	for v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if !v.IsValid() {
		if f.IsLeaf != nil && f.IsLeaf(nil) {
			return f.leaf(nil)
		}
		return noneDef
	}
	if f.Expand != nil {
		if w, ok := f.Expand(v.Interface()); ok {
			return f.value(reflect.ValueOf(w), place)
		}
	}
	t := v.Type()
	if f.IsLeaf != nil && f.IsLeaf(v.Interface()) || IsLeafType(t) {
		return f.leaf(v.Interface())
	}
	if n := nodeOf(t); n != nil {
		return f.custom(v, n)
	}
	if f.HostArrays && !isStatic(place) || IsLeafType(place) {
		if isNumbers(t) {
			return f.leaf(v.Interface())
		}
	}
	switch t.Kind() {
	case reflect.Pointer:
		if t.Elem().Kind() == reflect.Struct {
			if v.IsNil() {
				return noneDef
			}
			return f.structure(v.Elem(), t)
		}
	case reflect.Struct:
		switch b := v.Interface().(type) {
		case Struct:
			return f.loose(b)
		case Boxed:
			return f.boxed(b, place)
		}
		return f.structure(v, t)
	case reflect.Slice, reflect.Array:
		return f.sequence(v, t, elemPlace(t, place))
	case reflect.Map:
		if t.Key().Kind() == reflect.String {
			return f.dict(v, t, elemPlace(t, place))
		}
	}
	if f.Static && isStatic(place) {
		v = held(v, place)
		return &Def{kind: KindStatic, typ: v.Type(), aux: v.Interface()}
	}
	return f.leaf(v.Interface())
}

// boxed takes what is in a box apart; the structure remembers the box.
func (f *flattener) boxed(b Boxed, place reflect.Type) *Def {
	d := f.value(reflect.ValueOf(b.Unboxed()), place)
	if d.kind == KindLeaf || d.kind == KindNone {
		return d
	}
	with := *d
	with.box = b
	return &with
}

// isStatic reports whether a place of this declared type holds a plain Go
// value: neither an array nor something that could be one.
func isStatic(place reflect.Type) bool {
	return place != nil && place.Kind() != reflect.Interface && !IsLeafType(place)
}

// isNumbers reports whether t is a slice or array of numbers of any depth.
func isNumbers(t reflect.Type) bool {
	if t.Kind() != reflect.Slice && t.Kind() != reflect.Array {
		return false
	}
	for t.Kind() == reflect.Slice || t.Kind() == reflect.Array {
		t = t.Elem()
	}
	k := t.Kind()
	return k >= reflect.Bool && k <= reflect.Complex128 && k != reflect.Uintptr && !IsLeafType(t)
}

// elemPlace is the place of the elements of a container of type t. Where the
// container itself lies in an any, as in f([]int{1, 2}), its elements are data.
func elemPlace(t, place reflect.Type) reflect.Type {
	if isStatic(place) {
		return t.Elem()
	}
	return nil
}

func (f *flattener) sequence(v reflect.Value, t, elem reflect.Type) *Def {
	children := make([]*Def, v.Len())
	for i := range children {
		children[i] = f.value(v.Index(i), elem)
	}
	kind := KindList
	if t == tupleType || t.Kind() == reflect.Array {
		kind = KindTuple
	}
	return sequence(kind, t, children)
}

func (f *flattener) dict(v reflect.Value, t, elem reflect.Type) *Def {
	names := make([]string, 0, v.Len())
	for _, k := range v.MapKeys() {
		names = append(names, k.String())
	}
	slices.Sort(names)
	d := &Def{kind: KindDict, typ: t}
	for _, n := range names {
		d.keys = append(d.keys, Key{Kind: DictKey, Name: n})
		key := reflect.ValueOf(n).Convert(t.Key())
		d.children = append(d.children, f.value(v.MapIndex(key), elem))
	}
	return d.counted()
}

// structure takes a struct apart; t is its type or the pointer to it.
func (f *flattener) structure(v reflect.Value, t reflect.Type) *Def {
	v = addressable(v)
	d := &Def{kind: KindStruct, typ: t}
	for _, fd := range fieldsOf(v.Type()) {
		d.keys = append(d.keys, Key{Kind: FieldKey, Name: fd.name})
		d.children = append(d.children, f.value(open(v, fd.index), fd.typ))
	}
	return d.counted()
}

func (f *flattener) loose(s Struct) *Def {
	d := &Def{kind: KindStruct, typ: s.Type}
	for _, fd := range s.Fields {
		d.keys = append(d.keys, Key{Kind: FieldKey, Name: fd.Name})
		if fd.static {
			d.children = append(d.children, &Def{kind: KindStatic, typ: reflect.TypeOf(fd.Value), aux: fd.Value})
			continue
		}
		d.children = append(d.children, f.value(reflect.ValueOf(fd.Value), nil))
	}
	return d.counted()
}

func (f *flattener) custom(v reflect.Value, n *Node) *Def {
	children, aux := n.Flatten(v.Interface())
	d := &Def{kind: KindCustom, typ: v.Type(), aux: aux, custom: n}
	if n.Keys != nil {
		d.keys = n.Keys(v.Interface())
	}
	for i, c := range children {
		if n.Keys == nil {
			d.keys = append(d.keys, Key{Kind: FlatKey, Index: i})
		}
		d.children = append(d.children, f.value(reflect.ValueOf(c), nil))
	}
	return d.counted()
}
