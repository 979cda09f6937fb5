package lax

import (
	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
)

// The collectives reduce over named axes, which vmap(axis_name=...) brings into
// scope; its batching turns the name into the dimension
// (jax/_src/lax/parallel.py). Parameters: axes (names and dimensions),
// axis_index_groups.
var (
	PSumP = core.NewPrimitive("psum")
	PMaxP = core.NewPrimitive("pmax")
	PMinP = core.NewPrimitive("pmin")
	// AxisIndexP is the index along a named axis. Parameter: axis_name.
	AxisIndexP = core.NewPrimitive("axis_index")
)

func init() {
	sum := collective(PSumP, ReduceSumP, func(v core.Value, size int) core.Value {
		return array.New(constLike(v, float64(size))).Mul(array.New(v)).Value()
	})
	sum.JVP, sum.Transpose = ad.LinearJVP(PSumP), transposePSum
	PSumP.Define(sum)
	keep := func(v core.Value, _ int) core.Value { return v }
	for prim, reducer := range map[*core.Primitive]*core.Primitive{PMaxP: ReduceMaxP, PMinP: ReduceMinP} {
		rules := collective(prim, reducer, keep)
		rules.NotDifferentiable = "JAX gives it no rule"
		rules.NoTranspose = rules.NotDifferentiable
		prim.Define(rules)
	}
	AxisIndexP.Define(core.Rules{
		AbstractEval: func(_ []*core.ShapedArray, p core.Params) []*core.ShapedArray {
			checkAxes([]any{p.Get("axis_name")}, "axis_index")
			return []*core.ShapedArray{core.NewAval(dtype.Int32)}
		},
		Batch: func(axis core.AxisData, _ []core.Value, _ []int, p core.Params) ([]core.Value, []int) {
			if axis.Name == "" || axis.Name != p.Str("axis_name") {
				return AxisIndexP.Bind(p), []int{core.NotMapped}
			}
			return []core.Value{Iota(dtype.Int32, axis.Size).Value()}, []int{0}
		},
		Lower: func(_ *core.LowerCtx, _ []hloValue, p core.Params) []hloValue {
			core.Raise("NameError", "unbound axis name: %s", p.Str("axis_name"))
			return nil
		},
		NotDifferentiable: "it has no operands",
		NoTranspose:       "it has no operands",
	})
}

// collective makes the rules of a reduction over named axes. constant gives the
// reduction of size equal values.
func collective(prim, reducer *core.Primitive, constant func(v core.Value, size int) core.Value) core.Rules {
	positional := func(x core.Value, p core.Params) core.Value {
		var axes []int
		for _, a := range axesOf(p) {
			axes = append(axes, a.(int))
		}
		return bindReduce(reducer, x, core.NewInts(axes...))
	}
	return core.Rules{
		AbstractEval: func(in []*core.ShapedArray, p core.Params) []*core.ShapedArray {
			axes := axesOf(p)
			checkAxes(axes, "psum")
			var dims []int
			for _, a := range axes {
				if d, ok := a.(int); ok {
					dims = append(dims, d)
				}
			}
			return []*core.ShapedArray{core.NewAval(in[0].DType, without(in[0].Shape, dims)...)}
		},
		Impl: func(args []core.Value, p core.Params) []core.Value {
			checkAxes(axesOf(p), "psum")
			return []core.Value{positional(args[0], p)}
		},
		Batch: func(axis core.AxisData, args []core.Value, dims []int, p core.Params) ([]core.Value, []int) {
			return batchCollective(prim, axis, args[0], dims[0], p, constant)
		},
		Lower: lowerFun(func(in []core.Value, p core.Params) core.Value {
			if len(axesOf(p)) == 0 {
				return in[0]
			}
			return positional(in[0], p)
		}),
	}
}

func axesOf(p core.Params) core.Tuple { t, _ := p.Get("axes").(core.Tuple); return t }

func without(shape, dims []int) []int {
	out := []int{}
	for i, n := range shape {
		drop := false
		for _, d := range dims {
			drop = drop || d == i
		}
		if !drop {
			out = append(out, n)
		}
	}
	return out
}

// checkAxes raises JAX's error for a name that no axis in scope has.
func checkAxes(axes []any, api string) {
	for _, a := range axes {
		if name, ok := a.(string); ok {
			if _, ok := axisOf(name); !ok {
				core.Raise("NameError", "Found an unbound axis name: %s. To fix this, please call %s under `jax.shard_map`.", name, api)
			}
		}
	}
}

// axisOf is the innermost axis of that name in scope.
func axisOf(name string) (core.AxisData, bool) {
	axes := core.Current().Axes
	for i := len(axes) - 1; i >= 0; i-- {
		if axes[i].Name == name {
			return axes[i], true
		}
	}
	return core.AxisData{}, false
}

