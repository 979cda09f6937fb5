package lax

import "strings"

// ftree is the shape of scan's operands and results as its parameters ft_in and
// ft_out print it (FlatTree in jax/_src/flattree.py): nested tuples whose leaves
// are values that are there, or that a transformation filtered out. A tree that
// came from a pytree prints as one, with all of its leaves in one list.
type ftree struct {
	kids []*ftree
	leaf bool
	// filters counts the filters that a leaf of a tuple, or a whole pytree,
	// went through.
	filters int
	// path is what each filter said of a leaf, until one took it out.
	path   []bool
	pytree ftKind
	zero   string // the type of a symbolic zero
}

// ftKind is the container that a part of a pytree is.
type ftKind byte

const (
	ftTuple ftKind = iota // no pytree: a tuple of trees
	ftPyLeaf
	ftPyTuple
	ftPyList
	ftPyZero // a symbolic zero, which has no leaves
)

// ftNones is a tuple of n values.
func ftNones(n int) *ftree {
	t := &ftree{}
	for range n {
		t.kids = append(t.kids, &ftree{leaf: true})
	}
	return t
}

func ftPack(kids ...*ftree) *ftree { return &ftree{kids: kids} }

// ftPyPack is a pytree: a tuple of pytrees.
func ftPyPack(kids ...*ftree) *ftree { return &ftree{kids: kids, pytree: ftPyTuple} }

// ftPyNones is a pytree: a list of n values.
func ftPyNones(n int) *ftree {
	t := &ftree{pytree: ftPyList}
	for range n {
		t.kids = append(t.kids, &ftree{leaf: true, pytree: ftPyLeaf})
	}
	return t
}

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

// kid is a child; that of a filtered pytree is filtered too.
func (t *ftree) kid(i int) *ftree {
	k := t.kids[i]
	if t.pytree == ftTuple || k.filters == t.filters {
		return k
	}
	c := *k
	c.filters = t.filters
	return &c
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
	n := &ftree{leaf: t.leaf, pytree: t.pytree, path: t.path, filters: t.filters}
	if t.leaf || t.pytree != ftTuple {
		n.filters++
	}
	if t.leaf && t.present() {
		n.path = append(t.path[:len(t.path):len(t.path)], keep[0])
		keep = keep[1:]
	}
	for _, k := range t.kids {
		var f *ftree
		f, keep = k.filtered(keep)
		n.kids = append(n.kids, f)
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
	if t.pytree == ftTuple && !t.leaf {
		writeTuple(b, t.kids, (*ftree).write)
		return
	}
	b.WriteString(strings.Repeat("RightsOnly(", t.filters))
	if t.pytree == ftTuple {
		t.writeLeaf(b)
	} else {
		b.WriteString("Pytree(vals=[")
		sep := ""
		t.eachLeaf(func(l *ftree) {
			b.WriteString(sep)
			l.writeLeaf(b)
			sep = ", "
		})
		b.WriteString("], tree=PyTreeDef(")
		t.writeDef(b)
		b.WriteString("))")
	}
	b.WriteString(strings.Repeat(")", t.filters))
}

func (t *ftree) eachLeaf(f func(l *ftree)) {
	if t.leaf {
		f(t)
	}
	for _, k := range t.kids {
		k.eachLeaf(f)
	}
}

func writeTuple(b *strings.Builder, kids []*ftree, write func(t *ftree, b *strings.Builder)) {
	b.WriteByte('(')
	for i, k := range kids {
		if i > 0 {
			b.WriteString(", ")
		}
		write(k, b)
	}
	if len(kids) == 1 {
		b.WriteByte(',')
	}
	b.WriteByte(')')
}

// writeDef writes a pytree's structure.
func (t *ftree) writeDef(b *strings.Builder) {
	switch t.pytree {
	case ftPyLeaf:
		b.WriteByte('*')
	case ftPyTuple:
		writeTuple(b, t.kids, (*ftree).writeDef)
	case ftPyZero:
		b.WriteString("CustomNode(Zero[" + t.zero + "], [])")
	default:
		b.WriteByte('[')
		for i, k := range t.kids {
			if i > 0 {
				b.WriteString(", ")
			}
			k.writeDef(b)
		}
		b.WriteByte(']')
	}
}

func (t *ftree) writeLeaf(b *strings.Builder) {
	for _, p := range t.path {
		if p {
			b.WriteString("Right(")
		} else {
			b.WriteString("Left(")
		}
	}
	b.WriteString("None")
	b.WriteString(strings.Repeat(")", len(t.path)))
}
