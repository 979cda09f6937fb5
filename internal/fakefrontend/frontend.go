// Package fakefrontend is a Jupyter client for tests. Every call asserts what
// comes next; messages that a test has not read when it ends fail it, so that
// a kernel cannot say more than the test expects.
package fakefrontend

import (
	"encoding/json"
	"net"
	"strconv"
	"testing"
	"time"

	"gopherlo/kernel/transport"
	"gopherlo/kernel/wire"
)

// Frontend is one client, connected to all channels of a kernel.
type Frontend struct {
	t      testing.TB
	codec  *wire.Codec
	origin wire.Origin

	Shell, Control, Stdin, IOPub, HB *Conn
}

// timeout is how long the front end waits for a message that must come.
const timeout = time.Minute

// Open opens one connection to a kernel, in the way its connection file says.
func Open(c *transport.Connection, port int, socketType, identity string) (*Conn, error) {
	network, addr := Address(c, port)
	if c.CurvePublicKey != "" {
		return DialCurve(network, addr, socketType, identity, c.CurvePublicKey)
	}
	return Dial(network, addr, socketType, identity)
}

// Address is where a channel of a kernel listens.
func Address(c *transport.Connection, port int) (network, addr string) {
	if c.Transport == "ipc" {
		return "unix", c.IP + "-" + strconv.Itoa(port)
	}
	return "tcp", net.JoinHostPort(c.IP, strconv.Itoa(port))
}

// Connect connects to the kernel of a connection and reads iopub's welcome.
// When the test ends, unread messages fail it.
func Connect(t testing.TB, c *transport.Connection) *Frontend {
	t.Helper()
	f := Deaf(t, c)
	f.Subscribe()
	return f
}

// Deaf is Connect without the subscription to iopub: [Frontend.Subscribe] makes up for it.
func Deaf(t testing.TB, c *transport.Connection) *Frontend {
	t.Helper()
	f := &Frontend{t: t, codec: wire.NewCodec([]byte(c.Key)), origin: wire.NewOrigin("tester")}
	dial := func(port int, socketType string) *Conn {
		conn, err := Open(c, port, socketType, f.origin.Session)
		if err != nil {
			t.Fatalf("dial %s: %v", socketType, err)
		}
		t.Cleanup(func() { _ = conn.Close() })
		return conn
	}
	f.Shell, f.Control, f.Stdin = dial(c.ShellPort, "DEALER"), dial(c.ControlPort, "DEALER"), dial(c.StdinPort, "DEALER")
	f.HB, f.IOPub = dial(c.HBPort, "REQ"), dial(c.IOPubPort, "SUB")
	t.Cleanup(f.checkUnread)
	return f
}

// Subscribe subscribes to all of iopub and reads the welcome.
func (f *Frontend) Subscribe() {
	f.t.Helper()
	if err := f.IOPub.Send([]byte{1}); err != nil {
		f.t.Fatal(err)
	}
	f.Expect("iopub_welcome")
}

// checkUnread fails the test when something has come that it did not read.
func (f *Frontend) checkUnread() {
	if f.t.Failed() {
		return
	}
	for name, c := range map[string]*Conn{"shell": f.Shell, "control": f.Control, "stdin": f.Stdin, "iopub": f.IOPub} {
		if frames, err := c.Receive(20 * time.Millisecond); err == nil {
			f.t.Errorf("unread message on %s: %.300q", name, frames)
		}
	}
}

// Post signs and sends a request on a connection and returns its id.
func (f *Frontend) Post(c *Conn, msgType string, content any) string {
	f.t.Helper()
	m, err := f.origin.Message(msgType, nil, content)
	if err != nil {
		f.t.Fatal(err)
	}
	frames, err := f.codec.Encode(m)
	if err != nil {
		f.t.Fatal(err)
	}
	if err := c.Send(frames...); err != nil {
		f.t.Fatal(err)
	}
	return m.Header.MsgID
}

// PostTo posts a request on shell for a subshell.
func (f *Frontend) PostTo(subshell, msgType string, content any) string {
	f.t.Helper()
	m, err := f.origin.Message(msgType, nil, content)
	if err != nil {
		f.t.Fatal(err)
	}
	m.Header.SubshellID = &subshell
	frames, err := f.codec.Encode(m)
	if err != nil {
		f.t.Fatal(err)
	}
	if err := f.Shell.Send(frames...); err != nil {
		f.t.Fatal(err)
	}
	return m.Header.MsgID
}

// Skip reads the messages of a type that have come or come within a moment.
// Any other type fails the test.
func (f *Frontend) Skip(c *Conn, msgType string) {
	f.t.Helper()
	for {
		frames, err := c.Receive(50 * time.Millisecond)
		if err != nil {
			return
		}
		if m, err := f.codec.Decode(frames); err != nil || m.Header.MsgType != msgType {
			f.t.Fatalf("got %q, want %s or nothing", frames, msgType)
		}
	}
}

// Answer sends an input_reply.
func (f *Frontend) Answer(line string) {
	f.t.Helper()
	f.Post(f.Stdin, "input_reply", wire.InputReply{Value: line})
}

