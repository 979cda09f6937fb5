package transport

import (
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-zeromq/zmq4"
	"github.com/go-zeromq/zmq4/security/null"
)

// Class says what may happen to a message when its reader is too slow.
type Class int

const (
	// Must is for replies, status and errors: never dropped; a reader that
	// lets too many of them lie is cut.
	Must Class = iota
	// Droppable is for streams and displays: they wait for a slow reader for a
	// while and are then dropped, for that reader only.
	Droppable
)

// Weight of a queued message and of a frame beside its bytes, so that many
// small messages count for what they take.
const (
	messageWeight = 512
	frameWeight   = 64
	// hardStranger is the bound for a peer that has not shown the key: only
	// echoes and answers to commands can be queued for it.
	hardStranger = 1 << 20
	// maxLoose bounds what is queued for all peers together that nobody with the
	// key has caused. Beyond it a peer with more than a small share is cut.
	maxLoose   = 32 << 20
	looseShare = 16 << 10
	// maxContext is the length of a PING's context (RFC 37).
	maxContext = 16
)

// Peer is one connection of a client to one channel.
type Peer struct {
	ch   *Channel
	g    *guard
	conn *zmq4.Conn
	id   string // the client's own name for itself, shared by its channels
	born time.Time
	// opened is set once the handshake is over and id is there.
	opened atomic.Bool

	mu      sync.Mutex
	wake    sync.Cond // the queue has changed
	queue   []item
	bytes   int64 // weight of the queue and of what is being written
	busy    bool  // the writer is writing
	closed  bool
	slow    bool // outputs are dropped until the queue has drained
	dropped int  // outputs dropped since it became slow
	topics  map[string]struct{}
	trusted bool // a message of this peer had the right signature
	active  time.Time

	topicBytes int       // length of the topics together
	wrote      time.Time // when something last left the queue, or it began to fill
}

// item is a message or, with a name, a command. It is loose when it answers what
// any peer can send: an echo, a pong, a welcome.
type item struct {
	frames [][]byte
	name   string
	weight int64
	loose  bool
}

func newPeer(ch *Channel, raw net.Conn) *Peer {
	now := time.Now()
	p := &Peer{ch: ch, topics: map[string]struct{}{}, born: now, active: now}
	p.wake.L = &p.mu
	p.g = newGuard(raw, ch.inbound(), &ch.cfg.budgets)
	p.g.trusted = p.isTrusted
	p.g.written = p.progress
	p.g.command = p.command
	return p
}

// Identity is the name the client gave itself. Jupyter clients give the same
// one on all channels, which is how the kernel finds whom to ask for input.
func (p *Peer) Identity() string { return p.id }

// Trust marks a peer whose messages carry the key's signature; when a channel
// is full, others have to go first.
func (p *Peer) Trust() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.trusted = true
}

func (p *Peer) isTrusted() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.trusted
}

// secured puts a secured connection in place of the raw one. It reports false
// when the peer was closed meanwhile.
func (p *Peer) secured(conn net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		_ = conn.Close()
		return false
	}
	p.g.replace(conn)
	return true
}

// open does the ZMTP handshake. The engine panics on malformed metadata and on
// unknown socket types; it runs on our goroutine, so that ends here.
func (p *Peer) open() (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("handshake: %v", r)
		}
	}()
	if err := p.g.SetDeadline(time.Now().Add(p.ch.cfg.Limits.Handshake)); err != nil {
		return err
	}
	p.conn, err = zmq4.Open(p.g, null.Security(), p.ch.socketType, nil, true, nil)
	if err != nil {
		return err
	}
	p.id = p.conn.Peer.Meta["Identity"]
	if len(p.id) > 255 { // RFC 23: an identity has at most 255 bytes
		return fmt.Errorf("identity of %d bytes", len(p.id))
	}
	p.g.opened = true
	return p.g.SetDeadline(time.Time{})
}

// receive reads messages until the peer goes or breaks a rule.
func (p *Peer) receive() (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("receive: %v", r)
		}
	}()
	for {
		m, err := p.conn.RecvMsg()
		if err != nil {
			return err
		}
		p.ch.deliver(p, m.Frames)
		p.g.release()
	}
}

// command answers ZMTP commands; it runs on the reading goroutine.
func (p *Peer) command(name string, body []byte) {
	switch name {
	case zmq4.CmdPing:
		var context []byte
		if len(body) > 2 { // two bytes of time-to-live, then the context to return
			context = body[2:min(len(body), 2+maxContext)]
		}
		p.enqueue(item{frames: [][]byte{context}, name: zmq4.CmdPong, loose: true}, Must, time.Time{})
	case zmq4.CmdSubscribe:
		p.ch.subscribe(p, true, body)
	case zmq4.CmdUnsubscribe:
		p.ch.subscribe(p, false, body)
	}
}

// Send queues a message for the peer. It never waits for a Must message.
func (p *Peer) Send(frames [][]byte, class Class) { p.send(frames, class, time.Time{}) }

func (p *Peer) send(frames [][]byte, class Class, end time.Time) {
	p.enqueue(item{frames: frames, weight: weigh(frames)}, class, end)
}

// sendLoose queues a message that answers what any peer can send.
func (p *Peer) sendLoose(frames [][]byte) {
	p.enqueue(item{frames: frames, weight: weigh(frames), loose: true}, Must, time.Time{})
}

