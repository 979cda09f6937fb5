package core

import (
	"sync"
	"sync/atomic"
)

// Cache is a map of bounded size: when it is full it forgets what was not used
// since it last looked (second chance). Use from several goroutines is safe. Its
// zero value is of no use: see [NewCache].
type Cache[K comparable, V any] struct {
	mu    sync.RWMutex
	m     map[K]*cached[K, V]
	order []*cached[K, V]
	hand  int
	limit int
}

type cached[K comparable, V any] struct {
	key  K
	val  V
	used atomic.Bool
}

// NewCache makes a cache of at most limit entries.
func NewCache[K comparable, V any](limit int) *Cache[K, V] {
	return &Cache[K, V]{m: map[K]*cached[K, V]{}, limit: limit}
}

// Get is the value of a key.
func (c *Cache[K, V]) Get(k K) (v V, ok bool) {
	c.mu.RLock()
	e := c.m[k]
	c.mu.RUnlock()
	if e == nil {
		return v, false
	}
	if !e.used.Load() {
		e.used.Store(true)
	}
	return e.val, true
}

// GetOrPut is the value of a key, which becomes v if there is none.
func (c *Cache[K, V]) GetOrPut(k K, v V) V {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e := c.m[k]; e != nil {
		e.used.Store(true)
		return e.val
	}
	e := &cached[K, V]{key: k, val: v}
	c.m[k] = e
	if len(c.order) < c.limit {
		c.order = append(c.order, e)
		return v
	}
	for c.order[c.hand].used.Swap(false) {
		c.step()
	}
	delete(c.m, c.order[c.hand].key)
	c.order[c.hand] = e
	c.step()
	return v
}

func (c *Cache[K, V]) step() { c.hand = (c.hand + 1) % c.limit }

// Len is the number of entries.
func (c *Cache[K, V]) Len() int {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return len(c.m)
}

// Clear forgets everything.
func (c *Cache[K, V]) Clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.m)
	c.order, c.hand = nil, 0
}
