package xla

import (
	"maps"
	"slices"
	"strings"
	"sync"
)

// Backend makes clients of one platform.
type Backend interface {
	Open() (Client, error)
}

// OpenFunc is a Backend of one function.
type OpenFunc func() (Client, error)

// Open calls f.
func (f OpenFunc) Open() (Client, error) { return f() }

var registry = struct {
	sync.Mutex
	backends map[string]Backend
	clients  map[string]Client
}{backends: map[string]Backend{}, clients: map[string]Client{}}

// Register adds the backend of a platform ("cpu"). It is called from init
// functions; a second backend of one name is a mistake in the program.
func Register(platform string, b Backend) {
	registry.Lock()
	defer registry.Unlock()
	if _, dup := registry.backends[platform]; dup {
		panic("xla: two backends registered for " + platform)
	}
	registry.backends[platform] = b
}

// Platforms lists the registered platforms, sorted.
func Platforms() []string {
	registry.Lock()
	defer registry.Unlock()
	return slices.Sorted(maps.Keys(registry.backends))
}

// Open gives the process's client of a platform. The first call makes it;
// later ones give the same. A failed call is tried anew by the next, so that a
// plugin may be installed meanwhile.
func Open(platform string) (Client, error) {
	platform = strings.ToLower(platform)
	registry.Lock()
	defer registry.Unlock()
	if c, ok := registry.clients[platform]; ok {
		return c, nil
	}
	b, ok := registry.backends[platform]
	if !ok {
		if len(registry.backends) == 0 {
			return nil, &NoPluginError{Platform: platform}
		}
		return nil, Errorf(NotFound, "unknown platform %q; known: %s", platform,
			strings.Join(slices.Sorted(maps.Keys(registry.backends)), ", "))
	}
	c, err := b.Open()
	if err != nil {
		return nil, err
	}
	registry.clients[platform] = c
	return c, nil
}

// Opened says whether Open has made a client of the platform: from then on
// changes of XLA_FLAGS have no effect.
func Opened(platform string) bool {
	registry.Lock()
	defer registry.Unlock()
	_, ok := registry.clients[strings.ToLower(platform)]
	return ok
}

// forget drops a closed client, so that Open makes a new one.
func forget(c Client) {
	registry.Lock()
	defer registry.Unlock()
	maps.DeleteFunc(registry.clients, func(_ string, have Client) bool { return have == c })
}

// Close closes a client that Open gave and forgets it.
func Close(c Client) error {
	forget(c)
	return c.Close()
}
