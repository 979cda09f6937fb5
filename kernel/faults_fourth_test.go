package kernel_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"strconv"
	"strings"
	"sync"
	"time"

	"gopherlo/internal/fakefrontend"
)

func init() { faults = append(faults, fourthFaults...) }

// crowd is about as many peers as a channel takes.
const crowd = 250

// every does something with many connections to a channel that have said hello,
// several at a time.
func (x *target) every(n, port int, socketType string, do func(net.Conn)) {
	first := append(fakefrontend.Greeting(), fakefrontend.Ready(socketType, "")...)
	conns := make([]net.Conn, n)
	for i := range conns {
		conns[i] = x.raw(port)
	}
	var wg sync.WaitGroup
	for part := range 10 {
		wg.Go(func() {
			for i := part; i < n; i += 10 {
				_ = conns[i].SetWriteDeadline(time.Now().Add(2 * time.Second))
				if _, err := conns[i].Write(first); err == nil {
					do(conns[i])
				}
			}
		})
	}
	wg.Wait()
}

// socketOf is what a right client of each channel is.
func (x *target) socketOf(port int) string {
	switch port {
	case x.conn.IOPubPort:
		return "SUB"
	case x.conn.HBPort:
		return "REQ"
	}
	return "DEALER"
}

// routers are the channels that take requests.
func (x *target) routers() []int {
	return []int{x.conn.ShellPort, x.conn.ControlPort, x.conn.StdinPort}
}

// megabyte is what large messages are made of, once for all.
var megabyte = make([]byte, 1<<20)

