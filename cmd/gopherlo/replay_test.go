package main

import (
	"strings"
	"syscall"
	"testing"

	"gopherlo/internal/fakefrontend"
	"gopherlo/kernel"
)

// die kills the worker during a cell.
func die(t *testing.T, k *kernel.Kernel, f *fakefrontend.Frontend) string {
	t.Helper()
	id := f.Start("fmt.Println(\"on\")\ntime.Sleep(time.Minute)")
	f.Stream("stdout", "on\n", id)
	if err := syscall.Kill(k.WorkerPID(), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	e := f.Error()
	f.Finish(id, "error")
	return strings.Join(e.Traceback, "\n")
}

// TestAutoReplay: after the worker's death the cells before are run again
// before the next one, as long as that is wanted and works.
func TestAutoReplay(t *testing.T) {
	k, f := startKernel(t)
	f.Run("%replay auto on")
	f.Run("type P struct{ X, y int }\np := P{1, 2}")
	id := f.Start("p.X += 10\nfmt.Println(p.X)")
	f.Stream("stdout", "11\n", id)
	f.Finish(id, "ok")
	for range 2 {
		if trace := die(t, k, f); !strings.Contains(trace, "%replay auto is on") {
			t.Errorf("trace %s", trace)
		}
		id = f.Start("p.X + p.y")
		for text := ""; !strings.Contains(text, "replayed"); { // what it leaves out comes first
			text += string(f.Expect("stream").Content)
		}
		f.Text("execute_result", "13")
		f.Finish(id, "ok")
		id = f.Start("p.X + p.y") // not again
		f.Text("execute_result", "13")
		f.Finish(id, "ok")
	}
	// A cell that kills its worker when it is replayed ends the automatism.
	flag := t.TempDir() + "/flag"
	f.Run("![ -e " + flag + " ] && kill -9 $PPID; touch " + flag)
	die(t, k, f)
	id = f.Start("p.X")
	if text := f.Expect("stream"); !strings.Contains(string(text.Content), "not run again are 3 cells") {
		t.Errorf("%s", text.Content)
	}
	if e := f.Error(); !strings.Contains(e.Value, "signal 9") || strings.Contains(strings.Join(e.Traceback, "\n"), "auto is on") {
		t.Errorf("error %+v", e)
	}
	f.Finish(id, "error")
	id = f.Start("p.X")
	f.Error()
	f.Finish(id, "error")
}
