package stages

import (
	"container/list"
	"runtime"
	"sync"
	"sync/atomic"
	"weak"
)

// The bounds of what is kept (docs/architecture.md, Caches). An executable of
// the CPU takes some 160 kB and three mappings, of which Linux gives a process
// 65,530.
const (
	maxTraces      = 1024
	maxTraceBytes  = 512 << 20
	maxExecutables = 1024
	maxExecBytes   = 1 << 30
	maxEager       = 4096
	maxSlots       = 512 // of one program

	execBytes = 160 << 10 // of the smallest
)

// execSize is about what an executable takes outside of Go's heap, by the length
// of the program that was compiled: machine code and what XLA keeps of the
// program, measured on gradients of perceptrons of 12 and 48 layers; what is
// longer than a megabyte is constants, of which XLA keeps some copies.
func execSize(code int) int {
	const perByte, most, perConstant = 55, 1 << 20, 5
	return execBytes + perByte*min(code, most) + perConstant*max(code-most, 0)
}

// slot is the place of one executable of a program: empty before it is compiled
// and after it was evicted.
type slot struct {
	exec atomic.Pointer[Executable]
	used atomic.Bool // since the cache looked last

	mu  sync.Mutex
	job *job // that makes one
	// refused is set when XLA refused the options once. JAX's cache then keeps
	// nothing under this key: equal options that XLA takes (1 after True) are
	// compiled at each compile step (weakref_lru_cache in jaxlib 0.12.0.1).
	refused bool
}

// executable is what the slot holds, nil for nothing.
func (s *slot) executable() *Executable {
	x := s.exec.Load()
	if x != nil && !s.used.Load() {
		s.used.Store(true)
	}
	return x
}

// slot is the place for an executable with the options of key.
func (p *Program) slot(key string) *slot {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.execs[key]
	if s == nil {
		if p.execs == nil {
			p.execs = map[string]*slot{}
		}
		if len(p.execs) >= maxSlots {
			clear(p.execs)
		}
		s = &slot{}
		p.execs[key] = s
	}
	return s
}

// first gives the options of a jit in the form in which they came first: a
// program belongs to options that are equal in Python, and 1 equals True.
func (p *Program) first(options map[string]any) map[string]any {
	if len(options) == 0 {
		return options
	}
	key := optionsKey(options)
	p.mu.Lock()
	defer p.mu.Unlock()
	if o, ok := p.firsts[key]; ok {
		return o
	}
	if p.firsts == nil || len(p.firsts) >= maxSlots {
		p.firsts = map[string]map[string]any{}
	}
	p.firsts[key] = options
	return options
}

// execCache bounds the executables that slots hold, by number and by what they
// take. It does not keep them alive: those of programs that are unreachable go
// by themselves. An evicted one is freed after the calls that use it, and stays
// for as long as a user holds it as a Compiled.
type execCache struct {
	mu    sync.Mutex
	order *list.List // of *execEntry, the newest first
	bytes int
}

type execEntry struct {
	slot  weak.Pointer[slot]
	bytes int
	place *list.Element // nil when it is not in the list
}

var executables = &execCache{order: list.New()}

// add puts x in its slot.
func (c *execCache) add(x *Executable, code int) {
	e := &execEntry{slot: weak.Make(x.slot), bytes: execSize(code)}
	x.slot.used.Store(true)
	x.slot.exec.Store(x)
	runtime.AddCleanup(x, c.remove, e)
	c.mu.Lock()
	defer c.mu.Unlock()
	e.place = c.order.PushFront(e)
	c.bytes += e.bytes
	for c.order.Len() > 1 && (c.order.Len() > maxExecutables || c.bytes > maxExecBytes) {
		c.evict()
	}
}

// evict empties the slot that was not used for longest, nearly: one that was
// used since it came last is passed over once.
func (c *execCache) evict() {
	for {
		e := c.order.Back().Value.(*execEntry)
		s := e.slot.Value()
		if s != nil && s.used.Swap(false) && c.order.Len() > 1 {
			c.order.MoveToFront(e.place)
			continue
		}
		c.drop(e)
		if s != nil {
			s.exec.Store(nil)
		}
		return
	}
}

// drop takes e out of the list.
func (c *execCache) drop(e *execEntry) {
	if e.place != nil {
		c.order.Remove(e.place)
		c.bytes -= e.bytes
		e.place = nil
	}
}

// remove is drop for an executable that is dead.
func (c *execCache) remove(e *execEntry) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.drop(e)
}

// clear empties all slots.
func (c *execCache) clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.order.Len() > 0 {
		e := c.order.Back().Value.(*execEntry)
		c.drop(e)
		if s := e.slot.Value(); s != nil {
			s.exec.Store(nil)
		}
	}
}
