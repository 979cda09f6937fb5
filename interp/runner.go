package interp

import (
	"sync"
	"sync/atomic"
)

// runners are goroutines that run statements of cells. One that has run a short
// cell is kept for the next: interpreted code needs some stack, and a new goroutine
// would copy its own several times as it grows. There is one pool for the process.
type runners struct {
	mu   sync.Mutex
	idle *runner
	// locks tells that cells may have locked a goroutine to its thread; then none is
	// kept.
	locks atomic.Bool
}

// runner is one such goroutine.
type runner struct{ next chan func() }

var pool runners

// start runs f on a goroutine of its own.
func (p *runners) start(f func()) *runner {
	p.mu.Lock()
	r := p.idle
	p.idle = nil
	p.mu.Unlock()
	if r == nil {
		r = &runner{make(chan func(), 1)}
		go r.run()
	}
	r.next <- f
	return r
}

// run ends with the function that ends the goroutine, or when next is closed.
func (r *runner) run() {
	for f := range r.next {
		f()
	}
}

// done gives back a runner whose function has returned. One that is not reusable,
// which may have a large stack, ends.
func (p *runners) done(r *runner, reusable bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if reusable && p.idle == nil && !p.locks.Load() {
		p.idle = r
		return
	}
	close(r.next)
}
