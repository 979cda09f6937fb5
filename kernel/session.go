package kernel

import (
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"time"

	"gopherlo/kernel/comm"
	"gopherlo/kernel/language"
	"gopherlo/kernel/wire"
	"gopherlo/kernel/worker"
)

// Session is the notebook's state in the kernel process: the queues of cells,
// their count, the history, the journal and the open comms. The values are the
// worker's.
type Session struct {
	k       *Kernel
	history *history
	comms   *comm.Table
	main    *lane
	widgets *lane // comms that need not wait for cells

	mu      sync.Mutex
	lanes   map[string]*lane // subshells
	closed  bool
	cell    int64              // number of the last job that was started
	count   int                // n of the last In[n]
	last    time.Time          // when the last job ended
	active  map[int64]*cellJob // cells that run
	journal journal
	auto    bool // a lost session is made again from the journal
	lost    bool // its worker has died and no cell has run since
}

// job is what a queue holds: a cell or a comm message.
type job interface{ run(l *lane) }

func newSession(k *Kernel) *Session {
	s := &Session{
		k: k, comms: comm.NewTable(), history: openHistory(k.opts.HistoryDir, k.log), last: time.Now(),
		lanes: map[string]*lane{}, active: map[int64]*cellJob{}, journal: openJournal(k.opts.SessionDir, k.log),
		auto: k.opts.AutoReplay,
	}
	s.main = newLane(s, "")
	s.widgets = newLane(s, "comms")
	return s
}

// idleFor returns how long nothing has run.
func (s *Session) idleFor() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.main.occupied() {
		return 0
	}
	for _, l := range s.lanes {
		if l.occupied() {
			return 0
		}
	}
	return time.Since(s.last)
}

// close ends all queues after their current jobs.
func (s *Session) close() {
	s.mu.Lock()
	s.closed = true
	s.main.stop()
	s.widgets.stop()
	for _, l := range s.lanes {
		l.stop()
	}
	s.journal.close()
	s.mu.Unlock()
	s.history.close()
}

// keptResult bounds the text of a value that the history keeps.
const keptResult = 64 << 10

// running returns the job of a cell that runs, nil for any other.
func (s *Session) running(cell int64) *cellJob {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.active[cell]
}

// keepResult notes the text of a running cell's value in the history.
func (s *Session) keepResult(cell int64, content json.RawMessage) {
	j := s.running(cell)
	if j == nil || !j.stores() || len(content) > keptResult {
		return
	}
	var r struct {
		Count int `json:"execution_count"`
		Data  struct {
			Text string `json:"text/plain"`
		} `json:"data"`
	}
	if json.Unmarshal(content, &r) == nil && r.Data.Text != "" {
		s.history.output(r.Count, r.Data.Text)
	}
}

// touch notes that a job has ended.
func (s *Session) touch() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last = time.Now()
}

// nextCell numbers a job. Cell numbers are those of output frames; they are
// not the n of In[n], which silent cells do not advance.
func (s *Session) nextCell() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cell++
	return s.cell
}

// cellJob is a queued execute_request.
type cellJob struct {
	*call
	req  wire.ExecuteRequest
	cell int64
	// replays is set when the cell asks for the journal: it is not one of the
	// cells that make the session.
	replays bool
	// again is set when the session is to be made again before the cell.
	again bool
}

// stores reports whether the cell counts and is kept in the history.
func (j *cellJob) stores() bool {
	return !j.req.Silent && (j.req.StoreHistory == nil || *j.req.StoreHistory)
}

func (j *cellJob) stopsOnError() bool { return j.req.StopOnError == nil || *j.req.StopOnError }

func (j *cellJob) allowsStdin() bool { return j.req.AllowStdin == nil || *j.req.AllowStdin }

// run executes the cell: busy, outputs, reply, idle, in this order.
func (j *cellJob) run(l *lane) {
	s := l.s
	count := s.begin(j)
	j.sup.Expect(j.cell)
	j.iopub.announce(j.cell, j.msg.RawHeader, j.req.Silent, l.main())
	reply := j.execute(l, count, func() { // the worker has it
		j.iopub.begin(j.cell)
		if !j.req.Silent {
			j.iopub.input(j.cell, j.req.Code, count)
		}
		j.iopub.begun(j.cell)
		if j.stores() {
			s.history.input(count, j.req.Code)
		}
	})
	j.iopub.flush(j.cell)
	s.end(j, language.Past{Code: j.req.Code, Failed: reply.Status != "ok", Lost: reply.Name == interruptName || reply.Name == deathName})
	j.inputs.cancel(j.cell)
	var aborted []*cellJob
	if reply.Status == "error" && j.stopsOnError() {
		aborted = l.takeBehind()
	}
	j.reply(wire.Execute.ReplyName(), reply)
	j.iopub.end(j.cell)
	for _, a := range aborted {
		a.abort(count)
	}
}

