package worker

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"gopherlo/internal/atonce"
	"gopherlo/kernel/language"
)

// Sink takes what the worker says. Its methods are called by the goroutine
// that reads the message pipe, in the order of the frames; Native also by the
// readers of descriptors 1 and 2. They may block: the worker then waits.
type Sink interface {
	// Stream is text of a cell for "stdout" or "stderr".
	Stream(cell int64, name string, text []byte)
	// Native is text that native code wrote; it has no cell.
	Native(name string, text []byte)
	// Output is the content of an iopub message, named as the protocol does.
	Output(cell int64, msgType string, content, metadata json.RawMessage, buffers [][]byte)
	// Input asks the user for a line, to be answered with Supervisor.Reply.
	Input(cell int64, content json.RawMessage)
	// Died says that a worker ended while no cell ran.
	Died(d *Death)
	// Journal lists the cells that have ended, for the cell that asks; Forget
	// empties the list.
	Journal(cell int64) []language.Past
	Forget()
	// AutoReplay says whether a lost session is to be made again by itself.
	AutoReplay(on bool)
}

// Options configure a [Supervisor].
type Options struct {
	// Command starts a worker; by default this same program, which a rebuilt
	// binary on disk does not change, with the argument "worker".
	Command []string
	// Env is added to the environment of the kernel.
	Env []string
	// Careful is added too once a worker has died by itself before it had run a
	// cell to its end: it says to leave out what can wait.
	Careful []string
	// MemoryLimit ends a worker whose resident memory exceeds it; 0 is none.
	MemoryLimit int64
	// Grace is the time from the announcement of a kill to the kill.
	Grace time.Duration
	Log   *slog.Logger
}

// DefaultGrace is the grace time of an interrupted cell.
const DefaultGrace = 10 * time.Second

// Supervisor keeps one worker running.
type Supervisor struct {
	opts Options
	sink Sink

	mu      sync.Mutex
	current *process // nil until the first start and after a failed one
	closed  bool
	ids     int64 // numbers for calls, counted downwards: cells count upwards
	env     map[string]string
	unset   map[string]bool
	dir     string
	grace   time.Duration
	careful bool           // see Options.Careful
	running map[int64]bool // cells in execution
	// expected are cells announced by Expect that have not ended.
	expected map[int64]bool
	stop     *interruption
}

// outputs maps frames to iopub messages.
var outputs = map[Kind]string{
	KindDisplay: "display_data", KindUpdate: "update_display_data", KindClear: "clear_output",
	KindResult: "execute_result", KindError: "error",
	KindCommOpen: "comm_open", KindCommMsg: "comm_msg", KindCommClose: "comm_close",
}

// New returns a supervisor that has not started its worker yet.
func New(opts Options, sink Sink) *Supervisor {
	if len(opts.Command) == 0 {
		opts.Command = []string{itself(), "worker"}
	}
	if opts.Grace == 0 {
		opts.Grace = DefaultGrace
	}
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	return &Supervisor{opts: opts, sink: sink, grace: opts.Grace, env: map[string]string{}, unset: map[string]bool{}, running: map[int64]bool{}, expected: map[int64]bool{}}
}

// Start starts the worker if none runs. It does not wait until it is ready.
func (s *Supervisor) Start() error {
	_, err := s.process()
	return err
}

// process returns the running worker, starting one if there is none.
func (s *Supervisor) process() (*process, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, errors.New("the kernel is shutting down")
	}
	if s.current != nil {
		return s.current, nil
	}
	p, err := start(s.opts.Command, s.environ(), s.workingDir())
	if err != nil && s.forgetEnv(err.Error()) { // such as: argument list too long
		p, err = start(s.opts.Command, s.environ(), s.workingDir())
	}
	if err != nil {
		return nil, err
	}
	s.opts.Log.Debug("worker started", "pid", p.pid)
	s.current = p
	p.native.run(s.sink.Native)
	go s.read(p)
	go s.await(p)
	if s.opts.MemoryLimit > 0 {
		go s.watchMemory(p)
	}
	return p, nil
}

