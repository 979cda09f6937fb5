package kernel_test

import (
	"bytes"
	"fmt"
	"net"
	"strconv"
	"strings"
	"time"

	"gopherlo/internal/fakefrontend"
)

// post sends signed messages on one connection, until one does not go out.
func (x *target) post(c *fakefrontend.Conn, n int, msgType string, content func(i int) any) {
	_ = c.SetWriteDeadline(time.Now().Add(10 * time.Second))
	for i := range n {
		if c.Send(x.signed(msgType, content(i))...) != nil {
			return
		}
	}
}

func constant(v any) func(int) any { return func(int) any { return v } }

func init() { faults = append(faults, moreFaults...) }

// moreFaults are those of clients that have the key and misuse it, and of
// strangers who take their time.
var moreFaults = []fault{
	{"huge headers", func(x *target) {
		c := x.shell()
		long := strings.Repeat("x", 5<<20)
		for i := range 10 {
			_ = c.Send(x.parts(fmt.Sprintf(`{"msg_id":"h%d","msg_type":"kernel_info_request","session":%q}`, i, long), "{}", "{}", "{}")...)
		}
		_ = c.Send(x.parts(fmt.Sprintf(`{"msg_id":%q,"msg_type":"kernel_info_request"}`, long), "{}", "{}", "{}")...)
		_ = c.Send(x.parts(fmt.Sprintf(`{"msg_id":"t","msg_type":%q}`, long), "{}", "{}", "{}")...)
		var keys strings.Builder
		for i := range 100000 {
			fmt.Fprintf(&keys, `,"k%d":%d`, i, i)
		}
		_ = c.Send(x.parts(`{"msg_id":"k","msg_type":"kernel_info_request"`+keys.String()+`}`, "{}", "{}", "{}")...)
	}},
	{"deep content", func(x *target) {
		c := x.shell()
		for i, depth := range []int{100, 9999, 10001, 1000000} {
			deep := strings.Repeat("[", depth) + strings.Repeat("]", depth)
			for _, msgType := range []string{"execute_request", "comm_open", "comm_msg", "kernel_info_request", "history_request", "inspect_request"} {
				h := fmt.Sprintf(`{"msg_id":"d%d%s","msg_type":%q}`, i, msgType, msgType)
				_ = c.Send(x.parts(h, "{}", `{"a":`+deep+`}`, `{"code":"let x 1","silent":true,"comm_id":"c","target_name":"none","data":`+deep+`,"user_expressions":{"a":`+deep+`}}`)...)
			}
		}
	}},
	{"not UTF-8", func(x *target) {
		c := x.shell()
		for i, bad := range []string{"\xff", "\xc0\x80", "\xed\xa0\x80", "\xf8\x88\x80\x80\x80", "a\x80", "\x00"} {
			h := fmt.Sprintf(`{"msg_id":"u%d","msg_type":"execute_request"}`, i)
			_ = c.Send(x.parts(h, "{}", "{}", `{"code":"let x `+bad+`","silent":true}`)...)
			_ = c.Send(x.parts(strings.Replace(h, `"u`, `"`+bad, 1), "{}", "{}", `{"code":"let x 1"}`)...)
			_ = c.Send(x.parts(strings.Replace(h, `"u`, `"v`, 1), `{"a":"`+bad+`"}`, `{"`+bad+`":1}`, `{"code":"let x 1"}`)...)
		}
	}},
	{"one msg_id", func(x *target) {
		c := x.shell()
		for i := range 200 {
			_ = c.Send(x.parts(`{"msg_id":"same","msg_type":"execute_request"}`, "{}", "{}", fmt.Sprintf(`{"code":"let x %d","silent":true}`, i))...)
		}
	}},
	{"keys twice", func(x *target) {
		_ = x.shell().Send(x.parts(`{"msg_id":"a","msg_type":"nothing","msg_type":"execute_request","msg_id":"b"}`, `{"a":1,"a":2}`, "{}", `{"code":"exit 1","code":"let x 1","silent":true}`)...)
	}},
	{"numbers", func(x *target) {
		c := x.shell()
		for i, n := range []string{"1.5", "-0", "1e3", "1e300", "1E-400", "99999999999999999999999", "0x1", "01", "NaN", "Infinity"} {
			for _, msgType := range []string{"complete_request", "inspect_request", "history_request"} {
				_ = c.Send(x.parts(fmt.Sprintf(`{"msg_id":"n%d%s","msg_type":%q}`, i, msgType, msgType), "{}", "{}", fmt.Sprintf(`{"code":"a","cursor_pos":%s,"detail_level":%s,"hist_access_type":"tail","n":%s}`, n, n, n))...)
			}
		}
	}},
	{"many small frames", func(x *target) {
		c := x.shell()
		_ = c.SetWriteDeadline(time.Now().Add(10 * time.Second))
		f := x.signed("kernel_info_request", struct{}{})
		for len(f) < 4000 {
			f = append(f, []byte{1})
		}
		for range 500 {
			if c.Send(f...) != nil {
				break
			}
		}
	}},
	{"fifty of one identity", func(x *target) {
		var all []*fakefrontend.Conn
		for range 50 {
			all = append(all, x.shell())
		}
		for _, c := range all {
			_ = c.Send(x.signed("kernel_info_request", struct{}{})...)
		}
		for i, c := range all {
			if _, err := c.Receive(patience); err != nil {
				x.t.Errorf("connection %d: %v", i, err)
			}
		}
	}},
	{"reserved identities", func(x *target) {
		for _, id := range []string{"", "\x00", "\x00\x01\x02\x03\x04", strings.Repeat("\xff", 255)} {
			x.say(greeting, fakefrontend.Ready("DEALER", id))
		}
	}},
	{"half closed", func(x *target) {
		x.each(func(port int) {
			c := x.raw(port)
			_, _ = c.Write(hello)
			if half, ok := c.(interface{ CloseWrite() error }); ok {
				_ = half.CloseWrite()
			}
		})
		c := x.shell()
		_ = c.Send(x.signed("kernel_info_request", struct{}{})...)
		if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
			_ = half.CloseWrite()
		}
	}},
	{"reset", func(x *target) {
		for range 50 {
			x.each(func(port int) {
				c := x.raw(port)
				if tcp, ok := c.(*net.TCPConn); ok {
					_ = tcp.SetLinger(0)
				}
				_, _ = c.Write(hello)
				_ = c.Close()
			})
		}
	}},
	{"byte by byte", func(x *target) {
		var slow []net.Conn
		x.each(func(port int) {
			for range 20 {
				slow = append(slow, x.raw(port))
			}
		})
		for _, b := range hello[:60] {
			for _, c := range slow {
				_, _ = c.Write([]byte{b})
			}
			time.Sleep(5 * time.Millisecond)
		}
	}},
	{"a thousand connections", func(x *target) {
		for range 200 {
			x.each(func(port int) { _, _ = x.raw(port).Write(greeting[:1]) })
		}
	}},
	{"subscribed and unsubscribed", func(x *target) {
		c := x.open(x.conn.IOPubPort, "SUB")
		_ = c.SetWriteDeadline(time.Now().Add(10 * time.Second))
		on, off := fakefrontend.Frame(0, []byte("\x01topic")), fakefrontend.Frame(0, []byte("\x00topic"))
		_, _ = c.Write(bytes.Repeat(append(on, off...), 50000))
		for range 100 {
			_ = c.Send([]byte{0})
			_ = c.Send(append([]byte{1}, make([]byte, 60000)...))
		}
	}},
	{"comm flood", func(x *target) {
		c := x.shell()
		x.post(c, 3000, "comm_open", func(i int) any {
			return map[string]any{"comm_id": "c" + strconv.Itoa(i%1000), "target_name": "none", "data": map[string]any{}}
		})
		x.post(c, 1000, "comm_msg", constant(map[string]any{"comm_id": "nobody", "data": map[string]any{}}))
		x.post(c, 1000, "comm_close", constant(map[string]any{"comm_id": "nobody"}))
	}},
	{"buffers of comms", func(x *target) {
		c := x.shell()
		f := x.signed("comm_msg", map[string]any{"comm_id": "a", "data": map[string]any{}})
		for range 30 {
			f = append(f, make([]byte, 1<<20))
		}
		_ = c.Send(f...)
	}},
	{"input replies", func(x *target) {
		x.post(x.open(x.conn.StdinPort, "DEALER"), 5000, "input_reply", constant(map[string]any{"value": "x"}))
	}},
	{"interrupts", func(x *target) {
		x.post(x.open(x.conn.ControlPort, "DEALER"), 2000, "interrupt_request", constant(struct{}{}))
		time.Sleep(100 * time.Millisecond)
	}},
	{"subshells", func(x *target) {
		c := x.open(x.conn.ControlPort, "DEALER")
		x.post(c, 200, "create_subshell_request", constant(struct{}{}))
		var made []string
		for range 200 {
			frames, err := c.Receive(patience)
			if err != nil {
				x.t.Fatal(err)
			}
			if m, err := x.codec.Decode(frames); err == nil {
				if _, id, ok := strings.Cut(string(m.Content), `"subshell_id":"`); ok {
					made = append(made, strings.SplitN(id, `"`, 2)[0])
				}
			}
		}
		if len(made) == 0 || len(made) > 64 {
			x.t.Errorf("%d subshells", len(made))
		}
		x.post(c, len(made), "delete_subshell_request", func(i int) any { return map[string]any{"subshell_id": made[i]} })
		x.post(c, 100, "delete_subshell_request", constant(map[string]any{"subshell_id": 3}))
		for range len(made) + 100 { // a connection that is closed with replies unread takes requests along
			if _, err := c.Receive(patience); err != nil {
				x.t.Fatal(err)
			}
		}
	}},
	{"shutdowns that are none", func(x *target) {
		for _, content := range []any{[]int{1}, "x", 3, nil, map[string]any{"restart": "yes"}, map[string]any{"restart": []int{}}} {
			for _, port := range []int{x.conn.ShellPort, x.conn.ControlPort} {
				if _, ok := content.(map[string]any); content == nil || !ok {
					continue // null is an empty object, which asks for it
				}
				_ = x.open(port, "DEALER").Send(x.signed("shutdown_request", content)...)
			}
		}
		time.Sleep(100 * time.Millisecond)
	}},
	{"debugger", func(x *target) {
		c := x.open(x.conn.ControlPort, "DEALER")
		for _, content := range []any{[]int{}, map[string]any{"seq": "x"}, map[string]any{"type": 3, "command": []int{}}, map[string]any{"seq": 1 << 62, "command": strings.Repeat("c", 1<<20)}} {
			_ = c.Send(x.signed("debug_request", content)...)
		}
	}},
	{"cells and gone", func(x *target) {
		c := x.shell()
		x.post(c, 1000, "execute_request", constant(map[string]any{"code": "let x 1"}))
		_ = c.Close()
	}},
	{"big cells", func(x *target) {
		c := x.shell()
		for range 3 {
			_ = c.Send(x.signed("execute_request", map[string]any{"code": "let x " + strings.Repeat("x", 5<<20), "silent": true})...)
		}
	}},
	{"many expressions", func(x *target) {
		all := map[string]any{}
		for i := range 20000 {
			all["e"+strconv.Itoa(i)] = "x"
		}
		_ = x.shell().Send(x.signed("execute_request", map[string]any{"code": "let x 1", "silent": true, "user_expressions": all})...)
	}},
	{"patterns", func(x *target) {
		x.post(x.shell(), 5, "history_request", constant(map[string]any{"hist_access_type": "search", "n": 10, "pattern": strings.Repeat("*a", 500) + "b", "unique": true, "output": true}))
	}},
}
