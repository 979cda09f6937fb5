package lax

import (
	"slices"

	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
)

// SqueezeP removes dimensions of size 1.
var SqueezeP = core.NewPrimitive("squeeze")

func init() {
	SqueezeP.Define(core.Rules{
		AbstractEval: func(in []*core.ShapedArray, p core.Params) []*core.ShapedArray {
			return []*core.ShapedArray{in[0].With(squeezeShape(in[0].Shape, p.Ints("dimensions")))}
		},
		JVP: ad.LinearJVP(SqueezeP),
		Transpose: ad.Linear(func(ct core.Value, _ []core.Value, p core.Params) []core.Value {
			return []core.Value{expandDims(ct, p.Ints("dimensions"))}
		}),
		Batch: func(_ core.AxisData, args []core.Value, dims []int, p core.Params) ([]core.Value, []int) {
			if dims[0] == core.NotMapped {
				return SqueezeP.Bind(p, args...), dims
			}
			shifted := p.Ints("dimensions")
			for i := range shifted {
				shifted[i]++
			}
			return []core.Value{squeeze(batching.Moveaxis(args[0], dims[0], 0), shifted)}, []int{0}
		},
		Lower: func(c *core.LowerCtx, args []hloValue, _ core.Params) []hloValue {
			return []hloValue{c.B.Reshape(args[0], typeOf(c.Out[0]).Dims...)}
		},
	})
}

// Squeeze removes the given dimensions, which must have size 1.
func Squeeze(x any, dims []int) array.Array {
	return array.New(squeeze(toValue("squeeze", x, 0), dims))
}

func squeeze(x core.Value, dims []int) core.Value {
	ds := make([]int, len(dims))
	for i, d := range dims {
		ds[i] = core.CanonicalAxis(d, x.Aval().NDim())
	}
	slices.Sort(ds)
	if len(ds) == 0 {
		return x
	}
	return SqueezeP.Bind1(core.P("dimensions", core.NewInts(ds...)), x)
}

func squeezeShape(shape, dims []int) []int {
	gone := map[int]bool{}
	for _, d := range dims {
		if gone[d] {
			core.ValueErrorf("dimensions are not unique: %s", shapeText(dims))
		}
		if d < 0 || d >= len(shape) {
			core.ValueErrorf("dimensions outside range [0, ndim): %s", shapeText(dims))
		}
		if shape[d] != 1 {
			core.ValueErrorf("cannot select an axis to squeeze out which has size not equal to one, got shape=%s and dimensions=%s", shapeText(shape), shapeText(dims))
		}
		gone[d] = true
	}
	out := []int{}
	for i, d := range shape {
		if !gone[i] {
			out = append(out, d)
		}
	}
	return out
}
