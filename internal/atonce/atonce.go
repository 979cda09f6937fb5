// Package atonce makes system calls that return at once without telling Go's
// scheduler of them.
//
// The scheduler takes any system call for one that may last. Once a process has
// stood still, the first call has it wake a thread of the runtime that looks after
// calls that do (sysmon); the thread then looks every 20 µs until the process stands
// still again. For work that comes in small pieces, such as small cells, that is a
// quarter of all the processor time. What never lasts, because the descriptor does
// not block and the poller waits for it, need not be told.
//
// The same thread interrupts goroutines that compute for more than 10 ms, so it must
// be awake where one might: [Lasting] wakes it, and so do longer reads and writes
// and any other system call. While a timer is pending it wakes by itself when the
// timer is due.
package atonce

import (
	"io"
	"net"
	"os"
	"sync"
	"syscall"
)

// bulk is how many bytes are read or written, without a pause, before the scheduler
// is told: what follows may last then.
const bulk = 16 << 10

// Conn returns a connection over c whose short reads and writes are not told.
func Conn(c net.Conn) net.Conn {
	raw := rawOf(c)
	if raw == nil {
		return c
	}
	s := newStream(raw, c, func(op string, err error) error {
		return &net.OpError{Op: op, Net: c.LocalAddr().Network(), Source: c.LocalAddr(), Addr: c.RemoteAddr(), Err: err}
	})
	return &conn{c, s}
}

// conn is a connection whose reads and writes are a stream's.
type conn struct {
	net.Conn
	s *stream
}

func (c *conn) Read(p []byte) (int, error)  { return c.s.Read(p) }
func (c *conn) Write(p []byte) (int, error) { return c.s.Write(p) }

// Plain is the connection that Conn was given.
func Plain(c net.Conn) net.Conn {
	if c, ok := c.(*conn); ok {
		return c.Conn
	}
	return c
}

// Pipe returns a reader and writer of a pipe that does not block, whose short reads
// and writes are not told.
func Pipe(f *os.File) io.ReadWriter {
	raw := rawOf(f)
	if raw == nil {
		return f
	}
	return newStream(raw, f, func(op string, err error) error {
		return &os.PathError{Op: op, Path: f.Name(), Err: err}
	})
}

// rawOf is the descriptor of a file or connection, nil where it has none or where
// every call is to be told.
func rawOf(v any) syscall.RawConn {
	c, ok := v.(syscall.Conn)
	if !ok || !untold {
		return nil
	}
	raw, err := c.SyscallConn()
	if err != nil {
		return nil
	}
	return raw
}

// stream reads and writes a descriptor.
type stream struct {
	raw   syscall.RawConn
	plain io.ReadWriter
	wrap  func(op string, err error) error

	in, out half
	read    int // bytes read since it had to be waited for
}

// half is one direction; mu is held by the call that is under way.
type half struct {
	mu   sync.Mutex
	try  func(fd uintptr) bool
	left []byte
	n    int
	err  syscall.Errno
}

func newStream(raw syscall.RawConn, plain io.ReadWriter, wrap func(string, error) error) *stream {
	s := &stream{raw: raw, plain: plain, wrap: wrap}
	s.in.try, s.out.try = s.tryRead, s.tryWrite
	return s
}

// tryRead is the function that the poller calls until it returns true.
func (s *stream) tryRead(fd uintptr) bool {
	for {
		s.in.n, s.in.err = call(syscall.SYS_READ, fd, s.in.left)
		switch s.in.err {
		case syscall.EINTR:
			continue
		case syscall.EAGAIN:
			s.read = 0
			return false
		}
		return true
	}
}

// Read implements [io.Reader].
func (s *stream) Read(p []byte) (int, error) {
	s.in.mu.Lock()
	defer s.in.mu.Unlock()
	if len(p) == 0 || s.read > bulk {
		s.read = 0
		return s.plain.Read(p)
	}
	s.in.left = p
	err := s.raw.Read(s.in.try)
	s.in.left = nil
	switch {
	case err != nil: // closed, or too late: the plain call says so in its own words
		return s.plain.Read(p)
	case s.in.err != 0:
		return 0, s.wrap("read", s.in.err)
	case s.in.n == 0:
		return 0, io.EOF
	}
	s.read += s.in.n
	return s.in.n, nil
}

func (s *stream) tryWrite(fd uintptr) bool {
	for len(s.out.left) > 0 {
		var n int
		n, s.out.err = call(syscall.SYS_WRITE, fd, s.out.left)
		switch s.out.err {
		case syscall.EINTR:
			continue
		case syscall.EAGAIN:
			return false
		case 0:
		default:
			return true
		}
		s.out.left, s.out.n = s.out.left[n:], s.out.n+n
	}
	return true
}

// Write implements [io.Writer].
func (s *stream) Write(p []byte) (int, error) {
	s.out.mu.Lock()
	defer s.out.mu.Unlock()
	if len(p) > bulk {
		return s.plain.Write(p)
	}
	s.out.left, s.out.n, s.out.err = p, 0, 0
	err := s.raw.Write(s.out.try)
	left := s.out.left
	s.out.left = nil
	switch {
	case err != nil:
		n, err := s.plain.Write(left)
		return s.out.n + n, err
	case s.out.err != 0:
		return s.out.n, s.wrap("write", s.out.err)
	}
	return s.out.n, nil
}
