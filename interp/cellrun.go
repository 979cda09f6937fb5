package interp

import (
	"context"
	"fmt"
	"go/token"
	"regexp"
	"strings"
	"time"

	"gopherlo/cells"
	"gopherlo/display"
	"gopherlo/interp/cell"
	"gopherlo/interp/check"
	"gopherlo/kernel/language"
)

// cellRun is one execute request: Go code and magic lines in the order of the
// cell's text.
type cellRun struct {
	in   *Interp
	ctx  context.Context
	req  language.Request
	host language.Host
	// beside is set for a cell of a subshell.
	beside bool
	setEnv map[string]*string // variables that the cell has set
	// options is the literal of %%xla, "" without.
	options string
	// moved are the parts of a magic's line in the Go text that it stands for.
	moved   []cell.Moved
	payload []map[string]any
	// values are what the cell has shown last, of the checked Go text valuesOf in
	// the session valuesIn.
	values   []any
	valuesOf *check.Result
	valuesIn *check.Session
	// took is how long the last statements ran, without the making of them.
	took time.Duration
}

// usageError is a mistake in a magic line.
type usageError struct{ msg string }

func (e usageError) Error() string { return e.msg }

func usagef(format string, args ...any) error { return usageError{fmt.Sprintf(format, args...)} }

// execute runs the cell.
func (r *cellRun) execute() language.Result {
	text := r.req.Code
	if m, ok := findCellMagic(text); ok {
		return r.cellMagic(m)
	}
	return r.code(text)
}

// findCellMagic finds a %% line at the start of the text.
func findCellMagic(text string) (cell.Magic, bool) {
	if !strings.HasPrefix(strings.TrimSpace(text), "%%") {
		return cell.Magic{}, false
	}
	_, magics := cell.ExtractMagics(text)
	if len(magics) == 0 || !magics[0].Cell {
		return cell.Magic{}, false
	}
	return magics[0], true
}

func (r *cellRun) cellMagic(m cell.Magic) language.Result {
	mg, ok := cellMagics[m.Name]
	if !ok {
		return r.failed(unknownMagic("%%" + m.Name))
	}
	return mg.run(r, m)
}

// body is the text below a cell magic, on the lines that it has in the cell.
func body(m cell.Magic) string { return strings.Repeat("\n", m.Line) + m.Body }

func (r *cellRun) xlaCell(m cell.Magic) language.Result {
	r.options = m.Args
	if !strings.HasPrefix(r.options, "{") {
		return r.failed(usagef("%%%%xla takes options in braces: %%%%xla {\"xla_embed_ir_in_executable\": true}"))
	}
	res := r.code(body(m))
	if res.Error == nil && !jitRE.MatchString(m.Body) {
		r.host.Stream("stderr", "note: no jit in this cell takes the options of %%xla; functions that are jitted already keep their own\n")
	}
	return res
}

var jitRE = regexp.MustCompile(`\b[jJ]it\b`)

func (r *cellRun) timeCell(m cell.Magic) language.Result {
	if m.Args != "" {
		return r.failed(usagef("%%%%time times the lines below; %%time %s times one statement", m.Args))
	}
	start := time.Now()
	res := r.code(body(m))
	if res.Status == "ok" {
		r.host.Stream("stdout", "Wall time: "+cells.Duration(time.Since(start))+"\n")
	}
	return res
}

func (r *cellRun) timeitCell(m cell.Magic) language.Result {
	timing, rest, err := cells.ParseTiming(m.Args)
	if err != nil {
		return r.result(usagef("%%%%timeit: %v", err))
	}
	if strings.TrimSpace(rest+m.Body) == "" {
		return r.result(usagef("%%%%timeit times the lines below it; there are none"))
	}
	code, at := strings.Repeat("\n", m.Line)+m.Body, (*cell.Moved)(nil)
	if strings.TrimSpace(rest) != "" {
		code, at = rest+"\n"+m.Body, &cell.Moved{Line: m.Line, Col: 1 + len(r.inPlace(m, rest)) - len(rest)}
	}
	if err := r.timeit(timing, code, at); err != nil {
		return r.result(err)
	}
	return language.Result{Status: "ok"}
}

