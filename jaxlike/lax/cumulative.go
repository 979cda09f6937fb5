package lax

import (
	"math"

	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
)

// The running reductions along an axis (jax/_src/lax/control_flow/loops.py).
var (
	// CumSumP adds.
	CumSumP = core.NewPrimitive("cumsum")
	// CumProdP multiplies.
	CumProdP = core.NewPrimitive("cumprod")
	// CumMaxP takes the largest element so far.
	CumMaxP = core.NewPrimitive("cummax")
	// CumMinP takes the smallest element so far.
	CumMinP = core.NewPrimitive("cummin")
	// CumLogSumExpP adds numbers that are given by their logarithms.
	CumLogSumExpP = core.NewPrimitive("cumlogsumexp")
)

func init() {
	for _, q := range []struct {
		prim    *core.Primitive
		combine func(x, y core.Value) core.Value
		window  func(x core.Value, w window) core.Value
	}{
		{CumSumP, add, windowSum},
		{CumProdP, mul, func(x core.Value, w window) core.Value { return reduceWindow(x, constLike(x, 1), mul, "mul", w) }},
		{CumMaxP, maximum, windowMax},
		{CumMinP, minimum, windowMin},
		{CumLogSumExpP, logAddExp, func(x core.Value, w window) core.Value {
			return reduceWindow(x, constLike(x, math.Inf(-1)), logAddExp, "logaddexp", w)
		}},
	} {
		r := core.Rules{
			AbstractEval: evalCumulative(q.prim.Name),
			Batch:        batchCumulative(q.prim),
			JVP:          jvpCumulative(q.combine),
			Outlined:     true,
			Lower: func(c *core.LowerCtx, args []hloValue, p core.Params) []hloValue {
				return lowerProgram(c, c.In, args, func(in []core.Value) core.Value {
					return q.window(in[0], runningWindow(in[0].Aval().Shape, p.Int("axis"), p.Bool("reverse")))
				})
			},
		}
		if q.prim == CumSumP {
			r.JVP = ad.LinearJVP(CumSumP)
			r.Transpose = ad.Linear(func(ct core.Value, _ []core.Value, p core.Params) []core.Value {
				return []core.Value{CumSumP.Bind1(p.With("reverse", !p.Bool("reverse")), ct)}
			})
		}
		q.prim.Define(r)
	}
}

func cumulative(prim *core.Primitive, x any, axis int, reverse bool) array.Array {
	return array.New(prim.Bind1(core.P("axis", axis, "reverse", reverse), toValue(prim.Name, x, 0)))
}

// CumSum gives the sums of the elements up to each one.
func CumSum(x any, axis int, reverse bool) array.Array { return cumulative(CumSumP, x, axis, reverse) }

// CumProd gives the products of the elements up to each one.
func CumProd(x any, axis int, reverse bool) array.Array {
	return cumulative(CumProdP, x, axis, reverse)
}

// CumMax gives the largest of the elements up to each one.
func CumMax(x any, axis int, reverse bool) array.Array { return cumulative(CumMaxP, x, axis, reverse) }

// CumMin gives the smallest of the elements up to each one.
func CumMin(x any, axis int, reverse bool) array.Array { return cumulative(CumMinP, x, axis, reverse) }

// CumLogSumExp gives the logarithms of the sums of exponentials up to each one.
func CumLogSumExp(x any, axis int, reverse bool) array.Array {
	if v := toValue("cumlogsumexp", x, 0); v.Aval().DType.IsInt() {
		core.Raise("OverflowError", "cannot convert float infinity to integer")
	}
	return cumulative(CumLogSumExpP, x, axis, reverse)
}

func evalCumulative(name string) abstractEval {
	return func(in []*core.ShapedArray, p core.Params) []*core.ShapedArray {
		x, axis := in[0], p.Int("axis")
		if axis < 0 {
			core.ValueErrorf("XLA operations do not allow negative axes")
		}
		if axis >= x.NDim() {
			core.ValueErrorf("axis %d is out of bounds for array of shape %s", axis, shapeText(x.Shape))
		}
		if !acceptNumber.has(x.DType) {
			core.TypeErrorf("%s does not accept dtype %s. Accepted dtypes are subtypes of number.", name, x.DType)
		}
		return in
	}
}

func batchCumulative(prim *core.Primitive) batching.BatchRule {
	return func(_ core.AxisData, args []core.Value, dims []int, p core.Params) ([]core.Value, []int) {
		axis := p.Int("axis")
		if d := dims[0]; d != core.NotMapped && axis >= d {
			axis++
		}
		return prim.Bind(p.With("axis", axis), args...), dims
	}
}

// jvpCumulative differentiates the parallel scan that gives the same values.
func jvpCumulative(combine func(x, y core.Value) core.Value) ad.JVPRule {
	return func(in, ts []core.Value, p core.Params) ([]core.Value, []core.Value) {
		axis, reverse := p.Int("axis"), p.Bool("reverse")
		scan := &assocScan{axis: axis, combine: func(x, y []core.Value) []core.Value { return []core.Value{combine(x[0], y[0])} }}
		return ad.JVP(func(vs []core.Value) []core.Value {
			if reverse {
				vs = []core.Value{revDim(vs[0], axis)}
			}
			out := scan.scan(vs)
			if reverse {
				out = []core.Value{revDim(out[0], axis)}
			}
			return out
		}, in, []core.Value{ad.Instantiate(ts[0])}, false, true)
	}
}

// runningWindow is the window of all elements up to each one.
func runningWindow(shape []int, axis int, reverse bool) window {
	w := unitWindow(len(shape))
	n := shape[axis]
	w.size[axis] = n
	w.padding[axis] = [2]int{n - 1, 0}
	if reverse {
		w.padding[axis] = [2]int{0, n - 1}
	}
	return w
}
