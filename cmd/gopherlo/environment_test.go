package main

import (
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"gopherlo/internal/fakefrontend"
	"gopherlo/kernel/transport"
	"gopherlo/kernel/wire"
)

// shelled runs a kernel as a shell script starts it: $0 is this program, $1 the
// connection file.
func shelled(t *testing.T, script string, env ...string) (*exec.Cmd, *transport.Connection) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "kernel.json")
	cmd := exec.Command("/bin/sh", "-c", script, exe, file)
	cmd.Dir = dir
	// What the kernel writes goes where XDG_DATA_HOME says, as for users.
	cmd.Env = append(append(os.Environ(), "GOPHERLO_DATA=", "XDG_DATA_HOME="+filepath.Join(dir, "data")), env...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if c, fresh, err := transport.LoadConnection(file); err == nil && !fresh {
			return cmd, c
		}
	}
	t.Fatal("the kernel wrote no connection file")
	return nil, nil
}

// TestEnvironments starts kernels where much is missing: each runs a cell.
func TestEnvironments(t *testing.T) {
	for _, c := range []struct {
		name, script string
		env          []string
	}{
		{"plain", `exec "$0" kernel -f "$1"`, nil},
		{"no home", `unset HOME XDG_DATA_HOME; exec "$0" kernel -f "$1"`, []string{"GOPHERLO_CACHE=off"}},
		{"home is a file", `exec "$0" kernel -f "$1"`, []string{"HOME=/etc/passwd", "XDG_DATA_HOME=/etc/passwd", "GOPHERLO_CACHE=off"}},
		{"no TMPDIR", `exec "$0" kernel -f "$1"`, []string{"TMPDIR=/nonexistent/x"}},
		{"folder deleted", `mkdir d; cd d; rmdir ../d; exec "$0" kernel -f "$1"`, nil},
		{"closed descriptors", `exec "$0" kernel -f "$1" <&- >&- 2>&-`, nil},
		{"full descriptors", `exec "$0" kernel -f "$1" >/dev/full 2>&1 --log-level debug`, nil},
		{"few descriptors", `ulimit -n 48; exec "$0" kernel -f "$1"`, nil},
		{"very few descriptors", `ulimit -n 32; exec "$0" kernel -f "$1"`, nil},
		{"home that cannot be written", `unset XDG_DATA_HOME; exec "$0" kernel -f "$1"`, []string{"HOME=/proc", "GOPHERLO_CACHE=off"}},
		{"full disk", `mkdir d; exec unshare -m /bin/sh -c 'mount -t tmpfs -o size=16k none d && dd if=/dev/zero of=d/x bs=4k 2>/dev/null
			export HOME=$PWD/d XDG_DATA_HOME=$PWD/d TMPDIR=$PWD/d; exec "$0" kernel -f "$1"' "$0" "$1"`, []string{"GOPHERLO_CACHE=off"}},
		{"deleted program", `cp "$0" ./copy; (while [ ! -s "$1" ]; do sleep 0.01; done; rm copy) & exec ./copy kernel -f "$1"`, nil},
		{"foreign history", `mkdir -p data/gopherlo/history; cd data/gopherlo/history; for i in $(seq 3000); do echo '{"n":1,"in":"x"}' >"$(printf %06d "$i").jsonl"; done
			head -c 3000000 /dev/urandom >003001.jsonl; ln -s /dev/zero 003002.jsonl; mkdir 003003.jsonl; mkfifo 003004.jsonl; cd ../../..; exec "$0" kernel -f "$1"`, nil},
		{"little address space", `ulimit -v 6000000; exec "$0" kernel -f "$1"`, nil},
		{"no file may grow", `trap "" XFSZ; ulimit -f 1; exec "$0" kernel -f "$1"`, nil},
		{"small stack", `ulimit -s 256; exec "$0" kernel -f "$1"`, nil},
		{"no PATH", `unset PATH; exec "$0" kernel -f "$1"`, nil},
		{"time zone", `exec "$0" kernel -f "$1"`, []string{"TZ=No/Where", "LC_ALL=xx_YY.bad"}},
		{"one processor", `exec "$0" kernel -f "$1"`, []string{"GOMAXPROCS=1", "GOGC=10"}},
		{"bad parent", `exec "$0" kernel -f "$1"`, []string{"JPY_PARENT_PID=-7"}},
		{"signals ignored", `trap "" INT TERM HUP PIPE CHLD QUIT; exec "$0" kernel -f "$1"`, nil},
		{"open umask", `umask 0; exec "$0" kernel -f "$1"`, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, conn := shelled(t, c.script, c.env...)
			f := fakefrontend.Connect(t, conn)
			id := f.Start("x := 1\nx + 2")
			f.Text("execute_result", "3")
			f.Finish(id, "ok")
			var reply wire.HistoryReply
			f.Ask(f.Shell, "history_request", map[string]any{"hist_access_type": "tail", "n": 5000}, &reply)
			if len(reply.History) == 0 {
				t.Error("there is no history")
			}
			if strings.Contains(c.name, "deleted") {
				return // the shell complains
			}
			id = f.Start("fmt.Println(\"out\")\n!echo shell")
			if shown := untilIdle(t, f, id); shown[id] != "out\nshell\n" {
				t.Errorf("it prints %q", shown[id])
			}
		})
	}
}

