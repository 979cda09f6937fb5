package pjrt

/*
#include "direct.h"
*/
import "C"

import (
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"

	gopjrt "github.com/gomlx/gopjrt/pjrt"

	"gopherlo/xla"
	"gopherlo/xla/hlo"
	"gopherlo/xla/plugin"
)

// Client is a client of one plugin. It implements xla.Client.
type Client struct {
	platform plugin.Platform
	plugin   *gopjrt.Plugin
	client   *gopjrt.Client
	api, raw unsafe.Pointer
	devices  []*device
	closed   atomic.Bool
	pool     pool
	// xlaFlags is XLA_FLAGS as the client was made with.
	xlaFlags string

	hash    sync.Once
	hashSum string
	hashErr error
}

// device is one addressable device. It implements xla.Device.
type device struct {
	client     *Client
	index      int // among the addressable devices
	raw        unsafe.Pointer
	id         int
	kind       string
	name, repr string
}

func (d *device) ID() int        { return d.id }
func (d *device) Kind() string   { return d.kind }
func (d *device) String() string { return d.name }

// GoString is Python's repr of the device in JAX: "CpuDevice(id=0)".
func (d *device) GoString() string { return d.repr }

func newClient(row plugin.Platform, p *gopjrt.Plugin, gc *gopjrt.Client, xlaFlags string) (*Client, error) {
	c := &Client{platform: row, plugin: p, client: gc, xlaFlags: xlaFlags, api: rawAPI(p), raw: rawClient(gc)}
	c.pool.init(c.api)
	for i, gd := range gc.AddressableDevices() {
		d := &device{client: c, index: i, raw: rawDevice(gd)}
		var desc C.gx_device
		if err := status(c.api, C.gx_device_describe(c.api, d.raw, &desc)); err != nil {
			return nil, err
		}
		d.id, d.kind, d.name, d.repr = int(desc.id), goText(desc.kind), goText(desc.name), goText(desc.repr)
		c.devices = append(c.devices, d)
	}
	if len(c.devices) == 0 {
		return nil, xla.Errorf(xla.NotFound, "the plugin %s has no device", p.Path())
	}
	return c, nil
}

func goText(t C.gx_text) string { return C.GoStringN(t.data, C.int(t.size)) }

// Platform is the platform's name: "cpu".
func (c *Client) Platform() string { return c.platform.Name }

// PlatformVersion is the plugin's own text.
func (c *Client) PlatformVersion() string { return c.client.PlatformVersion() }

// PluginPath is the plugin file.
func (c *Client) PluginPath() string { return c.plugin.Path() }

// APIVersion is the plugin's PJRT C API version: "0.106".
func (c *Client) APIVersion() string { return version(c.plugin) }

// XLAFlags is the value of XLA_FLAGS that the client was made with; later
// changes of the variable have no effect.
func (c *Client) XLAFlags() string { return c.xlaFlags }

// Devices lists the addressable devices.
func (c *Client) Devices() []xla.Device {
	out := make([]xla.Device, len(c.devices))
	for i, d := range c.devices {
		out[i] = d
	}
	return out
}

func (c *Client) device(ordinal int) (*device, error) {
	if ordinal < 0 || ordinal >= len(c.devices) {
		return nil, xla.Errorf(xla.InvalidArgument, "device ordinal %d is out of range: %s has %d device(s)",
			ordinal, c.platform.Name, len(c.devices))
	}
	return c.devices[ordinal], nil
}

func (c *Client) own(d xla.Device) (*device, error) {
	if d == nil {
		return c.devices[0], nil
	}
	own, ok := d.(*device)
	if !ok || own.client != c {
		return nil, xla.Errorf(xla.InvalidArgument, "device %s belongs to another client", d)
	}
	return own, nil
}

// Live counts the buffers and the executables on the C side. Those that are not
// reachable any more are among them until a collection has found them.
func (c *Client) Live() (buffers, executables int) {
	return int(c.pool.live.Load()), int(c.pool.programs.Load())
}

func (c *Client) check() error {
	if c.closed.Load() {
		return xla.Errorf(xla.FailedPrecondition, "the %s client is closed", c.platform.Name)
	}
	return nil
}

// NewBuffer copies host data to a device (nil: the first).
func (c *Client) NewBuffer(data []byte, elem hlo.PrimitiveType, dims []int64, dev xla.Device) (xla.Buffer, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	d, err := c.own(dev)
	if err != nil {
		return nil, err
	}
	m, err := newMeta(elem, dims, d)
	if err != nil {
		return nil, err
	}
	if int64(len(data)) != m.bytes {
		return nil, xla.Errorf(xla.InvalidArgument, "%d bytes do not fill a buffer of %s%v, which takes %d",
			len(data), elem, dims, m.bytes)
	}
	c.pool.reclaim()
	src := unsafe.Pointer(unsafe.SliceData(data))
	if src == nil {
		src = unsafe.Pointer(&emptyHost)
	}
	var raw C.uintptr_t
	cErr := C.gx_buffer_from_host(c.api, c.raw, d.raw, src, C.int(bufferTypes[elem]),
		(*C.int64_t)(unsafe.SliceData(m.dims)), C.size_t(len(m.dims)), &raw)
	runtime.KeepAlive(c)
	if err := status(c.api, cErr); err != nil {
		return nil, err
	}
	b := c.pool.handle(c, m, uintptr(raw))
	b.state.Or(stateReady)
	return b, nil
}

// emptyHost is the host address of buffers without elements: PJRT asks for one.
var emptyHost [8]byte

// Close ends the use of the client. Its C side is freed at once when no buffer
// is alive, else kept to the end of the process: buffers that are still held
// may be dropped at any later time.
func (c *Client) Close() error {
	if c.closed.Swap(true) {
		return nil
	}
	c.pool.reclaimAll()
	if c.pool.live.Load() > 0 || c.pool.programs.Load() > 0 {
		keepForever(c.client)
		return nil
	}
	return statusOf(c.client.Destroy())
}
