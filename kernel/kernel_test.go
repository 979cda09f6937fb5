package kernel_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"gopherlo/internal/fakefrontend"
	"gopherlo/kernel"
	"gopherlo/kernel/wire"
)

func TestExecute(t *testing.T) {
	_, f := connect(t)
	id := f.Start("print one\nprint two\neprint three\ndisplay four\nprint five\nvalue six")
	f.Stream("stdout", "one\ntwo\n", id)
	f.Stream("stderr", "three\n", id)
	f.Text("display_data", "four")
	f.Stream("stdout", "five\n", id)
	f.Text("execute_result", "six")
	if r := f.Finish(id, "ok"); r.ExecutionCount != 1 {
		t.Errorf("execution count %d, want 1", r.ExecutionCount)
	}
}

func TestError(t *testing.T) {
	_, f := connect(t)
	id := f.Start("print before\nerror no good")
	f.Stream("stdout", "before\n", id)
	if e := f.Error(); e.Name != "EchoError" || e.Value != "no good" || len(e.Traceback) == 0 {
		t.Errorf("error %+v", e)
	}
	if r := f.Finish(id, "error"); r.Name != "EchoError" || r.Value != "no good" {
		t.Errorf("reply %+v", r)
	}
	f.Run("let x 1")
}

// TestAbort sends five cells at once; those behind the failed one do not run.
func TestAbort(t *testing.T) {
	_, f := connect(t)
	file, open := gate(t)
	var ids []string
	for _, code := range []string{"let x 1", "await " + file + "\nerror stop", "print never", "print never"} {
		ids = append(ids, f.Post(f.Shell, "execute_request", map[string]any{"code": code}))
	}
	f.Busy(ids[0])
	f.Expect("execute_input")
	f.Finish(ids[0], "ok")
	f.Busy(ids[1])
	f.Expect("execute_input")
	// The shell takes requests in turn: once it answers, it has all cells.
	f.Ask(f.Shell, "kernel_info_request", struct{}{}, &wire.KernelInfoReply{})
	f.Busy(ids[1])
	open()
	f.Error()
	f.Finish(ids[1], "error")
	for _, id := range ids[2:] {
		f.Busy(id)
		f.Finish(id, "aborted")
	}
	f.Run("let y 1")
}

func TestNoAbort(t *testing.T) {
	_, f := connect(t)
	a := f.Post(f.Shell, "execute_request", map[string]any{"code": "error stop", "stop_on_error": false})
	b := f.Post(f.Shell, "execute_request", map[string]any{"code": "print on"})
	f.Busy(a)
	f.Expect("execute_input")
	f.Error()
	f.Finish(a, "error")
	f.Busy(b)
	f.Expect("execute_input")
	f.Stream("stdout", "on\n", b)
	f.Finish(b, "ok")
}

func TestSilent(t *testing.T) {
	_, f := connect(t)
	id := f.Post(f.Shell, "execute_request", map[string]any{"code": "print x\nvalue y", "silent": true, "user_expressions": map[string]string{"a": "b"}})
	f.Busy(id)
	r := f.Finish(id, "ok")
	if !strings.Contains(string(r.UserExpressions["a"]), `"text/plain":"b"`) {
		t.Errorf("user expressions %s", r.UserExpressions)
	}
	id = f.Start("let x 1")
	if r := f.Finish(id, "ok"); r.ExecutionCount != 1 {
		t.Errorf("count after a silent cell is %d, want 1", r.ExecutionCount)
	}
}

func TestKernelInfo(t *testing.T) {
	_, f := connect(t)
	for _, c := range []*fakefrontend.Conn{f.Shell, f.Control} {
		var r wire.KernelInfoReply
		f.Ask(c, "kernel_info_request", struct{}{}, &r)
		if r.Status != "ok" || r.ProtocolVersion != "5.5" || r.LanguageInfo.Name != "echo" || r.SupportedFeatures == nil {
			t.Errorf("kernel info %+v", r)
		}
	}
}

func TestIsComplete(t *testing.T) {
	_, f := connect(t)
	for code, want := range map[string]string{"a": "complete", "a\\": "incomplete", ")": "invalid"} {
		var r wire.IsCompleteReply
		f.Ask(f.Shell, "is_complete_request", map[string]any{"code": code}, &r)
		if r.Status != want {
			t.Errorf("%q is %s, want %s", code, r.Status, want)
		}
	}
}

