package worker

import (
	"bytes"
	"os"
	"strings"
	"sync"
	"syscall"
	"time"

	"gopherlo/internal/atonce"
)

const (
	// tailSize is how much of descriptor 2 is kept for the report of a death:
	// the cause is one line, and up to 15 kB of traces follow it.
	tailSize = 64 << 10
	// holdTime is how long text that looks like the worker's last words is
	// held back, so that a crash shows as one error and not as pages of
	// traces. A stack overflow of 256 MB takes 0.8 s to end.
	holdTime = 2 * time.Second
)

// native reads descriptors 1 and 2 of a worker. The readers and drain share one
// lock, held from the read to the hand-over, so that after drain everything
// that the pipes held when it was called has been handed over.
type native struct {
	files [2]*os.File

	mu     sync.Mutex
	emit   func(name string, text []byte)
	buf    []byte
	tail   []byte // end of descriptor 2
	cause  string // first line of descriptor 2 that names a cause of death
	line   []byte // unfinished last line of descriptor 2, not yet shown
	inLine bool   // the beginning of the current line has been shown
	held   []byte // what came from the cause on, not yet shown
	timer  *time.Timer
	closed bool
}

var nativeNames = [2]string{"stdout", "stderr"}

func newNative(stdout, stderr *os.File) *native {
	return &native{files: [2]*os.File{stdout, stderr}, buf: make([]byte, 64<<10)}
}

// run starts the readers; they end when the pipes are closed.
func (n *native) run(emit func(name string, text []byte)) {
	n.emit = emit
	for i := range n.files {
		go n.read(i)
	}
}

// read hands on what comes through one pipe.
func (n *native) read(i int) {
	raw, err := n.files[i].SyscallConn()
	if err != nil {
		return
	}
	for ended := false; !ended; {
		err := raw.Read(func(fd uintptr) bool {
			n.mu.Lock()
			defer n.mu.Unlock()
			size, err := syscall.Read(int(fd), n.buf)
			switch {
			case err == syscall.EAGAIN:
				return false
			case err == syscall.EINTR:
				return true
			case err != nil || size == 0:
				ended = true
				return true
			}
			n.take(i, n.buf[:size])
			return true
		})
		if err != nil {
			return
		}
	}
}

// drain hands on exactly what both pipes hold now. Text held back is shown:
// whoever wrote it has gone on living.
func (n *native) drain(final bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for i, f := range n.files {
		raw, err := f.SyscallConn()
		if err != nil {
			continue
		}
		_ = raw.Control(func(fd uintptr) { n.drainOne(i, int(fd)) })
	}
	if !final {
		n.release()
	}
}

func (n *native) drainOne(i, fd int) {
	for left := atonce.Waiting(uintptr(fd)); left > 0; {
		size, err := syscall.Read(fd, n.buf[:min(left, len(n.buf))])
		if err == syscall.EINTR {
			continue
		}
		if err != nil || size <= 0 {
			return
		}
		left -= size
		n.take(i, n.buf[:size])
	}
}

// ended notes that a cell has ended: what was written before is not why the
// process dies later.
func (n *native) ended() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.tail = n.tail[:0]
}

// take handles text of one pipe; the caller holds the lock.
func (n *native) take(i int, text []byte) {
	if i == 0 {
		n.emit(nativeNames[i], text)
		return
	}
	n.tail = append(n.tail, text...)
	if over := len(n.tail) - tailSize; over > 0 {
		n.tail = append(n.tail[:0], n.tail[over:]...)
	}
	if n.cause != "" {
		n.hold(text)
		return
	}
	n.scan(text)
}

// scan shows text of descriptor 2 up to a line that names a cause of death and
// holds the rest back. The Go runtime writes such a line in several pieces, so
// the beginning of one is held back too.
func (n *native) scan(text []byte) {
	text = append(n.line, text...)
	n.line = nil
	shown := 0
	for at := 0; at < len(text); {
		end := bytes.IndexByte(text[at:], '\n')
		whole := end >= 0
		line := text[at:]
		if whole {
			line = text[at : at+end]
		}
		switch {
		case n.inLine: // its beginning has been shown
		case whole && isCause(line):
			n.cause = string(line)
			n.show(text[shown:at])
			n.hold(text[at:])
			return
		case !whole && (isCause(line) || maybeCause(line)) && len(line) < tailSize:
			n.show(text[shown:at])
			n.line = bytes.Clone(line)
			n.hold(nil)
			return
		}
		n.inLine = !whole
		at += len(line) + 1
	}
	n.show(text[shown:])
}

func (n *native) show(text []byte) {
	if len(text) > 0 {
		n.emit(nativeNames[1], text)
	}
}

// causes begin the lines by which the Go runtime says why the process dies.
var causes = []string{"SIG", "fatal error:", stackOverflow, "panic:"}

// isCause reports whether a line of descriptor 2 says why the process dies:
// words of the Go runtime, or of absl's logging at level F.
func isCause(line []byte) bool {
	for _, prefix := range causes {
		if bytes.HasPrefix(line, []byte(prefix)) {
			return true
		}
	}
	return len(line) > 5 && line[0] == 'F' && isDigits(line[1:5])
}

// maybeCause reports whether a line that is not complete may become one.
func maybeCause(line []byte) bool {
	for _, prefix := range causes {
		if strings.HasPrefix(prefix, string(line)) {
			return true
		}
	}
	return line[0] == 'F' && isDigits(line[1:min(5, len(line))])
}

func isDigits(b []byte) bool {
	for _, c := range b {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

// hold keeps text back for a while.
func (n *native) hold(text []byte) {
	n.held = append(n.held, text...)
	if len(n.held) > tailSize {
		n.release()
		return
	}
	if n.timer == nil {
		n.timer = time.AfterFunc(holdTime, func() {
			n.mu.Lock()
			defer n.mu.Unlock()
			if !n.closed {
				n.release()
			}
		})
	}
}

// release shows what was held back. The cause is forgotten: the process lived
// on after it.
func (n *native) release() {
	if n.timer != nil {
		n.timer.Stop()
		n.timer = nil
	}
	held := append(n.held, n.line...)
	n.show(held)
	if len(held) > 0 {
		n.inLine = held[len(held)-1] != '\n'
	}
	n.held, n.line, n.cause = nil, nil, ""
}

// last ends reading and returns the cause, if one was seen, and the last text
// of descriptor 2. Children of cells may hold the pipes open, so their end is
// never waited for.
func (n *native) last() (cause, tail string) {
	n.drain(true)
	defer func() {
		for _, f := range n.files {
			_ = f.Close() // waits for the readers, which take the lock
		}
	}()
	n.mu.Lock()
	defer n.mu.Unlock()
	n.closed = true
	if n.timer != nil {
		n.timer.Stop()
	}
	if n.cause == "" && isCause(n.line) {
		n.cause = string(n.line)
	}
	return n.cause, string(n.tail)
}