// TestStoppedWorker: while the worker is stopped the kernel answers, and the
// cell ends when it goes on.
func TestStoppedWorker(t *testing.T) {
	k, f := startKernel(t)
	f.Run("x := 7")
	id := f.Start("fmt.Println(\"on\")\nfor i := range 100 { time.Sleep(10*time.Millisecond); x += i*0 }\nx")
	f.Stream("stdout", "on\n", id)
	pid := k.WorkerPID()
	if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	time.Sleep(300 * time.Millisecond)
	info := f.Post(f.Control, "kernel_info_request", struct{}{})
	f.Busy(info)
	f.On(f.Control, "kernel_info_reply")
	f.Idle(info)
	f.Busy(id) // told again
	if err := syscall.Kill(pid, syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	f.Text("execute_result", "7")
	f.Finish(id, "ok")
	for _, s := range []syscall.Signal{syscall.SIGPIPE, syscall.SIGINT, syscall.SIGCHLD, syscall.SIGWINCH, syscall.SIGURG} {
		_ = syscall.Kill(pid, s)
	}
	id = f.Start("x")
	f.Text("execute_result", "7")
	f.Finish(id, "ok")
}

// TestHistoryTakenAway: the history's folder is replaced by a file, its file
// deleted; cells run on.
func TestHistoryTakenAway(t *testing.T) {
	dir := t.TempDir()
	_, conn := shelled(t, `exec "$0" kernel -f "$1"`, "XDG_DATA_HOME="+dir)
	f := fakefrontend.Connect(t, conn)
	f.Run("x := 1")
	files := 0
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			files++
			if info, err := d.Info(); err == nil && info.Mode().Perm()&0o077 != 0 {
				t.Errorf("%s has mode %v", path, info.Mode())
			}
		}
		return nil
	})
	if files == 0 {
		t.Error("no history was written")
	}
	if err := os.RemoveAll(filepath.Join(dir, "gopherlo")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "gopherlo"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		f.Run("x++")
	}
	id := f.Start("x")
	f.Text("execute_result", "4")
	f.Finish(id, "ok")
}

