package lax

import (
	"slices"

	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/core"
)

// SliceP takes a rectangular part with static bounds.
var SliceP = core.NewPrimitive("slice")

func init() {
	SliceP.Define(core.Rules{
		AbstractEval: evalSlice,
		JVP:          ad.LinearJVP(SliceP),
		Transpose:    ad.Linear(transposeSlice),
		Batch: func(_ core.AxisData, args []core.Value, dims []int, p core.Params) ([]core.Value, []int) {
			d := dims[0]
			if d == core.NotMapped {
				return SliceP.Bind(p, args...), dims
			}
			insert := func(name string, v int) core.Ints {
				return slices.Insert(slices.Clone(p.IntTuple(name)), d, core.Int{V: v})
			}
			q := p.With("start_indices", insert("start_indices", 0)).
				With("limit_indices", insert("limit_indices", args[0].Aval().Shape[d]))
			if p.Get("strides") != nil {
				q = q.With("strides", insert("strides", 1))
			}
			return SliceP.Bind(q, args...), dims
		},
		Lower: func(c *core.LowerCtx, args []hloValue, p core.Params) []hloValue {
			var strides []int64
			if s := p.Ints("strides"); s != nil {
				strides = int64s(s)
			}
			return []hloValue{c.B.Slice(args[0], int64s(p.Ints("start_indices")), int64s(p.Ints("limit_indices")), strides)}
		},
	})
}

// Slice takes the elements from start up to limit along each dimension, every
// strides-th; nil strides are ones.
func Slice(x any, start, limit, strides []int) array.Array {
	var st any
	if strides != nil {
		st = core.NewInts(strides...)
	}
	return array.New(slice(toValue("slice", x, 0), core.NewInts(start...), core.NewInts(limit...), st))
}

func slice(x core.Value, start, limit core.Ints, strides any) core.Value {
	return SliceP.Bind1(core.P("start_indices", start, "limit_indices", limit, "strides", strides), x)
}

func evalSlice(in []*core.ShapedArray, p core.Params) []*core.ShapedArray {
	x, start, limit, strides := in[0], p.Ints("start_indices"), p.Ints("limit_indices"), p.Ints("strides")
	if x.NDim() != len(start) {
		core.TypeErrorf("slice start_indices must have length equal to the number of dimensions of the operand, got indices %s for operand shape %s.", shapeText(start), shapeText(x.Shape))
	}
	if len(start) != len(limit) {
		core.TypeErrorf("slice limit_indices must have the same length as start_indices, got start_indices %s and limit_indices %s.", shapeText(start), shapeText(limit))
	}
	shape := make([]int, len(start))
	for i := range start {
		step := 1
		if strides != nil {
			step = strides[i]
		}
		switch {
		case limit[i] > x.Shape[i]:
			core.TypeErrorf("slice limit_indices must be less than or equal to operand shape, got limit_indices %s for operand shape %s.", shapeText(limit), shapeText(x.Shape))
		case start[i] < 0:
			core.TypeErrorf("slice start_indices must be greater than or equal to zero, got start_indices of %s.", shapeText(start))
		case limit[i] < start[i]:
			core.TypeErrorf("slice limit_indices must be greater than or equal to start_indices, got start_indices %s and limit_indices %s.", shapeText(start), shapeText(limit))
		case step < 0:
			core.TypeErrorf("slice strides must be positive, got %s", shapeText(strides))
		case step == 0:
			core.Raise("ZeroDivisionError", "integer division or modulo by zero")
		}
		shape[i] = (limit[i] - start[i] + step - 1) / step
	}
	return []*core.ShapedArray{x.With(shape)}
}

// transposeSlice pads with zeros. JAX computes what follows with NumPy, and it
// prints so.
func transposeSlice(ct core.Value, args []core.Value, p core.Params) []core.Value {
	x, start, limit, strides := args[0].Aval(), p.Ints("start_indices"), p.Ints("limit_indices"), p.Ints("strides")
	plain := strides == nil || !slices.ContainsFunc(strides, func(s int) bool { return s != 1 })
	config := make([]PadDim, len(start))
	for i := range start {
		config[i] = PadDim{Low: p.IntTuple("start_indices")[i], High: core.Int{V: x.Shape[i] - limit[i], NP: true}}
		if !plain {
			n, end := ct.Aval().Shape[i], start[i]
			if n > 0 {
				end += 1 + (n-1)*strides[i]
			}
			config[i].High.V = x.Shape[i] - end
			config[i].Interior = core.Int{V: strides[i] - 1, NP: true}
		}
	}
	return []core.Value{pad(ct, constLike(ct, 0), config)}
}
