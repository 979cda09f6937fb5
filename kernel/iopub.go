package kernel

import (
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"
	"unicode/utf8"

	"gopherlo/kernel/transport"
	"gopherlo/kernel/wire"
)

const (
	// flushSize and flushTime bound how much text, and for how long, is
	// gathered into one stream message. Jupyter Server drops output above
	// 1000 messages a second.
	flushSize = 64 << 10
	flushTime = 100 * time.Millisecond
	// keptCells is how many finished cells can still have late output of
	// their own; output of older ones goes to the newest cell.
	keptCells = 4096
)

// iopub publishes outputs in order. All of it happens under one lock.
type iopub struct {
	k  *Kernel
	ch *transport.Channel

	mu         sync.Mutex
	cells      map[int64]*output
	foreground *output   // the running cell, else the last one
	running    []*output // running cells, oldest first
	timer      *time.Timer
	waiting    []*output // with gathered text
	shown      sync.Cond // an announced cell has begun
}

// output is where the messages of one cell go.
type output struct {
	cell   int64
	parent json.RawMessage
	silent bool
	early  bool   // the worker may have it and busy is not published yet
	name   string // stream of text
	text   []byte // gathered and not yet sent
}

func newIOPub(k *Kernel) *iopub {
	p := &iopub{k: k, cells: map[int64]*output{}, foreground: &output{parent: emptyHeader}}
	p.shown.L = &p.mu
	return p
}

// publish sends one message; the caller holds the lock.
func (p *iopub) publish(msgType string, parent, content, metadata json.RawMessage, buffers [][]byte, class transport.Class) {
	if p.ch == nil {
		return
	}
	m := &wire.Message{
		Header: p.k.origin.Header(msgType), Parent: parent, Content: content, Metadata: metadata, Buffers: buffers,
		Identities: [][]byte{[]byte("kernel." + p.k.origin.Session + "." + msgType)},
	}
	frames, err := p.k.codec.Encode(m)
	if err != nil {
		p.k.log.Error("message not published", "type", msgType, "err", err)
		return
	}
	if len(parent) > 0 {
		p.ch.PublishReply(frames, class)
	} else {
		p.ch.Publish(frames, class)
	}
}

// encodeAndPublish is publish for a content that is not yet JSON.
func (p *iopub) encodeAndPublish(msgType string, parent json.RawMessage, content any, class transport.Class) {
	raw, err := wire.Encode(content)
	if err != nil {
		p.k.log.Error("message not published", "type", msgType, "err", err)
		return
	}
	p.publish(msgType, parent, raw, nil, nil, class)
}

// welcome is the message that answers a subscription. Its topic is the
// subscription itself, so that it passes the subscriber's own filter.
func (p *iopub) welcome(topic string) [][]byte {
	m, err := p.k.origin.Message(wire.Welcome.Name, nil, wire.WelcomeContent{Subscription: topic})
	if err != nil {
		return nil
	}
	m.Identities = [][]byte{[]byte(topic)}
	frames, err := p.k.codec.Encode(m)
	if err != nil {
		return nil
	}
	return frames
}

// reportDropped tells a slow reader what it has lost.
func (p *iopub) reportDropped(peer *transport.Peer, n int) {
	p.mu.Lock()
	parent := p.foreground.parent
	p.mu.Unlock()
	m, err := p.k.origin.Message(wire.Stream.Name, parent, wire.StreamContent{
		Name: "stderr", Text: fmt.Sprintf("\n[%d outputs were dropped: this client read too slowly]\n", n),
	})
	if err != nil {
		return
	}
	m.Identities = [][]byte{[]byte("kernel." + p.k.origin.Session + ".stream")}
	if frames, err := p.k.codec.Encode(m); err == nil {
		peer.Send(frames, transport.Must)
	}
}

// status publishes a state on a parent.
func (p *iopub) status(parent json.RawMessage, state string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.setStatus(parent, state)
}

func (p *iopub) setStatus(parent json.RawMessage, state string) {
	p.encodeAndPublish(wire.Status.Name, parent, wire.StatusContent{ExecutionState: state}, transport.Must)
}

// idle ends a request that is not a cell. Front ends take the last status for
// the kernel's: when a cell runs, they are told so again.
func (p *iopub) idle(parent json.RawMessage) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.setStatus(parent, "idle")
	p.busyAgain()
}

// busyAgain publishes busy for the oldest running cell, if there is one.
func (p *iopub) busyAgain() {
	if len(p.running) > 0 {
		p.setStatus(p.running[0].parent, "busy")
	}
}

// announce makes room for a cell that is given to the worker. Its outputs wait
// until begun is called. Native text goes to the cell of the main shell.
func (p *iopub) announce(cell int64, parent json.RawMessage, silent, main bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	o := &output{cell: cell, parent: parent, silent: silent, early: true}
	p.cells[cell] = o
	delete(p.cells, cell-keptCells)
	if main || len(p.running) == 0 {
		p.foreground = o
	}
}

