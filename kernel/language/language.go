// Package language is what a Jupyter kernel asks of the language it serves.
//
// It has two parts. [Text] is stateless and answers in the kernel process.
// [Interpreter] holds the session and lives in the worker process; the kernel
// reaches it through the pipe of package worker. Neither part knows sockets,
// and the kernel knows no Go and no XLA.
package language

import "context"

// Bundle is a MIME bundle: MIME type to data. Text types hold a string, JSON
// types any JSON value, binary types base64 text. Every bundle that is shown
// carries "text/plain".
type Bundle map[string]any

// Text answers questions about source text alone.
type Text interface {
	// Info names the language for kernel_info_reply.
	Info() Info
	// IsComplete tells a console whether the text can be run as it is.
	IsComplete(code string) Completeness
}

// Info is the language_info part of kernel_info_reply.
type Info struct {
	Name, Version, MIMEType, FileExtension string
	PygmentsLexer, CodeMirrorMode          string
	Banner                                 string
}

// Completeness is the answer of IsComplete. Status is "complete",
// "incomplete", "invalid" or "unknown"; Indent is given for "incomplete".
type Completeness struct {
	Status string `json:"status"`
	Indent string `json:"indent,omitempty"`
}

// Interpreter runs cells. Execute is called by one goroutine at a time, for
// cells of subshells see [Concurrent];
// Complete, Inspect and Interrupt may be called while Execute runs.
type Interpreter interface {
	// Execute runs one cell. Output goes to host. It returns when the cell's
	// foreground code has ended or ctx is cancelled and the code has stopped.
	// Go's scheduler has not been told of the request (package internal/atonce):
	// Execute calls atonce.Lasting where it may compute for more than a moment
	// and no timer is pending.
	Execute(ctx context.Context, req Request, host Host) Result
	Complete(ctx context.Context, code string, cursor int) Completion
	Inspect(ctx context.Context, code string, cursor, detail int) Inspection
	// Busy says what native work is under way, such as "XLA execute", for the
	// message that precedes a kill; empty when Go code runs.
	Busy() string
}

// Request is one execute_request as the language sees it. Count is the number
// that Out[n] will carry; Silent and StoreHistory are those of the protocol.
// Cell is the id that output frames of this cell carry.
type Request struct {
	Code         string `json:"code"`
	Count        int    `json:"count"`
	Cell         int64  `json:"cell"`
	Silent       bool   `json:"silent"`
	StoreHistory bool   `json:"store_history"`
	AllowStdin   bool   `json:"allow_stdin"`
	// Replay asks to make the session again from the journal before the cell.
	Replay bool `json:"replay,omitempty"`
	// UserExpressions maps names to expressions evaluated after the cell.
	UserExpressions map[string]string `json:"user_expressions,omitempty"`
}

// Result is how a cell ended. Status is "ok", "error" or "aborted"
// (interrupted cells are errors named "KeyboardInterrupt").
// Value, if not nil, is the cell's value and becomes execute_result.
type Result struct {
	Status          string           `json:"status"`
	Value           Bundle           `json:"value,omitempty"`
	Metadata        map[string]any   `json:"metadata,omitempty"`
	Error           *Error           `json:"error,omitempty"`
	UserExpressions map[string]any   `json:"user_expressions,omitempty"`
	Payload         []map[string]any `json:"payload,omitempty"`
	// Env holds variables that the cell set with %env (nil value: removed) and
	// Dir the working directory after the cell; the kernel re-applies both to a
	// fresh worker.
	Env map[string]*string `json:"env,omitempty"`
	Dir string             `json:"dir,omitempty"`
}

// Error is an error as a front end shows it. Traceback lines may hold ANSI
// colours; the first line is "Name: Value".
type Error struct {
	Name      string   `json:"ename"`
	Value     string   `json:"evalue"`
	Traceback []string `json:"traceback"`
}

// Completion is the content of complete_reply. Cursors count Unicode code
// points, as the protocol does. Types runs parallel to Matches and becomes
// the metadata _jupyter_types_experimental.
type Completion struct {
	Matches []string         `json:"matches"`
	Start   int              `json:"cursor_start"`
	End     int              `json:"cursor_end"`
	Types   []CompletionType `json:"types,omitempty"`
}

// CompletionType describes one match.
type CompletionType struct {
	Text      string `json:"text"`
	Type      string `json:"type"`
	Signature string `json:"signature,omitempty"`
	Start     int    `json:"start"`
	End       int    `json:"end"`
}

// Inspection is the content of inspect_reply.
type Inspection struct {
	Found    bool           `json:"found"`
	Data     Bundle         `json:"data"`
	Metadata map[string]any `json:"metadata"`
}

// Host is what a running cell can do to the outside. All methods are safe for
// concurrent use; each call is one frame, written by the calling goroutine,
// so the order is the program's own. The cell that output belongs to is found
// from the goroutine (package internal/cellid), else it is the foreground cell.
type Host interface {
	// Stream writes text to "stdout" or "stderr".
	Stream(name, text string)
	// Display shows a bundle; with update it replaces those shown before under
	// transient["display_id"].
	Display(data Bundle, metadata, transient map[string]any, update bool)
	// Clear clears the cell's output, at once or before the next output.
	Clear(wait bool)
	// Input asks the user for a line. It fails when the front end allows no
	// stdin or the cell is interrupted.
	Input(ctx context.Context, prompt string, password bool) (string, error)
	// Comm sends a comm message: kind "comm_open", "comm_msg" or "comm_close".
	Comm(kind string, content map[string]any, metadata map[string]any, buffers [][]byte)
}
