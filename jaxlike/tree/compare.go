package tree

import (
	"fmt"
	"slices"
	"strings"
)

// Mismatch is one place where two structures differ, in the words of JAX's
// equality_errors (jax/_src/tree_util.py, 0.12.0.1).
type Mismatch struct {
	Path        Path
	Seen, Given string // what each tree has there
	Why         string
}

// Mismatches lists where two structures differ; none means that they match.
// Other than [Def.Equal] it does not tell []any from []float64: both are lists.
func (d *Def) Mismatches(o *Def) []Mismatch {
	var out []Mismatch
	d.mismatches(o, nil, &out)
	return out
}

func (d *Def) class() string {
	switch d.kind {
	case KindLeaf:
		return "pytree leaf"
	case KindNone:
		return "<class 'NoneType'>"
	}
	return Class(d.typ)
}

// data returns the indices of the children that JAX would call children: not
// the static fields of a struct.
func (d *Def) data() []int {
	idx := make([]int, 0, len(d.children))
	for i, c := range d.children {
		if d.kind != KindStruct || c.kind != KindStatic {
			idx = append(idx, i)
		}
	}
	return idx
}

func (d *Def) isSequence() bool { return d.kind == KindList || d.kind == KindTuple }

func (d *Def) sameMetadata(o *Def) bool {
	switch d.kind {
	case KindCustom, KindStatic:
		return sameStatic(d.aux, o.aux)
	case KindDict:
		return slices.Equal(d.keys, o.keys)
	case KindStruct:
		for i, c := range d.children {
			oc := o.children[i]
			if (c.kind == KindStatic) != (oc.kind == KindStatic) || c.kind == KindStatic && !sameStatic(c.aux, oc.aux) {
				return false
			}
		}
	}
	return true
}

// SameNode tells whether two trees have the same kind of root with children of
// the same names, whatever is below.
func (d *Def) SameNode(o *Def) bool {
	return d.kind == o.kind && d.class() == o.class() && len(d.children) == len(o.children) &&
		(d.kind != KindDict || slices.Equal(d.keys, o.keys))
}

func (d *Def) mismatches(o *Def, p Path, out *[]Mismatch) {
	if d.kind == KindLeaf && o.kind == KindLeaf {
		return
	}
	add := func(seen, given, why string) { *out = append(*out, Mismatch{p, seen, given, why}) }
	if d.kind != o.kind || d.class() != o.class() {
		add(d.class(), o.class(), "their Python types differ")
		return
	}
	dd, od := d.data(), o.data()
	if len(dd) != len(od) || len(d.children) != len(o.children) {
		if d.isSequence() {
			name := ClassName(d.typ)
			add(fmt.Sprintf("%s of length %d", name, len(dd)), fmt.Sprintf("%s of length %d", name, len(od)), "the lengths do not match")
			return
		}
		why := "the numbers of children do not match"
		if diff := keyDifference(d, o); diff != "" {
			why += ", with the symmetric difference of key sets: {" + diff + "}"
		}
		add(d.class()+childCount(len(dd)), o.class()+childCount(len(od)), why)
		return
	}
	if !d.sameMetadata(o) {
		add(d.class()+" with pytree metadata "+d.metadata(), o.class()+" with pytree metadata "+o.metadata(),
			"the pytree node metadata does not match")
		return
	}
	for _, i := range dd {
		d.children[i].mismatches(o.children[i], p.with(d.keys[i]), out)
	}
}

func childCount(n int) string {
	if n > 1 {
		return fmt.Sprintf(" with %d children", n)
	}
	return fmt.Sprintf(" with %d child", n)
}

// keyDifference lists the dict keys that only one of the two has. Python gives
// them in the order of a set, which is none; here they are sorted.
func keyDifference(d, o *Def) string {
	if d.kind != KindDict {
		return ""
	}
	count := map[string]int{}
	for _, k := range d.keys {
		count[k.Name]++
	}
	for _, k := range o.keys {
		count[k.Name]++
	}
	var names []string
	for n, c := range count {
		if c == 1 {
			names = append(names, quote(n))
		}
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}
