//go:build cgo

package jnp_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
	"gopherlo/jaxlike/jnp"
	_ "gopherlo/jaxlike/stages" // runs eager operations
	_ "gopherlo/xla/pjrt"
)

// opCase is a case of golden/ops: what JAX 0.12.0.1 gives when a function is
// run eagerly, and its derivatives.
type opCase struct {
	ID, Fn string
	Args   []any
	Kwargs map[string]any
	Call   any
	At     map[string]any
	Config map[string]bool
	Out    any
	Error  *struct{ Type, Message string }
	Grad   any
	VMap   *struct {
		In  any
		Out any
	}
	JitULP float64 `json:"jit_ulp"`
}

// tolerance is how far a function's results may be from JAX's, in units of the
// last place of the result's type (measured; golden/ops/README.md).
func tolerance(fn string) float64 {
	name := fn[strings.LastIndexByte(fn, '.')+1:]
	switch name {
	case "exp", "log", "log1p", "log2", "log10", "sin", "cos", "tan", "power", "pow", "cbrt":
		return 4
	case "arcsin", "arccos", "arctan", "arctan2", "tanh", "arcsinh", "arccosh", "arctanh", "rsqrt", "exp2",
		"asin", "acos", "atan", "atan2", "asinh", "acosh", "atanh", "integer_pow":
		return 6
	case "divide", "true_divide", "truediv", "div", "reciprocal", "remainder", "mod", "floor_divide", "floordiv":
		return 1 // the June 2026 plugin is newer than JAX's golden one
	case "expm1", "sinh", "cosh", "sum", "mean", "prod", "logistic":
		return 8
	case "elu", "selu", "celu", "sigmoid", "softplus", "silu", "swish", "mish", "log_softmax", "logsumexp", "log_sigmoid", "var", "std", "norm":
		return 8
	case "softmax", "cumsum", "cumprod", "cumlogsumexp", "erf", "erf_inv", "logaddexp", "standardize", "squareplus":
		return 16
	case "gelu", "erfc":
		return 1 << 20
	case "einsum", "tensordot", "inner", "quantile", "percentile", "kron", "cross", "trace", "average", "linspace":
		return 64
	case "dot", "matmul", "vdot", "outer", "dot_general":
		return 64
	}
	return 0
}

// leaves collects the encoded arrays of a case in order.
func leaves(v any, out []*core.Const) []*core.Const {
	switch v := v.(type) {
	case []any:
		for _, x := range v {
			out = leaves(x, out)
		}
	case map[string]any:
		if c, ok := constant(v); ok {
			return append(out, c)
		}
		if t, ok := v["tuple"]; ok {
			return leaves(t, out)
		}
	}
	return out
}

// compare tells how got differs from an encoded array; "" if it does not.
func compare(got array.Array, want any, tol float64) string {
	m, ok := want.(map[string]any)
	if !ok {
		return ""
	}
	w, ok := constant(m)
	if !ok {
		return ""
	}
	a := w.Aval()
	if g := got.Aval(); g.DType != a.DType || g.Weak != a.Weak || !slices.Equal(g.Shape, a.Shape) {
		return fmt.Sprintf("type %s, want %s", got.Aval().LongWeak(), a.LongWeak())
	}
	gc, ok := got.Value().(*core.Const)
	if !ok {
		return "not concrete"
	}
	gb, err := gc.Host()
	if err != nil {
		return err.Error()
	}
	wb, _ := w.Host()
	for i := range a.Size() {
		o := i * a.DType.Size()
		if d := distance(a.DType, gb[o:], wb[o:]); d > tol {
			return fmt.Sprintf("element %d: %v, want %v (%.0f ulp)", i, a.DType.Get(gb[o:]), a.DType.Get(wb[o:]), d)
		}
	}
	return ""
}

