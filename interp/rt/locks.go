package rt

import "sync"

// Lock is x.Lock(), which an interrupt ends.
func (s *Session) Lock(x sync.Locker) {
	switch m := x.(type) {
	case *sync.Mutex:
		if m.TryLock() {
			return
		}
	case *sync.RWMutex:
		if m.TryLock() {
			return
		}
	}
	s.acquire(x.Lock, x.Unlock)
}

// RLock is m.RLock(), which an interrupt ends.
func (s *Session) RLock(m *sync.RWMutex) {
	if !m.TryRLock() {
		s.acquire(m.RLock, m.RUnlock)
	}
}

// CondWait is c.Wait(), which an interrupt ends.
func (s *Session) CondWait(c *sync.Cond) { s.acquire(c.Wait, c.L.Unlock) }

// acquire runs a call that waits until it holds something. What is acquired
// when an interrupt has ended the waiting is given back at once.
func (s *Session) acquire(take, give func()) {
	var mu sync.Mutex
	gone := false
	s.Wait(func() {
		take()
		mu.Lock()
		defer mu.Unlock()
		if gone {
			give()
		}
	}, func() {
		mu.Lock()
		defer mu.Unlock()
		gone = true
	})
}
