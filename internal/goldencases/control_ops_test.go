package goldencases

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	jax "gopherlo/jaxlike"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
	"gopherlo/jaxlike/jnp"
	"gopherlo/jaxlike/kw"
	"gopherlo/jaxlike/lax"
	"gopherlo/xla/plugin"
)

// opGolden is a call of a control-flow function with its results and
// derivatives (golden/ops/README.md).
type opGolden struct {
	ID, Fn string
	Args   []any
	Kwargs map[string]any
	Call   []any
	Config map[string]bool
	Out    any
	Error  *struct{ Type, Message string }
	Grad   []any
	JVP    *struct{ Tangents, Out []any }
	VJP    *struct{ Cotangents, Out []any }
	VMap   *struct{ In, Out any }
	GradError,
	VMapError *struct{ Type, Message string }
}

func py(f any, params ...string) any {
	return jax.NamedFunc{F: f, Name: "<lambda>", Params: params, File: "<string>", Line: 1}
}

type dict = map[string]any

var opBodies = map[string]any{
	"body_f":   py(func(s A) A { return s.Add(0.5) }, "s"),
	"br0":      py(func(x A) A { return x.Mul(2) }, "x"),
	"br1":      py(func(x A) A { return x.Add(10) }, "x"),
	"br2":      py(func(x A) A { return x.Neg() }, "x"),
	"br_int":   py(func(x A) int { return 1 }, "x"),
	"cond_f":   py(func(x A) A { return lax.Cond(x.Gt(0), jnp.Sin, jnp.Cos, x) }, "x"),
	"cond_vec": py(func(s A) A { return s.Lt(jnp.Ones(2)) }, "s"),
	"fori_add": py(func(i, v A) A { return v.Add(i) }, "i", "v"),
	"fori_at":  py(func(i, v A) A { return v.At(i).Set(i.Mul(i)) }, "i", "v"),
	"fori_dyn": py(func(x, n A) A { return lax.ForiLoop(0, n, func(i, v A) A { return jnp.Sin(v) }, x) }, "x", "n"),
	"fori_mul": py(func(i, v A) A { return v.Mul(1.1) }, "i", "v"),
	"id":       py(func(x any) any { return x }, "x"),
	"if_x": py(func(x A) A {
		if x.Gt(0).Bool() {
			return x
		}
		return x.Neg()
	}, "x"),
	"inc":           py(func(x A) A { return x.Add(1) }, "x"),
	"lt10":          py(func(s A) A { return s.Lt(10) }, "s"),
	"map_norm":      py(func(r A) A { return r.Div(jnp.Sum(r)) }, "r"),
	"map_sq":        py(func(x A) A { return x.Pow(2).Add(1) }, "x"),
	"neg":           py(func(x A) A { return x.Neg() }, "x"),
	"newton_body":   py(func(s A) A { return jnp.Multiply(0.5, s.Add(jnp.Divide(2.0, s))) }, "s"),
	"newton_cond":   py(func(s A) A { return jnp.Abs(s.Mul(s).Sub(2.0)).Gt(1e-5) }, "s"),
	"reduce_add":    lax.Add,
	"reduce_max":    lax.Max,
	"reduce_mul":    lax.Mul,
	"scan_badshape": py(func(c, x A) (A, A) { return jnp.Concatenate([]A{c, c}), x }, "c", "x"),
	"scan_badtype":  py(func(c, x A) (A, A) { return c.Add(0.5), x }, "c", "x"),
	"scan_cumsum":   py(func(c, x A) (A, A) { return c.Add(x), c.Add(x) }, "c", "x"),
	"scan_fib": py(func(c jax.Tuple, _ any) (jax.Tuple, any) {
		return jax.Tuple{c[1], c[0].(A).Add(c[1])}, c[0]
	}, "c", "_"),
	"scan_loss": py(func(w, xs A) A {
		return jnp.Sum(ys(func(c, x A) (A, A) { return jnp.Tanh(w.Mul(c).Add(x)), c }, 0.0, xs).Pow(2))
	}, "w", "xs"),
	"scan_nox": py(func(c A, _ any) (A, A) { return c.Mul(1.5), c }, "c", "_"),
	"scan_rnn": py(func(c, x A) (A, A) { return jnp.Tanh(jnp.Multiply(0.5, c).Add(x)), c }, "c", "x"),
	"scan_tree": py(func(c dict, x jax.Tuple) (dict, jax.Tuple) {
		a, b := c["a"].(A), c["b"].(A)
		return dict{"a": a.Add(x[0]), "b": b.Mul(x[1])}, jax.Tuple{a, b}
	}, "c", "x"),
	"sin":       jnp.Sin,
	"sum":       jax.NamedFunc{F: func(x A) A { return jnp.Sum(x) }, Name: "sum", Params: []string{"a"}, File: "<file>"},
	"swap":      py(func(x, y A) (A, A) { return y, x }, "x", "y"),
	"vec_out":   py(func(x A) A { return x.Mul(2) }, "x"),
	"while_dbl": py(func(s A) A { return s.Mul(2) }, "s"),
	"while_f": py(func(x A) A {
		return lax.WhileLoop(func(s jax.Tuple) A { return s[0].(A).Lt(3) },
			func(s jax.Tuple) jax.Tuple { return jax.Tuple{s[0].(A).Add(1), jnp.Sin(s[1])} }, jax.Tuple{0, x}).Out(1)
	}, "x"),
	"while_tree": py(func(s A) jax.Tuple { return jax.Tuple{s.Index(0).Add(1), s.Index(1).Mul(1.25)} }, "s"),
}

