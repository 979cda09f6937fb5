package jnp

import (
	"errors"
	"strings"

	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
	"gopherlo/jaxlike/lax"
	"gopherlo/jaxlike/tree"
)

// body computes a function's result from its array arguments.
type body func(xs []array.Array) array.Array

// positions are the places of parameters that are not the first.
var positions = map[string]int{"y": 1, "x2": 1, "b": 1, "min": 1, "max": 2}

// value makes a value of an argument; param is the parameter's name in JAX.
// JAX takes containers apart before it looks at the leaves, so it complains
// about them in other words.
func value(fun, param string, x any) core.Value {
	if n, isInt := x.(int); isInt && int(int32(n)) != n {
		wide(n, param)
	}
	v, ok := array.ToValue(x)
	if !ok {
		if !tree.Structure(x).IsLeaf() {
			return arraylike(fun, positions[param], x).Value()
		}
		core.TypeErrorf("Error interpreting argument to <function %s> as an abstract array. The problematic value is of type %s and was passed to the function at path %s.\n"+
			"This typically means that a jit-wrapped function was called with a non-array argument, and this argument was not marked as static using the static_argnums or static_argnames parameters of jax.jit.",
			fun, tree.ClassOf(x), param)
	}
	return v
}

// arraylike is value where JAX checks arguments itself (check_arraylike).
func arraylike(fun string, position int, x any) array.Array {
	v, ok := array.ToValue(x)
	if !ok {
		core.TypeErrorf("%s requires ndarray or scalar arguments, got %s at position %d.", fun, tree.ClassOf(x), position)
	}
	return array.New(v)
}

// wide refuses a number that the default integer type cannot hold.
func wide(n int, param string) {
	defer func() {
		if r := recover(); r != nil {
			core.Raise("OverflowError", "An overflow was encountered while parsing an argument to a jitted computation, whose argument path is %s. Got <class 'int'> with value %d", param, n)
		}
	}()
	array.ToValue(n)
}

func wrap(vs []core.Value) []array.Array {
	out := make([]array.Array, len(vs))
	for i, v := range vs {
		out[i] = array.New(v)
	}
	return out
}

func unwrap(xs ...array.Array) []core.Value {
	out := make([]core.Value, len(xs))
	for i, x := range xs {
		out[i] = x.Value()
	}
	return out
}

func asFun(f body) func([]core.Value) []core.Value {
	return func(vs []core.Value) []core.Value { return []core.Value{f(wrap(vs)).Value()} }
}

// inline applies f as JAX applies functions that it jits with early inlining.
// static tells calls with other settings apart.
func inline(name, static string, f body, args ...core.Value) array.Array {
	return array.New(lax.Inline(name, static, asFun(f), args...)[0])
}

// named applies f as a jit that stays visible in jaxprs.
func named(name, static string, f body, args ...core.Value) array.Array {
	return array.New(lax.Named(name, static, asFun(f), args...)[0])
}

// unary is a function of one array, whose parameter JAX calls x.
func unary(name string, x any, f func(x array.Array) array.Array) array.Array {
	return unaryOf(name, "x", x, f)
}

func unaryOf(name, param string, x any, f func(x array.Array) array.Array) array.Array {
	return inline(name, "", func(xs []array.Array) array.Array { return f(xs[0]) }, value(name, param, x))
}

// binary is a function of two arrays, whose parameters JAX calls x and y.
func binary(name string, x, y any, f func(x, y array.Array) array.Array) array.Array {
	return binaryOf(name, "x", "y", x, y, f)
}

// binary12 is binary for functions whose parameters JAX calls x1 and x2.
func binary12(name string, x, y any, f func(x, y array.Array) array.Array) array.Array {
	return binaryOf(name, "x1", "x2", x, y, f)
}

func binaryOf(name, p, q string, x, y any, f func(x, y array.Array) array.Array) array.Array {
	return inline(name, "", func(xs []array.Array) array.Array { return f(xs[0], xs[1]) }, value(name, p, x), value(name, q, y))
}

