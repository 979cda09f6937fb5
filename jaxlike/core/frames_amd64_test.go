//go:build !purego

package core

import (
	"runtime"
	"slices"
	"testing"
)

func atDepth(n int, f func()) {
	if n == 0 {
		f()
		return
	}
	atDepth(n-1, f)
}

// TestReturnAddresses compares the walk over frame pointers with the runtime's:
// one stack has one key, and the next one another.
func TestReturnAddresses(t *testing.T) {
	keys := map[[maxFrames]uintptr]int{}
	for depth := range maxFrames / 2 {
		for range 2 {
			atDepth(depth, func() {
				var fast [maxFrames]uintptr
				n, whole := returnAddresses(&fast)
				if !whole {
					t.Error("the walk did not reach the end")
				}
				var slow [maxFrames]uintptr
				physical(&slow)
				// The runtime hides wrappers, and begins with physical's own.
				rest := fast[:n]
				for _, pc := range slow[2:] {
					at := slices.Index(rest, pc)
					if pc != 0 && at < 0 {
						t.Fatalf("depth %d: %x, the runtime has %x", depth, fast[:n], slow)
					}
					rest = rest[max(at, 0):]
				}
				if old, ok := keys[fast]; ok && old != depth {
					t.Errorf("depths %d and %d have one key", old, depth)
				}
				keys[fast] = depth
			})
		}
	}
	if len(keys) != maxFrames/2 {
		t.Errorf("%d keys of %d stacks", len(keys), maxFrames/2)
	}
}

// physical gives the return addresses of functions that are not inlined.
func physical(pcs *[maxFrames]uintptr) {
	var all [2 * maxFrames]uintptr
	n := runtime.Callers(1, all[:])
	out := pcs[:0]
	for _, pc := range all[:n] {
		if !siteOf(pc).inlined {
			out = append(out, pc)
		}
	}
}
