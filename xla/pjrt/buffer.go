package pjrt

/*
#include "direct.h"

#cgo noescape gx_buffer_await
#cgo noescape gx_buffer_to_host
#cgo noescape gx_buffer_copy_out
*/
import "C"

import (
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"
	"unsafe"

	"gopherlo/xla"
	"gopherlo/xla/hlo"
)

// buffer is the handle of a C buffer. It implements xla.Buffer.
type buffer struct {
	client *Client
	meta   *meta
	slots  *slots
	state  atomic.Uint32
	index  uint8
}

// The state's low bits; above them is the number of calls that use the C
// buffer now. A deleted buffer is destroyed when that falls to zero.
const (
	stateDeleted uint32 = 1 << iota
	stateDonated
	stateReady
	stateUse // one use
)

// spin lets waits look for a value for some microseconds before they sleep: not
// where the one processor has to compute it meanwhile.
var spin = func() C.int {
	if runtime.NumCPU() > 1 {
		return 1
	}
	return 0
}()

// acquire gives the C buffer for one use, until release.
func (b *buffer) acquire() (uintptr, error) {
	for {
		s := b.state.Load()
		if s&(stateDeleted|stateDonated) != 0 {
			return 0, b.gone(s)
		}
		if b.state.CompareAndSwap(s, s+stateUse) {
			return atomic.LoadUintptr(&b.slots.raw[b.index]), nil
		}
	}
}

func (b *buffer) gone(s uint32) error {
	how := "deleted"
	if s&stateDonated != 0 {
		how = "donated"
	}
	return fmt.Errorf("%w: a %s%v that was %s", xla.ErrDeleted, b.meta.elem, b.meta.dims, how)
}

// release ends a use; the last one of a deleted buffer destroys it.
func (b *buffer) release() {
	if s := b.state.Add(^(stateUse - 1)); s < stateUse && s&(stateDeleted|stateDonated) != 0 {
		b.destroy()
	}
}

// end marks the buffer as deleted or donated.
func (b *buffer) end(how uint32) {
	if s := b.state.Or(how) | how; s < stateUse {
		b.destroy()
	}
}

func (b *buffer) destroy() {
	if raw, bytes := b.slots.take(int(b.index)); raw != 0 {
		b.client.pool.destroyLater(raw, bytes)
	}
	runtime.KeepAlive(b)
}

// ElementType is the type of the elements.
func (b *buffer) ElementType() hlo.PrimitiveType { return b.meta.elem }

// Dims gives the dimensions.
func (b *buffer) Dims() []int64 { return slices.Clone(b.meta.dims) }

// Device is where the buffer lies.
func (b *buffer) Device() xla.Device { return b.meta.device }

// Delete frees the device memory, after the calls that use it now.
func (b *buffer) Delete() { b.end(stateDeleted) }

// Deleted says whether the buffer was deleted or donated.
func (b *buffer) Deleted() bool { return b.state.Load()&(stateDeleted|stateDonated) != 0 }

// Await waits for the value.
func (b *buffer) Await() error {
	s := b.state.Load()
	if s&(stateDeleted|stateDonated) != 0 {
		return b.gone(s)
	}
	if s&stateReady != 0 {
		return nil
	}
	raw, err := b.acquire()
	if err != nil {
		return err
	}
	defer b.release()
	awaiting.Add(1)
	defer awaiting.Add(-1)
	if err := status(b.client.api, C.gx_buffer_await(b.client.api, C.uintptr_t(raw), spin)); err != nil {
		return err
	}
	b.state.Or(stateReady)
	runtime.KeepAlive(b)
	return nil
}

// ToHost waits for the value and copies it out, row-major.
func (b *buffer) ToHost() ([]byte, error) {
	if err := b.Await(); err != nil {
		return nil, err
	}
	raw, err := b.acquire()
	if err != nil {
		return nil, err
	}
	defer b.release()
	dst := make([]byte, b.meta.bytes)
	if len(dst) == 0 {
		return dst, nil
	}
	// The runtime copies with a thread of its own, which takes many times as long
	// as to copy a few elements.
	if b.plain() {
		var copied C.int
		cErr := C.gx_buffer_copy_out(b.client.api, C.uintptr_t(raw), C.size_t(len(b.meta.dims)),
			unsafe.Pointer(unsafe.SliceData(dst)), C.size_t(len(dst)), &copied)
		// A plugin that cannot say where its memory is can still copy.
		if err := status(b.client.api, cErr); err == nil && copied != 0 {
			runtime.KeepAlive(b)
			return dst, nil
		}
	}
	layout := b.meta.layout
	cErr := C.gx_buffer_to_host(b.client.api, C.uintptr_t(raw), (*C.int64_t)(unsafe.SliceData(layout)),
		C.size_t(len(layout)), unsafe.Pointer(unsafe.SliceData(dst)), C.size_t(len(dst)))
	if err := status(b.client.api, cErr); err != nil {
		return nil, err
	}
	runtime.KeepAlive(b)
	return dst, nil
}

// View calls f with the buffer's elements, row-major: with its own memory where
// that is the CPU's and lies so, else with a copy. f must not change or keep
// data. The memory stays for as long as f runs, also when the buffer is deleted
// meanwhile.
func (b *buffer) View(f func(data []byte) error) error {
	if err := b.Await(); err != nil {
		return err
	}
	raw, err := b.acquire()
	if err != nil {
		return err
	}
	data, err := b.borrow(raw)
	if data == nil || err != nil {
		b.release()
		// A plugin that cannot say where its memory is can still copy.
		if data, err = b.ToHost(); err != nil {
			return err
		}
		return f(data)
	}
	defer b.giveBack(raw)
	return f(data)
}

// borrow gives the C buffer's memory; nil when it has to be copied.
func (b *buffer) borrow(raw uintptr) ([]byte, error) {
	if !b.plain() {
		return nil, nil
	}
	var data unsafe.Pointer
	cErr := C.gx_buffer_view(b.client.api, C.uintptr_t(raw), C.size_t(len(b.meta.dims)), C.size_t(b.meta.bytes), &data)
	if err := status(b.client.api, cErr); err != nil || data == nil {
		return nil, err
	}
	return unsafe.Slice((*byte)(data), int(b.meta.bytes)), nil
}

// plain tells whether the buffer's memory may lie as the host wants it: elements
// of less than a byte may be packed.
func (b *buffer) plain() bool {
	return b.meta.bytes != 0 && (b.meta.elem.Bits() >= 8 || b.meta.elem.IsPred())
}

func (b *buffer) giveBack(raw uintptr) {
	// It fails only for a buffer that is not borrowed.
	_ = status(b.client.api, C.gx_buffer_view_end(b.client.api, C.uintptr_t(raw)))
	b.release()
	runtime.KeepAlive(b)
}

// CopyTo copies the buffer to another device of its client.
func (b *buffer) CopyTo(dev xla.Device) (xla.Buffer, error) {
	d, err := b.client.own(dev)
	if err != nil {
		return nil, err
	}
	raw, err := b.acquire()
	if err != nil {
		return nil, err
	}
	defer b.release()
	var copied C.uintptr_t
	if err := status(b.client.api, C.gx_buffer_to_device(b.client.api, C.uintptr_t(raw), d.raw, &copied)); err != nil {
		return nil, err
	}
	m := *b.meta
	m.device = d
	out := b.client.pool.handle(b.client, &m, uintptr(copied))
	runtime.KeepAlive(b)
	return out, nil
}