// begin makes an announced cell a running one and publishes busy for it.
func (p *iopub) begin(cell int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	o := p.cells[cell]
	p.running = append(p.running, o)
	p.setStatus(o.parent, "busy")
}

// begun lets the outputs of an announced cell come.
func (p *iopub) begun(cell int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cells[cell].early = false
	p.shown.Broadcast()
}

// once returns o when its outputs may come; p.mu is held.
func (p *iopub) once(o *output) *output {
	for o.early {
		p.shown.Wait()
	}
	return o
}

// input publishes execute_input.
func (p *iopub) input(cell int64, code string, count int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.encodeAndPublish(wire.ExecuteInput.Name, p.cells[cell].parent, wire.ExecuteInputContent{Code: code, ExecutionCount: count}, transport.Must)
}

// flush sends what a cell has gathered.
func (p *iopub) flush(cell int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.flushAll(p.find(cell))
}

// end publishes idle for a running cell; none of its own foreground output
// comes after.
func (p *iopub) end(cell int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	o := p.find(cell)
	p.flushAll(o)
	p.running = slices.DeleteFunc(p.running, func(r *output) bool { return r == o })
	p.setStatus(o.parent, "idle")
	p.busyAgain()
}

// find returns where a cell's output goes.
func (p *iopub) find(cell int64) *output {
	if o, ok := p.cells[cell]; ok {
		return p.once(o)
	}
	return p.once(p.foreground)
}

// stream gathers text of a cell.
func (p *iopub) stream(cell int64, name string, text []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.gather(p.find(cell), name, text)
}

// native gathers text of native code, which belongs to the foreground cell.
func (p *iopub) native(name string, text []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.gather(p.once(p.foreground), name, text)
}

func (p *iopub) gather(o *output, name string, text []byte) {
	if o.silent || len(text) == 0 {
		return
	}
	if o.name != name {
		p.flushAll(o)
		o.name = name
	}
	for len(text) > 0 {
		if len(o.text) == 0 {
			p.waiting = append(p.waiting, o)
		}
		n := min(len(text), flushSize-len(o.text))
		o.text = append(o.text, text[:n]...)
		text = text[n:]
		if len(o.text) >= flushSize {
			p.flushSome(o, wholeRunes(o.text))
		}
	}
	if p.timer == nil && len(p.waiting) > 0 {
		p.timer = time.AfterFunc(flushTime, p.tick)
	}
}

// tick sends all gathered text. A last character that is not complete gets
// until the next tick.
func (p *iopub) tick() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.timer = nil
	waiting := p.waiting
	p.waiting = nil
	for _, o := range waiting {
		n := wholeRunes(o.text)
		if n == 0 {
			n = len(o.text)
		}
		p.flushSome(o, n)
		if len(o.text) > 0 {
			p.waiting = append(p.waiting, o)
		}
	}
	if len(p.waiting) > 0 {
		p.timer = time.AfterFunc(flushTime, p.tick)
	}
}

// flushAll sends all that a cell has gathered.
func (p *iopub) flushAll(o *output) {
	if len(o.text) > 0 {
		p.flushSome(o, len(o.text))
	}
}

// flushSome sends the first n bytes gathered.
func (p *iopub) flushSome(o *output, n int) {
	p.encodeAndPublish(wire.Stream.Name, o.parent, wire.StreamContent{Name: o.name, Text: string(o.text[:n])}, transport.Droppable)
	if o.text = append(o.text[:0], o.text[n:]...); len(o.text) > 0 {
		return
	}
	for i, w := range p.waiting {
		if w == o {
			p.waiting = append(p.waiting[:i], p.waiting[i+1:]...)
			break
		}
	}
}

// wholeRunes returns the length of text without a last character whose bytes
// have not all come. Text that is no UTF-8 at all is taken whole.
func wholeRunes(text []byte) int {
	for i := 1; i <= min(utf8.UTFMax, len(text)); i++ {
		at := len(text) - i
		if !utf8.RuneStart(text[at]) {
			continue
		}
		if !utf8.FullRune(text[at:]) {
			return at
		}
		break
	}
	return len(text)
}

// output publishes a message whose content is final, after the text that came
// before it.
func (p *iopub) output(cell int64, msgType string, content, metadata json.RawMessage, buffers [][]byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	o := p.find(cell)
	p.flushAll(o)
	class := transport.Droppable
	switch msgType {
	case wire.CommOpen.Name, wire.CommMsg.Name, wire.CommClose.Name:
	case wire.ExecuteResult.Name, wire.Error.Name:
		class = transport.Must
		fallthrough
	default:
		if o.silent {
			return
		}
	}
	p.publish(msgType, o.parent, content, metadata, buffers, class)
}

// fail publishes an error of a cell that the worker could not report.
func (p *iopub) fail(cell int64, e wire.ErrorContent) {
	if raw, err := wire.Encode(e); err == nil {
		p.output(cell, wire.Error.Name, raw, nil, nil)
	}
}
