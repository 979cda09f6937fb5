package kernel

import (
	"runtime/debug"
	"sync/atomic"
	"time"
)

const (
	// largeMessage is the size from which a message is worth giving memory
	// back for: without it a display of 50 MB leaves the kernel 200 MB larger
	// for minutes.
	largeMessage = 8 << 20
	giveBackTime = 2 * time.Second
)

// giveBack returns memory to the system some time after large messages.
type giveBack struct{ due atomic.Bool }

// noteSize is told the size of every message.
func (g *giveBack) noteSize(n int) {
	if n >= largeMessage && g.due.CompareAndSwap(false, true) {
		time.AfterFunc(giveBackTime, func() {
			g.due.Store(false)
			debug.FreeOSMemory()
		})
	}
}
