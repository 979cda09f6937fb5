package stablehlo_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gopherlo/xla/hlo"
	"gopherlo/xla/stablehlo"
)

func Example() {
	m := stablehlo.NewModule("jit_f")
	f := m.NewFunc("main", true)
	x := f.AddArg(stablehlo.T(hlo.F32, 3), stablehlo.NamedLoc("x"))
	b := stablehlo.NewBuilder(f)
	b.SetLoc(stablehlo.NamedLoc("jit(f)/mul"))
	y := b.Binary("multiply", x, b.Full(x.Type, 2.5))
	y.Tag(map[string]string{"tag": "mine"})
	zero := b.Scalar(hlo.F32, 0)
	b.Return(b.ReduceOp(y, zero, []int64{0}, "add"))
	f.SetResultAttr(0, "jax.result_info", stablehlo.String("result"))
	fmt.Print(m.Text())
	// Output:
	// module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
	//   func.func public @main(%arg0: tensor<3xf32>) -> (tensor<f32> {jax.result_info = "result"}) {
	//     %cst = stablehlo.constant dense<2.500000e+00> : tensor<f32>
	//     %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3xf32>
	//     %1 = stablehlo.multiply %arg0, %0 {mhlo.frontend_attributes = {tag = "mine"}} : tensor<3xf32>
	//     %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
	//     %2 = stablehlo.reduce(%1 init: %cst_0) applies stablehlo.add across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
	//     return %2 : tensor<f32>
	//   }
	// }
}

// TestContext checks what the builder's frontend attributes go to.
func TestContext(t *testing.T) {
	m := stablehlo.NewModule("m")
	f := m.NewFunc("main", true)
	x := f.AddArg(stablehlo.T(hlo.F32), nil)
	b := stablehlo.NewBuilder(f)
	b.SetContext(map[string]string{"k": "v"})
	c := b.Scalar(hlo.F32, 1)
	y := b.Binary("add", x, c)
	b.Untagged(func() { y = b.Unary("sine", y) })
	y = b.Unary("cosine", y)
	y.Tag(map[string]string{"k": "other", "l": "w"})
	b.Return(y)
	got := m.Text()
	for _, want := range []string{
		"stablehlo.constant dense<1.000000e+00> : tensor<f32>",
		`stablehlo.add %arg0, %cst {mhlo.frontend_attributes = {k = "v"}}`,
		"stablehlo.sine %0 : tensor<f32>",
		`stablehlo.cosine %1 {mhlo.frontend_attributes = {k = "v", l = "w"}}`,
		"    return %2 : tensor<f32>",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("missing %q in\n%s", want, got)
		}
	}
	if x.Tag(map[string]string{"k": "v"}) {
		t.Error("an argument was tagged")
	}
}

// TestRegions prints the ops with regions and the calls that the builder makes.
func TestRegions(t *testing.T) {
	m := stablehlo.NewModule("m")
	f := m.NewFunc("main", true)
	x := f.AddArg(stablehlo.T(hlo.F32, 4), nil)
	n := f.AddArg(stablehlo.T(hlo.S32), nil)
	g := m.NewFunc("g", false)
	gx := g.AddArg(x.Type, nil)
	stablehlo.NewBuilder(g).Return(gx, gx)
	b := stablehlo.NewBuilder(f)
	w := b.While([]*stablehlo.Value{n, x},
		func(a []*stablehlo.Value) *stablehlo.Value { return b.Compare("LT", a[0], b.Scalar(hlo.S32, 3)) },
		func(a []*stablehlo.Value) []*stablehlo.Value {
			return []*stablehlo.Value{b.Binary("add", a[0], b.Scalar(hlo.S32, 1)), b.Call(g, a[1])[0]}
		})
	c := b.Case(w.Results[0], []stablehlo.Type{x.Type},
		func() []*stablehlo.Value { return []*stablehlo.Value{x} },
		func() []*stablehlo.Value { return w.Results[1:] })
	s := b.Sort([]*stablehlo.Value{c.Result()}, 0, true, func(a []*stablehlo.Value) *stablehlo.Value {
		return b.CompareAs("LT", "TOTALORDER", a[0], a[1])
	})
	b.Return(s...)
	if _, err := stablehlo.Parse(m.Text()); err != nil {
		t.Fatalf("%v in\n%s", err, m.Text())
	}
	for _, want := range []string{
		"%0:2 = stablehlo.while(%iterArg = %arg1, %iterArg_0 = %arg0) : tensor<i32>, tensor<4xf32>",
		"%4:2 = func.call @g(%iterArg_0) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)",
		"stablehlo.compare LT, %arg2, %arg3, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>",
	} {
		if !strings.Contains(m.Text(), want) {
			t.Errorf("missing %q in\n%s", want, m.Text())
		}
	}
}

