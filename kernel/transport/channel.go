package transport

import (
	"bytes"
	"log/slog"
	"math/rand/v2"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-zeromq/zmq4"
)

// Kind is the behaviour of a channel.
type Kind int

const (
	// Router takes requests from many clients and answers each on the
	// connection that asked (shell, control, stdin).
	Router Kind = iota
	// Publisher sends to subscribers and sees their subscriptions (iopub).
	Publisher
	// Echo returns every message to its sender (heartbeat).
	Echo
)

// Message is what a [Router] channel receives.
type Message struct {
	Peer   *Peer
	Frames [][]byte
	// Release is called once it is known whether the message is to be believed:
	// until then its bytes count against what peers may make the kernel hold.
	Release func()
}

// Config is what the channels of one kernel share.
type Config struct {
	Limits Limits
	Log    *slog.Logger
	// Secure, if not nil, is run on each new connection before anything else,
	// under the deadline of the handshake; what it returns is spoken over in
	// the clear. It is the place of CURVE.
	Secure func(net.Conn) (net.Conn, error)
	// Welcome returns the message that answers a new subscription, or nil.
	Welcome func(topic string) [][]byte
	// Dropped is told how many outputs a slow reader lost, once it reads again.
	Dropped func(p *Peer, n int)

	budgets budgets
	loose   atomic.Int64 // see item.loose
}

// Channel is one listening socket with its peers.
type Channel struct {
	name       string
	kind       Kind
	cfg        *Config
	socketType zmq4.SocketType
	ln         net.Listener
	in         chan Message
	done       chan struct{}
	early      early

	mu    sync.Mutex
	peers map[*Peer]struct{}
	wg    sync.WaitGroup // goroutines of peers
}

const (
	// maxTopic bounds a subscription; no topic of a kernel is longer.
	maxTopic = 256
	// maxTopics bounds the subscriptions of a peer together.
	maxTopics = 16 << 10
)

// backlog is how many requests a Router channel holds; then the senders feel it.
const backlog = 16

// Init fills in defaults. It is called once, before the first Listen.
func (c *Config) Init() {
	if c.Limits == (Limits{}) {
		c.Limits = DefaultLimits()
	}
	c.Limits.fitDescriptors()
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	c.budgets = budgets{newBudget(c.Limits.Inbound), newBudget(min(c.Limits.Strangers, c.Limits.Inbound))}
}

// Listen opens a channel at a port of the connection; port is set to the one
// chosen when it was 0.
func Listen(cfg *Config, conn *Connection, name string, kind Kind, port *int) (*Channel, error) {
	ln, got, err := conn.listen(*port)
	if err != nil {
		return nil, err
	}
	*port = got
	types := map[Kind]zmq4.SocketType{Router: "ROUTER", Publisher: "XPUB", Echo: "REP"}
	c := &Channel{
		name: name, kind: kind, cfg: cfg, socketType: types[kind], ln: ln,
		in: make(chan Message, backlog), done: make(chan struct{}),
		peers: map[*Peer]struct{}{},
	}
	go c.accept()
	return c, nil
}

// inbound returns the limits of what peers of this channel may send: only
// requests can be large.
func (c *Channel) inbound() *Limits {
	l := c.cfg.Limits
	switch c.kind {
	case Publisher:
		l.Frame, l.Message, l.Frames = 8<<10, 8<<10, 4
	case Echo:
		l.Frame, l.Message, l.Frames = 64<<10, 64<<10, 16
	}
	return &l
}

// Receive returns the messages of a Router channel. It is never closed; Done
// tells the end.
func (c *Channel) Receive() <-chan Message { return c.in }

// Done is closed when the channel is closed.
func (c *Channel) Done() <-chan struct{} { return c.done }

// accept takes connections until the channel is closed.
func (c *Channel) accept() {
	for {
		raw, err := c.ln.Accept()
		if err != nil {
			select {
			case <-c.done:
				return
			case <-time.After(50 * time.Millisecond): // such as: no descriptors left
				c.makeRoom()
				c.cfg.Log.Warn("accept", "channel", c.name, "err", err)
				continue
			}
		}
		p := newPeer(c, raw)
		if !c.admit(p) {
			_ = raw.Close()
			continue
		}
		go c.serve(p)
	}
}

// admit enters a peer, in place of a less deserving one when the channel is
// full.
func (c *Channel) admit(p *Peer) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	select {
	case <-c.done:
		return false
	default:
	}
	if len(c.peers) >= c.cfg.Limits.Peers {
		victim := c.leastDeserving()
		if victim == nil {
			c.cfg.Log.Warn("connection refused: too many", "channel", c.name)
			return false
		}
		delete(c.peers, victim)
		victim.close()
	}
	c.peers[p] = struct{}{}
	c.wg.Add(1)
	return true
}

// makeRoom closes a peer that can be spared.
func (c *Channel) makeRoom() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if victim := c.leastDeserving(); victim != nil && len(c.peers) > 1 {
		delete(c.peers, victim)
		victim.close()
	}
}

