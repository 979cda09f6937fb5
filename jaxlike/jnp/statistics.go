package jnp

import (
	"fmt"
	"math"
	"slices"

	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
	"gopherlo/jaxlike/kw"
	"gopherlo/jaxlike/lax"
)

// Var gives the variance of the elements; kw.DDof is subtracted from their
// number in the divisor.
func Var(a any, opts ...kw.VarianceOption) array.Array { return variance("var", a, kw.Collect(opts)) }

// Std gives the standard deviation.
func Std(a any, opts ...kw.VarianceOption) array.Array {
	s := kw.Collect(opts)
	s.DType = core.UserDType("std", s.DType)
	args := varianceArgs("std", a, s)
	return named("_std", varianceKey(s), func(xs []array.Array) array.Array {
		if s.DType != dtype.Invalid && !s.DType.IsInexact() {
			core.ValueErrorf("dtype argument to jnp.std must be inexact; got %s", s.DType)
		}
		return lax.Sqrt(varianceOf(xs, s))
	}, args...)
}

func varianceKey(s kw.Set) string {
	return fmt.Sprint(s.Axis, s.Axis == nil, s.DType, s.KeepDims, s.Where != nil)
}

func varianceArgs(fun string, a any, s kw.Set) []core.Value {
	correction := any(0)
	switch {
	case s.Correction != nil:
		correction = wholeOr(*s.Correction)
	case s.DDof != 0:
		correction = wholeOr(s.DDof)
	}
	args := []core.Value{arraylike(fun, 0, a).Value(), value(fun, "correction", correction)}
	if s.Where != nil {
		args = append(args, value(fun, "where", s.Where))
	}
	return args
}

// wholeOr is a number as an int where it is one.
func wholeOr(f float64) any {
	if f == math.Trunc(f) {
		return int(f)
	}
	return f
}

func variance(fun string, a any, s kw.Set) array.Array {
	s.DType = core.UserDType(fun, s.DType)
	return varianceOf(wrap(varianceArgs(fun, a, s)), s)
}

// varianceOf is the jit of a variance; xs are the array, the correction and
// perhaps a mask.
func varianceOf(xs []array.Array, s kw.Set) array.Array {
	return named("_var", varianceKey(s), func(xs []array.Array) array.Array {
		x, t := xs[0], s
		work, out := varianceTypes(x.DType(), s.DType)
		x = lax.ConvertElementType(x, work)
		t.Where = nil
		if s.Where != nil {
			t.Where = xs[2]
		}
		mean := t
		mean.DType, mean.KeepDims = work, true
		centred := lax.Sub(x, meanValue(x, mean))
		if work.IsComplex() {
			centred = lax.Real(lax.Mul(centred, lax.Conj(centred)))
			work = work.Real()
		} else {
			centred = lax.Square(centred)
		}
		n := countAlong(x, t, work)
		n = lax.Sub(n, lax.ConvertElementType(xs[1], work))
		sum := t
		sum.DType = work
		res := lax.ConvertElementType(lax.Div(sumReduction.apply(centred, sum), n), out)
		return where(n.Gt(0), res, AsArray(math.NaN()))
	}, unwrap(xs...)...)
}

// countAlong is the number of elements that go into each result.
func countAlong(x array.Array, s kw.Set, d dtype.DType) array.Array {
	if s.Where == nil {
		return lax.Number(float64(countOf(x, s.Axis)), d, false)
	}
	c := s
	c.Where, c.DType = nil, d
	return sumReduction.apply(BroadcastTo(s.Where, x.Shape()), c)
}

func varianceTypes(d, asked dtype.DType) (work, out dtype.DType) {
	switch {
	case asked != dtype.Invalid:
		if !asked.IsComplex() && d.IsComplex() {
			core.ValueErrorf("jax.numpy.var does not yet support real dtype parameters when computing the variance of an array of complex values. The semantics of numpy.var seem unclear in this case. Please comment on https://github.com/jax-ml/jax/issues/2283 if this behavior is important to you.")
		}
		return upcast16(asked), asked
	case !d.IsInexact():
		return upcast16(d.ToInexact()), d.ToInexact()
	}
	return upcast16(d), d.Real()
}

