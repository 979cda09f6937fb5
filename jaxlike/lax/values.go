package lax

import (
	"math"
	"slices"

	"gopherlo/internal/bug"
	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
	"gopherlo/jaxlike/partialeval"
	"gopherlo/jaxlike/tree"
)

func init() {
	ad.SetZerosLike(zerosOf)
	batching.SetOps(batching.Ops{
		BroadcastInDim: func(x core.Value, shape []int, dims core.Ints) core.Value { return broadcastInDim(x, shape, dims) },
		Transpose:      transpose,
		ExpandDims:     expandDims,
	})
	batching.SetSum(func(x core.Value, axis int) core.Value { return reduceSum(x, core.NewInts(axis)) })
}

// toValue makes a value of an argument of the primitive called name.
func toValue(name string, x any, position int) core.Value {
	v, ok := array.ToValue(x)
	if !ok {
		core.TypeErrorf("Error interpreting argument to %s as a JAX value. The problematic value is of type %s and was passed to %s at position %d.",
			name, tree.ClassOf(x), name, position)
	}
	return v
}

func toValues(name string, xs []any) []core.Value {
	vs := make([]core.Value, len(xs))
	for i, x := range xs {
		vs[i] = toValue(name, x, i)
	}
	return vs
}

// apply applies a primitive without parameters to arguments of users.
func apply(p *core.Primitive, xs ...any) array.Array {
	return array.New(p.Bind1(nil, toValues(p.Name, xs)...))
}

// staging tells whether the current trace records a program, perhaps below
// transformations.
func staging() bool { return stagingTrace() != nil }

// stagingTrace is the trace that records a program below the current one, nil
// when there is none.
func stagingTrace() *partialeval.DynamicTrace {
	for t := core.CurrentTrace(); t != nil; t = t.Parent() {
		if d, ok := t.(*partialeval.DynamicTrace); ok {
			return d
		}
	}
	return nil
}

// Stage lifts host data into the current computation (stage_p in JAX): while
// staging a number becomes a literal of the program that is recorded, and an
// array a constant of it, from here on. Else a number becomes an array, which a
// later program closes over as a constant.
func Stage(v core.Value) core.Value {
	c, ok := v.(*core.Const)
	if !ok || !c.HostMade {
		return v
	}
	if t := stagingTrace(); t != nil {
		return t.ToTracer(v)
	}
	if c.Py == nil {
		return v
	}
	data, err := c.Host()
	if err != nil {
		bug.Panicf("a number has no bytes: %v", err)
	}
	return core.NewHostConst(c.Aval(), data)
}

// scalarConst makes a constant of type dt from a number; narrow floats are
// rounded, as a NumPy scalar of that type would be.
func scalarConst(v float64, dt dtype.DType, weak bool) *core.Const {
	switch {
	case dt.IsBool():
		return core.NewScalar(v != 0, dt, weak)
	case dt.IsUnsigned():
		return core.NewScalar(uint64(int64(v)), dt, weak)
	case dt.IsInt():
		return core.NewScalar(int64(v), dt, weak)
	case dt.IsComplex():
		return core.NewScalar(complex(dtype.RoundFloat(dt.Real(), v), 0), dt, weak)
	}
	if !weak {
		v = dtype.RoundFloat(dt, v)
	}
	return core.NewScalar(v, dt, weak)
}

// constLike is the number v in the type of x, for use as an operand beside x
// (_const in JAX): weak only where x is a weak scalar.
func constLike(x core.Value, v float64) core.Value {
	a := x.Aval()
	return scalarConst(v, a.DType, a.Weak && a.NDim() == 0)
}

// ConstLike is constLike for users of lax: the number v beside x.
func ConstLike(x any, v float64) array.Array {
	return array.New(constLike(toValue("const", x, 0), v))
}

// convert changes element type and weakness (_convert_element_type in JAX).
// Numbers are converted on the host, so that they stay literals.
func convert(x core.Value, dt dtype.DType, weak bool) core.Value {
	a := x.Aval()
	same := a.DType == dt && a.Weak == weak
	if c, ok := x.(*core.Const); ok && c.Py != nil && !dt.IsExtended() {
		if same {
			return Stage(x)
		}
		_, isInt := c.Py.(int64)
		if isInt && a.Weak || !weak {
			if out := convertScalar(c, dt, weak); out != nil {
				return Stage(out)
			}
		}
	} else if same {
		return x
	}
	return ConvertElementTypeP.Bind1(core.P("new_dtype", dt, "weak_type", weak, "sharding", nil), x)
}

