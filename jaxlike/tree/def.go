package tree

import (
	"fmt"
	"hash/maphash"
	"reflect"
	"strings"
)

// Kind is the kind of a node of a [Def].
type Kind uint8

// The kinds of nodes.
const (
	KindLeaf   Kind = iota
	KindNone        // nil: no leaves
	KindTuple       // Tuple or Go array
	KindList        // slice
	KindDict        // map with string keys
	KindStruct      // struct or pointer to struct
	KindCustom      // registered type
	KindStatic      // a Go value that belongs to the structure: no leaves
)

// Def is the structure of a tree: everything but its leaves. It is immutable.
type Def struct {
	kind     Kind
	typ      reflect.Type // Go type to rebuild; nil for a leaf and for made-up nodes
	keys     []Key        // one per child
	children []*Def
	aux      any // of KindCustom: its auxiliary data; of KindStatic: the value
	custom   *Node
	box      Boxed // what the value was in, if anything
	leaves   int
}

// Boxed is a value of a type that lives elsewhere than in Go's type system, in
// an interface: an interpreter's. What is inside is flattened, and what is put
// together again gets a box of the same type.
type Boxed interface {
	Unboxed() any
	Reboxed(v any) any
}

var (
	leafDef   = &Def{kind: KindLeaf, leaves: 1}
	noneDef   = &Def{kind: KindNone}
	tupleType = reflect.TypeFor[Tuple]()
	anyMap    = reflect.TypeFor[map[string]any]()
)

// Tuple is a sequence that prints and compares as a tuple: the arguments of a
// call, its several results. A slice is a list.
type Tuple []any

// Struct stands for a struct whose fields hold values of other types than
// declared, such as shapes in place of arrays.
type Struct struct {
	Type   reflect.Type
	Fields []Field
}

// Field is a field of a [Struct].
type Field struct {
	Name   string
	Value  any
	static bool
}

// String prints the struct as Name(Field=value, ...).
func (s Struct) String() string {
	fields := make([]string, len(s.Fields))
	for i, f := range s.Fields {
		text := fmt.Sprint(f.Value)
		if f.static {
			text = literal(f.Value)
		}
		fields[i] = f.Name + "=" + text
	}
	return structName(derefStruct(s.Type)) + "(" + strings.Join(fields, ", ") + ")"
}

// LeafDef returns the structure of a single leaf.
func LeafDef() *Def { return leafDef }

// TupleDef returns the structure of a tuple of the given structures.
func TupleDef(children ...*Def) *Def { return sequence(KindTuple, tupleType, children) }

// DictDef returns the structure of a dict; keys must be sorted.
func DictDef(keys []string, children []*Def) *Def {
	ks := make([]Key, len(keys))
	for i, k := range keys {
		ks[i] = Key{Kind: DictKey, Name: k}
	}
	return (&Def{kind: KindDict, typ: anyMap, keys: ks, children: children}).counted()
}

func sequence(kind Kind, typ reflect.Type, children []*Def) *Def {
	ks := make([]Key, len(children))
	for i := range ks {
		ks[i].Index = i
	}
	return (&Def{kind: kind, typ: typ, keys: ks, children: children}).counted()
}

func (d *Def) counted() *Def {
	for _, c := range d.children {
		d.leaves += c.leaves
	}
	return d
}

// NumLeaves returns the number of leaves.
func (d *Def) NumLeaves() int { return d.leaves }

// Kind returns the kind of the root.
func (d *Def) Kind() Kind { return d.kind }

// Type returns the Go type of the root; nil for a leaf or None.
func (d *Def) Type() reflect.Type { return d.typ }

// Children returns the structures below the root; do not change the slice.
func (d *Def) Children() []*Def { return d.children }

// Keys returns the steps to the children; do not change the slice.
func (d *Def) Keys() []Key { return d.keys }

// Static returns the value of a KindStatic node.
func (d *Def) Static() any { return d.aux }

// IsLeaf reports whether the tree is a single leaf.
func (d *Def) IsLeaf() bool { return d.kind == KindLeaf }

// Paths returns the path of every leaf.
func (d *Def) Paths() []Path {
	out := make([]Path, 0, d.leaves)
	d.walkPaths(nil, func(p Path) { out = append(out, p) })
	return out
}