func TestComplete(t *testing.T) {
	_, f := connect(t)
	var r wire.CompleteReply
	f.Ask(f.Shell, "complete_request", map[string]any{"code": "é pri", "cursor_pos": 5}, &r)
	if len(r.Matches) != 1 || r.Matches[0] != "print" || r.CursorStart != 2 || r.CursorEnd != 5 {
		t.Errorf("completion %+v", r)
	}
	if _, ok := r.Metadata["_jupyter_types_experimental"]; !ok {
		t.Error("completion without types")
	}
	r = wire.CompleteReply{}
	f.Ask(f.Shell, "complete_request", map[string]any{"code": "zzz", "cursor_pos": 99}, &r)
	if r.Status != "ok" || r.Matches == nil || len(r.Matches) != 0 {
		t.Errorf("completion of nothing %+v", r)
	}
}

func TestInspect(t *testing.T) {
	_, f := connect(t)
	var r wire.InspectReply
	f.Ask(f.Shell, "inspect_request", map[string]any{"code": "print x", "cursor_pos": 2}, &r)
	if !r.Found || r.Data["text/plain"] != "command print" {
		t.Errorf("inspection %+v", r)
	}
	r = wire.InspectReply{}
	f.Ask(f.Shell, "inspect_request", map[string]any{"code": "zzz", "cursor_pos": 2}, &r)
	if r.Found || r.Status != "ok" || r.Data == nil {
		t.Errorf("inspection of nothing %+v", r)
	}
}

// TestBusyAgain completes while a cell runs: front ends must not think that
// the cell has ended.
func TestBusyAgain(t *testing.T) {
	_, f := connect(t)
	file, open := gate(t)
	id := f.Start("await " + file)
	var r wire.CompleteReply
	ask := f.Post(f.Shell, "complete_request", map[string]any{"code": "pri", "cursor_pos": 3})
	f.Busy(ask)
	fakefrontend.Content(t, f.On(f.Shell, "complete_reply"), &r)
	f.Idle(ask)
	f.Busy(id)
	open()
	f.Finish(id, "ok")
	if len(r.Matches) != 1 {
		t.Errorf("completion beside a cell %+v", r)
	}
}

func TestInput(t *testing.T) {
	_, f := connect(t)
	f.Answer("stray") // nobody asked: dropped
	id := f.Start("print q\ninput name?\npassword secret?")
	f.Stream("stdout", "q\n", id)
	for _, want := range []wire.InputRequest{{Prompt: "name?"}, {Prompt: "secret?", Password: true}} {
		m := f.On(f.Stdin, "input_request")
		var c wire.InputRequest
		fakefrontend.Content(t, m, &c)
		if c != want || m.ParentID() != id {
			t.Errorf("input request %+v on %s", c, m.ParentID())
		}
		f.Answer("Bob")
		if !want.Password {
			f.Stream("stdout", "got Bob\n", id)
		}
	}
	f.Stream("stdout", "got Bob\n", id)
	f.Finish(id, "ok")
}

func TestNoStdin(t *testing.T) {
	_, f := connect(t)
	id := f.Post(f.Shell, "execute_request", map[string]any{"code": "input x", "allow_stdin": false})
	f.Busy(id)
	f.Expect("execute_input")
	if e := f.Error(); e.Name != "StdinNotImplementedError" {
		t.Errorf("error %+v", e)
	}
	f.Finish(id, "error")
}

func TestInterruptInput(t *testing.T) {
	_, f := connect(t)
	id := f.Start("input name?")
	f.On(f.Stdin, "input_request")
	if name := interruptToEnd(t, f, id); name != "KeyboardInterrupt" {
		t.Errorf("error %s", name)
	}
	f.Reply(id, "error")
	f.Answer("late") // dropped
	f.Run("let x 1")
}

// interrupt sends an interrupt_request while the cell runs and reads its reply
// and status messages.
func interrupt(f *fakefrontend.Frontend, cell string) {
	interrupted(f, f.Post(f.Control, "interrupt_request", struct{}{}), cell)
}

