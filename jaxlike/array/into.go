package array

import (
	"fmt"
	"reflect"
	"slices"

	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/tree"
)

// Into takes several results apart into typed Go variables: as many pointers
// as results (or as rows of an only Array), or one for the whole. Numbers, slices, maps and structs are
// filled as well as Arrays.
func (a Array) Into(ptrs ...any) {
	if err := IntoAny(a, ptrs...); err != nil {
		core.TypeErrorf("%s", err)
	}
}

// Out is result i of several, itself possibly a tree.
func (a Array) Out(i int) Array {
	leaves, kids := a.parts()
	if i < 0 || i >= len(kids) {
		core.Raise("IndexError", "result %d of a call with %d results", i, len(kids))
	}
	for _, d := range kids[:i] {
		leaves = leaves[d.NumLeaves():]
	}
	return NewResults(leaves[:kids[i].NumLeaves()], kids[i])
}

func (a Array) parts() ([]core.Value, []*tree.Def) {
	if a.many == nil {
		return []core.Value{a.Value()}, []*tree.Def{tree.LeafDef()}
	}
	return a.many.Leaves, a.many.Def.Children()
}

// IntoAny is Into for a result of any kind, with an error.
func IntoAny(res any, ptrs ...any) error {
	leaves, def := tree.FlattenWith(res, nil, tree.Options{HostArrays: true, Expand: Expand})
	defs := []*tree.Def{def}
	if len(ptrs) != 1 || def.Kind() == tree.KindTuple && len(def.Children()) == 1 {
		switch def.Kind() {
		case tree.KindTuple, tree.KindList:
			defs = def.Children()
		case tree.KindLeaf:
			var err error
			if leaves, err = rows(leaves[0], len(ptrs)); err != nil {
				return err
			}
			defs = slices.Repeat(defs, len(leaves))
		default:
			return fmt.Errorf("the call gave one result, not %d", len(ptrs))
		}
	}
	if len(defs) != len(ptrs) {
		return fmt.Errorf("the call gave %d results, not %d", len(defs), len(ptrs))
	}
	for i, p := range ptrs {
		n := defs[i].NumLeaves()
		if err := store(p, defs[i], leaves[:n]); err != nil {
			return fmt.Errorf("result %d: %w", i, err)
		}
		leaves = leaves[n:]
	}
	return nil
}

// rows takes one Array apart for n variables, as Python does: the two keys of
// random.Split.
func rows(leaf any, n int) ([]any, error) {
	a, ok := leaf.(Array)
	if !ok || a.NDim() == 0 {
		return nil, fmt.Errorf("the call gave one result, not %d", n)
	}
	if a.Shape()[0] != n {
		return nil, fmt.Errorf("the call gave one Array of %d rows, not %d results", a.Shape()[0], n)
	}
	out := make([]any, n)
	for i, r := range Ops.Rows(a) {
		out[i] = r
	}
	return out, nil
}

func store(ptr any, def *tree.Def, leaves []any) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *core.Error:
			err = r
		default:
			panic(r)
		}
	}()
	rv := reflect.ValueOf(ptr)
	if rv.Kind() != reflect.Pointer || rv.IsNil() {
		return fmt.Errorf("Into takes pointers to variables, not %T", ptr)
	}
	if a, ok := ptr.(*Array); ok && !def.IsLeaf() {
		// Fields such as Name string belong to the structure.
		leaves, def = tree.FlattenWith(def.Unflatten(leaves), nil, tree.Options{HostArrays: true, Static: true, Expand: Expand})
		vals := make([]core.Value, len(leaves))
		for i, l := range leaves {
			if vals[i], ok = ToValue(l); !ok {
				return fmt.Errorf("%T is no array", l)
			}
		}
		*a = NewResults(vals, def) // it stands for the tree
		return nil
	}
	v, err := def.Build(rv.Type().Elem(), leaves, ConvertLeaf)
	if err != nil {
		return err
	}
	rv.Elem().Set(v)
	return nil
}

// ConvertLeaf is a tree.Convert for leaves that are Arrays or numbers; an Array
// can be None.
func ConvertLeaf(leaf any, to reflect.Type) (reflect.Value, error) {
	if to == reflect.TypeFor[Array]() {
		if leaf == nil {
			return reflect.ValueOf(NewResults(nil, tree.Structure(nil))), nil
		}
		v, ok := ToValue(leaf)
		if !ok {
			return reflect.Value{}, fmt.Errorf("%T is no array", leaf)
		}
		return reflect.ValueOf(New(v)), nil
	}
	a, ok := leaf.(Array)
	if !ok {
		rv := reflect.ValueOf(leaf)
		if rv.IsValid() && rv.CanConvert(to) {
			return rv.Convert(to), nil
		}
		return reflect.Value{}, fmt.Errorf("%T cannot become %s", leaf, to)
	}
	return a.Convert(to)
}
