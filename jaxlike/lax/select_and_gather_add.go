package lax

import (
	"math"
	"slices"

	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
)

// The primitives behind the derivatives of maxima and minima over windows:
// the first reads the tangents of the chosen elements, the second adds
// cotangents to them, with the third's help.
var (
	SelectAndGatherAddP  = core.NewPrimitive("select_and_gather_add")
	SelectAndScatterAddP = core.NewPrimitive("select_and_scatter_add")
	SelectAndScatterP    = core.NewPrimitive("select_and_scatter")
)

func init() {
	SelectAndGatherAddP.Define(core.Rules{
		AbstractEval: func(in []*core.ShapedArray, p core.Params) []*core.ShapedArray {
			if !slices.Equal(in[0].Shape, in[1].Shape) {
				core.TypeErrorf("select_and_gather_add tangents and operand shapes must match, got %s and %s.", shapeText(in[0].Shape), shapeText(in[1].Shape))
			}
			return []*core.ShapedArray{{Shape: windowOf(p).shape("reduce_window", in[1].Shape), DType: in[0].DType, Weak: allWeak(in)}}
		},
		JVP:       jvpFirst(SelectAndGatherAddP),
		Transpose: transposeGatherAdd,
		Batch:     batchWindowed(SelectAndGatherAddP, true),
		Lower: func(c *core.LowerCtx, args []hloValue, p core.Params) []hloValue {
			return lowerProgram(c, c.In, args, func(in []core.Value) core.Value { return gatherAddProgram(in[0], in[1], p) })
		},
	})
	SelectAndScatterAddP.Define(core.Rules{
		AbstractEval: func(in []*core.ShapedArray, _ core.Params) []*core.ShapedArray {
			return []*core.ShapedArray{{Shape: in[1].Shape, DType: in[0].DType, Weak: allWeak(in)}}
		},
		JVP: jvpFirst(SelectAndScatterAddP),
		Transpose: func(cts, args []core.Value, p core.Params) []core.Value {
			if core.IsZero(cts[0]) {
				return []core.Value{core.Zero{Of: args[0].Aval()}, nil}
			}
			return []core.Value{gatherAdd(cts[0], args[1], p.Str("select_prim"), windowOf(p)), nil}
		},
		Batch: batchWindowed(SelectAndScatterAddP, false),
		Lower: func(c *core.LowerCtx, args []hloValue, p core.Params) []hloValue {
			return lowerProgram(c, c.In, args, func(in []core.Value) core.Value { return scatterAddProgram(in[0], in[1], p) })
		},
	})
	SelectAndScatterP.Define(core.Rules{
		AbstractEval: func(in []*core.ShapedArray, _ core.Params) []*core.ShapedArray {
			return []*core.ShapedArray{{Shape: in[0].Shape, DType: in[0].DType, Weak: allWeak(in)}}
		},
		NotDifferentiable: "only select_and_scatter_add, which is built from it, is",
		NoBatch:           "it appears in lowered programs alone",
		Lower: func(c *core.LowerCtx, args []hloValue, p core.Params) []hloValue {
			body := func(name string) func(x, y hloValue) hloValue {
				return func(x, y hloValue) hloValue {
					return c.Module.Inline(c, c.B, p.Jaxpr(name), []hloValue{x, y})[0]
				}
			}
			return []hloValue{c.B.SelectAndScatter(args[0], args[1], args[2], windowOf(p).hlo(), body("select_jaxpr"), body("scatter_jaxpr"))}
		},
	})
}

// comparison is the primitive that a parameter select_prim names.
func comparison(name string) *core.Primitive {
	if name == "ge" {
		return GeP
	}
	return LeP
}

func chooserIdentity(name string) func(dtype.DType) any {
	if name == "ge" {
		return lowestIdentity
	}
	return highestIdentity
}

func jvpWindowChooser(prim *core.Primitive, compare string) ad.JVPRule {
	return ad.Std(prim, func(t, _ core.Value, in []core.Value, p core.Params) core.Value {
		return gatherAdd(t, in[0], compare, windowOf(p))
	})
}

func gatherAdd(t, x core.Value, compare string, w window) core.Value {
	return SelectAndGatherAddP.Bind1(append(core.P("select_prim", compare), w.params()...), t, x)
}

func scatterAddParams(compare string, w window) core.Params {
	return core.P("select_prim", compare, "window_dimensions", core.NewInts(w.size...), "window_strides", core.NewInts(w.strides...), "padding", w.padding)
}

