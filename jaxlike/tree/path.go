package tree

import (
	"strconv"
	"strings"
)

// KeyKind says what kind of container a [Key] points into.
type KeyKind uint8

// The kinds of keys.
const (
	IndexKey KeyKind = iota // [0], of slices, arrays and tuples
	DictKey                 // ['a'], of maps
	FieldKey                // .w, of structs
	FlatKey                 // [<flat index 0>], of registered nodes without keys
)

// Key is one step from a node to a child.
type Key struct {
	Kind  KeyKind
	Name  string
	Index int
}

// String prints the step as JAX's keystr does.
func (k Key) String() string {
	switch k.Kind {
	case DictKey:
		return "[" + quote(k.Name) + "]"
	case FieldKey:
		return "." + k.Name
	case FlatKey:
		return "[<flat index " + strconv.Itoa(k.Index) + ">]"
	}
	return "[" + strconv.Itoa(k.Index) + "]"
}

// Simple prints the step without decoration.
func (k Key) Simple() string {
	if k.Kind == DictKey || k.Kind == FieldKey {
		return k.Name
	}
	return strconv.Itoa(k.Index)
}

// Path leads from a root to a node.
type Path []Key

// String prints the path as JAX's keystr: ['a'][1][0] or .w.
func (p Path) String() string {
	var b strings.Builder
	for _, k := range p {
		b.WriteString(k.String())
	}
	return b.String()
}

// Plain is the path as the names of a trace's arguments and results have it,
// where the children of a node without keys have plain indices.
func (p Path) Plain() string {
	var b strings.Builder
	for _, k := range p {
		if k.Kind == FlatKey {
			k.Kind = IndexKey
		}
		b.WriteString(k.String())
	}
	return b.String()
}

// Simple joins the undecorated steps (keystr with simple=True).
func (p Path) Simple(sep string) string {
	parts := make([]string, len(p))
	for i, k := range p {
		parts[i] = k.Simple()
	}
	return strings.Join(parts, sep)
}

func (p Path) with(k Key) Path { return append(p[:len(p):len(p)], k) }