// environ is the kernel's environment with what cells changed.
func (s *Supervisor) environ() []string {
	env := append(os.Environ(), s.opts.Env...)
	if s.careful {
		env = append(env, s.opts.Careful...)
	}
	if s.opts.MemoryLimit > 0 && os.Getenv("GOMEMLIMIT") == "" {
		// The collector works harder near the limit; native memory, which it
		// does not see, gets a part.
		env = append(env, "GOMEMLIMIT="+strconv.FormatInt(s.opts.MemoryLimit*8/10, 10))
	}
	if len(s.env) == 0 && len(s.unset) == 0 {
		return env
	}
	kept := env[:0]
	for _, kv := range env {
		name := kv
		for i := range len(kv) {
			if kv[i] == '=' {
				name = kv[:i]
				break
			}
		}
		if _, set := s.env[name]; !set && !s.unset[name] {
			kept = append(kept, kv)
		}
	}
	for name, v := range s.env {
		kept = append(kept, name+"="+v)
	}
	return kept
}

// forgetEnv leaves the variables that cells have set to the worker that is gone,
// when a fresh one cannot start with them; s.mu is held. It reports whether there
// were any.
func (s *Supervisor) forgetEnv(reason string) bool {
	if len(s.env) == 0 && len(s.unset) == 0 {
		return false
	}
	names := append(slices.Collect(maps.Keys(s.env)), slices.Collect(maps.Keys(s.unset))...)
	slices.Sort(names)
	s.env, s.unset = map[string]string{}, map[string]bool{}
	note := fmt.Sprintf("gopherlo: the worker did not start with the variables that cells had set (%s); they are as they were: %s\n", reason, strings.Join(names, ", "))
	go s.sink.Native("stderr", []byte(note)) // it may wait for a slow reader
	return true
}

// workingDir is where cells had gone, as long as it exists.
func (s *Supervisor) workingDir() string {
	if st, err := os.Stat(s.dir); err != nil || !st.IsDir() {
		return ""
	}
	return s.dir
}

// read takes the worker's messages until the pipe ends.
func (s *Supervisor) read(p *process) {
	defer close(p.drawn)
	r := newReceiver(atonce.Pipe(p.out))
	for {
		m, err := r.next()
		if err != nil {
			if !errors.Is(err, io.EOF) && !errors.Is(err, os.ErrClosed) {
				s.opts.Log.Error("worker pipe", "err", err)
				p.kill("the message pipe of the worker is out of step: " + err.Error())
			}
			go p.endDeaf() // the end of the pipe is that of the worker, unless a cell has closed it
			return
		}
		s.take(p, m)
	}
}

// take handles one message of the worker. Before a message that must not be
// overtaken by native text that was written earlier, both native pipes are
// drained.
func (s *Supervisor) take(p *process, m *message) {
	switch m.kind {
	case KindStdout:
		s.sink.Stream(m.cell, "stdout", m.content())
	case KindStderr:
		s.sink.Stream(m.cell, "stderr", m.content())
	case KindInputRequest:
		p.native.drain(false)
		s.sink.Input(m.cell, m.content())
	case KindDone:
		p.native.drain(false)
		p.native.ended()
		p.answered(m)
	case KindAnswer:
		p.answered(m)
	case KindReady:
		if !readyOnce(p) { // a cell may write to any descriptor
			close(p.ready)
		}
	case KindGrace:
		s.setGrace(m.content())
	case KindJournalRequest:
		if b, err := encode(append([]language.Past{}, s.sink.Journal(m.cell)...)); err == nil {
			go func() { _ = p.in.send(KindJournal, m.cell, b) }() // the pipe may be full
		}
	case KindForget:
		s.sink.Forget()
	case KindRestart:
		p.mu.Lock()
		p.retires = true
		p.mu.Unlock()
	case KindAutoReplay:
		s.sink.AutoReplay(len(m.content()) > 0 && m.content()[0] == 1)
	default:
		msgType, ok := outputs[m.kind]
		if !ok {
			s.opts.Log.Error("worker pipe", "unknown kind", m.kind)
			return
		}
		if m.kind == KindDisplay || m.kind == KindUpdate || m.kind == KindResult {
			p.native.drain(false)
		}
		var buffers [][]byte
		if len(m.parts) > 2 {
			buffers = m.parts[2:]
		}
		s.sink.Output(m.cell, msgType, m.content(), m.part(1), buffers)
	}
}

func (s *Supervisor) setGrace(b []byte) {
	if len(b) == 8 {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.grace = time.Duration(binary.LittleEndian.Uint64(b))
	}
}