// convertScalar converts a number on the host; nil where JAX leaves that to
// the device: infinities and NaN to integers.
func convertScalar(c *core.Const, dt dtype.DType, weak bool) *core.Const {
	buf := make([]byte, dt.Size())
	if f, ok := c.Py.(float64); ok && dt.IsInt() && (math.IsInf(f, 0) || math.IsNaN(f)) {
		// what NumPy makes of it: the processor's "indefinite", cut to the type
		n := int64(0)
		if dt == dtype.Int32 || dt == dtype.Int64 {
			n, _ = dtype.IntRange(dt)
		}
		return core.NewScalar(n, dt, weak)
	}
	if err := dt.Put(buf, c.Py); err != nil {
		return nil
	}
	return core.NewScalar(dt.Get(buf), dt, weak)
}

// fullOf makes an array of one value. The value's type is kept.
func fullOf(shape []int, fill core.Value) core.Value { return broadcast(fill, shape) }

// fullLike makes an array of the number v with the shape and type of x.
func fullLike(x core.Value, v float64) core.Value {
	a := x.Aval()
	return broadcast(Stage(scalarConst(v, a.DType, a.Weak)), a.Shape)
}

// fullLikeAs is fullLike with another, strong element type.
func fullLikeAs(x core.Value, v float64, dt dtype.DType) core.Value {
	return broadcast(Stage(scalarConst(v, dt, false)), x.Aval().Shape)
}

// zerosOf makes the zeros that a symbolic zero stands for.
func zerosOf(a *core.ShapedArray) core.Value {
	if a.DType == dtype.Float0 {
		return zerosOfFloat0(a)
	}
	return broadcast(Stage(scalarConst(0, a.DType, a.Weak)), a.Shape)
}

// float0Zero is how Python prints the one value of type float0.
type float0Zero struct{}

// PyRepr is that text.
func (float0Zero) PyRepr() string { return "(b'',)" }

func zerosOfFloat0(a *core.ShapedArray) core.Value {
	if !staging() {
		return core.NewHostConst(a, nil)
	}
	c := core.NewHostConst(core.NewAval(dtype.Float0), nil)
	c.Py = float0Zero{}
	return broadcast(c, a.Shape)
}

func zeros(x core.Value) core.Value { return fullLike(x, 0) }

func ones(x core.Value) core.Value { return fullLike(x, 1) }

// zero and one are scalars of x's type.
func zero(x core.Value) core.Value { a := x.Aval(); return Stage(scalarConst(0, a.DType, a.Weak)) }

func one(x core.Value) core.Value { a := x.Aval(); return Stage(scalarConst(1, a.DType, a.Weak)) }

// broadcast adds leading dimensions.
func broadcast(x core.Value, sizes []int) core.Value {
	if len(sizes) == 0 {
		return x
	}
	dims := make(core.Ints, x.Aval().NDim())
	for i := range dims {
		dims[i].V = len(sizes) + i
	}
	return broadcastInDim(x, append(slices.Clone(sizes), x.Aval().Shape...), dims)
}

// broadcastTo broadcasts x to a shape that it can have by scalar or size-1
// broadcasting (_maybe_broadcast in JAX).
func broadcastTo(shape []int, x core.Value) core.Value {
	xs := x.Aval().Shape
	switch {
	case slices.Equal(xs, shape):
		return x
	case len(xs) == 0:
		return broadcastInDim(x, shape, nil)
	}
	var squeezed []int
	var dims core.Ints
	for i := range xs {
		if xs[i] == shape[i] {
			dims = append(dims, core.Int{V: i})
			squeezed = append(squeezed, xs[i])
		}
	}
	return broadcastInDim(reshape(x, squeezed), shape, dims)
}

// unbroadcast sums a cotangent over what broadcasting added to a (_unbroadcast).
func unbroadcast(a *core.ShapedArray, x core.Value) core.Value {
	xs := x.Aval().Shape
	if slices.Equal(a.Shape, xs) {
		return x
	}
	if a.NDim() == 0 {
		axes := make(core.Ints, len(xs))
		for i := range axes {
			axes[i].V = i
		}
		return reduceSum(x, axes)
	}
	var dims core.Ints
	for i := range xs {
		if xs[i] != a.Shape[i] {
			dims = append(dims, core.Int{V: i})
		}
	}
	if len(dims) > 0 {
		x = reduceSum(x, dims)
	}
	return reshape(x, a.Shape)
}

// aval2 is the type of a transposed operand, known or not.
func cotangentAval(v core.Value) *core.ShapedArray { return v.Aval().Tangent() }
