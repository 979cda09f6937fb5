package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"syscall"

	"gopherlo/internal/atonce"
	"gopherlo/internal/cellid"
	"gopherlo/internal/processors"
	"gopherlo/kernel/language"
)

// Hooks are what the worker needs of native code. Package worker is pure Go;
// cmd hands in the functions of the package that has cgo. Any may be nil.
type Hooks struct {
	// LineBuffer makes C's stdout line buffered (setvbuf). It is called once,
	// before the first cell.
	LineBuffer func()
	// Flush empties C's stdio buffers (fflush(NULL)). It is called at the end
	// of each cell and before each input request.
	Flush func()
	// Started is called once on a goroutine of its own when the worker takes
	// requests, to load early what cells will need.
	Started func()
	// Activity is told when the worker begins to do something and when it has
	// done it. Things may overlap.
	Activity func(on bool)
}

const (
	requestFD = 3
	messageFD = 4
	marksFD   = 5 // see marks
	// MaxStack bounds a goroutine's stack in a worker. The interpreter stops an endless
	// recursion of cells well below it; this is for the rest, which takes a
	// second to die here.
	MaxStack = 512 << 20
	// gcPercent lets the heap, a few megabytes when idle, grow to three times
	// what is in use: collections took a quarter of a small cell's time.
	gcPercent = 200
)

// Serve runs interp as the worker process until the kernel closes the request
// pipe; it then kills its own process group and does not return. It returns an
// error at once when the process was not started by a [Supervisor].
func Serve(interp language.Interpreter, hooks Hooks) error {
	in, err := inherited(requestFD, "requests")
	if err != nil {
		return err
	}
	out, err := inherited(messageFD, "messages")
	if err != nil {
		return err
	}
	dropSignals()
	debug.SetMaxStack(MaxStack)
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	if hooks.LineBuffer != nil {
		hooks.LineBuffer()
	}
	s := newServer(interp, hooks, atonce.Pipe(out))
	s.marks = inheritedMarks()
	go s.watch(atonce.Pipe(in), killGroup)
	s.quiet = runtime.NumGoroutine() + resting
	s.run()
	return nil
}

// resting is how many goroutines an interpreter may keep between cells: one that
// waits for the next, one that watches stacks, one that will look at what cells left.
const resting = 3

// inherited opens a pipe that the kernel left at a fixed descriptor, moves it out
// of the way and keeps it from the children of cells.
func inherited(fd int, name string) (*os.File, error) {
	var st syscall.Stat_t
	if err := syscall.Fstat(fd, &st); err != nil || st.Mode&syscall.S_IFMT != syscall.S_IFIFO {
		return nil, fmt.Errorf("descriptor %d is no pipe: a worker is started by the kernel, not by hand", fd)
	}
	if moved, _, errno := syscall.Syscall(syscall.SYS_FCNTL, uintptr(fd), syscall.F_DUPFD_CLOEXEC, highFD); errno == 0 {
		_ = syscall.Close(fd)
		fd = int(moved)
	}
	syscall.CloseOnExec(fd)
	if err := syscall.SetNonblock(fd, true); err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), name), nil
}

// highFD is from where on the worker's pipes are: a cell that closes descriptors
// by number, as programs do that start others, does not close these.
const highFD = 512

// dropSignals makes SIGINT and SIGPIPE harmless and takes the signal of the
// kernel's death for the end of the request pipe. They are caught, not ignored:
// an ignored signal would stay ignored in the children of cells.
func dropSignals() {
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGINT, syscall.SIGPIPE)
	go func() {
		for range c {
		}
	}()
	dead := make(chan os.Signal, 1)
	signal.Notify(dead, deathSignal)
	go func() {
		<-dead
		killGroup()
	}()
}

