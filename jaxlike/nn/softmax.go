package nn

import (
	"fmt"
	"math"
	"slices"

	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
	"gopherlo/jaxlike/jnp"
	"gopherlo/jaxlike/kw"
	"gopherlo/jaxlike/lax"
)

// maxOptions are those of the maximum that exponentials are taken relative to.
func maxOptions(axis []int, keep bool, mask any) []kw.ReduceMaxOption {
	o := []kw.ReduceMaxOption{kw.KeepDims(keep), kw.Initial(math.Inf(-1))}
	if axis != nil {
		o = append(o, kw.Axis(axis...))
	}
	if mask != nil {
		o = append(o, kw.Where(mask))
	}
	return o
}

func sumOptions(axis []int, keep bool, mask any) []kw.SumOption {
	o := []kw.SumOption{kw.KeepDims(keep)}
	if axis != nil {
		o = append(o, kw.Axis(axis...))
	}
	if mask != nil {
		o = append(o, kw.Where(mask))
	}
	return o
}

func lastAxis(s kw.Set) []int {
	if s.Axis == nil {
		return []int{-1}
	}
	return s.Axis
}

// Softmax gives exp(x) divided by its sum along the last dimension or kw.Axis.
func Softmax(x any, opts ...kw.SoftmaxOption) array.Array {
	s := kw.Collect(opts)
	axis, v := lastAxis(s), array.New(value("softmax", x))
	high := jnp.Max(v, maxOptions(axis, true, s.Where)...)
	safe := v
	if s.Where != nil {
		safe = jnp.Where(s.Where, v, math.Inf(-1))
	}
	e := jnp.Exp(safe.Sub(lax.StopGradient(high)))
	out := e.Div(jnp.Sum(e, sumOptions(axis, true, s.Where)...))
	if s.Where != nil {
		out = jnp.Where(s.Where, out, 0)
	}
	return out
}

// LogSoftmax gives the logarithm of Softmax.
func LogSoftmax(x any, opts ...kw.SoftmaxOption) array.Array {
	s := kw.Collect(opts)
	args := []core.Value{value("log_softmax", x)}
	if s.Where != nil {
		args = append(args, value("log_softmax", s.Where))
	}
	return named("log_softmax", fmt.Sprint(s.Axis, s.Axis == nil, s.Where != nil), func(xs []array.Array) array.Array {
		v, axis := xs[0], lastAxis(s)
		var mask any
		if s.Where != nil {
			mask = xs[1]
		}
		high := jnp.Max(v, maxOptions(axis, true, mask)...)
		safe := v
		if mask != nil {
			safe = jnp.Where(mask, v, math.Inf(-1))
		}
		shifted := safe.Sub(lax.StopGradient(high))
		out := shifted.Sub(jnp.Log(jnp.Sum(jnp.Exp(shifted), sumOptions(axis, true, mask)...)))
		if mask != nil {
			out = jnp.Where(mask, out, math.Inf(-1))
		}
		return out
	}, args...)
}

