package lax

import (
	"slices"
	"strings"

	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
)

// ConcatenateP joins arrays along a dimension.
var ConcatenateP = core.NewPrimitive("concatenate")

func init() {
	ConcatenateP.Define(core.Rules{
		AbstractEval: evalConcatenate,
		JVP:          ad.LinearJVP(ConcatenateP),
		Transpose: ad.Linear(func(ct core.Value, args []core.Value, p core.Params) []core.Value {
			dim := p.Int("dimension")
			sizes := make(core.Ints, len(args))
			for i, a := range args {
				sizes[i].V = a.Aval().Shape[dim]
			}
			return split(ct, sizes, dim)
		}),
		Batch: func(axis core.AxisData, args []core.Value, dims []int, p core.Params) ([]core.Value, []int) {
			if batching.AllUnmapped(dims) {
				return ConcatenateP.Bind(p, args...), []int{core.NotMapped}
			}
			moved := make([]core.Value, len(args))
			for i, a := range args {
				if dims[i] == core.NotMapped {
					moved[i] = broadcast(a, []int{axis.Size})
				} else {
					moved[i] = batching.Moveaxis(a, dims[i], 0)
				}
			}
			return []core.Value{concatenate(moved, p.Int("dimension")+1)}, []int{0}
		},
		Lower: func(c *core.LowerCtx, args []hloValue, p core.Params) []hloValue {
			return []hloValue{lowerConcatenate(c, args, int64(p.Int("dimension")))}
		},
	})
}

// Concatenate joins arrays along dimension dim.
func Concatenate(xs []array.Array, dim int) array.Array {
	if len(xs) == 0 {
		core.ValueErrorf("concatenate requires a non-empty sequences of arrays")
	}
	vs := make([]core.Value, len(xs))
	for i, x := range xs {
		vs[i] = x.Value()
	}
	return array.New(concatenate(vs, dim))
}

func concatenate(xs []core.Value, dim int) core.Value {
	if len(xs) == 1 {
		return xs[0]
	}
	return ConcatenateP.Bind1(core.P("dimension", dim), xs...)
}

func evalConcatenate(in []*core.ShapedArray, p core.Params) []*core.ShapedArray {
	dim := p.Int("dimension")
	texts := make([]string, len(in))
	for i, a := range in {
		texts[i] = shapeText(a.Shape)
	}
	all := strings.Join(texts, ", ")
	shape := slices.Clone(in[0].Shape)
	for _, a := range in {
		if a.NDim() != len(shape) {
			core.TypeErrorf("Cannot concatenate arrays with different numbers of dimensions: got %s.", all)
		}
	}
	if dim < 0 || dim >= len(shape) {
		core.TypeErrorf("concatenate dimension out of bounds: dimension %d for shapes %s.", dim, all)
	}
	shape[dim] = 0
	for _, a := range in {
		for i, d := range a.Shape {
			if i != dim && d != in[0].Shape[i] {
				core.TypeErrorf("Cannot concatenate arrays with shapes that differ in dimensions other than the one being concatenated: concatenating along dimension %d for shapes %s.", dim, all)
			}
		}
		shape[dim] += a.Shape[dim]
	}
	checkSameDTypes("concatenate", in)
	return []*core.ShapedArray{{Shape: shape, DType: in[0].DType, Weak: allWeak(in)}}
}

// lowerConcatenate joins in a tree of at most 16 operands each.
func lowerConcatenate(c *core.LowerCtx, xs []hloValue, dim int64) hloValue {
	const width = 16
	for len(xs) > 1 {
		var next []hloValue
		for i := 0; i < len(xs); i += width {
			next = append(next, c.B.Concatenate(dim, xs[i:min(i+width, len(xs))]...))
		}
		xs = next
	}
	return xs[0]
}
