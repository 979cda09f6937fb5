package pjrt

/*
#include "direct.h"

#cgo noescape gx_buffers_destroy
#cgo nocallback gx_buffers_destroy
*/
import "C"

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	gopjrt "github.com/gomlx/gopjrt/pjrt"
)

const (
	slabSize = 32
	// slabBytes is the largest buffer whose handle lies in a slab: a slab's
	// buffers are freed together, so one that is held keeps up to 31 others.
	slabBytes = 16 << 10
	// deadBatch is how many dead buffers a call destroys: a few at a time, so
	// that none is slow and the memory is used again while it is in the cache.
	deadBatch = 64
	// deadMost and deadBytes bound what waits for the next calls; beyond them
	// the cleanup destroys it all itself.
	deadMost  = 1 << 16
	deadBytes = 1 << 20
	// gcBuffers and gcBytes are how many buffers, and bytes in them, may come
	// to life before a collection is forced. A C buffer is about 1.5 kB in many
	// pieces: 1,000 of them fit a core's cache, with 4,000 a call takes half as
	// long again. Where a collection is slow the number grows, to gcMost, until
	// a buffer bears gcShare of its time.
	gcBuffers = 1024
	gcMost    = 32768
	gcBytes   = 256 << 20
	gcShare   = 400 * time.Nanosecond
	// gcPrograms is how many executables may be loaded before a collection is
	// forced, which frees those that nobody holds: each is some 160 kB that the
	// collector does not see.
	gcPrograms = 128
)

// pool makes buffer handles and destroys the C buffers of dead ones.
type pool struct {
	api      unsafe.Pointer
	live     atomic.Int64 // C buffers alive
	bytes    atomic.Int64 // in them
	programs atomic.Int64 // loaded executables alive
	freed    atomic.Int64 // freed so far

	mu   sync.Mutex
	slab *slab
	used int

	// last is a small C buffer that was freed and not destroyed yet: the next
	// call, or the next free, does that.
	last atomic.Uintptr

	dead struct {
		sync.Mutex
		raw   []uintptr
		bytes int64
		n     atomic.Int64 // len(raw), read without the lock
	}

	gc struct {
		sync.Mutex
		// live, bytes and programs are the lowest counts since the last forced
		// collection: what it could not free.
		live, bytes, programs atomic.Int64
		// every is the number of buffers between forced collections.
		every atomic.Int64
		// took are the times of the last collections.
		took  [4]time.Duration
		count int
	}
}

func (p *pool) init(api unsafe.Pointer) {
	p.api = api
	p.gc.every.Store(gcBuffers)
}

// slots holds the C side of a slab's handles. It is reachable from the handles
// and from the slab's cleanup, and reaches neither.
type slots struct {
	pool  *pool
	raw   [slabSize]uintptr
	sizes [slabSize]int64
}

type slab struct {
	handles [slabSize]buffer
	slots   *slots
}

// single is a slab of one handle, for large buffers.
type single struct {
	handle buffer
	slots  *slots
}

// handle makes the Go side of a C buffer.
func (p *pool) handle(c *Client, m *meta, raw uintptr) *buffer {
	p.live.Add(1)
	p.bytes.Add(m.bytes)
	if m.bytes > slabBytes {
		s := &single{slots: &slots{pool: p}}
		runtime.AddCleanup(s, (*slots).free, s.slots)
		return s.slots.put(&s.handle, 0, c, m, raw)
	}
	p.mu.Lock()
	if p.slab == nil || p.used == slabSize {
		p.slab, p.used = &slab{slots: &slots{pool: p}}, 0
		runtime.AddCleanup(p.slab, (*slots).free, p.slab.slots)
	}
	s, i := p.slab, p.used
	p.used++
	p.mu.Unlock()
	return s.slots.put(&s.handles[i], i, c, m, raw)
}

func (s *slots) put(b *buffer, i int, c *Client, m *meta, raw uintptr) *buffer {
	atomic.StoreUintptr(&s.raw[i], raw)
	atomic.StoreInt64(&s.sizes[i], m.bytes)
	b.client, b.meta, b.slots, b.index = c, m, s, uint8(i)
	return b
}

// take gives the C buffer of slot i for destruction, once.
func (s *slots) take(i int) (raw uintptr, bytes int64) {
	return atomic.SwapUintptr(&s.raw[i], 0), atomic.LoadInt64(&s.sizes[i])
}

// free is the cleanup of a slab: none of its handles can be used any more.
func (s *slots) free() {
	var raws [slabSize]uintptr
	var bytes int64
	n := 0
	for i := range s.raw {
		if raw, size := s.take(i); raw != 0 {
			raws[n] = raw
			bytes += size
			n++
		}
	}
	if n > 0 {
		s.pool.bury(raws[:n], bytes)
	}
}

// bury queues C buffers for destruction by the next call, or destroys the
// queue when much waits.
func (p *pool) bury(raws []uintptr, bytes int64) {
	p.dead.Lock()
	p.dead.raw = append(p.dead.raw, raws...)
	p.dead.bytes += bytes
	n := len(p.dead.raw)
	p.dead.n.Store(int64(n))
	full := n >= deadMost || p.dead.bytes >= deadBytes
	p.dead.Unlock()
	if full {
		p.reclaimAll()
	}
}

