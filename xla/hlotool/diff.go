package hlotool

import (
	"fmt"
	"slices"
	"strings"
)

// Diff compares two programs by their HLO text in a style and gives the
// difference in the form of `diff -u`, "" when there is none.
func Diff(a, b *File, style string) (string, error) {
	x, err := a.Print(style)
	if err != nil {
		return "", err
	}
	y, err := b.Print(style)
	if err != nil {
		return "", err
	}
	return DiffText(a.Name, b.Name, x, y), nil
}

// DiffText compares two texts as [Diff] does; the names stand in its head.
func DiffText(nameA, nameB, a, b string) string { return unified(nameA, nameB, lines(a), lines(b)) }

func lines(s string) []string { return strings.Split(strings.TrimRight(s, "\n"), "\n") }

// maxEdits bounds the search for the shortest difference; texts that differ in
// more lines are shown as wholly different between their equal ends.
const maxEdits = 4000

// edit is one line of a comparison: ' ' in both, '-' only in a, '+' only in b.
type edit struct {
	kind byte
	text string
}

// compare gives all lines of both texts in order. Equal ends are cut first;
// the middle is Myers' greedy algorithm.
func compare(a, b []string) []edit {
	var head, tail []edit
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		head = append(head, edit{' ', a[0]})
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		tail = append(tail, edit{' ', a[len(a)-1]})
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	out := append(head, middle(a, b)...)
	for i := range tail {
		out = append(out, tail[len(tail)-1-i])
	}
	return out
}

func middle(a, b []string) []edit {
	trace := search(a, b)
	if trace == nil {
		var out []edit
		for _, s := range a {
			out = append(out, edit{'-', s})
		}
		for _, s := range b {
			out = append(out, edit{'+', s})
		}
		return out
	}
	return walkBack(a, b, trace)
}

// search finds the least number of edits; row d of the result holds the
// furthest x of each diagonal after d of them. It gives nil when they are too
// many.
func search(a, b []string) [][]int {
	var trace [][]int
	v := map[int]int{1: 0}
	for d := 0; d <= min(len(a)+len(b), maxEdits); d++ {
		row := make([]int, 2*d+1)
		for k := -d; k <= d; k += 2 {
			x := v[k-1] + 1
			if k == -d || k != d && v[k-1] < v[k+1] {
				x = v[k+1]
			}
			y := x - k
			for x < len(a) && y < len(b) && a[x] == b[y] {
				x, y = x+1, y+1
			}
			v[k], row[k+d] = x, x
			if x >= len(a) && y >= len(b) {
				return append(trace, row)
			}
		}
		trace = append(trace, row)
	}
	return nil
}

// walkBack turns the search's rows into edits, from the end.
func walkBack(a, b []string, trace [][]int) []edit {
	var out []edit
	x, y := len(a), len(b)
	for d := range slices.Backward(trace) {
		k := x - y
		prevX, prevY := 0, 0
		if d > 0 {
			row := trace[d-1]
			at := func(k int) int {
				if i := k + d - 1; i >= 0 && i < len(row) {
					return row[i]
				}
				return -1
			}
			prevK := k - 1
			if k == -d || k != d && at(k-1) < at(k+1) {
				prevK = k + 1
			}
			prevX = at(prevK)
			prevY = prevX - prevK
		}
		for x > prevX && y > prevY {
			x, y = x-1, y-1
			out = append(out, edit{' ', a[x]})
		}
		switch {
		case d == 0:
		case x > prevX:
			x--
			out = append(out, edit{'-', a[x]})
		default:
			y--
			out = append(out, edit{'+', b[y]})
		}
	}
	slices.Reverse(out)
	return out
}

// context is how many equal lines are shown around a difference.
const context = 3

// unified writes the edits as hunks, with line numbers from 1.
func unified(nameA, nameB string, a, b []string) string {
	edits := compare(a, b)
	var out strings.Builder
	lineA, lineB := 1, 1
	for i := 0; i < len(edits); {
		if edits[i].kind == ' ' {
			i, lineA, lineB = i+1, lineA+1, lineB+1
			continue
		}
		start := max(0, i-context)
		end, last := i, i
		for ; end < len(edits) && end-last <= 2*context; end++ {
			if edits[end].kind != ' ' {
				last = end
			}
		}
		end = min(len(edits), last+context+1)
		if out.Len() == 0 {
			fmt.Fprintf(&out, "--- %s\n+++ %s\n", nameA, nameB)
		}
		lineA, lineB = hunk(&out, edits[start:end], lineA-(i-start), lineB-(i-start))
		i = end
	}
	return out.String()
}

func hunk(out *strings.Builder, edits []edit, lineA, lineB int) (nextA, nextB int) {
	nextA, nextB = lineA, lineB
	for _, e := range edits {
		if e.kind != '+' {
			nextA++
		}
		if e.kind != '-' {
			nextB++
		}
	}
	fmt.Fprintf(out, "@@ -%d,%d +%d,%d @@\n", lineA, nextA-lineA, lineB, nextB-lineB)
	for _, e := range edits {
		out.WriteByte(e.kind)
		out.WriteString(e.text)
		out.WriteByte('\n')
	}
	return nextA, nextB
}
