package lax

import (
	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/core"
)

// RevP reverses dimensions.
var RevP = core.NewPrimitive("rev")

func init() {
	RevP.Define(core.Rules{
		AbstractEval: func(in []*core.ShapedArray, p core.Params) []*core.ShapedArray {
			dims := p.Ints("dimensions")
			seen := map[int]bool{}
			for _, d := range dims {
				if seen[d] {
					core.TypeErrorf("rev dimensions must be unique, got %s.", shapeText(dims))
				}
				if d < 0 || d >= in[0].NDim() {
					core.TypeErrorf("rev dimensions must all be less than operand ndim, got dimensions %s for operand ndim %d.", shapeText(dims), in[0].NDim())
				}
				seen[d] = true
			}
			return in
		},
		JVP: ad.LinearJVP(RevP),
		Transpose: ad.Linear(func(ct core.Value, _ []core.Value, p core.Params) []core.Value {
			return RevP.Bind(p, ct)
		}),
		Batch: func(_ core.AxisData, args []core.Value, dims []int, p core.Params) ([]core.Value, []int) {
			if dims[0] == core.NotMapped {
				return RevP.Bind(p, args...), dims
			}
			return RevP.Bind(core.P("dimensions", core.NewInts(bump(p.Ints("dimensions"), dims[0])...)), args...), dims
		},
		Lower: func(c *core.LowerCtx, args []hloValue, p core.Params) []hloValue {
			return []hloValue{c.B.Reverse(args[0], int64s(p.Ints("dimensions"))...)}
		},
	})
}

// Rev reverses the given dimensions.
func Rev(x any, dims []int) array.Array {
	return array.New(RevP.Bind1(core.P("dimensions", core.NewInts(dims...)), toValue("rev", x, 0)))
}
