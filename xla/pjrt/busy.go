//go:build cgo

package pjrt

import (
	"cmp"
	"sync/atomic"
)

// What native calls are under way, for whoever waits for one to end. Of several
// executions at once it is the last that began, until that ends.
var (
	executing atomic.Pointer[Executable]
	awaiting  atomic.Int32
	compiling atomic.Int32
)

// Busy names the native work under way, such as "XLA execute of jit_f"; empty
// when there is none.
func Busy() string {
	if e := executing.Load(); e != nil {
		return "XLA execute of " + cmp.Or(e.name, "a program")
	}
	switch {
	case awaiting.Load() > 0:
		return "XLA execute"
	case compiling.Load() > 0:
		return "XLA compile"
	}
	return ""
}