// LogSumExp gives log(sum(exp(a))), of all elements or along kw.Axis; kw.B
// gives weights.
func LogSumExp(a any, opts ...kw.LogSumExpOption) array.Array {
	s := kw.Collect(opts)
	x := array.New(value("logsumexp", a))
	if s.Where != nil {
		x = jnp.Where(s.Where, x, 0)
	}
	var b array.Array
	if s.B != nil {
		w := array.New(value("logsumexp", s.B))
		t, err := dtype.Promote(core.X64(), dtype.Type{DType: x.DType(), Weak: x.WeakType()}, dtype.Type{DType: w.DType(), Weak: w.WeakType()})
		if err != nil {
			core.TypeErrorf("%s", err)
		}
		x, b = lax.Convert(x, t.DType.ToInexact(), t.Weak), lax.Convert(w, t.DType.ToInexact(), t.Weak)
		x = jnp.Where(b.Ne(0), x, math.Inf(-1))
	} else {
		x = inexact(x)
	}
	dims := positiveAxes(s.Axis, x.NDim())
	high := jnp.Max(jnp.Real(x), maxOptions(dims, s.KeepDims, s.Where)...)
	high = lax.StopGradient(lax.Select(jnp.IsFinite(high), high, zeroLike(high)))
	wide := high
	if !s.KeepDims {
		wide = lax.ExpandDims(high, dims)
	}
	e := lax.Exp(lax.Sub(broadcastLike(x, wide)))
	if s.B != nil {
		e = jnp.Multiply(e, b)
	}
	sum := jnp.Sum(e, sumOptions(dims, s.KeepDims, s.Where)...)
	sign := lax.Sign(sum)
	if !x.DType().IsComplex() {
		sum = jnp.Abs(sum)
	}
	out := lax.Add(lax.Log(sum), jnp.AsType(high, sum.DType()))
	if s.B != nil && !out.DType().IsComplex() {
		out = jnp.Where(sign.Lt(0), jnp.Array(math.NaN(), kw.DType(out.DType())), out)
	}
	return out
}

// broadcastLike gives both operands; the primitive broadcasts them itself.
func broadcastLike(x, y array.Array) (a, b any) { return x, jnp.AsType(y, x.DType()) }

func positiveAxes(axis []int, rank int) []int {
	if axis == nil {
		out := make([]int, rank)
		for i := range out {
			out[i] = i
		}
		return out
	}
	out := slices.Clone(axis)
	for i, d := range out {
		out[i] = core.CanonicalAxis(d, rank)
	}
	return out
}

// Standardize gives (x - mean) / sqrt(variance + kw.Epsilon) along the last
// dimension or kw.Axis.
func Standardize(x any, opts ...kw.StandardizeOption) array.Array {
	s := kw.Collect(opts)
	args := []core.Value{value("standardize", x)}
	if s.Epsilon != nil {
		args = append(args, value("standardize", s.Epsilon))
	}
	if s.Where != nil {
		args = append(args, value("standardize", s.Where))
	}
	return named("standardize", fmt.Sprint(s.Axis, s.Axis == nil, s.Epsilon != nil, s.Where != nil), func(xs []array.Array) array.Array {
		x := xs[0]
		var eps any = 1e-5
		if s.Epsilon != nil {
			eps = xs[1]
		}
		along := []kw.MeanOption{kw.Axis(lastAxis(s)...), kw.KeepDims(true)}
		if s.Where != nil {
			along = append(along, kw.Where(xs[len(xs)-1]))
		}
		mean := jnp.Mean(x, along...)
		v := jnp.Mean(jnp.Square(x), along...).Sub(jnp.Square(mean))
		v = jnp.Clip(v, kw.Min(0))
		return jnp.Subtract(x, mean).Mul(lax.Rsqrt(v.Add(eps)))
	}, args...)
}

// OneHot gives rows that are 1 at the place that x names and 0 elsewhere.
func OneHot(x any, classes int, opts ...kw.OneHotOption) array.Array {
	s := kw.Collect(opts)
	d := core.UserDType("astype", s.DType)
	if d == dtype.Invalid {
		d = dtype.DefaultFloat(core.X64())
	}
	axis := -1
	if s.Axis != nil {
		axis = s.Axis[0]
	}
	v := jnp.AsArray(x)
	return named("_one_hot", fmt.Sprint(classes, d, axis), func(xs []array.Array) array.Array {
		x := xs[0]
		rank := x.NDim() + 1
		at := core.CanonicalAxis(axis, rank)
		shape := slices.Repeat([]int{1}, rank)
		shape[at] = classes
		return jnp.AsType(lax.ExpandDims(x, []int{axis}).Eq(lax.BroadcastedIota(x.DType(), shape, at)), d)
	}, v.Value())
}
