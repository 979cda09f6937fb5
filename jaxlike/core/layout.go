package core

import (
	"strconv"
	"strings"
)

// The layout engine of JAX's pretty printer (jax/_src/pretty_printer.py of
// 0.12.0.1, re-made from its observed output): width 80 in bytes; a group is
// flat when its own flat text fits in what is left of the line, whatever
// follows it; every group decides for itself.
const lineWidth = 80

type docKind uint8

const (
	docText docKind = iota
	docCat
	docBreak
	docNest
	docGroup
)

type doc struct {
	kind docKind
	s    string // text, or a break's flat text
	n    int    // nesting
	subs []doc
	flat int // width of the flat text
}

func text(s string) doc { return doc{kind: docText, s: s, flat: len(s)} }
func brk(s string) doc  { return doc{kind: docBreak, s: s, flat: len(s)} }

func cat(ds ...doc) doc {
	w := 0
	for _, d := range ds {
		w += d.flat
	}
	return doc{kind: docCat, subs: ds, flat: w}
}

func nest(n int, d doc) doc { return doc{kind: docNest, n: n, subs: []doc{d}, flat: d.flat} }
func group(d doc) doc       { return doc{kind: docGroup, subs: []doc{d}, flat: d.flat} }

type layouter struct {
	b   strings.Builder
	col int
}

func layout(d doc) string {
	var l layouter
	l.put(&d, 0, true)
	return l.b.String()
}

func (l *layouter) put(d *doc, indent int, broken bool) {
	switch d.kind {
	case docText:
		l.b.WriteString(d.s)
		l.col += len(d.s)
	case docBreak:
		if !broken {
			l.b.WriteString(d.s)
			l.col += len(d.s)
			return
		}
		l.b.WriteByte('\n')
		for range indent {
			l.b.WriteByte(' ')
		}
		l.col = indent
	case docCat:
		for i := range d.subs {
			l.put(&d.subs[i], indent, broken)
		}
	case docNest:
		l.put(&d.subs[0], indent+d.n, broken)
	case docGroup:
		l.put(&d.subs[0], indent, d.flat > lineWidth-l.col)
	}
}

func itoa(n int) string { return strconv.Itoa(n) }
