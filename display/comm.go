package display

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"sync"
)

// Comm is an open comm: a two-way channel between the session and code in the
// front end, such as a widget. Its methods are safe for concurrent use.
type Comm struct {
	// ID is the comm's number, Target the name that the other end answers to.
	ID, Target string

	mu      sync.Mutex
	message func(data map[string]any, buffers [][]byte)
	closed  func(data map[string]any)
}

// sender is an [Output] that takes comm messages too. A kernel's language.Host
// is one; standard output is not.
type sender interface {
	Comm(kind string, content, metadata map[string]any, buffers [][]byte)
}

// comms are the open comms and the targets that cells have registered.
var comms = struct {
	sync.Mutex
	open    map[string]*Comm
	targets map[string]func(c *Comm, data map[string]any)
}{open: map[string]*Comm{}, targets: map[string]func(*Comm, map[string]any){}}

// OpenComm opens a comm to the front end's target of that name; data goes with
// the request.
func OpenComm(target string, data map[string]any) *Comm {
	return openComm(target, data, nil)
}

func openComm(target string, data, metadata map[string]any) *Comm {
	c := &Comm{ID: rand.Text(), Target: target}
	comms.Lock()
	comms.open[c.ID] = c
	comms.Unlock()
	c.send("comm_open", map[string]any{"comm_id": c.ID, "target_name": target, "data": object(data)}, metadata, nil)
	return c
}

// OnComm says what happens when the front end opens a comm to a target of this
// session. A nil function takes the target back.
func OnComm(target string, opened func(c *Comm, data map[string]any)) {
	comms.Lock()
	defer comms.Unlock()
	if opened == nil {
		delete(comms.targets, target)
		return
	}
	comms.targets[target] = opened
}

// OnMessage says what happens with messages from the front end. It runs
// between cells, as if it were one.
func (c *Comm) OnMessage(f func(data map[string]any, buffers [][]byte)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.message = f
}

// OnClose says what happens when the front end closes the comm.
func (c *Comm) OnClose(f func(data map[string]any)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = f
}

// Send sends data, which must be such that encoding/json can write it, and raw
// buffers beside it.
func (c *Comm) Send(data map[string]any, buffers ...[]byte) {
	c.send("comm_msg", map[string]any{"comm_id": c.ID, "data": object(data)}, nil, buffers)
}

// Close closes the comm; data goes with the request.
func (c *Comm) Close(data map[string]any) {
	comms.Lock()
	_, open := comms.open[c.ID]
	delete(comms.open, c.ID)
	comms.Unlock()
	if open {
		c.send("comm_close", map[string]any{"comm_id": c.ID, "data": object(data)}, nil, nil)
	}
}

func (c *Comm) send(kind string, content, metadata map[string]any, buffers [][]byte) {
	if o := output.Load(); o != nil {
		if s, ok := (*o).(sender); ok {
			s.Comm(kind, content, metadata, buffers)
		}
	}
}

// object is data as a JSON object: null is none.
func object(data map[string]any) map[string]any {
	if data == nil {
		return map[string]any{}
	}
	return maps.Clone(data)
}

// commContent is the content of comm_open, comm_msg and comm_close.
type commContent struct {
	ID     string         `json:"comm_id"`
	Target string         `json:"target_name"`
	Data   map[string]any `json:"data"`
}

// HandleComm takes a comm message of the front end. The interpreter calls it.
func HandleComm(kind string, content []byte, buffers [][]byte) {
	var m commContent
	if err := json.Unmarshal(content, &m); err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", kind, err)
		return
	}
	if kind == "comm_open" {
		commOpened(m)
		return
	}
	comms.Lock()
	c := comms.open[m.ID]
	if kind == "comm_close" {
		delete(comms.open, m.ID)
	}
	comms.Unlock()
	if c == nil {
		return // closed here while the message was on its way
	}
	c.mu.Lock()
	message, closed := c.message, c.closed
	c.mu.Unlock()
	switch {
	case kind == "comm_msg" && message != nil:
		message(object(m.Data), buffers)
	case kind == "comm_close" && closed != nil:
		closed(object(m.Data))
	}
}

// commOpened answers a comm_open: one to a target that nobody has registered
// is closed at once, as the protocol asks.
func commOpened(m commContent) {
	c := &Comm{ID: m.ID, Target: m.Target}
	comms.Lock()
	opened := comms.targets[m.Target]
	if opened == nil && m.Target == widgetControl {
		opened = controlOpened
	}
	comms.open[m.ID] = c
	comms.Unlock()
	if opened == nil {
		c.Close(nil)
		return
	}
	opened(c, object(m.Data))
}
