package kernel_test

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"net"
	"strconv"
	"strings"
	"syscall"
	"time"

	"gopherlo/internal/fakefrontend"
)

func init() { faults = append(faults, thirdFaults...) }

// drop ends a connection with a reset.
func drop(c net.Conn) {
	if tcp, ok := c.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = c.Close()
}

// command makes a ZMTP command.
func command(name, body string) []byte {
	return fakefrontend.Frame(4, append(append([]byte{byte(len(name))}, name...), body...))
}

// answered asks for kernel_info on a connection and wants an answer.
func (x *target) answered(c *fakefrontend.Conn) {
	x.t.Helper()
	if err := c.Send(x.signed("kernel_info_request", struct{}{})...); err != nil {
		x.t.Error(err)
		return
	}
	if _, err := c.Receive(patience); err != nil {
		x.t.Errorf("not answered: %v", err)
	}
}

// everyRequest are the types of the protocol's requests and events but those that end something.
var everyRequest = []string{
	"kernel_info_request", "execute_request", "inspect_request", "complete_request", "history_request", "is_complete_request", "connect_request",
	"comm_info_request", "debug_request", "interrupt_request", "list_subshell_request", "comm_open", "comm_msg", "comm_close", "input_reply",
	"create_subshell_request", "delete_subshell_request",
}

