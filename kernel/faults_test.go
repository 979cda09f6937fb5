package kernel_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"runtime"
	"runtime/pprof"
	"strconv"
	"strings"
	"testing"
	"time"

	"gopherlo/internal/fakefrontend"
	"gopherlo/kernel/transport"
	"gopherlo/kernel/wire"
)

// target is the kernel that faults are done to.
type target struct {
	t     *testing.T
	conn  *transport.Connection
	codec *wire.Codec
	conns []net.Conn // closed after the fault
}

// raw opens a connection without a handshake.
func (x *target) raw(port int) net.Conn {
	x.t.Helper()
	network, addr := fakefrontend.Address(x.conn, port)
	c, err := net.DialTimeout(network, addr, patience)
	if err != nil {
		x.t.Fatal(err)
	}
	x.conns = append(x.conns, c)
	return c
}

// open opens a connection with a handshake.
func (x *target) open(port int, socketType string) *fakefrontend.Conn {
	x.t.Helper()
	c, err := fakefrontend.Open(x.conn, port, socketType, "stranger")
	if err != nil {
		x.t.Fatal(err)
	}
	x.conns = append(x.conns, c)
	return c
}

func (x *target) shell() *fakefrontend.Conn { return x.open(x.conn.ShellPort, "DEALER") }

// each does something with a connection to every channel.
func (x *target) each(f func(port int)) {
	for _, p := range []int{x.conn.ShellPort, x.conn.ControlPort, x.conn.StdinPort, x.conn.IOPubPort, x.conn.HBPort} {
		f(p)
	}
}

// say writes raw bytes to every channel.
func (x *target) say(b ...[]byte) {
	x.each(func(port int) { _, _ = x.raw(port).Write(bytes.Join(b, nil)) })
}

// signed makes the frames of a rightly signed message.
func (x *target) signed(msgType string, content any) [][]byte {
	m, err := wire.NewOrigin("x").Message(msgType, nil, content)
	if err != nil {
		x.t.Fatal(err)
	}
	f, err := x.codec.Encode(m)
	if err != nil {
		x.t.Fatal(err)
	}
	return f
}

// parts signs parts that are no message.
func (x *target) parts(header, parent, metadata, content string) [][]byte {
	return signParts(x.conn.Key, header, parent, metadata, content)
}

func lengthHeader(n uint64) []byte { return binary.BigEndian.AppendUint64([]byte{2}, n) }

func ready(parts ...[]byte) []byte {
	return fakefrontend.Frame(4, append([]byte("\x05READY"), bytes.Join(parts, nil)...))
}

func property(name string, claimed uint32, value string) []byte {
	b := append([]byte{byte(len(name))}, name...)
	return append(binary.BigEndian.AppendUint32(b, claimed), value...)
}

var (
	greeting = fakefrontend.Greeting()
	hello    = append(fakefrontend.Greeting(), fakefrontend.Ready("DEALER", "s")...)
)

func changed(at int, b ...byte) []byte {
	g := fakefrontend.Greeting()
	copy(g[at:], b)
	return g
}

