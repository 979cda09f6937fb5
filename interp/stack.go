package interp

import (
	"runtime"
	"runtime/metrics"
	"sync"
	"time"

	"gopherlo/internal/atonce"
	"gopherlo/internal/processors"
	"gopherlo/interp/lower"
	"gopherlo/interp/rt"
	"gopherlo/kernel/language"
)

// An endless recursion would end the worker: the runtime cannot give an error
// for a stack that has grown too large. So whoever waits for a cell looks at
// what all stacks hold, every few milliseconds, and stops the cell as an
// interrupt does. This costs the calls nothing; a count in each function would
// cost a tenth of a call's time.

const (
	// maxStacks is what the stacks of all goroutines may hold, beside a share
	// for each of them. A stack doubles as it grows, and what it leaves behind
	// may be counted until a garbage collection ends: below this the largest has
	// 128 MB at most, above it 256 MB, of which half is in use: some 35,000 calls. The
	// worker's own limit is 512 MB, half a second further.
	maxStacks = 250 << 20
	// stackShare is what each goroutine may hold of its own.
	stackShare = 64 << 10

	stackPoll     = 5 * time.Millisecond
	goroutinePoll = 20 * time.Millisecond
	// restPolls is how often the guard looks for another cell before it ends.
	restPolls = 20
)

// guard looks after the cells that run. It is one goroutine for many cells: a
// ticker of each cell's own would wake a thread at the start and at the end of the
// smallest.
type guard struct {
	mu      sync.Mutex
	running bool // there is a goroutine
	ran     bool // a cell has run since the goroutine looked
	cells   map[*guarded]struct{}
}

// guarded is a cell that runs.
type guarded struct {
	full chan struct{} // closed when stacks have grown too large
	held *stacks       // nil until the guard has seen the cell
}

// add begins to look after a cell.
func (g *guard) add() *guarded {
	c := &guarded{full: make(chan struct{})}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.cells == nil {
		g.cells = map[*guarded]struct{}{}
	}
	g.cells[c] = struct{}{}
	g.start()
	return c
}

// begin notes that a cell is made ready.
func (g *guard) begin() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.start()
}

// start sees to it that there is a goroutine; g.mu is held. While its ticker runs it
// wakes what interrupts long computations, which need not be told of each cell.
func (g *guard) start() {
	g.ran = true
	if !g.running {
		g.running = true
		go g.run()
		atonce.Lasting()
	}
}

// remove ends it. seen reports whether the guard has come by meanwhile.
func (g *guard) remove(c *guarded) (seen bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.cells, c)
	return c.held != nil
}

// run looks at the stacks every few milliseconds until no cell has run for a while.
func (g *guard) run() {
	tick := time.NewTicker(stackPoll)
	defer tick.Stop()
	for rest := 0; rest < restPolls; {
		<-tick.C
		g.mu.Lock()
		if rest++; g.look() {
			rest = 0
		}
		g.running = rest < restPolls
		g.mu.Unlock()
	}
}

// look tells cells whose stacks have grown too large, and reports whether any cell
// has run since it was called last; g.mu is held.
func (g *guard) look() (ran bool) {
	for c := range g.cells {
		switch {
		case c.held == nil:
			c.held = newStacks()
		case c.held.full():
			close(c.full)
			delete(g.cells, c)
		default: // it is no small one
			processors.Wide()
		}
	}
	ran, g.ran = g.ran || len(g.cells) > 0, false
	return ran
}

// stacks watches what the stacks of all goroutines hold.
type stacks struct{ least uint64 }

// newStacks starts watching. What is held now may be the rest of an earlier
// recursion, which goes when a garbage collection ends.
func newStacks() *stacks {
	s := &stacks{}
	s.least = s.held()
	return s
}

func (s *stacks) held() uint64 {
	samples := [2]metrics.Sample{{Name: "/memory/classes/heap/stacks:bytes"}, {Name: "/sched/goroutines:goroutines"}}
	metrics.Read(samples[:])
	bytes, goroutines := samples[0].Value, samples[1].Value
	if bytes.Kind() != metrics.KindUint64 || goroutines.Kind() != metrics.KindUint64 {
		return 0
	}
	return bytes.Uint64() - min(bytes.Uint64(), stackShare*goroutines.Uint64())
}

// full reports whether some goroutine's stack has grown too large.
func (s *stacks) full() bool {
	now := s.held()
	s.least = min(s.least, now)
	return now-s.least > maxStacks
}

// awaitUnwound waits until the stack that was too large has gone. Until then
// its goroutine may be another than the cell's, and not have seen yet that it
// is to stop.
func (s *stacks) awaitUnwound() {
	for i := range 250 {
		if !s.full() {
			return
		}
		if i%10 == 5 {
			runtime.GC() // counts what has been left behind no more
		}
		time.Sleep(stackPoll)
	}
}

// recursionError is what a cell ends with whose calls nest without end. mark is
// the line that ran, top the statement of the cell that led there, each as cell and
// line in one number; 0 when unknown.
func (in *Interp) recursionError(mark, top int) *language.Error {
	e := &language.Error{Name: "RecursionError", Value: "maximum recursion depth exceeded: a goroutine's stack grew beyond 128 MB"}
	e.Traceback = []string{e.Name + ": " + e.Value}
	if mark > 0 {
		e.Traceback = append(e.Traceback, in.lineText(mark))
	}
	if top > 0 && top != mark {
		e.Traceback = append(e.Traceback, in.where(top/lower.LineBase, top%lower.LineBase))
	}
	return e
}

// lineText says where a mark is.
func (in *Interp) lineText(mark int) string {
	cell, line := mark/lower.LineBase, mark%lower.LineBase
	text := in.where(cell, line)
	if fn := in.trace.funcAt(cell, line); fn != "" {
		text += ", in " + fn
	}
	return text
}

// watchGoroutines guards the goroutines that cells have left running. There is
// one watcher at most; it ends with them.
func (in *Interp) watchGoroutines() {
	if in.rt.Goroutines() == 0 || !in.watching.CompareAndSwap(false, true) {
		return
	}
	go func(s *rt.Session) {
		defer in.watching.Store(false)
		tick := time.NewTicker(goroutinePoll)
		defer tick.Stop()
		held := newStacks()
		for s.Goroutines() > 0 {
			<-tick.C
			if !held.full() || in.cells.Load() > 0 {
				continue // whoever waits for a cell looks itself
			}
			mark := s.Line()
			in.stops.stop()
			s.Report(in.recursionError(mark, 0).Traceback)
			held.awaitUnwound()
			in.stops.stopped()
		}
	}(in.rt)
}
