package lax

import (
	"slices"

	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
)

// ClampP limits x from below and above.
var ClampP = core.NewPrimitive("clamp")

func init() {
	ClampP.Define(core.Rules{
		AbstractEval: evalClamp,
		JVP: ad.Std(ClampP,
			func(t, _ core.Value, in []core.Value, _ core.Params) core.Value {
				return selectBool(and(gt(in[0], in[1]), lt(in[0], in[2])), t, zeros(in[1]))
			},
			func(t, _ core.Value, in []core.Value, _ core.Params) core.Value {
				return selectBool(and(gt(in[1], in[0]), lt(in[1], in[2])), t, zeros(in[1]))
			},
			func(t, _ core.Value, in []core.Value, _ core.Params) core.Value {
				return selectBool(lt(in[2], in[1]), t, zeros(in[1]))
			},
		),
		Batch: batchClamp,
		Lower: func(c *core.LowerCtx, args []hloValue, _ core.Params) []hloValue {
			xs := broadcastArgs(c, args)
			return []hloValue{c.B.Clamp(xs[0], xs[1], xs[2])}
		},
	})
}

// Clamp gives x limited to the range from lo to hi.
func Clamp(lo, x, hi any) array.Array { return apply(ClampP, lo, x, hi) }

func clamp(lo, x, hi core.Value) core.Value { return ClampP.Bind1(nil, lo, x, hi) }

func evalClamp(in []*core.ShapedArray, _ core.Params) []*core.ShapedArray {
	x := in[1]
	for i, side := range map[int]string{0: "min", 2: "max"} {
		if a := in[i]; a.NDim() > 0 && !slices.Equal(a.Shape, x.Shape) {
			core.TypeErrorf("clamp requires %s.shape == operand.shape or %s.shape == (), got %s.shape=%s, operand.shape=%s.", side, side, side, shapeText(a.Shape), shapeText(x.Shape))
		}
	}
	checkAccepted("clamp", in, []accepted{acceptAny, acceptAny, acceptAny})
	checkSameDTypes("clamp", in)
	return []*core.ShapedArray{{Shape: x.Shape, DType: x.DType, Weak: allWeak(in)}}
}

func batchClamp(_ core.AxisData, args []core.Value, dims []int, _ core.Params) ([]core.Value, []int) {
	lo, x, hi := args[0], args[1], args[2]
	rank := func(v core.Value) int { return v.Aval().NDim() }
	one := func(d int) ([]core.Value, []int) { return []core.Value{clamp(lo, x, hi)}, []int{d} }
	if batching.AllUnmapped(dims) {
		return one(core.NotMapped)
	}
	shape := x.Aval().Shape
	switch {
	case dims[0] == dims[1] && dims[2] == dims[1]:
		if sameShapes(args) || rank(lo) == 0 && rank(hi) == 0 {
			return one(dims[1])
		}
		if rank(lo) == 1 && rank(hi) == 1 {
			lo, hi = broadcastInDim(lo, shape, core.NewInts(dims[0])), broadcastInDim(hi, shape, core.NewInts(dims[2]))
			return one(dims[1])
		}
	case rank(lo) == 0 && rank(hi) == 0 && dims[1] != core.NotMapped:
		return one(dims[1])
	}
	size := batching.Size(args, dims)
	for i, v := range []*core.Value{&lo, &x, &hi} {
		if rank(*v) > 0 {
			*v = batching.Front(*v, dims[i], size)
		}
	}
	shape = x.Aval().Shape
	for _, v := range []*core.Value{&lo, &hi} {
		switch {
		case rank(*v) == 0 && len(shape) > 0:
			*v = broadcast(*v, shape)
		case rank(*v) > 0 && rank(*v) < len(shape):
			*v = broadcastInDim(*v, shape, core.NewInts(0))
		}
	}
	if rank(lo) > len(shape) {
		x = broadcast(x, lo.Aval().Shape)
	}
	return one(0)
}
