package stages

import (
	"os"
	"strconv"
	"strings"
	"sync"
	"unsafe"
	"weak"
)

// identity tells functions apart in the keys of caches, without keeping them
// alive: the closure word of a function, which is weak where it is on the heap.
// A function that takes the place of a dead one in memory is another one.
type identity struct {
	heap   weak.Pointer[byte]
	static unsafe.Pointer
}

// identityOf is the identity of the function with the closure word p.
func identityOf(p unsafe.Pointer) identity {
	if p == nil || isStatic(uintptr(p)) {
		return identity{static: p}
	}
	return identity{heap: weak.Make((*byte)(p))}
}

// span is a range of addresses.
type span struct{ from, to uintptr }

// images are the parts of memory that files are mapped to. The closure of a
// function that captures nothing lies in the program's own, where the runtime
// takes no weak pointers; it lives for ever.
var images = sync.OnceValue(func() (out []span) {
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		return nil
	}
	for line := range strings.Lines(string(maps)) {
		f := strings.Fields(line)
		if len(f) < 6 || f[5][0] != '/' {
			continue
		}
		from, to, _ := strings.Cut(f[0], "-")
		a, errA := strconv.ParseUint(from, 16, 64)
		b, errB := strconv.ParseUint(to, 16, 64)
		if errA == nil && errB == nil {
			out = append(out, span{uintptr(a), uintptr(b)})
		}
	}
	return out
})

// isStatic tells whether p is no address of the heap. Where that is not to be
// known it says yes: identities then hold their functions.
func isStatic(p uintptr) bool {
	list := images()
	for _, s := range list {
		if s.from <= p && p < s.to {
			return true
		}
	}
	return len(list) == 0
}
