package lax

import (
	"slices"
	"strings"

	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
	"gopherlo/jaxlike/partialeval"
	"gopherlo/xla/stablehlo"
)

// window describes the windows of a reduction or convolution.
type window struct {
	size, strides, base, dilation []int
	padding                       pairs
}

// pairs are the paddings before and after each dimension.
type pairs [][2]int

// PyRepr prints the pairs as a tuple of tuples.
func (ps pairs) PyRepr() string {
	parts := make([]string, len(ps))
	for i, p := range ps {
		parts[i] = core.PyRepr(core.NewInts(p[0], p[1]))
	}
	if len(parts) == 1 {
		return "(" + parts[0] + ",)"
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

func unitWindow(rank int) window {
	one := func() []int { return slices.Repeat([]int{1}, rank) }
	return window{one(), one(), one(), one(), make(pairs, rank)}
}

func (w window) params() core.Params {
	return core.P("window_dimensions", core.NewInts(w.size...), "window_strides", core.NewInts(w.strides...), "padding", w.padding,
		"base_dilation", core.NewInts(w.base...), "window_dilation", core.NewInts(w.dilation...))
}

func windowOf(p core.Params) window {
	pad, _ := p.Get("padding").(pairs)
	w := window{p.Ints("window_dimensions"), p.Ints("window_strides"), p.Ints("base_dilation"), p.Ints("window_dilation"), pad}
	if w.base == nil {
		w.base, w.dilation = slices.Repeat([]int{1}, len(w.size)), slices.Repeat([]int{1}, len(w.size))
	}
	return w
}

// insert gives the window a batch dimension at d.
func (w window) insert(d int) window {
	one := func(vs []int) []int { return slices.Insert(slices.Clone(vs), d, 1) }
	return window{one(w.size), one(w.strides), one(w.base), one(w.dilation), slices.Insert(slices.Clone(w.padding), d, [2]int{})}
}

func (w window) hlo() stablehlo.Window {
	pad := make([][2]int64, len(w.padding))
	for i, p := range w.padding {
		pad[i] = [2]int64{int64(p[0]), int64(p[1])}
	}
	return stablehlo.Window{Dimensions: int64s(w.size), Strides: int64s(w.strides), BaseDilations: int64s(w.base), WindowDilations: int64s(w.dilation), Padding: pad}
}

// dilated is the size of n elements with gaps between them.
func dilated(n, by int) int {
	if n == 0 {
		return 0
	}
	return 1 + by*(n-1)
}

// shape is the shape of the result.
func (w window) shape(name string, x []int) []int {
	if len(x) != len(w.size) {
		core.TypeErrorf("%s got the wrong number of window_dimensions for operand: got operand shape %s with window_dimensions %s.", name, shapeText(x), shapeText(w.size))
	}
	if len(w.strides) != len(w.size) {
		core.TypeErrorf("%s got inconsistent window_strides and window_dimensions: got window_strides %s and window_dimensions %s.", name, shapeText(w.strides), shapeText(w.size))
	}
	out := make([]int, len(x))
	for i, n := range x {
		total := dilated(n, w.base[i]) + w.padding[i][0] + w.padding[i][1]
		size := dilated(w.size[i], w.dilation[i])
		if total >= size {
			out[i] = (total-size)/w.strides[i] + 1
		}
	}
	return out
}

// The windowed reductions. ReduceWindowP reduces any number of arrays with a
// function; its operands are the arrays, then their initial values.
var (
	ReduceWindowP    = core.NewPrimitive("reduce_window")
	ReduceWindowSumP = core.NewPrimitive("reduce_window_sum")
	ReduceWindowMaxP = core.NewPrimitive("reduce_window_max")
	ReduceWindowMinP = core.NewPrimitive("reduce_window_min")
)

func init() {
	ReduceWindowP.Define(core.Rules{
		Multi: true,
		AbstractEval: func(in []*core.ShapedArray, p core.Params) []*core.ShapedArray {
			w, out := windowOf(p), make([]*core.ShapedArray, len(in)/2)
			for i := range out {
				out[i] = core.NewAval(in[i].DType, w.shape("reduce_window", in[i].Shape)...)
			}
			return out
		},
		NotDifferentiable: "only sums, maxima and minima over windows are differentiated here",
		Batch: func(_ core.AxisData, args []core.Value, dims []int, p core.Params) ([]core.Value, []int) {
			n, size := len(args)/2, batching.Size(args, dims)
			moved := slices.Clone(args)
			for i := range n {
				moved[i] = batching.Front(args[i], dims[i], size)
			}
			return ReduceWindowP.Bind(append(core.P("jaxpr", p.Get("jaxpr"), "consts", p.Get("consts")), windowOf(p).insert(0).params()...), moved...), make([]int, n)
		},
		Lower: func(c *core.LowerCtx, args []hloValue, p core.Params) []hloValue {
			n := len(args) / 2
			ts := make([]stablehlo.Type, n)
			for i, a := range c.Out {
				ts[i] = typeOf(a)
			}
			return c.B.ReduceWindow(args[:n], args[n:], ts, windowOf(p).hlo(), func(acc, elems []hloValue) []hloValue {
				return c.Module.Inline(c, c.B, p.Jaxpr("jaxpr"), append(slices.Clone(acc), elems...))
			})
		},
	})
	defineWindow(ReduceWindowSumP, "add", zeroIdentity, core.Rules{
		JVP:       ad.LinearJVP(ReduceWindowSumP),
		Transpose: ad.Linear(transposeWindowSum),
	})
	defineWindow(ReduceWindowMaxP, "maximum", lowestIdentity, core.Rules{JVP: jvpWindowChooser(ReduceWindowMaxP, "ge")})
	defineWindow(ReduceWindowMinP, "minimum", highestIdentity, core.Rules{JVP: jvpWindowChooser(ReduceWindowMinP, "le")})
}

func defineWindow(prim *core.Primitive, op string, identity func(dtype.DType) any, r core.Rules) {
	r.AbstractEval = func(in []*core.ShapedArray, p core.Params) []*core.ShapedArray {
		if prim == ReduceWindowSumP && !acceptNumber.has(in[0].DType) {
			core.TypeErrorf("operand to reduce_window_sum must have a number dtype, got %s", in[0].DType)
		}
		return []*core.ShapedArray{in[0].With(windowOf(p).shape("reduce_window", in[0].Shape))}
	}
	r.Batch = func(_ core.AxisData, args []core.Value, dims []int, p core.Params) ([]core.Value, []int) {
		w := windowOf(p)
		if dims[0] != core.NotMapped {
			w = w.insert(dims[0])
		}
		return prim.Bind(w.params(), args...), dims
	}
	r.Lower = func(c *core.LowerCtx, args []hloValue, p core.Params) []hloValue {
		start := lowerFull(c, &core.ShapedArray{Shape: []int{}, DType: c.In[0].DType}, identity(c.In[0].DType))
		return c.B.ReduceWindow(args, []hloValue{start}, []stablehlo.Type{typeOf(c.Out[0])}, windowOf(p).hlo(), func(acc, elems []hloValue) []hloValue {
			return []hloValue{c.B.Binary(op, acc[0], elems[0])}
		})
	}
	prim.Define(r)
}

func windowSum(x core.Value, w window) core.Value { return ReduceWindowSumP.Bind1(w.params(), x) }

func windowMax(x core.Value, w window) core.Value { return ReduceWindowMaxP.Bind1(w.params(), x) }

func windowMin(x core.Value, w window) core.Value { return ReduceWindowMinP.Bind1(w.params(), x) }

// reduceWindow reduces one array with a function of two scalars.
func reduceWindow(x, start core.Value, combine func(x, y core.Value) core.Value, name string, w window) core.Value {
	a := core.NewAval(x.Aval().DType)
	j := scalarProgram(name, []*core.ShapedArray{a, a}, func(v []core.Value) []core.Value { return []core.Value{combine(v[0], v[1])} })
	return ReduceWindowP.Bind(append(core.P("jaxpr", j, "consts", core.Tuple(nil)), w.params()...), x, start)[0]
}

// scalarProgram is the jaxpr of a reduction's function.
func scalarProgram(_ string, in []*core.ShapedArray, f partialeval.Fun) (j *core.Jaxpr) {
	core.With(func(s *core.State) { *s = core.State{Trace: core.Eval, Metadata: s.Metadata} }, func() {
		j = partialeval.TraceToJaxpr(f, in, &core.DebugInfo{})
	})
	return j
}

// lhsPadding is the padding of the reduction or convolution that gives the
// cotangent of the operand (_conv_general_vjp_lhs_padding).
func (w window) lhsPadding(in, out []int) pairs {
	ps := make(pairs, len(in))
	for i := range in {
		size := dilated(w.size[i], w.dilation[i])
		before := size - w.padding[i][0] - 1
		ps[i] = [2]int{before, dilated(in[i], w.base[i]) + size - 1 - dilated(out[i], w.strides[i]) - before}
	}
	return ps
}

func transposeWindowSum(ct core.Value, args []core.Value, p core.Params) []core.Value {
	w, in := windowOf(p), args[0].Aval().Shape
	config := make([]PadDim, len(in))
	for i, q := range w.lhsPadding(in, ct.Aval().Shape) {
		config[i] = PadDim{core.Int{V: q[0], NP: true}, core.Int{V: q[1], NP: true}, core.Int{V: w.strides[i] - 1}}
	}
	padded := pad(ct, zero(ct), config)
	back := unitWindow(len(in))
	back.size, back.strides, back.dilation = w.size, w.base, w.dilation
	return []core.Value{windowSum(padded, back)}
}

// ReduceWindow reduces the elements of windows of x. op is "add", "max", "min"
// or "mul"; padding is "VALID", "SAME" or a [][2]int.
func ReduceWindow(x any, op string, size, strides []int, padding any) array.Array {
	v := toValue("reduce_window", x, 0)
	w := unitWindow(len(size))
	w.size = size
	if strides != nil {
		w.strides = strides
	}
	w.padding = windowPadding(padding, v.Aval().Shape, w.size, w.strides)
	switch op {
	case "add":
		return array.New(windowSum(v, w))
	case "max":
		return array.New(windowMax(v, w))
	case "min":
		return array.New(windowMin(v, w))
	case "mul":
		return array.New(reduceWindow(v, constLike(v, 1), mul, "mul", w))
	}
	core.ValueErrorf("reduce_window: unknown op %q: use add, max, min or mul", op)
	return array.Array{}
}

// windowPadding reads a padding (padtype_to_pads in jax/_src/lax/lax.py).
func windowPadding(padding any, in, size, strides []int) pairs {
	switch p := padding.(type) {
	case nil:
		return make(pairs, len(size))
	case [][2]int:
		return p
	case string:
		out := make(pairs, len(size))
		switch strings.ToUpper(p) {
		case "VALID":
			return out
		case "SAME", "SAME_LOWER":
			for i := range out {
				n := (in[i] + strides[i] - 1) / strides[i]
				total := max(0, (n-1)*strides[i]+size[i]-in[i])
				out[i] = [2]int{total / 2, total - total/2}
				if strings.EqualFold(p, "SAME_LOWER") {
					out[i][0], out[i][1] = out[i][1], out[i][0]
				}
			}
			return out
		}
		core.ValueErrorf("Unrecognized padding type: expected 'VALID', 'SAME', or 'SAME_LOWER', got %s.", p)
	}
	core.TypeErrorf("padding must be a string or a list of pairs, got %T", padding)
	return nil
}
