package jnp

import (
	"fmt"
	"slices"

	"gopherlo/jaxlike/array"

	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
	"gopherlo/jaxlike/kw"
	"gopherlo/jaxlike/lax"
)

// reduction describes one of the reductions over axes (_reduction in JAX).
type reduction struct {
	name     string // jnp's
	unit     string // of the inner jit
	op       func(x any, axes []int) array.Array
	boolOp   func(x any, axes []int) array.Array
	combine  func(x, y any) array.Array // with an initial value
	identity float64
	mustHave bool // no identity: empty arrays are an error
	prepare  func(array.Array) array.Array
	promote  bool // widen narrow integers
	upcast   bool // sum float16 in float32
}

var (
	sumReduction  = reduction{name: "sum", unit: "_reduce_sum", op: lax.ReduceSum, boolOp: lax.ReduceOr, combine: lax.Add, prepare: toNumeric, promote: true, upcast: true}
	prodReduction = reduction{name: "prod", unit: "_reduce_prod", op: lax.ReduceProd, boolOp: lax.ReduceAnd, combine: lax.Mul, identity: 1, prepare: toNumeric, promote: true, upcast: true}
	maxReduction  = reduction{name: "max", unit: "_reduce_max", op: lax.ReduceMax, combine: lax.Max, mustHave: true}
	minReduction  = reduction{name: "min", unit: "_reduce_min", op: lax.ReduceMin, combine: lax.Min, mustHave: true}
	allReduction  = reduction{name: "all", unit: "_reduce_all", op: lax.ReduceAnd, identity: 1, prepare: toBool}
	anyReduction  = reduction{name: "any", unit: "_reduce_any", op: lax.ReduceOr, prepare: toBool}
)

func toNumeric(x array.Array) array.Array { return promoteTypes(numeric, x)[0] }

func toBool(x array.Array) array.Array { return lax.ConvertElementType(x, dtype.Bool) }

// Sum adds the elements, over all axes or those given by kw.Axis.
func Sum(a any, opts ...kw.SumOption) array.Array { return sumReduction.apply(a, kw.Collect(opts)) }

// Prod multiplies the elements.
func Prod(a any, opts ...kw.ProdOption) array.Array { return prodReduction.apply(a, kw.Collect(opts)) }

// Max gives the largest element.
func Max(a any, opts ...kw.ReduceMaxOption) array.Array {
	return maxReduction.apply(a, kw.Collect(opts))
}

// Min gives the smallest element.
func Min(a any, opts ...kw.ReduceMinOption) array.Array {
	return minReduction.apply(a, kw.Collect(opts))
}

// All tells whether all elements are true.
func All(a any, opts ...kw.AllOption) array.Array { return allReduction.apply(a, kw.Collect(opts)) }

// Any tells whether some element is true.
func Any(a any, opts ...kw.AnyOption) array.Array { return anyReduction.apply(a, kw.Collect(opts)) }

// Mean gives the arithmetic mean.
func Mean(a any, opts ...kw.MeanOption) array.Array {
	return meanValue(a, kw.Collect(opts))
}

func meanValue(a any, s kw.Set) array.Array {
	s.DType = core.UserDType("mean", s.DType)
	args := []core.Value{value("mean", "a", a)}
	if s.Where != nil {
		args = append(args, value("mean", "where", s.Where))
	}
	return inline("_mean", optionKey(s), func(xs []array.Array) array.Array {
		x, out := xs[0], s.DType
		if out == dtype.Invalid {
			out = x.DType().ToInexact()
		}
		work := out
		if s.DType == dtype.Invalid {
			work = upcast16(out)
		}
		t := s
		t.DType = work
		var n array.Array
		if len(xs) > 1 {
			t.Where = xs[1]
			c := t
			c.Where = nil
			n = sumReduction.apply(BroadcastTo(xs[1], x.Shape()), c)
		} else {
			n = lax.Number(float64(countOf(x, s.Axis)), work, false)
		}
		return lax.ConvertElementType(lax.Div(sumReduction.apply(x, t), n), out)
	}, args...)
}

// countOf is the number of elements that go into each result.
func countOf(x array.Array, axis []int) int {
	if axis == nil {
		return x.Size()
	}
	n := 1
	for _, d := range axis {
		if d < -x.NDim() || d >= x.NDim() {
			core.Raise("IndexError", "tuple index out of range")
		}
		n *= x.Shape()[core.CanonicalAxis(d, x.NDim())]
	}
	return n
}

