package interp

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"strings"
	"time"

	"gopherlo/cells"
	"gopherlo/interp/cell"
	"gopherlo/kernel/language"
)

func (r *cellRun) time(m cell.Magic) (language.Bundle, error) {
	if m.Args == "" {
		return nil, usagef("%%time takes a statement: %%time f(x)")
	}
	start := time.Now()
	v, err := r.goValue(m, r.inPlace(m, m.Args))
	if err == nil {
		r.host.Stream("stdout", "Wall time: "+cells.Duration(time.Since(start))+"\n")
	}
	return v, err
}

// inPlace moves the Go text in a magic's line to where it stands there, so that
// mistakes are told at their columns.
func (r *cellRun) inPlace(m cell.Magic, text string) string {
	lines := strings.Split(r.req.Code, "\n")
	if m.Line > len(lines) {
		return text
	}
	if i := strings.Index(lines[m.Line-1], text); i > 0 {
		return strings.Repeat(" ", i) + text
	}
	return text
}

func (r *cellRun) timeitLine(m cell.Magic) (language.Bundle, error) {
	timing, code, err := cells.ParseTiming(m.Args)
	if err == nil && foreignOption.MatchString(code) {
		err = fmt.Errorf("its options are -n LOOPS and -r RUNS, not %s", strings.Fields(code)[0])
	}
	if err != nil {
		return nil, usagef("%%timeit: %v", err)
	}
	if strings.TrimSpace(code) == "" {
		return nil, usagef("%%timeit takes a statement: %%timeit f(x)")
	}
	at := cell.Moved{Line: m.Line, Col: 1 + len(r.inPlace(m, code)) - len(code)}
	return nil, r.timeit(timing, code, &at)
}

// foreignOption matches an option before what cannot be its operand in Go.
var foreignOption = regexp.MustCompile(`^-[A-Za-z]+\s+[\pL_]`)

// timeit runs code often and reports its time as IPython does: rounds of so
// many loops that a round takes a fifth of a second. Code of one line may stand
// at another place than at the start of the text.
func (r *cellRun) timeit(timing cells.Timing, code string, at *cell.Moved) error {
	use := ""
	if e, err := parser.ParseExpr(code); err == nil {
		if _, ok := e.(*ast.CallExpr); !ok {
			use = "_ = "
		}
	}
	run := func(head, code, tail string) error {
		if at != nil {
			first, more, _ := strings.Cut(code, "\n")
			from, beside := len(head), len(head)
			if more == "" {
				beside = len(head + code + tail)
			}
			r.moved = []cell.Moved{{From: 0, To: beside, Line: at.Line, Col: 1}, {From: from, To: from + len(first), Line: at.Line, Col: at.Col}}
			defer func() { r.moved = nil }()
		}
		if res := r.golang(head + code + tail); res.Error != nil {
			return failedRun{res.Error}
		}
		return nil
	}
	text := strings.TrimLeft(code, "\n")
	lead, open := code[:len(code)-len(text)], "{\n"
	if at != nil {
		lead, open = strings.Repeat("\n", at.Line-1), "{ "
	}
	if _, err := parser.ParseFile(token.NewFileSet(), "", "package p\nfunc _() {\n"+use+code+"\n}", parser.SkipObjectResolution); err != nil {
		if err := run(lead, text, ""); err != nil { // with the mistakes that the code has alone
			return err
		}
	}
	if at == nil {
		lead = strings.TrimSuffix(lead, "\n") // the head of the loop has a line
	}
	// The loop runs in the cell, so that an interrupt ends it.
	loop := func(n int) (time.Duration, error) {
		head := lead + fmt.Sprintf("for range %d "+open, n) + use
		err := run(head, text, "\n}")
		return r.took, err
	}
	shown, err := timing.Measure(loop)
	if err != nil {
		return err
	}
	r.host.Stream("stdout", shown)
	return nil
}
