package lax

import (
	"slices"

	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
)

// TopKP gives the largest elements along an axis and their positions (top_k_p
// in jax/_src/lax/lax.py).
var TopKP = core.NewPrimitive("top_k")

func init() {
	TopKP.Define(core.Rules{
		Multi:        true,
		AbstractEval: evalTopK,
		JVP:          jvpTopK,
		Batch: func(_ core.AxisData, args []core.Value, dims []int, p core.Params) ([]core.Value, []int) {
			axis, d := p.Int("axis"), dims[0]
			if d != core.NotMapped && d <= axis {
				axis++
			}
			return TopKP.Bind(p.With("axis", axis), batching.Moveaxis(args[0], 0, 0)), []int{d, d}
		},
		Lower: lowerTopK,
	})
}

// TopK gives the k largest elements along the last axis, largest first, and
// their positions.
func TopK(x any, k int) (values, indices array.Array) { return TopKAlong(x, k, -1) }

// TopKAlong is TopK along an axis.
func TopKAlong(x any, k, axis int) (values, indices array.Array) {
	v := toValue("top_k", x, 0)
	axis = core.CanonicalAxis(axis, v.Aval().NDim())
	out := topK(v, k, axis)
	return array.New(out[0]), array.New(out[1])
}

func topK(x core.Value, k, axis int) []core.Value {
	return TopKP.Bind(core.P("k", k, "axis", axis, "is_stable", true), x)
}

func evalTopK(in []*core.ShapedArray, p core.Params) []*core.ShapedArray {
	x, k, axis := in[0], p.Int("k"), p.Int("axis")
	switch {
	case x.DType.IsComplex():
		core.ValueErrorf("top_k is not compatible with complex inputs.")
	case k < 0:
		core.ValueErrorf("k argument to top_k must be nonnegative, got %d", k)
	case x.NDim() == 0:
		core.TypeErrorf("top_k operand must have >= 1 dimension, got %s", shapeText(x.Shape))
	case axis < 0 || axis >= x.NDim():
		core.ValueErrorf("axis argument out of range: axis=%d for operand.shape=%s", axis, shapeText(x.Shape))
	case x.Shape[axis] < k:
		core.ValueErrorf("k argument to top_k must be no larger than size along axis; got k=%d with shape=%s and axis=%d", k, core.PyRepr(core.List(anys(x.Shape))), axis)
	}
	shape := slices.Clone(x.Shape)
	shape[axis] = k
	return []*core.ShapedArray{x.With(shape), {Shape: shape, DType: dtype.Int32, Weak: x.Weak}}
}

func jvpTopK(in, ts []core.Value, p core.Params) ([]core.Value, []core.Value) {
	out := TopKP.Bind(p, in...)
	t, none := core.Value(core.Zero{Of: out[0].Aval().Tangent()}), core.Zero{Of: out[1].Aval().Tangent()}
	if !core.IsZero(ts[0]) {
		axis, shape := p.Int("axis"), out[1].Aval().Shape
		at := reshape(out[1], append(slices.Clone(shape), 1))
		batch := core.NewInts(remaining(len(shape), []int{axis})...)
		t = gather(ts[0], at, GatherParams{
			Dims:  GatherDims{Collapsed: core.NewInts(axis), StartIndexMap: core.NewInts(axis), OperandBatching: batch, IndicesBatching: batch},
			Sizes: slices.Repeat([]int{1}, len(shape)),
		})
	}
	return out, []core.Value{t, none}
}

func lowerTopK(c *core.LowerCtx, args []hloValue, p core.Params) []hloValue {
	x, axis, rank := args[0], p.Int("axis"), c.In[0].NDim()
	perm := int64s(count(0, rank))
	perm[axis], perm[rank-1] = perm[rank-1], perm[axis]
	if axis != rank-1 {
		x = c.B.Transpose(x, perm...)
	}
	v, i := c.B.TopK(x, int64(p.Int("k")))
	if axis != rank-1 {
		v, i = c.B.Transpose(v, perm...), c.B.Transpose(i, perm...)
	}
	return []hloValue{v, i}
}
