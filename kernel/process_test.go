package kernel_test

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"gopherlo/internal/fakefrontend"
	"gopherlo/kernel"
	"gopherlo/kernel/transport"
)

// spawn runs a kernel as a process of its own.
func spawn(t *testing.T, env ...string) (*exec.Cmd, *transport.Connection) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "kernel.json")
	cmd := exec.Command(exe, "kernel", "-f", file)
	cmd.Env = append(os.Environ(), env...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if c, fresh, err := transport.LoadConnection(file); err == nil && !fresh {
			return cmd, c
		}
	}
	t.Fatal("the kernel wrote no connection file")
	return nil, nil
}

// marked lists the processes whose environment holds the mark.
func marked(t *testing.T, mark string) (pids []int) {
	t.Helper()
	dirs, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range dirs {
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(d)))
		if err != nil || pid == os.Getpid() {
			continue
		}
		if b, err := os.ReadFile(d); err == nil && strings.Contains(string(b), mark) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// TestNoOrphans kills the kernel while the worker is in native code and a
// child of a cell runs: after two seconds nothing is left.
func TestNoOrphans(t *testing.T) {
	mark := "ECHO_MARK=" + strconv.Itoa(os.Getpid()) + "-orphans"
	cmd, c := spawn(t, mark)
	f := fakefrontend.Connect(t, c)
	f.Run("child sleep 1000")
	f.Start("spin 1m")
	if n := len(marked(t, mark)); n < 3 {
		t.Fatalf("%d processes run, want kernel, worker and child", n)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	var left []int
	for end := time.Now().Add(2 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if left = marked(t, mark); len(left) == 0 {
			return
		}
	}
	t.Errorf("left behind: %v", left)
}

// TestChildrenEndWithWorker: a worker that dies takes its cells' children
// along, and a child that holds its descriptors does not delay the report.
func TestChildrenEndWithWorker(t *testing.T) {
	mark := "ECHO_MARK=" + strconv.Itoa(os.Getpid()) + "-children"
	k, c := start(t, func(o *kernel.Options) { o.Worker.Env = []string{mark} })
	f := fakefrontend.Connect(t, c)
	f.Run("child sleep 1000")
	id := f.Start("print before")
	f.Stream("stdout", "before\n", id)
	f.Finish(id, "ok")
	id = f.Start("print on\nspin 1m")
	f.Stream("stdout", "on\n", id)
	began := time.Now()
	if err := syscall.Kill(k.WorkerPID(), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	f.Error()
	f.Finish(id, "error")
	if d := time.Since(began); d > time.Second {
		t.Errorf("death reported after %v", d)
	}
	f.Run("let x 1")
	if n := len(marked(t, mark)); n != 1 {
		t.Errorf("%d processes run, want the fresh worker alone", n)
	}
}

// TestSignalToGroup: a SIGINT that reaches the worker does nothing to it.
func TestSignalToGroup(t *testing.T) {
	k, c := start(t, nil)
	f := fakefrontend.Connect(t, c)
	f.Run("let x 1")
	if err := syscall.Kill(k.WorkerPID(), syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	id := f.Start("get x")
	f.Text("execute_result", "1")
	f.Finish(id, "ok")
}

func TestMemoryLimit(t *testing.T) {
	_, c := start(t, func(o *kernel.Options) { o.Worker.MemoryLimit = 200 << 20 })
	f := fakefrontend.Connect(t, c)
	id := f.Start("eat 1000")
	if e := f.Error(); !strings.Contains(e.Value, "out of memory") || !strings.Contains(e.Value, "200 MB") {
		t.Errorf("error %+v", e)
	}
	f.Finish(id, "error")
	f.Run("let x 1")
}

// TestEnvAndDir: a fresh worker gets the variables and the directory of the
// one that died.
func TestEnvAndDir(t *testing.T) {
	_, f := connect(t)
	dir := t.TempDir()
	id := f.Start("cd " + dir)
	f.Text("execute_result", dir)
	f.Finish(id, "ok")
	f.Run("env ECHO_A=1")
	id = f.Start("exit 1")
	f.Error()
	f.Finish(id, "error")
	for code, want := range map[string]string{"cd": dir, "env ECHO_A": "1"} {
		id = f.Start(code)
		f.Text("execute_result", want)
		f.Finish(id, "ok")
	}
}

// TestWorkerCannotStart: the kernel answers and says why.
func TestWorkerCannotStart(t *testing.T) {
	for name, c := range map[string]struct {
		command []string
		want    string
	}{
		"no such program": {[]string{"/no/such/program"}, "no such file"},
		"ends at once":    {[]string{"/bin/sh", "-c", "exit 4"}, "exit status 4"},
	} {
		t.Run(name, func(t *testing.T) {
			_, conn := start(t, func(o *kernel.Options) { o.Worker.Command = c.command })
			f := fakefrontend.Connect(t, conn)
			for range 2 {
				id := f.Post(f.Shell, "execute_request", map[string]any{"code": "print x"})
				f.On(f.Shell, "execute_reply")
				text := ""
				for {
					m := f.Next(f.IOPub)
					text += string(m.Content)
					if m.Header.MsgType == "status" && m.ParentID() == id && strings.Contains(text, "idle") {
						break
					}
				}
				if !strings.Contains(text, c.want) {
					t.Errorf("outputs %s do not say %q", text, c.want)
				}
			}
		})
	}
}

func TestIdleTimeout(t *testing.T) {
	opts := options()
	opts.ConnectionFile = filepath.Join(t.TempDir(), "kernel.json")
	opts.IdleTimeout = 200 * time.Millisecond
	began := time.Now()
	if err := kernel.Run(t.Context(), opts); err != nil {
		t.Fatal(err)
	}
	if d := time.Since(began); d < 200*time.Millisecond || d > 5*time.Second {
		t.Errorf("ended after %v", d)
	}
}

// TestTwoKernels: the second kernel of one connection file says what is wrong.
func TestTwoKernels(t *testing.T) {
	var file string
	_, _ = start(t, func(o *kernel.Options) { file = o.ConnectionFile })
	opts := options()
	opts.ConnectionFile = file
	if k, err := kernel.Start(opts); err == nil || !strings.Contains(err.Error(), "another kernel") {
		if k != nil {
			k.Close()
		}
		t.Errorf("second kernel: %v", err)
	}
}

// TestLongSlowReader: a client that subscribes and never reads does not keep the
// others from their output, nor the kernel from ending the cell.
func TestLongSlowReader(t *testing.T) {
	long(t)
	_, c := start(t, nil)
	dead, err := fakefrontend.Dial("tcp", c.IP+":"+strconv.Itoa(c.IOPubPort), "SUB", "dead")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = dead.Close() }()
	if err := dead.Send([]byte{1}); err != nil {
		t.Fatal(err)
	}
	f := fakefrontend.Connect(t, c)
	before := rss(t)
	began := time.Now()
	id := f.Start("repeat 1000 big 1000000")
	displays := 0
	for {
		m := f.Next(f.IOPub)
		if m.Header.MsgType == "status" {
			break
		}
		displays++
	}
	f.Reply(id, "ok")
	if displays != 1000 || time.Since(began) > time.Minute {
		t.Errorf("%d of 1000 displays in %v", displays, time.Since(began))
	}
	if grown := rss(t) - before; grown > 250<<20 {
		t.Errorf("memory grew by %d MB", grown>>20)
	}
}

// TestKilledAnyTime kills the worker at random moments of a cell: each cell is
// answered once, whether it was hit or not, and the kernel goes on.
func TestKilledAnyTime(t *testing.T) {
	k, c := start(t, nil)
	f := fakefrontend.Connect(t, c)
	rounds := 60
	if testing.Short() {
		rounds = 15
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range rounds {
		pid, killed := k.WorkerPID(), make(chan struct{})
		wait := time.Duration(r.IntN(8000)) * time.Microsecond
		go func() {
			defer close(killed)
			time.Sleep(wait)
			if pid != 0 {
				_ = syscall.Kill(pid, syscall.SIGKILL)
			}
		}()
		id := f.Post(f.Shell, "execute_request", map[string]any{"code": "repeat 300 print line #\nbig 100000\nvalue x", "stop_on_error": false})
		for {
			m := f.Next(f.IOPub)
			if m.Header.MsgType == "status" && m.ParentID() == id && strings.Contains(string(m.Content), "idle") {
				break
			}
		}
		if m := f.On(f.Shell, "execute_reply"); m.ParentID() != id {
			t.Fatalf("reply to %s, want %s", m.ParentID(), id)
		}
		<-killed
		for end := time.Now().Add(20 * time.Second); pid != 0 && k.WorkerPID() == pid && time.Now().Before(end); {
			time.Sleep(time.Millisecond)
		}
	}
	// A worker that was hit between cells is told about, maybe after this cell's busy.
	id := f.Post(f.Shell, "execute_request", map[string]any{"code": "let x 1"})
	for idle := false; !idle; {
		switch m := f.Next(f.IOPub); m.Header.MsgType {
		case "stream":
		case "status":
			idle = m.ParentID() == id && strings.Contains(string(m.Content), "idle")
		case "error":
			t.Errorf("the last cell's error is %s", m.Content)
		}
	}
	f.Reply(id, "ok")
}

// TestCareful: a worker that dies at its start is followed by one that is told
// to leave out what can wait.
func TestCareful(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	_, conn := start(t, func(o *kernel.Options) {
		o.Worker.Command = []string{"/bin/sh", "-c", `[ "$CAREFUL" ] || kill -SEGV $$; exec "$0" worker`, exe}
		o.Worker.Careful = []string{"CAREFUL=1"}
	})
	time.Sleep(100 * time.Millisecond)
	f := fakefrontend.Connect(t, conn)
	for range 2 {
		f.Run("let x 1")
	}
}
