package worker

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"time"

	"gopherlo/kernel/language"
)

const (
	// together is the time within which interrupts are one: people press Stop
	// twice, and JupyterLab's shortcut is a key pressed twice.
	together = time.Second
	// patience is how long an interrupted cell may take before the kill is
	// announced.
	patience = time.Second
)

// interruption is an interrupt of the running cells, until they have ended.
type interruption struct {
	began  time.Time
	cells  map[int64]bool // those that have not
	ended  chan struct{}  // closed when there are none
	killed bool
	sent   bool // to a worker
}

// Interrupt asks the running cell to stop; when it does not, the user is told
// and the worker is killed after the grace time, or at once on a second
// interrupt. Interrupting an idle worker does nothing.
func (s *Supervisor) Interrupt() {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.current
	cells := maps.Clone(s.expected)
	maps.Copy(cells, s.running)
	if len(cells) == 0 {
		return
	}
	if s.stop != nil {
		if p != nil && time.Since(s.stop.began) >= together {
			s.killLocked(p, s.stop, "the cell was interrupted again and had not stopped; its worker was killed")
		}
		return
	}
	s.stop = &interruption{began: time.Now(), cells: cells, ended: make(chan struct{}), sent: p != nil}
	if p != nil {
		go s.insist(p, s.stop)
	}
}

// killLocked kills the worker because of an interrupt; s.mu is held.
func (s *Supervisor) killLocked(p *process, stop *interruption, reason string) {
	if s.stop == stop { // the cell it was meant for still runs
		stop.killed = true
		p.kill(reason)
	}
}

// insist sends the interrupt and sees that the cell ends.
func (s *Supervisor) insist(p *process, stop *interruption) {
	s.mu.Lock()
	var last int64
	for c := range stop.cells {
		last = max(last, c)
	}
	s.mu.Unlock()
	go func() { _ = p.in.send(KindInterrupt, last) }() // a worker that is stopped does not read
	if waitFor(stop.ended, patience) {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience) // machines that compile are busy
	defer cancel()
	var busy string
	if err := s.query(ctx, KindBusy, struct{}{}, &busy); err != nil || busy == "" {
		busy = "it has not come to a point where it can stop"
	}
	if name, ok := strings.CutPrefix(busy, language.BusyFunc); ok {
		busy = name + " has not come back"
	} else {
		busy = "in native code (" + busy + ")"
	}
	s.mu.Lock()
	grace := s.grace
	live := s.stop == stop && !stop.killed
	var cell int64 // the one that is told, if several have not stopped: the oldest
	for c := range stop.cells {
		if cell == 0 || c < cell {
			cell = c
		}
	}
	s.mu.Unlock()
	if !live {
		return
	}
	if grace < 0 {
		s.sink.Stream(cell, "stderr", fmt.Appendf(nil, "%s; interrupt again to kill it; state will be lost\n", busy))
		return
	}
	s.sink.Stream(cell, "stderr", fmt.Appendf(nil, "%s; kill in %v, or interrupt again now; state will be lost\n", busy, grace))
	if waitFor(stop.ended, grace) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.killLocked(p, stop, fmt.Sprintf("the cell did not stop within %v of the interrupt (%s); its worker was killed", grace, busy))
}

// waitFor waits for c at most d; it reports whether c came.
func waitFor(c <-chan struct{}, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-c:
		return true
	case <-t.C:
		return false
	}
}
