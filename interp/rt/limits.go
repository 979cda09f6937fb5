package rt

import (
	"fmt"
	"runtime/debug"
	"sync"
)

// fewestThreads is below what the kernel and XLA need.
const fewestThreads = 1000

// limitSymbols are functions of runtime/debug whose limits would end the process, in
// the midst of whatever needs more.
func (s *Session) limitSymbols() map[string]any {
	room() // before a cell sets another limit of memory, which is no limit of what there is
	var mu sync.Mutex
	stack := debug.SetMaxStack(1 << 30)
	debug.SetMaxStack(stack)
	threads := debug.SetMaxThreads(1 << 20)
	debug.SetMaxThreads(threads)
	set := func(kept *int, n int) (before int) {
		mu.Lock()
		defer mu.Unlock()
		before, *kept = *kept, n
		return before
	}
	return map[string]any{
		"SetMaxStack": func(n int) int {
			s.stream("stderr", fmt.Sprintf("debug.SetMaxStack(%d) is without effect in cells: endless recursion ends with an error when the stack has grown to 128 MB.\n", n))
			return set(&stack, n)
		},
		"SetMaxThreads": func(n int) int {
			if n >= fewestThreads {
				debug.SetMaxThreads(n)
			} else {
				s.stream("stderr", fmt.Sprintf("debug.SetMaxThreads(%d) is without effect in cells: the kernel and XLA may need more threads, and one too many would end the process.\n", n))
			}
			return set(&threads, n)
		},
	}
}
