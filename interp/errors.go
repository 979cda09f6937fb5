package interp

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	yaegi "github.com/traefik/yaegi/interp"

	"gopherlo/internal/bug"
	"gopherlo/interp/cell"
	"gopherlo/interp/check"
	"gopherlo/interp/lower"
	"gopherlo/interp/rt"
	"gopherlo/kernel/language"
)

// compileError shows every mistake of a cell with its line.
func compileError(c *cell.Cell, diags []check.Diagnostic) *language.Error {
	first, _, _ := strings.Cut(short(diags[0].Msg), "\n")
	e := &language.Error{Name: "CompileError", Value: first}
	if more := len(diags) - 1; more > 0 {
		if last := diags[more].More; last > 0 {
			more += last - 1
		}
		e.Value = fmt.Sprintf("%s (and %d more)", first, more)
	}
	e.Traceback = []string{"CompileError: " + e.Value}
	for _, d := range diags {
		if d.Line == 0 {
			e.Traceback = append(e.Traceback, d.Msg)
			continue
		}
		text := fmt.Sprintf("cell %d, line %d:%d: %s", c.N, d.Line, d.Col, short(d.Msg))
		if line := c.Line(d.Line); line != "" {
			text += excerpt(line, d.Col)
		}
		if d.Hint != "" {
			text += "\n    " + short(d.Hint)
		}
		e.Traceback = append(e.Traceback, text)
	}
	return e
}

// short cuts the middle out of a message that quotes something long.
func short(msg string) string {
	const most = 1200
	if len(msg) <= most {
		return msg
	}
	return strings.ToValidUTF8(msg[:most*2/3], "") + " … " + strings.ToValidUTF8(msg[len(msg)-most/3:], "")
}

// excerpt shows a line with a mark below a column; of a long line, the part
// around it.
func excerpt(line string, col int) string {
	const width = 160
	from := 0
	if at := min(col-1, len(line)); at > width*2/3 {
		from = at - width/2
	}
	part := line[from:]
	if len(part) > width {
		part = strings.ToValidUTF8(part[:width], "") + "…"
	}
	if from > 0 {
		part = "…" + strings.ToValidUTF8(part, "")
		from--
	}
	part = strings.ReplaceAll(part, "\t", " ")
	return "\n    " + part + "\n    " + strings.Repeat(" ", min(max(col-1-from, 0), len(line))) + "^"
}

// internalError reports a program that yaegi does not take although the
// checker has accepted the cell.
func internalError(err error, prog *lower.Program) *language.Error {
	msg := "this cell is right but cannot be run yet: " + err.Error()
	return &language.Error{Name: "InternalError", Value: msg, Traceback: []string{"InternalError: " + msg, prog.Text}}
}

// lowerError reports a construct without a rule, or a fault of ours.
func (in *Interp) lowerError(c *cell.Cell, err error) *language.Error {
	var b *bug.Error
	if errors.As(err, &b) {
		return internalError(err, &lower.Program{})
	}
	var u *lower.Unsupported
	if errors.As(err, &u) && u.Cell >= check.FileBase {
		text := in.where(u.Cell, u.Line) + ": " + u.Error()
		return &language.Error{Name: "CompileError", Value: text, Traceback: []string{
			"CompileError: " + text, "    `gopherlo build --with " + in.session.BuildPath(u.Cell) + "` makes a kernel that has the package compiled",
		}}
	}
	if errors.As(err, &u) && c != nil && u.Cell == c.N && u.Line > 0 {
		d := check.Diagnostic{Hint: u.Hint()}
		d.Line, d.Col, d.Msg = u.Line, u.Col, u.Error()
		return compileError(c, []check.Diagnostic{d})
	}
	return &language.Error{Name: "CompileError", Value: err.Error(), Traceback: []string{"CompileError: " + err.Error()}}
}