// reclaim destroys dead buffers if there are any, and forces a collection when
// many have come to life since the last one. Every call that makes buffers
// begins with it.
func (p *pool) reclaim() {
	if p.dead.n.Load() > 0 {
		p.reclaimSome()
	}
	live, bytes := p.live.Load(), p.bytes.Load()
	floor, floorBytes := p.gc.live.Load(), p.gc.bytes.Load()
	if live < floor {
		p.gc.live.Store(live)
	}
	if bytes < floorBytes {
		p.gc.bytes.Store(bytes)
	}
	if live-floor > max(p.gc.every.Load(), floor) || bytes-floorBytes > max(gcBytes, floorBytes) {
		p.collect()
	}
}

// reclaimPrograms is reclaim before an executable is made.
func (p *pool) reclaimPrograms() {
	p.reclaim()
	n, floor := p.programs.Load(), p.gc.programs.Load()
	if n < floor {
		p.gc.programs.Store(n)
	}
	if n-floor > max(gcPrograms, floor/4) {
		p.collect()
	}
}

// collect runs Go's collector; one at a time, others go on meanwhile.
func (p *pool) collect() {
	if !p.gc.TryLock() {
		return
	}
	defer p.gc.Unlock()
	start := time.Now()
	runtime.GC()
	p.gc.every.Store(buffersFor(p.gcTook(time.Since(start))))
	runtime.Gosched() // cleanups run on goroutines of their own
	p.gc.live.Store(p.live.Load())
	p.gc.bytes.Store(p.bytes.Load())
	p.gc.programs.Store(p.programs.Load())
}

// gcTook notes the time of a collection, with p.gc locked, and gives the least
// of the last few: one that other processes held up says nothing of the heap.
func (p *pool) gcTook(took time.Duration) time.Duration {
	p.gc.took[p.gc.count%len(p.gc.took)] = took
	p.gc.count++
	return slices.Min(p.gc.took[:min(p.gc.count, len(p.gc.took))])
}

// buffersFor is how many buffers bear a collection of that time.
func buffersFor(took time.Duration) int64 {
	return min(gcMost, max(gcBuffers, int64(took/gcShare)))
}

// reclaimSome destroys the dead buffers that were queued last.
func (p *pool) reclaimSome() {
	var batch [deadBatch]uintptr
	p.dead.Lock()
	n := min(len(p.dead.raw), deadBatch)
	rest := len(p.dead.raw) - n
	copy(batch[:], p.dead.raw[rest:])
	p.dead.raw = p.dead.raw[:rest]
	// Sizes are not kept one by one: the last batch takes what remains.
	bytes := p.dead.bytes
	if rest > 0 {
		bytes = bytes / int64(rest+n) * int64(n)
	}
	p.dead.bytes -= bytes
	p.dead.n.Store(int64(rest))
	p.dead.Unlock()
	p.destroy(batch[:n], bytes)
}

// reclaimAll destroys all dead buffers in one C call.
func (p *pool) reclaimAll() {
	if raw := p.takeLast(); raw != 0 {
		one := [1]uintptr{raw}
		p.destroyRaw(one[:])
	}
	p.dead.Lock()
	raws, bytes := p.dead.raw, p.dead.bytes
	p.dead.raw, p.dead.bytes = nil, 0
	p.dead.n.Store(0)
	p.dead.Unlock()
	p.destroy(raws, bytes)
}

// destroyLater destroys a freed C buffer, a small one by way of last.
func (p *pool) destroyLater(raw uintptr, bytes int64) {
	one := [1]uintptr{raw}
	if bytes > slabBytes {
		p.destroy(one[:], bytes)
		return
	}
	if one[0] = p.last.Swap(raw); one[0] != 0 {
		p.destroyRaw(one[:])
	}
	p.live.Add(-1)
	p.bytes.Add(-bytes)
}

// takeLast gives last for destruction, 0 if there is none.
func (p *pool) takeLast() uintptr {
	if p.last.Load() == 0 {
		return 0
	}
	return p.last.Swap(0)
}

func (p *pool) destroy(raws []uintptr, bytes int64) {
	if len(raws) == 0 {
		return
	}
	p.destroyRaw(raws)
	p.live.Add(-int64(len(raws)))
	p.bytes.Add(-bytes)
}

func (p *pool) destroyRaw(raws []uintptr) {
	C.gx_buffers_destroy(p.api, (*C.uintptr_t)(unsafe.Pointer(unsafe.SliceData(raws))), C.size_t(len(raws)))
}

// closed holds gopjrt clients that were closed while buffers were alive.
var closed struct {
	sync.Mutex
	clients []*gopjrt.Client
}

func keepForever(c *gopjrt.Client) {
	closed.Lock()
	defer closed.Unlock()
	closed.clients = append(closed.clients, c)
}
