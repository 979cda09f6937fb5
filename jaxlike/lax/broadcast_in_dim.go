package lax

import (
	"slices"

	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
)

// BroadcastInDimP places the operand's dimensions among those of a larger shape.
var BroadcastInDimP = core.NewPrimitive("broadcast_in_dim")

func init() {
	BroadcastInDimP.Define(core.Rules{
		AbstractEval: evalBroadcastInDim,
		JVP:          ad.LinearJVP(BroadcastInDimP),
		Transpose:    ad.Linear(transposeBroadcastInDim),
		Batch:        batchBroadcastInDim,
		Lower: func(c *core.LowerCtx, args []hloValue, p core.Params) []hloValue {
			return []hloValue{c.B.BroadcastInDim(args[0], typeOf(c.Out[0]), broadcastDims(c, p)...)}
		},
		Forward: func(in []*core.ShapedArray, _ core.Params, out []*core.ShapedArray) ([]int, bool) {
			if slices.Equal(in[0].Shape, out[0].Shape) {
				return []int{0}, true
			}
			return []int{-1}, false
		},
		PrintParams: func(e *core.Eqn) core.Params {
			hidden := []string{"shape", "sharding"}
			if len(e.Params.IntTuple("broadcast_dimensions")) == 0 {
				hidden = append(hidden, "broadcast_dimensions")
			}
			return core.SortedParams(e.Params, hidden...)
		},
	})
}

// BroadcastInDim gives x in the shape; dimension i of x becomes dimension
// dims[i] of the result.
func BroadcastInDim(x any, shape, dims []int) array.Array {
	return array.New(broadcastInDim(toValue("broadcast_in_dim", x, 0), shape, core.NewInts(dims...)))
}

// Broadcast adds leading dimensions of the given sizes.
func Broadcast(x any, sizes []int) array.Array {
	return array.New(broadcast(toValue("broadcast", x, 0), sizes))
}

// ExpandDims adds dimensions of size 1 at the given places of the result.
func ExpandDims(x any, dims []int) array.Array {
	return array.New(expandDims(toValue("expand_dims", x, 0), dims))
}

func broadcastInDim(x core.Value, shape []int, dims core.Ints) core.Value {
	if x.Aval().NDim() == len(shape) && len(dims) == 0 {
		return x
	}
	return BroadcastInDimP.Bind1(core.P("shape", core.NewInts(shape...), "broadcast_dimensions", dims, "sharding", nil), x)
}

func expandDims(x core.Value, dims []int) core.Value {
	rank := x.Aval().NDim() + len(dims)
	added := make([]bool, rank)
	for _, d := range dims {
		d = core.CanonicalAxis(d, rank)
		if added[d] {
			core.ValueErrorf("repeated axis in lax.expand_dims: %s", shapeText(dims))
		}
		added[d] = true
	}
	shape, rest := make([]int, rank), x.Aval().Shape
	place := core.Ints{}
	for i := range shape {
		if added[i] {
			shape[i] = 1
			continue
		}
		place = append(place, core.Int{V: i})
		shape[i], rest = rest[0], rest[1:]
	}
	return broadcastInDim(x, shape, place)
}

func anys(vs []int) []any {
	out := make([]any, len(vs))
	for i, v := range vs {
		out[i] = v
	}
	return out
}

func evalBroadcastInDim(in []*core.ShapedArray, p core.Params) []*core.ShapedArray {
	x, shape, dims := in[0], p.Ints("shape"), p.Ints("broadcast_dimensions")
	text := func() string { return shapeText(dims) }
	checkShape("broadcast_in_dim", shape)
	if x.NDim() != len(dims) {
		core.TypeErrorf("broadcast_in_dim broadcast_dimensions must have length equal to operand ndim; got broadcast_dimensions %s for operand ndim %d.", text(), x.NDim())
	}
	if len(shape) < x.NDim() {
		core.TypeErrorf("broadcast_in_dim target broadcast shape must have equal or higher rank to the operand shape; got operand ndim %d and target broadcast ndim %d.", x.NDim(), len(shape))
	}
	seen := map[int]bool{}
	for i, d := range dims {
		if d < 0 || d >= len(shape) {
			core.TypeErrorf("broadcast_in_dim broadcast_dimensions must be a subset of output dimensions, got %s for operand ndim %d and shape %s.", text(), x.NDim(), shapeText(shape))
		}
		if x.Shape[i] != 1 && x.Shape[i] != shape[d] {
			core.TypeErrorf("broadcast_in_dim operand dimension sizes must either be 1, or be equal to their corresponding dimensions in the target broadcast shape; got operand of shape %s, target broadcast shape %s, broadcast_dimensions %s ", shapeText(x.Shape), shapeText(shape), text())
		}
		if seen[d] {
			core.TypeErrorf("broadcast_in_dim broadcast_dimensions must not contain duplicates, got broadcast_dimensions %s", text())
		}
		seen[d] = true
	}
	return []*core.ShapedArray{x.With(shape)}
}

// checkShape refuses negative dimensions.
func checkShape(name string, shape []int) {
	for _, d := range shape {
		if d < 0 {
			core.TypeErrorf("%s shape must have every element be nonnegative, got %s.", name, shapeText(shape))
		}
	}
}

// transposeBroadcastInDim sums over the new dimensions and over those that
// were stretched from size 1.
func transposeBroadcastInDim(ct core.Value, args []core.Value, p core.Params) []core.Value {
	if !core.IsUndefined(args[0]) {
		return []core.Value{nil}
	}
	kept := map[int]bool{}
	var units []int
	for i, d := range p.Ints("broadcast_dimensions") {
		if args[0].Aval().Shape[i] == 1 {
			units = append(units, i)
		} else {
			kept[d] = true
		}
	}
	axes := core.Ints{}
	for i := range p.Ints("shape") {
		if !kept[i] {
			axes = append(axes, core.Int{V: i})
		}
	}
	return []core.Value{expandDims(reduceSum(ct, axes), units)}
}

// batchBroadcastInDim puts the batch first. JAX shifts the other dimensions
// with NumPy, and they print so.
func batchBroadcastInDim(_ core.AxisData, args []core.Value, dims []int, p core.Params) ([]core.Value, []int) {
	x, d := args[0], dims[0]
	if d == core.NotMapped {
		return BroadcastInDimP.Bind(p, x), dims
	}
	size := x.Aval().Shape[d]
	place := core.Ints{{V: 0}}
	for _, b := range p.Ints("broadcast_dimensions") {
		place = append(place, core.Int{V: b + 1, NP: true})
	}
	shape := append([]int{size}, p.Ints("shape")...)
	return []core.Value{broadcastInDim(batching.Moveaxis(x, d, 0), shape, place)}, []int{0}
}

// broadcastDims are the dimensions in the lowered operation; keys have their
// words in a trailing one.
func broadcastDims(c *core.LowerCtx, p core.Params) []int64 {
	dims := int64s(p.Ints("broadcast_dimensions"))
	if t := typeOf(c.Out[0]); t.Rank() > c.Out[0].NDim() {
		dims = append(dims, int64(c.Out[0].NDim()))
	}
	return dims
}
