package lax

import (
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
)

// IotaP counts along one dimension.
var IotaP = core.NewPrimitive("iota")

func init() {
	IotaP.Define(core.Rules{
		AbstractEval: func(_ []*core.ShapedArray, p core.Params) []*core.ShapedArray {
			d, shape, dim := p.DType("dtype"), p.Ints("shape"), p.Int("dimension")
			checkShape("iota", shape)
			if !acceptNum.has(d) {
				core.TypeErrorf("iota does not accept dtype %s. Accepted dtypes are subtypes of %s.", d, acceptNum.name)
			}
			if dim < 0 || dim >= len(shape) {
				core.ValueErrorf("iota dimension must be between 0 and len(shape), got dimension=%d for shape=%s", dim, shapeText(shape))
			}
			return []*core.ShapedArray{core.NewAval(d, shape...)}
		},
		Lower: func(c *core.LowerCtx, _ []hloValue, p core.Params) []hloValue {
			return []hloValue{c.B.Iota(typeOf(c.Out[0]), int64(p.Int("dimension")))}
		},
		NotDifferentiable: "it has no operands",
		NoBatch:           "it has no operands",
	})
}

// Iota gives 0, 1, ... size-1.
func Iota(dt dtype.DType, size int) array.Array { return BroadcastedIota(dt, []int{size}, 0) }

// BroadcastedIota gives an array that counts along dimension dim.
func BroadcastedIota(dt dtype.DType, shape []int, dim int) array.Array {
	return array.New(IotaP.Bind1(core.P("dtype", dt.Canonical(core.X64()), "shape", core.NewInts(shape...), "dimension", dim, "sharding", nil)))
}
