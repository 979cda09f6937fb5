package notebook

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gopherlo/kernel/language"
)

func TestRead(t *testing.T) {
	dir := t.TempDir()
	for _, test := range []struct{ name, file, text, wrong string }{
		{"missing", "missing.ipynb", "", "no such file"},
		{"no JSON", "a.ipynb", "hello", "not a notebook: malformed JSON at byte 1"},
		{"other JSON", "b.ipynb", `{"a": 1}`, `it has no "nbformat"`},
		{"old", "c.ipynb", `{"nbformat": 3, "worksheets": []}`, "nbformat 3 is not supported"},
		{"no cells", "d.ipynb", `{"nbformat": 4}`, `it has no "cells"`},
		{"Python", "e.ipynb", `{"nbformat": 4, "cells": [], "metadata": {"kernelspec": {"display_name": "Python 3", "language": "python"}}}`, `the kernel "Python 3"`},
		{"right", "f.ipynb", `{"nbformat": 4, "nbformat_minor": 5, "metadata": {"kernelspec": {"language": "go"}}, "cells": [
			{"cell_type": "markdown", "source": "text"},
			{"cell_type": "code", "source": ["a := 1\n", "a"], "metadata": {"tags": ["raises-exception"]}},
			{"cell_type": "code", "source": " \n"}]}`, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			file := filepath.Join(dir, test.file)
			if test.text != "" {
				if err := os.WriteFile(file, []byte(test.text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			nb, err := Read(file)
			if test.wrong != "" {
				if err == nil || !strings.Contains(err.Error(), test.wrong) || !strings.HasPrefix(err.Error(), file+": ") {
					t.Errorf("error %v, want %q", err, test.wrong)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			c := nb.Cells[1]
			if len(nb.Cells) != 3 || nb.Name != "f" || c.Source != "a := 1\na" || !c.MayFail() || nb.Cells[2].MayFail() {
				t.Errorf("%+v", nb)
			}
			if got := nb.Count(); got[0] != 0 || got[1] != 1 || got[2] != 0 {
				t.Errorf("numbers %v", got)
			}
		})
	}
}

func TestCells(t *testing.T) {
	nb := Cells("x", "a\n// %% title\n// %% second tags=[\"raises-exception\"]\nb\n")
	if len(nb.Cells) != 2 || nb.Cells[0].Source != "a\n" || nb.Cells[1].Source != "b\n" || !nb.Cells[1].MayFail() {
		t.Errorf("%+v", nb.Cells)
	}
}

// script is an interpreter whose cells say what they do.
type script struct {
	language.Interpreter
	cancel func()
}

func (s script) Execute(ctx context.Context, req language.Request, host language.Host) language.Result {
	failed := func(name string) language.Result {
		return language.Result{Status: "error", Error: &language.Error{Name: name, Traceback: []string{name + ": no", "cell 1, line 2"}}}
	}
	switch req.Code {
	case "fail":
		return failed("Error")
	case "stop":
		s.cancel()
		return failed("KeyboardInterrupt")
	case "ask":
		answer, err := host.Input(ctx, "name? ", false)
		if err != nil {
			answer = err.Error()
		}
		host.Stream("stdout", "<"+answer+">\n")
	case "show":
		host.Display(language.Bundle{"text/plain": "shown"}, nil, nil, false)
		host.Display(language.Bundle{"text/plain": "again"}, nil, nil, true)
		host.Stream("stderr", "warned\n")
	}
	return language.Result{Status: "ok", Value: language.Bundle{"text/plain": req.Code + "!"}}
}

func TestRun(t *testing.T) {
	for _, test := range []struct {
		name, cells string
		opts        Options
		status      int
		out, err    string
	}{
		{"values", "a\n// %%\nshow", Options{}, OK, "a!\nshown\nshow!\n", "warned\n"},
		{"no values", "a\n// %%\nb", Options{Silent: true}, OK, "", ""},
		{"error", "fail\n// %%\nb", Options{}, Failed, "", "Error: no\ncell 1, line 2\n"},
		{"expected", "// %% tags=[\"raises-exception\"]\nfail\n// %%\nb", Options{}, OK, "b!\n", "Error: no\ncell 1, line 2\n"},
		{"keep going", "fail\n// %%\nb", Options{KeepGoing: true}, Failed, "b!\n", "Error: no\ncell 1, line 2\n"},
		{"interrupt", "stop\n// %%\nb", Options{KeepGoing: true}, Interrupted, "", "KeyboardInterrupt: no\ncell 1, line 2\n"},
		{"input", "ask\n// %%\nask\n// %%\nask", Options{Silent: true}, OK, "name? <Ada>\nname? <Bob>\nname? <EOF>\n", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			nb := Cells("t", test.cells)
			for i := range nb.Cells {
				nb.Cells[i].Source = strings.TrimSpace(nb.Cells[i].Source)
			}
			var out, errOut strings.Builder
			c := NewConsole(strings.NewReader("Ada\nBob"), &out, &errOut)
			status := Run(ctx, nb, script{cancel: cancel}, c, test.opts)
			if status != test.status || out.String() != test.out || errOut.String() != test.err {
				t.Errorf("status %d, out %q, err %q; want %d, %q, %q", status, out.String(), errOut.String(), test.status, test.out, test.err)
			}
		})
	}
}
