package tree

import "fmt"

// Map applies f to the leaves of a tree, in order, and puts the results in its
// place (jax.tree.map). f is any Go function of a leaf that gives one result.
// The trees in rest must have the structure of the first as a prefix; f gets
// their leaves or subtrees too. Mistakes are raised as JAX raises them.
func Map[T any](f any, t T, rest ...any) T { return as[T](MapAny(f, t, rest...), "Map") }

// MapAny is [Map] for results that do not fit into a tree of the first one's
// type.
func MapAny(f, t any, rest ...any) any {
	fn := newMapped(f, "Map")
	return mapPaths(func(_ Path, row []any) any { return fn.call(row...) }, t, rest)
}

// MapWithPath is [Map] with the [Path] of each leaf before it.
func MapWithPath[T any](f any, t T, rest ...any) T {
	return as[T](MapWithPathAny(f, t, rest...), "MapWithPath")
}

// MapWithPathAny is [MapWithPath] for results of other types.
func MapWithPathAny(f, t any, rest ...any) any {
	fn := newMapped(f, "MapWithPath")
	return mapPaths(func(p Path, row []any) any { return fn.call(append([]any{p}, row...)...) }, t, rest)
}

func mapPaths(f func(p Path, row []any) any, t any, rest []any) any {
	expand := Options{Expand: arrays.Expand}
	first, def := FlattenWith(t, nil, expand)
	columns := [][]any{first}
	for _, r := range rest {
		if arrays.Expand != nil {
			if tree, ok := arrays.Expand(r); ok {
				r = tree
			}
		}
		col, err := def.FlattenUpTo("tree_map tree", r)
		if err != nil {
			panic(&Error{"ValueError", err.Error()})
		}
		columns = append(columns, col)
	}
	out := make([]any, len(first))
	for i, p := range def.Paths() {
		row := make([]any, len(columns))
		for j, c := range columns {
			row[j] = c[i]
		}
		out[i] = f(p, row)
	}
	if arrays.Expand != nil && arrays.Pack != nil {
		if _, packed := arrays.Expand(t); packed { // it stood for a tree, and does so again
			if v, ok := arrays.Pack(out, def); ok {
				return v
			}
		}
	}
	return def.Unflatten(out)
}

// Reduce folds f over the leaves from the left (jax.tree.reduce). Without init,
// the first leaf is where it starts.
func Reduce[A, L any](f func(acc A, leaf L) A, t any, init ...A) A {
	start := make([]any, len(init))
	for i, v := range init {
		start[i] = v
	}
	return as[A](ReduceAny(f, t, start...), "Reduce")
}

// ReduceAny is [Reduce] for any Go function of two arguments.
func ReduceAny(f, t any, init ...any) any {
	fn := newMapped(f, "Reduce")
	leaves, _ := FlattenWith(t, nil, Options{Expand: arrays.Expand})
	leaves = append(append([]any{}, init...), leaves...)
	if len(leaves) == 0 {
		panic(&Error{"TypeError", "reduce() of empty iterable with no initial value"})
	}
	acc := leaves[0]
	for _, l := range leaves[1:] {
		acc = fn.call(acc, l)
	}
	return acc
}

// Transpose turns a tree of trees inside out: t has the structure outer, each
// leaf of which is a tree of structure inner. A nil inner is taken from t.
func Transpose(outer, inner *Def, t any) any {
	flat, def := Flatten(t)
	if inner == nil {
		subtrees, err := outer.FlattenUpTo("tree_transpose tree", t)
		if err != nil {
			panic(&Error{"ValueError", err.Error()})
		}
		if len(subtrees) == 0 {
			panic(&Error{"ValueError", "an outer tree without leaves does not tell the inner structure: give it"})
		}
		inner = Structure(subtrees[0])
	}
	if def.leaves != inner.leaves*outer.leaves {
		panic(&Error{"TypeError", fmt.Sprintf("Mismatch\n%s\n != \n%s", def, outer.Compose(inner))})
	}
	subtrees := make([]any, inner.leaves)
	for i := range subtrees {
		column := make([]any, outer.leaves)
		for j := range column {
			column[j] = flat[j*inner.leaves+i]
		}
		subtrees[i] = outer.Unflatten(column)
	}
	return inner.Unflatten(subtrees)
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
