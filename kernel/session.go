package kernel

import (
	"encoding/json"
	"errors"
	"sync"
	"time"

	"gopherlo/kernel/comm"
	"gopherlo/kernel/language"
	"gopherlo/kernel/wire"
	"gopherlo/kernel/worker"
)

// Session is the notebook's state in the kernel process: the queue of cells,
// their count, the history and the open comms. The values are the worker's.
type Session struct {
	k       *Kernel
	history *history
	comms   *comm.Table

	mu     sync.Mutex
	wake   sync.Cond
	queue  []job
	closed bool
	cell   int64         // number of the last job that was started
	count  int           // n of the last In[n]
	busy   bool          // a job runs
	last   time.Time     // when the last job ended
	active *cellJob      // the cell that runs
	ended  chan struct{} // closed when run has returned
}

// job is what the queue holds: a cell or a comm message.
type job interface{ run(s *Session) }

func newSession(k *Kernel) *Session {
	s := &Session{k: k, comms: comm.NewTable(), history: openHistory(k.opts.HistoryDir, k.log), last: time.Now(), ended: make(chan struct{})}
	s.wake.L = &s.mu
	return s
}

// add puts a job at the end of the queue.
func (s *Session) add(j job) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.queue = append(s.queue, j)
	s.wake.Signal()
}

// run starts queued jobs, one after the other.
func (s *Session) run() {
	defer close(s.ended)
	for {
		s.mu.Lock()
		for len(s.queue) == 0 && !s.closed {
			s.wake.Wait()
		}
		if s.closed {
			s.mu.Unlock()
			return
		}
		j := s.queue[0]
		s.queue = s.queue[1:]
		s.busy = true
		s.mu.Unlock()
		j.run(s)
		s.mu.Lock()
		s.busy, s.last = false, time.Now()
		s.mu.Unlock()
	}
}

// idleFor returns how long nothing has run.
func (s *Session) idleFor() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.busy || len(s.queue) > 0 {
		return 0
	}
	return time.Since(s.last)
}

// close ends run after the current job.
func (s *Session) close() {
	s.mu.Lock()
	s.closed = true
	s.wake.Signal()
	s.mu.Unlock()
	s.history.close()
}

// keptResult bounds the text of a value that the history keeps.
const keptResult = 64 << 10

// keepResult notes the text of the running cell's value in the history.
func (s *Session) keepResult(content json.RawMessage) {
	s.mu.Lock()
	j := s.active
	s.mu.Unlock()
	if j == nil || !j.stores() || len(content) > keptResult {
		return
	}
	var r struct {
		Count int            `json:"execution_count"`
		Data  map[string]any `json:"data"`
	}
	if json.Unmarshal(content, &r) != nil {
		return
	}
	if text, ok := r.Data["text/plain"].(string); ok && text != "" {
		s.history.output(r.Count, text)
	}
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
}

// stores reports whether the cell counts and is kept in the history.
func (j *cellJob) stores() bool {
	return !j.req.Silent && (j.req.StoreHistory == nil || *j.req.StoreHistory)
}

func (j *cellJob) stopsOnError() bool { return j.req.StopOnError == nil || *j.req.StopOnError }

func (j *cellJob) allowsStdin() bool { return j.req.AllowStdin == nil || *j.req.AllowStdin }

// run executes the cell: busy, outputs, reply, idle, in this order.
func (j *cellJob) run(s *Session) {
	j.cell = s.nextCell()
	s.mu.Lock()
	if j.stores() {
		s.count++
	}
	count := s.count
	s.active = j
	s.mu.Unlock()
	j.iopub.begin(j.cell, j.msg.RawHeader, j.req.Silent)
	if !j.req.Silent {
		j.iopub.input(j.cell, j.req.Code, count)
	}
	if j.stores() {
		s.history.input(count, j.req.Code)
	}
	reply := j.execute(count)
	j.iopub.flush(j.cell)
	s.mu.Lock()
	s.active = nil
	s.mu.Unlock()
	j.inputs.cancel(j.cell)
	var aborted []*cellJob
	if reply.Status == "error" && j.stopsOnError() {
		aborted = s.takeBehind()
	}
	j.reply(wire.Execute.ReplyName(), reply)
	j.iopub.end(j.cell)
	for _, a := range aborted {
		a.abort(count)
	}
}

// execute runs the cell in the worker and makes the reply.
func (j *cellJob) execute(count int) wire.ExecuteReply {
	done, err := j.sup.Execute(language.Request{
		Code: j.req.Code, Count: count, Cell: j.cell, Silent: j.req.Silent, StoreHistory: j.stores(),
		AllowStdin: j.allowsStdin(), UserExpressions: j.req.UserExpressions,
	})
	reply := wire.ExecuteReply{ExecutionCount: count}
	if err != nil {
		e := workerError(err)
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

// workerError words the error of a worker that died, or could not start, for
// the user.
func workerError(err error) wire.ErrorContent {
	var d *worker.Death
	if !errors.As(err, &d) {
		return wire.ErrorContent{
			Name: "WorkerFailed", Value: err.Error(),
			Traceback: []string{"WorkerFailed: " + err.Error(), "The process that runs cells could not be started; the next cell tries again."},
		}
	}
	name := "WorkerDied"
	if d.Interrupted {
		name = "KeyboardInterrupt"
	}
	trace := append([]string{name + ": " + d.Reason}, d.Lines...)
	trace = append(trace, "The state of the session is lost. The next cell runs in a fresh worker.")
	return wire.ErrorContent{Name: name, Value: d.Reason, Traceback: trace}
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
func (s *Session) takeBehind() []*cellJob {
	var taken []*cellJob
	quiet, began := quietAlone, time.Now()
	for {
		n := len(taken)
		s.mu.Lock()
		kept := s.queue[:0]
		for _, j := range s.queue {
			if c, ok := j.(*cellJob); ok {
				taken = append(taken, c)
			} else {
				kept = append(kept, j)
			}
		}
		s.queue = kept
		s.mu.Unlock()
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

// abort answers a cell that will not run.
func (j *cellJob) abort(count int) {
	j.iopub.status(j.msg.RawHeader, "busy")
	j.reply(wire.Execute.ReplyName(), wire.ExecuteReply{ReplyStatus: wire.ReplyStatus{Status: "aborted"}, ExecutionCount: count})
	j.iopub.idle(j.msg.RawHeader)
}

// commJob is a queued comm message from a front end: the user's callbacks run
// between cells.
type commJob struct {
	*call
	kind string
}

func (j *commJob) run(s *Session) {
	cell := s.nextCell()
	j.iopub.begin(cell, j.msg.RawHeader, false)
	err := j.sup.Comm(cell, language.CommMessage{Kind: j.kind, Content: j.msg.Content, Buffers: j.msg.Buffers})
	if err != nil {
		j.iopub.fail(cell, workerError(err))
		s.comms.Clear()
	}
	j.iopub.end(cell)
}
