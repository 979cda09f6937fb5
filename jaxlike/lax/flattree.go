package lax

import "strings"

// ftree is the shape of scan's operands and results as its parameters ft_in and
// ft_out print it (FlatTree in jax/_src/flattree.py): nested tuples whose leaves
// are values that are there, or that a transformation filtered out.
type ftree struct {
	kids []*ftree
	leaf bool
	// wraps counts the filters that a leaf went through, path what each said of
	// it until one took it out.
	wraps int
	path  []bool
	// pytree, where set, is the structure text of a tree that prints as a
	// Pytree.
	pytree string
}

// ftNones is a tuple of n values.
func ftNones(n int) *ftree {
	t := &ftree{}
	for range n {
		t.kids = append(t.kids, &ftree{leaf: true})
	}
	return t
}

func ftPack(kids ...*ftree) *ftree { return &ftree{kids: kids} }

// ftPytree is a tree that prints as Pytree(vals=[...], tree=PyTreeDef(text)).
func ftPytree(text string, kids ...*ftree) *ftree { return &ftree{kids: kids, pytree: text} }

// present tells whether a leaf's value is there.
func (t *ftree) present() bool {
	for _, p := range t.path {
		if !p {
			return false
		}
	}
	return true
}

// count is the number of values that are there.
func (t *ftree) count() int {
	if t.leaf {
		if t.present() {
			return 1
		}
		return 0
	}
	n := 0
	for _, k := range t.kids {
		n += k.count()
	}
	return n
}

// parts cuts a list of the tree's values into those of its children.
func ftParts[T any](t *ftree, xs []T) [][]T {
	out := make([][]T, len(t.kids))
	for i, k := range t.kids {
		n := k.count()
		out[i], xs = xs[:n:n], xs[n:]
	}
	return out
}

// filter takes out the values that keep does not mark.
func (t *ftree) filter(keep []bool) *ftree {
	out, _ := t.filtered(keep)
	return out
}

func (t *ftree) filtered(keep []bool) (*ftree, []bool) {
	if t.leaf {
		n := &ftree{leaf: true, wraps: t.wraps + 1, path: t.path}
		if t.present() {
			n.path = append(t.path[:len(t.path):len(t.path)], keep[0])
			keep = keep[1:]
		}
		return n, keep
	}
	n := &ftree{kids: make([]*ftree, len(t.kids))}
	for i, k := range t.kids {
		n.kids[i], keep = k.filtered(keep)
	}
	return n, keep
}

// String is the tree as it prints.
func (t *ftree) String() string { return t.PyRepr() }

// PyRepr is the tree as it prints.
func (t *ftree) PyRepr() string {
	var b strings.Builder
	t.write(&b)
	return b.String()
}

func (t *ftree) write(b *strings.Builder) {
	switch {
	case t.leaf:
		t.writeLeaf(b)
	case t.pytree != "":
		b.WriteString("Pytree(vals=[")
		for i := range t.count() {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString("None")
		}
		b.WriteString("], tree=PyTreeDef(" + t.pytree + "))")
	default:
		b.WriteByte('(')
		for i, k := range t.kids {
			if i > 0 {
				b.WriteString(", ")
			}
			k.write(b)
		}
		if len(t.kids) == 1 {
			b.WriteByte(',')
		}
		b.WriteByte(')')
	}
}

func (t *ftree) writeLeaf(b *strings.Builder) {
	ends := t.wraps
	for range t.wraps {
		b.WriteString("RightsOnly(")
	}
	for _, p := range t.path {
		if p {
			b.WriteString("Right(")
		} else {
			b.WriteString("Left(")
		}
		ends++
	}
	b.WriteString("None")
	for range ends {
		b.WriteByte(')')
	}
}