// interrupted reads what answers an interrupt_request.
func interrupted(f *fakefrontend.Frontend, ask, cell string) {
	f.Busy(ask)
	f.On(f.Control, "interrupt_reply")
	f.Idle(ask)
	f.Busy(cell)
}

// interruptToEnd interrupts a cell and reads to its end; it gives the name of
// the error. The cell may end before or after the status of the interrupt
// request, so iopub is read without regard to order.
func interruptToEnd(t *testing.T, f *fakefrontend.Frontend, cell string) (name string) {
	ask := f.Post(f.Control, "interrupt_request", struct{}{})
	f.On(f.Control, "interrupt_reply")
	idle := map[string]bool{}
	for !idle[cell] || !idle[ask] {
		m := f.Next(f.IOPub)
		switch m.Header.MsgType {
		case "status":
			idle[m.ParentID()] = strings.Contains(string(m.Content), "idle")
		case "error":
			var e wire.ErrorContent
			fakefrontend.Content(t, m, &e)
			name = e.Name
		}
	}
	return name
}

// TestInterruptAtOnce interrupts cells as soon as they are seen to begin, when
// they may not have reached the worker, or while the worker still starts.
func TestInterruptAtOnce(t *testing.T) {
	_, f := connect(t)
	for range 30 {
		id := f.Start("sleep 1m")
		if name := interruptToEnd(t, f, id); name != "KeyboardInterrupt" {
			t.Fatalf("error %q", name)
		}
		f.Reply(id, "error")
	}
}

func TestInterruptKeepsState(t *testing.T) {
	_, f := connect(t)
	f.Run("let x 7")
	id := f.Start("let y 8\nprint on\nsleep 1m")
	f.Stream("stdout", "on\n", id)
	if name := interruptToEnd(t, f, id); name != "KeyboardInterrupt" {
		t.Errorf("interrupted cell shows %q", name)
	}
	f.Reply(id, "error")
	for v, want := range map[string]string{"x": "7", "y": "8"} {
		id := f.Start("get " + v)
		f.Text("execute_result", want)
		f.Finish(id, "ok")
	}
}

func TestInterruptIdle(t *testing.T) {
	_, f := connect(t)
	var r wire.ReplyStatus
	f.Ask(f.Control, "interrupt_request", struct{}{}, &r)
	if r.Status != "ok" {
		t.Errorf("reply %+v", r)
	}
	f.Run("let x 1")
}

// TestInterruptNative interrupts a cell that cannot stop.
func TestInterruptNative(t *testing.T) {
	_, f := connect(t)
	f.Run("grace 300ms")
	id := f.Start("spin 1m")
	interrupt(f, id)
	f.Stream("stderr", "in native code (echo spin); kill in 300ms, or interrupt again now; state will be lost\n", id)
	if e := f.Error(); e.Name != "KeyboardInterrupt" || !strings.Contains(strings.Join(e.Traceback, "\n"), "state of the session is lost") {
		t.Errorf("error %+v", e)
	}
	f.Finish(id, "error")
	f.Run("let x 1")
}

// TestInterruptTwice: two interrupts within a second are one, a later one kills.
func TestInterruptTwice(t *testing.T) {
	_, f := connect(t)
	id := f.Start("spin 1m")
	var asks []string
	for range 2 {
		asks = append(asks, f.Post(f.Control, "interrupt_request", struct{}{}))
	}
	for _, ask := range asks {
		interrupted(f, ask, id)
	}
	f.Stream("stderr", "in native code (echo spin); kill in 10s, or interrupt again now; state will be lost\n", id)
	began := time.Now()
	ask := f.Post(f.Control, "interrupt_request", struct{}{})
	f.On(f.Control, "interrupt_reply")
	seen := map[string]int{}
	for seen["idle "+id] == 0 || seen["idle "+ask] == 0 {
		m := f.Next(f.IOPub)
		if m.Header.MsgType == "status" && strings.Contains(string(m.Content), "idle") {
			seen["idle "+m.ParentID()]++
		}
		seen[m.Header.MsgType]++
	}
	f.Reply(id, "error")
	if seen["error"] != 1 || time.Since(began) > 5*second { // and not after the 10 s
		t.Errorf("second interrupt: %v after %v", seen, time.Since(began))
	}
	f.Run("let x 1")
}

