package resident

import (
	"sync"
	"time"
)

const (
	// quiet is how long a process has been at rest before it gives memory back.
	// Somebody who runs cells one after the other is faster, and somebody who
	// reads their outputs does not see the millisecond that the next one takes
	// more.
	quiet = 500 * time.Millisecond
	// share bounds the part of its time that a process spends on giving back:
	// one in share.
	share = 100
)

// Rest gives back memory whenever the process has been at rest for a moment.
// The zero Rest is one whose process has done nothing yet.
type Rest struct {
	trim func() // Trim, but for tests

	mu    sync.Mutex
	busy  int
	timer *time.Timer
	next  time.Time // not before
}

// Activity notes that work begins (on) or has ended. Work may overlap.
func (r *Rest) Activity(on bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if on {
		if r.busy++; r.timer != nil {
			r.timer.Stop()
		}
		return
	}
	if r.busy--; r.busy > 0 {
		return
	}
	wait := max(quiet, time.Until(r.next))
	if r.timer == nil {
		r.timer = time.AfterFunc(wait, r.rest)
		return
	}
	r.timer.Reset(wait)
}

// rest runs when the time is up; work that has begun meanwhile goes first.
func (r *Rest) rest() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.busy > 0 {
		return
	}
	trim := r.trim
	if trim == nil {
		trim = Trim
	}
	began := time.Now()
	r.mu.Unlock()
	trim()
	r.mu.Lock()
	r.next = time.Now().Add(share * time.Since(began))
}