// killGroup ends this process and all that cells started. Nothing may be
// written first: the other end of every pipe is gone, and the write would
// raise SIGPIPE before the group was killed.
func killGroup() {
	if syscall.Getpgrp() == syscall.Getpid() {
		_ = syscall.Kill(0, syscall.SIGKILL)
	}
	os.Exit(0)
}

// server is the worker's end of the pipes.
type server struct {
	interp language.Interpreter
	hooks  Hooks
	out    *sender
	marks  *language.Marks // nil without

	foreground atomic.Int64 // cell that unlabelled output belongs to
	epoch      atomic.Int64 // number of interrupts so far
	cells      chan *message
	quiet      int // goroutines at most when nothing is left of cells

	mu      sync.Mutex
	through int64                             // cells up to this one are interrupted
	cancel  map[int64]context.CancelCauseFunc // running cells
	inputs  map[int64]chan []byte             // cells that wait for a line or the journal
}

func newServer(interp language.Interpreter, hooks Hooks, out io.Writer) *server {
	return &server{
		interp: interp,
		hooks:  hooks,
		out:    newSender(out),
		cells:  make(chan *message, 64),
		cancel: map[int64]context.CancelCauseFunc{},
		inputs: map[int64]chan []byte{},
	}
}

// run executes cells, one at a time, for as long as the process lives.
func (s *server) run() {
	_ = s.out.send(KindReady, 0)
	go func() {
		defer s.active()()
		if s.hooks.Started != nil {
			s.hooks.Started()
		}
	}()
	for m := range s.cells {
		switch m.kind {
		case KindExecute:
			s.execute(m)
		case KindComm:
			s.comm(m)
		}
		s.rest()
	}
}

// rest leaves the process one processor until a cell that lasts, or that starts
// goroutines, wants all of them, unless cells have left goroutines: what a small cell
// does on the way from the pipe and back is handed from one goroutine to the next.
func (s *server) rest() {
	if s.quiet == 0 || len(s.cells) > 0 || runtime.NumGoroutine() > s.quiet {
		return
	}
	processors.Narrow()
}

// watch reads requests and never does more than hand them on, so that it sees
// the end of the pipe whatever the cells do. The kernel sends one cell at a
// time; comm messages, which may come in number, are the kernel's to queue.
func (s *server) watch(in io.Reader, eof func()) {
	defer close(s.cells)
	r := newReceiver(in)
	for {
		m, err := r.next()
		if err != nil {
			eof()
			return
		}
		switch m.kind {
		case KindExecute, KindComm:
			m.epoch = s.epoch.Load()
			s.cells <- m
		case KindComplete, KindInspect, KindBusy:
			go s.answer(m)
		case KindInterrupt:
			s.interrupt(m.cell)
		case KindBeside:
			m.epoch = s.epoch.Load()
			go s.execute(m)
		case KindCommBeside, KindCommOfSubshell:
			m.epoch = s.epoch.Load()
			go s.comm(m)
		case KindInput, KindJournal:
			s.input(m)
		}
	}
}

// interrupt cancels what runs, and cells up to last that are still on their way.
func (s *server) interrupt(last int64) {
	s.epoch.Add(1)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.through = max(s.through, last)
	for _, cancel := range s.cancel {
		cancel(language.ErrInterrupted)
	}
}

// awaitInput registers a cell that waits for a line.
func (s *server) awaitInput(cell int64) (<-chan []byte, func()) {
	c := make(chan []byte, 1)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.inputs[cell] = c
	return c, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.inputs[cell] == c {
			delete(s.inputs, cell)
		}
	}
}

// input hands a line to the cell that waits for it; one that nobody waits for
// is dropped.
func (s *server) input(m *message) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c, ok := s.inputs[m.cell]; ok {
		delete(s.inputs, m.cell)
		c <- m.content()
	}
}

// active notes that something is done until the function it returns is called.
func (s *server) active() (done func()) {
	if s.hooks.Activity == nil {
		return func() {}
	}
	s.hooks.Activity(true)
	return func() { s.hooks.Activity(false) }
}