func batchCollective(prim *core.Primitive, axis core.AxisData, v core.Value, d int, p core.Params, constant func(v core.Value, size int) core.Value) ([]core.Value, []int) {
	axes := axesOf(p)
	mine, positional := false, false
	for _, a := range axes {
		mine = mine || axis.Name != "" && a == axis.Name
		_, isInt := a.(int)
		positional = positional || isInt
	}
	bind := func(x core.Value, axes core.Tuple) core.Value { return prim.Bind1(p.With("axes", axes), x) }
	switch {
	case d == core.NotMapped && !mine:
		return []core.Value{bind(v, axes)}, []int{core.NotMapped}
	case d == core.NotMapped:
		var rest core.Tuple
		for _, a := range axes {
			if a != axis.Name {
				rest = append(rest, a)
			}
		}
		if len(rest) > 0 {
			v = bind(v, rest)
		}
		return []core.Value{constant(v, axis.Size)}, []int{core.NotMapped}
	case !mine && !positional:
		return []core.Value{bind(v, axes)}, []int{d}
	}
	v = batching.Moveaxis(v, d, 0)
	shifted := make(core.Tuple, len(axes))
	for i, a := range axes {
		switch n, isInt := a.(int); {
		case isInt:
			shifted[i] = n + 1
		case a == axis.Name && axis.Name != "":
			shifted[i] = 0
		default:
			shifted[i] = a
		}
	}
	if mine {
		return []core.Value{bind(v, shifted)}, []int{core.NotMapped}
	}
	return []core.Value{bind(v, shifted)}, []int{0}
}

// transposePSum sums over the named axes again and broadcasts over the others.
func transposePSum(cts, args []core.Value, p core.Params) []core.Value {
	var named core.Tuple
	var dims []int
	for _, a := range axesOf(p) {
		if d, ok := a.(int); ok {
			dims = append(dims, d)
		} else {
			named = append(named, a)
		}
	}
	ct := cts[0]
	if core.IsZero(ct) {
		return []core.Value{core.Zero{Of: args[0].Aval()}}
	}
	if len(dims) > 0 {
		shape := args[0].Aval().Shape
		var kept core.Ints
		for i := range shape {
			drop := false
			for _, d := range dims {
				drop = drop || d == i
			}
			if !drop {
				kept = append(kept, core.Int{V: i})
			}
		}
		ct = broadcastInDim(ct, shape, kept)
	}
	return PSumP.Bind(p.With("axes", named), ct)
}

// PSum sums x, an array or a tree of arrays, over the named axes.
func PSum(x any, axes ...string) array.Array {
	o := takeApart(x, nil)
	if len(axes) == 0 {
		return array.NewResults(o.vals, o.def)
	}
	constants := true
	vals := make([]core.Value, len(o.vals))
	for i, v := range o.vals {
		if v.Aval().DType.IsBool() {
			v = convert(v, dtype.Int32, false)
		}
		vals[i] = v
		_, isConst := v.(*core.Const)
		constants = constants && isConst
	}
	size := 1
	if constants {
		size = axisSize(axes)
	}
	for i, v := range vals {
		if constants {
			vals[i] = timesSize(v.(*core.Const), size)
		} else {
			vals[i] = PSumP.Bind1(collectiveParams(axes), v)
		}
	}
	return array.NewResults(vals, o.def)
}

// timesSize is the sum of size equal constants; plain numbers stay such.
func timesSize(c *core.Const, size int) core.Value {
	switch py := c.Py.(type) {
	case int64:
		if c.Aval().Weak {
			return core.NewScalar(py*int64(size), c.Aval().DType, true)
		}
	case float64:
		if c.Aval().Weak {
			return core.NewScalar(py*float64(size), c.Aval().DType, true)
		}
	}
	return array.New(constLike(c, float64(size))).Mul(array.New(c)).Value()
}

func collectiveParams(axes []string) core.Params {
	t := make(core.Tuple, len(axes))
	for i, a := range axes {
		t[i] = a
	}
	return core.P("axes", t, "axis_index_groups", nil)
}

func axisSize(axes []string) int {
	size := 1
	for _, name := range axes {
		a, ok := axisOf(name)
		if !ok {
			core.Raise("NameError", "unbound axis name: %s", name)
		}
		size *= a.Size
	}
	return size
}

// PMean is the mean of x over the named axes.
func PMean(x any, axes ...string) array.Array {
	sum := PSum(x, axes...)
	n := axisSize(axes)
	return mapTree(sum, func(v core.Value) core.Value { return array.New(v).Div(n).Value() })
}

// PMax is the maximum of x over the named axes.
func PMax(x any, axes ...string) array.Array { return overAxes(PMaxP, x, axes) }

// PMin is the minimum of x over the named axes.
func PMin(x any, axes ...string) array.Array { return overAxes(PMinP, x, axes) }

func overAxes(prim *core.Primitive, x any, axes []string) array.Array {
	if len(axes) == 0 {
		return mapTree(x, func(v core.Value) core.Value { return v })
	}
	return mapTree(x, func(v core.Value) core.Value { return prim.Bind1(collectiveParams(axes), v) })
}

func mapTree(x any, f func(v core.Value) core.Value) array.Array {
	o := takeApart(x, nil)
	vals := make([]core.Value, len(o.vals))
	for i, v := range o.vals {
		vals[i] = f(v)
	}
	return array.NewResults(vals, o.def)
}

// AxisIndex is the index along the named axes, the last one counting fastest.
func AxisIndex(axes ...string) array.Array {
	if len(axes) == 1 {
		return array.New(AxisIndexP.Bind1(core.P("axis_name", axes[0])))
	}
	index, inner := array.New(Stage(scalarConst(0, dtype.DefaultInt(core.X64()), true))), 1
	for i := len(axes) - 1; i >= 0; i-- {
		index = index.Add(AxisIndex(axes[i]).Mul(inner))
		inner *= axisSize(axes[i : i+1])
	}
	return index
}

// AxisSize is the size of the named axes together.
func AxisSize(axes ...string) int { return axisSize(axes) }
