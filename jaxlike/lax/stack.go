package lax

import (
	"slices"

	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
)

// StackP joins arrays along a new dimension; UnstackP takes an array apart
// along a dimension (stack_p and unstack_p in jax/_src/lax/lax.py).
var (
	StackP   = core.NewPrimitive("stack")
	UnstackP = core.NewPrimitive("unstack")
)

func init() {
	StackP.Define(core.Rules{
		AbstractEval: func(in []*core.ShapedArray, p core.Params) []*core.ShapedArray {
			checkSameDTypes("stack", in)
			for _, a := range in {
				if a.NDim() != in[0].NDim() {
					core.ValueErrorf("Cannot stack arrays with different numbers of dimensions: got %s.", joinShapes(shapesOf(in)))
				}
			}
			for _, a := range in {
				if !slices.Equal(a.Shape, in[0].Shape) {
					core.ValueErrorf("All input arrays must have the same shape. Got %s.", joinShapes(shapesOf(in)))
				}
			}
			shape := slices.Insert(slices.Clone(in[0].Shape), p.Int("axis"), len(in))
			return []*core.ShapedArray{{Shape: shape, DType: in[0].DType, Weak: allWeak(in)}}
		},
		JVP: ad.LinearJVP(StackP),
		Transpose: ad.Linear(func(ct core.Value, _ []core.Value, p core.Params) []core.Value {
			return UnstackP.Bind(p, ct)
		}),
		Batch: batchStack,
		Lower: func(c *core.LowerCtx, args []hloValue, p core.Params) []hloValue {
			axis, rank := p.Int("axis"), c.In[0].NDim()
			t := typeOf(c.In[0])
			t.Dims = slices.Insert(slices.Clone(t.Dims), axis, 1)
			xs := make([]hloValue, len(args))
			for i, x := range args {
				xs[i] = c.B.BroadcastInDim(x, t, int64s(remaining(rank+1, []int{axis}))...)
			}
			return []hloValue{lowerConcatenate(c, xs, int64(axis))}
		},
	})
	UnstackP.Define(core.Rules{
		Multi: true,
		AbstractEval: func(in []*core.ShapedArray, p core.Params) []*core.ShapedArray {
			if in[0].NDim() == 0 {
				core.ValueErrorf("unstack requires arrays with rank > 0, however a scalar array of shape () was passed.")
			}
			axis := p.Int("axis")
			a := in[0].With(slices.Delete(slices.Clone(in[0].Shape), axis, axis+1))
			return slices.Repeat([]*core.ShapedArray{a}, in[0].Shape[axis])
		},
		JVP: ad.LinearJVP(UnstackP),
		Transpose: func(cts, args []core.Value, p core.Params) []core.Value {
			if !slices.ContainsFunc(cts, func(c core.Value) bool { return !core.IsZero(c) }) {
				return []core.Value{core.Zero{Of: args[0].Aval()}}
			}
			parts := slices.Clone(cts)
			for i, c := range parts {
				parts[i] = ad.Instantiate(c)
			}
			return []core.Value{StackP.Bind1(p, parts...)}
		},
		Batch: func(_ core.AxisData, args []core.Value, dims []int, p core.Params) ([]core.Value, []int) {
			axis, d := p.Int("axis"), dims[0]
			switch {
			case d == core.NotMapped:
			case axis < d:
				d--
			default:
				axis++
			}
			out := UnstackP.Bind(p.With("axis", axis), args...)
			return out, slices.Repeat([]int{d}, len(out))
		},
		Lower: func(c *core.LowerCtx, args []hloValue, p core.Params) []hloValue {
			axis := p.Int("axis")
			start, limit := make([]int64, c.In[0].NDim()), int64s(c.In[0].Shape)
			out := make([]hloValue, len(c.Out))
			for i, a := range c.Out {
				start[axis], limit[axis] = int64(i), int64(i+1)
				out[i] = c.B.Reshape(c.B.Slice(args[0], slices.Clone(start), slices.Clone(limit), nil), int64s(a.Shape)...)
			}
			return out
		},
	})
}

// Stack joins arrays of one shape along a new dimension.
func Stack(xs []array.Array, axis int) array.Array {
	if len(xs) == 0 {
		core.ValueErrorf("stack requires a non-empty sequences of arrays")
	}
	vs := make([]core.Value, len(xs))
	for i, x := range xs {
		vs[i] = x.Value()
	}
	return array.New(StackP.Bind1(core.P("axis", core.CanonicalAxis(axis, xs[0].NDim()+1)), vs...))
}

// Unstack takes x apart along a dimension.
func Unstack(x any, axis int) []array.Array {
	v := toValue("unstack", x, 0)
	if v.Aval().NDim() > 0 {
		axis = core.CanonicalAxis(axis, v.Aval().NDim())
	}
	parts := UnstackP.Bind(core.P("axis", axis), v)
	out := make([]array.Array, len(parts))
	for i, q := range parts {
		out[i] = array.New(q)
	}
	return out
}

func batchStack(axis core.AxisData, args []core.Value, dims []int, p core.Params) ([]core.Value, []int) {
	at, d := p.Int("axis"), dims[0]
	if batching.AllUnmapped(dims) {
		return StackP.Bind(p, args...), []int{core.NotMapped}
	}
	if !slices.ContainsFunc(dims, func(e int) bool { return e != d }) {
		if at <= d {
			return StackP.Bind(p, args...), []int{d + 1}
		}
		return StackP.Bind(p.With("axis", at+1), args...), []int{d}
	}
	moved := make([]core.Value, len(args))
	for i, a := range args {
		if dims[i] == core.NotMapped {
			moved[i] = broadcast(a, []int{axis.Size})
		} else {
			moved[i] = batching.Moveaxis(a, dims[i], 0)
		}
	}
	return StackP.Bind(p.With("axis", at+1), moved...), []int{0}
}

func shapesOf(as []*core.ShapedArray) [][]int {
	out := make([][]int, len(as))
	for i, a := range as {
		out[i] = a.Shape
	}
	return out
}
