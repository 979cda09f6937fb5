package interp

import (
	"context"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"gopherlo/internal/cellscript"
	"gopherlo/kernel/language"
)

// scriptSession runs the cells of a script.
type scriptSession struct {
	in *Interp
	n  int
}

func startScript(t *testing.T) cellscript.Session {
	in := New(Options{})
	t.Cleanup(in.rt.Close)
	return &scriptSession{in: in}
}

var (
	mistakeRE = regexp.MustCompile(`^cell (\d+), line (\d+):(\d+): ((?s).*)`)
	frameRE   = regexp.MustCompile(`^cell \d+, line (\d+)$`)
)

func (s *scriptSession) Run(code string) cellscript.Result { return s.RunUntil(code, "") }

// watcher is a host that interrupts when a text is printed.
type watcher struct {
	recorder
	until  string
	cancel func()
}

func (w *watcher) Stream(name, text string) {
	w.recorder.Stream(name, text)
	if w.until != "" && strings.Contains(text, w.until) {
		w.cancel()
	}
}

func (s *scriptSession) RunUntil(code, printed string) cellscript.Result {
	s.n++
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	host := &watcher{until: printed, cancel: cancel}
	res := s.in.Execute(ctx, language.Request{Code: code, Count: s.n}, host)
	out := cellscript.Result{Stdout: host.stdout.String(), Stderr: host.stderr.String()}
	if res.Value != nil {
		out.Value, _ = res.Value["text/plain"].(string)
	}
	if res.Error == nil {
		return out
	}
	for _, line := range res.Error.Traceback[1:] {
		if m := mistakeRE.FindStringSubmatch(line); m != nil {
			n, _ := strconv.Atoi(m[2])
			col, _ := strconv.Atoi(m[3])
			out.Mistakes = append(out.Mistakes, cellscript.Mistake{Line: n, Col: col, Text: m[4]})
		}
	}
	if len(out.Mistakes) == 0 { // a panic: the line of the cell's own statement
		m := cellscript.Mistake{Text: res.Error.Name + ": " + res.Error.Value}
		for _, line := range res.Error.Traceback {
			if f := frameRE.FindStringSubmatch(strings.SplitN(line, "\n", 2)[0]); f != nil {
				m.Line, _ = strconv.Atoi(f[1])
			}
		}
		if raceEnabled {
			m.Line = 0 // not known then
		}
		out.Mistakes = []cellscript.Mistake{m}
	}
	return out
}

// TestScripts runs the sessions of testdata/scripts: what a redefinition, a
// failed, half-run or interrupted cell leaves.
func TestScripts(t *testing.T) { cellscript.Run(t, "testdata/scripts/*.txt", startScript) }
