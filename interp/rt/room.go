package rt

import (
	"fmt"
	"math"
	"runtime/debug"
	"sync"
	"syscall"
)

// room is how many bytes a value can have at most. A kernel sets GOMEMLIMIT to
// eight tenths of what it allows the process; without it, it is the machine's memory.
var room = sync.OnceValue(func() int64 {
	if limit := debug.SetMemoryLimit(-1); limit < math.MaxInt64/10 {
		return limit * 10 / 8
	}
	var info syscall.Sysinfo_t
	if err := syscall.Sysinfo(&info); err != nil {
		return math.MaxInt64
	}
	return int64(info.Totalram) * int64(info.Unit)
})

// Room returns n, a size of make whose elements take that many bytes each. A size
// for which there is not the memory is an error of the cell: it would end a Go
// program, and with it the session.
func (s *Session) Room(n int, bytes int64) int {
	if n > 0 && int64(n) > room()/bytes {
		size := fmt.Sprintf("%d elements of %d bytes", n, bytes)
		if bytes == 1 {
			size = fmt.Sprintf("%d bytes", n)
		}
		panic(runtimeError(fmt.Sprintf("out of memory: make of %s, and there are %.1f GB", size, float64(room())/1e9)))
	}
	return n
}
