package kernel_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"gopherlo/internal/fakefrontend"
	"gopherlo/kernel"
	"gopherlo/kernel/transport"
	"gopherlo/kernel/wire"
)

// pipesOf are the descriptors of the worker's pipes to the kernel: those that are
// out of the way of what cells close.
func pipesOf(t *testing.T, k *kernel.Kernel) (requests, messages int) {
	t.Helper()
	dir := fmt.Sprintf("/proc/%d/fd", k.WorkerPID())
	fds, err := os.ReadDir(dir)
	if err != nil {
		t.Skip("not run: no /proc")
	}
	var high []int
	for _, fd := range fds {
		if n, err := strconv.Atoi(fd.Name()); err == nil && n >= 512 {
			high = append(high, n)
		}
	}
	if len(high) != 2 {
		t.Skipf("not run: descriptors %v of the worker", high)
	}
	return min(high[0], high[1]), max(high[0], high[1])
}

// TestClosedDescriptors: cells close what is not theirs. The session survives it,
// and where it cannot, the next cell does.
func TestClosedDescriptors(t *testing.T) {
	k, c := start(t, nil)
	f := fakefrontend.Connect(t, c)
	f.Run("let x 1")
	requests, messages := pipesOf(t, k)
	for _, fd := range []int{0, 1, 2} {
		f.Run("close " + strconv.Itoa(fd))
		id := f.Start("print still\nget x")
		f.Stream("stdout", "still\n", id)
		f.Text("execute_result", "1")
		f.Finish(id, "ok")
	}
	for name, cell := range map[string]string{
		"messages": "close " + strconv.Itoa(messages),
		"requests": "close " + strconv.Itoa(requests) + "\nprint closed",
	} {
		began := time.Now()
		if name == "requests" {
			id := f.Start(cell)
			f.Stream("stdout", "closed\n", id)
			f.Finish(id, "ok")
			cell = "get x"
		}
		id := f.Start(cell)
		if e := f.Error(); !strings.Contains(e.Value, "closed the pipe") {
			t.Errorf("%s: error %+v", name, e)
		}
		f.Finish(id, "error")
		if d := time.Since(began); d > 10*time.Second {
			t.Errorf("%s: answered after %v", name, d)
		}
		f.Run("let x 1")
	}
}

// TestForgedFrames: cells write to the pipe by which the worker talks to the
// kernel.
func TestForgedFrames(t *testing.T) {
	k, c := start(t, nil)
	f := fakefrontend.Connect(t, c)
	f.Run("let x 1")
	_, messages := pipesOf(t, k)
	var cell strings.Builder
	for kind := range 256 {
		if kind >= 32 && kind <= 41 || kind == 42 { // outputs and questions are shown as they come
			continue
		}
		fmt.Fprintf(&cell, "frame %d %02x%030x\n", messages, kind, 0)
	}
	id := f.Start(cell.String()) // ready and done again, a restart, kinds that there are not
	f.Expect("stream")           // of the fresh worker that the restart asks for
	f.Finish(id, "ok")
	f.Run("let x 2") // the fresh worker is there
	_, messages = pipesOf(t, k)
	for name, digits := range map[string]string{
		"too long":  "3000000000ffffff0000000000000000",
		"no parts":  "25020000" + "02000000" + "0000000000000000" + "ffff",
		"a size":    "2804000000000000ffffffffffffffff",
		"text":      "474554202f20485454502f312e310d0a0d0a",
		"bad parts": "25020000" + "0c000000" + "0000000000000000" + "ffffff7f0000000000000000",
	} {
		id := f.Start(fmt.Sprintf("frame %d %s\nsleep 1m", messages, digits))
		if e := f.Error(); e.Name != "WorkerDied" || !strings.Contains(e.Value, "out of step") {
			t.Errorf("%s: error %+v", name, e)
		}
		f.Finish(id, "error")
		f.Run("let x 1")
		_, messages = pipesOf(t, k)
	}
}

// TestEnvOfDeath: variables of cells with which no worker starts are given up.
func TestEnvOfDeath(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	_, conn := start(t, func(o *kernel.Options) {
		o.Worker.Command = []string{"/bin/sh", "-c", `[ "$DEADLY" ] && exit 3; exec "$0" worker`, exe}
	})
	f := fakefrontend.Deaf(t, conn) // when the note about it comes is not said
	run := func(code string) string {
		f.Post(f.Shell, "execute_request", map[string]any{"code": code, "stop_on_error": false})
		return string(f.On(f.Shell, "execute_reply").Content)
	}
	for _, set := range []string{"env DEADLY=1", "env LONG=" + strings.Repeat("x", 1<<20)} {
		run(set)
		run("exit 1")
		reply := ""
		for range 3 {
			if reply = run("let x 1"); strings.Contains(reply, `"status":"ok"`) {
				break
			}
		}
		if !strings.Contains(reply, `"status":"ok"`) {
			t.Errorf("after %.20s no worker starts: %s", set, reply)
		}
	}
}

