package export

import (
	"fmt"
	"go/ast"
	"go/parser"
	"strconv"
	"strings"

	"gopherlo/cells"
	"gopherlo/interp/cell"
	"gopherlo/interp/notebook"
)

// read splits a cell as the interpreter does: a magic for the whole cell, then
// Go code and magic lines in turn.
func (x *exporter) read(c *notebook.Cell, n int, before string) *exported {
	e := &exported{n: n, mayFail: c.MayFail(), before: before}
	text, options := c.Source, ""
	if strings.HasPrefix(strings.TrimSpace(text), "%%") {
		_, magics := cell.ExtractMagics(text)
		if len(magics) > 0 && magics[0].Cell {
			m := magics[0]
			text = strings.Repeat("\n", m.Line) + m.Body
			switch m.Name {
			case "xla":
				options = m.Args
			case "time":
				e.timed = true
			case "timeit":
				x.timeit(e, m, m.Args, m.Body, options)
				return e
			case "hlo", "stablehlo":
				x.module(e, m)
				return e
			default:
				x.unknown(e, m, "%%")
				return e
			}
		}
	}
	x.lines(e, text, options)
	if len(e.pieces) > 0 {
		e.pieces[len(e.pieces)-1].last = true
	}
	return e
}

// module adds the cell of a module of HLO or StableHLO.
func (x *exporter) module(e *exported, m cell.Magic) {
	code, err := x.opts.ModuleCode(m)
	if err != nil {
		if !e.mayFail {
			fail(e.n, "line %d: %v", m.Line, err)
		}
		e.pieces = append(e.pieces, &piece{line: m.Line, code: fmt.Sprintf("‹cells›.Raise(%q, %q)", "UsageError", err.Error())})
		return
	}
	x.golang(e, &piece{text: code, line: m.Line, last: true}, "")
}

// lines reads Go text with magic lines.
func (x *exporter) lines(e *exported, text, options string) {
	_, magics := cell.ExtractMagics(text)
	lines := strings.SplitAfter(text, "\n")
	next := 0
	for i := 0; i <= len(magics); i++ {
		end := len(lines)
		if i < len(magics) {
			end = magics[i].Line - 1
		}
		part := strings.Repeat("\n", next) + strings.Join(lines[next:end], "")
		if strings.TrimSpace(part) != "" && !x.golang(e, &piece{text: part, line: next + 1}, options) {
			return
		}
		if i == len(magics) {
			return
		}
		next = magics[i].Line
		if !x.magic(e, magics[i], i == len(magics)-1 && strings.TrimSpace(strings.Join(lines[next:], "")) == "", options) {
			return
		}
	}
}

// noMeaning are the magics that a program has no use for, and what they are.
var noMeaning = map[string]string{
	"who": "the list of the session's names", "help": "the list of magics", "interrupt": "the grace time of interrupts",
	"?": "a description of a name", "??": "a description of a name",
	"load": "the text of a file for the cell", "replay": "the replay of a lost session", "restart": "the restart of the worker", "checkpoint": "the checkpoint for a replay",
}

// magic adds what a magic line becomes. last tells that its value is the
// cell's.
func (x *exporter) magic(e *exported, m cell.Magic, last bool, options string) bool {
	q := strconv.Quote
	add := func(format string, args ...any) bool {
		e.pieces = append(e.pieces, &piece{line: m.Line, code: fmt.Sprintf(format, args...)})
		return true
	}
	at := strings.Repeat("\n", m.Line-1)
	comment := "// %" + strings.TrimSpace(m.Name+" "+m.Args)
	switch {
	case m.Name == "!":
		if text, ok := x.session.Negation(e.n, m.Args); ok {
			return x.golang(e, &piece{text: at + text, line: m.Line, last: last}, options)
		}
		return add("‹cells›.Shell(%s)", q(m.Args))
	case m.Name == "env":
		return x.env(m, last, add)
	case m.Name == "cd":
		add("‹cells›.Chdir(%s)", q(strings.Trim(m.Args, `"'`)))
		return !last || add("‹cells›.Getwd()")
	case m.Name == "pwd":
		return !last || add("‹cells›.Getwd()")
	case m.Name == "flags":
		return add("‹cells›.Flags(%s)", q(m.Args))
	case m.Name == "time" && m.Args != "":
		return x.golang(e, &piece{text: at + m.Args, line: m.Line, wrap: "Time"}, options)
	case m.Name == "timeit" && m.Args != "":
		return x.timeit(e, m, m.Args, "", options)
	case m.Name == "hlo":
		if text, ok := m.HLO(); ok {
			return x.golang(e, &piece{text: at + text, line: m.Line}, options)
		}
	case m.Name == "operators":
		x.session.Operators = m.Args != "off"
		return add("%s: operators are calls here", comment)
	case m.Name == "reset":
		return x.reset(strings.TrimSpace(strings.TrimPrefix(m.Args, "-f")), comment, add)
	case noMeaning[m.Name] != "":
		x.remark(fmt.Sprintf("cell %d: %%%s has no meaning in a program", e.n, m.Name))
		return add("%s: %s has no meaning in a program", comment, noMeaning[m.Name])
	}
	return x.unknown(e, m, "%")
}

func (x *exporter) env(m cell.Magic, last bool, add func(string, ...any) bool) bool {
	name, value, set := strings.Cut(m.Args, "=")
	if !set {
		name, value, set = strings.Cut(m.Args, " ")
	}
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	switch {
	case name == "":
		return add("‹cells›.Environ()")
	case !set:
		return !last || add("‹cells›.Getenv(%q)", name)
	}
	return add("‹cells›.Setenv(%q, %q)", name, value)
}

// reset forgets names of the session: later cells declare them anew.
func (x *exporter) reset(name, comment string, add func(string, ...any) bool) bool {
	switch {
	case name == "":
		for _, sym := range x.session.Names() {
			x.session.Forget(sym.Name)
		}
	case x.session.Forget(name):
	case name == "jit":
		return add("‹cells›.ResetJit()")
	case name == "out":
		x.session.ForgetValues()
	}
	return add("%s: later declarations are others", comment)
}

// timeit adds code that is run many times.
func (x *exporter) timeit(e *exported, m cell.Magic, args, body, options string) bool {
	timing, code, err := cells.ParseTiming(args)
	if err != nil {
		fail(e.n, "line %d: %%timeit: %v", m.Line, err)
	}
	if body != "" {
		code += "\n" + body
	}
	if expr, err := parser.ParseExpr(code); err == nil {
		if _, ok := expr.(*ast.CallExpr); !ok {
			code = "_ = " + code
		}
	}
	pad := strings.Repeat("\n", m.Line-1)
	return x.golang(e, &piece{text: pad + "for range 1 { " + code + "\n}", line: m.Line, wrap: "Timeit", timing: timing}, options)
}

// unknown is a magic that the interpreter does not know either.
func (x *exporter) unknown(e *exported, m cell.Magic, percent string) bool {
	if !e.mayFail {
		fail(e.n, "line %d: magic %s%s cannot be exported", m.Line, percent, m.Name)
	}
	e.pieces = append(e.pieces, &piece{line: m.Line, code: fmt.Sprintf("‹cells›.Raise(%q, %q)", "UsageError", "magic "+percent+m.Name+" not found")})
	return false
}