// jvpFirst is the rule of primitives that are linear in their first operand;
// the second only chooses.
func jvpFirst(prim *core.Primitive) ad.JVPRule {
	return func(in, ts []core.Value, p core.Params) ([]core.Value, []core.Value) {
		out := prim.Bind(p, in...)
		if core.IsZero(ts[0]) {
			return out, []core.Value{ad.ZeroOf(out[0])}
		}
		return out, prim.Bind(p, ts[0], in[1])
	}
}

func batchWindowed(prim *core.Primitive, dilations bool) batching.BatchRule {
	return func(_ core.AxisData, args []core.Value, dims []int, p core.Params) ([]core.Value, []int) {
		if batching.AllUnmapped(dims) {
			return prim.Bind(p, args...), []int{core.NotMapped}
		}
		size := batching.Size(args, dims)
		x, y := batching.Front(args[0], dims[0], size), batching.Front(args[1], dims[1], size)
		w, name := windowOf(p).insert(0), p.Str("select_prim")
		q := scatterAddParams(name, w)
		if dilations {
			q = append(core.P("select_prim", name), w.params()...)
		}
		return prim.Bind(q, x, y), []int{0}
	}
}

func transposeGatherAdd(cts, args []core.Value, p core.Params) []core.Value {
	w := windowOf(p)
	for _, d := range w.dilation {
		if d != 1 {
			core.Raise("NotImplementedError", "VJP not implemented for select_and_gather (MaxPool) with window dilation, got window_dilation=%s.", shapeText(w.dilation))
		}
	}
	if core.IsZero(cts[0]) {
		return []core.Value{core.Zero{Of: args[0].Aval()}, nil}
	}
	x, name := args[1], p.Str("select_prim")
	gaps := slices.ContainsFunc(w.base, func(d int) bool { return d != 1 })
	d := x.Aval().DType
	if gaps {
		config := make([]PadDim, len(w.base))
		for i, b := range w.base {
			config[i].Interior.V = b - 1
		}
		x = pad(x, core.NewScalar(pyNumber(chooserIdentity(name)(d), d), d, false), config)
	}
	out := SelectAndScatterAddP.Bind1(scatterAddParams(name, w), cts[0], x)
	if gaps {
		shape := out.Aval().Shape
		out = slice(out, core.NewInts(make([]int, len(shape))...), core.NewInts(shape...), core.NewInts(w.base...))
	}
	return []core.Value{out, nil}
}

// gatherAddProgram reduces elements together with their tangents.
func gatherAddProgram(t, x core.Value, p core.Params) core.Value {
	d, compare := x.Aval().DType, comparison(p.Str("select_prim"))
	a := core.NewAval(d)
	j := scalarProgram("select", []*core.ShapedArray{a, a, a, a}, func(v []core.Value) []core.Value {
		which := compare.Bind1(nil, v[0], v[2])
		return []core.Value{selectBool(which, v[0], v[2]), selectBool(which, v[1], v[3])}
	})
	start := math.Inf(1)
	if compare == GeP {
		start = math.Inf(-1)
	}
	return ReduceWindowP.Bind(append(core.P("jaxpr", j, "consts", core.Tuple(nil)), windowOf(p).params()...),
		x, t, scalarConst(start, d, false), scalarConst(0, d, false))[1]
}

// scatterAddProgram pads by hand, since XLA's CPU backend does not.
func scatterAddProgram(source, x core.Value, p core.Params) core.Value {
	w, name, d := windowOf(p), p.Str("select_prim"), x.Aval().DType
	shape := x.Aval().Shape
	config := make([]PadDim, len(shape))
	start, limit := make([]int, len(shape)), make([]int, len(shape))
	for i, q := range w.padding {
		config[i] = PadDim{Low: core.Int{V: q[0]}, High: core.Int{V: q[1]}}
		start[i], limit[i] = q[0], q[0]+shape[i]
	}
	x = pad(x, core.NewScalar(pyNumber(chooserIdentity(name)(d), d), d, false), config)
	a := []*core.ShapedArray{core.NewAval(d), core.NewAval(d)}
	sel := scalarProgram("select", a, func(v []core.Value) []core.Value { return comparison(name).Bind(nil, v...) })
	sum := scalarProgram("scatter", a, func(v []core.Value) []core.Value { return []core.Value{add(v[0], v[1])} })
	out := SelectAndScatterP.Bind1(core.P("select_jaxpr", sel, "select_consts", core.Tuple(nil), "scatter_jaxpr", sum, "scatter_consts", core.Tuple(nil),
		"window_dimensions", core.NewInts(w.size...), "window_strides", core.NewInts(w.strides...), "padding", make(pairs, len(shape))), x, source, zero(x))
	return slice(out, core.NewInts(start...), core.NewInts(limit...), nil)
}
