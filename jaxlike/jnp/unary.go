package jnp

import (
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/dtype"
	"gopherlo/jaxlike/lax"
)

// Sin gives the sine of each element.
func Sin(x any) array.Array {
	return unary("sin", x, func(x array.Array) array.Array { return lax.Sin(promoteInexact("sin", x)[0]) })
}

// Cos gives the cosine of each element.
func Cos(x any) array.Array {
	return unary("cos", x, func(x array.Array) array.Array { return lax.Cos(promoteInexact("cos", x)[0]) })
}

// Tan gives the tangent of each element.
func Tan(x any) array.Array {
	return unary("tan", x, func(x array.Array) array.Array { return lax.Tan(promoteInexact("tan", x)[0]) })
}

// ArcSin gives the arc sine of each element.
func ArcSin(x any) array.Array {
	return unary("arcsin", x, func(x array.Array) array.Array { return lax.Asin(promoteInexact("arcsin", x)[0]) })
}

// ArcCos gives the arc cosine of each element.
func ArcCos(x any) array.Array {
	return unary("arccos", x, func(x array.Array) array.Array { return lax.Acos(promoteInexact("arccos", x)[0]) })
}

// ArcTan gives the arc tangent of each element.
func ArcTan(x any) array.Array {
	return unary("arctan", x, func(x array.Array) array.Array { return lax.Atan(promoteInexact("arctan", x)[0]) })
}

// Sinh gives the hyperbolic sine of each element.
func Sinh(x any) array.Array {
	return unary("sinh", x, func(x array.Array) array.Array { return lax.Sinh(promoteInexact("sinh", x)[0]) })
}

// Cosh gives the hyperbolic cosine of each element.
func Cosh(x any) array.Array {
	return unary("cosh", x, func(x array.Array) array.Array { return lax.Cosh(promoteInexact("cosh", x)[0]) })
}

// Tanh gives the hyperbolic tangent of each element.
func Tanh(x any) array.Array {
	return unary("tanh", x, func(x array.Array) array.Array { return lax.Tanh(promoteInexact("tanh", x)[0]) })
}

// ArcSinh gives the inverse hyperbolic sine of each element.
func ArcSinh(x any) array.Array {
	return unary("arcsinh", x, func(x array.Array) array.Array { return lax.Asinh(promoteInexact("arcsinh", x)[0]) })
}

// ArcCosh gives the inverse hyperbolic cosine of each element.
func ArcCosh(x any) array.Array {
	return named("arccosh", "", func(xs []array.Array) array.Array {
		return lax.Acosh(promoteInexact("arccosh", xs...)[0])
	}, value("arccosh", "x", x))
}

// Real gives the real part of each element.
func Real(val any) array.Array {
	return unaryOf("real", "val", val, func(x array.Array) array.Array {
		if !x.DType().IsComplex() {
			return x
		}
		return lax.Real(x)
	})
}

// Imag gives the imaginary part of each element.
func Imag(val any) array.Array {
	return unaryOf("imag", "val", val, func(x array.Array) array.Array {
		if !x.DType().IsComplex() {
			return lax.FullLike(x, 0, dtype.Invalid)
		}
		return lax.Imag(x)
	})
}

// Conj gives the complex conjugate of each element.
func Conj(x any) array.Array {
	return unary("conjugate", x, func(x array.Array) array.Array {
		if !x.DType().IsComplex() {
			return x
		}
		return lax.Conj(x)
	})
}

// ArcTanh gives the inverse hyperbolic tangent of each element.
func ArcTanh(x any) array.Array {
	return unary("arctanh", x, func(x array.Array) array.Array { return lax.Atanh(promoteInexact("arctanh", x)[0]) })
}

// Exp gives the exponential of each element.
func Exp(x any) array.Array {
	return unary("exp", x, func(x array.Array) array.Array { return lax.Exp(promoteInexact("exp", x)[0]) })
}

// Exp2 gives the power of two of each element.
func Exp2(x any) array.Array {
	return unary("exp2", x, func(x array.Array) array.Array { return lax.Exp2(promoteInexact("exp2", x)[0]) })
}

// Expm1 gives the exponential minus one of each element.
func Expm1(x any) array.Array {
	return unary("expm1", x, func(x array.Array) array.Array { return lax.Expm1(promoteInexact("expm1", x)[0]) })
}

// Log gives the natural logarithm of each element.
func Log(x any) array.Array {
	return unary("log", x, func(x array.Array) array.Array { return lax.Log(promoteInexact("log", x)[0]) })
}

