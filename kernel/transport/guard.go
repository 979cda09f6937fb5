package transport

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"time"

	"gopherlo/internal/atonce"
)

// Bits of a ZMTP 3 frame header (RFC 23, "Framing").
const (
	bitMore    = 1
	bitLong    = 2
	bitCommand = 4

	greetingSize = 64
	// maxCommand bounds a command frame, and every frame of the handshake.
	maxCommand = 8 << 10
	// direct is the size up to which a body goes straight to the engine, which
	// allocates what the header claims; a larger body is collected here first.
	direct = 64 << 10
	// gatherCopy is the size up to which written bytes are copied together.
	gatherCopy = 4 << 10
)

var (
	errFrameBits  = errors.New("frame with reserved bits")
	errCommand    = errors.New("malformed or too long command")
	errTooLarge   = errors.New("frame or message above the limit")
	errTooMany    = errors.New("too many frames in one message")
	errNoProgress = errors.New("no progress inside a message")
)

// guard stands between the network and zmq4's engine. It reads frames before
// the engine does, so that no claim of a peer reaches an allocation, answers
// commands, and gathers the engine's many small writes into one.
//
// Read belongs to the peer's reading goroutine, Write and flush to its writing
// goroutine; before ready both belong to the handshake.
type guard struct {
	net.Conn
	r       *bufio.Reader
	limits  *Limits
	budgets *budgets
	// trusted, if not nil, reports whether the peer has shown the key.
	trusted func() bool
	// command is called with each command after the handshake.
	command func(name string, body []byte)

	greeting  int       // bytes of the greeting still to come
	opened    bool      // the handshake is over
	secured   bool      // Conn encrypts
	header    []byte    // frame header to hand on
	headerBuf [9]byte   // backs header
	left      int64     // bytes of the current body to hand on directly
	chunks    [][]byte  // collected body to hand on
	more      bool      // the current frame is not the last of its message
	frames    int       // frames of the message so far
	size      int64     // bytes of the message so far
	cost      int64     // what the frames taken directly weigh
	held      held      // bytes charged to the budgets
	last      time.Time // when the current message of a stranger must be there
	timed     bool      // a read deadline is set

	arena   []byte      // backs small anew after each flush
	small   []byte      // gathered small writes not yet in out
	out     net.Buffers // gathered writes
	written func(n int) // told of progress while writing
}

func newGuard(conn net.Conn, limits *Limits, b *budgets) *guard {
	conn = atonce.Conn(conn)
	return &guard{Conn: conn, r: bufio.NewReaderSize(conn, 8<<10), limits: limits, budgets: b, greeting: greetingSize}
}

// replace puts a secured connection under the guard, before the handshake.
func (g *guard) replace(conn net.Conn) {
	g.Conn = conn
	g.r.Reset(conn)
	g.secured = true
}

// Read implements [net.Conn] for the engine.
func (g *guard) Read(p []byte) (int, error) {
	for {
		switch {
		case len(p) == 0:
			return 0, nil
		case g.greeting > 0:
			n, err := g.r.Read(p[:min(len(p), g.greeting)])
			g.greeting -= n
			return n, err
		case len(g.header) > 0:
			n := copy(p, g.header)
			g.header = g.header[n:]
			return n, nil
		case len(g.chunks) > 0:
			n := copy(p, g.chunks[0])
			if g.chunks[0] = g.chunks[0][n:]; len(g.chunks[0]) == 0 {
				g.chunks[0] = nil
				g.chunks = g.chunks[1:]
			}
			return n, nil
		case g.left > 0:
			g.expect(g.left)
			n, err := g.r.Read(p[:min(int64(len(p)), g.left)])
			g.left -= int64(n)
			return n, stalled(err)
		}
		if err := g.nextFrame(); err != nil {
			return 0, err
		}
	}
}

// expect sets the deadline for bytes that belong to a message already begun.
// During the handshake the deadline of the whole handshake stays.
func (g *guard) expect(n int64) {
	if g.opened && int64(g.r.Buffered()) < min(n, int64(g.r.Size())) {
		end := time.Now().Add(g.limits.BodySilence)
		if !g.last.IsZero() && g.last.Before(end) {
			end = g.last
		}
		_ = g.SetReadDeadline(end)
		g.timed = true
	}
}

