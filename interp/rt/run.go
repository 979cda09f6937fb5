package rt

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"gopherlo/internal/cellid"
	"gopherlo/jaxlike/core"
	"gopherlo/kernel/language"
)

// Run is one run of a cell's program, from its declarations to its last
// statement. Several may be under way: the cell of the main shell and those of
// subshells. A goroutine's run is that of its cell (package cellid); one whose
// cell has ended counts to the foreground.
type Run struct {
	s    *Session
	cell int64
	host language.Host
	ctx  context.Context //nolint:containedctx // of the request, for those who read input

	stop  chan struct{} // closed when the run is interrupted
	once  sync.Once
	marks atomic.Int64
	// mixed tells that another run was under way at the same time: the marks
	// of lines, which all share, may be the other's.
	mixed     atomic.Bool
	panicLine atomic.Int64
	panicTop  atomic.Int64
	noted     atomic.Int64 // panics whose calls have been looked at

	mu    sync.Mutex
	value []any
	shown bool
	trace strings.Builder // what yaegi wrote as a panic left functions
}

// maxTrace bounds the text kept of a panic that leaves many functions.
const maxTrace = 1 << 20

// Begin prepares a run of a cell. In the foreground it is where output of
// goroutines without a run of their own goes.
func (s *Session) Begin(ctx context.Context, cell int64, host language.Host, foreground bool) *Run {
	r := &Run{s: s, cell: cell, host: host, ctx: ctx, stop: make(chan struct{})}
	alone := true
	s.runs.Range(func(_, other any) bool {
		if other.(*Run).cell != cell {
			other.(*Run).mixed.Store(true)
			alone = false
		}
		return true
	})
	r.mixed.Store(!alone)
	if alone && s.line != nil {
		*s.line, *s.top = 0, 0
	}
	s.runs.Store(cell, r)
	running.Store(cell, r)
	if foreground || s.foreground.Load() == nil {
		s.foreground.Store(r)
	}
	return r
}

// End says that the run is over.
func (r *Run) End() {
	r.s.runs.CompareAndDelete(r.cell, r)
	running.CompareAndDelete(r.cell, r)
	if r.s.line != nil && !r.mixed.Load() { // what follows is of goroutines that it has left
		*r.s.line, *r.s.top = 0, 0
	}
}

// running are the runs of all sessions that are under way, by cell.
var running sync.Map

// An interrupt also ends what waits for a trace or a compilation.
func init() {
	core.SetStopper(func() (stop <-chan struct{}, reason any) {
		if cell, ok := cellid.Current(); ok {
			if r, ok := running.Load(cell); ok {
				return r.(*Run).stop, Interrupted{}
			}
		}
		return nil, nil
	})
}

// Active reports whether a run of a cell other than this one is under way.
func (s *Session) Active(cell int64) (active bool) {
	s.runs.Range(func(id, _ any) bool {
		active = active || id.(int64) != cell
		return !active
	})
	return active
}

// Runs calls f for each run that is under way.
func (s *Session) Runs(f func(cell int64, r *Run)) {
	s.runs.Range(func(id, r any) bool {
		f(id.(int64), r.(*Run))
		return true
	})
}

// Current is the run that the calling goroutine belongs to, nil before the
// first.
func (s *Session) Current() *Run {
	if cell, ok := cellid.Current(); ok {
		if r, ok := s.runs.Load(cell); ok {
			return r.(*Run)
		}
	}
	return s.foreground.Load()
}

// never is what waits outside all runs wait for.
var never = make(chan struct{})

// stopped is closed when the calling goroutine's run is interrupted.
func (s *Session) stopped() <-chan struct{} {
	if r := s.Current(); r != nil {
		return r.stop
	}
	return never
}

// Host is where output of the calling goroutine goes.
func (s *Session) Host() language.Host {
	if r := s.Current(); r != nil {
		return r.host
	}
	return nil
}

// Host is where the run's output goes.
func (r *Run) Host() language.Host { return r.host }

// Context is that of the request.
func (r *Run) Context() context.Context { return r.ctx }

// Interrupt ends everything in this package that waits for the run.
func (r *Run) Interrupt() { r.once.Do(func() { close(r.stop) }) }

// Started notes the first statement before it runs, as cell and line in one
// number; 0 is for statements that note it themselves.
func (r *Run) Started(mark int) {
	if mark > 0 && r.s.line != nil {
		*r.s.line, *r.s.top = mark, mark
	}
}

// Finished notes that all n statements have finished.
func (r *Run) Finished(n int) { r.marks.Store(int64(n)) }

// Mark notes that the first n statements have finished.
func (s *Session) Mark(n int) {
	if r := s.Current(); r != nil {
		r.marks.Store(int64(n))
	}
}

// Done is how many statements have finished.
func (r *Run) Done() int { return int(r.marks.Load()) }

// Show keeps the cell's value.
func (s *Session) Show(values ...any) {
	r := s.Current()
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.value, r.shown = values, true
}

// Value is what the cell's last expression gave; ok tells whether it has one.
func (r *Run) Value() (values []any, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.value, r.shown
}

// Write takes what yaegi writes about a panic of the calling goroutine. yaegi
// raises it again in each function that it leaves, which takes time with the
// square of their number: when the run has been interrupted, so that nobody
// wants the panic, the goroutine ends here instead.
func (s *Session) Write(p []byte) (int, error) {
	if r := s.Current(); r != nil {
		select {
		case <-r.stop:
			runtime.Goexit()
		default:
		}
		r.note(p)
		s.leaving(r)
	}
	return len(p), nil
}

// note keeps what yaegi wrote about a panic.
func (r *Run) note(p []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.trace.Len() < maxTrace {
		r.trace.Write(p)
	}
}

// skipped notes that a panic leaves n more functions that yaegi writes nothing of,
// but for the outermost.
func (r *Run) skipped(n int, outer func(stack string) (text string, n int)) {
	text, known := "", 0
	if outer != nil {
		buf := make([]byte, 64<<10)
		text, known = outer(string(buf[:runtime.Stack(buf, false)]))
	}
	if n -= known; n > 0 {
		text = fmt.Sprintf("%s%d\n", Skipped, n) + text
	}
	r.note([]byte(text))
}

// Skipped precedes the number of functions that are left out of a trace.
const Skipped = "skipped: "

// Trace is what yaegi wrote about the run's panic.
func (r *Run) Trace() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.trace.String()
}

// recovered forgets a panic that the cell has recovered from.
func (r *Run) recovered() {
	r.panicLine.Store(0)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.trace.Reset()
}

// Lines says where lowered code notes the line that runs and the statement of
// the cell.
func (s *Session) Lines(line, top *int) { s.line, s.top = line, top }

// Line is the line that some goroutine of the cells runs, as cell and line in one
// number; 0 when unknown.
func (s *Session) Line() int {
	if s.line == nil {
		return 0
	}
	return *s.line
}

// caught notes the line of a panic before deferred calls run.
func (r *Run) caught() {
	if r.s.line != nil {
		r.panicTop.Store(int64(*r.s.top))
		r.panicLine.CompareAndSwap(0, int64(*r.s.line))
	}
}

// PanicLine is where the last panic of the run arose and the statement of the
// cell that led there, each as cell and line in one number; 0 when unknown. In
// a run beside others only marks of the cell numbered count are its own.
func (r *Run) PanicLine(count int) (line, top int) {
	r.caught()
	line, top = int(r.panicLine.Load()), int(r.panicTop.Load())
	if r.mixed.Load() {
		if line/lineBase != count {
			line = 0
		}
		if top/lineBase != count {
			top = 0
		}
	}
	return line, top
}
