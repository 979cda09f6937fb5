package main

import (
	"fmt"
	"strings"
	"testing"

	"gopherlo/internal/fakefrontend"
	"gopherlo/kernel/wire"
)

// subshell makes a subshell.
func subshell(f *fakefrontend.Frontend) string {
	var made wire.CreateSubshellReply
	f.Ask(f.Control, "create_subshell_request", struct{}{}, &made)
	return made.SubshellID
}

// cell is the content of an execute_request.
func cell(code string) map[string]any { return map[string]any{"code": code} }

// untilIdle reads until all requests are done; it gives what each has printed
// and shown, in order.
func untilIdle(t *testing.T, f *fakefrontend.Frontend, ids ...string) map[string]string {
	t.Helper()
	shown := map[string]string{}
	left := map[string]bool{}
	for _, id := range ids {
		left[id] = true
	}
	for len(left) > 0 {
		m := f.Next(f.IOPub)
		switch m.Header.MsgType {
		case "stream":
			var c wire.StreamContent
			fakefrontend.Content(t, m, &c)
			shown[m.ParentID()] += c.Text
		case "execute_result":
			var c struct {
				Data map[string]string `json:"data"`
			}
			fakefrontend.Content(t, m, &c)
			shown[m.ParentID()] += c.Data["text/plain"]
		case "error":
			var c wire.ErrorContent
			fakefrontend.Content(t, m, &c)
			shown[m.ParentID()] += c.Name
		case "status":
			if strings.Contains(string(m.Content), "idle") {
				delete(left, m.ParentID())
			}
		}
	}
	for range ids {
		f.On(f.Shell, "execute_reply")
	}
	return shown
}

// TestSubshell runs cells of a subshell while one of the main shell computes.
func TestSubshell(t *testing.T) {
	k, f := startKernel(t)
	f.Run("stop, n := false, 0\nfunc sq(x int) int { return x * x }")
	side := subshell(f)
	main := f.Start("fmt.Println(\"on\")\nfor !stop { n++ }\n\"done\"")
	f.Stream("stdout", "on\n", main)
	first := f.PostTo(side, "execute_request", cell("y := sq(7)\ny"))
	if got := untilIdle(t, f, first); got[first] != "49" {
		t.Errorf("beside the loop: %q", got)
	}
	second := f.PostTo(side, "execute_request", cell("stop = true\ny + 1"))
	if got := untilIdle(t, f, second, main); got[second] != "50" || got[main] != "done" {
		t.Errorf("at the end: %q", got)
	}
	f.Skip(f.IOPub, "status") // busy of the main cell, told again

	// An interrupt ends all cells that run.
	main = f.Start("stop = false\nfmt.Println(\"on\")\nfor { n++ }")
	f.Stream("stdout", "on\n", main)
	first = f.PostTo(side, "execute_request", cell("fmt.Println(\"side\")\nfor !stop { }"))
	for m := f.Next(f.IOPub); m.Header.MsgType != "stream"; m = f.Next(f.IOPub) {
	}
	k.Interrupt()
	got := untilIdle(t, f, main, first)
	if got[main] != "KeyboardInterrupt" || got[first] != "KeyboardInterrupt" {
		t.Errorf("interrupted: %q", got)
	}
	f.Skip(f.IOPub, "status")
	f.Run("n = 0")
}

// TestLateOutput: three goroutines of three finished cells print to their own
// cells while a fourth cell and a subshell run.
func TestLateOutput(t *testing.T) {
	_, f := startKernel(t)
	side := subshell(f)
	f.Run("import \"sync\"\nvar late sync.WaitGroup")
	ids := make([]string, 5)
	for i, start := range []string{"late.Go(%s)", "late.Add(1)\nf := %s\ngo func() { f(); late.Done() }()", "late.Add(1)\nh := %s\ntime.AfterFunc(5*time.Millisecond, func() { h(); late.Done() })"} {
		body := fmt.Sprintf("func() { for range 50 { fmt.Println(\"text %d\"); time.Sleep(2*time.Millisecond) } }", i)
		ids[i] = f.Post(f.Shell, "execute_request", cell(fmt.Sprintf(start, body)+";"))
	}
	ids[3] = f.Post(f.Shell, "execute_request", cell("for range 50 { fmt.Println(\"text 3\"); time.Sleep(2*time.Millisecond) }\nlate.Wait()"))
	ids[4] = f.PostTo(side, "execute_request", cell("for range 50 { fmt.Println(\"text 4\"); time.Sleep(2*time.Millisecond) }"))
	shown := untilIdle(t, f, ids...)
	last := f.Post(f.Shell, "execute_request", cell("time.Sleep(200*time.Millisecond)"))
	for id, text := range untilIdle(t, f, last) {
		shown[id] += text
	}
	f.Skip(f.IOPub, "status")
	for i, id := range ids {
		if want := strings.Repeat(fmt.Sprintf("text %d\n", i), 50); shown[id] != want {
			t.Errorf("cell %d shows %q", i, shown[id])
		}
	}
}