func distance(d dtype.DType, a, b []byte) float64 {
	if d.IsComplex() {
		r, half := d.Real(), d.Size()/2
		return max(distance(r, a, b), distance(r, a[half:], b[half:]))
	}
	if !d.IsFloat() {
		if d.Get(a) == d.Get(b) {
			return 0
		}
		return math.Inf(1)
	}
	x, y := d.GetFloat(a), d.GetFloat(b)
	switch {
	case x == y || math.IsNaN(x) && math.IsNaN(y):
		return 0
	case math.IsNaN(x) || math.IsNaN(y) || math.IsInf(x, 0) || math.IsInf(y, 0):
		return math.Inf(1)
	}
	_, e := math.Frexp(max(math.Abs(x), math.Abs(y)))
	low := map[dtype.DType]int{dtype.Float16: -13, dtype.BFloat16: -125, dtype.Float32: -125, dtype.Float64: -1021}[d]
	ulp := math.Ldexp(1, max(e, low)-1-dtype.MantissaBits(d))
	if ulp == 0 {
		ulp = math.SmallestNonzeroFloat64
	}
	return math.Abs(x-y) / ulp
}

func opCases(t *testing.T) []opCase {
	t.Helper()
	f, err := os.Open("testdata/ops.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var in io.Reader = z
	if files, _ := filepath.Glob(filepath.Join(os.Getenv("GOPHERLO_GOLDEN"), "ops", "*.jsonl")); os.Getenv("GOPHERLO_GOLDEN") != "" && len(files) > 0 {
		var all []io.Reader
		for _, name := range files {
			b, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, bytes.NewReader(b))
		}
		in = io.MultiReader(all...)
	}
	sc := bufio.NewScanner(in)
	sc.Buffer(nil, 1<<24)
	var out []opCase
	for sc.Scan() {
		var c opCase
		dec := json.NewDecoder(strings.NewReader(sc.Text()))
		dec.UseNumber()
		if err := dec.Decode(&c); err != nil {
			t.Fatal(err)
		}
		out = append(out, c)
	}
	return out
}

func attempt(f func() array.Array) (out array.Array, err error) {
	defer func() {
		if e := recover(); e != nil {
			if er, ok := e.(error); ok {
				err = er
				return
			}
			panic(e)
		}
	}()
	return f(), nil
}

// gradient is that of the sum of all results with respect to the inexact
// arguments.
func gradient(f func([]core.Value) []core.Value, xs []core.Value) []core.Value {
	var avals []*core.ShapedArray
	for _, x := range xs {
		avals = append(avals, x.Aval())
	}
	idx := inexact(avals)
	total := func(fs []core.Value) []core.Value {
		var sum array.Array
		for i, o := range floatFun(f, xs, idx)(fs) {
			if v := jnp.Sum(array.New(o)); i == 0 {
				sum = v
			} else {
				sum = sum.Add(v)
			}
		}
		return []core.Value{sum.Value()}
	}
	lin := ad.Linearize(total, pickValues(xs, idx), debug)
	args := make([]core.Value, len(idx))
	for i, a := range lin.InAvals {
		args[i] = ad.NewAccum(a)
	}
	if lin.NZ[0] {
		ct := jnp.OnesLike(array.New(lin.Out[0])).Value()
		ad.BackwardPass(lin.Jaxpr, true, lin.Jaxpr.Consts, args, []core.Value{ct})
	}
	for i, a := range args {
		args[i] = ad.Instantiate(a.(*ad.Accum).Value())
	}
	return args
}

// skipped tells why a case is not comparable; "" if it is.
func skipped(g opCase) string {
	switch {
	case g.Fn == "jnp.where" && len(g.Args) < 3:
		return "a condition alone needs nonzero"
	case strings.Contains(fmt.Sprint(g.Args), "linear_ramp") || strings.Contains(fmt.Sprint(g.Args), "nuc"):
		return "linear_ramp and the nuclear norm are not here"
	case strings.Contains(fmt.Sprint(g.Kwargs, g.Args), "rbg") || g.Kwargs["return_sign"] != nil:
		return "only threefry keys and plain sums are here"
	case g.Fn == "random.key" && fmt.Sprint(g.Args) == "[1.5]":
		return "the error prints a tracer of JAX's"
	case g.Fn == "jnp.linspace" && g.Kwargs["axis"] != nil:
		return "linspace has no axis here"
	case g.Fn == "lax.stop_gradient" && len(leaves(any(g.Args), nil)) == 0 && g.Error == nil:
		return "the test's adapter takes arrays, not trees"
	case g.Error != nil && (g.Fn == "lax.slice" || g.Fn == "lax.reshape"):
		return "JAX's eager slice and reshape fail in other places than its staged ones"
	case g.Fn == "lax.slice" && strings.Contains(fmt.Sprint(g.Args), "tuple:[-1]"):
		return "JAX's eager slice is a dynamic one and clamps"
	case g.Error != nil && strings.Contains(g.Error.Message, "data type '"):
		return "types are no strings in Go"
	}
	return ""
}

