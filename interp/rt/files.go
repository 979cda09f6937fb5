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
	at   **os.File   // the variable of cells that holds w at first
}

// file makes a pipe and returns the end that cells write to.
func (s *Session) file(name string, fallback *os.File) *os.File {
	p := &pipe{name: name, s: s, buf: make([]byte, 64<<10)}
	if !p.open() {
		return fallback
	}
	s.pipes = append(s.pipes, p)
	return p.w
}

// open makes the two ends, anew when there were some.
func (p *pipe) open() bool {
	r, w, err := os.Pipe()
	if err != nil {
		return false
	}
	conn, err := r.SyscallConn()
	if err != nil {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.r != nil {
		p.r.Close()
	}
	p.r, p.w, p.conn = r, w, conn
	go p.forward(conn)
	return true
}

// forward copies what is written until the pipe is closed.
func (p *pipe) forward(conn syscall.RawConn) {
	for {
		more := true
		err := conn.Read(func(fd uintptr) bool {
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
	p.mu.Lock()
	conn := p.conn
	p.mu.Unlock()
	_ = conn.Control(func(fd uintptr) {
		for p.take(int(fd)) > 0 {
		}
	})
}

// UseFiles says that cells name os.Stdout or os.Stderr from now on. One that an
// earlier cell has closed is open again: what a program does at its end is not the
// end of a session.
func (s *Session) UseFiles() {
	s.filesMu.Lock()
	defer s.filesMu.Unlock()
	for _, p := range s.pipes {
		own := p.w
		if p.at != nil && *p.at == own && isClosed(own) && p.open() {
			*p.at = p.w
			s.ownStdout.CompareAndSwap(own, p.w)
		}
		p.used.Store(true)
	}
}

// PutBack makes os.Stdout and os.Stderr the cells' own again and tells the run's host,
// when it is the foreground's: a cell that fails with a file or a pipe of its own there
// does not get to put them back, and what later cells print would go there.
func (r *Run) PutBack() {
	if r.s.foreground.Load() != r {
		return
	}
	for _, p := range r.s.pipes {
		if name := r.s.putBack(p); name != "" {
			r.host.Stream("stderr", "note: this cell has ended before "+name+" was put back; it is the notebook's again\n")
		}
	}
}

// putBack names the variable of a pipe when that had another file, "" else.
func (s *Session) putBack(p *pipe) string {
	s.filesMu.Lock()
	defer s.filesMu.Unlock()
	if p.at == nil || *p.at == p.w {
		return ""
	}
	*p.at = p.w
	return map[string]string{"stdout": "os.Stdout", "stderr": "os.Stderr"}[p.name]
}

// printsTo is the file that a cell has put in the place of os.Stdout, nil for none.
func (s *Session) printsTo() *os.File {
	s.filesMu.Lock()
	defer s.filesMu.Unlock()
	if f := *s.stdout; f != s.ownStdout.Load() {
		return f
	}
	return nil
}

func isClosed(f *os.File) bool {
	conn, err := f.SyscallConn()
	return err != nil || conn.Control(func(uintptr) {}) != nil
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
