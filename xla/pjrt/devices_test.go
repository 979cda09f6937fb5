//go:build cgo

package pjrt

import (
	"strings"
	"testing"

	"gopherlo/xla"
	"gopherlo/xla/hlo"
	"gopherlo/xla/plugin"
)

func TestSeveralDevices(t *testing.T) {
	if _, err := plugin.Find("cpu"); err != nil {
		t.Skip("no CPU plugin: run `gopherlo plugin install cpu`")
	}
	t.Setenv("XLA_FLAGS", "--"+deviceCountFlag+"=3")
	c, err := Open("cpu")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	devices := c.Devices()
	if len(devices) != 3 {
		t.Fatalf("%d devices", len(devices))
	}
	last := devices[2]
	if last.String() != "cpu:2" || last.ID() != 2 || last.Kind() != "cpu" {
		t.Errorf("device %s, %d, %s", last, last.ID(), last.Kind())
	}
	x, err := c.NewBuffer(floats(1), hlo.F32, nil, devices[0])
	if err != nil {
		t.Fatal(err)
	}
	moved, err := x.(interface {
		CopyTo(xla.Device) (xla.Buffer, error)
	}).CopyTo(last)
	if err != nil || moved.Device() != last {
		t.Fatalf("moved to %v, %v", moved, err)
	}
	e := compileText(t, c, sinProgram, 1, 1, xla.CompileOptions{DeviceOrdinal: 2})
	outs, err := e.Execute([]xla.Buffer{moved}, nil)
	if err != nil || outs[0].Device() != last {
		t.Fatalf("ran on %v, %v", outs, err)
	}
	if got, err := outs[0].ToHost(); err != nil || asFloats(got)[0] < 0.84 {
		t.Errorf("got %v, %v", got, err)
	}
	if _, err := e.Execute([]xla.Buffer{x}, nil); err == nil {
		t.Error("an argument on another device is taken")
	}
	if _, err := c.Compile(mlir(sinProgram, 1, 1), xla.CompileOptions{DeviceOrdinal: 3}); err == nil || !strings.Contains(err.Error(), "out of range") {
		t.Errorf("device 3: %v", err)
	}
	// Buffers and executables of two clients do not mix.
	other := openCPU(t)
	if _, err := other.NewBuffer(floats(1), hlo.F32, nil, last); err == nil {
		t.Error("a device of another client")
	}
	foreign := compileText(t, other, sinProgram, 1, 1, xla.CompileOptions{})
	if _, err := foreign.Execute([]xla.Buffer{x}, nil); err == nil || !strings.Contains(err.Error(), "another client") {
		t.Errorf("foreign buffer: %v", err)
	}
}

func TestClosedClient(t *testing.T) {
	if _, err := plugin.Find("cpu"); err != nil {
		t.Skip("no CPU plugin: run `gopherlo plugin install cpu`")
	}
	for _, held := range []bool{false, true} {
		c, err := Open("cpu")
		if err != nil {
			t.Fatal(err)
		}
		b := buffer32(t, c, nil, 1)
		if !held {
			b.Delete()
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
		if _, err := c.NewBuffer(floats(1), hlo.F32, nil, nil); err == nil {
			t.Error("a closed client makes buffers")
		}
		if _, err := c.Compile(mlir(sinProgram, 1, 1), xla.CompileOptions{}); err == nil {
			t.Error("a closed client compiles")
		}
		if held {
			if _, err := b.ToHost(); err != nil {
				t.Errorf("a buffer does not outlive Close: %v", err)
			}
			b.Delete()
		}
	}
}