// await reports the death of a worker. Wait gives the fact; the end of a pipe
// would not, since children of cells may hold it.
func (s *Supervisor) await(p *process) {
	p.wait()
	select {
	case <-p.drawn: // what it said before its death is handled first
	case <-time.After(time.Second):
	}
	_ = p.out.Close()
	_ = p.inFile.Close()
	cause, tail := p.native.last()
	p.mu.Lock()
	killed, worked, useful := p.killed, p.worked, p.useful
	p.mu.Unlock()
	d := newDeath(p.cmd.ProcessState, killed, cause, tail)

	s.mu.Lock()
	if s.current == p {
		s.current = nil
	}
	s.careful = s.careful || killed == "" && !useful && diesAtStart(p)
	if killed == "" && !readyOnce(p) && diesAtStart(p) {
		s.forgetEnv(d.Reason)
	}
	d.Interrupted = s.stop != nil && s.stop.killed
	d.Place = p.marks.last(len(s.running))
	running, closed := len(s.running) > 0, s.closed
	s.mu.Unlock()
	s.opts.Log.Info("worker ended", "pid", p.pid, "state", p.cmd.ProcessState.String())
	p.death = d
	close(p.dead)
	if closed {
		return
	}
	// One that could not start has no state to lose; the cell that wants it says
	// why it could not.
	if !running && readyOnce(p) {
		s.sink.Died(d)
	}
	// One that dies before it has done anything would do so again; the next
	// cell then tries and shows the reason.
	if worked || readyOnce(p) {
		_ = s.Start()
	}
}

// startTime is how long a worker loads early what cells will need, at most.
const startTime = 10 * time.Second

// diesAtStart reports a death that may come of what was loaded early. One by
// SIGKILL comes of the system or of a user.
func diesAtStart(p *process) bool {
	status, ok := p.cmd.ProcessState.Sys().(syscall.WaitStatus)
	return time.Since(p.born) < startTime && !(ok && status.Signaled() && status.Signal() == syscall.SIGKILL)
}

func readyOnce(p *process) bool {
	select {
	case <-p.ready:
		return true
	default:
		return false
	}
}

// Execute runs a cell and returns how it ended. Its outputs go to the sink
// before Execute returns. The error is a *Death when the worker died. sent is
// called once the worker has the request, or cannot have it at once: what is done
// there is done while the worker computes.
func (s *Supervisor) Execute(req language.Request, sent func()) (*Done, error) {
	return s.cell(KindExecute, req, sent)
}

// ExecuteBeside runs a cell of a subshell, while others may run.
func (s *Supervisor) ExecuteBeside(req language.Request, sent func()) (*Done, error) {
	return s.cell(KindBeside, req, sent)
}

// atOnce is the size of a request that surely fits in the pipe of a worker that
// waits.
const atOnce = 32 << 10

func (s *Supervisor) cell(kind Kind, req language.Request, sent func()) (*Done, error) {
	sent = sync.OnceFunc(sent)
	defer sent()
	content, err := encode(req)
	if err != nil {
		return nil, err
	}
	if len(content) > atOnce {
		sent()
	}
	return s.run(kind, req.Cell, sent, content)
}

// Comm hands a comm message to the interpreter, as a cell of its own; kind is
// one of those of comms and says beside what it may be handled.
func (s *Supervisor) Comm(kind Kind, cell int64, msg language.CommMessage) error {
	parts := append([][]byte{msg.Content, []byte(msg.Kind)}, msg.Buffers...)
	_, err := s.run(kind, cell, func() {}, parts...)
	return err
}

// run sends a request that ends with a done frame.
func (s *Supervisor) run(kind Kind, cell int64, sent func(), parts ...[]byte) (*Done, error) {
	defer s.end(cell)
	p, err := s.process()
	if err != nil {
		return nil, err
	}
	s.begin(p, cell)
	p.mu.Lock()
	p.worked = p.worked || kind == KindExecute || kind == KindBeside
	p.mu.Unlock()
	c := p.call(cell)
	defer p.forget(cell)
	if err := p.in.send(kind, cell, parts...); err != nil {
		p.endDeaf()
		return nil, p.death
	}
	sent()
	m, err := p.answer(context.Background(), c)
	if err != nil {
		return nil, err
	}
	var d Done
	if err := json.Unmarshal(m.content(), &d); err != nil {
		return nil, fmt.Errorf("end of a cell: %w", err)
	}
	s.remember(&d)
	s.retire(p)
	return &d, nil
}

// retire replaces a worker whose cell has asked for that.
func (s *Supervisor) retire(p *process) {
	p.mu.Lock()
	retires := p.retires
	p.mu.Unlock()
	if !retires {
		return
	}
	p.kill("a cell restarted it")
	<-p.dead
	d := *p.death
	d.Asked = true
	s.sink.Died(&d)
}