// decodeOp makes a Go value of an encoded one; arrays come from leaves, in
// order, or are made when there are none.
type decodeOp struct{ leaves []A }

func (d *decodeOp) value(v any) any {
	switch v := v.(type) {
	case json.Number:
		if strings.ContainsAny(v.String(), ".eE") {
			f, _ := v.Float64()
			return f
		}
		n, _ := v.Int64()
		return int(n)
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = d.value(x)
		}
		return out
	case map[string]any:
		switch {
		case v["fn"] != nil:
			return opBodies[v["fn"].(string)]
		case v["tuple"] != nil:
			return jax.Tuple(d.value(v["tuple"]).([]any))
		case v["dict"] != nil:
			out := dict{}
			m := v["dict"].(map[string]any)
			for _, k := range slices.Sorted(maps.Keys(m)) {
				out[k] = d.value(m[k])
			}
			return out
		case v["dtype"] != nil:
			a := d.leaves[0]
			d.leaves = d.leaves[1:]
			return a
		}
	}
	return v
}

// opLeaves are the arrays of an encoded value, in order.
func opLeaves(v any) []A {
	var out []A
	switch v := v.(type) {
	case []any:
		for _, x := range v {
			out = append(out, opLeaves(x)...)
		}
	case map[string]any:
		if v["dtype"] != nil {
			return []A{opArray(v)}
		}
		for _, k := range slices.Sorted(maps.Keys(v)) {
			out = append(out, opLeaves(v[k])...)
		}
	}
	return out
}

func opArray(v map[string]any) A {
	dt, _ := dtype.Parse(v["dtype"].(string))
	shape := []int{}
	for _, n := range v["shape"].([]any) {
		k, _ := n.(json.Number).Int64()
		shape = append(shape, int(k))
	}
	weak, _ := v["weak_type"].(bool)
	data := []byte{}
	for _, x := range v["data"].([]any) {
		buf := make([]byte, dt.Size())
		var val any = x
		switch x := x.(type) {
		case json.Number:
			if dt.IsInt() {
				n, _ := x.Int64()
				val = n
			} else {
				val, _ = x.Float64()
			}
		case string:
			val = map[string]float64{"nan": math.NaN(), "inf": math.Inf(1), "-inf": math.Inf(-1)}[x]
		}
		if err := dt.Put(buf, val); err != nil {
			panic(err)
		}
		data = append(data, buf...)
	}
	aval := &core.ShapedArray{Shape: shape, DType: dt, Weak: weak}
	return jax.DevicePut(array.New(core.NewHostConst(aval, data)))
}

