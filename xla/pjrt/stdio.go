package pjrt

/*
#include "direct.h"
*/
import "C"

// LineBufferStdout makes C's stdout write each line at once, also into a pipe:
// of what XLA prints nothing is lost when the process is killed.
func LineBufferStdout() { C.gx_line_buffer_stdout() }

// FlushStdio writes out what C's stdio holds.
func FlushStdio() { C.gx_flush_stdio() }
