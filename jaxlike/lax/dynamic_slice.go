package lax

import (
	"slices"
	"strings"

	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
	"gopherlo/xla/hlo"
)

// DynamicSliceP takes a part of fixed size at indices that are values
// (dynamic_slice_p in jax/_src/lax/slicing.py). Operands: the array, then one
// scalar index per dimension.
var DynamicSliceP = core.NewPrimitive("dynamic_slice")

func init() {
	DynamicSliceP.Define(core.Rules{
		AbstractEval: evalDynamicSlice,
		JVP: func(primals, tangents []core.Value, p core.Params) ([]core.Value, []core.Value) {
			t := tangents[0]
			if core.IsZero(t) {
				out := DynamicSliceP.Bind(p, primals...)
				return out, []core.Value{core.Zero{Of: out[0].Aval().Tangent()}}
			}
			t = DynamicSliceP.Bind1(p, append([]core.Value{t}, primals[1:]...)...)
			return DynamicSliceP.Bind(p, primals...), []core.Value{t}
		},
		Transpose: func(cts, args []core.Value, _ core.Params) []core.Value {
			out := make([]core.Value, len(args))
			ct := cts[0]
			if core.IsZero(ct) {
				out[0] = core.Zero{Of: args[0].Aval()}
				return out
			}
			zeros := broadcast(Stage(scalarConst(0, ct.Aval().DType, false)), args[0].Aval().Shape)
			out[0] = dynamicUpdateSlice(zeros, ct, args[1:])
			return out
		},
		Batch: batchDynamicSlice,
		Lower: func(c *core.LowerCtx, args []hloValue, p core.Params) []hloValue {
			return []hloValue{c.B.DynamicSlice(args[0], wordIndices(c, args[1:]), int64s(p.Ints("slice_sizes")))}
		},
	})
}

// DynamicSlice takes the part of x of the given sizes at start, a list of one
// index per dimension. Negative indices count from the end; a part that would
// overrun is moved back.
func DynamicSlice(x any, start []any, sizes []int) array.Array {
	v := toValue("dynamic_slice", x, 0)
	return array.New(dynamicSlice(v, sliceIndices(v, start, nil), sizes))
}

// DynamicSliceWrap is DynamicSlice where wrap tells whether negative indices
// count from the end.
func DynamicSliceWrap(x any, start []any, sizes []int, wrap bool) array.Array {
	v := toValue("dynamic_slice", x, 0)
	allowed := slices.Repeat([]bool{wrap}, len(start))
	return array.New(dynamicSlice(v, sliceIndices(v, start, allowed), sizes))
}

// DynamicSliceInDim is DynamicSlice along one axis.
func DynamicSliceInDim(x, start any, size, axis int) array.Array {
	v := toValue("dynamic_slice_in_dim", x, 0)
	axis = core.CanonicalAxis(axis, v.Aval().NDim())
	return array.New(dynamicSliceInDim(v, toValue("dynamic_slice_in_dim", start, 1), size, axis, true))
}

// DynamicIndexInDim takes one element along axis; keep says whether the axis
// stays, with size 1.
func DynamicIndexInDim(x, index any, axis int, keep bool) array.Array {
	v := toValue("dynamic_index_in_dim", x, 0)
	return array.New(dynamicIndexInDim(v, toValue("dynamic_index_in_dim", index, 1), core.CanonicalAxis(axis, v.Aval().NDim()), keep, true))
}

func dynamicSlice(x core.Value, start []core.Value, sizes []int) core.Value {
	return DynamicSliceP.Bind1(core.P("slice_sizes", core.NewInts(sizes...)), append([]core.Value{x}, start...)...)
}

func dynamicSliceInDim(x, start core.Value, size, axis int, negative bool) core.Value {
	sizes := slices.Clone(x.Aval().Shape)
	sizes[axis] = size
	return dynamicSlice(x, inDim(x, start, axis, negative), sizes)
}

// inDim are the indices of which only that of axis is not zero.
func inDim(x, start core.Value, axis int, negative bool) []core.Value {
	starts, allowed := make([]any, x.Aval().NDim()), make([]bool, x.Aval().NDim())
	for i := range starts {
		starts[i] = constLike(start, 0)
	}
	starts[axis], allowed[axis] = start, negative
	return sliceIndices(x, starts, allowed)
}