// TestBadConnectionFiles: each ends the command with one line that names the
// file, and soon.
func TestBadConnectionFiles(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	fifo := filepath.Join(dir, "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, file := range map[string]string{
		"a folder": dir, "a pipe": fifo, "endless": "/dev/zero", "in no folder": filepath.Join(dir, "none", "kernel.json"),
		"empty": write("a", ""), "no JSON": write("b", "{"), "a list": write("c", "[]"), "null": write("d", "null"),
		"ports of a wrong kind": write("e", `{"shell_port":"x","key":"k","ip":"127.0.0.1","transport":"tcp"}`),
		"ports too large":       write("f", `{"shell_port":70000,"iopub_port":1,"stdin_port":2,"control_port":3,"hb_port":4,"key":"k","ip":"127.0.0.1","transport":"tcp","signature_scheme":"hmac-sha256"}`),
		"negative ports":        write("g", `{"shell_port":-1,"iopub_port":-1,"stdin_port":-2,"control_port":-3,"hb_port":-4,"key":"k","ip":"127.0.0.1","transport":"tcp","signature_scheme":"hmac-sha256"}`),
		"no address":            write("h", `{"shell_port":0,"iopub_port":0,"stdin_port":0,"control_port":0,"hb_port":0,"key":"k","ip":"no such host","transport":"tcp","signature_scheme":"hmac-sha256"}`),
		"another scheme":        write("i", `{"shell_port":0,"iopub_port":0,"stdin_port":0,"control_port":0,"hb_port":0,"key":"k","ip":"127.0.0.1","transport":"tcp","signature_scheme":"hmac-md5"}`),
		"another transport":     write("j", `{"shell_port":0,"iopub_port":0,"stdin_port":0,"control_port":0,"hb_port":0,"key":"k","ip":"127.0.0.1","transport":"pgm","signature_scheme":"hmac-sha256"}`),
		"all addresses":         write("k", `{"shell_port":0,"iopub_port":0,"stdin_port":0,"control_port":0,"hb_port":0,"key":"k","ip":"0.0.0.0","transport":"tcp","signature_scheme":"hmac-sha256"}`),
		"no key":                write("l", `{"shell_port":0,"iopub_port":0,"stdin_port":0,"control_port":0,"hb_port":0,"key":"","ip":"127.0.0.1","transport":"tcp","signature_scheme":"hmac-sha256"}`),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command(exe, "kernel", "-f", file, "--no-history")
			timer := time.AfterFunc(10*time.Second, func() { _ = cmd.Process.Kill() })
			defer timer.Stop()
			out, err := cmd.CombinedOutput()
			if err == nil || cmd.ProcessState.ExitCode() <= 0 {
				t.Errorf("it ended with %v: %s", err, out)
			}
			if lines := strings.Count(strings.TrimSpace(string(out)), "\n"); lines > 1 || len(out) < 10 {
				t.Errorf("it says %q", out)
			}
			t.Logf("%s", out)
		})
	}
}

// TestConnectionsBeyondDescriptors: with more connections than the kernel may have
// descriptors, clients and new workers still find some.
func TestConnectionsBeyondDescriptors(t *testing.T) {
	_, conn := shelled(t, `ulimit -n 64; exec "$0" kernel -f "$1"`)
	first := fakefrontend.Connect(t, conn)
	first.Run("x := 1")
	_ = first.IOPub.Close() // it will not read what the others do
	for i := range 300 {
		port := []int{conn.ShellPort, conn.IOPubPort, conn.ControlPort, conn.HBPort, conn.StdinPort}[i%5]
		c, err := net.DialTimeout("tcp", net.JoinHostPort(conn.IP, strconv.Itoa(port)), time.Second)
		if err != nil {
			break
		}
		defer func() { _ = c.Close() }()
		_, _ = c.Write(append(fakefrontend.Greeting(), fakefrontend.Ready("DEALER", "")...))
	}
	late := fakefrontend.Connect(t, conn)
	id := late.Start("x")
	late.Text("execute_result", "1")
	late.Finish(id, "ok")
	id = late.Start("!kill -9 $PPID")
	if e := late.Error(); e.Name != "WorkerDied" {
		t.Errorf("error %+v", e)
	}
	late.Finish(id, "error")
	id = late.Start("1 + 1")
	late.Text("execute_result", "2")
	late.Finish(id, "ok")
}
