package tree

import (
	"fmt"
	"strings"
)

// PrefixError says where a tree is no prefix of another. Its text is JAX's
// (jax/_src/tree_util.py, _prefix_error).
type PrefixError struct{ Message string }

func (e *PrefixError) Error() string { return e.Message }

// PrefixErrors lists where prefix fails to be a tree prefix of full; name is
// what the texts call the prefix.
func PrefixErrors(name string, prefix, full *Def) []*PrefixError {
	var out []*PrefixError
	prefix.prefixErrors(full, name, nil, &out)
	return out
}

func (d *Def) prefixErrors(full *Def, name string, p Path, out *[]*PrefixError) {
	if d.kind == KindLeaf {
		return
	}
	where := name + p.String()
	add := func(kind, format string, args ...any) {
		head := fmt.Sprintf("pytree structure error: different %s at key path\n    %s\nAt that key path, the prefix pytree %s has a subtree of type", kind, where, name)
		*out = append(*out, &PrefixError{head + fmt.Sprintf(format, args...)})
	}
	const butFull = "but at the same key path the full pytree has a subtree of "
	if d.kind != full.kind || d.class() != full.class() {
		add("types", "\n    %s\n"+butFull+"different type\n    %s.", d.class(), leafClass(full))
		return
	}
	dd, fd := d.data(), full.data()
	if len(dd) != len(fd) || len(d.children) != len(full.children) {
		if d.isSequence() {
			n := ClassName(d.typ)
			add("lengths of "+n, " %s of length %d, but the full pytree has a subtree of the same type but of length %d.", n, len(dd), len(fd))
			return
		}
		add("numbers of pytree children", "\n    %s\nwith %d child keys\n    %s\n"+butFull+"the same type but with %d child keys\n    %s\nso the symmetric difference on key sets is\n    %s",
			d.class(), len(dd), d.keyList(), len(fd), full.keyList(), keySetDifference(d, full))
		return
	}
	if !d.sameMetadata(full) {
		a, b := d.metadata(), full.metadata()
		add("pytree metadata", "\n    %s\nwith metadata\n    %s\n"+butFull+"the same type but with metadata\n    %s\nso the diff in the metadata at these pytree nodes is\n%s",
			d.class(), a, b, indent(ndiff(a, b)))
		return
	}
	for _, i := range dd {
		d.children[i].prefixErrors(full.children[i], name, p.with(d.keys[i]), out)
	}
}

// leafClass is the class of a node of the full tree, whose leaves are stand-ins
// where their types are not known.
func leafClass(d *Def) string {
	switch {
	case d.kind != KindLeaf:
		return d.class()
	case d.typ != nil:
		return Class(d.typ)
	}
	return "<class 'jax._src.api_util.PytreeLeaf'>"
}

func (d *Def) keyList() string {
	parts := make([]string, 0, len(d.keys))
	for _, i := range d.data() {
		parts = append(parts, d.keys[i].String())
	}
	return strings.Join(parts, " ")
}

func keySetDifference(d, o *Def) string {
	has := func(t *Def, k Key) bool {
		for _, i := range t.data() {
			if t.keys[i] == k {
				return true
			}
		}
		return false
	}
	var parts []string
	for _, i := range d.data() {
		if !has(o, d.keys[i]) {
			parts = append(parts, d.keys[i].String())
		}
	}
	for _, i := range o.data() {
		if !has(d, o.keys[i]) {
			parts = append(parts, o.keys[i].String())
		}
	}
	return strings.Join(parts, " ")
}

func indent(lines []string) string {
	// As textwrap.indent: lines that are blank stay so.
	out := strings.Split(strings.Join(lines, "\n"), "\n")
	for i, l := range out {
		if strings.TrimSpace(l) != "" {
			out[i] = "    " + l
		}
	}
	return strings.Join(out, "\n")
}

// FlattenUpTo cuts v where d has its leaves and returns the subtrees. name is
// what the error calls d.
func (d *Def) FlattenUpTo(name string, v any) ([]any, error) {
	leaves, full := FlattenWith(v, nil, Options{leafTypes: true})
	if errs := PrefixErrors(name, d, full); len(errs) > 0 {
		return nil, errs[0]
	}
	out := make([]any, 0, d.leaves)
	d.zip(full, func(sub *Def) {
		v, rest := sub.loose(leaves)
		leaves = rest
		out = append(out, v)
	})
	return out, nil
}

// zip visits the subtrees of full at the leaves of d.
func (d *Def) zip(full *Def, visit func(sub *Def)) {
	if d.kind == KindLeaf {
		visit(full)
		return
	}
	for i, c := range d.children {
		c.zip(full.children[i], visit)
	}
}

// BroadcastPrefix repeats each leaf of prefix for the leaves of full below it:
// one entry per leaf of full. nil counts as a leaf of prefix. If prefix is none
// of full, the error words it for the specification of that name, such as
// "vmap in_axes" (jax/_src/api_util.py, flatten_axes); tupled says that prefix
// is a tuple standing for an argument list, which adds a hint.
func BroadcastPrefix(name string, prefix any, full *Def, tupled bool) ([]any, error) {
	nilLeaf := Options{IsLeaf: func(v any) bool { return v == nil }}
	leaves, def := FlattenWith(prefix, nil, nilLeaf)
	if errs := PrefixErrors(name, def, full); len(errs) > 0 {
		texts := make([]string, len(errs))
		for i, e := range errs {
			texts[i] = e.Message
		}
		return nil, &PrefixError{fmt.Sprintf("%s specification must be a tree prefix of the corresponding value; %s\n  Mismatch details (%d found):\n  %s",
			name, tupledHint(name, prefix, full, tupled), len(errs), strings.Join(texts, "\n  "))}
	}
	out := make([]any, 0, full.leaves)
	i := 0
	def.zip(full, func(sub *Def) {
		for range sub.leaves {
			out = append(out, leaves[i])
		}
		i++
	})
	return out, nil
}

func tupledHint(name string, prefix any, full *Def, tupled bool) string {
	if !tupled {
		return ""
	}
	hint := fmt.Sprintf(" Note that %s that are non-trivial pytrees should always be wrapped in a tuple representing the argument list.", name)
	if len(full.children) == 1 {
		if _, err := BroadcastPrefix(name, Tuple{prefix}, full, false); err == nil {
			hint += fmt.Sprintf(" In particular, you're passing in a single argument which means that %s might need to be wrapped in a singleton tuple.", name)
		}
	}
	return hint
}
