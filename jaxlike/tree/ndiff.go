package tree

import "strings"

// ndiff shows the difference of two lines as Python's difflib.ndiff does: the
// lines, and below each a guide line with ^, - and + where they are alike enough
// to be compared character by character.
func ndiff(a, b string) []string {
	m := matcher{a: []byte(a), b: []byte(b)}
	m.blocks(0, len(a), 0, len(b))
	matched := 0
	for _, k := range m.found {
		matched += k.n
	}
	const cutoff = 0.74999 // difflib.Differ._fancy_replace
	if total := len(a) + len(b); total == 0 || 2*float64(matched)/float64(total) <= cutoff {
		return []string{"- " + a, "+ " + b}
	}
	var ga, gb strings.Builder
	i, j := 0, 0
	for _, k := range append(m.found, block{len(a), len(b), 0}) {
		da, db := k.i-i, k.j-j
		switch {
		case da > 0 && db > 0:
			ga.WriteString(strings.Repeat("^", da))
			gb.WriteString(strings.Repeat("^", db))
		case da > 0:
			ga.WriteString(strings.Repeat("-", da))
		case db > 0:
			gb.WriteString(strings.Repeat("+", db))
		}
		ga.WriteString(strings.Repeat(" ", k.n))
		gb.WriteString(strings.Repeat(" ", k.n))
		i, j = k.i+k.n, k.j+k.n
	}
	out := []string{"- " + a}
	if g := strings.TrimRight(ga.String(), " "); g != "" {
		out = append(out, "? "+g+"\n")
	}
	out = append(out, "+ "+b)
	if g := strings.TrimRight(gb.String(), " "); g != "" {
		out = append(out, "? "+g+"\n")
	}
	return out
}

type block struct{ i, j, n int }

// matcher finds matching blocks as difflib.SequenceMatcher: the longest first,
// then the same to its left and right. Blanks are junk: they do not start a
// match.
type matcher struct {
	a, b  []byte
	found []block
}

func (m *matcher) blocks(alo, ahi, blo, bhi int) {
	best := m.longest(alo, ahi, blo, bhi)
	if best.n == 0 {
		return
	}
	m.blocks(alo, best.i, blo, best.j)
	m.found = append(m.found, best)
	m.blocks(best.i+best.n, ahi, best.j+best.n, bhi)
}

func (m *matcher) longest(alo, ahi, blo, bhi int) block {
	best := block{alo, blo, 0}
	for i := alo; i < ahi; i++ {
		for j := blo; j < bhi; j++ {
			n := 0
			for i+n < ahi && j+n < bhi && m.a[i+n] == m.b[j+n] && m.b[j+n] != ' ' {
				n++
			}
			if n > best.n {
				best = block{i, j, n}
			}
		}
	}
	for best.i > alo && best.j > blo && m.a[best.i-1] == m.b[best.j-1] {
		best = block{best.i - 1, best.j - 1, best.n + 1}
	}
	for best.i+best.n < ahi && best.j+best.n < bhi && m.a[best.i+best.n] == m.b[best.j+best.n] {
		best.n++
	}
	return best
}