func (s *server) flush() {
	if s.hooks.Flush != nil {
		s.hooks.Flush()
	}
}

// execute runs one cell and ends it with a done frame.
func (s *server) execute(m *message) {
	defer s.active()()
	var req language.Request
	if err := json.Unmarshal(m.content(), &req); err != nil {
		s.done(m.cell, language.Result{Status: "error", Error: internalError(err)})
		return
	}
	req.Cell = m.cell
	h := &host{s: s, cell: m.cell, stdin: req.AllowStdin}
	execute := s.interp.Execute
	if m.kind == KindBeside {
		beside, ok := s.interp.(language.Concurrent)
		if !ok {
			s.done(m.cell, language.Result{Status: "error", Error: internalError(errors.New("this language runs one cell at a time"))})
			return
		}
		execute = beside.ExecuteBeside
	}
	res := s.guarded(m, func(ctx context.Context) language.Result { return execute(ctx, req, h) })
	if !req.Silent {
		s.show(req, res)
	}
	s.done(m.cell, res)
}

// comm hands a comm message to the interpreter, if it takes any.
func (s *server) comm(m *message) {
	defer s.active()()
	atonce.Lasting()
	handle := s.commHandler(m.kind)
	if handle == nil || len(m.parts) < 2 {
		s.refuse(m)
		s.done(m.cell, language.Result{Status: "ok"})
		return
	}
	msg := language.CommMessage{Kind: string(m.part(1)), Content: m.content(), Buffers: m.parts[2:]}
	h := &host{s: s, cell: m.cell}
	res := s.guarded(m, func(ctx context.Context) language.Result {
		apart(func() { handle(ctx, msg, h) })
		return language.Result{Status: "ok"}
	})
	if res.Error != nil {
		h.send(KindError, res.Error)
	}
	s.done(m.cell, res)
}

// apart runs f on a goroutine of its own, which a callback may end by
// runtime.Goexit; a panic goes on here.
func apart(f func()) {
	ended := make(chan any, 1)
	go func() {
		defer func() { ended <- recover() }()
		f()
	}()
	if p := <-ended; p != nil {
		panic(p)
	}
}

// commHandler is what takes comm messages of a kind, nil without.
func (s *server) commHandler(kind Kind) func(context.Context, language.CommMessage, language.Host) {
	switch kind {
	case KindCommBeside:
		if h, ok := s.interp.(language.CommBeside); ok {
			return h.HandleCommBeside
		}
	case KindCommOfSubshell:
		if h, ok := s.interp.(language.Concurrent); ok {
			return h.HandleCommOfSubshell
		}
	default:
		if h, ok := s.interp.(language.CommHandler); ok {
			return h.HandleComm
		}
	}
	return nil
}

// refuse closes a comm that nobody takes.
func (s *server) refuse(m *message) {
	var c struct {
		ID string `json:"comm_id"`
	}
	if string(m.part(1)) == "comm_open" && json.Unmarshal(m.content(), &c) == nil {
		h := &host{s: s, cell: m.cell}
		defer cellid.Enter(m.cell)()
		h.Comm("comm_close", map[string]any{"comm_id": c.ID, "data": map[string]any{}}, nil, nil)
	}
}

