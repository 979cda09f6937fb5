// Package echo is a language that is not Go: each line of a cell is a command,
// and a line that is none is the cell's value. The kernel's tests run it, to
// show that the kernel knows no language, and to have every kind of output,
// stop and death at hand.
package echo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unicode/utf8"

	"gopherlo/internal/atonce"
	"gopherlo/kernel/language"
)

// Text is the stateless part of the language.
type Text struct{}

// Info implements [language.Text].
func (Text) Info() language.Info {
	return language.Info{Name: "echo", Version: "1", MIMEType: "text/plain", FileExtension: ".txt", Banner: "echo"}
}

// IsComplete implements [language.Text]: a line that ends in a backslash goes
// on, and a lone closing bracket is never right.
func (Text) IsComplete(code string) language.Completeness {
	switch {
	case strings.HasSuffix(code, "\\"):
		return language.Completeness{Status: "incomplete", Indent: "  "}
	case strings.TrimSpace(code) == ")":
		return language.Completeness{Status: "invalid"}
	}
	return language.Completeness{Status: "complete"}
}

// Interpreter runs echo cells. Its state is the variables set with "let".
type Interpreter struct {
	mu   sync.Mutex
	vars map[string]string
	busy atomic.Value // string
}

// New returns an interpreter without variables.
func New() *Interpreter { return &Interpreter{vars: map[string]string{}} }

var (
	_ language.Interpreter = (*Interpreter)(nil)
	_ language.CommHandler = (*Interpreter)(nil)
	_ language.CommBeside  = (*Interpreter)(nil)
	_ language.Concurrent  = (*Interpreter)(nil)
	_ language.Text        = Text{}
)

// run is one cell on its way.
type run struct {
	*Interpreter
	ctx  context.Context
	host language.Host
	res  language.Result
}

// command runs one line, of which it gets the part after its name.
type command func(r *run, rest string) error

// commands is the language.
var commands map[string]command

func init() {
	commands = map[string]command{
		"print":    func(r *run, s string) error { r.host.Stream("stdout", s+"\n"); return nil },
		"eprint":   func(r *run, s string) error { r.host.Stream("stderr", s+"\n"); return nil },
		"display":  func(r *run, s string) error { r.host.Display(text(s), nil, nil, false); return nil },
		"clear":    func(r *run, s string) error { r.host.Clear(s == "wait"); return nil },
		"show":     show,
		"update":   update,
		"big":      big,
		"value":    func(r *run, s string) error { r.res.Value = text(s); return nil },
		"error":    func(_ *run, s string) error { return errors.New(s) },
		"panic":    func(_ *run, s string) error { panic(s) },
		"native":   func(_ *run, s string) error { return write(1, s+"\n") },
		"enative":  func(_ *run, s string) error { return write(2, s+"\n") },
		"input":    input,
		"password": input,
		"sleep":    sleep,
		"await":    await,
		"spin":     spin,
		"late":     late,
		"let":      let,
		"get":      get,
		"repeat":   repeat,
		"env":      env,
		"cd":       cd,
		"grace":    grace,
		"mark":     mark,
		"comm":     comm,
		"exit":     exit,
		"child":    child,
		"replay":   replay,
		"eat":      eat,
		"signal":   signal,
		"overflow": func(*run, string) error { return errors.New(strconv.Itoa(overflow(0))) },
		"crash":    func(*run, string) error { go panic("crash in a goroutine"); select {} },
		"page": func(r *run, s string) error {
			r.res.Payload = append(r.res.Payload, map[string]any{"source": "page", "data": text(s), "start": 0})
			return nil
		},
	}
}

// Execute implements [language.Interpreter].
func (e *Interpreter) Execute(ctx context.Context, req language.Request, host language.Host) language.Result {
	atonce.Lasting()
	r := &run{Interpreter: e, ctx: ctx, host: host, res: language.Result{Status: "ok"}}
	for line := range strings.SplitSeq(req.Code, "\n") {
		if err := r.line(line); err != nil {
			name := "EchoError"
			if errors.Is(err, language.ErrNoStdin) {
				name = "StdinNotImplementedError"
			}
			r.res.Status, r.res.Value = "error", nil
			r.res.Error = &language.Error{Name: name, Value: err.Error(), Traceback: []string{name + ": " + err.Error()}}
			return r.res
		}
	}
	for name, expr := range req.UserExpressions {
		if r.res.UserExpressions == nil {
			r.res.UserExpressions = map[string]any{}
		}
		r.res.UserExpressions[name] = map[string]any{"status": "ok", "data": text(expr), "metadata": map[string]any{}}
	}
	return r.res
}