func TestDeaths(t *testing.T) {
	for code, want := range map[string]string{
		"signal 9": "killed (signal 9)",
		"exit 3":   "exit status 3",
		"crash":    "panic: crash in a goroutine",
		"overflow": "stack overflow",
		"signal 6": "SIGABRT",
		"enative F0000 00:00:00 check.cc:1] Check failed: x\nexit 1": "a native check failed: F0000",
	} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			_, f := connect(t)
			f.Run("let x 1\nenv ECHO_KEPT=yes")
			id := f.Start(code)
			e := f.Error()
			if e.Name != "WorkerDied" || !strings.Contains(e.Value, want) {
				t.Errorf("error %q, want one with %q", e.Value, want)
			}
			f.Finish(id, "error")
			id = f.Start("get x")
			f.Error()
			f.Finish(id, "error")
			id = f.Start("env ECHO_KEPT")
			f.Text("execute_result", "yes")
			f.Finish(id, "ok")
		})
	}
}

// TestPlaceOfDeath: the report of a death says where the cell was.
func TestPlaceOfDeath(t *testing.T) {
	_, f := connect(t)
	for code, want := range map[string]string{
		"mark 7000003 7000003\ncrash":    "cell 7, line 3",
		"mark 7000009 2000003\nsignal 9": "cell 7, line 9; last seen at cell 2, line 3",
	} {
		id := f.Start(code)
		if e := f.Error(); len(e.Traceback) < 2 || e.Traceback[1] != want {
			t.Errorf("%s: %q", code, e.Traceback)
		}
		f.Finish(id, "error")
	}
}

// TestLastWords: the report of a death has what its cell wrote last, without what
// is noise and without what earlier cells wrote.
func TestLastWords(t *testing.T) {
	_, c := start(t, func(o *kernel.Options) {
		o.NativeFilter = func(_ string, line []byte) bool { return bytes.HasPrefix(line, []byte("noise")) }
	})
	f := fakefrontend.Connect(t, c)
	id := f.Start("enative long ago")
	f.Stream("stderr", "long ago\n", id)
	f.Finish(id, "ok")
	id = f.Start("enative noise\nenative the reason\nsignal 9")
	f.Stream("stderr", "the reason\n", id)
	e := f.Error()
	if got := strings.Join(e.Traceback[1:], "|"); !strings.HasPrefix(got, "the reason|The state") {
		t.Errorf("traceback %q", e.Traceback)
	}
	f.Finish(id, "error")
}

// TestOutputBetweenCells has a goroutine of a cell print when no cell runs.
func TestOutputBetweenCells(t *testing.T) {
	_, f := connect(t)
	file, open := gate(t)
	id := f.Start("late x at " + file)
	f.Finish(id, "ok")
	open()
	f.Stream("stdout", "x\n", id) // late output goes to the cell that started it
	id = f.Start("let x 1")
	f.Finish(id, "ok")
}

func TestLateOutput(t *testing.T) {
	_, f := connect(t)
	first, openFirst := gate(t)
	second, openSecond := gate(t)
	end, openEnd := gate(t)
	a := f.Start("late from a at " + first)
	f.Finish(a, "ok")
	b := f.Start("late from b at " + second)
	f.Finish(b, "ok")
	c := f.Start("await " + end)
	openFirst()
	f.Stream("stdout", "from a\n", a)
	openEnd()
	f.Finish(c, "ok")
	openSecond()
	f.Stream("stdout", "from b\n", b)
}

// TestOrder is the order test of the output paths: Go-level order is exact,
// native text comes before idle, and nothing comes after.
func TestOrder(t *testing.T) {
	rounds := 2000
	if testing.Short() {
		rounds = 200
	}
	_, f := connect(t)
	for range rounds {
		id := f.Start("print a\ndisplay b\nprint c\neprint d\nvalue e")
		f.Stream("stdout", "a\n", id)
		f.Text("display_data", "b")
		f.Stream("stdout", "c\n", id)
		f.Stream("stderr", "d\n", id)
		f.Text("execute_result", "e")
		f.Finish(id, "ok")
	}
}