// code runs Go text with line magics.
func (r *cellRun) code(text string) language.Result {
	_, magics := cell.ExtractMagics(text)
	if len(magics) == 0 {
		return r.golang(text)
	}
	if c, errs := cell.Parse(token.NewFileSet(), r.req.Count, text); len(errs) > 0 {
		c.Text = r.shown(text) // before any of it runs
		return failed(compileError(c, plainDiagnostics(c, errs)))
	}
	lines := strings.SplitAfter(text, "\n")
	res := language.Result{Status: "ok"}
	next := 0 // first line that has not run
	for i := 0; i <= len(magics); i++ {
		end := len(lines)
		if i < len(magics) {
			end = magics[i].Line - 1
		}
		if part := only(lines, next, end); strings.TrimSpace(part) != "" {
			if res = r.golang(part); res.Status != "ok" {
				return res
			}
		}
		if i == len(magics) {
			break
		}
		value, err := r.magic(magics[i])
		if err != nil {
			return r.result(err)
		}
		res = language.Result{Status: "ok", Value: value}
		next = magics[i].Line
	}
	res.Payload = r.payload
	return res
}

// magic runs a line that is not for Go, or is, see goLine.
func (r *cellRun) magic(m cell.Magic) (language.Bundle, error) {
	if text, ok := r.goLine(m); ok {
		return r.goValue(m, text)
	}
	return r.lineMagic(m)
}

// only keeps lines from to end, and the places of the others.
func only(lines []string, from, end int) string {
	return strings.Repeat("\n", from) + strings.Join(lines[from:end], "")
}

// golang runs Go text.
func (r *cellRun) golang(text string) language.Result {
	c, errs := cell.Parse(r.in.fset, r.req.Count, text)
	c.Move(r.moved, errs)
	if len(r.moved) > 0 {
		c.Text = r.req.Code
	}
	if len(errs) > len(c.Wrong) {
		return failed(compileError(c, plainDiagnostics(c, errs)))
	}
	if len(r.moved) == 0 {
		c.Text = r.shown(text)
	}
	if r.options != "" {
		c.JitOptions = r.options
	}
	return r.runCell(c)
}

// shown is the text that error messages quote: that of the whole cell where
// the part has the same lines.
func (r *cellRun) shown(text string) string {
	if len(text) <= len(r.req.Code) {
		return r.req.Code
	}
	return text
}

// failedRun carries the error of Go code that a magic has run.
type failedRun struct{ e *language.Error }

func (f failedRun) Error() string { return f.e.Name + ": " + f.e.Value }

// result is the result of a cell that a magic has ended.
func (r *cellRun) result(err error) language.Result {
	if f, ok := err.(failedRun); ok {
		return failed(f.e)
	}
	return r.failed(err)
}

func (r *cellRun) failed(err error) language.Result {
	if r.ctx.Err() != nil {
		return failed(interruptedError())
	}
	name := "Error"
	if _, ok := err.(usageError); ok {
		name = "UsageError"
	}
	return failed(&language.Error{Name: name, Value: err.Error(), Traceback: []string{name + ": " + err.Error()}})
}

// userExpressions evaluates the expressions that a front end wants after the
// cell.
func (r *cellRun) userExpressions() map[string]any {
	out := map[string]any{}
	for name, expr := range r.req.UserExpressions {
		res := r.golang(expr)
		if res.Error != nil {
			out[name] = map[string]any{"status": "error", "ename": res.Error.Name, "evalue": res.Error.Value, "traceback": res.Error.Traceback}
			continue
		}
		data := res.Value
		if data == nil {
			data = display.Text("")
		}
		out[name] = map[string]any{"status": "ok", "data": data, "metadata": map[string]any{}}
	}
	return out
}
