package nn

import (
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/jnp"
	"gopherlo/jaxlike/lax"
	"gopherlo/jaxlike/tree"
)

// checkers are the functions that meet the argument first, by the function that
// is called, where these are other ones.
var checkers = map[string]string{
	"relu": "maximum", "relu6": "maximum", "softplus": "logaddexp", "softmax": "max",
}

// value makes a value of an argument of a function that JAX jits. Containers
// are taken apart before that, so what complains about them is the function
// inside.
func value(fun string, x any) core.Value {
	v, ok := array.ToValue(x)
	if !ok && fun == "sigmoid" {
		core.TypeErrorf("Error interpreting argument to logistic as a JAX value. The problematic value is of type %s and was passed to logistic at position 0.", tree.ClassOf(x))
	}
	if !ok && !tree.Structure(x).IsLeaf() {
		if c := checkers[fun]; c != "" {
			fun = c
		}
		core.TypeErrorf("%s requires ndarray or scalar arguments, got %s at position 0.", fun, tree.ClassOf(x))
	}
	if !ok {
		core.TypeErrorf("Error interpreting argument to <function %s> as an abstract array. The problematic value is of type %s and was passed to the function at path x.\n"+
			"This typically means that a jit-wrapped function was called with a non-array argument, and this argument was not marked as static using the static_argnums or static_argnames parameters of jax.jit.",
			fun, tree.ClassOf(x))
	}
	return v
}

// named applies f as a jit that stays visible in jaxprs.
func named(name, static string, f func(xs []array.Array) array.Array, args ...core.Value) array.Array {
	return array.New(lax.Named(name, static, func(vs []core.Value) []core.Value {
		xs := make([]array.Array, len(vs))
		for i, v := range vs {
			xs[i] = array.New(v)
		}
		return []core.Value{f(xs).Value()}
	}, args...)[0])
}

// one applies a function of one array as a jit.
func one(name string, x any, f func(x array.Array) array.Array) array.Array {
	return named(name, "", func(xs []array.Array) array.Array { return f(xs[0]) }, value(name, x))
}

// inexact gives x in a floating-point type.
func inexact(x array.Array) array.Array {
	return lax.Convert(x, x.DType().ToInexact(), x.WeakType())
}

// derived is a function of one array with a derivative of its own: slope gives
// the tangent of the result from that of x.
func derived(name string, x any, f func(x array.Array) array.Array, slope func(t, ans, x array.Array) array.Array) array.Array {
	var call func(v core.Value) core.Value
	call = func(v core.Value) core.Value {
		c := &core.CustomJVP{
			Name: name, RuleName: "jvp", Debug: &core.DebugInfo{TracedFor: "custom_jvp fun", FuncName: name, FuncSource: name},
			Fun: func(in []core.Value) []core.Value {
				return []core.Value{one(name, in[0], f).Value()}
			},
			Rule: func(in []core.Value) []core.Value {
				out := call(in[0])
				return []core.Value{out, slope(array.New(in[1]), array.New(out), array.New(in[0])).Value()}
			},
		}
		return lax.CustomJVP(c, v)[0]
	}
	if _, ok := array.ToValue(x); !ok && tree.Structure(x).IsLeaf() {
		core.TypeErrorf("Error interpreting argument to custom_jvp_call as a JAX value. The problematic value is of type %s and was passed to custom_jvp_call at position 0.", tree.ClassOf(x))
	}
	return array.New(call(value(name, x)))
}

func where(c array.Array, x, y any) array.Array { return jnp.Where(c, x, y) }
