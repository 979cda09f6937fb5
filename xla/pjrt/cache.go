//go:build cgo

package pjrt

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"

	"gopherlo/xla"
	"gopherlo/xla/diskcache"
	"gopherlo/xla/plugin"
)

// cacheFormat changes when what is stored does.
const cacheFormat = "gopherlo executable 1"

// compileCache is the disk cache that compilations go through; nil: none.
var compileCache atomic.Pointer[diskcache.Cache]

// UseCache makes all later compilations look in c first and store what they
// made; nil turns it off again.
func UseCache(c *diskcache.Cache) { compileCache.Store(c) }

// stores counts the entries that are being written.
var stores sync.WaitGroup

// FlushCache waits for the entries that are being written.
func FlushCache() { stores.Wait() }

// cacheKey names an executable by all that decides what XLA makes; ok is false
// when the compilation is to be done anyway.
func (c *Client) cacheKey(program xla.Program, opts xla.CompileOptions, options []byte) (k diskcache.Key, ok bool) {
	// A dump is wanted from the compilation itself.
	if strings.Contains(c.xlaFlags, "xla_dump") {
		return k, false
	}
	for name := range opts.Overrides {
		if strings.HasPrefix(name, "xla_dump") {
			return k, false
		}
	}
	sum, err := c.pluginHash()
	if err != nil {
		return k, false
	}
	place := fmt.Sprintf("%s\n%s\n%s\ndevice %d of %d", c.platform.Name, sum, c.APIVersion(), opts.DeviceOrdinal, len(c.devices))
	return diskcache.KeyOf([]byte(cacheFormat), []byte(place), diskcache.CPU(), []byte(c.xlaFlags),
		options, []byte(program.Format), program.Code), true
}

// pluginHash is the SHA-256 of the plugin file, read once.
func (c *Client) pluginHash() (string, error) {
	c.hash.Do(func() { c.hashSum, c.hashErr = plugin.Hash(c.plugin.Path()) })
	return c.hashSum, c.hashErr
}

// cached looks a compilation up. A miss, or whatever goes wrong, gives nil.
func (c *Client) cached(cache *diskcache.Cache, k diskcache.Key, dev *device) *Executable {
	data, ok := cache.Load(k)
	if !ok {
		return nil
	}
	x, err := c.DeserializeOn(data, dev.index)
	if err != nil {
		cache.Drop(k)
		return nil
	}
	e := x.(*Executable)
	// The first run of code from disk is noted on disk, in case it kills us.
	e.firstRun.Store(&firstRun{start: func() func() { return cache.Trying(k) }})
	return e
}

// store writes an executable to the cache, beside whatever comes next.
func (c *Client) store(cache *diskcache.Cache, k diskcache.Key, e *Executable) {
	stores.Go(func() {
		data, err := e.Serialize()
		if err != nil {
			return // it was deleted meanwhile, or the plugin cannot
		}
		// A full or read-only disk costs the cache, not the program.
		_ = cache.Store(k, data)
	})
}

// firstRun guards the first execution of an executable from the cache.
type firstRun struct {
	once  sync.Once
	start func() (done func())
}

// guard runs f, the first time between the two notes on disk. f waits for the
// computation when wait is set.
func (e *Executable) guard(f func(wait bool) error) error {
	first := e.firstRun.Load()
	if first == nil {
		return f(false)
	}
	guarded := false
	var err error
	first.once.Do(func() {
		guarded = true
		done := first.start()
		err = f(true)
		done()
		e.firstRun.Store(nil)
	})
	if !guarded {
		return f(false)
	}
	return err
}
