package kernel

import (
	"sync"
	"time"
)

// lane is one queue of jobs with the goroutine that runs them: that of the main
// shell, or that of a subshell.
type lane struct {
	s  *Session
	id string // of the subshell, "" for the main shell

	mu     sync.Mutex
	wake   sync.Cond
	queue  []job
	closed bool
	busy   bool          // a job runs
	ended  chan struct{} // closed when run has returned
}

func newLane(s *Session, id string) *lane {
	l := &lane{s: s, id: id, ended: make(chan struct{})}
	l.wake.L = &l.mu
	return l
}

// main reports whether this is the main shell's queue.
func (l *lane) main() bool { return l.id == "" }

// add puts a job at the end of the queue. It reports false when the subshell
// has been deleted.
func (l *lane) add(j job) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return false
	}
	l.queue = append(l.queue, j)
	l.wake.Signal()
	return true
}

// run starts queued jobs, one after the other, until stop.
func (l *lane) run() {
	defer close(l.ended)
	for {
		l.mu.Lock()
		l.busy = false
		for len(l.queue) == 0 && !l.closed {
			l.wake.Wait()
		}
		if l.closed {
			l.mu.Unlock()
			return
		}
		j := l.queue[0]
		l.queue[0] = nil
		l.queue = l.queue[1:]
		l.busy = true
		l.mu.Unlock()
		l.s.k.opts.Activity(true)
		j.run(l)
		l.s.touch()
		l.s.k.opts.Activity(false)
	}
}

// stop ends run after the current job and returns the jobs that will not run.
func (l *lane) stop() []job {
	l.mu.Lock()
	defer l.mu.Unlock()
	left := l.queue
	l.queue, l.closed = nil, true
	l.wake.Signal()
	return left
}

// occupied reports whether a job runs or waits.
func (l *lane) occupied() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.busy || len(l.queue) > 0
}

const (
	// quietAlone and quietBehind are how long nothing may arrive before the
	// cells behind a failed one are all there. A client that runs a whole
	// notebook sends them faster than this; none has seen the error yet.
	quietAlone  = time.Millisecond
	quietBehind = 20 * time.Millisecond
	abortLimit  = time.Second
)

// takeBehind takes the cells that wait behind a failed one out of the queue,
// with those that are still on their way. Comm messages stay.
func (l *lane) takeBehind() []*cellJob {
	var taken []*cellJob
	quiet, began := quietAlone, time.Now()
	for {
		n := len(taken)
		l.mu.Lock()
		kept := l.queue[:0]
		for _, j := range l.queue {
			if c, ok := j.(*cellJob); ok {
				taken = append(taken, c)
			} else {
				kept = append(kept, j)
			}
		}
		l.queue = kept
		l.mu.Unlock()
		if len(taken) > n {
			quiet = quietBehind
		} else if n > 0 || time.Since(began) > quietAlone {
			return taken
		}
		if time.Since(began) > abortLimit {
			return taken
		}
		time.Sleep(quiet)
	}
}
