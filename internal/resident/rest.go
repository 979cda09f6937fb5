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
//
// Its timer is left alone while work comes and goes: setting one wakes a thread,
// which would be a part of what a small cell takes.
type Rest struct {
	trim func() // Trim, but for tests

	mu    sync.Mutex
	busy  int
	ended time.Time // when work ended last
	armed bool      // the timer will run rest
	timer *time.Timer
	next  time.Time // not before
}

// Activity notes that work begins (on) or has ended. Work may overlap.
func (r *Rest) Activity(on bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if on {
		r.busy++
		return
	}
	if r.busy--; r.busy > 0 {
		return
	}
	if r.ended = time.Now(); !r.armed {
		r.arm()
	}
}

// arm sets the timer to when the process will have been at rest long enough.
func (r *Rest) arm() {
	wait := max(time.Until(r.ended.Add(quiet)), time.Until(r.next))
	if r.armed = true; r.timer == nil {
		r.timer = time.AfterFunc(wait, r.rest)
		return
	}
	r.timer.Reset(wait)
}

// rest runs when the time is up; work that has come meanwhile goes first.
func (r *Rest) rest() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.armed = false; r.busy > 0 {
		return
	}
	now := time.Now()
	if now.Before(r.ended.Add(quiet)) || now.Before(r.next) {
		r.arm()
		return
	}
	trim := r.trim
	if trim == nil {
		trim = Trim
	}
	r.mu.Unlock()
	trim()
	r.mu.Lock()
	r.next = time.Now().Add(share * time.Since(now))
}
