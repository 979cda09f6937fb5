package interp

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"time"

	"gopherlo/cells"
	"gopherlo/interp/cell"
	"gopherlo/kernel/language"
)

func (r *cellRun) time(m cell.Magic) (language.Bundle, error) {
	if m.Args == "" {
		return nil, usagef("%%time takes a statement")
	}
	start := time.Now()
	v, err := r.goValue(m, m.Args)
	r.host.Stream("stdout", "Wall time: "+cells.Duration(time.Since(start))+"\n")
	return v, err
}

func (r *cellRun) timeitLine(m cell.Magic) (language.Bundle, error) {
	timing, code, err := cells.ParseTiming(m.Args)
	if err != nil {
		return nil, usagef("%%timeit: %v", err)
	}
	return nil, r.timeit(timing, code)
}

// timeit runs code often and reports its time as IPython does: rounds of so
// many loops that a round takes a fifth of a second.
func (r *cellRun) timeit(timing cells.Timing, code string) error {
	if strings.TrimSpace(code) == "" {
		return usagef("%%timeit takes a statement: %%timeit f(x)")
	}
	if e, err := parser.ParseExpr(code); err == nil {
		if _, ok := e.(*ast.CallExpr); !ok {
			code = "_ = " + code
		}
	}
	if _, err := parser.ParseFile(token.NewFileSet(), "", "package p\nfunc _() {\n"+code+"\n}", parser.SkipObjectResolution); err != nil {
		if res := r.golang(code); res.Error != nil { // with the places that the code has alone
			return failedRun{res.Error}
		}
	}
	// The loop runs in the cell, so that an interrupt ends it.
	loop := func(n int) (time.Duration, error) {
		res := r.golang(fmt.Sprintf("for range %d {\n%s\n}", n, code))
		if res.Error != nil {
			return 0, failedRun{res.Error}
		}
		return r.took, nil
	}
	text, err := timing.Measure(loop)
	if err != nil {
		return err
	}
	r.host.Stream("stdout", text)
	return nil
}
