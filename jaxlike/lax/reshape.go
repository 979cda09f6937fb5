package lax

import (
	"slices"

	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
)

// ReshapeP gives the elements another shape (new_sizes), read in the order of
// the parameter dimensions if that is not None.
var ReshapeP = core.NewPrimitive("reshape")

func init() {
	ReshapeP.Define(core.Rules{
		AbstractEval: func(in []*core.ShapedArray, p core.Params) []*core.ShapedArray {
			out := in[0].With(p.Ints("new_sizes"))
			for _, d := range out.Shape {
				if d < 0 {
					core.TypeErrorf("reshape new_sizes must all be positive, got %s.", shapeText(out.Shape))
				}
			}
			if out.Size() != in[0].Size() {
				core.TypeErrorf("cannot reshape array of shape %s (size %d) into shape %s (size %d)", shapeText(in[0].Shape), in[0].Size(), shapeText(out.Shape), out.Size())
			}
			return []*core.ShapedArray{out}
		},
		JVP: ad.LinearJVP(ReshapeP),
		Transpose: ad.Linear(func(ct core.Value, args []core.Value, p core.Params) []core.Value {
			shape, order := args[0].Aval().Shape, p.Ints("dimensions")
			if order == nil {
				return []core.Value{reshape(ct, shape)}
			}
			return []core.Value{transpose(reshape(ct, pick(shape, order)), inverse(order))}
		}),
		Batch: func(_ core.AxisData, args []core.Value, dims []int, p core.Params) ([]core.Value, []int) {
			if dims[0] == core.NotMapped {
				return ReshapeP.Bind(p, args...), dims
			}
			x := batching.Moveaxis(args[0], dims[0], 0)
			var order core.Ints
			if old := p.IntTuple("dimensions"); old != nil {
				order = core.Ints{{V: 0}}
				for _, d := range old {
					order = append(order, core.Int{V: d.V + 1, NP: true})
				}
			}
			return []core.Value{reshapeOrdered(x, append([]int{x.Aval().Shape[0]}, p.Ints("new_sizes")...), order)}, []int{0}
		},
		Lower: func(c *core.LowerCtx, args []hloValue, p core.Params) []hloValue {
			x := args[0]
			if order := p.Ints("dimensions"); order != nil {
				x = c.B.Transpose(x, int64s(order)...)
			}
			return []hloValue{c.B.Reshape(x, typeOf(c.Out[0]).Dims...)}
		},
	})
}

// ReshapeOrdered gives x another shape, reading its dimensions in another
// order.
func ReshapeOrdered(x any, shape, order []int) array.Array {
	return array.New(reshapeOrdered(toValue("reshape", x, 0), shape, core.NewInts(order...)))
}

func reshapeOrdered(x core.Value, shape []int, order core.Ints) core.Value {
	if order == nil || slices.Equal(order.Values(), count(0, x.Aval().NDim())) {
		return reshape(x, shape)
	}
	return ReshapeP.Bind1(core.P("new_sizes", core.NewInts(shape...), "dimensions", order, "sharding", nil), x)
}

// Reshape gives x another shape.
func Reshape(x any, shape []int) array.Array {
	return array.New(reshape(toValue("reshape", x, 0), shape))
}

func reshape(x core.Value, shape []int) core.Value {
	if x.Aval().NDim() > 0 && slices.Equal(x.Aval().Shape, shape) {
		return x
	}
	return ReshapeP.Bind1(core.P("new_sizes", core.NewInts(shape...), "dimensions", nil, "sharding", nil), x)
}
