package core

import (
	"bytes"
	"fmt"
	"sync"
	"unsafe"

	"gopherlo/internal/bug"
	"gopherlo/jaxlike/dtype"
	"gopherlo/xla"
)

// Value is what primitives are applied to: a [Tracer], a [*Const], or a [Zero]
// where a rule says that it takes symbolic zeros.
type Value interface {
	Aval() *ShapedArray
}

// Tracer stands for a value of a computation that is being transformed.
type Tracer interface {
	Value
	// Owner is the trace that made the tracer.
	Owner() Trace
	// FullLower gives the underlying value when the tracer adds nothing to it.
	FullLower() Value
	// Repr is how the tracer prints: "JitTracer(~float32[])".
	Repr() string
}

// Zero is the symbolic zero of a tangent or cotangent (ad.Zero in JAX).
type Zero struct{ Of *ShapedArray }

// Aval is the type of the zero.
func (z Zero) Aval() *ShapedArray { return z.Of }

// IsZero tells a symbolic zero from a value.
func IsZero(v Value) bool {
	_, ok := v.(Zero)
	return ok
}

// Abstract is the type of an argument without a value: functions are traced for
// it but not run on it.
type Abstract struct{ Of *ShapedArray }

// Aval is the type.
func (a Abstract) Aval() *ShapedArray { return a.Of }

// DeviceBuffer is an array in device memory, as far as core needs one.
type DeviceBuffer interface {
	// ToHost waits for the array and copies it out, row-major, little-endian.
	ToHost() ([]byte, error)
	Await() error
	Delete()
	Deleted() bool
}

// Const is a concrete array. Its bytes are on the host, on a device or both.
// Identity matters: staging makes one constant per *Const, as JAX makes one
// per object.
type Const struct {
	aval *ShapedArray
	// Py is the number itself for a plain Go number or a rank-0 host constant
	// (int64, uint64, float64, bool or complex128); such constants become
	// literals in jaxprs, as Python and NumPy scalars do. Narrow floats are
	// held widened. Nil for device arrays and arrays of higher rank.
	Py any
	// HostMade marks a constant that came from host data (a NumPy array in
	// JAX's terms), not from a computation.
	HostMade bool
	// Slice is the Go slice that a constant was made of. Staging takes two of
	// one slice for one as long as their elements are the same.
	Slice unsafe.Pointer

	mu   sync.Mutex
	host []byte
	buf  DeviceBuffer
}

// NewScalar makes a rank-0 constant from a number. py is int64, uint64,
// float64, bool or complex128; weak marks a plain Go number.
func NewScalar(py any, dt dtype.DType, weak bool) *Const {
	data := make([]byte, dt.Size())
	if err := dt.Put(data, py); err != nil {
		bug.Panicf("constant %v of type %s: %v", py, dt, err)
	}
	return &Const{aval: &ShapedArray{DType: dt, Weak: weak}, Py: py, HostMade: true, host: data}
}

// NewHostConst makes a constant from row-major little-endian bytes, which it keeps.
func NewHostConst(aval *ShapedArray, data []byte) *Const {
	return &Const{aval: aval, HostMade: true, host: data}
}

// NewDeviceConst makes a constant from a device buffer, which it owns.
func NewDeviceConst(aval *ShapedArray, buf DeviceBuffer) *Const {
	return &Const{aval: aval, buf: buf}
}

// SameSlice tells whether two constants hold the elements of one slice.
func (c *Const) SameSlice(o *Const) bool {
	if c.Slice == nil || c.Slice != o.Slice || !c.aval.Equal(o.aval) {
		return false
	}
	mine, err := c.Host()
	others, err2 := o.Host()
	return err == nil && err2 == nil && bytes.Equal(mine, others)
}

// Aval is the constant's type.
func (c *Const) Aval() *ShapedArray { return c.aval }

// WithAval is the same data under another abstract value of equal layout (such
// as a changed weakness).
func (c *Const) WithAval(a *ShapedArray) *Const {
	c.mu.Lock()
	defer c.mu.Unlock()
	return &Const{aval: a, Py: c.Py, HostMade: c.HostMade, host: c.host, buf: c.buf}
}

// Detached is the same host data as a constant of its own, without a device
// copy.
func (c *Const) Detached() *Const {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.host == nil {
		return &Const{aval: c.aval, buf: c.buf}
	}
	return &Const{aval: c.aval, host: c.host}
}

// Buffer is the constant's device buffer, or nil while it is only on the host.
func (c *Const) Buffer() DeviceBuffer {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.buf
}

// SetBuffer remembers a device copy, so that it is made once.
func (c *Const) SetBuffer(b DeviceBuffer) {
	c.mu.Lock()
	c.buf = b
	c.mu.Unlock()
}

// Host gives the bytes, row-major and little-endian, copying them from the
// device once. The caller must not change them.
func (c *Const) Host() ([]byte, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.buf != nil && c.buf.Deleted() {
		return nil, c.DeletedError()
	}
	if c.host == nil {
		data, err := c.buf.ToHost()
		if err != nil {
			return nil, err
		}
		c.host = data
	}
	return c.host, nil
}

// viewBytes is the size from which View looks at the device's own memory:
// smaller arrays are copied once and kept.
const viewBytes = 64 << 10

// View calls f with the bytes, row-major and little-endian: those of the
// device, without a copy, where a large array lies in the host's memory. f must
// not change or keep them.
func (c *Const) View(f func(data []byte) error) error {
	c.mu.Lock()
	host, buf := c.host, c.buf
	c.mu.Unlock()
	if v, ok := buf.(xla.Viewer); ok && host == nil && c.aval.Size()*c.aval.DType.Size() >= viewBytes {
		if buf.Deleted() {
			return c.DeletedError()
		}
		return v.View(f)
	}
	data, err := c.Host()
	if err != nil {
		return err
	}
	return f(data)
}

// Delete frees the device memory; later use is an error.
func (c *Const) Delete() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.buf != nil {
		c.buf.Delete()
		c.host = nil
	}
}

// Deleted tells whether the array was deleted or donated.
func (c *Const) Deleted() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.buf != nil && c.buf.Deleted()
}

// DeletedError is the error of using a deleted array (JAX's words).
func (c *Const) DeletedError() *Error {
	return &Error{Name: "RuntimeError", Message: fmt.Sprintf("Array has been deleted with shape=%s.", c.aval.Long())}
}

// Literalable tells whether staging makes a literal of the constant instead of
// a constant variable (jax/_src/core.py, is_literalable).
func (c *Const) Literalable() bool { return c.Py != nil }