// ExecuteBeside implements [language.Concurrent]: echo cells share nothing but
// guarded variables.
func (e *Interpreter) ExecuteBeside(ctx context.Context, req language.Request, host language.Host) language.Result {
	return e.Execute(ctx, req, host)
}

// line runs one line.
func (r *run) line(line string) error {
	name, rest, _ := strings.Cut(line, " ")
	if c, ok := commands[name]; ok {
		return c(r, rest)
	}
	if strings.TrimSpace(line) != "" {
		r.res.Value = text(line)
	}
	return nil
}

func text(s string) language.Bundle { return language.Bundle{"text/plain": s} }

func write(fd int, s string) error {
	_, err := syscall.Write(fd, []byte(s))
	return err
}

// show displays under an id: "show ID TEXT".
func show(r *run, s string) error {
	id, s, _ := strings.Cut(s, " ")
	r.host.Display(text(s), nil, map[string]any{"display_id": id}, false)
	return nil
}

// update replaces what is shown under an id.
func update(r *run, s string) error {
	id, s, _ := strings.Cut(s, " ")
	r.host.Display(text(s), nil, map[string]any{"display_id": id}, true)
	return nil
}

// big displays that many bytes.
func big(r *run, s string) error {
	n, err := strconv.Atoi(s)
	if err == nil {
		r.host.Display(text(strings.Repeat("x", n)), nil, nil, false)
	}
	return err
}

func input(r *run, s string) error {
	line, err := r.host.Input(r.ctx, s, strings.HasPrefix(s, "secret"))
	if err == nil {
		r.host.Stream("stdout", "got "+line+"\n")
	}
	return err
}

// sleep waits, and stops when the cell is interrupted.
func sleep(r *run, s string) error {
	d, err := time.ParseDuration(s)
	if err != nil {
		return err
	}
	select {
	case <-time.After(d):
		return nil
	case <-r.ctx.Done():
		return context.Cause(r.ctx)
	}
}

// spin waits as native code does: it cannot be stopped.
func spin(r *run, s string) error {
	d, err := time.ParseDuration(s)
	if err != nil {
		return err
	}
	r.busy.Store("echo spin")
	defer r.busy.Store("")
	time.Sleep(d)
	return nil
}

// await waits until there is a file of that name, and stops when the cell is
// interrupted: a test that makes the file when it is ready needs no luck with
// durations.
func await(r *run, file string) error { return awaitFile(r.ctx, file) }

