//go:build cgo

package pjrt

import (
	"bytes"
	"encoding/binary"
	"math"
	"testing"

	"gopherlo/xla"
	"gopherlo/xla/hlo"
	"gopherlo/xla/plugin"
)

// openCPU gives the process's CPU client. Tests need the real plugin and are
// skipped, by name, only when there is none.
func openCPU(t testing.TB) *Client {
	t.Helper()
	if _, err := plugin.Find("cpu"); err != nil {
		t.Skip("no CPU plugin: run `gopherlo plugin install cpu`")
	}
	c, err := xla.Open("cpu")
	if err != nil {
		t.Fatal(err)
	}
	return c.(*Client)
}

// text compiles StableHLO text.
func compileText(t testing.TB, c *Client, code string, params, results int, opts xla.CompileOptions) *Executable {
	t.Helper()
	e, err := c.Compile(mlir(code, params, results), opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Delete)
	return e.(*Executable)
}

func mlir(code string, params, results int) xla.Program {
	return xla.Program{Format: xla.FormatMLIR, Code: []byte(code), NumParams: params, NumResults: results}
}

const sinProgram = `module @jit_f {
  func.func public @main(%x: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.sine %x : tensor<f32>
    return %0 : tensor<f32>
  }
}`

const twoResults = `module @jit_g {
  func.func public @main(%x: tensor<2x3xf32>) -> (tensor<3x2xf32>, tensor<2x3xf32>) {
    %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
    %1 = stablehlo.add %x, %x : tensor<2x3xf32>
    return %0, %1 : tensor<3x2xf32>, tensor<2x3xf32>
  }
}`

func floats(v ...float32) []byte {
	var b bytes.Buffer
	if err := binary.Write(&b, binary.LittleEndian, v); err != nil {
		panic(err)
	}
	return b.Bytes()
}

func asFloats(b []byte) []float32 {
	out := make([]float32, len(b)/4)
	for i := range out {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return out
}

func buffer32(t testing.TB, c *Client, dims []int64, v ...float32) xla.Buffer {
	t.Helper()
	b, err := c.NewBuffer(floats(v...), hlo.F32, dims, nil)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