// TestOps runs the golden cases on a real backend, one operation at a time: one
// in 24 of them, or all where the golden data are at hand.
func TestOps(t *testing.T) {
	if _, err := attempt(func() array.Array { return jnp.Add(1, 2) }); err != nil {
		t.Skipf("no backend: %v", err)
	}
	defer core.SetX64(core.X64())
	values, grads, maps := 0, 0, 0
	all := os.Getenv("GOPHERLO_GOLDEN") != ""
	for i, g := range opCases(t) {
		f, ok := functions[g.Fn]
		if g.At != nil {
			f, ok = indexed(g.Fn), true
		}
		if !ok || g.Call != nil || g.Fn == "at.apply" || !all && i%24 != 0 {
			continue // each compiles a few programs: all of them take minutes
		}
		core.SetX64(g.Config["enable_x64"])
		c := &call{kwargs: map[string]any{}}
		c.args = c.decode(any(g.Args)).([]any)
		if strings.Contains(fmt.Sprint(g.Args, g.Out), "rbg") {
			continue // keys of another generator
		}
		xs := leaves(any(g.Args), nil)
		if g.At != nil {
			c.kwargs["$index"] = c.decode(g.At["index"])
			xs = leaves(g.At["index"], xs)
		}
		for _, k := range slices.Sorted(mapsKeys(g.Kwargs)) {
			c.kwargs[k] = c.decode(g.Kwargs[k])
			xs = leaves(g.Kwargs[k], xs)
		}
		fun := c.fun(f)
		vals := make([]core.Value, len(xs))
		for i, x := range xs {
			vals[i] = x
		}
		tol := max(tolerance(g.Fn), g.JitULP)
		if g.Fn == "jnp.arctanh" && g.Config["enable_x64"] {
			tol = 128 // the plugin's log1p of doubles is older
		}
		t.Run(g.ID, func(t *testing.T) {
			if why := skipped(g); why != "" {
				t.Skip(why)
			}
			out, err := attempt(func() array.Array { return array.New(fun(vals)[0]) })
			values++
			if g.Error != nil {
				if err == nil {
					t.Errorf("%v: no error, want %s: %s", g.Args, g.Error.Type, g.Error.Message)
				} else if first(err.Error()) != first(g.Error.Message) {
					t.Errorf("error %q, want %q", err, g.Error.Message)
				}
				return
			}
			if err != nil {
				t.Errorf("%v %v: %v", g.Args, g.Kwargs, err)
				return
			}
			if d := compare(out, g.Out, tol); d != "" {
				t.Errorf("%v %v: %s", g.Args, g.Kwargs, d)
			}
			if want, ok := g.Grad.([]any); ok {
				grads++
				_, err := attempt(func() array.Array {
					for i, ct := range gradient(fun, vals) {
						if i >= len(want) {
							break // complex arguments have no golden gradient
						}
						if d := compare(array.New(ct), want[i], 4*tol+8); d != "" {
							t.Errorf("grad %d of %v: %s", i, g.Args, d)
						}
					}
					return array.Array{}
				})
				if err != nil {
					t.Errorf("grad: %v", err)
				}
			}
			if g.VMap != nil && len(xs) > 0 {
				maps++
				in := leaves(g.VMap.In, nil)
				if len(in) != 1 {
					return
				}
				dims := slices.Repeat([]int{core.NotMapped}, len(vals))
				dims[0] = 0
				mapped := append([]core.Value{in[0]}, vals[1:]...)
				out, err := attempt(func() array.Array {
					return array.New(batching.Batch(fun, core.AxisData{Size: 3}, mapped, dims, func(s []int) []int { return make([]int, len(s)) })[0])
				})
				if err != nil {
					t.Errorf("vmap: %v", err)
				} else if d := compare(out, g.VMap.Out, tol); d != "" {
					t.Errorf("vmap of %v: %s", g.Args, d)
				}
			}
		})
	}
	t.Logf("%d values, %d gradients, %d batches", values, grads, maps)
}

func mapsKeys(m map[string]any) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// first is the first line of a message, without the address of a function.
func first(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return strings.ReplaceAll(line, " at <addr>>", ">")
}
