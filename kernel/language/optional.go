package language

import (
	"context"
	"encoding/json"
	"errors"
	"time"
)

// ErrNoStdin is what [Host.Input] returns when the front end that sent the
// cell cannot be asked for input. Jupyter's name for it is
// StdinNotImplementedError.
var ErrNoStdin = errors.New("this front end allows no input (allow_stdin is false)")

// BusyFunc begins what Busy says when a function of the language's own library
// has not come back; its name follows.
const BusyFunc = "func "

// ErrInterrupted is the cause of a cell's cancelled context when the user
// interrupted it.
var ErrInterrupted = errors.New("interrupted")

// Settings is implemented by a [Host] whose kernel can be told how to treat
// the session. Use a type assertion: a host in a test need not have it.
type Settings interface {
	// SetInterruptGrace sets how long an interrupted cell may go on in native
	// code before its worker is killed. A negative time means for ever.
	SetInterruptGrace(grace time.Duration)
}

// Restarter is implemented by a [Host] whose kernel can run the session in another
// process.
type Restarter interface {
	// Restart has a fresh process take the place of this one when the cell has
	// ended. It gets the environment and the working directory; values are lost.
	Restart()
}

// CommMessage is a comm_open, comm_msg or comm_close from a front end. Content
// is the message's content as it came.
type CommMessage struct {
	Kind    string
	Content json.RawMessage
	Buffers [][]byte
}

// CommHandler is implemented by an [Interpreter] that takes comm messages.
// HandleComm is called between cells, never beside Execute.
type CommHandler interface {
	HandleComm(ctx context.Context, msg CommMessage, host Host)
}

// CommBeside is implemented by an [Interpreter] that answers some comms, those
// which touch no user code, while a cell runs. Which they are is known by the
// names of their targets.
type CommBeside interface {
	HandleCommBeside(ctx context.Context, msg CommMessage, host Host)
}

// Concurrent is implemented by an [Interpreter] that runs several cells at
// once. A kernel then offers subshells.
type Concurrent interface {
	// ExecuteBeside is Execute for a cell of a subshell, called while Execute
	// may be running.
	ExecuteBeside(ctx context.Context, req Request, host Host) Result
	// HandleCommOfSubshell is HandleComm for a message to a subshell.
	HandleCommOfSubshell(ctx context.Context, msg CommMessage, host Host)
}

// Past is a cell of the journal.
type Past struct {
	Code string `json:"code"`
	// Failed is set when the cell ended with an error; what its finished
	// statements did is part of the session.
	Failed bool `json:"failed,omitempty"`
	// Lost is set when the cell was interrupted or its worker died: run again
	// it might do the same, so the session is made without it.
	Lost bool `json:"lost,omitempty"`
}

// Journal is implemented by a [Host] whose kernel remembers the cells that ran,
// so that a session that lost its worker can be made again.
type Journal interface {
	// Journal returns the cells that have ended, oldest first, up to the one
	// that runs, since the kernel started or [Journal.Forget].
	Journal(ctx context.Context) ([]Past, error)
	// Forget empties the journal, when the session is reset.
	Forget()
	// AutoReplay says whether the kernel is to ask for a replay by itself
	// ([Request.Replay]) when a worker has died.
	AutoReplay(on bool)
}

// Marked is implemented by a [Host] whose kernel can still read where the cells
// were when their process has died.
type Marked interface {
	// Marks is memory that outlives the process, nil where there is none.
	Marks() *Marks
}

// Marks are two places, each the number of a cell times [MarkBase] plus a line, 0
// when none is known. Running cells write them without a lock.
type Marks struct {
	// Line is the last line that was begun anywhere, in a function too; Statement
	// is that of the last statement of a cell itself.
	Line, Statement int
}

// MarkBase keeps cell and line apart in a mark. From MarkCells on, numbers are no
// cells but files that a cell has loaded.
const (
	MarkBase  = 1_000_000
	MarkCells = 1_000_000
)