// call runs the case's function on other values for its arrays.
func (g *opGolden) call(leaves []A) A {
	d := &decodeOp{leaves: leaves}
	in := d.value(any(g.Args)).([]any)
	opt := map[string]any{}
	for _, k := range slices.Sorted(maps.Keys(g.Kwargs)) {
		opt[k] = d.value(g.Kwargs[k])
	}
	if g.Call != nil {
		return g.transformed(in, opt, d.value(any(g.Call)).([]any))
	}
	switch g.Fn {
	case "lax.scan":
		var os []kw.ScanOption
		if len(in) > 3 {
			os = append(os, kw.Length(in[3].(int)))
		}
		if n, ok := opt["length"].(int); ok {
			os = append(os, kw.Length(n))
		}
		if r, ok := opt["reverse"].(bool); ok {
			os = append(os, kw.Reverse(r))
		}
		if u, ok := opt["unroll"]; ok {
			os = append(os, kw.Unroll(u))
		}
		c, y := lax.Scan(in[0], in[1], in[2], os...)
		return jax.FuncOf(func() (A, A) { return c, y })()
	case "lax.while_loop":
		return lax.WhileLoop(in[0], in[1], in[2])
	case "lax.fori_loop":
		var os []kw.ForiOption
		if u, ok := opt["unroll"]; ok {
			os = append(os, kw.Unroll(u))
		}
		return lax.ForiLoop(in[0], in[1], in[2], in[3], os...)
	case "lax.cond":
		return lax.Cond(in[0], in[1], in[2], in[3:]...)
	case "lax.switch":
		return lax.Switch(in[0], in[1], in[2:]...)
	case "lax.map":
		var os []kw.MapOption
		if n, ok := opt["batch_size"].(int); ok {
			os = append(os, kw.BatchSize(n))
		}
		return lax.Map(in[0], in[1], os...)
	case "lax.associative_scan":
		var os []kw.AssociativeScanOption
		if r, ok := opt["reverse"].(bool); ok {
			os = append(os, kw.Reverse(r))
		}
		if n, ok := opt["axis"].(int); ok {
			os = append(os, kw.Axis(n))
		}
		return lax.AssociativeScan(in[0], in[1], os...)
	}
	panic("no " + g.Fn)
}

func (g *opGolden) transformed(in []any, opt map[string]any, call []any) A {
	var os []jax.Option
	if n, ok := opt["argnums"].(int); ok {
		os = append(os, jax.Argnums(n))
	}
	switch g.Fn {
	case "jax.vmap":
		return jax.Vmap(in[0], os...)(call...)
	case "jax.grad":
		return jax.Grad(in[0], os...)(call...)
	case "jax.hessian":
		return jax.Hessian(in[0], os...)(call...)
	case "jax.jit":
		return jax.Jit(in[0], os...)(call...)
	}
	panic("no " + g.Fn)
}

func leavesOf(a A) []A {
	r := a.Results()
	if r == nil {
		return []A{a}
	}
	out := make([]A, len(r.Leaves))
	for i, l := range r.Leaves {
		out[i] = array.New(l)
	}
	return out
}

// floats are the inexact results of a call.
func floats(out A) []A {
	var fs []A
	for _, l := range leavesOf(out) {
		if l.DType().IsInexact() {
			fs = append(fs, l)
		}
	}
	return fs
}

