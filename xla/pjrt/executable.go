package pjrt

/*
#include "direct.h"
*/
import "C"

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	gopjrt "github.com/gomlx/gopjrt/pjrt"

	"gopherlo/xla"
	"gopherlo/xla/hlo"
)

// Executable is a compiled program on its device. It implements
// xla.LoadedExecutable.
type Executable struct {
	client *Client
	device *device
	name   string
	outs   []*meta
	// firstRun is nil but for an executable from the disk cache that has not
	// run yet.
	firstRun atomic.Pointer[firstRun]

	// mu is held for reading by every use of c.
	mu sync.RWMutex
	c  *loaded // nil after Delete
}

// loaded is the C side of an Executable. The Executable's cleanup frees it, so
// it does not point back.
type loaded struct {
	client  *Client
	gopjrt  *gopjrt.LoadedExecutable // nil when it was deserialised
	raw     unsafe.Pointer
	program C.gx_program
	once    sync.Once
}

// trimEvery is after how many freed executables their memory goes back to the
// system. It takes some milliseconds; the C library alone keeps most of it.
const trimEvery = 128

func (l *loaded) free() {
	l.once.Do(func() {
		if l.gopjrt != nil {
			// gopjrt's cleanup would do it too; errors of a destroy call have no
			// remedy.
			_ = l.gopjrt.Destroy()
		} else {
			C.gx_loaded_destroy(l.client.api, l.raw)
		}
		l.client.pool.programs.Add(-1)
		if l.client.pool.freed.Add(1)%trimEvery == 0 {
			C.gx_trim()
		}
	})
}

// newExecutable takes over raw, which g owns unless it is nil.
func newExecutable(c *Client, g *gopjrt.LoadedExecutable, raw unsafe.Pointer, dev *device) (*Executable, error) {
	e := &Executable{client: c, device: dev}
	l := &loaded{client: c, gopjrt: g, raw: raw}
	c.pool.programs.Add(1)
	if err := e.describe(l); err != nil {
		l.free()
		return nil, err
	}
	l.program = C.gx_program{api: c.api, executable: raw, device: dev.raw, num_outs: C.size_t(len(e.outs))}
	e.c = l
	runtime.AddCleanup(e, (*loaded).free, l)
	return e, nil
}

// describe reads the name and the results' shapes.
func (e *Executable) describe(l *loaded) error {
	return l.executable(func(api, x unsafe.Pointer) error {
		var name *C.char
		var size C.size_t
		if err := status(api, C.gx_executable_name(api, x, &name, &size)); err != nil {
			return err
		}
		e.name = C.GoStringN(name, C.int(size))
		var types *C.int
		var n C.size_t
		var dims *C.int64_t
		var ranks *C.size_t
		if err := status(api, C.gx_executable_outputs(api, x, &types, &n, &dims, &ranks)); err != nil {
			return err
		}
		flat := unsafe.Pointer(dims)
		for i := range int(n) {
			rank := int(unsafe.Slice(ranks, n)[i])
			shape := make([]int64, rank)
			if rank > 0 {
				copy(shape, unsafe.Slice((*int64)(flat), rank))
				flat = unsafe.Add(flat, 8*rank)
			}
			m, err := newMeta(primitiveTypes[int32(unsafe.Slice(types, n)[i])], shape, e.device)
			if err != nil {
				return err
			}
			e.outs = append(e.outs, m)
		}
		return nil
	})
}

// executable calls f with the PJRT_Executable, which is destroyed after.
func (l *loaded) executable(f func(api, executable unsafe.Pointer) error) error {
	api := l.client.api
	var x unsafe.Pointer
	if err := status(api, C.gx_get_executable(api, l.raw, &x)); err != nil {
		return err
	}
	defer runtime.KeepAlive(l)
	defer C.gx_executable_destroy(api, x)
	return f(api, x)
}

