package nn

import (
	"fmt"
	"math"

	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
	"gopherlo/jaxlike/jnp"
	"gopherlo/jaxlike/kw"
	"gopherlo/jaxlike/lax"
)

func zeroLike(t array.Array) array.Array { return lax.FullLike(t, 0, dtype.Invalid) }

// Identity gives x.
func Identity(x any) array.Array {
	return one("identity", x, func(x array.Array) array.Array { return x })
}

// Relu gives max(x, 0); its derivative at 0 is 0.
func Relu(x any) array.Array {
	return derived("relu", x, func(x array.Array) array.Array { return jnp.Maximum(x, 0) },
		func(t, _, x array.Array) array.Array { return lax.Select(x.Gt(0), t, zeroLike(t)) })
}

// Relu6 gives x limited to the range from 0 to 6.
func Relu6(x any) array.Array {
	return derived("relu6", x, func(x array.Array) array.Array { return jnp.Minimum(jnp.Maximum(x, 0), 6.0) },
		func(t, _, x array.Array) array.Array { return lax.Select(x.Gt(0).And(x.Lt(6)), t, zeroLike(t)) })
}

// Sigmoid gives 1 / (1 + exp(-x)).
func Sigmoid(x any) array.Array {
	return array.New(lax.Inline("sigmoid", "", func(vs []core.Value) []core.Value {
		return []core.Value{lax.Logistic(array.New(vs[0])).Value()}
	}, value("sigmoid", x))[0])
}

// Silu gives x * sigmoid(x).
func Silu(x any) array.Array {
	return one("silu", x, func(x array.Array) array.Array { return x.Mul(Sigmoid(x)) })
}

// Swish is Silu.
func Swish(x any) array.Array { return Silu(x) }

// Softplus gives log(1 + exp(x)).
func Softplus(x any) array.Array {
	return one("softplus", x, func(x array.Array) array.Array { return jnp.LogAddExp(x, 0) })
}

// SoftSign gives x / (|x| + 1).
func SoftSign(x any) array.Array {
	return one("soft_sign", x, func(x array.Array) array.Array { return x.Div(jnp.Abs(x).Add(1)) })
}

// Squareplus gives (x + sqrt(x*x + 4)) / 2.
func Squareplus(x any) array.Array {
	return one("squareplus", x, func(x array.Array) array.Array {
		return x.Add(jnp.Sqrt(jnp.Square(x).Add(4))).Div(2)
	})
}

// Mish gives x * tanh(softplus(x)).
func Mish(x any) array.Array {
	return one("mish", x, func(x array.Array) array.Array { return x.Mul(jnp.Tanh(Softplus(x))) })
}

// LogSigmoid gives log(sigmoid(x)).
func LogSigmoid(x any) array.Array {
	return one("log_sigmoid", x, func(x array.Array) array.Array { return Softplus(x.Neg()).Neg() })
}

// withParameter is a function of x and a number that is an argument when it is
// given, and fixed when it is not.
func withParameter(name string, x, given any, otherwise float64, f func(x array.Array, p any) array.Array) array.Array {
	args := []core.Value{value(name, x)}
	if given != nil {
		args = append(args, value(name, given))
	}
	return named(name, fmt.Sprint(given != nil), func(xs []array.Array) array.Array {
		if given != nil {
			return f(xs[0], xs[1])
		}
		return f(xs[0], otherwise)
	}, args...)
}

// Elu gives x above 0 and kw.Alpha * (exp(x) - 1) below.
func Elu(x any, opts ...kw.EluOption) array.Array { return elu(x, kw.Collect(opts).Alpha) }

func elu(x, alpha any) array.Array {
	return withParameter("elu", x, alpha, 1, func(x array.Array, p any) array.Array {
		positive := x.Gt(0)
		inner := jnp.Expm1(where(x.Gt(0), 0.0, x))
		return where(positive, x, jnp.Multiply(p, inner))
	})
}

// Celu gives max(x, 0) + alpha * (exp(min(x, 0)/alpha) - 1).
func Celu(x any, opts ...kw.EluOption) array.Array {
	return withParameter("celu", x, kw.Collect(opts).Alpha, 1, func(x array.Array, p any) array.Array {
		return jnp.Maximum(x, 0.0).Add(jnp.Multiply(p, jnp.Expm1(jnp.Minimum(x, 0.0).Div(p))))
	})
}

// Selu is Elu with the scale and alpha of self-normalizing networks.
func Selu(x any) array.Array {
	return one("selu", x, func(x array.Array) array.Array {
		return jnp.Multiply(1.0507009873554805, elu(x, 1.6732632423543772))
	})
}

// LeakyRelu gives x above 0 and kw.NegativeSlope (0.01) times x below.
func LeakyRelu(x any, opts ...kw.SlopeOption) array.Array {
	return withParameter("leaky_relu", x, kw.Collect(opts).NegativeSlope, 0.01, func(x array.Array, p any) array.Array {
		return where(x.Ge(0), x, jnp.Multiply(p, x))
	})
}

// HardTanh gives x limited to the range from -1 to 1.
func HardTanh(x any) array.Array {
	return one("hard_tanh", x, func(x array.Array) array.Array {
		above := x.Gt(1)
		return where(above, 1, where(x.Lt(-1), -1, x))
	})
}

// HardSigmoid gives relu6(x + 3) / 6.
func HardSigmoid(x any) array.Array {
	return one("hard_sigmoid", x, func(x array.Array) array.Array { return Relu6(x.Add(3.0)).Div(6.0) })
}

// HardSilu gives x * hard_sigmoid(x).
func HardSilu(x any) array.Array {
	return one("hard_silu", x, func(x array.Array) array.Array { return x.Mul(HardSigmoid(x)) })
}

// HardSwish is HardSilu.
func HardSwish(x any) array.Array { return HardSilu(x) }

// Gelu is the Gaussian error linear unit, by the tanh formula unless
// kw.Approximate(false) is given.
func Gelu(x any, opts ...kw.GeluOption) array.Array {
	s := kw.Collect(opts)
	v := inexact(array.New(value("gelu", x)))
	d := v.DType()
	number := func(f float64) array.Array { return lax.Number(f, d, false) }
	if s.Approximate == nil || *s.Approximate {
		cube := v.Pow(3)
		inner := number(math.Sqrt(2 / math.Pi)).Mul(v.Add(jnp.Multiply(0.044715, cube)))
		return v.Mul(jnp.Multiply(0.5, jnp.Add(1.0, jnp.Tanh(inner))))
	}
	half := jnp.Multiply(0.5, v)
	return jnp.Array(half.Mul(lax.Erfc(v.Neg().Mul(number(math.Sqrt(0.5))))), kw.DType(d))
}

// Glu gives the first half of x times the sigmoid of the second, along the last
// dimension or kw.Axis.
func Glu(x any, opts ...kw.GluOption) array.Array {
	s := kw.Collect(opts)
	axis := -1
	if s.Axis != nil {
		axis = s.Axis[0]
	}
	return named("glu", fmt.Sprint(axis), func(xs []array.Array) array.Array {
		x := xs[0]
		shape := x.Shape()
		i := axis
		if i < 0 {
			i += len(shape)
		}
		if i >= 0 && i < len(shape) && shape[i]%2 != 0 {
			core.Raise("AssertionError", "axis size must be divisible by 2")
		}
		p := jnp.Split(x, 2, kw.Axis(axis))
		return p[0].Mul(Sigmoid(p[1]))
	}, value("glu", x))
}
