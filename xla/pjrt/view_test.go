//go:build cgo

package pjrt

import (
	"errors"
	"slices"
	"testing"

	"gopherlo/xla"
	"gopherlo/xla/hlo"
)

func TestView(t *testing.T) {
	c := openCPU(t)
	const n = 1 << 16
	values := make([]float32, n)
	for i := range values {
		values[i] = float32(i)
	}
	b := buffer32(t, c, []int64{n / 4, 4}, values...)
	var first *byte
	for range 2 {
		err := xla.View(b, func(data []byte) error {
			if !slices.Equal(asFloats(data), values) {
				t.Error("the view shows other values")
			}
			if first != nil && first != &data[0] {
				t.Error("two views lie at two places: it is a copy")
			}
			first = &data[0]
			// The memory outlives a Delete that comes meanwhile.
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	err := xla.View(b, func(data []byte) error {
		b.Delete()
		if !slices.Equal(asFloats(data), values) {
			t.Error("Delete took the memory of a view")
		}
		return errors.New("f's own")
	})
	if err == nil || err.Error() != "f's own" {
		t.Errorf("f's error becomes %v", err)
	}
	if err := xla.View(b, func([]byte) error { return nil }); !errors.Is(err, xla.ErrDeleted) {
		t.Errorf("a view of a deleted buffer: %v", err)
	}
}

// TestViewLayouts looks at results whose memory is not in row-major order, or
// packed: they come as right as by ToHost.
func TestViewLayouts(t *testing.T) {
	c := openCPU(t)
	m, err := hlo.Parse(`HloModule m, entry_computation_layout={(f32[2,3]{1,0})->(f32[2,3]{0,1}, s4[4]{0}, f32[0]{0}, f32[]{:T(256)}, pred[2]{0})}
ENTRY main {
  x = f32[2,3]{1,0} parameter(0)
  y = f32[2,3]{0,1} copy(x)
  n = s4[4]{0} constant({-8, -1, 0, 7})
  z = f32[0]{0} constant({})
  s = f32[] constant(3)
  p = pred[2]{0} constant({true, false})
  ROOT t = (f32[2,3]{0,1}, s4[4]{0}, f32[0]{0}, f32[], pred[2]{0}) tuple(y, n, z, s, p)
}`)
	if err != nil {
		t.Fatal(err)
	}
	p, err := xla.HLOProgram(m)
	if err != nil {
		t.Fatal(err)
	}
	e, err := c.Compile(p, xla.CompileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	x := buffer32(t, c, []int64{2, 3}, 1, 2, 3, 4, 5, 6)
	outs, err := e.Execute([]xla.Buffer{x}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, o := range outs {
		want, err := o.ToHost()
		if err != nil {
			t.Fatal(err)
		}
		if err := xla.View(o, func(data []byte) error {
			if !slices.Equal(data, want) {
				t.Errorf("result %d shows as %v, not %v", i, data, want)
			}
			return nil
		}); err != nil {
			t.Error(err)
		}
	}
	if got, err := outs[0].ToHost(); err != nil || !slices.Equal(asFloats(got), []float32{1, 2, 3, 4, 5, 6}) {
		t.Errorf("the transposed result is %v, %v", asFloats(got), err)
	}
}

// TestDonationOfView: a buffer that is being looked at is not given away.
func TestDonationOfView(t *testing.T) {
	c := openCPU(t)
	e := compileText(t, c, `module @jit_f {
  func.func public @main(%x: tensor<4xf32> {tf.aliasing_output = 0 : i32}) -> tensor<4xf32> {
    %0 = stablehlo.add %x, %x : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}`, 1, 1, xla.CompileOptions{})
	x := buffer32(t, c, []int64{4}, 1, 2, 3, 4)
	err := xla.View(x, func(data []byte) error {
		outs, err := e.Execute([]xla.Buffer{x}, []int{0})
		if !slices.Equal(asFloats(data), []float32{1, 2, 3, 4}) {
			t.Errorf("the view now shows %v", asFloats(data))
		}
		for _, o := range outs {
			o.Delete()
		}
		return err
	})
	t.Logf("donating a buffer under view: %v", err)
}

func TestCostAnalysisOfPlugin(t *testing.T) {
	c := openCPU(t)
	e := compileText(t, c, sinProgram, 1, 1, xla.CompileOptions{})
	costs, err := e.CostAnalysis()
	switch {
	case errors.Is(err, &xla.StatusError{Code: xla.Unimplemented}):
		t.Logf("the plugin does not implement it: %v", err)
	case err != nil:
		t.Error(err)
	case costs["transcendentals"] != 1:
		t.Errorf("costs are %v", costs)
	}
}