func optionKey(s kw.Set) string {
	return fmt.Sprint(s.Axis, s.Axis == nil, s.KeepDims, s.DType, s.KeepIntegers, s.Initial != nil, s.Where != nil)
}

func (r *reduction) apply(a any, s kw.Set) array.Array {
	args := []core.Value{value(r.name, "a", a)}
	for _, extra := range []struct {
		name string
		v    any
	}{{"initial", s.Initial}, {"where", s.Where}} {
		if extra.v != nil {
			args = append(args, value(r.name, extra.name, extra.v))
		}
	}
	return inline(r.unit, optionKey(s), func(xs []array.Array) array.Array {
		var initial, mask *array.Array
		rest := xs[1:]
		if s.Initial != nil {
			initial, rest = &rest[0], rest[1:]
		}
		if s.Where != nil {
			mask = &rest[0]
		}
		return r.reduce(xs[0], s, initial, mask)
	}, args...)
}

func (r *reduction) reduce(a array.Array, s kw.Set, initial, mask *array.Array) array.Array {
	if initial == nil && r.mustHave && mask != nil {
		core.ValueErrorf("reduction operation %s does not have an identity, so to use a where mask one has to specify 'initial'", r.name)
	}
	if r.prepare != nil {
		a = r.prepare(a)
	}
	dims := reductionAxes(a, s.Axis)
	r.checkEmpty(a, dims, initial)
	out, work := r.types(a.DType(), s)
	a = lax.ConvertElementType(a, work)
	op := r.op
	if work.IsBool() && r.boolOp != nil {
		op = r.boolOp
	}
	if mask != nil {
		a = where(*mask, a, r.identityOf(work))
	}
	result := op(a, dims)
	if initial != nil {
		first := lax.ConvertElementType(*initial, work)
		if first.NDim() > 0 {
			core.ValueErrorf("initial value must be a scalar. Got array of shape %s", core.PyRepr(core.NewInts(first.Shape()...)))
		}
		result = r.combine(first, result)
	}
	if s.KeepDims {
		result = lax.ExpandDims(result, dims)
	}
	return lax.ConvertElementType(result, out)
}

func (r *reduction) checkEmpty(a array.Array, dims []int, initial *array.Array) {
	if initial != nil || !r.mustHave {
		return
	}
	for _, d := range dims {
		if a.Shape()[d] < 1 {
			core.ValueErrorf("zero-size array to reduction operation %s which has no identity", r.name)
		}
	}
}

// types gives the types of the result and of the computation.
func (r *reduction) types(d dtype.DType, s kw.Set) (out, work dtype.DType) {
	out = d
	switch {
	case s.DType != dtype.Invalid:
		out = core.UserDType(r.name, s.DType)
	case r.promote && !s.KeepIntegers:
		out = widen(d)
	}
	if r.upcast && s.DType == dtype.Invalid {
		return out, upcast16(out)
	}
	return out, out
}

// identityOf is the element that changes nothing.
func (r *reduction) identityOf(d dtype.DType) array.Array {
	switch {
	case r.name == "max":
		return lax.Lowest(d)
	case r.name == "min":
		return lax.Highest(d)
	}
	return lax.Number(r.identity, d, false)
}

// widen gives narrow integers the default width.
func widen(d dtype.DType) dtype.DType {
	x64 := core.X64()
	switch {
	case d.IsBool():
		return dtype.DefaultInt(x64)
	case d.IsUnsigned() && d.Bits() < dtype.DefaultUint(x64).Bits():
		return dtype.DefaultUint(x64)
	case d.IsSigned() && d.Bits() < dtype.DefaultInt(x64).Bits():
		return dtype.DefaultInt(x64)
	}
	return d
}

func upcast16(d dtype.DType) dtype.DType {
	if d == dtype.Float16 || d == dtype.BFloat16 {
		return dtype.Float32
	}
	return d
}

// reductionAxes gives the axes as JAX orders them: as given, or all.
func reductionAxes(a array.Array, axis []int) []int {
	rank := a.NDim()
	if axis == nil {
		axis = make([]int, rank)
		for i := range axis {
			axis[i] = i
		}
	}
	out := make([]int, len(axis))
	for i, d := range axis {
		out[i] = core.CanonicalAxis(d, rank)
		if slices.Contains(out[:i], out[i]) {
			core.ValueErrorf("duplicate value in 'axis': %s", core.PyRepr(core.NewInts(axis...)))
		}
	}
	return out
}