// Log1p gives the natural logarithm of 1+x of each element.
func Log1p(x any) array.Array {
	return unary("log1p", x, func(x array.Array) array.Array { return lax.Log1p(promoteInexact("log1p", x)[0]) })
}

// Sqrt gives the square root of each element.
func Sqrt(x any) array.Array {
	return unary("sqrt", x, func(x array.Array) array.Array { return lax.Sqrt(promoteInexact("sqrt", x)[0]) })
}

// Cbrt gives the cube root of each element.
func Cbrt(x any) array.Array {
	return unary("cbrt", x, func(x array.Array) array.Array { return lax.Cbrt(promoteInexact("cbrt", x)[0]) })
}

// Log2 gives the binary logarithm of each element.
func Log2(x any) array.Array {
	return unary("log2", x, func(x array.Array) array.Array { return lax.Log2(promoteInexact("log2", x)[0]) })
}

// Log10 gives the decimal logarithm of each element.
func Log10(x any) array.Array {
	return unary("log10", x, func(x array.Array) array.Array {
		x = promoteInexact("log10", x)[0]
		return lax.Mul(lax.Log(x), strong(x, 0.4342944819032518))
	})
}

// Negative gives -x.
func Negative(x any) array.Array {
	return unary("negative", x, func(x array.Array) array.Array { return lax.Neg(promote("negative", x)[0]) })
}

// Positive gives x as a number.
func Positive(x any) array.Array {
	return unary("positive", x, func(x array.Array) array.Array { return promote("positive", x)[0] })
}

// Sign gives -1, 0 or 1 by the sign of each element.
func Sign(x any) array.Array {
	return unary("sign", x, func(x array.Array) array.Array { return lax.Sign(promote("sign", x)[0]) })
}

// Square gives the square of each element.
func Square(x any) array.Array {
	return unary("square", x, func(x array.Array) array.Array { return lax.Square(promoteTypes(numeric, x)[0]) })
}

// Reciprocal gives 1/x.
func Reciprocal(x any) array.Array {
	return unary("reciprocal", x, func(x array.Array) array.Array {
		return lax.IntegerPow(promoteTypes(dtype.DType.ToInexact, x)[0], -1)
	})
}

// Absolute gives the magnitude of each element.
func Absolute(x any) array.Array {
	return unary("absolute", x, func(x array.Array) array.Array {
		if d := x.DType(); d.IsBool() || d.IsUnsigned() {
			return x
		}
		return lax.Abs(x)
	})
}

// Abs is Absolute.
func Abs(x any) array.Array {
	return inline("abs", "", func(xs []array.Array) array.Array { return Absolute(xs[0]) }, value("absolute", "x", x))
}

// Floor gives the next integer below each element.
func Floor(x any) array.Array { return unary("floor", x, rounding("floor", lax.Floor)) }

// Ceil gives the next integer above each element.
func Ceil(x any) array.Array { return unary("ceil", x, rounding("ceil", lax.Ceil)) }

func rounding(name string, f func(any) array.Array) func(array.Array) array.Array {
	return func(x array.Array) array.Array {
		if d := x.DType(); d.IsBool() || d.IsInt() {
			return x
		}
		return f(promoteInexact(name, x)[0])
	}
}

// IsNaN tells which elements are not a number.
func IsNaN(x any) array.Array {
	return unary("isnan", x, func(x array.Array) array.Array { return lax.Ne(x, x) })
}

// IsFinite tells which elements are finite.
func IsFinite(x any) array.Array {
	return unary("isfinite", x, func(x array.Array) array.Array {
		if x.DType().IsFloat() {
			return lax.IsFinite(x)
		}
		return lax.FullLike(x, true, dtype.Bool)
	})
}

// LogicalNot negates the truth of each element.
func LogicalNot(x any) array.Array {
	return unary("logical_not", x, func(x array.Array) array.Array { return lax.Not(truth(promote("logical_not", x)[0])) })
}

// BitwiseNot gives the bitwise or logical complement.
func BitwiseNot(x any) array.Array {
	return unary("bitwise_not", x, func(x array.Array) array.Array { return lax.Not(promote("bitwise_not", x)[0]) })
}

// Invert is BitwiseNot.
func Invert(x any) array.Array {
	return unary("invert", x, func(x array.Array) array.Array { return lax.Not(promote("invert", x)[0]) })
}

// truth makes booleans of numbers.
func truth(x array.Array) array.Array {
	if x.DType().IsBool() {
		return x
	}
	return lax.Ne(x, lax.ConstLike(x, 0))
}

// strong is a number in the strong type of x.
func strong(x array.Array, v float64) array.Array { return lax.Number(v, x.DType(), false) }
