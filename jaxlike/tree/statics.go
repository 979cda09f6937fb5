package tree

// StaticChange is a static value in which two structures differ.
type StaticChange struct {
	Path     Path
	From, To any
}

// StaticChanges lists the static values in which two structures differ; ok is
// false when they differ in more than those.
func (d *Def) StaticChanges(o *Def) (changes []StaticChange, ok bool) {
	ok = d.staticChanges(o, nil, &changes)
	return changes, ok
}

func (d *Def) staticChanges(o *Def, p Path, out *[]StaticChange) bool {
	if d.kind == KindStatic && o.kind == KindStatic {
		if !sameStatic(d.aux, o.aux) {
			*out = append(*out, StaticChange{p, d.aux, o.aux})
		}
		return true
	}
	if d.kind != o.kind || d.typ != o.typ || len(d.children) != len(o.children) {
		return false
	}
	if d.kind == KindCustom && !sameStatic(d.aux, o.aux) {
		return false
	}
	for i, c := range d.children {
		if d.keys[i] != o.keys[i] || !c.staticChanges(o.children[i], p.with(d.keys[i]), out) {
			return false
		}
	}
	return true
}

// Statics lists the static values of a structure.
func (d *Def) Statics() []StaticChange {
	var out []StaticChange
	d.statics(nil, &out)
	return out
}

func (d *Def) statics(p Path, out *[]StaticChange) {
	if d.kind == KindStatic {
		*out = append(*out, StaticChange{p, d.aux, d.aux})
	}
	for i, c := range d.children {
		c.statics(p.with(d.keys[i]), out)
	}
}
