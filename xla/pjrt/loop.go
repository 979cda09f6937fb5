package pjrt

/*
#include "direct.h"
*/
import "C"

import (
	"runtime"
	"unsafe"

	"gopherlo/xla"
)

// Loop executes n times, waits and destroys the results, all in C: the
// yardstick of the benchmarks. (cgo is not to be had in test files.)
func (e *Executable) Loop(args []xla.Buffer, n int) error {
	raws := make([]uintptr, len(args))
	for i, a := range args {
		raw, err := e.argument(a, i)
		if err != nil {
			return err
		}
		raws[i] = raw
	}
	defer release(args)
	outs := make([]uintptr, len(e.outs))
	keep, err := kept(len(args), nil)
	if err != nil {
		return err
	}
	var pin runtime.Pinner
	defer pin.Unpin()
	pin.Pin(&raws[0])
	pin.Pin(&keep[0])
	call := C.gx_args{
		buffers: (*C.uintptr_t)(unsafe.Pointer(&raws[0])), n: C.size_t(len(args)),
		keep: (*C.int64_t)(&keep[0]), num_keep: C.size_t(len(keep)),
	}
	cErr := C.gx_loop(&e.c.program, call, (*C.uintptr_t)(unsafe.Pointer(unsafe.SliceData(outs))), C.size_t(n))
	runtime.KeepAlive(e)
	return status(e.client.api, cErr)
}