// thirdFaults try what the others have left: each step of a message and of the
// handshake, at its edges and in numbers.
var thirdFaults = []fault{
	{"a message byte by byte", func(x *target) {
		c := x.shell()
		var b []byte
		f := x.signed("kernel_info_request", struct{}{})
		for i, part := range f {
			more := byte(1)
			if i == len(f)-1 {
				more = 0
			}
			b = append(b, fakefrontend.Frame(more, part)...)
		}
		for _, one := range b {
			if _, err := c.Write([]byte{one}); err != nil {
				x.t.Fatal(err)
			}
		}
		if _, err := c.Receive(patience); err != nil {
			x.t.Error(err)
		}
	}},
	{"cut at each byte of the handshake", func(x *target) {
		for n := range hello {
			c := x.raw([]int{x.conn.ShellPort, x.conn.IOPubPort, x.conn.HBPort}[n%3])
			_, _ = c.Write(hello[:n])
			drop(c)
		}
	}},
	{"cut inside a message", func(x *target) {
		f := x.signed("execute_request", map[string]any{"code": "let x 1"})
		for n := range len(f) {
			for _, rest := range [][]byte{{1, 200, 'a'}, {3, 0, 0}, {2, 0, 0, 0, 0, 0, 64, 0, 0}} {
				c := x.shell()
				var b []byte
				for _, part := range f[:n] {
					b = append(b, fakefrontend.Frame(1, part)...)
				}
				_, _ = c.Write(append(b, rest...))
				drop(c)
			}
		}
	}},
	{"thousands of connections", func(x *target) {
		for i := range 1000 {
			x.each(func(port int) {
				network, addr := fakefrontend.Address(x.conn, port)
				c, err := net.DialTimeout(network, addr, patience)
				if err != nil {
					x.t.Fatal(err)
				}
				_, _ = c.Write(hello[:i%len(hello)])
				drop(c)
			})
		}
	}},
	{"subscribed strangers", func(x *target) {
		for range 400 {
			network, addr := fakefrontend.Address(x.conn, x.conn.IOPubPort)
			c, err := net.DialTimeout(network, addr, patience)
			if err != nil {
				x.t.Fatal(err)
			}
			x.conns = append(x.conns, c)
			_, _ = c.Write(append(append(fakefrontend.Greeting(), fakefrontend.Ready("SUB", "")...), 0, 1, 1))
		}
		x.subscriber()
	}},
	{"full of silent peers on each channel", func(x *target) {
		for range 280 {
			x.each(func(port int) { _, _ = x.raw(port).Write(hello) })
		}
		x.subscriber()
		x.answered(x.open(x.conn.ControlPort, "DEALER"))
	}},
	{"lengths of the handshake", func(x *target) {
		for _, n := range []uint64{0, 1, 8<<10 + 1, 1 << 31, 1<<63 - 1, 1 << 63, 1<<64 - 1} {
			x.say(greeting, binary.BigEndian.AppendUint64([]byte{6}, n))
			x.say(hello, binary.BigEndian.AppendUint64([]byte{6}, n))
			x.say(hello, binary.BigEndian.AppendUint64([]byte{3}, n), []byte("x"))
		}
	}},
	{"greetings", func(x *target) {
		x.say(changed(32, 1), fakefrontend.Ready("DEALER", "")) // as-server
		x.say(changed(0, 0))
		x.say(changed(9, 0))
		x.say(changed(10, 3, 1), fakefrontend.Ready("DEALER", "")) // ZMTP 3.1, which is all right
		x.say(changed(10, 255, 255))
		x.say(changed(12, []byte("NULLNULL")...))
		x.say(changed(12, make([]byte, 20)...))
		x.say(changed(33, random(31)...), fakefrontend.Ready("DEALER", ""))
		x.say(greeting, greeting, greeting)
	}},
	{"commands of other mechanisms", func(x *target) {
		for _, name := range []string{"HELLO", "WELCOME", "INITIATE", "MESSAGE", "ERROR", "READY", "", strings.Repeat("N", 255)} {
			x.say(greeting, command(name, "x"))
			x.say(hello, command(name, strings.Repeat("x", 300)), command(name, ""))
		}
	}},
	{"READY again and again", func(x *target) {
		x.say(hello, bytes.Repeat(fakefrontend.Ready("PUB", "other"), 200))
	}},
	{"properties", func(x *target) {
		long := strings.Repeat("v", 100)
		x.say(greeting, ready(bytes.Repeat(property("X-a", 100, long), 70), property("Socket-Type", 6, "DEALER")))
		x.say(greeting, ready(property("Socket-Type", 6, "DEALER"), property("Socket-Type", 3, "SUB"), property("Identity", 1, "a"), property("Identity", 1, "b")))
		x.say(greeting, ready(property("", 0, ""), property("socket-type", 6, "DEALER")))
		x.say(greeting, ready(property("Socket-Type", 0, ""), property("Identity", 256, strings.Repeat("i", 256))))
	}},
	{"socket types of other channels", func(x *target) {
		for _, kind := range []string{"SUB", "XSUB", "REQ", "DEALER", "ROUTER", "REP", "PULL", "XPUB"} {
			x.say(greeting, fakefrontend.Ready(kind, "i"), []byte{0, 1, 1}, []byte{1, 0, 0, 1, 'x'})
		}
	}},
	{"subscriptions as commands", func(x *target) {
		var b []byte
		for i := range 50000 {
			topic := strconv.Itoa(i)
			b = append(b, command("SUBSCRIBE", topic)...)
			b = append(b, command("CANCEL", "un"+topic)...)
		}
		for _, port := range []int{x.conn.IOPubPort, x.conn.ShellPort, x.conn.HBPort} {
			c := x.open(port, map[int]string{x.conn.IOPubPort: "SUB", x.conn.ShellPort: "DEALER", x.conn.HBPort: "REQ"}[port])
			_ = c.SetWriteDeadline(time.Now().Add(10 * time.Second))
			_, _ = c.Write(b)
		}
	}},
	{"unsubscribed from what was never subscribed", func(x *target) {
		c := x.open(x.conn.IOPubPort, "SUB")
		_ = c.SetWriteDeadline(time.Now().Add(10 * time.Second))
		_, _ = c.Write(bytes.Repeat(fakefrontend.Frame(0, []byte("\x00\xff\xfenever")), 100000))
	}},
	{"topics", func(x *target) {
		c := x.open(x.conn.IOPubPort, "SUB")
		for _, topic := range []string{"k", "kernel.", "kernel." + strings.Repeat("x", 250), "\xff\xfe", "\x00", strings.Repeat("t", 256), strings.Repeat("t", 257)} {
			_ = c.Send(append([]byte{1}, topic...))
		}
	}},
	{"a hundred thousand frames", func(x *target) {
		x.each(func(port int) {
			c := x.raw(port)
			_ = c.SetWriteDeadline(time.Now().Add(10 * time.Second))
			_, _ = c.Write(append(bytes.Clone(hello), bytes.Repeat([]byte{1, 1, 'x'}, 100000)...))
		})
	}},
	{"signatures in other forms", func(x *target) {
		c := x.shell()
		f := x.signed("kernel_info_request", struct{}{})
		right := string(f[1])
		raw, err := hex.DecodeString(right)
		if err != nil {
			x.t.Fatal(err)
		}
		for _, s := range []string{
			right[:63], right + "0", right[:62], " " + right, right + "\n", "0x" + right, "sha256=" + right, string(raw), right[:32],
			strings.Repeat("0", 64), strings.Repeat("g", 64), strings.Repeat("\x00", 64), strings.Repeat("f", 1<<16), right + right,
		} {
			f[1] = []byte(s)
			_ = c.Send(f...)
		}
		f[1] = []byte(right)
		if err := c.Send(f...); err != nil {
			x.t.Error(err)
		}
		if frames, err := c.Receive(patience); err != nil {
			x.t.Error(err)
		} else if m, err := x.codec.Decode(frames); err != nil || m.Header.MsgType != "kernel_info_reply" {
			x.t.Errorf("%q %v", frames, err)
		}
		if _, err := c.Receive(50 * time.Millisecond); err == nil {
			x.t.Error("a wrong signature is taken")
		}
	}},
	{"replays on other channels", func(x *target) {
		f := x.signed("kernel_info_request", struct{}{})
		for _, port := range []int{x.conn.ShellPort, x.conn.ControlPort, x.conn.StdinPort} {
			for range 50 {
				_ = x.open(port, "DEALER").Send(f...)
			}
		}
	}},
	{"parts that are swapped", func(x *target) {
		c := x.shell()
		f := x.signed("execute_request", map[string]any{"code": "let x 1"})
		for i := 2; i < 6; i++ {
			for j := 2; j < 6; j++ {
				g := append([][]byte(nil), f...)
				g[i], g[j] = g[j], g[i]
				_ = c.Send(g...)
			}
		}
	}},
	{"delimiters that are none", func(x *target) {
		c := x.shell()
		f := x.signed("kernel_info_request", struct{}{})
		for _, d := range []string{"<IDS|MSG", "<IDS|MSG> ", "<ids|msg>", "<IDS|MSG>\x00", "", strings.Repeat("<IDS|MSG>", 2)} {
			f[0] = []byte(d)
			_ = c.Send(f...)
		}
	}},
	{"deep headers", func(x *target) {
		c := x.shell()
		for i, depth := range []int{50, 5000, 9998, 10002, 200000} {
			for j, open := range []string{"[", `{"a":`} {
				deep := strings.Repeat(open, depth) + "1" + strings.Repeat(map[string]string{"[": "]"}[open]+strings.Repeat("}", j), depth)
				_ = c.Send(x.parts(fmt.Sprintf(`{"msg_id":"dh%d%d","msg_type":"kernel_info_request","extra":%s}`, i, j, deep), "{}", "{}", "{}")...)
				_ = c.Send(x.parts(fmt.Sprintf(`{"msg_id":"dp%d%d","msg_type":"kernel_info_request"}`, i, j), deep, deep, deep)...)
			}
		}
	}},
	{"JSON that is nearly JSON", func(x *target) {
		c := x.shell()
		for i, h := range []string{
			"\xef\xbb\xbf{H}", "{H} {H}", "{H}x", "{H},", "[{H}]", "{H,}", "{'msg_id':'a','msg_type':'kernel_info_request'}", "/* c */{H}", "{H}//",
			"{H}\x00", "\x00{H}", " \t\r\n{H}\n", "{H\x00}", `{"msg_id":"\u0000","msg_type":"kernel_info_request"}`, `{"msg_id":"\ud800","msg_type":"kernel_info_request"}`,
			`{"MSG_ID":"up","MSG_TYPE":"kernel_info_request"}`, "\xff\xfe{\x00}\x00",
		} {
			fields := fmt.Sprintf(`"msg_id":"j%d","msg_type":"kernel_info_request"`, i)
			_ = c.Send(x.parts(strings.ReplaceAll(h, "H", fields), "{}", "{}", "{}")...)
		}
	}},
	{"headers without a field", func(x *target) {
		c := x.shell()
		all := [][2]string{{"msg_id", `"w"`}, {"session", `"s"`}, {"username", `"u"`}, {"date", `"2026-01-01T00:00:00Z"`}, {"msg_type", `"kernel_info_request"`}, {"version", `"5.3"`}}
		for i := range len(all) + 1 {
			var fields []string
			for j, f := range all {
				if i != j {
					fields = append(fields, fmt.Sprintf("%q:%s", f[0], strings.Replace(f[1], "w", "w"+strconv.Itoa(i), 1)))
				}
			}
			_ = c.Send(x.parts("{"+strings.Join(fields, ",")+"}", "{}", "{}", "{}")...)
		}
		_ = c.Send(x.parts("{}", "{}", "{}", "{}")...)
	}},
	{"dates and versions", func(x *target) {
		c := x.shell()
		n := 0
		for _, date := range []string{"0000-00-00T00:00:00Z", "9999-12-31T23:59:60.999999999Z", "-1", "", "now", "1e9", strings.Repeat("9", 10000), "2026-11-30T00:00:00+99:99"} {
			for _, version := range []string{"5.3", "0", "99.9", "-1.-1", "five", ""} {
				n++
				_ = c.Send(x.parts(fmt.Sprintf(`{"msg_id":"dv%d","msg_type":"kernel_info_request","date":%q,"version":%q}`, n, date, version), "{}", "{}", "{}")...)
			}
		}
		for range n {
			if _, err := c.Receive(patience); err != nil {
				x.t.Fatal(err)
			}
		}
	}},
	{"each type on each channel", func(x *target) {
		for _, port := range []int{x.conn.ShellPort, x.conn.ControlPort, x.conn.StdinPort, x.conn.IOPubPort, x.conn.HBPort} {
			c := x.open(port, map[bool]string{true: "DEALER", false: "SUB"}[port != x.conn.IOPubPort])
			for _, msgType := range everyRequest {
				if port == x.conn.ControlPort && strings.HasPrefix(msgType, "create_") {
					continue // there it is right
				}
				_ = c.Send(x.signed(msgType, struct{}{})...)
			}
		}
	}},
	{"contents that are null", func(x *target) {
		for _, port := range []int{x.conn.ShellPort, x.conn.ControlPort} {
			c := x.open(port, "DEALER")
			for _, msgType := range everyRequest {
				if strings.HasPrefix(msgType, "create_") {
					continue
				}
				for i, content := range []string{"null", "[]", `""`, "0", `{"code":null,"cursor_pos":null,"silent":null,"data":null,"comm_id":null,"target_name":null,"user_expressions":null,"subshell_id":null}`} {
					_ = c.Send(x.parts(fmt.Sprintf(`{"msg_id":"nu%d%d%s","msg_type":%q}`, port, i, msgType, msgType), "null", "null", content)...)
				}
			}
		}
	}},
	{"buffers on each request", func(x *target) {
		c := x.shell()
		for _, msgType := range everyRequest {
			f := x.signed(msgType, map[string]any{"code": "let x 1", "silent": true, "comm_id": "b"})
			for i := range 20 {
				f = append(f, make([]byte, i<<12))
			}
			_ = c.Send(f...)
		}
	}},
	{"comms with long names", func(x *target) {
		c := x.shell()
		long := strings.Repeat("n", 1<<20)
		x.post(c, 30, "comm_open", func(i int) any {
			return map[string]any{"comm_id": long + strconv.Itoa(i), "target_name": long, "data": map[string]any{}}
		})
		x.post(c, 200, "comm_open", constant(map[string]any{"comm_id": "same", "target_name": "none", "data": nil}))
		x.post(c, 10, "comm_info_request", constant(map[string]any{"target_name": long}))
	}},
	{"comms without names", func(x *target) {
		c := x.shell()
		for _, kind := range []string{"comm_open", "comm_msg", "comm_close"} {
			x.post(c, 300, kind, constant(map[string]any{"comm_id": "", "target_name": "", "target_module": "os", "data": []int{1}}))
		}
	}},
	{"interrupts of a running cell", func(x *target) {
		c := x.shell()
		_ = c.Send(x.signed("execute_request", map[string]any{"code": "sleep 10s", "silent": true})...)
		x.post(x.open(x.conn.ControlPort, "DEALER"), 500, "interrupt_request", constant(struct{}{}))
		if _, err := c.Receive(patience); err != nil {
			x.t.Error(err)
		}
	}},
	{"subshells that do not exist", func(x *target) {
		c := x.shell()
		for i, id := range []string{`"none"`, "3", "[]", "{}", `""`, `"` + strings.Repeat("i", 1<<20) + `"`, "null"} {
			for _, msgType := range []string{"execute_request", "comm_msg", "complete_request", "kernel_info_request"} {
				_ = c.Send(x.parts(fmt.Sprintf(`{"msg_id":"ss%d%s","msg_type":%q,"subshell_id":%s}`, i, msgType, msgType, id), "{}", "{}", `{"code":"let x 1","silent":true}`)...)
			}
		}
	}},
	{"input replies that name a parent", func(x *target) {
		c := x.open(x.conn.StdinPort, "DEALER")
		for i, parent := range []string{"{}", `{"msg_id":"x"}`, `{"msg_id":3}`, "[]", `{"msg_id":null}`} {
			_ = c.Send(x.parts(fmt.Sprintf(`{"msg_id":"ir%d","msg_type":"input_reply"}`, i), parent, "{}", `{"value":"`+strings.Repeat("v", 1<<16)+`"}`)...)
		}
	}},
	{"heartbeats of 100 MB", func(x *target) {
		c := x.open(x.conn.HBPort, "REQ")
		_ = c.SetWriteDeadline(time.Now().Add(5 * time.Second))
		_, _ = c.Write(lengthHeader(100 << 20))
		part := make([]byte, 1<<20)
		for range 5 { // it is cut at the first; an encrypting client keeps them all
			if _, err := c.Write(part); err != nil {
				break
			}
		}
	}},
	{"pings of all kinds", func(x *target) {
		c := x.shell()
		for _, body := range []string{"", "\x00", "\x00\x01", "\xff\xff", "\x00\x00" + strings.Repeat("c", 16), "\x00\x00" + strings.Repeat("c", 4000)} {
			_, _ = c.Write(command("PING", body))
			_, _ = c.Write(command("PONG", body))
		}
		_, _ = c.Write(bytes.Repeat(command("PONG", "x"), 50000))
		_, _ = c.Write(bytes.Repeat(command("NOTHING", ""), 50000))
	}},
	{"other protocols", func(x *target) {
		for _, b := range []string{
			"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + string(random(500)), "SSH-2.0-OpenSSH_9.9\r\n", "*1\r\n$4\r\nPING\r\n", "EHLO x\r\n",
			"GET /api/kernels/x/channels HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: x\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
			"\x00\x00\x00\x08\x04\xd2\x16\x2f", "AMQP\x00\x00\x09\x01", "\x05\x01\x00", "\x00\x00\x00\x00",
		} {
			x.say([]byte(b))
		}
	}},
	{"urgent data", func(x *target) {
		c := x.shell()
		if tcp, ok := c.Conn.(*net.TCPConn); ok {
			raw, err := tcp.SyscallConn()
			if err != nil {
				x.t.Fatal(err)
			}
			_ = raw.Control(func(fd uintptr) {
				for range 20 {
					_ = syscall.Sendto(int(fd), []byte("!"), syscall.MSG_OOB, nil)
				}
			})
		}
		x.say(hello, []byte{0})
	}},
	{"completions that nobody reads", func(x *target) {
		c := x.shell()
		x.post(c, 5000, "complete_request", constant(map[string]any{"code": strings.Repeat("pri", 200), "cursor_pos": 3}))
		x.post(c, 2000, "inspect_request", constant(map[string]any{"code": "print", "cursor_pos": 3, "detail_level": 1}))
	}},
	{"questions about large texts", func(x *target) {
		c := x.shell()
		for _, code := range []string{strings.Repeat("(", 1<<20), strings.Repeat("é", 1<<20), strings.Repeat("\n", 1<<20), strings.Repeat("\u202e\u0000", 1<<18)} {
			for _, msgType := range []string{"is_complete_request", "complete_request", "inspect_request"} {
				_ = c.Send(x.signed(msgType, map[string]any{"code": code, "cursor_pos": len(code) / 2})...)
			}
		}
	}},
	{"switches of wrong kinds", func(x *target) {
		c := x.shell()
		for i, v := range []string{"1", `"true"`, "[]", "{}", "null", "0.0"} {
			for _, field := range []string{"silent", "store_history", "allow_stdin", "stop_on_error", "user_expressions"} {
				_ = c.Send(x.parts(fmt.Sprintf(`{"msg_id":"sw%d%s","msg_type":"execute_request"}`, i, field), "{}", "{}", fmt.Sprintf(`{"code":"let x 1",%q:%s}`, field, v))...)
			}
		}
	}},
	{"cells that fail, in number", func(x *target) {
		x.post(x.shell(), 500, "execute_request", func(i int) any {
			return map[string]any{"code": "error no " + strconv.Itoa(i), "stop_on_error": i%2 == 0, "silent": i%3 == 0}
		})
	}},
	{"output to readers that pause", func(x *target) {
		for range 20 {
			c := x.open(x.conn.IOPubPort, "SUB")
			_ = c.Send([]byte{1})
			if tcp, ok := c.Conn.(*net.TCPConn); ok {
				_ = tcp.SetReadBuffer(4 << 10)
			}
		}
		c := x.shell()
		if err := c.Send(x.signed("execute_request", map[string]any{"code": "repeat 60 big 1000000", "store_history": false})...); err != nil {
			x.t.Fatal(err)
		}
		if _, err := c.Receive(60 * time.Second); err != nil {
			x.t.Errorf("the cell waits for readers: %v", err)
		}
	}},
}

// subscriber connects a good client's iopub and wants to see a cell's idle there.
func (x *target) subscriber() {
	x.t.Helper()
	sub := x.open(x.conn.IOPubPort, "SUB")
	if err := sub.Send([]byte{1}); err != nil {
		x.t.Fatal(err)
	}
	if _, err := sub.Receive(patience); err != nil {
		x.t.Errorf("no welcome: %v", err)
		return
	}
	shell := x.shell()
	x.answered(shell)
	for {
		frames, err := sub.Receive(patience)
		if err != nil {
			x.t.Errorf("no idle: %v", err)
			return
		}
		if bytes.Contains(bytes.Join(frames, nil), []byte(`"idle"`)) {
			return
		}
	}
}
