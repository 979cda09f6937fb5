package interp

import (
	"go/scanner"
	"go/token"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"gopherlo/interp/cell"
)

// mutator makes new cells of known ones, token by token: go's own fuzzing
// mutates bytes, which rarely leaves Go.
type mutator struct {
	rnd    *rand.Rand
	seeds  []string
	pieces [][]string // the tokens of each seed, spaces between them
}

func newMutator(seeds []string, seed uint64) *mutator {
	m := &mutator{rnd: rand.New(rand.NewPCG(seed, 1)), seeds: seeds}
	for _, s := range seeds {
		m.pieces = append(m.pieces, pieces(s))
	}
	return m
}

// pieces cuts a text into tokens, each with the space before it.
func pieces(src string) []string {
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(src))
	s.Init(file, []byte(src), func(token.Position, string) {}, scanner.ScanComments)
	var list []string
	from := 0
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			return append(list, src[from:])
		}
		end := file.Offset(pos) + len(lit)
		if tok == token.SEMICOLON && lit == "\n" {
			end = file.Offset(pos)
		}
		if lit == "" {
			end = file.Offset(pos) + len(tok.String())
		}
		if end = min(end, len(src)); end > from {
			list = append(list, src[from:end])
			from = end
		}
	}
}

// next is a new cell made of cell n.
func (m *mutator) next(n int) string {
	base := append([]string{}, m.pieces[n]...)
	other := m.pieces[m.rnd.IntN(len(m.pieces))]
	for range 1 + m.rnd.IntN(3) {
		if len(base) == 0 {
			break
		}
		i, j := m.rnd.IntN(len(base)), m.rnd.IntN(len(base))
		from := m.rnd.IntN(len(other))
		to := min(len(other), from+1+m.rnd.IntN(12))
		switch m.rnd.IntN(20) {
		case 0: // without a token
			base = append(base[:i], base[i+1:]...)
		case 1: // two exchanged
			base[i], base[j] = base[j], base[i]
		case 2: // one twice
			base[i] = base[j]
		case 3: // one of another cell
			base[i] = " " + strings.TrimSpace(other[from])
		case 4: // some of another cell
			base = append(base[:i:i], append(append([]string{}, other[from:to]...), base[i:]...)...)
		case 5: // a part again
			base = append(base[:max(i, j):max(i, j)], base[min(i, j):]...)
		case 6: // without a part
			base = append(base[:min(i, j):min(i, j)], base[max(i, j):]...)
		default: // one of the same kind, from here or there
			pool := base
			if m.rnd.IntN(3) == 0 {
				pool = other
			}
			for range 40 {
				if k := m.rnd.IntN(len(pool)); kind(pool[k]) == kind(base[i]) && pool[k] != base[i] {
					space := base[i][:len(base[i])-len(strings.TrimLeft(base[i], " \t\n"))]
					base[i] = space + strings.TrimSpace(pool[k])
					break
				}
			}
		}
	}
	return strings.Join(base, "")
}

// kind tells names, numbers, texts and signs apart.
func kind(piece string) rune {
	s := strings.TrimSpace(piece)
	switch {
	case s == "":
		return ' '
	case token.IsKeyword(s):
		return 'k'
	case token.IsIdentifier(s):
		return 'x'
	case s[0] >= '0' && s[0] <= '9':
		return '0'
	case strings.ContainsRune("\"`'", rune(s[0])):
		return '"'
	case strings.ContainsAny(s, "(){}[],;:"):
		return '('
	}
	return '+'
}

// TestMutated checks, lowers and declares sessions with mutated cells between
// their own; what fails, hangs or spoils the session for a good cell is a
// finding. GOPHERLO_MUTATE is for how long, GOPHERLO_SEED where it starts.
func TestMutated(t *testing.T) {
	if raceEnabled {
		t.Skip("yaegi frames race")
	}
	length := 3 * time.Second
	if d, err := time.ParseDuration(os.Getenv("GOPHERLO_MUTATE")); err == nil {
		length = d
	}
	seed, _ := strconv.ParseUint(os.Getenv("GOPHERLO_SEED"), 10, 64)
	m := newMutator(fuzzSeeds(t), seed)
	sessions := fuzzSessions(t)
	firsts := make([]int, len(sessions)) // number of each session's first cell
	for i := 1; i < len(sessions); i++ {
		firsts[i] = firsts[i-1] + len(sessions[i-1])
	}
	runs, right, findings := 0, 0, 0
	for end := time.Now().Add(length); time.Now().Before(end) && findings < 20; {
		s := m.rnd.IntN(len(sessions))
		in := New(Options{})
		for i, code := range sessions[s] {
			for range 12 {
				src := m.next(firsts[s] + i)
				runs++
				ok := t.Run("", func(t *testing.T) {
					cell.IsComplete(src)
					if fuzzCell(t, in, src) {
						right++
					}
				})
				if !ok {
					findings++
					in = New(Options{})
				}
			}
			fuzzCell(t, in, code)
			if !shadowed(in) {
				goodCell(t, in, code)
			}
		}
		in.rt.Close()
	}
	t.Logf("%d cells, %d of them right", runs, right)
}