// TestDense prints constants as MLIR does. The wanted texts are MLIR's.
func TestDense(t *testing.T) {
	tests := []struct {
		d    *stablehlo.Dense
		want string
	}{
		{stablehlo.Scalar(hlo.F32, math.Pi), "dense<3.14159274> : tensor<f32>"},
		{stablehlo.Scalar(hlo.F32, 0.1), "dense<1.000000e-01> : tensor<f32>"},
		{stablehlo.Scalar(hlo.F32, 1.0/3), "dense<0.333333343> : tensor<f32>"},
		{stablehlo.Scalar(hlo.F32, 16777216.0), "dense<0x4B800000> : tensor<f32>"},
		{stablehlo.Scalar(hlo.F32, 9.99999974e-6), "dense<9.99999974E-6> : tensor<f32>"},
		{stablehlo.Scalar(hlo.F32, math.Inf(-1)), "dense<0xFF800000> : tensor<f32>"},
		{stablehlo.Scalar(hlo.F64, math.NaN()), "dense<0x7FF8000000000000> : tensor<f64>"},
		{stablehlo.Scalar(hlo.F64, 1e-40), "dense<9.9999999999999992E-41> : tensor<f64>"},
		{stablehlo.Scalar(hlo.BF16, math.Inf(1)), "dense<0x7F80> : tensor<bf16>"},
		{stablehlo.Scalar(hlo.F16, 0.1), "dense<9.997550e-02> : tensor<f16>"},
		{stablehlo.Scalar(hlo.PRED, true), "dense<true> : tensor<i1>"},
		{stablehlo.Scalar(hlo.U64, uint64(math.MaxUint64)), "dense<18446744073709551615> : tensor<ui64>"},
		{stablehlo.Splat(stablehlo.T(hlo.S8, 3), -128), "dense<-128> : tensor<3xi8>"},
		{stablehlo.Scalar(hlo.C64, complex(1, -2.5)), "dense<(1.000000e+00,-2.500000e+00)> : tensor<complex<f32>>"},
		{stablehlo.Splat(stablehlo.T(hlo.F32, 0, 3), 1), "dense<> : tensor<0x3xf32>"},
	}
	for _, tt := range tests {
		if got := stablehlo.AttrText(tt.d); got != tt.want {
			t.Errorf("got %s, want %s", got, tt.want)
		}
	}
	big, err := stablehlo.NewDense(stablehlo.T(hlo.U8, 101), append(make([]byte, 100), 255))
	if err != nil {
		t.Fatal(err)
	}
	if got := stablehlo.AttrText(big); !strings.HasPrefix(got, `dense<"0x0000`) || !strings.HasSuffix(got, `00FF"> : tensor<101xui8>`) {
		t.Errorf("got %s", got)
	}
	if _, err := stablehlo.NewDense(stablehlo.T(hlo.F32, 3), make([]byte, 4)); err == nil {
		t.Error("a constant with too few bytes is made")
	}
}

// TestFrameUnder checks how stacks of inner programs print.
func TestFrameUnder(t *testing.T) {
	frame := func(fn string, line int, caller *stablehlo.Frame) *stablehlo.Frame {
		return &stablehlo.Frame{Func: fn, File: "cell.py", Line: line, Col: 1, EndLine: line, EndCol: 5, Caller: caller}
	}
	outer := frame("f", 2, frame("<module>", 1, nil))
	inner := frame("body", 4, frame("f", 3, nil))
	m := stablehlo.NewModule("m")
	f := m.NewFunc("main", true)
	b := stablehlo.NewBuilder(f)
	b.SetLoc(&stablehlo.Loc{Name: "jit(f)/mul", Frame: inner.Under(outer)})
	b.Return(b.Scalar(hlo.F32, 1))
	text := m.DebugText()
	for _, want := range []string{"loc(callsite(#loc7 at #loc8))", "loc(callsite(#loc9 at #loc10))", `loc("jit(f)/mul"(#loc11))`} {
		if !strings.Contains(text, want) {
			t.Errorf("missing %q in\n%s", want, text)
		}
	}
	again, err := stablehlo.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	if got := again.DebugText(); got != text {
		t.Errorf("read and printed again:\n%s\nnot\n%s", got, text)
	}
	if inner.Close != 0 || inner.Caller.Caller != nil {
		t.Error("Under changed the stack that it was called on")
	}
}

// TestPredBytes reads PRED constants of a byte for each element, as JAX prints
// them, and of a bit, as earlier versions of MLIR did; they print as bytes.
func TestPredBytes(t *testing.T) {
	const form = "module @m {\n  func.func public @main() -> tensor<104xi1> {\n    %c = stablehlo.constant dense<\"0xDATA\"> : tensor<104xi1>\n    return %c : tensor<104xi1>\n  }\n}\n"
	byElement := strings.Replace(form, "DATA", strings.Repeat("0100000000010000", 13), 1)
	byBit := strings.Replace(form, "DATA", strings.Repeat("21", 13), 1)
	for _, text := range []string{byElement, byBit} {
		m, err := stablehlo.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := m.Text(); got != byElement {
			t.Errorf("got %s", got)
		}
	}
}
