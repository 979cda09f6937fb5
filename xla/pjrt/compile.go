package pjrt

/*
#include "direct.h"
*/
import "C"

import (
	"maps"
	"math"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"unsafe"

	"gopherlo/xla"
	"gopherlo/xla/diskcache"
	"gopherlo/xla/flags"
)

// probeProgram is the smallest program: compile options are tried on it.
const probeProgram = `module @jit_probe { func.func public @main() -> tensor<f32> { %0 = stablehlo.constant dense<0.0> : tensor<f32> return %0 : tensor<f32> } }`

// Compile compiles a program for the device of opts. Errors are
// *xla.StatusError with XLA's words.
func (c *Client) Compile(program xla.Program, opts xla.CompileOptions) (xla.LoadedExecutable, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	dev, err := c.device(opts.DeviceOrdinal)
	if err != nil {
		return nil, err
	}
	e, err := c.compile(program, opts, dev)
	if err != nil {
		return nil, c.firstBadOption(err, opts)
	}
	return e, nil
}

func (c *Client) compile(program xla.Program, opts xla.CompileOptions, dev *device) (*Executable, error) {
	opts.Overrides = c.platformOverrides(opts.Overrides)
	options, err := OptionsProto(program, opts)
	if err != nil {
		return nil, &xla.StatusError{Code: xla.InvalidArgument, Message: err.Error()}
	}
	c.pool.reclaimPrograms()
	cache := compileCache.Load()
	var key diskcache.Key
	if cache != nil {
		var ok bool
		if key, ok = c.cacheKey(program, opts, options); !ok {
			cache = nil
		} else if e := c.cached(cache, key, dev); e != nil {
			return e, nil
		}
	}
	e, err := c.compileNow(program, options, dev)
	if err != nil {
		e, err = c.compileSmallFloats(program, opts, dev, err)
	}
	if err == nil && cache != nil {
		c.store(cache, key, e)
	}
	return e, err
}

// compileNow compiles with the bytes of a CompileOptionsProto.
func (c *Client) compileNow(program xla.Program, options []byte, dev *device) (*Executable, error) {
	cc := c.client.Compile()
	if err := setOptions(cc, options); err != nil {
		return nil, statusOf(err)
	}
	switch program.Format {
	case xla.FormatHLO:
		cc.WithHLO(program.Code)
	case xla.FormatMLIR:
		cc.WithStableHLO(program.Code)
	default:
		return nil, xla.Errorf(xla.InvalidArgument, "unknown program format %q", program.Format)
	}
	compiling.Add(1)
	loaded, err := cc.Done()
	compiling.Add(-1)
	if err != nil {
		return nil, statusOf(err)
	}
	return newExecutable(c, loaded, rawExecutable(loaded), dev)
}

// OptionsProto gives the bytes of the CompileOptionsProto of a compilation;
// equal options give equal bytes.
func OptionsProto(program xla.Program, opts xla.CompileOptions) ([]byte, error) {
	return flags.Proto{
		Overrides:          opts.Overrides,
		OptimizationLevel:  opts.OptimizationLevel,
		MemoryFittingLevel: opts.MemoryFittingLevel,
		Profile:            opts.Profile,
		NumParams:          program.NumParams,
		NumResults:         program.NumResults,
	}.Marshal()
}

// firstBadOption decides which of several bad options is reported. The plugin
// walks them in the order of a hash table that differs from call to call, so
// each is tried alone, in the order that opts says, and the first error counts.
func (c *Client) firstBadOption(err error, opts xla.CompileOptions) error {
	if !aboutOption(err) || len(opts.Overrides) < 2 {
		return err
	}
	probe := xla.Program{Format: xla.FormatMLIR, Code: []byte(probeProgram), NumResults: 1}
	for _, k := range optionOrder(opts) {
		alone := xla.CompileOptions{Overrides: map[string]any{k: opts.Overrides[k]}}
		options, probeErr := OptionsProto(probe, alone)
		if probeErr != nil {
			return err
		}
		e, probeErr := c.compileNow(probe, options, c.devices[0])
		if probeErr != nil {
			e, probeErr = c.compileSmallFloats(probe, alone, c.devices[0], probeErr)
		}
		if probeErr == nil {
			e.Delete()
			continue
		}
		if aboutOption(probeErr) {
			return probeErr
		}
	}
	return err
}

// refusedFloat matches what XLA says of a number that is none for a float option.
var refusedFloat = regexp.MustCompile(`While setting option (\S+), '.*' is not a valid float value\.`)

// compileSmallFloats compiles again where err is that of a plugin which takes the
// smallest positive float32 for the lowest one and so refuses zero and what is
// below it. JAX 0.12.0.1's XLA takes these; written as text the plugin does too.
func (c *Client) compileSmallFloats(program xla.Program, opts xla.CompileOptions, dev *device, err error) (*Executable, error) {
	opts.Overrides = maps.Clone(opts.Overrides)
	for err != nil {
		m := refusedFloat.FindStringSubmatch(err.Error())
		if m == nil {
			break
		}
		v, ok := opts.Overrides[m[1]].(float64)
		if inRange := v >= -math.MaxFloat32 && v < 0x1p-126; !ok || !inRange {
			break
		}
		opts.Overrides[m[1]] = strconv.FormatFloat(v, 'g', -1, 64)
		options, bad := OptionsProto(program, opts)
		if bad != nil {
			break
		}
		var e *Executable
		if e, err = c.compileNow(program, options, dev); err == nil {
			return e, nil
		}
	}
	return nil, err
}

func optionOrder(opts xla.CompileOptions) []string {
	order := slices.Clone(opts.Order)
	for _, k := range slices.Sorted(maps.Keys(opts.Overrides)) {
		if !slices.Contains(order, k) {
			order = append(order, k)
		}
	}
	return order
}

// Deserialize loads what Executable.Serialize gave, on the first device.
func (c *Client) Deserialize(data []byte) (xla.LoadedExecutable, error) {
	return c.DeserializeOn(data, 0)
}

// DeserializeOn loads a serialised executable for one device.
func (c *Client) DeserializeOn(data []byte, ordinal int) (xla.LoadedExecutable, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	dev, err := c.device(ordinal)
	if err != nil {
		return nil, err
	}
	if len(data) == 0 {
		return nil, xla.Errorf(xla.InvalidArgument, "an empty serialised executable")
	}
	var loaded unsafe.Pointer
	cErr := C.gx_deserialize(c.api, c.raw, unsafe.Pointer(unsafe.SliceData(data)), C.size_t(len(data)), &loaded)
	runtime.KeepAlive(data)
	if err := status(c.api, cErr); err != nil {
		return nil, err
	}
	e, err := newExecutable(c, nil, loaded, dev)
	if err != nil {
		return nil, err
	}
	return e, nil
}