// Median gives the middle element, of all or along kw.Axis.
func Median(a any, opts ...kw.MedianOption) array.Array {
	s := kw.Collect(opts)
	return named("median", fmt.Sprint(s.Axis, s.Axis == nil, s.KeepDims), func(xs []array.Array) array.Array {
		for _, d := range reductionAxes(xs[0], s.Axis) {
			if xs[0].Shape()[d] == 0 {
				core.ValueErrorf("jax.numpy.median reduction axis must be non-empty")
			}
		}
		t := s
		t.Method = "midpoint"
		return quantile(xs[0], AsArray(0.5), t)
	}, arraylike("median", 0, a).Value())
}

// Quantile gives the element below which the part q of the elements lies; q is
// a number or a list.
func Quantile(a, q any, opts ...kw.QuantileOption) array.Array {
	return quantile(arraylike("quantile", 0, a), AsArray(q), kw.Collect(opts))
}

// Percentile is Quantile with q in per cent.
func Percentile(a, q any, opts ...kw.QuantileOption) array.Array {
	s := kw.Collect(opts)
	return named("percentile", quantileKey(s), func(xs []array.Array) array.Array {
		qq := promoteTypes(dtype.DType.ToInexact, xs[1])[0]
		return quantile(xs[0], qq.Div(100), s)
	}, arraylike("percentile", 0, a).Value(), AsArray(q).Value())
}

func quantileKey(s kw.Set) string {
	return fmt.Sprint(s.Axis, s.Axis == nil, s.KeepDims, s.Method)
}

func quantile(a, q array.Array, s kw.Set) array.Array {
	return named("quantile", quantileKey(s), func(xs []array.Array) array.Array {
		method := s.Method
		if method == "" {
			method = "linear"
		}
		if !slices.Contains([]string{"linear", "lower", "higher", "midpoint", "nearest"}, method) {
			core.ValueErrorf("method can only be 'linear', 'lower', 'higher', 'midpoint', 'nearest' or 'inverted_cdf'")
		}
		x := promoteTypes(dtype.DType.ToInexact, xs[0])[0]
		if x.DType().IsComplex() {
			core.ValueErrorf("quantile does not support complex input, as the operation is poorly defined.")
		}
		return quantileOf(x, xs[1], s, method)
	}, a.Value(), q.Value())
}

func quantileOf(x, q array.Array, s kw.Set, method string) array.Array {
	x, axis, keep := lineUp(x, s)
	shape, rank := x.Shape(), q.NDim()
	if rank > 1 {
		core.ValueErrorf("q must be have rank <= 1, got shape %s", core.PyRepr(core.NewInts(q.Shape()...)))
	}
	d := x.DType()
	bad := Any(lax.Ne(x, x), kw.Axis(axis), kw.KeepDims(true))
	x = lax.Sort(where(bad, AsArray(math.NaN()), x), axis, false)
	n := lax.Number(float64(shape[axis]), q.DType(), false)
	q = lax.Mul(q, n.Sub(1))
	low, high := lax.Floor(q), lax.Ceil(q)
	highWeight := lax.Sub(q, low)
	lowWeight := lax.Sub(lax.ConstLike(highWeight, 1), highWeight)
	limit := func(v array.Array) array.Array { return lax.Clamp(lax.ConstLike(v, 0), v, n.Sub(1)) }
	low, high = limit(low), limit(high)
	i32 := dtype.DefaultInt(core.X64())
	low, high = lax.ConvertElementType(low, i32), lax.ConvertElementType(high, i32)
	g := lax.GatherParams{Sizes: slices.Clone(shape)}
	g.Sizes[axis] = 1
	last := len(shape) + rank
	if !s.KeepDims {
		last--
		g.Dims.Collapsed = core.NewInts(axis)
	}
	for i := rank; i < last; i++ {
		g.Dims.Offset = append(g.Dims.Offset, core.Int{V: i})
	}
	g.Dims.StartIndexMap = core.NewInts(axis)
	lowValue, highValue := lax.Gather(x, lax.ExpandDims(low, []int{rank}), g), lax.Gather(x, lax.ExpandDims(high, []int{rank}), g)
	if rank == 1 {
		lowWeight = lax.BroadcastInDim(lowWeight, lowValue.Shape(), []int{0})
		highWeight = lax.BroadcastInDim(highWeight, highValue.Shape(), []int{0})
	}
	out := interpolate(method, q.DType(), lowValue, highValue, lowWeight, highWeight)
	if s.KeepDims && keep != nil {
		if rank > 0 {
			keep = append([]int{q.Shape()[0]}, keep...)
		}
		out = Reshape(out, keep)
	}
	return lax.ConvertElementType(out, d)
}