// dynamicIndexInDim is a jit of its own, as in JAX.
func dynamicIndexInDim(x, index core.Value, axis int, keep, negative bool) core.Value {
	return Named("dynamic_index_in_dim", core.PyRepr(core.Tuple{axis, keep, negative}), func(in []core.Value) []core.Value {
		out := dynamicSliceInDim(in[0], in[1], 1, axis, negative)
		if !keep {
			out = squeeze(out, []int{axis})
		}
		return []core.Value{out}
	}, x, index)[0]
}

// sliceIndices makes values of start indices; where negative ones are allowed
// (allowed nil: everywhere), they count from the end.
func sliceIndices(x core.Value, start []any, allowed []bool) []core.Value {
	shape := x.Aval().Shape
	if len(start) != len(shape) {
		core.ValueErrorf("Length of slice indices must match number of operand dimensions (%d vs %s)", len(start), shapeText(shape))
	}
	out := make([]core.Value, len(start))
	for i, s := range start {
		out[i] = sliceIndex(toValue("dynamic_slice", s, i+1), shape[i], allowed == nil || allowed[i])
	}
	return out
}

func sliceIndex(v core.Value, size int, negative bool) core.Value {
	a := v.Aval()
	if a.DType.IsUnsigned() {
		return v
	}
	if c, ok := v.(*core.Const); ok && c.Py != nil && a.NDim() == 0 {
		if n, ok := c.Py.(int64); ok {
			switch {
			case negative && n < 0:
				n += int64(size)
			case n < 0:
				core.ValueErrorf("Index %d is out of bounds for dimension %d if allow_negative_indices=False", n, size)
			}
			return Stage(core.NewScalar(n, a.DType, false))
		}
	}
	if !negative {
		return v
	}
	i := array.New(v)
	below := i.Lt(0)
	fromEnd := i.Add(array.New(scalarConst(float64(size), a.DType, false)))
	return selectBool(below.Value(), fromEnd.Value(), v)
}

// wordIndices are the start indices for the words of the first operand: keys
// have one dimension more there, which is taken whole (dynamic_slice and
// dynamic_update_slice in jax/_src/interpreters/mlir.py).
func wordIndices(c *core.LowerCtx, start []hloValue) []hloValue {
	elem := hlo.S32
	if len(start) > 0 {
		elem = start[0].Type.Elem
	}
	start = slices.Clone(start)
	for len(start) < c.In[0].NDim() {
		start = append(start, c.B.Scalar(elem, 0))
	}
	return start
}

func evalDynamicSlice(in []*core.ShapedArray, p core.Params) []*core.ShapedArray {
	x, sizes := in[0], p.Ints("slice_sizes")
	for i, s := range sizes {
		if s > x.Shape[i] {
			core.TypeErrorf("slice slice_sizes must be less than or equal to operand shape, got slice_sizes %s for operand shape %s.", shapeText(sizes), shapeText(x.Shape))
		}
		if s < 0 {
			core.TypeErrorf("slice slice_sizes must be greater than or equal to zero, got slice_sizes of %s.", shapeText(sizes))
		}
	}
	checkIndexTypes("dynamic_slice", ":", in[1:])
	return []*core.ShapedArray{x.With(sizes)}
}

func checkIndexTypes(name, colon string, index []*core.ShapedArray) {
	names := make([]string, len(index))
	bad := false
	for i, a := range index {
		if a.NDim() != 0 {
			core.TypeErrorf("start_indices arguments to %s must be scalars, got indices %s", name, core.AvalsKey(index))
		}
		names[i] = a.DType.String()
		bad = bad || a.DType != index[0].DType || !a.DType.IsInt()
	}
	if bad {
		core.TypeErrorf("index arguments to %s must be integers of the same type, got%s %s", name, colon, strings.Join(names, ", "))
	}
}

// batchIndices joins index scalars into rows of index vectors; the result is
// batched along 0 when any is.
func batchIndices(index []core.Value, dims []int) (core.Value, int) {
	if len(index) == 0 {
		return core.NewHostConst(core.NewAval(dtype.Int32, 0), nil), core.NotMapped
	}
	rows := make([]core.Value, len(index))
	if batching.AllUnmapped(dims) {
		for i, v := range index {
			rows[i] = broadcast(v, []int{1})
		}
		return concatenate(rows, 0), core.NotMapped
	}
	size := batching.Size(index, dims)
	for i, v := range index {
		var at core.Ints
		if dims[i] != core.NotMapped {
			at = core.NewInts(0)
		}
		rows[i] = broadcastInDim(v, []int{size, 1}, at)
	}
	return concatenate(rows, 1), 0
}