// begin numbers a cell and notes that it runs; it returns the n of In[n].
func (s *Session) begin(j *cellJob) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cell++
	j.cell = s.cell
	if j.stores() {
		s.count++
	}
	s.active[j.cell] = j
	j.again = s.auto && s.lost
	s.lost = false
	return s.count
}

// lose notes that the worker has died, and during which cell. One that dies
// while the session is made again would do so each time.
func (s *Session) lose(j *cellJob) (replay bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if j != nil && j.again {
		s.auto = false
	}
	s.lost = true
	return s.auto
}

// end notes that a cell has ended.
func (s *Session) end(j *cellJob, past language.Past) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.active, j.cell)
	if j.stores() && !j.replays {
		s.journal.add(past)
	}
}

// execute runs the cell in the worker and makes the reply.
func (j *cellJob) execute(l *lane, count int, sent func()) wire.ExecuteReply {
	run := j.sup.Execute
	if !l.main() {
		run = j.sup.ExecuteBeside
	}
	done, err := run(language.Request{
		Code: j.req.Code, Count: count, Cell: j.cell, Silent: j.req.Silent, StoreHistory: j.stores(),
		AllowStdin: j.allowsStdin(), UserExpressions: j.req.UserExpressions, Replay: j.again,
	}, sent)
	reply := wire.ExecuteReply{ExecutionCount: count}
	if err != nil {
		e := j.workerError(err)
		var d *worker.Death
		if errors.As(err, &d) && j.session.lose(j) {
			e.Traceback = append(e.Traceback, "%replay auto is on: the cells before this one are run again first.")
		}
		j.iopub.fail(j.cell, e)
		j.session.comms.Clear()
		reply.ReplyStatus = wire.ReplyStatus{Status: "error", Name: e.Name, Value: e.Value, Traceback: e.Traceback}
		return reply
	}
	reply.Status = done.Status
	reply.UserExpressions, reply.Payload = done.UserExpressions, done.Payload
	if e := done.Error; e != nil {
		reply.ReplyStatus = wire.ReplyStatus{Status: "error", Name: e.Name, Value: e.Value, Traceback: e.Traceback}
	}
	return reply
}

// Names of the errors of cells that were not run to an end of their own. Front
// ends know the first.
const (
	interruptName = "KeyboardInterrupt"
	deathName     = "WorkerDied"
)

// workerError words the error of a worker that died, or could not start, for
// the user.
func (k *Kernel) workerError(err error) wire.ErrorContent {
	var d *worker.Death
	if !errors.As(err, &d) {
		return wire.ErrorContent{
			Name: "WorkerFailed", Value: err.Error(),
			Traceback: []string{"WorkerFailed: " + err.Error(), "The process that runs cells could not be started; the next cell tries again."},
		}
	}
	name := deathName
	if d.Interrupted {
		name = interruptName
	}
	trace := []string{name + ": " + d.Reason}
	if d.Place != "" {
		trace = append(trace, d.Place)
	}
	for _, line := range d.Lines {
		if k.opts.NativeFilter == nil || !k.opts.NativeFilter("stderr", []byte(line+"\n")) {
			trace = append(trace, line)
		}
	}
	trace = append(trace, "The state of the session is lost. The next cell runs in a fresh worker.")
	return wire.ErrorContent{Name: name, Value: d.Reason, Traceback: trace}
}

// abort answers a cell that will not run.
func (j *cellJob) abort(count int) {
	j.iopub.status(j.msg.RawHeader, "busy")
	j.reply(wire.Execute.ReplyName(), wire.ExecuteReply{ReplyStatus: wire.ReplyStatus{Status: "aborted"}, ExecutionCount: count})
	j.iopub.idle(j.msg.RawHeader)
}

// queueComm queues a comm message in the order of its kind.
func (c *call) queueComm(kind, target string) {
	l := c.session.laneOf(c.msg)
	if slices.Contains(c.opts.BesideComms, target) {
		l = c.session.widgets
	}
	if l == nil || !l.add(&commJob{c, kind}) {
		c.log.Warn("comm message to a subshell that does not exist")
	}
}

// commJob is a queued comm message from a front end: the user's callbacks run
// between the cells of its shell.
type commJob struct {
	*call
	kind string
}

func (j *commJob) run(l *lane) {
	cell := l.s.nextCell()
	kind := worker.KindComm
	switch {
	case l == l.s.widgets:
		kind = worker.KindCommBeside
	case !l.main():
		kind = worker.KindCommOfSubshell
	}
	j.iopub.announce(cell, j.msg.RawHeader, false, l.main())
	j.iopub.begin(cell)
	j.iopub.begun(cell)
	err := j.sup.Comm(kind, cell, language.CommMessage{Kind: j.kind, Content: j.msg.Content, Buffers: j.msg.Buffers})
	if err != nil {
		j.iopub.fail(cell, j.workerError(err))
		l.s.comms.Clear()
	}
	j.iopub.end(cell)
}