// Next reads the next message of a connection, whatever it is.
func (f *Frontend) Next(c *Conn) *wire.Message {
	f.t.Helper()
	frames, err := c.Receive(timeout)
	if err != nil {
		f.t.Fatalf("no message: %v", err)
	}
	m, err := f.codec.Decode(frames)
	if err != nil {
		f.t.Fatalf("bad message: %v", err)
	}
	return m
}

// Raw reads the next message of a connection without looking into it.
func (f *Frontend) Raw(c *Conn) [][]byte {
	f.t.Helper()
	frames, err := c.Receive(timeout)
	if err != nil {
		f.t.Fatalf("no message: %v", err)
	}
	return frames
}

// On reads the next message of a connection and checks its type.
func (f *Frontend) On(c *Conn, msgType string) *wire.Message {
	f.t.Helper()
	m := f.Next(c)
	if m.Header.MsgType != msgType {
		f.t.Fatalf("got %s %.500s, want %s", m.Header.MsgType, m.Content, msgType)
	}
	return m
}

// Expect reads the next iopub message and checks its type.
func (f *Frontend) Expect(msgType string) *wire.Message {
	f.t.Helper()
	return f.On(f.IOPub, msgType)
}

// Status reads a status message and checks state and parent.
func (f *Frontend) Status(state, parent string) {
	f.t.Helper()
	m := f.Expect("status")
	var c wire.StatusContent
	Content(f.t, m, &c)
	if c.ExecutionState != state || m.ParentID() != parent {
		f.t.Fatalf("status %s on %s, want %s on %s", c.ExecutionState, m.ParentID(), state, parent)
	}
}

// Busy and Idle read the status of that name.
func (f *Frontend) Busy(parent string) { f.t.Helper(); f.Status("busy", parent) }

// Idle reads status idle.
func (f *Frontend) Idle(parent string) { f.t.Helper(); f.Status("idle", parent) }

// Stream reads a stream message and checks its name, text and parent.
func (f *Frontend) Stream(name, text, parent string) {
	f.t.Helper()
	m := f.Expect("stream")
	var c wire.StreamContent
	Content(f.t, m, &c)
	if c.Name != name || c.Text != text || m.ParentID() != parent {
		f.t.Fatalf("%s %.200q on %s, want %s %.200q on %s", c.Name, c.Text, m.ParentID(), name, text, parent)
	}
}

// Text reads a message with a bundle and checks its text/plain.
func (f *Frontend) Text(msgType, text string) {
	f.t.Helper()
	m := f.Expect(msgType)
	var c struct {
		Data map[string]any `json:"data"`
	}
	Content(f.t, m, &c)
	if c.Data["text/plain"] != text {
		f.t.Fatalf("%s shows %.200q, want %.200q", msgType, c.Data["text/plain"], text)
	}
}

// Error reads an error message and returns its content.
func (f *Frontend) Error() wire.ErrorContent {
	f.t.Helper()
	var c wire.ErrorContent
	Content(f.t, f.Expect("error"), &c)
	return c
}

// Start sends a cell and reads busy and execute_input.
func (f *Frontend) Start(code string) string {
	f.t.Helper()
	id := f.Post(f.Shell, "execute_request", map[string]any{"code": code, "silent": false, "store_history": true, "allow_stdin": true, "stop_on_error": true})
	f.Busy(id)
	f.Expect("execute_input")
	return id
}

// Finish reads the reply of a cell and its idle.
func (f *Frontend) Finish(id, status string) wire.ExecuteReply {
	f.t.Helper()
	r := f.Reply(id, status)
	f.Idle(id)
	return r
}

// Reply reads the execute_reply of a cell.
func (f *Frontend) Reply(id, status string) wire.ExecuteReply {
	f.t.Helper()
	m := f.On(f.Shell, "execute_reply")
	var r wire.ExecuteReply
	Content(f.t, m, &r)
	if m.ParentID() != id || r.Status != status {
		f.t.Fatalf("reply %s to %s, want %s to %s", r.Status, m.ParentID(), status, id)
	}
	return r
}

// Run runs a cell without outputs.
func (f *Frontend) Run(code string) {
	f.t.Helper()
	f.Finish(f.Start(code), "ok")
}

// Ask sends a request, reads busy, reply and idle, and decodes the reply.
func (f *Frontend) Ask(c *Conn, msgType string, content, reply any) string {
	f.t.Helper()
	id := f.Post(c, msgType, content)
	f.Busy(id)
	m := f.Next(c)
	Content(f.t, m, reply)
	f.Idle(id)
	return m.Header.MsgType
}

// Content decodes the content of a message.
func Content(t testing.TB, m *wire.Message, into any) {
	t.Helper()
	if err := json.Unmarshal(m.Content, into); err != nil {
		t.Fatalf("content of %s: %v", m.Header.MsgType, err)
	}
}

// Identity is the name under which the front end's connections are known.
func (f *Frontend) Identity() string { return f.origin.Session }