// TestOpenPorts: ports that a connection file leaves open are chosen and written
// to it, with what else it says.
func TestOpenPorts(t *testing.T) {
	file := filepath.Join(t.TempDir(), "k.json")
	text := `{"transport":"tcp","ip":"127.0.0.1","shell_port":0,"iopub_port":0,"key":"k","signature_scheme":"hmac-sha256","jupyter_session":"notebook.ipynb"}`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	_, c := start(t, func(o *kernel.Options) { o.ConnectionFile = file })
	if c.Chooses() || c.Key != "k" {
		t.Errorf("the file says %+v", c)
	}
	var all map[string]any
	if b, err := os.ReadFile(file); err != nil || json.Unmarshal(b, &all) != nil || all["jupyter_session"] != "notebook.ipynb" {
		t.Errorf("it says %v, %v", all, err)
	}
	if st, err := os.Stat(file); err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", st.Mode(), err)
	}
	fakefrontend.Connect(t, c).Run("let x 1")
}

// TestIPv6: all that is done over IPv4 works over IPv6.
func TestIPv6(t *testing.T) {
	opts := options()
	opts.ConnectionFile, opts.Address = filepath.Join(t.TempDir(), "k.json"), transport.Address{IP: "::1"}
	k, err := kernel.Start(opts)
	if err != nil {
		t.Skipf("not run: no IPv6: %v", err)
	}
	t.Cleanup(k.Close)
	c, _, err := transport.LoadConnection(opts.ConnectionFile)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"random bytes", "frame lengths", "reset", "malformed JSON"} {
		for _, fault := range faults {
			if fault.name == name {
				oneFault(t, c, fault.do)
			}
		}
	}
}

// TestStolenIdentity: a stranger who takes the identity of a client does not keep
// it from its input requests.
func TestStolenIdentity(t *testing.T) {
	_, c := start(t, nil)
	f := fakefrontend.Connect(t, c)
	for range 3 {
		thief, err := fakefrontend.Open(c, c.StdinPort, "DEALER", f.Identity())
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = thief.Close() }()
	}
	id := f.Start("input who")
	f.On(f.Stdin, "input_request")
	f.Answer("me")
	f.Stream("stdout", "got me\n", id)
	f.Finish(id, "ok")
}

// TestSignalsToWorker sends the worker each signal, between cells and within one.
func TestSignalsToWorker(t *testing.T) {
	k, c := start(t, nil)
	f := fakefrontend.Connect(t, c)
	for sig := 1; sig < 32; sig++ {
		switch syscall.Signal(sig) {
		case syscall.SIGSTOP, syscall.SIGTSTP, syscall.SIGTTIN, syscall.SIGTTOU:
			continue // see TestStoppedWorkerInterrupted
		}
		f.Run("let x 1")
		id := f.Post(f.Shell, "execute_request", map[string]any{"code": "print on\nsleep 100ms", "stop_on_error": false})
		text, sent := "", false
		for {
			m := f.Next(f.IOPub)
			if m.ParentID() == id {
				text += string(m.Content)
			}
			if !sent && strings.Contains(text, "on\\n") {
				sent = true
				_ = syscall.Kill(k.WorkerPID(), syscall.Signal(sig))
			}
			if m.Header.MsgType == "status" && m.ParentID() == id && strings.Contains(text, "idle") {
				break
			}
		}
		if m := f.On(f.Shell, "execute_reply"); m.ParentID() != id {
			t.Fatalf("reply to %s, want %s", m.ParentID(), id)
		}
	}
	f.Run("let x 1")
}

// TestEndedAnyTime ends kernels at random moments of their start, of a cell, of an
// interrupt and of a worker's replacement: each ends soon and leaves nothing.
func TestEndedAnyTime(t *testing.T) {
	k, _ := start(t, nil) // what is there once for all
	k.Close()
	goroutines, fds := runtime.NumGoroutine(), openFiles(t)
	r := rand.New(rand.NewPCG(3, 4))
	rounds := 40
	if testing.Short() {
		rounds = 10
	}
	for range rounds {
		k, c := start(t, func(o *kernel.Options) { o.Worker.Grace = 50 * time.Millisecond })
		x := &target{t: t, conn: c, codec: wire.NewCodec([]byte(c.Key))}
		shell, control := x.shell(), x.open(c.ControlPort, "DEALER")
		for _, code := range []string{"let x 1", "spin 1m", "input who"}[:r.IntN(4)] {
			_ = shell.Send(x.signed("execute_request", map[string]any{"code": code, "stop_on_error": false})...)
		}
		for range r.IntN(3) {
			time.Sleep(time.Duration(r.IntN(20)) * time.Millisecond)
			switch pid := k.WorkerPID(); r.IntN(3) {
			case 0:
				_ = control.Send(x.signed("interrupt_request", struct{}{})...)
			case 1:
				_ = control.Send(x.signed("create_subshell_request", struct{}{})...)
			default:
				if pid != 0 {
					_ = syscall.Kill(pid, syscall.SIGKILL)
				}
			}
		}
		_ = control.Send(x.signed("shutdown_request", map[string]any{"restart": r.IntN(2) == 0})...)
		select {
		case <-k.Stopped():
		case <-time.After(10 * time.Second):
			t.Error("the shutdown is not heard")
		}
		began := time.Now()
		k.Close()
		if d := time.Since(began); d > 5*time.Second {
			t.Errorf("ended after %v", d)
		}
		for _, c := range x.conns {
			_ = c.Close()
		}
	}
	nothingLeft(t, goroutines, fds)
}
