package install

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"

	"gopherlo/xla"
	"gopherlo/xla/hlo"
)

// elementwise are the functions that the self-test compares with Go's math:
// StableHLO op, its value, and where the arguments lie. Vectorised code paths
// differ from scalar ones, so each runs on 64 and on 1000 elements; one plugin
// computes a wrong arctan only there.
var elementwise = []struct {
	op   string
	f    func(float64) float64
	lo   float64
	hi   float64
	body string // instead of "stablehlo.OP %x", with %one as 1
}{
	{op: "sine", f: math.Sin, lo: -20, hi: 20},
	{op: "cosine", f: math.Cos, lo: -20, hi: 20},
	{op: "tan", f: math.Tan, lo: -1.5, hi: 1.5},
	{op: "tanh", f: math.Tanh, lo: -9, hi: 9},
	{op: "exponential", f: math.Exp, lo: -20, hi: 20},
	{op: "exponential_minus_one", f: math.Expm1, lo: -5, hi: 5},
	{op: "log", f: math.Log, lo: 0.001, hi: 100},
	{op: "log_plus_one", f: math.Log1p, lo: -0.9, hi: 100},
	{op: "logistic", f: func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }, lo: -20, hi: 20},
	{op: "sqrt", f: math.Sqrt, lo: 0, hi: 1e6},
	{op: "rsqrt", f: func(x float64) float64 { return 1 / math.Sqrt(x) }, lo: 0.01, hi: 1e6},
	{op: "cbrt", f: math.Cbrt, lo: -1e6, hi: 1e6},
	{op: "abs", f: math.Abs, lo: -9, hi: 9},
	{op: "negate", f: func(x float64) float64 { return -x }, lo: -9, hi: 9},
	{op: "floor", f: math.Floor, lo: -9, hi: 9},
	{op: "ceil", f: math.Ceil, lo: -9, hi: 9},
	{op: "round_nearest_even", f: math.RoundToEven, lo: -9, hi: 9},
	{op: "arctan", f: math.Atan, lo: -50, hi: 50, body: "stablehlo.atan2 %x, %one"},
	{op: "power", f: func(x float64) float64 { return math.Pow(x, x) }, lo: 0.01, hi: 6, body: "stablehlo.power %x, %x"},
	{op: "divide", f: func(x float64) float64 { return 1 / x }, lo: 0.1, hi: 50, body: "stablehlo.divide %one, %x"},
}

// tolerance is relative, in float32: XLA's fast polynomials are within it.
const tolerance = 2e-5

// SelfTest runs programs with known results on a client and lists what is
// wrong. An error means that the plugin cannot be used at all.
func SelfTest(c xla.Client) (wrong []string, err error) {
	t := selfTester{client: c}
	for _, n := range []int{64, 1000} {
		for i, test := range elementwise {
			if err := t.elementwise(i, n); err != nil {
				return nil, fmt.Errorf("%s on %d elements: %w", test.op, n, err)
			}
		}
	}
	for _, step := range []func() error{t.matmul, t.reduction, t.option, t.badOption} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return t.wrong, nil
}

type selfTester struct {
	client xla.Client
	wrong  []string
}

func (t *selfTester) note(format string, args ...any) {
	t.wrong = append(t.wrong, fmt.Sprintf(format, args...))
}

func (t *selfTester) elementwise(i, n int) error {
	test := elementwise[i]
	typ := fmt.Sprintf("tensor<%dxf32>", n)
	body := test.body
	if body == "" {
		body = "stablehlo." + test.op + " %x"
	}
	x := make([]float32, n)
	for k := range x {
		x[k] = float32(test.lo + (test.hi-test.lo)*float64(k)/float64(n-1))
	}
	y, err := t.run(fmt.Sprintf(`%%one = stablehlo.constant dense<1.0> : %s
    %%y = %s : %s`, typ, body, typ), typ, typ, x, nil)
	if err != nil {
		return err
	}
	bad, worst := 0, 0.0
	for k := range y {
		want := test.f(float64(x[k]))
		if off := math.Abs(float64(y[k])-want) / max(1, math.Abs(want)); !(off <= tolerance) {
			bad++
			worst = max(worst, off)
		}
	}
	if bad > 0 {
		t.note("%s is wrong on %d of %d elements (by up to %.2g)", test.op, bad, n, worst)
	}
	return nil
}

