// Package processors lets a process that waits for small work do it on one
// processor.
//
// Goroutines that hand each other a small piece of work are slower on several
// processors: each hand-over wakes a thread, which takes longer than what is then
// done. [Narrow] is called between two pieces of work, [Wide] once one of them turns
// out to last or starts goroutines. A process that never calls Narrow has what the
// runtime gives it.
package processors

import (
	"os"
	"runtime"
	"sync"
	"sync/atomic"
)

var (
	mu     sync.Mutex
	narrow atomic.Bool
	// set tells that the number stays: somebody has chosen it, or asks the runtime.
	set = os.Getenv("GOMAXPROCS") != ""
	// wide is the number outside narrow times.
	wide int
)

// Narrow leaves the process one processor, until Wide.
func Narrow() {
	if narrow.Load() {
		return
	}
	mu.Lock()
	defer mu.Unlock()
	if set || narrow.Load() {
		return
	}
	if wide = runtime.GOMAXPROCS(0); wide > 1 {
		runtime.GOMAXPROCS(1)
		narrow.Store(true)
	}
}

// Keep ends narrow times for good: the process runs code that asks the runtime.
func Keep() {
	mu.Lock()
	defer mu.Unlock()
	widen()
	set = true
}

// Wide gives the process all of its processors again.
func Wide() {
	if !narrow.Load() {
		return
	}
	mu.Lock()
	defer mu.Unlock()
	widen()
}

// widen is Wide; mu is held. The number goes on following the limits of the process's
// control group, as it does before anybody sets it.
func widen() {
	if narrow.Load() {
		runtime.SetDefaultGOMAXPROCS()
		narrow.Store(false)
	}
}

// Set is [runtime.GOMAXPROCS] for programs that do not know of this package. A number
// that they set stays.
func Set(n int) (before int) {
	mu.Lock()
	defer mu.Unlock()
	if n <= 0 && narrow.Load() {
		return wide
	}
	widen()
	set = set || n > 0
	return runtime.GOMAXPROCS(n)
}

// SetDefault is [runtime.SetDefaultGOMAXPROCS] for such programs.
func SetDefault() {
	mu.Lock()
	defer mu.Unlock()
	narrow.Store(false)
	runtime.SetDefaultGOMAXPROCS()
}