// leastDeserving picks the peer that has been silent longest among those that
// have shown neither the key nor, on iopub, a subscription. Nothing on iopub
// shows the key, so when all have subscribed one of the younger half goes: those
// who were there before a crowd came stay, and who comes after it has a chance.
// c.mu is held.
func (c *Channel) leastDeserving() *Peer {
	var victim *Peer
	var oldest time.Time
	var subscribed []*Peer
	for p := range c.peers {
		p.mu.Lock()
		trusted, subscriber, active := p.trusted, len(p.topics) > 0, p.active
		p.mu.Unlock()
		switch {
		case trusted:
		case subscriber:
			subscribed = append(subscribed, p)
		case victim == nil || active.Before(oldest):
			victim, oldest = p, active
		}
	}
	if victim != nil || len(subscribed) == 0 {
		return victim
	}
	slices.SortFunc(subscribed, func(a, b *Peer) int { return a.born.Compare(b.born) })
	younger := subscribed[len(subscribed)/2:]
	return younger[rand.IntN(len(younger))]
}

// serve runs one peer from handshake to end.
func (c *Channel) serve(p *Peer) {
	defer c.wg.Done()
	defer c.leave(p)
	if c.cfg.Secure != nil {
		_ = p.g.SetDeadline(time.Now().Add(c.cfg.Limits.Handshake))
		inner, err := c.secure(p.g.Conn)
		if err != nil {
			c.cfg.Log.Debug("peer refused", "channel", c.name, "err", err)
			return
		}
		if !p.secured(inner) {
			return
		}
	}
	if err := p.open(); err != nil {
		c.cfg.Log.Debug("peer refused", "channel", c.name, "err", err)
		return
	}
	p.opened.Store(true)
	c.wg.Go(p.write)
	if err := p.receive(); err != nil {
		c.cfg.Log.Debug("peer ended", "channel", c.name, "err", err)
	}
}

// secure runs the security layer; a panic in it ends the peer only.
func (c *Channel) secure(raw net.Conn) (conn net.Conn, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = errCommand
		}
	}()
	return c.cfg.Secure(raw)
}

// leave forgets a peer and closes its connection.
func (c *Channel) leave(p *Peer) {
	p.close()
	p.g.release()
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.peers, p)
}

// deliver handles a message of a peer, on the peer's goroutine.
func (c *Channel) deliver(p *Peer, frames [][]byte) {
	p.mu.Lock()
	p.active = time.Now()
	p.mu.Unlock()
	switch c.kind {
	case Router:
		release := p.g.takeHeld()
		select {
		case c.in <- Message{p, frames, release}:
		case <-c.done:
			release()
		}
	case Publisher:
		if len(frames) == 1 && len(frames[0]) > 0 && frames[0][0] <= 1 {
			c.subscribe(p, frames[0][0] == 1, frames[0][1:])
		}
	case Echo:
		p.sendLoose(frames)
	}
}

// subscribe changes a peer's topics and welcomes a new one, even one that is
// repeated: each SUB socket behind a proxy expects its welcome.
func (c *Channel) subscribe(p *Peer, on bool, topic []byte) {
	if c.kind != Publisher || len(topic) > maxTopic {
		return
	}
	p.mu.Lock()
	_, known := p.topics[string(topic)]
	full := len(p.topics) >= c.cfg.Limits.Topics || p.topicBytes+len(topic) > maxTopics
	switch {
	case known && !on:
		delete(p.topics, string(topic))
		p.topicBytes -= len(topic)
	case on && !known && !full:
		p.topics[string(topic)] = struct{}{}
		p.topicBytes += len(topic)
	}
	flood := p.bytes > hardStranger // of subscriptions, with no welcome read
	p.mu.Unlock()
	if on && !flood && (known || !full) && c.cfg.Welcome != nil {
		if frames := c.cfg.Welcome(string(topic)); frames != nil {
			p.sendLoose(frames)
		}
	}
	if on && !flood {
		c.early.flush(p)
	}
}

// wants reports whether the peer has subscribed to the topic.
func (p *Peer) wants(topic []byte) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, all := p.topics[""]; all {
		return true
	}
	for t := range p.topics {
		if bytes.HasPrefix(topic, []byte(t)) {
			return true
		}
	}
	return false
}

// Publish sends a message, whose first frame is its topic, to all who
// subscribed to it.
func (c *Channel) Publish(frames [][]byte, class Class) {
	c.publish(frames, class)
}

// PublishReply is Publish for what a client's request has caused: before there is
// a subscriber it is kept for the first one, for a short time.
func (c *Channel) PublishReply(frames [][]byte, class Class) {
	if !c.early.keep(frames, class) {
		c.publish(frames, class)
	}
}

func (c *Channel) publish(frames [][]byte, class Class) {
	var end time.Time
	if class == Droppable { // however many readers have to be waited for
		end = time.Now().Add(c.cfg.Limits.Stall)
	}
	for _, p := range c.snapshot() {
		if p.wants(frames[0]) {
			p.send(frames, class, end)
		}
	}
}

func (c *Channel) snapshot() []*Peer {
	c.mu.Lock()
	defer c.mu.Unlock()
	peers := make([]*Peer, 0, len(c.peers))
	for p := range c.peers {
		peers = append(peers, p)
	}
	return peers
}

// Find returns the peers with an identity that is not empty.
func (c *Channel) Find(identity string) (found []*Peer) {
	if identity == "" {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for p := range c.peers {
		if p.opened.Load() && p.id == identity {
			found = append(found, p)
		}
	}
	return found
}

// Close stops listening, lets queued messages out for at most the given time,
// and closes all connections.
func (c *Channel) Close(linger time.Duration) {
	c.mu.Lock()
	select {
	case <-c.done:
		c.mu.Unlock()
		return
	default:
	}
	close(c.done)
	c.mu.Unlock()
	_ = c.ln.Close()
	deadline := time.Now().Add(linger)
	for _, p := range c.snapshot() {
		p.linger(deadline)
		p.close()
	}
	c.wg.Wait()
}
