package pjrt

/*
#include "direct.h"
*/
import "C"

import (
	"runtime"
	"sync/atomic"
)

// LineBufferStdout makes C's stdout write each line at once, also into a pipe:
// of what XLA prints nothing is lost when the process is killed.
func LineBufferStdout() { C.gx_line_buffer_stdout() }

// flushed is the number of calls into C when FlushStdio last did something.
var flushed atomic.Int64

// FlushStdio writes out what C's stdio holds. When there has been no call into C
// and stdout holds nothing, it makes none either: a call has Go's scheduler look
// after it, which a cell that does without C would pay for.
func FlushStdio() {
	if flushed.Load() == runtime.NumCgoCall() && C.gx_stdout_end != nil && *C.gx_stdout_end == *C.gx_stdout_begin {
		return
	}
	C.gx_flush_stdio()
	flushed.Store(runtime.NumCgoCall())
}
