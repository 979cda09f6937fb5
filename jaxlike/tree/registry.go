package tree

import (
	"fmt"
	"reflect"
	"sync"
)

// Node tells how values of one type are taken apart; see [Register].
type Node struct {
	// Name is the class name that texts show.
	Name string
	// Flatten gives the children and what else is needed to rebuild; the latter
	// is compared with == and must be comparable.
	Flatten func(v any) (children []any, aux any)
	// Unflatten rebuilds the value.
	Unflatten func(aux any, children []any) any
	// Keys gives one key per child; without it they are numbered.
	Keys func(v any) []Key
}

var (
	nodes  sync.Map // reflect.Type -> *Node
	leaves sync.Map // reflect.Type -> string: class name in texts
	// classes are class names in texts of types that are no leaves as such.
	classes sync.Map // reflect.Type -> string
	// valueClasses find the class name of a value where values of one type have
	// several.
	valueClasses sync.Map // reflect.Type -> func(any) string
)

// RegisterClassOf says how values of type t find their class name; those for
// which of gives "" have the name of their type.
func RegisterClassOf(t reflect.Type, of func(v any) string) { valueClasses.Store(t, of) }

// RegisterClass says what class name error texts show for values of type t.
func RegisterClass(t reflect.Type, class string) { classes.Store(t, class) }

// Register makes values of v's type inner nodes of trees (JAX's
// register_pytree_node). It is an error to register a type twice.
func Register(v any, n Node) error {
	if n.Flatten == nil || n.Unflatten == nil {
		return fmt.Errorf("register %T: both Flatten and Unflatten are needed", v)
	}
	if _, dup := nodes.LoadOrStore(reflect.TypeOf(v), &n); dup {
		return fmt.Errorf("duplicate custom pytree type registration for %T", v)
	}
	return nil
}

// RegisterLeaf says that values of v's type are leaves as a whole although
// they are structs or slices, and what class name error texts show for them.
// Arrays register themselves with it.
func RegisterLeaf(t reflect.Type, class string) { leaves.Store(t, class) }

// IsLeafType reports whether t was registered by [RegisterLeaf].
func IsLeafType(t reflect.Type) bool {
	if t == nil {
		return false
	}
	_, ok := leaves.Load(t)
	return ok
}

func nodeOf(t reflect.Type) *Node {
	if n, ok := nodes.Load(t); ok {
		return n.(*Node)
	}
	return nil
}