func (t *selfTester) matmul() error {
	const n = 33
	x := make([]float32, n*n)
	for i := range x {
		x[i] = float32(i%7) - 3
	}
	typ := fmt.Sprintf("tensor<%dx%dxf32>", n, n)
	y, err := t.run(fmt.Sprintf("%%y = stablehlo.dot_general %%x, %%x, contracting_dims = [1] x [0] : (%s, %s) -> %s", typ, typ, typ), typ, typ, x, nil)
	if err != nil {
		return fmt.Errorf("matmul: %w", err)
	}
	for i := range n {
		for j := range n {
			var want float32
			for k := range n {
				want += x[i*n+k] * x[k*n+j]
			}
			if y[i*n+j] != want {
				t.note("matmul of %d x %d is wrong", n, n)
				return nil
			}
		}
	}
	return nil
}

func (t *selfTester) reduction() error {
	x := make([]float32, 1000)
	for i := range x {
		x[i] = float32(i)
	}
	y, err := t.run(`%zero = stablehlo.constant dense<0.0> : tensor<f32>
    %y = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<1000xf32>, tensor<f32>) -> tensor<f32>`,
		"tensor<1000xf32>", "tensor<f32>", x, nil)
	if err != nil {
		return fmt.Errorf("reduction: %w", err)
	}
	if y[0] != 499500 {
		t.note("the sum of 0..999 is %v, not 499500", y[0])
	}
	return nil
}

func (t *selfTester) option() error {
	if _, err := t.run("%y = stablehlo.negate %x : tensor<1xf32>", "tensor<1xf32>", "tensor<1xf32>", []float32{1},
		map[string]any{"xla_embed_ir_in_executable": true}); err != nil {
		return fmt.Errorf("a compile option: %w", err)
	}
	return nil
}

func (t *selfTester) badOption() error {
	_, err := t.run("%y = stablehlo.negate %x : tensor<1xf32>", "tensor<1xf32>", "tensor<1xf32>", []float32{1},
		map[string]any{"not_a_real_flag": true})
	const want = "INVALID_ARGUMENT: No such compile option: 'not_a_real_flag'"
	if err == nil || err.Error() != want {
		t.note("an unknown compile option gives %v, not %q", err, want)
	}
	return nil
}

// run compiles "func main(%x: in) -> out" with a body that defines %y, and
// gives y of x.
func (t *selfTester) run(body, in, out string, x []float32, options map[string]any) ([]float32, error) {
	code := fmt.Sprintf("module @jit_selftest {\n  func.func public @main(%%x: %s) -> %s {\n    %s\n    return %%y : %s\n  }\n}\n", in, out, body, out)
	e, err := t.client.Compile(xla.Program{Format: xla.FormatMLIR, Code: []byte(code), NumParams: 1, NumResults: 1},
		xla.CompileOptions{Overrides: options})
	if err != nil {
		return nil, err
	}
	defer e.Delete()
	data := make([]byte, 4*len(x))
	for i, v := range x {
		binary.LittleEndian.PutUint32(data[4*i:], math.Float32bits(v))
	}
	b, err := t.client.NewBuffer(data, hlo.F32, dimsOf(in), nil)
	if err != nil {
		return nil, err
	}
	defer b.Delete()
	outs, err := e.Execute([]xla.Buffer{b}, nil)
	if err != nil {
		return nil, err
	}
	defer outs[0].Delete()
	raw, err := outs[0].ToHost()
	if err != nil {
		return nil, err
	}
	y := make([]float32, len(raw)/4)
	for i := range y {
		y[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
	}
	return y, nil
}

// dimsOf reads the dimensions of "tensor<2x3xf32>".
func dimsOf(typ string) []int64 {
	parts := strings.Split(strings.TrimSuffix(strings.TrimPrefix(typ, "tensor<"), ">"), "x")
	dims := make([]int64, 0, len(parts))
	for _, p := range parts[:len(parts)-1] {
		var d int64
		if _, err := fmt.Sscan(p, &d); err == nil {
			dims = append(dims, d)
		}
	}
	return dims
}
