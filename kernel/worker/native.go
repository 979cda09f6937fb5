package worker

import (
	"bytes"
	"os"
	"sync"
	"syscall"
	"time"
	"unsafe"
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
	line   []byte // unfinished last line of descriptor 2
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
	var left int32
	_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, uintptr(fd), 0x541b /* FIONREAD */, uintptr(unsafe.Pointer(&left)))
	if errno != 0 {
		return
	}
	for left > 0 {
		size, err := syscall.Read(fd, n.buf[:min(int(left), len(n.buf))])
		if err == syscall.EINTR {
			continue
		}
		if err != nil || size <= 0 {
			return
		}
		left -= int32(size)
		n.take(i, n.buf[:size])
	}
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
	if at := n.find(text); at >= 0 {
		n.emit(nativeNames[i], text[:at])
		n.hold(text[at:])
		return
	}
	n.emit(nativeNames[i], text)
}

// find looks for a line that names a cause of death. It returns the place in
// text from where on text is to be held back, -1 when there is none.
func (n *native) find(text []byte) int {
	for at := 0; at < len(text); {
		end := bytes.IndexByte(text[at:], '\n')
		if end < 0 {
			n.line = append(n.line, text[at:]...)
			if len(n.line) > tailSize {
				n.line = n.line[:0]
			}
			return -1
		}
		n.line = append(n.line, text[at:at+end]...)
		if isCause(n.line) {
			n.cause = string(n.line)
			n.line = n.line[:0]
			return at
		}
		n.line = n.line[:0]
		at += end + 1
	}
	return -1
}

// isCause reports whether a line of descriptor 2 says why the process dies:
// words of the Go runtime, or of absl's logging at level F.
func isCause(line []byte) bool {
	for _, prefix := range []string{"SIG", "fatal error:", "runtime: goroutine stack exceeds", "panic:"} {
		if bytes.HasPrefix(line, []byte(prefix)) {
			return true
		}
	}
	return len(line) > 5 && line[0] == 'F' && isDigits(line[1:5])
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
	if len(n.held) > 0 {
		n.emit(nativeNames[1], n.held)
		n.held = nil
	}
	n.cause = ""
}

// last ends reading and returns the cause, if one was seen, and the last text
// of descriptor 2. Children of cells may hold the pipes open, so their end is
// never waited for.
func (n *native) last() (cause, tail string) {
	n.drain(true)
	n.mu.Lock()
	defer n.mu.Unlock()
	n.closed = true
	if n.timer != nil {
		n.timer.Stop()
	}
	for _, f := range n.files {
		_ = f.Close()
	}
	if n.cause == "" && isCause(n.line) {
		n.cause = string(n.line)
	}
	return n.cause, string(n.tail)
}