func interpolate(method string, d dtype.DType, low, high, lowWeight, highWeight array.Array) array.Array {
	switch method {
	case "lower":
		return low
	case "higher":
		return high
	case "nearest":
		return lax.Select(lax.Le(highWeight, lax.ConstLike(highWeight, 0.5)), low, high)
	case "midpoint":
		return lax.Mul(lax.Add(low, high), lax.ConstLike(low, 0.5))
	}
	return lax.Add(lax.Mul(lax.ConvertElementType(low, d), lowWeight), lax.Mul(lax.ConvertElementType(high, d), highWeight))
}

// lineUp gives x one dimension to reduce in place of several; keep is the shape
// of a result that keeps the dimensions.
func lineUp(x array.Array, s kw.Set) (y array.Array, axis int, keep []int) {
	switch {
	case s.Axis == nil:
		if s.KeepDims {
			keep = slices.Repeat([]int{1}, x.NDim())
		}
		return Ravel(x), 0, keep
	case len(s.Axis) == 1:
		return x, core.CanonicalAxis(s.Axis[0], x.NDim()), nil
	}
	axes := make([]int, len(s.Axis))
	keep = x.Shape()
	size := 1
	for i, d := range s.Axis {
		axes[i] = core.CanonicalAxis(d, x.NDim())
		if slices.Contains(axes[:i], axes[i]) {
			core.ValueErrorf("repeated axis")
		}
		size *= keep[axes[i]]
	}
	dims, shape := upTo(x.NDim()), []int{}
	at := 0
	for d := range x.NDim() {
		if !slices.Contains(axes, d) {
			dims[at], dims[d] = dims[d], dims[at]
			shape = append(shape, keep[d])
			at++
		}
	}
	for _, d := range axes {
		keep[d] = 1
	}
	shape = append(shape, size)
	return lax.ReshapeOrdered(x, shape, dims), len(shape) - 1, keep
}

// Ptp gives the range of the elements: the largest less the smallest.
func Ptp(a any, opts ...kw.MedianOption) array.Array {
	s := kw.Collect(opts)
	return named("_ptp", fmt.Sprint(s.Axis, s.Axis == nil, s.KeepDims), func(xs []array.Array) array.Array {
		t := kw.Set{Axis: s.Axis, KeepDims: s.KeepDims}
		return lax.Sub(maxReduction.apply(xs[0], t), minReduction.apply(xs[0], t))
	}, arraylike("ptp", 0, a).Value())
}

// CountNonZero gives the number of elements that are not zero.
func CountNonZero(a any, opts ...kw.CountNonZeroOption) array.Array {
	s := kw.Collect(opts)
	return named("count_nonzero", fmt.Sprint(s.Axis, s.Axis == nil, s.KeepDims), func(xs []array.Array) array.Array {
		t := kw.Set{Axis: s.Axis, KeepDims: s.KeepDims, DType: dtype.DefaultInt(core.X64())}
		return sumReduction.apply(lax.Ne(xs[0], lax.ConstLike(xs[0], 0)), t)
	}, value("count_nonzero", "a", a))
}

// Average gives the mean weighted by kw.Weights.
func Average(a any, opts ...kw.AverageOption) array.Array {
	s := kw.Collect(opts)
	args := []core.Value{value("average", "a", a)}
	if s.Weights != nil {
		args = append(args, value("average", "weights", s.Weights))
	}
	return inline("_average", fmt.Sprint(s.Axis, s.Axis == nil, s.KeepDims), func(xs []array.Array) array.Array {
		t := kw.Set{Axis: s.Axis, KeepDims: s.KeepDims}
		xs = promoteTypes(dtype.DType.ToInexact, xs...)
		if len(xs) == 1 {
			return meanValue(xs[0], t)
		}
		x, w := xs[0], xs[1]
		if !slices.Equal(x.Shape(), w.Shape()) {
			if s.Axis == nil {
				core.ValueErrorf("Axis must be specified when shapes of a and weights differ.")
			}
			axes := reductionAxes(x, s.Axis)
			shape := slices.Repeat([]int{1}, x.NDim())
			for i, d := range axes {
				shape[d] = x.Shape()[d]
				if i >= w.NDim() || w.Shape()[i] != shape[d] {
					core.ValueErrorf("Shape of weights must be consistent with shape of a along specified axis.")
				}
			}
			w = lax.Reshape(w, shape)
		}
		total := sumReduction.apply(w, t)
		return sumReduction.apply(x.Mul(w), t).Div(total)
	}, args...)
}
