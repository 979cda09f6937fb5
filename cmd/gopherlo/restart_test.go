package main

import (
	"strings"
	"testing"
)

// TestRestart: a fresh worker takes the place of the old one, with the environment
// and without the values, which %replay brings back.
func TestRestart(t *testing.T) {
	k, f := startKernel(t)
	set := f.Start("%env RESTART_TEST=1")
	f.Stream("stdout", "env: RESTART_TEST=1\n", set)
	f.Finish(set, "ok")
	f.Run("n := 41")
	before := k.WorkerPID()
	id := f.Start("%restart")
	f.Expect("stream")
	f.Finish(id, "ok")
	if k.WorkerPID() == before {
		t.Error("the worker is the same")
	}
	id = f.Start("n")
	if e := f.Error(); !strings.Contains(e.Value, "undefined: n") {
		t.Errorf("error %+v", e)
	}
	f.Finish(id, "error")
	id = f.Start(`os.Getenv("RESTART_TEST")`)
	f.Text("execute_result", "1")
	f.Finish(id, "ok")
	id = f.Start("%replay")
	f.Expect("stream")
	f.Finish(id, "ok") // the %restart among its cells restarts nothing
	id = f.Start("n + 1")
	f.Text("execute_result", "42")
	f.Finish(id, "ok")
	id = f.Start("%restart now")
	if e := f.Error(); !strings.Contains(e.Value, "takes no arguments") {
		t.Errorf("error %+v", e)
	}
	f.Finish(id, "error")
}
