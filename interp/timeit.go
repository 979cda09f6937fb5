package interp

import (
	"fmt"
	"go/ast"
	"go/parser"
	"math"
	"strings"
	"time"

	"gopherlo/interp/cell"
	"gopherlo/kernel/language"
)

func (r *cellRun) time(m cell.Magic) (language.Bundle, error) {
	if m.Args == "" {
		return nil, usagef("%%time takes a statement")
	}
	start := time.Now()
	v, err := r.goValue(m, m.Args)
	r.host.Stream("stdout", "Wall time: "+duration(time.Since(start))+"\n")
	return v, err
}

func (r *cellRun) timeitLine(m cell.Magic) (language.Bundle, error) {
	return nil, r.timeit("", m.Args)
}

// timeit runs code often and reports its time as IPython does: rounds of so
// many loops that a round takes a fifth of a second.
func (r *cellRun) timeit(_, code string) error {
	if strings.TrimSpace(code) == "" {
		return usagef("%%timeit takes a statement")
	}
	if e, err := parser.ParseExpr(code); err == nil {
		if _, ok := e.(*ast.CallExpr); !ok {
			code = "_ = " + code
		}
	}
	// The loop runs in the cell, so that an interrupt ends it.
	loop := func(n int) (time.Duration, error) {
		start := time.Now()
		res := r.golang(fmt.Sprintf("for range %d {\n%s\n}", n, code))
		if res.Error != nil {
			return 0, failedRun{res.Error}
		}
		return time.Since(start), nil
	}
	first, err := loop(1)
	if err != nil {
		return err
	}
	n, took := 1, first
	for took < 200*time.Millisecond && n < 1e7 {
		if n > 1 || took < 20*time.Millisecond {
			n *= 10
		} else {
			n *= 2
		}
		if took, err = loop(n); err != nil {
			return err
		}
	}
	const rounds = 5
	var times [rounds]float64
	for i := range times {
		if took, err = loop(n); err != nil {
			return err
		}
		times[i] = float64(took) / float64(n)
	}
	mean, dev := stats(times[:])
	text := fmt.Sprintf("%s ± %s per loop (mean ± std. dev. of %d runs, %d loops each)\n",
		duration(time.Duration(mean)), duration(time.Duration(dev)), rounds, n)
	if float64(first) > 5*mean && first > time.Millisecond {
		text += "The first run took " + duration(first) + ": it may have compiled.\n"
	}
	r.host.Stream("stdout", text)
	return nil
}

func stats(xs []float64) (mean, dev float64) {
	for _, x := range xs {
		mean += x / float64(len(xs))
	}
	for _, x := range xs {
		dev += (x - mean) * (x - mean) / float64(len(xs))
	}
	return mean, math.Sqrt(dev)
}