// where names a line of a cell, or of a file of a package from source.
func (in *Interp) where(cell, line int) string {
	if cell < check.FileBase {
		return fmt.Sprintf("cell %d, line %d", cell, line)
	}
	return fmt.Sprintf("%s:%d", in.env.FileName(cell), line)
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
func (in *Interp) panicError(run *rt.Run, count int, err error) *language.Error {
	var p yaegi.Panic
	if !errors.As(err, &p) {
		return internalError(err, &lower.Program{})
	}
	v := rt.Translate(p.Value)
	e := &language.Error{Name: "panic", Value: in.rt.PanicText(p.Value)}
	switch v := v.(type) {
	case rt.Interrupted:
		return interruptedError()
	case rt.Exit:
		e.Name, e.Value = "SystemExit", strconv.Itoa(v.Code)
	case named:
		e.Name, e.Value = v.JaxName(), v.Error()
	}
	e.Traceback = []string{strings.TrimSuffix(e.Name+": "+e.Value, ": ")}
	line, top := run.PanicLine(count)
	e.Traceback = append(e.Traceback, in.frames(run.Trace(), line, top)...)
	if a, ok := v.(interface{ JaxAdvice() string }); ok && a.JaxAdvice() != "" {
		e.Traceback = append(e.Traceback, a.JaxAdvice())
	}
	return e
}

// goexitError tells that a cell has ended its goroutine. In a program of main the
// others would go on until none can.
func (in *Interp) goexitError(run *rt.Run, count int) *language.Error {
	e := &language.Error{Name: "Goexit", Value: "runtime.Goexit ended the cell: no statement after this one has run"}
	e.Traceback = []string{e.Name + ": " + e.Value}
	line, top := run.PanicLine(count)
	if line > 0 {
		e.Traceback = append(e.Traceback, in.lineText(line))
	}
	if top > 0 && top != line {
		e.Traceback = append(e.Traceback, fmt.Sprintf("cell %d, line %d", top/lower.LineBase, top%lower.LineBase))
	}
	return e
}

// traceLog finds the places of lines that yaegi writes as a panic leaves each
// frame.
type traceLog struct {
	mu sync.Mutex
	// first are the programs' first lines, ascending, lines the places of their
	// lines: index 1 is the first.
	first []int
	lines [][]lower.Pos
	calls map[lower.Call][]int
}

// add notes a program whose lines are numbered from first on.
func (t *traceLog) add(first int, p *lower.Program) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.calls == nil {
		t.calls = map[lower.Call][]int{}
	}
	t.first, t.lines = append(t.first, first), append(t.lines, p.Lines)
	for c, lines := range p.Calls {
		t.calls[c] = lines
	}
}

// funcAt is the function that has a line of a cell, "" when it is none's or
// none is known.
func (t *traceLog) funcAt(cell, line int) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i := len(t.lines) - 1; i >= 0; i-- {
		for _, p := range t.lines[i] {
			if p.Cell == cell && p.Line == line && p.Func != "" {
				return p.Func
			}
		}
	}
	return ""
}

var traceRE = regexp.MustCompile(`(?m)^(?:(\d+):(?:\d+:)? panic: main\.([\pL\pN_]+)|` + rt.Skipped + `(\d+)$|` + rt.Calls + `([ .\d]*)$)`)

// left is a function that a panic has left.
type left struct {
	pos    lower.Pos // of its declaration
	callee string    // its lowered name
	// skipped is the number of functions that this stands for, of which nothing is
	// known.
	skipped int
	// line is that of the call by which it has called the next one inwards, 0 when
	// none is known.
	line int
	// library tells that it has called one of a library, and that may have called
	// the cell's function that has panicked.
	library bool
}

// callLine is the line where a function calls another, 0 when there are
// several or none is known.
func (t *traceLog) callLine(caller lower.Pos, callee string) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	lines := t.calls[lower.Call{Cell: caller.Cell, Caller: caller.Func, Callee: callee}]
	if len(lines) != 1 {
		return 0
	}
	return lines[0]
}