func typeOf(x array.Array) dtype.Type {
	a := x.Aval()
	return dtype.Type{DType: a.DType, Weak: a.Weak}
}

// resultType is the promoted type of several arrays.
func resultType(xs ...array.Array) dtype.Type {
	types := make([]dtype.Type, len(xs))
	for i, x := range xs {
		types[i] = typeOf(x)
	}
	t, err := dtype.Promote(core.X64(), types...)
	if errors.Is(err, dtype.ErrNoPromotion) {
		core.ValueErrorf("%s", err)
	}
	if err != nil {
		core.Raise("TypePromotionError", "%s", err)
	}
	return t
}

// promoteTypes converts arrays to their promoted type, changed by to.
func promoteTypes(to func(dtype.DType) dtype.DType, xs ...array.Array) []array.Array {
	t := resultType(xs...)
	out := make([]array.Array, len(xs))
	for i, x := range xs {
		out[i] = lax.Convert(x, to(t.DType), t.Weak)
	}
	return out
}

func same(d dtype.DType) dtype.DType { return d }

func numeric(d dtype.DType) dtype.DType {
	if d.IsBool() {
		return dtype.Int32
	}
	return d
}

// promote is JAX's promote_args: types first, then ranks.
func promote(name string, xs ...array.Array) []array.Array { return promoteAs(name, same, xs...) }

func promoteInexact(name string, xs ...array.Array) []array.Array {
	if d := xs[0].DType(); len(xs) == 1 && d.IsExtended() {
		core.TypeErrorf("Cannot interpret '%s' as a data type", d)
	}
	return promoteAs(name, dtype.DType.ToInexact, xs...)
}

func promoteNumeric(name string, xs ...array.Array) []array.Array {
	return promoteAs(name, numeric, xs...)
}

func promoteAs(name string, to func(dtype.DType) dtype.DType, xs ...array.Array) []array.Array {
	for _, x := range xs {
		if x.DType() == dtype.Float0 {
			core.TypeErrorf("Called %s with a float0 array. float0s do not support any operations by design because they are not compatible with non-trivial vector spaces. No implicit dtype conversion is done. You can use np.zeros_like(arr, dtype=np.float) to cast a float0 array to a regular zeros array. \nIf you didn't expect to get a float0 you might have accidentally taken a gradient with respect to an integer argument.", name)
		}
	}
	refuseKeys(name, xs)
	if len(xs) == 1 {
		t := typeOf(xs[0])
		return []array.Array{lax.Convert(xs[0], to(t.DType), t.Weak)}
	}
	return promoteShapes(promoteTypes(to, xs...)...)
}

// refuseKeys refuses random keys beside other types; beside each other they are
// the primitive's to refuse (check_for_prngkeys in JAX).
func refuseKeys(name string, xs []array.Array) {
	keys, mixed := false, false
	names := make([]string, len(xs))
	for i, x := range xs {
		d := x.DType()
		names[i] = d.String()
		keys, mixed = keys || d.IsExtended(), mixed || d != xs[0].DType()
	}
	if keys && mixed {
		core.TypeErrorf("%s does not accept dtypes %s.", name, strings.Join(names, ", "))
	}
}

// promoteShapes gives arrays that are not scalars the same rank.
func promoteShapes(xs ...array.Array) []array.Array {
	ranks := map[int]bool{}
	shapes := make([][]int, len(xs))
	for i, x := range xs {
		shapes[i] = x.Shape()
		if x.NDim() > 0 {
			ranks[x.NDim()] = true
		}
	}
	if len(ranks) < 2 {
		return xs
	}
	rank := len(lax.BroadcastShapes(shapes...))
	out := make([]array.Array, len(xs))
	for i, x := range xs {
		out[i] = x
		if n := rank - x.NDim(); n > 0 {
			ones := make([]int, n)
			for j := range ones {
				ones[j] = 1
			}
			out[i] = lax.Broadcast(x, ones)
		}
	}
	return out
}
