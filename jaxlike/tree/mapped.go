package tree

import (
	"fmt"
	"reflect"
)

// Error is a mistake that a function of this package raises by panic; Name is
// the class that JAX raises.
type Error struct{ Name, Message string }

func (e *Error) Error() string { return e.Message }

// JaxName is the class, for front ends that show "Name: message".
func (e *Error) JaxName() string { return e.Name }

// Arrays tells this package about the array type, which it does not import.
type Arrays struct {
	// Expand gives the tree that a value stands for, see [Options].
	Expand func(v any) (any, bool)
	// Pack makes such a value of a tree's leaves.
	Pack func(leaves []any, def *Def) (any, bool)
	// Convert makes arrays of leaves and leaves of arrays.
	Convert Convert
}

var arrays Arrays

// SetArrays is called once by the package of the array type.
func SetArrays(a Arrays) { arrays = a }

// mapped is a Go function of any type that is called with leaves.
type mapped struct {
	f    reflect.Value
	name string // of the function of this package that was given it
}

func newMapped(f any, name string) mapped {
	v := reflect.ValueOf(f)
	if v.Kind() != reflect.Func || v.IsNil() {
		panic(&Error{"TypeError", fmt.Sprintf("tree.%s takes a function first, not %s", name, ClassOf(f))})
	}
	if n := v.Type().NumOut(); n > 1 {
		panic(&Error{"TypeError", fmt.Sprintf("the function given to tree.%s has %d results: let it give one, such as a struct or a tree.Tuple", name, n)})
	}
	return mapped{v, name}
}

// call calls the function; each argument is made to fit its parameter.
func (m mapped) call(args ...any) any {
	t := m.f.Type()
	n := t.NumIn()
	if len(args) != n && (!t.IsVariadic() || len(args) < n-1) {
		plural := "s"
		if n == 1 {
			plural = ""
		}
		panic(&Error{"TypeError", fmt.Sprintf("the function given to tree.%s takes %d argument%s but %d were given", m.name, n, plural, len(args))})
	}
	in := make([]reflect.Value, len(args))
	for i, a := range args {
		to := t.In(min(i, n-1))
		if t.IsVariadic() && i >= n-1 {
			to = t.In(n - 1).Elem()
		}
		v, err := fitTree(a, to)
		if err != nil {
			panic(&Error{"TypeError", fmt.Sprintf("argument %d of the function given to tree.%s: %v", i, m.name, err)})
		}
		in[i] = v
	}
	out := m.f.Call(in)
	if len(out) == 0 {
		return nil
	}
	return out[0].Interface()
}

// fitTree makes a leaf or subtree a value of type to.
func fitTree(v any, to reflect.Type) (reflect.Value, error) {
	if c, ok := fit(reflect.ValueOf(v), to); ok {
		return c, nil
	}
	leaves, def := FlattenWith(v, nil, Options{Expand: arrays.Expand})
	return def.Build(to, leaves, arrays.Convert)
}

// as gives a result the type that is wanted.
func as[T any](v any, name string) T {
	if x, ok := v.(T); ok {
		return x
	}
	t := reflect.TypeFor[T]()
	x, err := fitTree(v, t)
	if err != nil {
		panic(&Error{"TypeError", fmt.Sprintf("the results do not fit into %s (%v): tree.%sAny gives them as they are", placeName(t), err, name)})
	}
	return x.Interface().(T)
}
