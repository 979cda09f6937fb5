package rt

import (
	"fmt"
	"sync"
)

// maxHistory is how many values of cells are kept: each may hold an Array.
const maxHistory = 1000

// history is what cells were and what they have shown, by their numbers.
type history struct {
	mu   sync.Mutex
	outs map[int]any // a []any for several values
	ins  []string
}

// KeepIn notes the text of a cell.
func (s *Session) KeepIn(n int, text string) {
	h := &s.history
	h.mu.Lock()
	defer h.mu.Unlock()
	if n < 0 || n > 1<<20 {
		return
	}
	for len(h.ins) <= n {
		h.ins = append(h.ins, "")
	}
	h.ins[n] = text
}

// CellText is the text of a cell that KeepIn has noted.
func (s *Session) CellText(n int) (string, bool) {
	h := &s.history
	h.mu.Lock()
	defer h.mu.Unlock()
	if n < 0 || n >= len(h.ins) || h.ins[n] == "" {
		return "", false
	}
	return h.ins[n], true
}

// KeepOut notes what a cell has shown.
func (s *Session) KeepOut(n int, values []any) {
	h := &s.history
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.outs == nil {
		h.outs = map[int]any{}
	}
	if len(values) == 1 {
		h.outs[n] = values[0]
	} else {
		h.outs[n] = values
	}
	delete(h.outs, n-maxHistory)
}

// ForgetOuts lets go of the values.
func (s *Session) ForgetOuts() {
	s.history.mu.Lock()
	defer s.history.mu.Unlock()
	s.history.outs = nil
}

// Out is the value that cell n has shown.
func (s *Session) Out(n int) any {
	s.history.mu.Lock()
	defer s.history.mu.Unlock()
	v, ok := s.history.outs[n]
	if !ok {
		panic(plainError(fmt.Sprintf("Out[%d]: the cell has no value, or it is kept no more", n)))
	}
	return v
}

// Outs is a copy of all values that are kept.
func (s *Session) Outs() map[int]any {
	s.history.mu.Lock()
	defer s.history.mu.Unlock()
	m := make(map[int]any, len(s.history.outs))
	for n, v := range s.history.outs {
		m[n] = v
	}
	return m
}

// Ins are the texts of the cells, by number.
func (s *Session) Ins() []string {
	s.history.mu.Lock()
	defer s.history.mu.Unlock()
	return append([]string{}, s.history.ins...)
}
