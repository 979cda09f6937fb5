package kernel_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"gopherlo/internal/fakefrontend"
	"gopherlo/kernel"
	"gopherlo/kernel/wire"
)

func TestSubshell(t *testing.T) {
	_, f := connect(t)
	var made wire.CreateSubshellReply
	f.Ask(f.Control, "create_subshell_request", struct{}{}, &made)
	var list wire.ListSubshellReply
	f.Ask(f.Control, "list_subshell_request", struct{}{}, &list)
	if made.SubshellID == "" || len(list.SubshellID) != 1 || list.SubshellID[0] != made.SubshellID {
		t.Fatalf("made %+v, listed %+v", made, list)
	}
	file, open := gate(t)
	main := f.Start("await " + file + "\nprint main")
	// The subshell's cell runs while the main shell's does, and the main
	// shell's status is told again after it.
	side := f.PostTo(made.SubshellID, "execute_request", map[string]any{"code": "print side\nlet x 1"})
	f.Busy(side)
	f.Expect("execute_input")
	f.Stream("stdout", "side\n", side)
	f.Finish(side, "ok")
	f.Busy(main)
	open()
	f.Stream("stdout", "main\n", main)
	f.Finish(main, "ok")

	var done wire.ReplyStatus
	f.Ask(f.Control, "delete_subshell_request", wire.DeleteSubshellRequest{SubshellID: made.SubshellID}, &done)
	if done.Status != "ok" {
		t.Errorf("delete: %+v", done)
	}
	gone := f.PostTo(made.SubshellID, "execute_request", map[string]any{"code": "print never"})
	f.Busy(gone)
	f.Finish(gone, "error")
	f.Ask(f.Control, "delete_subshell_request", wire.DeleteSubshellRequest{SubshellID: "none"}, &done)
	if done.Status != "error" {
		t.Errorf("delete of none: %+v", done)
	}
}

// TestNoSubshells: a kernel without them does not answer.
func TestNoSubshells(t *testing.T) {
	_, c := start(t, func(o *kernel.Options) { o.Subshells = false })
	f := fakefrontend.Connect(t, c)
	f.Post(f.Control, "create_subshell_request", struct{}{})
	f.Run("let x 1")
}

// TestDeathAnswersSubshells: a worker that dies answers every pending cell.
func TestDeathAnswersSubshells(t *testing.T) {
	_, f := connect(t)
	var made wire.CreateSubshellReply
	f.Ask(f.Control, "create_subshell_request", struct{}{}, &made)
	main := f.Start("print on\nspin 1m")
	f.Stream("stdout", "on\n", main)
	side := f.PostTo(made.SubshellID, "execute_request", map[string]any{"code": "exit 3"})
	errors, idle := map[string]int{}, map[string]bool{}
	for !idle[main] || !idle[side] {
		m := f.Next(f.IOPub)
		switch {
		case m.Header.MsgType == "error":
			errors[m.ParentID()]++
		case m.Header.MsgType == "status" && string(m.Content) == `{"execution_state":"idle"}`:
			idle[m.ParentID()] = true
		}
	}
	for range 2 {
		f.On(f.Shell, "execute_reply")
	}
	if errors[main] != 1 || errors[side] != 1 {
		t.Errorf("errors %v", errors)
	}
	drainStatus(f)
	f.Run("let x 1")
}

// drainStatus reads a busy of the other cell that may have come last.
func drainStatus(f *fakefrontend.Frontend) { f.Skip(f.IOPub, "status") }

// TestReplayAfterRestart: a kernel that is started again in the same place can
// replay what the one before ran; a session that was shut down is gone.
func TestReplayAfterRestart(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "session")
	run := func(restart bool, codes ...string) {
		k, conn := start(t, func(o *kernel.Options) { o.SessionDir = dir })
		f := fakefrontend.Connect(t, conn)
		for _, code := range codes {
			f.Run(code)
		}
		// Not stored: it is then no cell of the journal.
		id := f.Post(f.Shell, "execute_request", map[string]any{"code": "get b", "store_history": false})
		f.Busy(id)
		f.Expect("execute_input")
		f.Text("execute_result", "2")
		f.Finish(id, "ok")
		ask := f.Post(f.Control, "shutdown_request", map[string]any{"restart": restart})
		f.Busy(ask)
		f.Expect("shutdown_reply")
		f.On(f.Control, "shutdown_reply")
		f.Idle(ask)
		k.Close()
	}
	run(true, "let a 1", "let b 2")
	run(true, "replay")
	run(false, "replay", "let c 3")
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the session's folder after its end: %v", err)
	}
}

func TestReplay(t *testing.T) {
	_, f := connect(t)
	f.Run("let a 1")
	id := f.Start("let c 3\nerror no")
	f.Error()
	f.Finish(id, "error")
	f.Run("let b 2")
	id = f.Start("exit 1")
	f.Error()
	f.Finish(id, "error")
	id = f.Post(f.Shell, "execute_request", map[string]any{"code": "get a", "store_history": false}) // not in the journal
	f.Busy(id)
	f.Expect("execute_input")
	f.Error()
	f.Finish(id, "error")
	f.Run("replay")
	f.Run("replay") // is no cell of the journal itself
	for name, want := range map[string]string{"b": "2", "c": "3"} {
		id = f.Start("get " + name)
		f.Text("execute_result", want)
		f.Finish(id, "ok")
	}
}
