package pjrt

/*
#include "direct.h"

#cgo noescape gx_execute
#cgo nocallback gx_execute
*/
import "C"

import (
	"runtime"
	"unsafe"

	"gopherlo/xla"
)

// inline is how many arguments and results a call has without an allocation.
const inline = 16

// Execute starts the program on args and gives one buffer per result, which
// may still be computed: an error of the computation then comes from the
// buffer's Await or ToHost. Arguments listed in donated are consumed.
func (e *Executable) Execute(args []xla.Buffer, donated []int) (outs []xla.Buffer, err error) {
	if e.firstRun.Load() == nil {
		return e.execute(args, donated)
	}
	err = e.guard(func(wait bool) error {
		outs, err = e.execute(args, donated)
		if err == nil && wait && len(outs) > 0 {
			// The error itself comes to whoever asks for the value.
			_ = outs[0].Await()
		}
		return err
	})
	return outs, err
}

func (e *Executable) execute(args []xla.Buffer, donated []int) ([]xla.Buffer, error) {
	e.mu.RLock()
	defer e.mu.RUnlock()
	l := e.c
	if l == nil {
		return nil, e.deleted()
	}
	if err := e.client.check(); err != nil {
		return nil, err
	}
	e.client.pool.reclaim()

	var argSpace, outSpace [inline]uintptr
	raws, outs := argSpace[:], outSpace[:]
	if len(args) > inline {
		raws = make([]uintptr, len(args))
	}
	if len(e.outs) > inline {
		outs = make([]uintptr, len(e.outs))
	}
	keep, err := kept(len(args), donated)
	if err != nil {
		return nil, err
	}
	for i, a := range args {
		if raws[i], err = e.argument(a, i); err != nil {
			release(args[:i])
			return nil, err
		}
	}
	call := C.gx_args{
		buffers: (*C.uintptr_t)(unsafe.Pointer(unsafe.SliceData(raws))), n: C.size_t(len(args)),
		keep: (*C.int64_t)(unsafe.SliceData(keep)), num_keep: C.size_t(len(keep)),
		dead: C.uintptr_t(e.client.pool.takeLast()),
	}
	var ready C.int
	executing.Store(e)
	cErr := C.gx_execute(&l.program, call, (*C.uintptr_t)(unsafe.Pointer(unsafe.SliceData(outs))), &ready)
	executing.CompareAndSwap(e, nil)
	runtime.KeepAlive(keep)
	runtime.KeepAlive(e)
	if cErr != nil {
		release(args)
		return nil, status(e.client.api, cErr)
	}
	for _, i := range donated {
		args[i].(*buffer).end(stateDonated)
	}
	release(args)
	return e.results(outs, ready != 0), nil
}

// argument takes argument i for the call.
func (e *Executable) argument(a xla.Buffer, i int) (uintptr, error) {
	b, ok := a.(*buffer)
	if !ok || b == nil {
		return 0, xla.Errorf(xla.InvalidArgument, "argument %d of %s is no buffer of this client: %T", i, e.name, a)
	}
	if b.client != e.client {
		return 0, xla.Errorf(xla.InvalidArgument, "argument %d of %s belongs to another client", i, e.name)
	}
	return b.acquire()
}

// release ends the call's use of its arguments, and keeps them alive to here.
func release(args []xla.Buffer) {
	for _, a := range args {
		a.(*buffer).release()
	}
	runtime.KeepAlive(args)
}

// results makes the handles of a call's results.
func (e *Executable) results(outs []uintptr, ready bool) []xla.Buffer {
	handles := make([]xla.Buffer, len(e.outs))
	for i, m := range e.outs {
		b := e.client.pool.handle(e.client, m, outs[i])
		if ready {
			b.state.Or(stateReady)
		}
		handles[i] = b
	}
	return handles
}

// identity is 0, 1, 2, …: the arguments that a call without donation keeps.
var identity = func() []int64 {
	ids := make([]int64, 256)
	for i := range ids {
		ids[i] = int64(i)
	}
	return ids
}()

// kept lists the arguments of n that are not donated. PJRT takes an empty list
// as leave to consume all.
func kept(n int, donated []int) ([]int64, error) {
	if len(donated) == 0 && n <= len(identity) {
		return identity[:n], nil
	}
	gone := make([]bool, n)
	for _, i := range donated {
		if i < 0 || i >= n {
			return nil, xla.Errorf(xla.InvalidArgument, "donated argument %d is out of range: the call has %d", i, n)
		}
		gone[i] = true
	}
	keep := make([]int64, 0, n)
	for i, g := range gone {
		if !g {
			keep = append(keep, int64(i))
		}
	}
	return keep, nil
}