// TestNativeOrder adds text of native code: all of it comes before idle. Its
// place among the outputs of the cell is not defined.
func TestNativeOrder(t *testing.T) {
	_, f := connect(t)
	for range 300 {
		id := f.Start("native n1\ndisplay b\nenative n2\nnative n3")
		text := map[string]string{}
		for {
			m := f.Next(f.IOPub)
			if m.Header.MsgType == "status" {
				break
			}
			if m.Header.MsgType == "stream" {
				var c wire.StreamContent
				fakefrontend.Content(t, m, &c)
				text[c.Name] += c.Text
			}
		}
		if text["stdout"] != "n1\nn3\n" || text["stderr"] != "n2\n" {
			t.Fatalf("native text before idle: %q", text)
		}
		f.Reply(id, "ok")
	}
}

func TestFlood(t *testing.T) {
	_, f := connect(t)
	id := f.Start("repeat 10000 print line #")
	began := time.Now()
	lines, messages := 0, 0
	for {
		m := f.Next(f.IOPub)
		if m.Header.MsgType == "status" {
			break
		}
		var c wire.StreamContent
		fakefrontend.Content(t, m, &c)
		lines += strings.Count(c.Text, "\n")
		messages++
	}
	f.Reply(id, "ok")
	// Text is gathered for 100 ms.
	if limit := 50 + int(time.Since(began)/(100*time.Millisecond)); lines != 10000 || messages > limit {
		t.Errorf("%d lines in %d messages before idle, at most %d are expected", lines, messages, limit)
	}
}

func TestBigDisplay(t *testing.T) {
	_, f := connect(t)
	id := f.Start("big 10000000\nprint after")
	f.Text("display_data", strings.Repeat("x", 10000000))
	f.Stream("stdout", "after\n", id)
	f.Finish(id, "ok")
}

func TestDisplayKinds(t *testing.T) {
	_, f := connect(t)
	id := f.Start("show d1 one\nupdate d1 two\nclear wait\npage help")
	f.Text("display_data", "one")
	f.Text("update_display_data", "two")
	if c := f.Expect("clear_output"); string(c.Content) != `{"wait":true}` {
		t.Errorf("clear_output %s", c.Content)
	}
	r := f.Finish(id, "ok")
	if len(r.Payload) != 1 || !strings.Contains(string(r.Payload[0]), `"source":"page"`) {
		t.Errorf("payload %s", r.Payload)
	}
}

func TestPanicInInterpreter(t *testing.T) {
	_, f := connect(t)
	id := f.Start("panic oh")
	if e := f.Error(); e.Name != "InternalError" {
		t.Errorf("error %+v", e)
	}
	f.Finish(id, "error")
	f.Run("let x 1")
}

func TestComm(t *testing.T) {
	_, f := connect(t)
	id := f.Start("comm c1 widget")
	if m := f.Expect("comm_open"); len(m.Buffers) != 1 || string(m.Metadata) != `{"version":"1"}` {
		t.Errorf("comm_open with buffers %v, metadata %s", m.Buffers, m.Metadata)
	}
	f.Finish(id, "ok")
	var r wire.CommInfoReply
	f.Ask(f.Shell, "comm_info_request", map[string]any{"target_name": "widget"}, &r)
	if len(r.Comms) != 1 || r.Comms["c1"].TargetName != "widget" {
		t.Errorf("comm info %+v", r)
	}
	r = wire.CommInfoReply{}
	f.Ask(f.Shell, "comm_info_request", map[string]any{"target_name": "other"}, &r)
	if len(r.Comms) != 0 {
		t.Errorf("comm info %+v", r)
	}
	open := f.Post(f.Shell, "comm_open", map[string]any{"comm_id": "c2", "target_name": "unknown", "data": map[string]any{}})
	f.Busy(open)
	f.Expect("comm_close")
	f.Idle(open)
	msg := f.Post(f.Shell, "comm_msg", map[string]any{"comm_id": "c1", "data": map[string]any{}})
	f.Busy(msg)
	f.Stream("stdout", "comm_msg with 0 buffers\n", msg)
	f.Idle(msg)
}

// TestCommBeside: messages of some comms do not wait for the running cell, and
// the kernel stays busy.
func TestCommBeside(t *testing.T) {
	_, f := connect(t)
	file, open := gate(t)
	cell := f.Start("print on\nawait " + file)
	f.Stream("stdout", "on\n", cell)
	for _, kind := range []string{"comm_open", "comm_msg"} {
		id := f.Post(f.Shell, kind, map[string]any{"comm_id": "c1", "target_name": "beside", "data": map[string]any{}})
		f.Busy(id)
		f.Stream("stdout", kind+" beside\n", id)
		f.Idle(id)
		f.Busy(cell)
	}
	open()
	f.Finish(cell, "ok")
}

