package kernel

import (
	"errors"
	"fmt"

	"gopherlo/internal/atonce"
	"gopherlo/kernel/transport"
	"gopherlo/kernel/wire"
)

// call is one request on its way through a handler.
type call struct {
	*Kernel
	peer *transport.Peer
	msg  *wire.Message
}

// reply answers the request on the connection that asked.
func (c *call) reply(msgType string, content any) {
	m, err := c.origin.Message(msgType, c.msg.RawHeader, content)
	if err != nil {
		c.log.Error("reply", "err", err)
		return
	}
	m.Identities = c.msg.Identities
	c.send(c.peer, m)
}

// row is one message type that a channel handles.
type row struct {
	name string
	// beside is true for requests that wait for the worker: each is served on
	// a goroutine of its own, so that the next one is not held up.
	beside bool
	// quiet is true for rows that send their own status.
	quiet bool
	// first, if not nil, runs before anything is published: publishing may
	// wait for a slow reader of iopub.
	first func(c *call)
	run   func(c *call)
	// subshells is true for rows that only a kernel with subshells has. One
	// without must not reply to them.
	subshells bool
}

// on makes the row of a request: it decodes, calls and replies; errors become
// error replies.
func on[Req, Rep any](r wire.Request[Req, Rep], h func(*call, Req) (Rep, error)) row {
	return row{name: r.Name, run: func(c *call) {
		req, err := r.Decode(c.msg)
		if err != nil {
			c.reply(r.ReplyName(), wire.Failed("ProtocolError", err))
			return
		}
		rep, err := h(c, req)
		if errors.Is(err, errReplied) {
			return
		}
		if err != nil {
			c.reply(r.ReplyName(), wire.Failed("KernelError", err))
			return
		}
		c.reply(r.ReplyName(), rep)
	}}
}

// errReplied is returned by a handler that has sent its reply itself.
var errReplied = errors.New("the reply has been sent")

// onEvent makes the row of a message without a reply.
func onEvent[Content any](e wire.Event[Content], h func(*call, Content)) row {
	return row{name: e.Name, quiet: true, run: func(c *call) {
		content, err := e.Decode(c.msg)
		if err != nil {
			c.log.Warn("message dropped", "err", err)
			return
		}
		h(c, content)
	}}
}

// beside marks a row as one that may wait.
func beside(r row) row {
	r.beside = true
	return r
}

// atOnce gives a row a part that must not wait.
func atOnce(first func(c *call), r row) row {
	r.first = first
	return r
}

// withSubshells marks a row of the subshell requests.
func withSubshells(r row) row {
	r.subshells = true
	return r
}

// quiet marks a row as one that sends its own status.
func quiet(r row) row {
	r.quiet = true
	return r
}

// table makes the rows findable by name.
func table(rows ...row) map[string]row {
	t := make(map[string]row, len(rows))
	for _, r := range rows {
		if _, twice := t[r.name]; twice {
			panic("kernel: two rows for " + r.name)
		}
		t[r.name] = r
	}
	return t
}

// maxBeside bounds the requests that wait for the worker at a time.
const maxBeside = 4096

// serve handles the requests of one channel, in order.
func (k *Kernel) serve(ch *transport.Channel, rows map[string]row) {
	for {
		select {
		case <-ch.Done():
			return
		case in := <-ch.Receive():
			m := k.receive(in)
			if m == nil {
				continue
			}
			r, ok := rows[m.Header.MsgType]
			if !ok || r.subshells && !k.opts.Subshells {
				k.log.Warn("unknown message type", "type", m.Header.MsgType)
				continue
			}
			c := &call{k, in.Peer, m}
			if r.first != nil {
				r.first(c)
			}
			if r.beside {
				k.beside <- struct{}{}
				go func() {
					defer func() { <-k.beside }()
					k.handle(c, r)
				}()
			} else {
				k.handle(c, r)
			}
		}
	}
}

// handle runs a row between busy and idle. A defect in a handler ends its
// request, not the kernel.
func (k *Kernel) handle(c *call, r row) {
	defer func() {
		if p := recover(); p != nil {
			k.log.Error("handler", "type", r.name, "panic", fmt.Sprint(p))
		}
	}()
	k.opts.Activity(true)
	defer k.opts.Activity(false)
	if r.name != wire.Execute.Name { // which is only queued
		atonce.Lasting()
	}
	if r.quiet {
		r.run(c)
		return
	}
	k.iopub.status(c.msg.RawHeader, "busy")
	defer k.iopub.idle(c.msg.RawHeader)
	r.run(c)
}
