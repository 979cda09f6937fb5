package main

import (
	"fmt"
	"os"
	"path/filepath"
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

// TestMain lets this test binary be the worker of the kernel under test, and
// the child of `gopherlo run`. It is
// not an init function: those hold the main thread, which costs each cell two
// switches of thread.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && (os.Args[1] == "worker" || os.Args[1] == "run" || os.Args[1] == "kernel") {
		os.Exit(run(os.Args[1:]))
	}
	os.Exit(m.Run())
}

// startKernel runs the real kernel, with its options as the command makes
// them, and connects a front end.
func startKernel(t testing.TB) (*kernel.Kernel, *fakefrontend.Frontend) {
	t.Helper()
	f := kernelFlags{file: filepath.Join(t.TempDir(), "kernel.json"), logLevel: "off", historyOff: true, grace: 2 * time.Second}
	opts, err := f.options()
	if err != nil {
		t.Fatal(err)
	}
	k, err := kernel.Start(opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(k.Close)
	c, _, err := transport.LoadConnection(f.file)
	if err != nil {
		t.Fatal(err)
	}
	return k, fakefrontend.Connect(t, c)
}

// TestOutputOrder: print, display, print, stderr, native text and result of Go cells keep
// the program's order, and nothing comes after idle.
func TestOutputOrder(t *testing.T) {
	rounds := 2000
	if testing.Short() {
		rounds = 100
	}
	if os.Getenv("GOPHERLO_LONG") != "" {
		rounds = 10_000
	}
	_, f := startKernel(t)
	f.Run("native := os.NewFile(1, \"native\");") // descriptor 1 is where native code prints
	for range rounds {
		id := f.Start("fmt.Println(\"a\")\ndisplay.Show(display.Markdown(\"b\"))\nfmt.Println(\"c\")\nfmt.Fprintln(os.Stderr, \"d\")\nnative.WriteString(\"e\\n\")\n1 + 2")
		if got := ordered(t, f, id); got != "stdout a\ndisplay_data b\nstdout c\nstderr d\nexecute_result 3\nnative 1" {
			t.Fatalf("order:\n%s", got)
		}
		f.Reply(id, "ok")
	}
}

// ordered reads a cell's messages up to idle and lists what Go code has shown,
// in order. Native text, lines with an e, may stand anywhere in it: it is
// counted.
func ordered(t *testing.T, f *fakefrontend.Frontend, id string) string {
	t.Helper()
	var list []string
	native := 0
	for {
		m := f.Next(f.IOPub)
		if m.ParentID() != id {
			t.Fatalf("%s on %s", m.Header.MsgType, m.ParentID())
		}
		switch m.Header.MsgType {
		case "status":
			return strings.Join(append(list, "native "+strconv.Itoa(native)), "\n")
		case "stream":
			var c wire.StreamContent
			fakefrontend.Content(t, m, &c)
			native += strings.Count(c.Text, "e\n")
			for line := range strings.Lines(strings.ReplaceAll(c.Text, "e\n", "")) {
				list = append(list, c.Name+" "+strings.TrimSuffix(line, "\n"))
			}
		default:
			var c struct {
				Data map[string]any `json:"data"`
			}
			fakefrontend.Content(t, m, &c)
			list = append(list, fmt.Sprintf("%s %v", m.Header.MsgType, c.Data["text/plain"]))
		}
	}
}

// TestWorkerKilled kills the worker during a cell: the cell says so, the next
// one runs.
func TestWorkerKilled(t *testing.T) {
	k, f := startKernel(t)
	id := f.Start("fmt.Println(\"on\")\ntime.Sleep(time.Minute)")
	f.Stream("stdout", "on\n", id)
	if err := syscall.Kill(k.WorkerPID(), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if e := f.Error(); e.Name != "WorkerDied" || !strings.Contains(e.Value, "signal 9") {
		t.Errorf("error %+v", e)
	}
	f.Finish(id, "error")
	id = f.Start("1 + 2")
	f.Text("execute_result", "3")
	f.Finish(id, "ok")
}

// TestInterruptGo interrupts a loop; values are kept.
func TestInterruptGo(t *testing.T) {
	k, f := startKernel(t)
	f.Run("x := 7")
	id := f.Start("fmt.Println(\"on\")\nfor {\n}")
	f.Stream("stdout", "on\n", id)
	k.Interrupt()
	if e := f.Error(); e.Name != "KeyboardInterrupt" {
		t.Errorf("error %+v", e)
	}
	f.Finish(id, "error")
	id = f.Start("x")
	f.Text("execute_result", "7")
	f.Finish(id, "ok")
}

// TestScan asks the user for a line.
func TestScan(t *testing.T) {
	_, f := startKernel(t)
	f.Run("var n int")
	id := f.Start("fmt.Print(\"n? \")\nfmt.Scan(&n);\nn + 1")
	f.Stream("stdout", "n? ", id)
	f.On(f.Stdin, "input_request")
	f.Answer("41")
	f.Text("execute_result", "42")
	f.Finish(id, "ok")
}

// BenchmarkCell is the round trip of a trivial Go cell.
func BenchmarkCell(b *testing.B) {
	_, f := startKernel(b)
	f.Run("x := 7")
	for b.Loop() {
		f.Run("x = 7")
	}
}

// BenchmarkLines is a cell that prints 10,000 lines.
func BenchmarkLines(b *testing.B) {
	_, f := startKernel(b)
	for b.Loop() {
		id := f.Start("for i := range 10000 {\n\tfmt.Println(\"line\", i)\n}")
		for lines := 0; lines < 10_000; {
			var c wire.StreamContent
			fakefrontend.Content(b, f.Expect("stream"), &c)
			lines += strings.Count(c.Text, "\n")
		}
		f.Finish(id, "ok")
	}
}

// TestFirstRequests is what editors and JupyterLab ask of a fresh kernel before its
// first cell: all is answered, nothing is shown, and the cell is still In[1].
func TestFirstRequests(t *testing.T) {
	_, f := startKernel(t)
	var status wire.ReplyStatus
	ask := func(c *fakefrontend.Conn, msgType string, content any) {
		t.Helper()
		if f.Ask(c, msgType, content, &status); status.Status != "ok" {
			t.Errorf("%s: %+v", msgType, status)
		}
	}
	silent := func(code string) {
		t.Helper()
		id := f.Post(f.Shell, "execute_request", map[string]any{
			"code": code, "silent": true, "store_history": false, "allow_stdin": false, "stop_on_error": false, "user_expressions": map[string]any{},
		})
		f.Busy(id)
		f.Finish(id, "ok")
	}
	ask(f.Shell, "kernel_info_request", struct{}{})
	ask(f.Shell, "kernel_info_request", struct{}{})
	ask(f.Control, "kernel_info_request", struct{}{})
	var debug struct {
		Success *bool `json:"success"`
	}
	f.Ask(f.Control, "debug_request", map[string]any{"seq": 1, "type": "request", "command": "debugInfo", "arguments": struct{}{}}, &debug)
	if debug.Success == nil || *debug.Success {
		t.Errorf("the debugger that there is not answers %+v", debug)
	}
	silent("")
	silent("\n")
	ask(f.Shell, "comm_info_request", map[string]any{"target_name": "jupyter.widget"})
	ask(f.Shell, "history_request", map[string]any{"output": false, "raw": true, "hist_access_type": "tail", "n": 500})
	ask(f.Shell, "complete_request", map[string]any{"code": "", "cursor_pos": 0})
	ask(f.Shell, "inspect_request", map[string]any{"code": "", "cursor_pos": 0, "detail_level": 0})
	ask(f.Control, "interrupt_request", struct{}{})
	id := f.Start("1 + 1")
	f.Text("execute_result", "2")
	if r := f.Finish(id, "ok"); r.ExecutionCount != 1 {
		t.Errorf("the first cell is In[%d]", r.ExecutionCount)
	}
}