// charge takes n bytes of the budget that is the peer's. From the first on, the
// message of a stranger has a time by which it must be there: what it holds is
// kept from others.
func (g *guard) charge(n int64) error {
	b, mine := g.budgets.strangers, &g.held.strange
	if g.trusted != nil && g.trusted() {
		b, mine = g.budgets.all, &g.held.known
		g.last = time.Time{}
	} else if g.last.IsZero() {
		g.last = time.Now().Add(strangerTimes * g.limits.BodySilence)
	}
	if !b.take(n, g.limits.BodySilence) {
		return errTooLarge
	}
	*mine += n
	return nil
}

// strangerTimes is how many times the silence allowed inside a message a whole
// message of a stranger may take.
const strangerTimes = 2

// nextFrame reads a frame header, checks it, and prepares what Read hands on.
func (g *guard) nextFrame() error {
	if !g.more {
		g.frames, g.size, g.cost, g.last = 0, 0, 0, time.Time{}
	}
	if g.timed && !g.more && g.r.Buffered() == 0 {
		_ = g.SetReadDeadline(time.Time{}) // between messages a peer may be silent
		g.timed = false
	}
	flags, err := g.r.ReadByte()
	if err != nil {
		return err
	}
	size, err := g.readHeader(flags)
	if err != nil {
		return err
	}
	switch {
	case flags&bitCommand != 0:
		if size > maxCommand || flags&bitMore != 0 {
			return errCommand
		}
		if g.opened {
			return g.readCommand(int(size))
		}
	case !g.opened:
		return errCommand // the handshake consists of commands
	default:
		g.more = flags&bitMore != 0
		g.frames++
		g.size += size
		if g.frames > g.limits.Frames {
			return errTooMany
		}
		if size > g.limits.Frame || g.size > g.limits.Message {
			return errTooLarge
		}
	}
	if size > direct {
		return g.collect(size)
	}
	g.left = size
	if g.cost += size + frameWeight; g.opened && g.cost > direct {
		return g.charge(size + frameWeight)
	}
	return nil
}

// readHeader reads the length that follows the flags and keeps the header's
// bytes for the engine.
func (g *guard) readHeader(flags byte) (int64, error) {
	if flags&^(bitMore|bitLong|bitCommand) != 0 {
		return 0, errFrameBits
	}
	n := 1
	if flags&bitLong != 0 {
		n = 8
	}
	g.headerBuf[0] = flags
	g.expect(int64(n))
	if _, err := io.ReadFull(g.r, g.headerBuf[1:1+n]); err != nil {
		return 0, stalled(err)
	}
	g.header = g.headerBuf[:1+n]
	if n == 1 {
		return int64(g.headerBuf[1]), nil
	}
	size := binary.BigEndian.Uint64(g.headerBuf[1:])
	if size > 1<<62 {
		return 0, errTooLarge
	}
	return int64(size), nil
}

// readCommand reads a command after the handshake; the engine never sees it.
func (g *guard) readCommand(size int) error {
	g.header = nil
	body := make([]byte, size)
	g.expect(int64(size))
	if _, err := io.ReadFull(g.r, body); err != nil {
		return stalled(err)
	}
	if size == 0 || int(body[0]) > size-1 {
		return errCommand
	}
	n := 1 + int(body[0])
	g.command(string(body[1:n]), body[n:])
	return nil
}

// collect reads a large body in pieces as it arrives, each charged to the
// budget of all peers, before the engine learns of it.
func (g *guard) collect(size int64) error {
	for size > 0 {
		if err := g.charge(min(size, direct)); err != nil {
			return err
		}
		chunk := make([]byte, min(size, direct))
		for at := 0; at < len(chunk); {
			g.expect(int64(len(chunk) - at))
			n, err := g.r.Read(chunk[at:])
			if err != nil {
				return stalled(err)
			}
			at += n
		}
		g.chunks = append(g.chunks, chunk)
		size -= int64(len(chunk))
	}
	return nil
}

