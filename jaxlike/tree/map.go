package tree

import (
	"errors"
	"fmt"
)

// Map applies f to the leaves of a tree, in order, and puts the results in its
// place. The trees in rest must have the structure of the first as a prefix;
// f gets their leaves or subtrees too (jax.tree.map).
func Map(f func(leaves ...any) any, t any, rest ...any) (any, error) {
	return MapWithPath(func(_ Path, leaves ...any) any { return f(leaves...) }, t, rest...)
}

// MapWithPath is [Map] with the path of each leaf.
func MapWithPath(f func(p Path, leaves ...any) any, t any, rest ...any) (any, error) {
	first, def := Flatten(t)
	columns := [][]any{first}
	for _, r := range rest {
		col, err := def.FlattenUpTo("tree_map tree", r)
		if err != nil {
			return nil, err
		}
		columns = append(columns, col)
	}
	out := make([]any, len(first))
	for i, p := range def.Paths() {
		row := make([]any, len(columns))
		for j, c := range columns {
			row[j] = c[i]
		}
		out[i] = f(p, row...)
	}
	return def.Unflatten(out), nil
}

// Reduce folds f over the leaves from the left. Without init, the first leaf
// is where it starts.
func Reduce(f func(acc, leaf any) any, t any, init ...any) (any, error) {
	leaves := append(append([]any{}, init...), Leaves(t)...)
	if len(leaves) == 0 {
		return nil, errors.New("reduce() of empty iterable with no initial value")
	}
	acc := leaves[0]
	for _, l := range leaves[1:] {
		acc = f(acc, l)
	}
	return acc, nil
}

// Transpose turns a tree of trees inside out: t has the structure outer, each
// leaf of which is a tree of structure inner. A nil inner is taken from t.
func Transpose(outer, inner *Def, t any) (any, error) {
	flat, def := Flatten(t)
	if inner == nil {
		subtrees, err := outer.FlattenUpTo("tree_transpose tree", t)
		if err != nil {
			return nil, err
		}
		if len(subtrees) == 0 {
			return nil, errors.New("an outer tree without leaves does not tell the inner structure: give it")
		}
		inner = Structure(subtrees[0])
	}
	if def.leaves != inner.leaves*outer.leaves {
		return nil, fmt.Errorf("Mismatch\n%s\n != \n%s", def, outer.Compose(inner)) //nolint:staticcheck // JAX's words
	}
	subtrees := make([]any, inner.leaves)
	for i := range subtrees {
		column := make([]any, outer.leaves)
		for j := range column {
			column[j] = flat[j*inner.leaves+i]
		}
		subtrees[i] = outer.Unflatten(column)
	}
	return inner.Unflatten(subtrees), nil
}

// Compose returns the structure of d with a tree of structure inner in place of
// each leaf.
func (d *Def) Compose(inner *Def) *Def {
	if d.kind == KindLeaf {
		return inner
	}
	c := *d
	c.leaves = d.leaves * inner.leaves
	c.children = make([]*Def, len(d.children))
	for i, child := range d.children {
		c.children[i] = child.Compose(inner)
	}
	return &c
}