func awaitFile(ctx context.Context, file string) error {
	for {
		if _, err := os.Stat(file); err == nil {
			return nil
		}
		select {
		case <-time.After(2 * time.Millisecond):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// late prints from a goroutine of its own, after the cell, as soon as there is a
// file of that name: "late TEXT at FILE".
func late(r *run, s string) error {
	s, file, _ := strings.Cut(s, " at ")
	go func() {
		_ = awaitFile(context.Background(), file)
		r.host.Stream("stdout", s+"\n")
	}()
	return nil
}

func let(r *run, s string) error {
	name, v, _ := strings.Cut(s, " ")
	r.mu.Lock()
	defer r.mu.Unlock()
	r.vars[name] = v
	return nil
}

func get(r *run, s string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	v, ok := r.vars[s]
	if !ok {
		return fmt.Errorf("undefined: %s", s)
	}
	r.res.Value = text(v)
	return nil
}

// repeat runs a line a number of times; "#" in it is the turn.
func repeat(r *run, s string) error {
	count, line, _ := strings.Cut(s, " ")
	n, err := strconv.Atoi(count)
	for i := 0; i < n && err == nil; i++ {
		if err = context.Cause(r.ctx); err == nil {
			err = r.line(strings.ReplaceAll(line, "#", strconv.Itoa(i)))
		}
	}
	return err
}

// env sets a variable ("env A=1") or shows one ("env A").
func env(r *run, s string) error {
	name, v, set := strings.Cut(s, "=")
	if !set {
		r.res.Value = text(os.Getenv(name))
		return nil
	}
	if r.res.Env == nil {
		r.res.Env = map[string]*string{}
	}
	r.res.Env[name] = &v
	return os.Setenv(name, v)
}

// cd changes the directory, or shows it.
func cd(r *run, s string) error {
	if s != "" {
		if err := os.Chdir(s); err != nil {
			return err
		}
	}
	dir, err := os.Getwd()
	r.res.Dir = dir
	r.res.Value = text(dir)
	return err
}

func grace(r *run, s string) error {
	d, err := time.ParseDuration(s)
	if set, ok := r.host.(language.Settings); ok && err == nil {
		set.SetInterruptGrace(d)
	}
	return err
}

// comm opens a comm: "comm ID TARGET".
func comm(r *run, s string) error {
	id, target, _ := strings.Cut(s, " ")
	content := map[string]any{"comm_id": id, "target_name": target, "data": map[string]any{}}
	r.host.Comm("comm_open", content, map[string]any{"version": "1"}, [][]byte{{0, 1, 2}})
	return nil
}

// replay runs the cells of the journal again.
func replay(r *run, _ string) error {
	j, ok := r.host.(language.Journal)
	if !ok {
		return errors.New("no journal")
	}
	cells, err := j.Journal(r.ctx)
	for _, cell := range cells {
		if cell.Lost {
			continue
		}
		var failed error
		for line := range strings.SplitSeq(cell.Code, "\n") {
			if failed == nil {
				failed = r.line(line)
			}
		}
		if !cell.Failed && err == nil {
			err = failed
		}
	}
	return err
}

// child starts a program that the cell does not wait for.
func child(_ *run, s string) error {
	return exec.Command("/bin/sh", "-c", s).Start()
}

// eat takes that many megabytes of memory, until the worker is ended.
func eat(r *run, s string) error {
	n, err := strconv.Atoi(s)
	if err != nil {
		return err
	}
	kept := make([][]byte, n)
	for i := range kept {
		kept[i] = bytes.Repeat([]byte{1}, 1<<20)
	}
	err = sleep(r, "1m")
	runtime.KeepAlive(kept)
	return err
}

func exit(_ *run, s string) error {
	n, err := strconv.Atoi(s)
	if err == nil {
		os.Exit(n)
	}
	return err
}

// signal sends itself a signal and waits for it.
func signal(_ *run, s string) error {
	n, err := strconv.Atoi(s)
	if err != nil {
		return err
	}
	if err := syscall.Kill(syscall.Getpid(), syscall.Signal(n)); err != nil {
		return err
	}
	time.Sleep(time.Second)
	return nil
}

func overflow(n int) int {
	var pad [1 << 10]byte
	pad[n%len(pad)] = 1
	//lint:ignore SA5007 a stack overflow is the point
	return overflow(n+1) + int(pad[0])
}

// Complete implements [language.Interpreter]: commands that begin with the
// word at the cursor.
func (e *Interpreter) Complete(_ context.Context, code string, cursor int) language.Completion {
	head := string([]rune(code)[:cursor])
	start := strings.LastIndexAny(head, " \n") + 1
	word := head[start:]
	c := language.Completion{Matches: []string{}, Start: cursor - utf8.RuneCountInString(word), End: cursor}
	for name := range commands {
		if strings.HasPrefix(name, word) {
			c.Matches = append(c.Matches, name)
		}
	}
	slices.Sort(c.Matches)
	for _, m := range c.Matches {
		c.Types = append(c.Types, language.CompletionType{Text: m, Type: "command", Start: c.Start, End: c.End})
	}
	return c
}

// Inspect implements [language.Interpreter]: it knows commands.
func (e *Interpreter) Inspect(_ context.Context, code string, _, _ int) language.Inspection {
	name, _, _ := strings.Cut(code, " ")
	if _, ok := commands[name]; !ok {
		return language.Inspection{}
	}
	return language.Inspection{Found: true, Data: text("command " + name)}
}

// Busy implements [language.Interpreter].
func (e *Interpreter) Busy() string {
	s, _ := e.busy.Load().(string)
	return s
}

// HandleComm implements [language.CommHandler]: it answers on target "echo" and
// closes every other.
func (e *Interpreter) HandleComm(_ context.Context, msg language.CommMessage, host language.Host) {
	content := string(msg.Content)
	switch {
	case msg.Kind == "comm_open" && !strings.Contains(content, `"echo"`):
		_, id, _ := strings.Cut(content, `"comm_id"`)
		parts := strings.SplitN(id, `"`, 3)
		if len(parts) == 3 {
			host.Comm("comm_close", map[string]any{"comm_id": parts[1], "data": map[string]any{}}, nil, nil)
		}
	case msg.Kind == "comm_msg":
		host.Stream("stdout", "comm_msg with "+strconv.Itoa(len(msg.Buffers))+" buffers\n")
	}
}

// HandleCommBeside implements [language.CommBeside].
func (e *Interpreter) HandleCommBeside(_ context.Context, msg language.CommMessage, host language.Host) {
	host.Stream("stdout", msg.Kind+" beside\n")
}

// HandleCommOfSubshell does the same for a subshell.
func (e *Interpreter) HandleCommOfSubshell(ctx context.Context, msg language.CommMessage, host language.Host) {
	e.HandleComm(ctx, msg, host)
}

// mark notes two places, of a statement and of a line.
func mark(r *run, rest string) error {
	m := r.host.(language.Marked).Marks()
	_, err := fmt.Sscan(rest, &m.Statement, &m.Line)
	return err
}
