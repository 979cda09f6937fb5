package transport

import (
	"sync"
	"time"
)

// early keeps what is published before there is a subscriber. A kernel that has
// started in milliseconds may answer a client's first request before the client's
// subscription is there; the client would then wait for an idle that it has missed.
type early struct {
	mu    sync.Mutex
	over  bool
	kept  []earlyMessage
	bytes int
}

type earlyMessage struct {
	frames [][]byte
	class  Class
	at     time.Time
}

const (
	earlyBytes = 1 << 20
	// earlyAge is well above what a client takes to connect again (ZeroMQ's 0.1 s).
	earlyAge = 2 * time.Second
)

// keep takes a message unless there has been a subscriber, or too much is kept.
func (e *early) keep(frames [][]byte, class Class) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.over {
		return false
	}
	size := 0
	for _, f := range frames {
		size += len(f)
	}
	if e.bytes += size; e.bytes > earlyBytes {
		e.over, e.kept = true, nil
		return false
	}
	e.kept = append(e.kept, earlyMessage{frames, class, time.Now()})
	return true
}

// flush sends what is kept to the first subscriber. What is published meanwhile
// waits, so that the order stays.
func (e *early) flush(p *Peer) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, m := range e.kept {
		if time.Since(m.at) < earlyAge && p.wants(m.frames[0]) {
			p.Send(m.frames, m.class)
		}
	}
	e.over, e.kept = true, nil
}
