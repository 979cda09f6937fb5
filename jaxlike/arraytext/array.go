package arraytext

import (
	"fmt"
	"strconv"
	"strings"

	"gopherlo/jaxlike/dtype"
)

// NumPy's default print options, and JAX's limit on what is printed at all.
const (
	lineWidth = 75
	threshold = 1000
	edgeItems = 3
	precision = 8
	maxBytes  = 1 << 20
)

// Array is what is printed: elements in row-major order, little-endian. Data
// of a key array holds two uint32 per element.
type Array struct {
	DType dtype.DType
	Shape []int
	Weak  bool
	Data  []byte
}

func (a Array) size() int {
	n := 1
	for _, d := range a.Shape {
		n *= d
	}
	return n
}

func (a Array) nbytes() int { return a.size() * a.DType.Size() }

// Repr returns the text of a as a cell's result: Array([1., 2.], dtype=float32).
func (a Array) Repr() string {
	if a.DType == dtype.KeyFry {
		return a.key()
	}
	const prefix = "Array("
	tail := "dtype=" + a.DType.String()
	if a.Weak {
		tail += ", weak_type=True"
	}
	var s string
	switch {
	case a.size() == 0:
		s = "[], shape=" + ShapeText(a.Shape)
	case a.nbytes() >= maxBytes:
		s = "shape=" + ShapeText(a.Shape)
	default:
		s = a.layout(", ", len(prefix), 1)
	}
	sep := " "
	if last := len(s) - strings.LastIndexByte(s, '\n') + 1; last+len(tail)+2 > lineWidth {
		sep = strings.Repeat(" ", len(prefix)) // no newline: this is what JAX does
	}
	return prefix + s + "," + sep + tail + ")"
}

// Str returns the text of a as print shows it: [1. 2.], or a bare number.
func (a Array) Str() string {
	switch {
	case a.DType == dtype.KeyFry:
		return a.key()
	case a.nbytes() >= maxBytes:
		return a.Repr()
	case len(a.Shape) == 0:
		return scalarStr(a.DType, a.Data)
	case a.size() == 0:
		return "[]"
	}
	return a.layout(" ", 0, 0)
}

// key prints an array of random keys with the words that it is made of.
func (a Array) key() string {
	words := Array{DType: dtype.Uint32, Shape: append(a.Shape[:len(a.Shape):len(a.Shape)], 2), Data: a.Data}
	return fmt.Sprintf("Array(%s, dtype=%s) overlaying:\n%s", ShapeText(a.Shape), a.DType, words.Str())
}

// ShapeText prints a shape as a Python tuple: (), (3,), (2, 3).
func ShapeText(shape []int) string {
	if len(shape) == 1 {
		return "(" + strconv.Itoa(shape[0]) + ",)"
	}
	parts := make([]string, len(shape))
	for i, d := range shape {
		parts[i] = strconv.Itoa(d)
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// layout prints the elements in nested brackets; prefix is the width of what
// stands before on the first line, suffix of what follows on the last.
func (a Array) layout(sep string, prefix, suffix int) string {
	l := layouter{Array: a, sep: sep, summary: a.size() > threshold}
	l.strides = make([]int, len(a.Shape))
	stride := 1
	for i := len(a.Shape) - 1; i >= 0; i-- {
		l.strides[i] = stride
		stride *= a.Shape[i]
	}
	l.format = formatter(a.DType, l.shown(), len(a.Shape) == 0)
	return l.level(0, 0, strings.Repeat(" ", prefix+1), lineWidth-suffix)
}

type layouter struct {
	Array
	sep     string
	summary bool
	strides []int
	format  func(elem []byte) string
}

func (l *layouter) elem(offset int) []byte { return l.Data[offset*l.DType.Size():] }

// split tells how many items of an axis are shown before and after the dots;
// without dots all are after them.
func (l *layouter) split(n int) (lead, trail int, dots bool) {
	if l.summary && 2*edgeItems < n {
		return edgeItems, edgeItems, true
	}
	return 0, n, false
}

// shown returns the elements that are printed: widths and notation are taken
// from these alone.
func (l *layouter) shown() [][]byte {
	var out [][]byte
	var walk func(axis, offset int)
	walk = func(axis, offset int) {
		if axis == len(l.Shape) {
			out = append(out, l.elem(offset))
			return
		}
		n := l.Shape[axis]
		lead, trail, _ := l.split(n)
		for i := range lead {
			walk(axis+1, offset+i*l.strides[axis])
		}
		for i := n - trail; i < n; i++ {
			walk(axis+1, offset+i*l.strides[axis])
		}
	}
	walk(0, 0)
	return out
}

// level prints one axis. hang is what later lines start with, width what is
// left for a line.
func (l *layouter) level(axis, offset int, hang string, width int) string {
	if axis == len(l.Shape) {
		return l.format(l.elem(offset))
	}
	if axis == len(l.Shape)-1 {
		return l.row(axis, offset, hang, width)
	}
	var b strings.Builder
	n := l.Shape[axis]
	lead, trail, dots := l.split(n)
	sep := strings.TrimRight(l.sep, " ") + strings.Repeat("\n", len(l.Shape)-axis-1)
	item := func(i int) string { return l.level(axis+1, offset+i*l.strides[axis], hang+" ", width-1) }
	for i := range lead {
		b.WriteString(hang + item(i) + sep)
	}
	if dots {
		b.WriteString(hang + "..." + sep)
	}
	for i := n - trail; i < n; i++ {
		b.WriteString(hang + item(i))
		if i < n-1 {
			b.WriteString(sep)
		}
	}
	return "[" + b.String()[len(hang):] + "]"
}

// row prints the last axis, wrapping lines.
func (l *layouter) row(axis, offset int, hang string, width int) string {
	n := l.Shape[axis]
	lead, trail, dots := l.split(n)
	var b strings.Builder
	line := hang
	inner := width - max(len(strings.TrimRight(l.sep, " ")), 1)
	add := func(word string) {
		if len(line)+len(word) > inner && len(line) > len(hang) {
			b.WriteString(strings.TrimRight(line, " ") + "\n")
			line = hang
		}
		line += word
	}
	for i := range lead {
		add(l.format(l.elem(offset + i)))
		line += l.sep
	}
	if dots {
		add("...")
		line += l.sep
	}
	for i := n - trail; i < n; i++ {
		add(l.format(l.elem(offset + i)))
		if i < n-1 {
			line += l.sep
		}
	}
	return "[" + (b.String() + line)[len(hang):] + "]"
}