// TestControlFlowOps runs loops and branches eagerly and compares results,
// gradients, tangents, cotangents, batches and errors with JAX's.
func TestControlFlowOps(t *testing.T) {
	if _, err := plugin.Find("cpu"); err != nil {
		t.Skip("no CPU plugin: run `gopherlo plugin install cpu`")
	}
	file, err := os.Open("testdata/control_ops.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	z, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	defer core.SetX64(core.X64())
	passed, total := 0, 0
	for s := bufio.NewScanner(z); s.Scan(); {
		var g opGolden
		d := json.NewDecoder(strings.NewReader(s.Text()))
		d.UseNumber()
		if err := d.Decode(&g); err != nil {
			t.Fatal(err)
		}
		total++
		core.SetX64(g.Config["enable_x64"])
		if t.Run(g.ID, func(t *testing.T) { g.check(t) }) {
			passed++
		}
	}
	fmt.Fprintf(os.Stdout, "control_flow ops: %d of %d cases pass\n", passed, total)
}

func (g *opGolden) check(t *testing.T) {
	var keys []any
	for _, k := range slices.Sorted(maps.Keys(g.Kwargs)) {
		keys = append(keys, g.Kwargs[k])
	}
	xs := slices.Concat(opLeaves(any(g.Args)), opLeaves(any(keys)), opLeaves(any(g.Call)))
	var out A
	err := raised(func() { out = g.call(xs) })
	if g.Error != nil {
		if err == nil {
			t.Fatalf("no error, want %s: %s", g.Error.Type, g.Error.Message)
		}
		err.Message = strings.ReplaceAll(err.Message, "<file>:0", "<file>")
		if err.Name != g.Error.Type || err.Message != g.Error.Message {
			t.Fatalf("%s: %s\nwant %s: %s", err.Name, err.Message, g.Error.Type, g.Error.Message)
		}
		return
	}
	if err != nil {
		t.Fatalf("%s: %s", err.Name, err.Message)
	}
	equalLeaves(t, "out", leavesOf(out), opLeaves(g.Out))
	if err := raised(func() { g.derivatives(t, xs) }); err != nil {
		t.Fatalf("derivatives: %s: %s", err.Name, err.Message)
	}
}

func (g *opGolden) derivatives(t *testing.T, xs []A) {
	var at []int
	var fs []any
	for i, x := range xs {
		if x.DType().IsInexact() {
			at, fs = append(at, i), append(fs, x)
		}
	}
	with := func(ls []A) []A {
		all := slices.Clone(xs)
		for k, i := range at {
			all[i] = ls[k]
		}
		return all
	}
	f := func(ls ...A) []A { return floats(g.call(with(ls))) }
	if g.Grad != nil {
		sum := func(ls []A) A {
			total := A{}
			for i, y := range f(ls...) {
				if s := jnp.Sum(y); i == 0 {
					total = s
				} else {
					total = total.Add(s)
				}
			}
			return total
		}
		equalLeaves(t, "grad", leavesOf(jax.Grad(sum)(fs)), opLeaves(any(g.Grad)))
	}
	if g.JVP != nil {
		var ts []any
		for _, x := range opLeaves(any(g.JVP.Tangents)) {
			ts = append(ts, x)
		}
		_, got := jax.Jvp(f, jax.Args(fs), jax.Args(ts))
		equalLeaves(t, "jvp", leavesOf(got), opLeaves(any(g.JVP.Out)))
	}
	if g.VJP != nil {
		_, pull := jax.Vjp(f, fs...)
		var cts []any
		for _, x := range opLeaves(any(g.VJP.Cotangents)) {
			cts = append(cts, x)
		}
		equalLeaves(t, "vjp", leavesOf(pull(cts)), opLeaves(any(g.VJP.Out)))
	}
	if g.VMap != nil && len(xs) > 0 {
		in := opLeaves(g.VMap.In)
		got := jax.Vmap(func(first []A) A { return g.call(append(slices.Clone(first), xs[len(first):]...)) })(in)
		equalLeaves(t, "vmap", leavesOf(got), opLeaves(g.VMap.Out))
	}
}

// equalLeaves compares types exactly and floats to 32 units in the last place.
func equalLeaves(t *testing.T, what string, got, want []A) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d arrays, want %d", what, len(got), len(want))
		return
	}
	for i, w := range want {
		g := got[i]
		if !g.Aval().Equal(w.Aval()) {
			t.Errorf("%s %d has type %s, want %s", what, i, g.Aval().LongWeak(), w.Aval().LongWeak())
			continue
		}
		if !w.DType().IsFloat() {
			if !slices.Equal(g.Bytes(), w.Bytes()) {
				t.Errorf("%s %d is %s, want %s", what, i, g, w)
			}
			continue
		}
		eps := math.Ldexp(32, -dtype.MantissaBits(w.DType()))
		gf, wf := g.Floats(), w.Floats()
		for k := range wf {
			if d := math.Abs(gf[k] - wf[k]); d > eps*max(math.Abs(wf[k]), 1e-2) || math.IsNaN(gf[k]) != math.IsNaN(wf[k]) {
				t.Errorf("%s %d, element %d is %v, want %v", what, i, k, gf[k], wf[k])
			}
		}
	}
}
