//go:build cgo

package pjrt

import (
	"errors"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"gopherlo/xla"
	"gopherlo/xla/hlo"
)

func TestExecute(t *testing.T) {
	c := openCPU(t)
	e := compileText(t, c, sinProgram, 1, 1, xla.CompileOptions{})
	if e.Name() != "jit_f" {
		t.Errorf("name %q", e.Name())
	}
	outs, err := e.Execute([]xla.Buffer{buffer32(t, c, nil, 1)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := outs[0].ToHost()
	if err != nil {
		t.Fatal(err)
	}
	if y := asFloats(got)[0]; math.Abs(float64(y)-math.Sin(1)) > 1e-6 {
		t.Errorf("sin(1) = %v", y)
	}
	if s := outs[0].Device().String(); s != "cpu:0" {
		t.Errorf("device %q", s)
	}
}

func TestSeveralResultsInRowMajorOrder(t *testing.T) {
	c := openCPU(t)
	e := compileText(t, c, twoResults, 1, 2, xla.CompileOptions{})
	outs, err := e.Execute([]xla.Buffer{buffer32(t, c, []int64{2, 3}, 1, 2, 3, 4, 5, 6)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := [][]float32{{1, 4, 2, 5, 3, 6}, {2, 4, 6, 8, 10, 12}}
	for i, b := range outs {
		got, err := b.ToHost()
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(asFloats(got), want[i]) {
			t.Errorf("result %d: %v, want %v", i, asFloats(got), want[i])
		}
	}
	shapes, err := e.OutputShapes()
	if err != nil || len(shapes) != 2 || !slices.Equal(shapes[0].Dimensions, []int64{3, 2}) || shapes[0].ElementType != hlo.F32 {
		t.Errorf("shapes %v, %v", shapes, err)
	}
}

func TestEveryElementTypeGoesThereAndBack(t *testing.T) {
	c := openCPU(t)
	for elem, size := range hostBytes {
		if elem == hlo.Token {
			continue
		}
		for _, dims := range [][]int64{nil, {3}, {2, 3}, {0}, {2, 0, 3}} {
			n := int64(size)
			for _, d := range dims {
				n *= d
			}
			data := make([]byte, n)
			for i := range data {
				data[i] = byte(i % 2) // 0 and 1 are values of every type, one-bit ones too
			}
			b, err := c.NewBuffer(data, elem, dims, nil)
			if err != nil {
				t.Errorf("%s%v: %v", elem, dims, err)
				continue
			}
			got, err := b.ToHost()
			if err != nil {
				t.Errorf("%s%v: %v", elem, dims, err)
			} else if !slices.Equal(got, data) {
				t.Errorf("%s%v: %v came back as %v", elem, dims, data, got)
			}
			b.Delete()
		}
	}
}

func TestBadBuffers(t *testing.T) {
	c := openCPU(t)
	for _, test := range []struct {
		name string
		n    int
		elem hlo.PrimitiveType
		dims []int64
		want string
	}{
		{"too short", 4, hlo.F32, []int64{2}, "INVALID_ARGUMENT"},
		{"negative", 4, hlo.F32, []int64{-1}, "negative"},
		{"huge", 4, hlo.F32, []int64{1 << 40, 1 << 40}, "too large"},
		{"tuple", 4, hlo.Tuple, nil, "no buffer type"},
	} {
		_, err := c.NewBuffer(make([]byte, test.n), test.elem, test.dims, nil)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want %q", test.name, err, test.want)
		}
	}
}

func TestArgumentErrors(t *testing.T) {
	c := openCPU(t)
	e := compileText(t, c, sinProgram, 1, 1, xla.CompileOptions{})
	x := buffer32(t, c, nil, 1)
	for _, test := range []struct {
		name    string
		args    []xla.Buffer
		donated []int
		want    string
	}{
		{"none", nil, nil, "INVALID_ARGUMENT"},
		{"two", []xla.Buffer{x, x}, nil, "INVALID_ARGUMENT"},
		{"nil", []xla.Buffer{nil}, nil, "no buffer"},
		{"donated", []xla.Buffer{x}, []int{1}, "out of range"},
		{"size", []xla.Buffer{buffer32(t, c, []int64{2}, 1, 2)}, nil, "INVALID_ARGUMENT"},
	} {
		_, err := e.Execute(test.args, test.donated)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want %q", test.name, err, test.want)
		}
	}
	if _, err := e.Execute([]xla.Buffer{x}, nil); err != nil {
		t.Errorf("after the errors: %v", err)
	}
}

func TestDeletedBuffer(t *testing.T) {
	c := openCPU(t)
	e := compileText(t, c, sinProgram, 1, 1, xla.CompileOptions{})
	x := buffer32(t, c, nil, 1)
	x.Delete()
	x.Delete()
	if !x.Deleted() {
		t.Error("not deleted")
	}
	if _, err := e.Execute([]xla.Buffer{x}, nil); !errors.Is(err, xla.ErrDeleted) {
		t.Errorf("execute: %v", err)
	}
	if _, err := x.ToHost(); !errors.Is(err, xla.ErrDeleted) {
		t.Errorf("to host: %v", err)
	}
	if err := x.Await(); !errors.Is(err, xla.ErrDeleted) {
		t.Errorf("await: %v", err)
	}
}

// aliased gives its argument's memory to its result.
const aliased = `module @jit_h {
  func.func public @main(%x: tensor<64xf32> {tf.aliasing_output = 0 : i32}, %y: tensor<64xf32>) -> tensor<64xf32> {
    %0 = stablehlo.add %x, %y : tensor<64xf32>
    return %0 : tensor<64xf32>
  }
}`

func TestDonation(t *testing.T) {
	c := openCPU(t)
	e := compileText(t, c, aliased, 2, 1, xla.CompileOptions{})
	ones := slices.Repeat([]float32{1}, 64)
	x, y := buffer32(t, c, []int64{64}, ones...), buffer32(t, c, []int64{64}, ones...)
	kept, err := e.Execute([]xla.Buffer{x, y}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if x.Deleted() {
		t.Error("consumed without leave")
	}
	outs, err := e.Execute([]xla.Buffer{x, y}, []int{0})
	if err != nil {
		t.Fatal(err)
	}
	if !x.Deleted() || y.Deleted() {
		t.Errorf("x deleted %v, y deleted %v", x.Deleted(), y.Deleted())
	}
	for _, b := range []xla.Buffer{kept[0], outs[0]} {
		got, err := b.ToHost()
		if err != nil {
			t.Fatal(err)
		}
		if asFloats(got)[63] != 2 {
			t.Errorf("got %v", asFloats(got))
		}
	}
	if _, err := e.Execute([]xla.Buffer{x, y}, nil); !errors.Is(err, xla.ErrDeleted) {
		t.Errorf("use after donation: %v", err)
	}
	if s, err := e.MemoryStats(); err != nil || s.AliasSize != 256 || s.ArgumentSize != 512 {
		t.Errorf("memory %+v, %v", s, err)
	}
}

func TestDroppedResultsAreFreed(t *testing.T) {
	c := openCPU(t)
	e := compileText(t, c, sinProgram, 1, 1, xla.CompileOptions{})
	x := buffer32(t, c, nil, 1)
	before := c.pool.live.Load()
	var most int64
	for range 50_000 {
		if _, err := e.Execute([]xla.Buffer{x}, nil); err != nil {
			t.Fatal(err)
		}
		most = max(most, c.pool.live.Load()-before)
	}
	if most > gcMost+4*gcBuffers {
		t.Errorf("%d dead buffers were alive at once", most)
	}
	runtime.KeepAlive(x)
}

func TestConcurrentUse(t *testing.T) {
	c := openCPU(t)
	e := compileText(t, c, sinProgram, 1, 1, xla.CompileOptions{})
	shared := buffer32(t, c, nil, 1)
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			for i := range 500 {
				outs, err := e.Execute([]xla.Buffer{shared}, nil)
				if err != nil {
					if errors.Is(err, xla.ErrDeleted) {
						return // another goroutine was faster
					}
					t.Error(err)
					return
				}
				if _, err := outs[0].ToHost(); err != nil {
					t.Error(err)
				}
				if i%3 == 0 {
					outs[0].Delete()
				}
				if g == 0 && i == 400 {
					shared.Delete()
				}
			}
		})
	}
	wg.Wait()
}

func TestDeletedExecutable(t *testing.T) {
	c := openCPU(t)
	e, err := c.Compile(mlir(sinProgram, 1, 1), xla.CompileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	e.Delete()
	e.Delete()
	if _, err := e.Execute([]xla.Buffer{buffer32(t, c, nil, 1)}, nil); err == nil || !strings.Contains(err.Error(), "deleted") {
		t.Errorf("error %v", err)
	}
	if _, err := e.Serialize(); err == nil {
		t.Error("no error")
	}
}