func TestHistory(t *testing.T) {
	dir := t.TempDir()
	var items [][3]any
	for session := 1; session <= 2; session++ {
		k, c := start(t, func(o *kernel.Options) { o.HistoryDir = dir })
		f := fakefrontend.Connect(t, c)
		for _, code := range []string{"let a 1", "value v", "let a 1"} {
			id := f.Start(code)
			if code == "value v" {
				f.Text("execute_result", "v")
			}
			f.Finish(id, "ok")
		}
		ask := func(req map[string]any) [][3]any {
			var r wire.HistoryReply
			f.Ask(f.Shell, "history_request", req, &r)
			return r.History
		}
		if items = ask(map[string]any{"hist_access_type": "tail", "n": 4}); len(items) != min(4, 3*session) {
			t.Errorf("tail: %v", items)
		}
		if items = ask(map[string]any{"hist_access_type": "range", "session": 0, "start": 2, "stop": 3, "output": true}); len(items) != 1 {
			t.Errorf("range: %v", items)
		} else if pair := items[0][2].([]any); pair[0] != "value v" || pair[1] != "v" {
			t.Errorf("range with output: %v", items)
		}
		if items = ask(map[string]any{"hist_access_type": "search", "pattern": "let*", "unique": true, "n": 10}); len(items) != 1 || items[0][2] != "let a 1" {
			t.Errorf("search: %v", items)
		}
		k.Close()
	}
}

func TestShutdown(t *testing.T) {
	k, f := connect(t)
	id := f.Start("spin 1m")
	ask := f.Post(f.Control, "shutdown_request", map[string]any{"restart": true})
	f.Busy(ask)
	f.Expect("shutdown_reply")
	var r wire.ShutdownReply
	fakefrontend.Content(t, f.On(f.Control, "shutdown_reply"), &r)
	if !r.Restart || r.Status != "ok" {
		t.Errorf("reply %+v", r)
	}
	f.Idle(ask)
	f.Busy(id)
	select {
	case <-k.Stopped():
	case <-time.After(5 * second):
		t.Fatal("kernel goes on")
	}
	k.Close()
	f.Error()
	f.Finish(id, "error")
}

func TestHeartbeat(t *testing.T) {
	_, f := connect(t)
	if err := f.HB.Send(nil, []byte("ping")); err != nil {
		t.Fatal(err)
	}
	got, err := f.HB.Receive(5 * second)
	if err != nil || len(got) != 2 || string(got[1]) != "ping" {
		t.Errorf("heartbeat %q, %v", got, err)
	}
}

func TestDebugHonest(t *testing.T) {
	_, f := connect(t)
	var r wire.DebugReply
	f.Ask(f.Control, "debug_request", map[string]any{"seq": 3, "command": "attach", "type": "request"}, &r)
	if r.Success || r.RequestSeq != 3 || r.Message == "" {
		t.Errorf("debug reply %+v", r)
	}
}

func BenchmarkTrivialCell(b *testing.B) {
	_, f := connect(b)
	f.Run("let x 1")
	for b.Loop() {
		f.Run("let x 1")
	}
}

func BenchmarkKernelInfo(b *testing.B) {
	_, f := connect(b)
	for b.Loop() {
		var r wire.KernelInfoReply
		f.Ask(f.Shell, "kernel_info_request", struct{}{}, &r)
	}
}

func BenchmarkBigDisplay(b *testing.B) {
	_, f := connect(b)
	for b.Loop() {
		id := f.Start("big 10000000")
		f.Raw(f.IOPub) // the display
		f.Finish(id, "ok")
	}
}

func BenchmarkFlood(b *testing.B) {
	_, f := connect(b)
	for b.Loop() {
		id := f.Post(f.Shell, "execute_request", map[string]any{"code": "repeat 10000 print line #"})
		for {
			if m := f.Next(f.IOPub); m.Header.MsgType == "status" && strings.Contains(string(m.Content), "idle") {
				break
			}
		}
		f.Reply(id, "ok")
	}
}
