package lax

import (
	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/core"
)

// DynamicUpdateSliceP overwrites a part of an array at indices that are values
// (dynamic_update_slice_p in jax/_src/lax/slicing.py). Operands: the array, the
// new part, then one scalar index per dimension.
var DynamicUpdateSliceP = core.NewPrimitive("dynamic_update_slice")

func init() {
	DynamicUpdateSliceP.Define(core.Rules{
		AbstractEval: evalDynamicUpdateSlice,
		JVP:          jvpDynamicUpdateSlice,
		Transpose:    transposeDynamicUpdateSlice,
		Batch:        batchDynamicUpdateSlice,
		Lower: func(c *core.LowerCtx, args []hloValue, _ core.Params) []hloValue {
			return []hloValue{c.B.DynamicUpdateSlice(args[0], args[1], wordIndices(c, args[2:]))}
		},
	})
}

// DynamicUpdateSlice overwrites the part of x at start, a list of one index per
// dimension, by update.
func DynamicUpdateSlice(x, update any, start []any) array.Array {
	v := toValue("dynamic_update_slice", x, 0)
	return array.New(dynamicUpdateSlice(v, toValue("dynamic_update_slice", update, 1), sliceIndices(v, start, nil)))
}

// DynamicUpdateSliceInDim is DynamicUpdateSlice along one axis.
func DynamicUpdateSliceInDim(x, update, start any, axis int) array.Array {
	v := toValue("dynamic_update_slice_in_dim", x, 0)
	axis = core.CanonicalAxis(axis, v.Aval().NDim())
	return array.New(dynamicUpdateSlice(v, toValue("dynamic_update_slice_in_dim", update, 1),
		inDim(v, toValue("dynamic_update_slice_in_dim", start, 2), axis, true)))
}

// DynamicUpdateIndexInDim overwrites one element along axis.
func DynamicUpdateIndexInDim(x, update, index any, axis int) array.Array {
	v := toValue("dynamic_update_index_in_dim", x, 0)
	return array.New(dynamicUpdateIndexInDim(v, toValue("dynamic_update_index_in_dim", update, 1),
		toValue("dynamic_update_index_in_dim", index, 2), core.CanonicalAxis(axis, v.Aval().NDim()), true))
}

func dynamicUpdateSlice(x, update core.Value, start []core.Value) core.Value {
	return DynamicUpdateSliceP.Bind1(nil, append([]core.Value{x, update}, start...)...)
}

// dynamicUpdateIndexInDim is a jit of its own, as in JAX.
func dynamicUpdateIndexInDim(x, update, index core.Value, axis int, negative bool) core.Value {
	return Named("dynamic_update_index_in_dim", core.PyRepr(core.Tuple{axis, negative}), func(in []core.Value) []core.Value {
		x, update, index := in[0], in[1], in[2]
		if n := update.Aval().NDim(); n != x.Aval().NDim() {
			update = expandDims(update, []int{axis})
		}
		return []core.Value{dynamicUpdateSlice(x, update, inDim(x, index, axis, negative))}
	}, x, update, index)[0]
}

func evalDynamicUpdateSlice(in []*core.ShapedArray, _ core.Params) []*core.ShapedArray {
	x, u := in[0], in[1]
	if x.NDim() != u.NDim() {
		core.TypeErrorf("dynamic_update_slice update must have the same rank as operand, got update shape %s for operand shape %s.", shapeText(u.Shape), shapeText(x.Shape))
	}
	for i, d := range u.Shape {
		if d > x.Shape[i] {
			core.TypeErrorf("dynamic_update_slice update shape must be smaller than operand shape, got update shape %s for operand shape %s.", shapeText(u.Shape), shapeText(x.Shape))
		}
	}
	checkSameDTypes("dynamic_update_slice", in[:2])
	checkIndexTypes("dynamic_update_slice", "", in[2:])
	return []*core.ShapedArray{{Shape: x.Shape, DType: x.DType, Weak: allWeak(in)}}
}

func jvpDynamicUpdateSlice(primals, tangents []core.Value, _ core.Params) ([]core.Value, []core.Value) {
	out := DynamicUpdateSliceP.Bind(nil, primals...)
	if core.IsZero(tangents[0]) && core.IsZero(tangents[1]) {
		return out, []core.Value{ad.ZeroOf(out[0])}
	}
	t := dynamicUpdateSlice(ad.Instantiate(tangents[0]), ad.Instantiate(tangents[1]), primals[2:])
	return out, []core.Value{t}
}

func transposeDynamicUpdateSlice(cts, args []core.Value, _ core.Params) []core.Value {
	ct, start := cts[0], args[2:]
	out := make([]core.Value, len(args))
	u := args[1].Aval()
	for i := range 2 {
		switch {
		case !core.IsUndefined(args[i]):
		case core.IsZero(ct):
			out[i] = core.Zero{Of: args[i].Aval()}
		case i == 0:
			out[i] = dynamicUpdateSlice(ct, broadcast(zero(ct), u.Shape), start)
		default:
			out[i] = dynamicSlice(ct, start, u.Shape)
		}
	}
	return out
}