// use calls f with the C side, which stays until f returns.
func (e *Executable) use(f func(api, executable unsafe.Pointer) error) error {
	e.mu.RLock()
	defer e.mu.RUnlock()
	if e.c == nil {
		return e.deleted()
	}
	defer runtime.KeepAlive(e)
	return e.c.executable(f)
}

func (e *Executable) deleted() error {
	return xla.Errorf(xla.FailedPrecondition, "the executable %s has been deleted", e.name)
}

// Name is the module's name: "jit_f".
func (e *Executable) Name() string { return e.name }

// OutputShapes gives the type and dimensions of each result.
func (e *Executable) OutputShapes() ([]hlo.Shape, error) {
	out := make([]hlo.Shape, len(e.outs))
	for i, m := range e.outs {
		out[i] = hlo.ArrayShape(m.elem, slices.Clone(m.dims)...)
	}
	return out, nil
}

// OptimizedProto is the program after XLA's passes as serialised proto, and
// its format: "hlo_with_config" (HloModuleProtoWithConfig) from all plugins
// seen so far.
func (e *Executable) OptimizedProto() (code []byte, format string, err error) {
	err = e.use(func(api, x unsafe.Pointer) error {
		var size, formatSize C.size_t
		var cFormat *C.char
		if err := status(api, C.gx_optimized_program(api, x, nil, &size, &cFormat, &formatSize)); err != nil {
			return err
		}
		code = make([]byte, int(size))
		if len(code) > 0 {
			dst := (*C.char)(unsafe.Pointer(unsafe.SliceData(code)))
			if err := status(api, C.gx_optimized_program(api, x, dst, &size, &cFormat, &formatSize)); err != nil {
				return err
			}
		}
		format = C.GoStringN(cFormat, C.int(formatSize))
		return nil
	})
	return code, format, err
}

// Serialize gives bytes that Deserialize loads again: native code for this
// machine.
func (e *Executable) Serialize() (out []byte, err error) {
	err = e.use(func(api, x unsafe.Pointer) error {
		var b C.gx_bytes
		if err := status(api, C.gx_serialize(api, x, &b)); err != nil {
			return err
		}
		defer C.gx_bytes_free(&b)
		out = append(out, unsafe.Slice((*byte)(unsafe.Pointer(b.data)), int(b.size))...)
		return nil
	})
	return out, err
}

// MemoryStats gives the sizes that XLA planned.
func (e *Executable) MemoryStats() (s xla.MemoryStats, err error) {
	err = e.use(func(api, x unsafe.Pointer) error {
		var v [11]C.int64_t
		if err := status(api, C.gx_memory_stats(api, x, &v[0])); err != nil {
			return err
		}
		s = xla.MemoryStats{
			GeneratedCodeSize: int64(v[0]), ArgumentSize: int64(v[1]), OutputSize: int64(v[2]),
			AliasSize: int64(v[3]), TempSize: int64(v[4]),
			HostGeneratedCodeSize: int64(v[5]), HostArgumentSize: int64(v[6]), HostOutputSize: int64(v[7]),
			HostAliasSize: int64(v[8]), HostTempSize: int64(v[9]),
		}
		return nil
	})
	return s, err
}

// CostAnalysis gives the plugin's own estimate of what the program costs, by
// XLA's keys. Plugins of June 2026 answer with an Unimplemented status.
func (e *Executable) CostAnalysis() (costs map[string]float64, err error) {
	err = e.use(func(api, x unsafe.Pointer) error {
		var n C.size_t
		var properties unsafe.Pointer
		if err := status(api, C.gx_cost_analysis(api, x, &n, &properties)); err != nil {
			return err
		}
		costs = make(map[string]float64, int(n))
		for i := range int(n) {
			var name *C.char
			var size C.size_t
			var value C.double
			C.gx_cost_property(properties, C.size_t(i), &name, &size, &value)
			if name != nil {
				costs[C.GoStringN(name, C.int(size))] = float64(value)
			}
		}
		return nil
	})
	return costs, err
}

// Delete frees the program, after the calls that run now.
func (e *Executable) Delete() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.c != nil {
		e.c.free()
		e.c = nil
	}
}