// fourthFaults are about what strangers can make the kernel hold, each a little
// and all together, and about messages that are right but for one thing.
var fourthFaults = []fault{
	{"a long unfinished message of frames below a megabyte", func(x *target) {
		c := x.raw(x.conn.ShellPort)
		_ = c.SetWriteDeadline(time.Now().Add(5 * time.Second))
		_, _ = c.Write(hello)
		for range 400 {
			if _, err := c.Write(append(lengthHeader(1<<20 - 1)[:0:0], append([]byte{3}, lengthHeader(1<<20 - 1)[1:]...)...)); err != nil {
				break
			}
			if _, err := c.Write(megabyte[1:]); err != nil {
				break
			}
		}
	}},
	{"an unfinished megabyte from each of many", func(x *target) {
		for _, port := range x.routers() {
			x.every(crowd, port, "DEALER", func(c net.Conn) {
				_, _ = c.Write(lengthHeader(1 << 20))
				_, _ = c.Write(megabyte[:1<<20-1])
			})
		}
	}},
	{"an unfinished body of 300 MB", func(x *target) {
		c := x.raw(x.conn.ControlPort)
		_ = c.SetWriteDeadline(time.Now().Add(5 * time.Second))
		_, _ = c.Write(append(bytes.Clone(hello), lengthHeader(250<<20)...))
		for range 249 {
			if _, err := c.Write(megabyte); err != nil {
				break
			}
		}
	}},
	{"finished messages of 50 MB without a signature", func(x *target) {
		for _, port := range x.routers() {
			x.every(5, port, "DEALER", func(c net.Conn) {
				_, _ = c.Write(lengthHeader(50 << 20))
				for range 50 {
					if _, err := c.Write(megabyte); err != nil {
						return
					}
				}
			})
		}
	}},
	{"heartbeats that many do not read", func(x *target) {
		x.every(crowd, x.conn.HBPort, "DEALER", func(c net.Conn) {
			_ = c.SetWriteDeadline(time.Now().Add(200 * time.Millisecond))
			for range 200 {
				if _, err := c.Write(append(lengthHeader(60<<10), megabyte[:60<<10]...)); err != nil {
					return
				}
			}
		})
	}},
	{"subscriptions again and again by many", func(x *target) {
		again := bytes.Repeat(fakefrontend.Frame(0, append([]byte{1}, strings.Repeat("t", 250)...)), 20000)
		x.every(crowd, x.conn.IOPubPort, "SUB", func(c net.Conn) {
			_ = c.SetWriteDeadline(time.Now().Add(100 * time.Millisecond))
			_, _ = c.Write(again)
		})
	}},
	{"a thousand topics of each of many", func(x *target) {
		var b []byte
		for i := range 1100 {
			b = append(b, fakefrontend.Frame(0, append([]byte{1}, fmt.Sprintf("%0250d", i)...))...)
		}
		x.every(crowd, x.conn.IOPubPort, "SUB", func(c net.Conn) { _, _ = c.Write(b) })
		x.answered(x.shell())
	}},
	{"pings with long contexts that many do not read", func(x *target) {
		pings := bytes.Repeat(command("PING", "\x00\x00"+strings.Repeat("c", 8000)), 1000)
		for _, port := range []int{x.conn.ShellPort, x.conn.IOPubPort} {
			x.every(crowd, port, x.socketOf(port), func(c net.Conn) {
				_ = c.SetWriteDeadline(time.Now().Add(100 * time.Millisecond))
				_, _ = c.Write(pings)
			})
		}
	}},
	{"long metadata of each of many", func(x *target) {
		long := ready(property("Socket-Type", 6, "DEALER"), property("Identity", 255, strings.Repeat("i", 255)), bytes.Repeat(property("X-long", 1000, strings.Repeat("v", 1000)), 7))
		for range 200 {
			x.each(func(port int) { _, _ = x.raw(port).Write(append(fakefrontend.Greeting(), long...)) })
		}
	}},
	{"ten thousand connections", func(x *target) {
		for range 2000 {
			x.each(func(port int) {
				network, addr := fakefrontend.Address(x.conn, port)
				if c, err := net.DialTimeout(network, addr, 10*time.Second); err == nil {
					_ = c.Close()
				}
			})
		}
	}},
	{"a byte of a body now and then, on each channel", func(x *target) {
		var slow []net.Conn
		x.each(func(port int) {
			for range 20 {
				c := x.raw(port)
				_, _ = c.Write(append(append(fakefrontend.Greeting(), fakefrontend.Ready(x.socketOf(port), "")...), 1, 200))
				slow = append(slow, c)
			}
		})
		for range 40 {
			for _, c := range slow {
				_, _ = c.Write([]byte{'x'})
			}
			time.Sleep(10 * time.Millisecond)
		}
		x.answered(x.shell())
	}},
	{"commands between the frames of a message", func(x *target) {
		c := x.shell()
		f := x.signed("kernel_info_request", struct{}{})
		for i, part := range f {
			more := byte(1)
			if i == len(f)-1 {
				more = 0
			}
			_, _ = c.Write(command("PING", "\x00\x00between"))
			_, _ = c.Write(command("NOTHING", "at all"))
			_, _ = c.Write(fakefrontend.Frame(more, part))
		}
		for { // pongs come first
			frames, err := c.Receive(10 * time.Second)
			if err != nil {
				x.t.Errorf("not answered: %v", err)
				return
			}
			if bytes.Contains(bytes.Join(frames, nil), []byte("kernel_info_reply")) {
				return
			}
		}
	}},
	{"subscriptions of 100 KB as commands", func(x *target) {
		x.each(func(port int) {
			_, _ = x.raw(port).Write(append(bytes.Clone(hello), command("SUBSCRIBE", strings.Repeat("s", 100<<10))...))
		})
	}},
	{"long identities, which are all right", func(x *target) {
		for _, n := range []int{1, 254, 255} {
			c, err := fakefrontend.Open(x.conn, x.conn.ShellPort, "DEALER", strings.Repeat("i", n))
			if err != nil {
				x.t.Fatal(err)
			}
			x.conns = append(x.conns, c)
			x.answered(c)
		}
	}},
	{"messages without a delimiter, in number", func(x *target) {
		flood := bytes.Repeat([]byte{0, 1, 'x'}, 100000)
		for _, port := range x.routers() {
			c := x.raw(port)
			_ = c.SetWriteDeadline(time.Now().Add(10 * time.Second))
			_, _ = c.Write(append(bytes.Clone(hello), flood...))
		}
	}},
	{"empty messages, in number", func(x *target) {
		flood := bytes.Repeat([]byte{0, 0}, 200000)
		x.each(func(port int) {
			c := x.raw(port)
			_ = c.SetWriteDeadline(time.Now().Add(10 * time.Second))
			_, _ = c.Write(append(append(fakefrontend.Greeting(), fakefrontend.Ready(x.socketOf(port), "")...), flood...))
		})
	}},
	{"nothing but delimiters", func(x *target) {
		c := x.shell()
		for _, n := range []int{1, 2, 5, 6, 7, 100, 4000} {
			f := make([][]byte, n)
			for i := range f {
				f[i] = []byte("<IDS|MSG>")
			}
			_ = c.Send(f...)
		}
		x.answered(x.shell())
	}},
	{"a delimiter behind the message", func(x *target) {
		f := x.signed("kernel_info_request", struct{}{})
		_ = x.shell().Send(append(f[1:], f[0])...)
	}},
	{"4096 frames and one more", func(x *target) {
		for _, n := range []int{4095, 4096, 4097} {
			c := x.shell()
			f := x.signed("kernel_info_request", struct{}{})
			for len(f) < n {
				f = append(f, nil)
			}
			_ = c.Send(f...)
		}
	}},
	{"a signature that ends another message", func(x *target) {
		a, b := x.signed("kernel_info_request", struct{}{}), x.signed("execute_request", map[string]any{"code": "exit 3"})
		b[1] = a[1]
		_ = x.shell().Send(b...)
	}},
	{"headers that are long lists", func(x *target) {
		c := x.shell()
		for _, h := range []string{"[" + strings.Repeat("1,", 1<<20) + "1]", `{"msg_id":[` + strings.Repeat("1,", 1<<18) + `1],"msg_type":"a"}`, `{"msg_id":"l","msg_type":["kernel_info_request"]}`} {
			_ = c.Send(x.parts(h, "{}", "{}", "{}")...)
		}
	}},
	{"strings with every kind of character", func(x *target) {
		c := x.shell()
		for i, s := range []string{`\u0000`, `\ud83d`, `\ude00\ud83d`, `\uffff\ufffe`, `\u2028\u2029`, `\u202e`, "\U0010ffff", "\u200b\ufeff", `\"\\\/\b\f\n\r\t`, "\x7f", `\u001b[31m`} {
			for _, field := range []string{"msg_id", "session", "username", "subshell_id"} {
				id := fmt.Sprintf(`"ch%d%s"`, i, field)
				if field == "msg_id" {
					id = `"` + s + `"`
				}
				_ = c.Send(x.parts(fmt.Sprintf(`{"msg_type":"kernel_info_request","%s":"%s","msg_id":%s}`, field, s, id), "{}", "{}", "{}")...)
			}
			_ = c.Send(x.parts(fmt.Sprintf(`{"msg_id":"chc%d","msg_type":"execute_request"}`, i), "{}", "{}", fmt.Sprintf(`{"code":"let x %s","user_expressions":{"%s":"%s"}}`, s, s, s))...)
		}
	}},
	{"every field of every request of every type", func(x *target) {
		values := []string{"null", "true", "-1", "1.5", "1e400", "9223372036854775808", `""`, `"\ud800"`, "[]", "[[]]", "{}", `{"a":{"b":[1]}}`, "NaN", "-Infinity"}
		fields := map[string][]string{
			"execute_request":         {"code", "silent", "store_history", "user_expressions", "allow_stdin", "stop_on_error"},
			"complete_request":        {"code", "cursor_pos"},
			"inspect_request":         {"code", "cursor_pos", "detail_level"},
			"is_complete_request":     {"code"},
			"history_request":         {"hist_access_type", "output", "raw", "session", "start", "stop", "n", "pattern", "unique"},
			"comm_info_request":       {"target_name"},
			"comm_open":               {"comm_id", "target_name", "target_module", "data"},
			"comm_msg":                {"comm_id", "data"},
			"comm_close":              {"comm_id", "data"},
			"delete_subshell_request": {"subshell_id"},
			"debug_request":           {"type", "seq", "command", "arguments"},
		}
		shell, control := x.shell(), x.open(x.conn.ControlPort, "DEALER")
		for msgType, names := range fields {
			c := shell
			if strings.HasPrefix(msgType, "delete") || strings.HasPrefix(msgType, "debug") {
				c = control
			}
			for _, name := range names {
				for i, v := range values {
					head := fmt.Sprintf(`{"msg_id":"ef%s%s%d","msg_type":%q}`, msgType, name, i, msgType)
					rest := ""
					if name != "code" && strings.HasSuffix(msgType, "_request") {
						rest = `,"code":"let x 1"`
					}
					_ = c.Send(x.parts(head, "{}", "{}", fmt.Sprintf(`{%q:%s%s}`, name, v, rest))...)
				}
			}
		}
	}},
	{"shutdowns without a meaning", func(x *target) {
		c := x.open(x.conn.ControlPort, "DEALER")
		for i, v := range []string{`"false"`, "0", "[]", "{}", "1e400"} {
			_ = c.Send(x.parts(fmt.Sprintf(`{"msg_id":"sd%d","msg_type":"shutdown_request"}`, i), "{}", "{}", `{"restart":`+v+`}`)...)
			if _, err := c.Receive(10 * time.Second); err != nil {
				x.t.Error(err)
			}
		}
	}},
	{"a hundred kernel_info of each of many", func(x *target) {
		for range 100 {
			c := x.shell()
			x.post(c, 100, "kernel_info_request", constant(struct{}{}))
		}
	}},
	{"subshells made and deleted, in number", func(x *target) {
		c := x.open(x.conn.ControlPort, "DEALER")
		s := x.shell()
		for range 200 {
			id := x.subshell(c)
			_ = s.Send(x.parts(fmt.Sprintf(`{"msg_id":"in%s","msg_type":"execute_request","subshell_id":%q}`, id, id), "{}", "{}", `{"code":"sleep 1ms","silent":true}`)...)
			_ = c.Send(x.signed("delete_subshell_request", map[string]any{"subshell_id": id})...)
			if _, err := c.Receive(10 * time.Second); err != nil {
				x.t.Fatal(err)
			}
		}
	}},
	{"cells for subshells that are being deleted", func(x *target) {
		c, s := x.open(x.conn.ControlPort, "DEALER"), x.shell()
		id := x.subshell(c)
		for i := range 100 {
			_ = s.Send(x.parts(fmt.Sprintf(`{"msg_id":"dl%d","msg_type":"execute_request","subshell_id":%q}`, i, id), "{}", "{}", `{"code":"sleep 2ms"}`)...)
			if i == 50 {
				_ = c.Send(x.signed("delete_subshell_request", map[string]any{"subshell_id": id})...)
			}
		}
		for i := range 100 {
			if _, err := s.Receive(10 * time.Second); err != nil {
				x.t.Fatalf("cell %d of the subshell is not answered: %v", i, err)
			}
		}
	}},
	{"interrupts between cells, in number", func(x *target) {
		c, s := x.open(x.conn.ControlPort, "DEALER"), x.shell()
		for i := range 300 {
			_ = s.Send(x.signed("execute_request", map[string]any{"code": "let x " + strconv.Itoa(i), "silent": true, "stop_on_error": false})...)
			_ = c.Send(x.signed("interrupt_request", struct{}{})...)
		}
		for i := range 300 {
			if _, err := s.Receive(15 * time.Second); err != nil {
				x.t.Fatalf("cell %d: %v", i, err)
			}
		}
		time.Sleep(1100 * time.Millisecond) // the last interrupt is over
	}},
	{"input for a client without stdin", func(x *target) {
		c := x.shell()
		_ = c.Send(x.signed("execute_request", map[string]any{"code": "input who", "silent": true, "allow_stdin": true})...)
		if _, err := c.Receive(15 * time.Second); err != nil {
			x.t.Error(err)
		}
	}},
	{"inputs asked for by a client that has gone", func(x *target) {
		for range 3 {
			c := x.shell()
			stdin := x.open(x.conn.StdinPort, "DEALER")
			_ = c.Send(x.signed("execute_request", map[string]any{"code": "input who", "silent": true, "allow_stdin": true})...)
			if _, err := stdin.Receive(10 * time.Second); err != nil {
				x.t.Error(err)
			}
			_, _ = c.Close(), stdin.Close()
			_ = x.open(x.conn.ControlPort, "DEALER").Send(x.signed("interrupt_request", struct{}{})...)
			x.answered(x.shell())
			time.Sleep(1100 * time.Millisecond)
		}
	}},
	{"comms of all kinds in one breath", func(x *target) {
		c := x.shell()
		for i := range 500 {
			id := strconv.Itoa(i)
			for _, kind := range []string{"comm_msg", "comm_open", "comm_open", "comm_msg", "comm_close", "comm_close", "comm_msg"} {
				f := x.signed(kind, map[string]any{"comm_id": id, "target_name": "beside", "data": map[string]any{"i": i}})
				if c.Send(append(f, []byte("buffer"))...) != nil {
					return
				}
			}
		}
	}},
	{"histories of each kind, in number", func(x *target) {
		c := x.shell()
		for i, kind := range []string{"tail", "range", "search"} {
			x.post(c, 300, "history_request", constant(map[string]any{"hist_access_type": kind, "n": 1 << 30, "session": -i, "start": -5, "stop": 1 << 40, "pattern": "*[", "output": true}))
		}
	}},
	{"requests on iopub and on the heartbeat", func(x *target) {
		for _, port := range []int{x.conn.IOPubPort, x.conn.HBPort} {
			c := x.open(port, x.socketOf(port))
			for _, msgType := range everyRequest {
				_ = c.Send(x.signed(msgType, map[string]any{"code": "exit 3"})...)
			}
			_ = c.Send(x.signed("shutdown_request", map[string]any{"restart": false})...)
		}
	}},
	{"cells that end with their client's silence", func(x *target) {
		c := x.shell()
		for i := range 50 {
			_ = c.Send(x.signed("execute_request", map[string]any{"code": "repeat 50 print " + strconv.Itoa(i) + "\nerror e", "stop_on_error": true})...)
		}
		drop(c)
	}},
	{"expressions that are not expressions", func(x *target) {
		c := x.shell()
		for i, v := range []string{`{"a":3}`, `{"a":null}`, `{"":""}`, `{"a":"exit 3"}`, `{"` + strings.Repeat("k", 1<<20) + `":"x"}`, `[["a","b"]]`} {
			_ = c.Send(x.parts(fmt.Sprintf(`{"msg_id":"ux%d","msg_type":"execute_request"}`, i), "{}", "{}", `{"code":"let x 1","silent":true,"user_expressions":`+v+`}`)...)
			if _, err := c.Receive(10 * time.Second); err != nil {
				x.t.Error(err)
			}
		}
	}},
}

// subshell makes one by the control connection c and gives its id.
func (x *target) subshell(c *fakefrontend.Conn) string {
	x.t.Helper()
	_ = c.Send(x.signed("create_subshell_request", struct{}{})...)
	frames, err := c.Receive(10 * time.Second)
	if err != nil {
		x.t.Fatal(err)
	}
	m, err := x.codec.Decode(frames)
	var made struct {
		ID string `json:"subshell_id"`
	}
	if err != nil || json.Unmarshal(m.Content, &made) != nil {
		x.t.Fatal(err)
	}
	return made.ID
}