// left lists the functions of the cells that the panic has left, innermost
// first.
func (t *traceLog) left(text string) []left {
	t.mu.Lock()
	defer t.mu.Unlock()
	var list []left
	library := false
	matches := traceRE.FindAllStringSubmatch(text, -1)
	lines := notedCalls(matches)
	for i, m := range matches {
		if m[4] != "" {
			continue
		}
		n, _ := strconv.Atoi(m[1])
		pos := t.place(n)
		if skipped := m[3]; skipped != "" {
			n, _ := strconv.Atoi(skipped)
			list = append(list, left{skipped: n})
			continue
		}
		name, _, _ := strings.Cut(m[2], "ǃc")
		if n := len(list); n > 0 && list[n-1].pos.Framed && list[n-1].callee == name {
			list[n-1].pos.Framed = false // the function around it is the same one
			continue
		}
		if len(list) == 0 && pos.Cell == 0 && name != "init" {
			library = true
			continue // a function of ours, such as an assertion's: the cell's called it
		}
		list = append(list, left{pos: pos, callee: name, line: lines[i], library: library && len(list) == 0})
	}
	return list
}

// notedCalls gives the lines of calls for the functions of a trace. What was noted
// of a stack begins with the function before the note; what follows on dots ends with
// the outermost function.
func notedCalls(trace [][]string) []int {
	lines := make([]int, len(trace))
	for i, m := range trace {
		if m[4] == "" {
			continue
		}
		inner, outer, _ := strings.Cut(m[4], "...")
		at := max(i-1, 0)
		for _, line := range strings.Fields(inner) {
			for at < len(trace) && trace[at][4] != "" {
				at++
			}
			if at == len(trace) || trace[at][2] == "" {
				break
			}
			lines[at], _ = strconv.Atoi(line)
			at++
		}
		last := len(trace) - 1
		for _, line := range slices.Backward(strings.Fields(outer)) {
			if last <= i || trace[last][2] == "" {
				break
			}
			lines[last], _ = strconv.Atoi(line)
			last--
		}
	}
	return lines
}

// frames describes where a panic arose and how the cell got there. yaegi knows
// the functions; the line of the innermost and of the cell's statement come
// from marks, lines between them from those of the functions or where there is one
// call only.
func (in *Interp) frames(trace string, line, top int) []string {
	var list []string
	add := func(cell, line int, fn string) {
		text := in.where(cell, line)
		if fn != "" {
			text += ", in " + fn
		}
		if len(list) == 0 || list[len(list)-1] != text {
			list = append(list, text)
		}
	}
	stack := in.trace.left(trace)
	for i, f := range stack {
		called := 0
		if i > 0 && stack[i-1].skipped == 0 {
			called = in.trace.callLine(f.pos, stack[i-1].callee)
		} else if i > 0 { // most likely it calls itself
			called = in.trace.callLine(f.pos, f.callee)
		}
		if called == 0 {
			called = in.trace.callLine(f.pos, "")
		}
		if f.line > 0 {
			called = f.line
		}
		mark := line
		if fn := in.trace.funcAt(line/lower.LineBase, line%lower.LineBase); i == 0 && called > 0 && fn != "" && fn != f.pos.Func {
			mark = f.pos.Cell*lower.LineBase + called // the last mark is of a function that has returned
		}
		switch {
		case f.skipped > 0:
			list = append(list, fmt.Sprintf("... %d frames left out ...", f.skipped))
		case i == 0 && f.callee == "init" && top > 0 && in.trace.funcAt(line/lower.LineBase, line%lower.LineBase) != "":
			// The last mark is of a function that the statement called and that
			// has returned.
			add(top/lower.LineBase, top%lower.LineBase, "")
		case i == 0 && line > 0 && f.library && f.callee == "init" && top > 0:
			add(line/lower.LineBase, line%lower.LineBase, "")
			add(top/lower.LineBase, top%lower.LineBase, "")
		case i == 0 && line > 0:
			add(mark/lower.LineBase, mark%lower.LineBase, f.pos.Func)
		case called > 0:
			add(f.pos.Cell, called, f.pos.Func)
		case f.callee == "init" && top > 0:
			add(top/lower.LineBase, top%lower.LineBase, "")
		case f.pos.Cell > 0 && f.pos.Line > 0:
			add(f.pos.Cell, f.pos.Line, f.pos.Func)
		}
	}
	if len(stack) == 0 && line > 0 {
		add(line/lower.LineBase, line%lower.LineBase, "")
	}
	if len(list) > 40 {
		list = append(append(list[:20:20], fmt.Sprintf("... %d frames left out ...", len(list)-40)), list[len(list)-20:]...)
	}
	return list
}