// ask sends a question and waits for the frame that answers it, at most until
// ctx ends: a worker that is stopped does not even read.
func (p *process) ask(ctx context.Context, kind Kind, id int64, content []byte) (*message, error) {
	c := p.call(id)
	defer p.forget(id)
	go func() { _ = p.in.sendBefore(ctx.Done(), kind, id, content) }()
	return p.answer(ctx, c)
}

// answer waits for the frame that ends a call.
func (p *process) answer(ctx context.Context, c <-chan *message) (*message, error) {
	select {
	case m := <-c:
		return m, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	case <-p.dead:
		select {
		case m := <-c: // it was answered just before
			return m, nil
		default:
			return nil, p.death
		}
	}
}

// Expect notes a cell that is about to run, so that an interrupt means it too:
// a front end may send one as soon as it sees busy.
func (s *Supervisor) Expect(cell int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.expected[cell] = true
}

// begin notes a running cell. An interrupt that came while its worker started
// is sent now.
func (s *Supervisor) begin(p *process, cell int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running[cell] = true
	if s.stop != nil && s.stop.cells[cell] && !s.stop.sent {
		s.stop.sent = true
		go s.insist(p, s.stop)
	}
}

// end forgets a cell; with the last of them an interruption is over.
func (s *Supervisor) end(cell int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.running, cell)
	delete(s.expected, cell)
	if s.stop == nil {
		return
	}
	delete(s.stop.cells, cell)
	if len(s.stop.cells) == 0 {
		close(s.stop.ended)
		s.stop = nil
	}
}

// remember keeps what a fresh worker must be given.
func (s *Supervisor) remember(d *Done) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for name, v := range d.Env {
		if v == nil {
			delete(s.env, name)
			s.unset[name] = true
			continue
		}
		s.env[name] = *v
		delete(s.unset, name)
	}
	if d.Dir != "" {
		s.dir = d.Dir
	}
}

// Env returns the variables that cells have set, for tests and reports.
func (s *Supervisor) Env() map[string]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.env)
}

// Complete asks for completions; cursor counts code points.
func (s *Supervisor) Complete(ctx context.Context, code string, cursor int) (c language.Completion, err error) {
	err = s.query(ctx, KindComplete, positionRequest{Code: code, Cursor: cursor}, &c)
	return c, err
}

// Inspect asks what is known about a place in code.
func (s *Supervisor) Inspect(ctx context.Context, code string, cursor, detail int) (i language.Inspection, err error) {
	err = s.query(ctx, KindInspect, positionRequest{code, cursor, detail}, &i)
	return i, err
}

// query sends a request that is answered beside a running cell.
func (s *Supervisor) query(ctx context.Context, kind Kind, req, answer any) error {
	p, err := s.process()
	if err != nil {
		return err
	}
	content, err := encode(req)
	if err != nil {
		return err
	}
	s.mu.Lock()
	s.ids--
	id := s.ids
	s.mu.Unlock()
	m, err := p.ask(ctx, kind, id, content)
	if err != nil {
		return err
	}
	return json.Unmarshal(m.content(), answer)
}

// Reply answers the input request of a cell: with a line, or with the reason
// why there is none.
func (s *Supervisor) Reply(cell int64, line string, reason error) {
	s.mu.Lock()
	p := s.current
	s.mu.Unlock()
	if p == nil {
		return
	}
	r := inputReply{Value: line}
	if reason != nil {
		r.Error = reason.Error()
	}
	if b, err := encode(r); err == nil {
		go func() { _ = p.in.send(KindInput, cell, b) }() // the pipe may be full
	}
}

// Kill ends the worker, as a fault would; a fresh one takes its place.
func (s *Supervisor) Kill(reason string) {
	s.mu.Lock()
	p := s.current
	s.mu.Unlock()
	if p != nil {
		p.kill(reason)
	}
}

// PID returns the process number of the worker, 0 when none runs.
func (s *Supervisor) PID() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current == nil {
		return 0
	}
	return s.current.pid
}

// Close ends the worker and all that its cells started, for good.
func (s *Supervisor) Close() {
	s.mu.Lock()
	s.closed = true
	p := s.current
	s.mu.Unlock()
	if p != nil {
		p.kill("the kernel is shutting down")
		<-p.dead
	}
}
