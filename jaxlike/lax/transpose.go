package lax

import (
	"slices"

	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/core"
)

// TransposeP permutes the dimensions.
var TransposeP = core.NewPrimitive("transpose")

func init() {
	TransposeP.Define(core.Rules{
		AbstractEval: func(in []*core.ShapedArray, p core.Params) []*core.ShapedArray {
			perm := p.Ints("permutation")
			sorted := slices.Sorted(slices.Values(perm))
			shape := make([]int, len(perm))
			for i, d := range sorted {
				if d != i || len(perm) != in[0].NDim() {
					core.TypeErrorf("transpose permutation isn't a permutation of operand dimensions, got permutation %s for operand shape %s.", shapeText(perm), shapeText(in[0].Shape))
				}
			}
			for i, d := range perm {
				shape[i] = in[0].Shape[d]
			}
			return []*core.ShapedArray{in[0].With(shape)}
		},
		JVP: ad.LinearJVP(TransposeP),
		Transpose: ad.Linear(func(ct core.Value, _ []core.Value, p core.Params) []core.Value {
			return []core.Value{transpose(ct, inverse(p.Ints("permutation")))}
		}),
		Batch: func(_ core.AxisData, args []core.Value, dims []int, p core.Params) ([]core.Value, []int) {
			b := dims[0]
			if b == core.NotMapped {
				return TransposeP.Bind(p, args...), dims
			}
			perm := []int{b}
			for _, d := range p.Ints("permutation") {
				if d >= b {
					d++
				}
				perm = append(perm, d)
			}
			return []core.Value{transpose(args[0], perm)}, []int{0}
		},
		Lower: func(c *core.LowerCtx, args []hloValue, p core.Params) []hloValue {
			perm := int64s(p.Ints("permutation"))
			for i := len(perm); i < args[0].Type.Rank(); i++ {
				perm = append(perm, int64(i))
			}
			return []hloValue{c.B.Transpose(args[0], perm...)}
		},
	})
}

// Transpose permutes the dimensions: dimension i of the result is dimension
// perm[i] of x.
func Transpose(x any, perm []int) array.Array {
	return array.New(transpose(toValue("transpose", x, 0), perm))
}

func transpose(x core.Value, perm []int) core.Value {
	if slices.Equal(perm, count(0, x.Aval().NDim())) {
		return x
	}
	return TransposeP.Bind1(core.P("permutation", core.NewInts(perm...)), x)
}

// inverse is the permutation that undoes perm.
func inverse(perm []int) []int {
	out := make([]int, len(perm))
	for i, d := range perm {
		out[d] = i
	}
	return out
}