func (d *Def) walkPaths(p Path, visit func(Path)) {
	if d.kind == KindLeaf {
		visit(p)
		return
	}
	for i, c := range d.children {
		c.walkPaths(p.with(d.keys[i]), visit)
	}
}

// String prints the structure as JAX's PyTreeDef.
func (d *Def) String() string {
	var b strings.Builder
	b.WriteString("PyTreeDef(")
	d.write(&b)
	b.WriteByte(')')
	return b.String()
}

func (d *Def) write(b *strings.Builder) {
	switch d.kind {
	case KindLeaf:
		b.WriteByte('*')
	case KindNone:
		b.WriteString("None")
	case KindStatic:
		b.WriteString(literal(d.aux))
	case KindTuple:
		b.WriteByte('(')
		d.writeChildren(b)
		if len(d.children) == 1 {
			b.WriteByte(',')
		}
		b.WriteByte(')')
	case KindList:
		b.WriteByte('[')
		d.writeChildren(b)
		b.WriteByte(']')
	case KindDict:
		b.WriteByte('{')
		for i, c := range d.children {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(quote(d.keys[i].Name) + ": ")
			c.write(b)
		}
		b.WriteByte('}')
	default:
		b.WriteString("CustomNode(" + d.name() + "[" + d.metadata() + "], [")
		d.writeChildren(b)
		b.WriteString("])")
	}
}

func (d *Def) writeChildren(b *strings.Builder) {
	first := true
	for _, c := range d.children {
		if d.kind == KindStruct && c.kind == KindStatic {
			continue // printed as metadata
		}
		if !first {
			b.WriteString(", ")
		}
		first = false
		c.write(b)
	}
}

func (d *Def) name() string {
	if d.kind == KindCustom {
		return d.custom.Name
	}
	return structName(d.typ)
}

// metadata prints what JAX calls the node's metadata: the static fields of a
// struct, the keys of a dict, the auxiliary data of a registered node.
func (d *Def) metadata() string {
	var parts []string
	switch d.kind {
	case KindCustom:
		return literal(d.aux)
	case KindDict:
		for _, k := range d.keys {
			parts = append(parts, quote(k.Name))
		}
	default:
		for _, c := range d.children {
			if c.kind == KindStatic {
				parts = append(parts, literal(c.aux))
			}
		}
	}
	if len(parts) == 1 {
		return "(" + parts[0] + ",)"
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// Equal reports whether two structures are the same, static values included.
func (d *Def) Equal(o *Def) bool {
	if d == o {
		return true
	}
	if d.kind != o.kind || d.typ != o.typ || d.leaves != o.leaves || len(d.children) != len(o.children) {
		return false
	}
	if d.kind == KindStatic || d.kind == KindCustom {
		if !sameStatic(d.aux, o.aux) {
			return false
		}
	}
	for i, c := range d.children {
		if d.keys[i] != o.keys[i] || !c.Equal(o.children[i]) {
			return false
		}
	}
	return true
}

// sameStatic compares static values: by == where Go has it (NaN equals itself
// here, or each call would be a new trace), functions by identity.
func sameStatic(a, b any) bool {
	t := reflect.TypeOf(a)
	if t != reflect.TypeOf(b) {
		return false
	}
	if t == nil {
		return true
	}
	if t.Kind() == reflect.Func {
		return sameFunc(a, b)
	}
	if t.Comparable() && (a == b || a != a && b != b) { //nolint:staticcheck // NaN
		return true
	}
	return !t.Comparable() && reflect.DeepEqual(a, b)
}

var hashSeed = maphash.MakeSeed()

// Hash returns a number that equal structures share.
func (d *Def) Hash() uint64 {
	var h maphash.Hash
	h.SetSeed(hashSeed)
	d.hash(&h)
	return h.Sum64()
}

func (d *Def) hash(h *maphash.Hash) {
	h.WriteByte(byte(d.kind))
	h.WriteByte(byte(len(d.children)))
	if d.kind == KindStatic || d.kind == KindCustom {
		switch v := reflect.ValueOf(d.aux); v.Kind() {
		case reflect.Bool, reflect.String, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
			reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
			fmt.Fprint(h, d.aux)
		case reflect.Invalid:
		default: // any other value: its type only
			h.WriteString(v.Type().String())
		}
	}
	for i, c := range d.children {
		if d.keys[i].Kind == DictKey {
			h.WriteString(d.keys[i].Name)
		}
		c.hash(h)
	}
}
