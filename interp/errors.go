package interp

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	yaegi "github.com/traefik/yaegi/interp"

	"gopherlo/interp/cell"
	"gopherlo/interp/check"
	"gopherlo/interp/lower"
	"gopherlo/interp/rt"
	"gopherlo/kernel/language"
)

// linesPerProgram keeps the lines of the programs given to yaegi apart.
const linesPerProgram = 1_000_000

// compileError shows every mistake of a cell with its line.
func compileError(c *cell.Cell, diags []check.Diagnostic) *language.Error {
	e := &language.Error{Name: "CompileError", Value: diags[0].Msg}
	if len(diags) > 1 {
		e.Value = fmt.Sprintf("%s (and %d more)", diags[0].Msg, len(diags)-1)
	}
	e.Traceback = []string{"CompileError: " + e.Value}
	for _, d := range diags {
		text := fmt.Sprintf("cell %d, line %d:%d: %s", c.N, d.Line, d.Col, d.Msg)
		if line := c.Line(d.Line); line != "" {
			text += "\n    " + strings.ReplaceAll(line, "\t", " ") + "\n    " + strings.Repeat(" ", min(d.Col-1, len(line))) + "^"
		}
		if d.Hint != "" {
			text += "\n    " + d.Hint
		}
		e.Traceback = append(e.Traceback, text)
	}
	return e
}

// internalError reports a program that yaegi does not take although the
// checker has accepted the cell.
func internalError(err error, prog *lower.Program) *language.Error {
	msg := "this cell is right but cannot be run yet: " + err.Error()
	return &language.Error{Name: "InternalError", Value: msg, Traceback: []string{"InternalError: " + msg, prog.Text}}
}

func interruptedError() *language.Error {
	return &language.Error{Name: "KeyboardInterrupt", Value: "", Traceback: []string{"KeyboardInterrupt: the cell was interrupted"}}
}

// named are errors that carry the name of a JAX error class.
type named interface {
	error
	JaxName() string
}

// panicError shows a panic as Go words it, with the cell's frames.
func (in *Interp) panicError(err error) *language.Error {
	var p yaegi.Panic
	if !errors.As(err, &p) {
		return internalError(err, &lower.Program{})
	}
	v := rt.Translate(p.Value)
	e := &language.Error{Name: "panic", Value: in.rt.PanicText(v)}
	switch v := v.(type) {
	case rt.Interrupted:
		return interruptedError()
	case rt.Exit:
		e.Name, e.Value = "SystemExit", strconv.Itoa(v.Code)
	case named:
		e.Name, e.Value = v.JaxName(), v.Error()
	}
	e.Traceback = []string{e.Name + ": " + e.Value}
	e.Traceback = append(e.Traceback, in.trace.frames()...)
	return e
}

// traceLog receives what yaegi writes about a panic as it leaves each frame.
type traceLog struct {
	mu    sync.Mutex
	text  strings.Builder
	lines map[int][]lower.Pos
}

func (t *traceLog) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.text.Len() < 1<<20 {
		t.text.Write(p)
	}
	return len(p), nil
}

func (t *traceLog) add(seq int, lines []lower.Pos) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.lines == nil {
		t.lines = map[int][]lower.Pos{}
	}
	t.lines[seq] = lines
}

func (t *traceLog) reset() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text.Reset()
}

var traceRE = regexp.MustCompile(`(?m)^(\d+):(?:\d+:)? panic`)

// frames lists the places of the cells that a panic has left, innermost first.
func (t *traceLog) frames() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var list []string
	last := ""
	for _, m := range traceRE.FindAllStringSubmatch(t.text.String(), -1) {
		n, _ := strconv.Atoi(m[1])
		lines := t.lines[n/linesPerProgram]
		k := n % linesPerProgram
		if k >= len(lines) || lines[k].Cell == 0 {
			continue
		}
		pos := lines[k]
		text := fmt.Sprintf("cell %d, line %d", pos.Cell, pos.Line)
		if pos.Func != "" {
			text += ", in " + pos.Func
		}
		if text != last {
			list = append(list, text)
		}
		last = text
	}
	if len(list) > 40 {
		list = append(append(list[:20:20], fmt.Sprintf("... %d frames left out ...", len(list)-40)), list[len(list)-20:]...)
	}
	return list
}