// guarded runs f as a cell: labelled, cancellable, its panics caught. When an
// interrupt came meanwhile the result is an interrupt whatever f says: an
// interpreter that stops all its goroutines at once may stop a cell in the
// middle and report success.
func (s *server) guarded(m *message, f func(context.Context) language.Result) (res language.Result) {
	cell, epoch := m.cell, m.epoch
	ctx, cancel := context.WithCancelCause(context.Background())
	s.mu.Lock()
	s.cancel[cell] = cancel
	if s.epoch.Load() != epoch || cell <= s.through { // it came while the cell was being handed over
		cancel(language.ErrInterrupted)
	}
	s.mu.Unlock()
	if m.kind == KindExecute || m.kind == KindComm {
		s.foreground.Store(cell)
	}
	leave := cellid.Enter(cell)
	defer func() {
		if p := recover(); p != nil {
			res = language.Result{Status: "error", Error: internalError(fmt.Errorf("panic: %v\n%s", p, debug.Stack()))}
		}
		leave()
		s.mu.Lock()
		delete(s.cancel, cell)
		interrupted := s.epoch.Load() != epoch || cell <= s.through
		s.mu.Unlock()
		cancel(nil)
		if interrupted && (res.Error == nil || res.Error.Name != interruptName) {
			res.Status, res.Error, res.Value = "error", interruptError(), nil
		}
	}()
	return f(ctx)
}

// show sends the cell's value or error, with the done frame that follows.
func (s *server) show(req language.Request, res language.Result) {
	s.flush() // what C code has printed comes first
	if res.Value != nil {
		_ = s.out.hold(KindResult, req.Cell, resultContent(req.Count, res.Value, res.Metadata))
	}
	if res.Error == nil {
		return
	}
	b, err := encode(normal(res.Error))
	if err != nil {
		_ = s.out.hold(KindStderr, req.Cell, leftOut(err))
		return
	}
	_ = s.out.hold(KindError, req.Cell, b)
}

// done flushes C's output and ends the cell.
func (s *server) done(cell int64, res language.Result) {
	s.flush()
	d := Done{Status: res.Status, Error: normal(res.Error), Env: res.Env, Dir: res.Dir}
	if d.Status == "" {
		d.Status = "ok"
	}
	for name, v := range res.UserExpressions {
		if b, err := encode(v); err == nil {
			if d.UserExpressions == nil {
				d.UserExpressions = map[string]json.RawMessage{}
			}
			d.UserExpressions[name] = b
		}
	}
	for _, p := range res.Payload {
		if b, err := encode(p); err == nil {
			d.Payload = append(d.Payload, b)
		}
	}
	b, err := encode(d)
	if err != nil {
		b = []byte(`{"status":"ok"}`)
	}
	_ = s.out.send(KindDone, cell, b)
}

// answer serves the requests that may come while a cell runs.
func (s *server) answer(m *message) {
	defer s.active()()
	atonce.Lasting()
	var v any
	defer func() {
		if p := recover(); p != nil {
			v = nil
		}
		b, err := encode(v)
		if err != nil {
			b = []byte("null")
		}
		_ = s.out.send(KindAnswer, m.cell, b)
	}()
	if m.kind == KindBusy {
		v = s.interp.Busy()
		return
	}
	var req positionRequest
	if err := json.Unmarshal(m.content(), &req); err != nil {
		return
	}
	if m.kind == KindComplete {
		v = s.interp.Complete(context.Background(), req.Code, req.Cursor)
		return
	}
	ins := s.interp.Inspect(context.Background(), req.Code, req.Cursor, req.Detail)
	ins.Data, ins.Metadata = encodeBundle(ins.Data), cleanMap(ins.Metadata)
	v = ins
}

// interruptName is the error name that front ends know for an interrupt.
const interruptName = "KeyboardInterrupt"

func interruptError() *language.Error {
	return &language.Error{
		Name: interruptName, Value: "the cell was interrupted; what its finished statements did is kept",
		Traceback: []string{interruptName + ": the cell was interrupted; what its finished statements did is kept"},
	}
}

// internalError is an error of ours, not of the cell.
func internalError(err error) *language.Error {
	return &language.Error{Name: "InternalError", Value: err.Error(), Traceback: []string{"InternalError: " + err.Error()}}
}

// normal returns e with a traceback that is a list, as front ends require.
func normal(e *language.Error) *language.Error {
	if e == nil || e.Traceback != nil {
		return e
	}
	c := *e
	c.Traceback = []string{e.Name + ": " + e.Value}
	return &c
}