func weigh(frames [][]byte) int64 {
	weight := int64(messageWeight)
	for _, f := range frames {
		weight += frameWeight + int64(len(f))
	}
	return weight
}

// enqueue queues an item. A droppable one may wait for room, and not beyond the
// end, if there is one: all readers of a message have the same.
func (p *Peer) enqueue(it item, class Class, end time.Time) {
	if it.weight == 0 {
		it.weight = messageWeight
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	limits := &p.ch.cfg.Limits
	if class == Droppable && p.bytes >= limits.Soft {
		if !p.slow {
			p.awaitRoom(limits.Soft, limits.Stall, end)
		}
		if p.bytes >= limits.Soft {
			p.slow = true
			p.dropped++
			return
		}
	}
	if p.closed {
		return
	}
	over := it.loose && p.bytes > looseShare && p.ch.cfg.loose.Load()+it.weight > maxLoose
	if over || p.bytes > 0 && p.bytes+it.weight > p.hard() {
		p.ch.cfg.Log.Warn("peer cut: it does not read", "channel", p.ch.name, "queued", p.bytes)
		p.closeLocked()
		return
	}
	if p.bytes == 0 {
		p.wrote = time.Now()
	}
	p.bytes += it.weight
	if it.loose {
		p.ch.cfg.loose.Add(it.weight)
	}
	p.queue = append(p.queue, it)
	p.wake.Broadcast()
}

// hard is the weight of unread messages at which the peer is cut; p.mu is held.
func (p *Peer) hard() int64 {
	switch {
	case p.ch.kind == Publisher:
		return p.ch.cfg.Limits.Hard
	case p.trusted:
		return p.ch.cfg.Limits.HardReply
	}
	return hardStranger
}

// awaitRoom waits until the queue is below the bound, as long as the peer reads
// at all; p.mu is held.
func (p *Peer) awaitRoom(bound int64, patience time.Duration, end time.Time) {
	if now := time.Now(); end.IsZero() || end.After(now.Add(patience)) {
		end = now.Add(patience)
	}
	until := func() time.Time {
		if stuck := p.wrote.Add(patience); stuck.Before(end) {
			return stuck
		}
		return end
	}
	t := time.AfterFunc(time.Until(until()), func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.wake.Broadcast()
	})
	defer t.Stop()
	for p.bytes >= bound && !p.closed && time.Now().Before(until()) {
		t.Reset(time.Until(until()))
		p.wake.Wait()
	}
}

// progress is told of bytes written in the middle of a batch.
func (p *Peer) progress(int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.active = time.Now()
	p.wrote = p.active
}

// batchWeight bounds what the writer gathers for one system call.
const batchWeight = 256 << 10

// write sends what is queued until the peer is closed. It owns the write side
// of the connection.
func (p *Peer) write() {
	for {
		p.mu.Lock()
		for len(p.queue) == 0 && !p.closed {
			p.wake.Wait()
		}
		if p.closed {
			p.mu.Unlock()
			return
		}
		n, weight := 0, int64(0)
		for n < len(p.queue) && (n == 0 || weight < batchWeight) {
			weight += p.queue[n].weight
			n++
		}
		batch := append([]item(nil), p.queue[:n]...)
		clear(p.queue[:n])
		if p.queue = p.queue[n:]; len(p.queue) == 0 {
			p.queue = nil
		}
		p.busy = true
		p.mu.Unlock()
		err := p.writeBatch(batch)
		p.ch.cfg.loose.Add(-looseOf(batch))
		p.mu.Lock()
		p.busy = false
		p.bytes -= weight
		var lost int
		if p.slow && p.bytes < p.ch.cfg.Limits.Soft/2 {
			p.slow, lost, p.dropped = false, p.dropped, 0
		}
		p.wake.Broadcast()
		p.mu.Unlock()
		if err != nil {
			p.close()
			return
		}
		if lost > 0 && p.ch.cfg.Dropped != nil {
			p.ch.cfg.Dropped(p, lost)
		}
	}
}

// looseOf is the weight of the loose ones of items.
func looseOf(items []item) (weight int64) {
	for _, it := range items {
		if it.loose {
			weight += it.weight
		}
	}
	return weight
}

func (p *Peer) writeBatch(batch []item) (err error) {
	for _, it := range batch {
		if it.name != "" {
			err = p.conn.SendCmd(it.name, it.frames[0])
		} else {
			err = p.conn.SendMsg(zmq4.NewMsgFrom(it.frames...))
		}
		if err != nil {
			return err
		}
	}
	return p.g.flush()
}

// close ends the connection and both goroutines.
func (p *Peer) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closeLocked()
}

func (p *Peer) closeLocked() {
	if !p.closed {
		p.closed = true
		p.ch.cfg.loose.Add(-looseOf(p.queue))
		p.queue = nil
		_ = p.g.Close()
		p.wake.Broadcast()
	}
}

// linger waits until all is written, at most until the deadline.
func (p *Peer) linger(deadline time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	t := time.AfterFunc(time.Until(deadline), func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.wake.Broadcast()
	})
	defer t.Stop()
	for !p.closed && (len(p.queue) > 0 || p.busy) && time.Now().Before(deadline) {
		p.wake.Wait()
	}
}