// release gives the budgets back what the peer's message has taken.
func (g *guard) release() { g.takeHeld()() }

// takeHeld leaves to the caller to give back what the message has taken.
func (g *guard) takeHeld() (release func()) {
	h, b := g.held, g.budgets
	g.held = held{}
	if h == (held{}) {
		return func() {}
	}
	return sync.OnceFunc(func() {
		b.all.give(h.known)
		b.strangers.give(h.strange)
	})
}

// stalled names the error of a deadline inside a message.
func stalled(err error) error {
	if ne, ok := err.(net.Error); ok && ne.Timeout() {
		return fmt.Errorf("%w: %w", errNoProgress, err)
	}
	return err
}

// Write implements [net.Conn] for the engine. After the handshake it gathers;
// large bodies are referred to, not copied, and must not change before flush.
func (g *guard) Write(p []byte) (int, error) {
	if !g.opened {
		return g.Conn.Write(p)
	}
	if len(p) <= gatherCopy {
		g.small = append(g.small, p...)
		return len(p), nil
	}
	g.cutSmall()
	g.out = append(g.out, p)
	return len(p), nil
}

// cutSmall moves the gathered small writes to out.
func (g *guard) cutSmall() {
	if n := len(g.small); n > 0 {
		g.out = append(g.out, g.small[:n:n])
		g.small = g.small[n:] // what follows goes behind it in the same array
	}
}

// writePiece bounds one write, so that progress is seen.
const writePiece = 512 << 10

// flush sends what was gathered.
func (g *guard) flush() error {
	g.cutSmall()
	out := g.out
	g.out = nil
	defer func() {
		if g.arena == nil {
			g.arena = make([]byte, 0, 4<<10)
		}
		g.small = g.arena
	}()
	for len(out) > 0 {
		// One system call for many small pieces; a large piece by parts.
		if len(out[0]) > writePiece {
			n, err := g.Conn.Write(out[0][:writePiece])
			g.written(n)
			if err != nil {
				return err
			}
			out[0] = out[0][n:]
			continue
		}
		end, size := 0, 0
		for end < len(out) && end < 512 && size+len(out[end]) <= writePiece {
			size += len(out[end])
			end++
		}
		n, err := g.writeBatch(out[:end:end])
		g.written(int(n))
		if err != nil {
			return err
		}
		out = out[end:]
	}
	return nil
}

// writeBatch writes pieces with one call. A secured connection has no
// gathering write of its own, so the pieces are joined for it.
func (g *guard) writeBatch(batch net.Buffers) (int64, error) {
	switch {
	case len(batch) == 1:
		n, err := g.Conn.Write(batch[0])
		return int64(n), err
	case !g.secured:
		return batch.WriteTo(atonce.Plain(g.Conn))
	}
	n, err := g.Conn.Write(bytes.Join(batch, nil))
	return int64(n), err
}

// budgets are those of peers that have shown the key and of those that have not.
type budgets struct{ all, strangers *budget }

// held is what a message has taken of each.
type held struct{ known, strange int64 }

// budget bounds the bytes of large messages on their way in, all peers
// together. Bytes are charged as they arrive, not as they are announced.
type budget struct {
	mu   sync.Mutex
	left int64
	wake chan struct{}
}

func newBudget(size int64) *budget { return &budget{left: size, wake: make(chan struct{})} }

// take waits for n bytes of the budget, at most for the given time.
func (b *budget) take(n int64, patience time.Duration) bool {
	deadline := time.Now().Add(patience)
	for {
		b.mu.Lock()
		if b.left >= n {
			b.left -= n
			b.mu.Unlock()
			return true
		}
		wake := b.wake
		b.mu.Unlock()
		wait := time.Until(deadline)
		if wait <= 0 {
			return false
		}
		t := time.NewTimer(wait)
		select {
		case <-wake:
		case <-t.C:
		}
		t.Stop()
	}
}

func (b *budget) give(n int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.left += n
	close(b.wake)
	b.wake = make(chan struct{})
}
