package rt

import (
	"os"
	"sync"
	"sync/atomic"
	"syscall"
)

// pipe is os.Stdout or os.Stderr of the cells: a real file whose other end is
// forwarded to the cell's stream. Whoever writes to a stream otherwise drains
// the pipes first, so the order is the program's own.
type pipe struct {
	mu   sync.Mutex
	r, w *os.File
	conn syscall.RawConn
	name string
	s    *Session
	buf  []byte
	used atomic.Bool // a cell can write to it
}

// file makes a pipe and returns the end that cells write to.
func (s *Session) file(name string, fallback *os.File) *os.File {
	r, w, err := os.Pipe()
	if err != nil {
		return fallback
	}
	conn, err := r.SyscallConn()
	if err != nil {
		return fallback
	}
	p := &pipe{r: r, w: w, conn: conn, name: name, s: s, buf: make([]byte, 64<<10)}
	s.pipes = append(s.pipes, p)
	go p.forward()
	return w
}

// forward copies what is written until the pipe is closed.
func (p *pipe) forward() {
	for {
		more := true
		err := p.conn.Read(func(fd uintptr) bool {
			n := p.take(int(fd))
			more = n != 0
			return n >= 0
		})
		if err != nil || !more {
			return
		}
	}
}

// take forwards what one read gives: the count of bytes, 0 at the end, -1 when
// there is nothing yet.
func (p *pipe) take(fd int) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	n, err := syscall.Read(fd, p.buf)
	if err != nil {
		return -1
	}
	if h := p.s.Host(); h != nil && n > 0 {
		h.Stream(p.name, string(p.buf[:n]))
	}
	return n
}

// drain forwards what the pipe holds now.
func (p *pipe) drain() {
	if !p.used.Load() {
		return
	}
	_ = p.conn.Control(func(fd uintptr) {
		for p.take(int(fd)) > 0 {
		}
	})
}

// UseFiles says that cells name os.Stdout or os.Stderr from now on.
func (s *Session) UseFiles() {
	for _, p := range s.pipes {
		p.used.Store(true)
	}
}

// Drain forwards what cells have written to os.Stdout and os.Stderr. The files
// do not know who wrote: while the foreground's cell runs it is taken for its
// text, also beside cells of subshells.
func (s *Session) Drain() {
	if fg := s.foreground.Load(); fg != nil && s.Current() != fg {
		if _, active := s.runs.Load(fg.cell); active {
			return
		}
	}
	for _, p := range s.pipes {
		p.drain()
	}
}

// Close frees the pipes of the session.
func (s *Session) Close() {
	for _, p := range s.pipes {
		p.w.Close()
		p.r.Close()
	}
	s.freeFacades()
}
