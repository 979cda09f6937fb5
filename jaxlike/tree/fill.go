package tree

import "strings"

// Fill prints the tree as Python prints a value of this structure, with a text
// for each leaf: tuples, lists and dicts in their brackets, structs as
// Name(Field=..., ...).
func (d *Def) Fill(texts []string) string {
	var b strings.Builder
	d.fill(&b, &texts)
	return b.String()
}

func (d *Def) fill(b *strings.Builder, texts *[]string) {
	open, end := "", ""
	switch d.kind {
	case KindLeaf:
		b.WriteString((*texts)[0])
		*texts = (*texts)[1:]
		return
	case KindNone, KindStatic:
		b.WriteString(literal(d.aux))
		return
	case KindTuple:
		open, end = "(", ")"
		if len(d.children) == 1 {
			end = ",)"
		}
	case KindList:
		open, end = "[", "]"
	case KindDict:
		open, end = "{", "}"
	default:
		open, end = d.name()+"(", ")"
	}
	b.WriteString(open)
	for i, c := range d.children {
		if i > 0 {
			b.WriteString(", ")
		}
		switch {
		case d.kind == KindDict:
			b.WriteString(quote(d.keys[i].Name) + ": ")
		case d.kind == KindStruct && i < len(d.keys):
			b.WriteString(d.keys[i].Name + "=")
		}
		c.fill(b, texts)
	}
	b.WriteString(end)
}
