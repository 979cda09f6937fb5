package kernel_test

import (
	"os"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"gopherlo/internal/fakefrontend"
	"gopherlo/kernel"
	"gopherlo/kernel/transport"
)

// stopWorker stops the worker's process, as a debugger or a full machine may.
func stopWorker(t *testing.T, k *kernel.Kernel) (pid int) {
	t.Helper()
	pid = k.WorkerPID()
	if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Kill(pid, syscall.SIGCONT) })
	return pid
}

// TestStoppedWorkerInterrupted: a cell that fills the pipe to a stopped worker is
// interrupted as any other: after the grace time the worker is replaced.
func TestStoppedWorkerInterrupted(t *testing.T) {
	k, c := start(t, func(o *kernel.Options) { o.Worker.Grace = 300 * time.Millisecond })
	f := fakefrontend.Connect(t, c)
	f.Run("let x 1")
	stopWorker(t, k)
	id := f.Start("let x " + strings.Repeat("x", 4<<20))
	f.Ask(f.Control, "interrupt_request", struct{}{}, &struct{}{})
	f.Busy(id) // again, after the interrupt's idle
	m := f.Expect("stream")
	if !strings.Contains(string(m.Content), "kill in 300ms") {
		t.Errorf("it says %s", m.Content)
	}
	if e := f.Error(); e.Name != "KeyboardInterrupt" {
		t.Errorf("error %+v", e)
	}
	f.Finish(id, "error")
	f.Run("let x 1")
}

// TestQuestionsToStoppedWorker: requests that a stopped worker does not answer end
// by themselves, however many they are, and leave nothing behind.
func TestQuestionsToStoppedWorker(t *testing.T) {
	k, c := start(t, nil)
	f := fakefrontend.Deaf(t, c)
	f.Post(f.Shell, "execute_request", map[string]any{"code": "let x 1"})
	f.On(f.Shell, "execute_reply")
	before := runtime.NumGoroutine()
	pid := stopWorker(t, k)
	const n = 3000
	for range n {
		f.Post(f.Shell, "complete_request", map[string]any{"code": "pri" + strings.Repeat(" ", 1000), "cursor_pos": 3})
	}
	f.Post(f.Control, "kernel_info_request", struct{}{})
	f.On(f.Control, "kernel_info_reply")
	began := time.Now()
	for range n {
		f.On(f.Shell, "complete_reply")
	}
	if d := time.Since(began); d > 20*time.Second {
		t.Errorf("answered after %v", d)
	}
	_ = syscall.Kill(pid, syscall.SIGCONT)
	f.Post(f.Shell, "complete_request", map[string]any{"code": "pri", "cursor_pos": 3})
	if m := f.On(f.Shell, "complete_reply"); !strings.Contains(string(m.Content), "print") {
		t.Errorf("completion %s", m.Content)
	}
	for range 100 {
		if runtime.NumGoroutine() <= before+2 {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Errorf("%d goroutines, %d before", runtime.NumGoroutine(), before)
}

// TestShutdownDuringCell: the request is answered, and so is the cell that runs.
func TestShutdownDuringCell(t *testing.T) {
	k, c := start(t, nil)
	f := fakefrontend.Connect(t, c)
	id := f.Start("print on\nspin 1m")
	f.Stream("stdout", "on\n", id)
	pid := k.WorkerPID()
	f.Post(f.Control, "shutdown_request", map[string]any{"restart": false})
	f.On(f.Control, "shutdown_reply")
	go k.Close()
	f.On(f.Shell, "execute_reply")
	for range 100 {
		if syscall.Kill(pid, 0) != nil {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	if syscall.Kill(pid, 0) == nil {
		t.Error("the worker lives on")
	}
	for { // busy, error, idle, shutdown
		if _, err := f.IOPub.Receive(5 * time.Second); err != nil {
			break
		}
	}
}

// TestConnectionFileGone: a kernel that listens needs its connection file no more.
func TestConnectionFileGone(t *testing.T) {
	var file string
	_, c := start(t, func(o *kernel.Options) { file = o.ConnectionFile })
	f := fakefrontend.Connect(t, c)
	if err := os.WriteFile(file, []byte(`{"key":"other"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	f.Run("let x 1")
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	id := f.Start("get x")
	f.Text("execute_result", "1")
	f.Finish(id, "ok")
	if _, fresh, err := transport.LoadConnection(file); err != nil || !fresh {
		t.Errorf("the file is there again: %v", err)
	}
}

// TestInputOfAnother: only the client that was asked for a line can give it.
func TestInputOfAnother(t *testing.T) {
	_, c := start(t, nil)
	f := fakefrontend.Connect(t, c)
	id := f.Start("input who")
	f.On(f.Stdin, "input_request")
	other := fakefrontend.Deaf(t, c)
	for range 100 {
		other.Answer("the other")
	}
	time.Sleep(100 * time.Millisecond)
	f.Answer("me")
	f.Stream("stdout", "got me\n", id)
	f.Finish(id, "ok")
	f.Answer("again")
	f.Run("let x 1")
}