func random(n int) []byte {
	r := rand.New(rand.NewPCG(1, uint64(n)))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

// fault is one of them.
type fault struct {
	name string
	do   func(x *target)
}

// faults are what strangers and broken clients do. After each, the kernel must
// serve a good client at once.
var faults = []fault{
	{"wrong signature", func(x *target) {
		f := x.signed("kernel_info_request", struct{}{})
		f[1] = bytes.Repeat([]byte("a"), 64)
		_ = x.shell().Send(f...)
	}},
	{"missing signature", func(x *target) {
		f := x.signed("kernel_info_request", struct{}{})
		f[1] = nil
		_ = x.shell().Send(f...)
	}},
	{"other key", func(x *target) {
		_ = x.shell().Send(signParts("other", `{"msg_id":"a","msg_type":"shutdown_request"}`, "{}", "{}", "{}")...)
	}},
	{"replay", func(x *target) {
		f := x.signed("execute_request", map[string]any{"code": "let x 1", "silent": true})
		c := x.shell()
		for range 3 {
			_ = c.Send(f...)
		}
	}},
	{"no delimiter", func(x *target) { _ = x.shell().Send([]byte("a"), []byte("b")) }},
	{"one empty frame", func(x *target) { _ = x.shell().Send(nil) }},
	{"two delimiters", func(x *target) {
		f := x.signed("kernel_info_request", struct{}{})
		_ = x.shell().Send(append([][]byte{f[0]}, f...)...)
	}},
	{"too few parts", func(x *target) {
		f := x.signed("kernel_info_request", struct{}{})
		for n := range 6 {
			_ = x.shell().Send(f[:n]...)
		}
	}},
	{"5000 buffers", func(x *target) {
		f := x.signed("kernel_info_request", struct{}{})
		for range 5000 {
			f = append(f, []byte("x"))
		}
		_ = x.shell().Send(f...)
	}},
	{"500 identities", func(x *target) {
		f := x.signed("comm_msg", map[string]any{})
		for range 500 {
			f = append([][]byte{[]byte("id")}, f...)
		}
		_ = x.shell().Send(f...)
	}},
	{"20 MB code", func(x *target) {
		_ = x.shell().Send(x.signed("is_complete_request", map[string]any{"code": strings.Repeat("x", 20<<20)})...)
	}},
	{"malformed JSON", func(x *target) {
		c := x.shell()
		good := `{"msg_id":"a","msg_type":"execute_request"}`
		for i, p := range []string{"", "{", "[]", "3", "null", `"x"`, "1e999", "\"\xff\"", `{"a":"\ud800"}`, strings.Repeat("[", 1<<20), strings.Repeat(`{"a":`, 1<<19)} {
			_ = c.Send(x.parts(p, "{}", "{}", "{}")...)
			_ = c.Send(x.parts(strings.Replace(good, "a", strconv.Itoa(i), 1), p, "{}", "{}")...)
			_ = c.Send(x.parts(strings.Replace(good, "a", "m"+strconv.Itoa(i), 1), "{}", p, "{}")...)
			_ = c.Send(x.parts(strings.Replace(good, "a", "c"+strconv.Itoa(i), 1), "{}", "{}", p)...)
		}
	}},
	{"wrong header fields", func(x *target) {
		c := x.shell()
		for _, v := range []string{"3", "null", "[]", "{}", `""`, "true"} {
			for _, field := range []string{"msg_id", "msg_type", "session", "username", "date", "version", "subshell_id"} {
				h := map[string]string{"msg_id": `"` + field + v + `"`, "msg_type": `"kernel_info_request"`}
				if strings.Contains(v, `"`) {
					h["msg_id"] = `"` + field + `"`
				}
				h[field] = v
				var b strings.Builder
				for k, v := range h {
					fmt.Fprintf(&b, ",%q:%s", k, v)
				}
				_ = c.Send(x.parts("{"+b.String()[1:]+"}", "{}", "{}", "{}")...)
			}
		}
	}},
	{"wrong content fields", func(x *target) {
		c := x.shell()
		for _, msgType := range []string{"execute_request", "complete_request", "inspect_request", "is_complete_request", "history_request", "comm_info_request", "comm_open", "comm_msg", "comm_close", "interrupt_request"} {
			for _, content := range []any{[]int{1}, 3, "x", map[string]any{"code": 3, "cursor_pos": "x", "comm_id": 3, "hist_access_type": []int{}}} {
				_ = c.Send(x.signed(msgType, content)...)
			}
		}
	}},
	{"cursors outside", func(x *target) {
		c := x.shell()
		for _, at := range []int{-1, 100, 1 << 62, -1 << 62} {
			_ = c.Send(x.signed("complete_request", map[string]any{"code": "é", "cursor_pos": at})...)
			_ = c.Send(x.signed("inspect_request", map[string]any{"code": "é", "cursor_pos": at, "detail_level": at})...)
		}
	}},
	{"history out of range", func(x *target) {
		c := x.shell()
		for _, n := range []int{-1, 0, 1 << 62, -1 << 62} {
			for _, kind := range []string{"tail", "range", "search", "none"} {
				_ = c.Send(x.signed("history_request", map[string]any{"hist_access_type": kind, "n": n, "session": n, "start": n, "stop": n, "pattern": "[" + strings.Repeat("*", 50)})...)
			}
		}
	}},
	{"unknown and reply types", func(x *target) {
		c := x.shell()
		for _, msgType := range []string{"unknown_request", "execute_reply", "status", "input_reply", "iopub_welcome", "create_subshell_request", strings.Repeat("x", 1<<16)} {
			_ = c.Send(x.signed(msgType, struct{}{})...)
		}
	}},
	{"stray input_reply", func(x *target) {
		_ = x.open(x.conn.StdinPort, "DEALER").Send(x.signed("input_reply", map[string]any{"value": "x"})...)
	}},
	{"silent", func(x *target) { x.say() }},
	{"half a greeting", func(x *target) { x.say(greeting[:20]) }},
	{"greeting only", func(x *target) { x.say(greeting) }},
	{"random bytes", func(x *target) { x.say(random(5000)) }},
	{"random after greeting", func(x *target) { x.say(greeting, random(5000)) }},
	{"random after READY", func(x *target) { x.say(hello, random(5000)) }},
	{"HTTP", func(x *target) { x.say([]byte("GET / HTTP/1.1\r\nHost: x\r\n\r\n"), make([]byte, 64)) }},
	{"ZMTP 1", func(x *target) { x.say([]byte{1, 0}, []byte{5, 0, 'h', 'e', 'y', '!'}, make([]byte, 64)) }},
	{"ZMTP 2", func(x *target) { x.say(changed(10, 1), make([]byte, 64)) }},
	{"ZMTP 9", func(x *target) { x.say(changed(10, 9, 9), ready()) }},
	{"PLAIN", func(x *target) { x.say(changed(12, []byte("PLAIN\x00")...)) }},
	{"CURVE", func(x *target) { x.say(changed(12, []byte("CURVE")...)) }},
	{"garbage mechanism", func(x *target) { x.say(changed(12, random(20)...)) }},
	{"cut metadata", func(x *target) {
		whole := property("Socket-Type", 6, "DEALER")
		for n := range len(whole) {
			_, _ = x.raw(x.conn.ShellPort).Write(append(bytes.Clone(greeting), ready(whole[:n])...))
		}
	}},
	{"metadata with a huge length", func(x *target) {
		x.say(greeting, ready(property("Socket-Type", 1<<31, "DEALER")))
		x.say(greeting, ready(property("Socket-Type", 1<<32-1, "DEALER")))
		x.say(greeting, ready([]byte{255}))
	}},
	{"unknown socket types", func(x *target) {
		for _, kind := range []string{"NOPE", "", "PUB", "PUSH", "PAIR", "\xff", strings.Repeat("x", 5000)} {
			x.say(greeting, fakefrontend.Ready(kind, "i"))
		}
	}},
	{"no socket type", func(x *target) { x.say(greeting, ready()) }},
	{"long identity", func(x *target) {
		x.say(greeting, fakefrontend.Ready("DEALER", strings.Repeat("i", 300)))
		x.say(greeting, fakefrontend.Ready("DEALER", strings.Repeat("i", 4<<20)))
	}},
	{"bad commands in the handshake", func(x *target) {
		for _, b := range [][]byte{{4, 0}, {4, 1, 200}, {5, 5, 4, 'P', 'I', 'N', 'G'}, fakefrontend.Frame(4, []byte("\x05ERROR\x03bad")), {0, 1, 'x'}, {8, 0}, {255, 255}} {
			x.say(greeting, b)
		}
	}},
	{"bad commands after it", func(x *target) {
		for _, b := range [][]byte{{4, 0}, {4, 1, 200}, {5, 5, 4, 'P', 'I', 'N', 'G'}, fakefrontend.Frame(4, make([]byte, 9000)), {8, 0}, {255, 255}, fakefrontend.Frame(4, []byte("\x04PING"))} {
			x.say(hello, b)
		}
	}},
	{"frame lengths", func(x *target) {
		for shift := 28; shift < 64; shift++ {
			_, _ = x.raw(x.conn.ShellPort).Write(append(bytes.Clone(hello), lengthHeader(1<<shift)...))
		}
		x.say(greeting, lengthHeader(1<<40))
	}},
	{"claims of 200 MB", func(x *target) {
		for range 40 {
			_, _ = x.raw(x.conn.ShellPort).Write(append(bytes.Clone(hello), lengthHeader(200<<20)...))
		}
	}},
	{"bodies that stop", func(x *target) {
		// One text for all: the memory that is measured is the kernel's.
		part := append(append(bytes.Clone(hello), lengthHeader(200<<20)...), make([]byte, 2<<20)...)
		for range 10 {
			_, _ = x.raw(x.conn.ShellPort).Write(part)
		}
	}},
	{"truncated frames", func(x *target) {
		for range 50 {
			c := x.raw(x.conn.ShellPort)
			_, _ = c.Write(append(bytes.Clone(hello), 1, 100, 'a'))
			_ = c.Close()
		}
	}},
	{"endless message", func(x *target) {
		c := x.raw(x.conn.ShellPort)
		_, _ = c.Write(append(bytes.Clone(hello), bytes.Repeat([]byte{1, 0}, 10000)...))
	}},
	{"many subscriptions", func(x *target) {
		c := x.open(x.conn.IOPubPort, "SUB")
		var b []byte
		for i := range 100000 {
			b = append(b, fakefrontend.Frame(0, append([]byte{1}, strconv.Itoa(i)...))...)
		}
		_ = c.SetWriteDeadline(time.Now().Add(10 * time.Second))
		_, _ = c.Write(b)
	}},
	{"junk on iopub", func(x *target) {
		c := x.open(x.conn.IOPubPort, "SUB")
		for range 1000 {
			_ = c.Send([]byte("junk"))
		}
		_ = c.Send([]byte{9}, nil)
		_ = c.Send(make([]byte, 1<<20))
	}},
	{"junk on heartbeat", func(x *target) {
		c := x.open(x.conn.HBPort, "REQ")
		for range 100 {
			_ = c.Send(nil)
			_ = c.Send([]byte("x"), []byte("y"), nil)
		}
	}},
	{"heartbeats never read", func(x *target) {
		c := x.open(x.conn.HBPort, "DEALER")
		_ = c.SetWriteDeadline(time.Now().Add(3 * time.Second))
		for range 1000 {
			if c.Send(nil, make([]byte, 32<<10)) != nil {
				break
			}
		}
	}},
	{"pings never read", func(x *target) {
		c := x.shell()
		_ = c.SetWriteDeadline(time.Now().Add(3 * time.Second))
		_, _ = c.Write(bytes.Repeat(fakefrontend.Frame(4, append([]byte("\x04PING\x00\x00"), make([]byte, 16)...)), 100000))
	}},
	{"idle connections", func(x *target) {
		for range 150 {
			x.say(greeting)
		}
	}},
	{"handshaken idle connections", func(x *target) {
		for range 300 {
			_, _ = x.raw(x.conn.ShellPort).Write(hello)
		}
	}},
	{"requests and gone", func(x *target) {
		c := x.shell()
		for range 2000 {
			_ = c.Send(x.signed("kernel_info_request", struct{}{})...)
		}
		_ = c.Close()
	}},
	{"requests never read", func(x *target) {
		c := x.shell()
		_ = c.SetWriteDeadline(time.Now().Add(10 * time.Second))
		for range 20000 {
			if c.Send(x.signed("kernel_info_request", struct{}{})...) != nil {
				break
			}
		}
	}},
	{"connection churn", func(x *target) {
		for range 200 {
			x.each(func(port int) { _ = x.raw(port).Close() })
		}
	}},
	{"same identity twice", func(x *target) { _, _ = x.shell(), x.shell() }},
}

// TestFaults does each fault, then asks for kernel_info as a good client
// would, and in the end looks for what was left behind.
func TestFaults(t *testing.T) {
	_, conn := start(t, nil)
	testFaults(t, conn)
}

// TestLongFaultsTCP does the same in the long runs, where no race detector adds to
// the memory that is bounded.
func TestLongFaultsTCP(t *testing.T) {
	long(t)
	_, conn := start(t, nil)
	testFaults(t, conn)
}

// TestLongFaultsIPC does the same over local sockets.
func TestLongFaultsIPC(t *testing.T) {
	long(t)
	_, conn := startIPC(t)
	testFaults(t, conn)
}

// TestCurve runs cells over encrypted channels.
func TestCurve(t *testing.T) {
	_, conn := startCurve(t)
	f := fakefrontend.Connect(t, conn)
	id := f.Start("print " + strings.Repeat("x", 1<<20))
	for n := 0; n <= 1<<20; {
		var c wire.StreamContent
		fakefrontend.Content(t, f.Expect("stream"), &c)
		n += len(c.Text)
	}
	f.Finish(id, "ok")
	f.Run("let x 1")
}

// TestLongFaultsCurve does the same with encryption.
func TestLongFaultsCurve(t *testing.T) {
	long(t)
	_, conn := startCurve(t)
	testFaults(t, conn)
}

func testFaults(t *testing.T, conn *transport.Connection) {
	alive(t, conn)
	goroutines, fds := runtime.NumGoroutine(), openFiles(t)
	for _, f := range faults {
		t.Run(f.name, func(t *testing.T) {
			limit, tries := int64(100<<20), 3 // garbage that is not collected yet counts too
			if raceEnabled {                  // and the detector's own memory; the long runs go without it
				limit *= 3
			}
			switch f.name { // of a client that has the key, and is in this process
			case "20 MB code", "buffers of comms", "huge headers", "big cells":
				limit *= 5
			}
			grown := limit + 1
			for ; grown > limit && tries > 0; tries-- { // what grows without a bound grows each time
				grown = oneFault(t, conn, f.do)
			}
			if grown > limit {
				t.Errorf("memory grew by %d MB", grown>>20)
			}
		})
	}
	nothingLeft(t, goroutines, fds)
}

// nothingLeft waits until there are no more goroutines and descriptors than before.
func nothingLeft(t *testing.T, goroutines, fds int) {
	t.Helper()
	var g, d int
	for range 100 {
		runtime.GC()
		if g, d = runtime.NumGoroutine()-goroutines, openFiles(t)-fds; g <= 0 && d <= 0 {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	var all strings.Builder
	_ = pprof.Lookup("goroutine").WriteTo(&all, 1)
	t.Errorf("left behind: %d goroutines, %d descriptors\n%s", g, d, all.String())
}

// oneFault does a fault and gives by how much it made the memory grow.
func oneFault(t *testing.T, conn *transport.Connection, do func(*target)) (grown int64) {
	t.Helper()
	before := rss(t)
	x := &target{t: t, conn: conn, codec: wire.NewCodec([]byte(conn.Key))}
	do(x)
	alive(t, conn)
	grown = rss(t) - before
	for _, c := range x.conns {
		_ = c.Close()
	}
	alive(t, conn)
	return grown
}

// alive asks for kernel_info and runs a cell, with a deadline.
func alive(t *testing.T, conn *transport.Connection) {
	t.Helper()
	c, err := fakefrontend.Open(conn, conn.ShellPort, "DEALER", "good")
	if err != nil {
		t.Fatalf("no new client: %v", err)
	}
	defer func() { _ = c.Close() }()
	x := &target{t: t, conn: conn, codec: wire.NewCodec([]byte(conn.Key))}
	for _, msgType := range []string{"kernel_info", "execute"} {
		if err := c.Send(x.signed(msgType+"_request", map[string]any{"code": "let x 1", "silent": true})...); err != nil {
			t.Fatal(err)
		}
		frames, err := c.Receive(patience)
		if err != nil {
			t.Fatalf("%s not answered: %v", msgType, err)
		}
		if m, err := x.codec.Decode(frames); err != nil || m.Header.MsgType != msgType+"_reply" {
			t.Fatalf("%s answered by %q, %v", msgType, frames, err)
		}
	}
}

// openFiles counts this process's descriptors; the kernel under test runs in
// it, the worker does not.
func openFiles(t *testing.T) int {
	t.Helper()
	fds, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip("not run: no /proc")
	}
	return len(fds)
}

// rss returns this process's resident memory.
func rss(t *testing.T) int64 {
	t.Helper()
	b, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Skip("not run: no /proc")
	}
	pages, err := strconv.ParseInt(strings.Fields(string(b))[1], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return pages * int64(os.Getpagesize())
}
