package jnp

import (
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
	"gopherlo/jaxlike/lax"
)

// Add gives x + y; of booleans, their or.
func Add(x, y any) array.Array {
	return binary("add", x, y, func(x, y array.Array) array.Array {
		p := promote("add", x, y)
		if p[0].DType().IsBool() {
			return lax.Or(p[0], p[1])
		}
		return lax.Add(p[0], p[1])
	})
}

// Multiply gives x * y; of booleans, their and.
func Multiply(x, y any) array.Array {
	return binary("multiply", x, y, func(x, y array.Array) array.Array {
		p := promote("multiply", x, y)
		if p[0].DType().IsBool() {
			return lax.And(p[0], p[1])
		}
		return lax.Mul(p[0], p[1])
	})
}

// TrueDivide gives x / y as floating-point numbers.
func TrueDivide(x1, x2 any) array.Array {
	return binary12("true_divide", x1, x2, func(x, y array.Array) array.Array {
		p := promoteInexact("true_divide", x, y)
		return lax.Div(p[0], p[1])
	})
}

// Divide is TrueDivide.
func Divide(x1, x2 any) array.Array { return TrueDivide(x1, x2) }

// ArcTan2 gives the angle of the point (x2, x1).
func ArcTan2(x1, x2 any) array.Array {
	return binary12("arctan2", x1, x2, func(x, y array.Array) array.Array {
		p := promoteInexact("arctan2", x, y)
		return lax.Atan2(p[0], p[1])
	})
}

// Subtract gives x - y.
func Subtract(x, y any) array.Array {
	return binary("subtract", x, y, func(x, y array.Array) array.Array {
		p := promote("subtract", x, y)
		return lax.Sub(p[0], p[1])
	})
}

// Maximum gives the larger of x and y.
func Maximum(x, y any) array.Array {
	return binary("maximum", x, y, func(x, y array.Array) array.Array {
		p := promote("maximum", x, y)
		return lax.Max(p[0], p[1])
	})
}

// Minimum gives the smaller of x and y.
func Minimum(x, y any) array.Array {
	return binary("minimum", x, y, func(x, y array.Array) array.Array {
		p := promote("minimum", x, y)
		return lax.Min(p[0], p[1])
	})
}

// Equal gives x == y.
func Equal(x, y any) array.Array {
	return binary("equal", x, y, func(x, y array.Array) array.Array {
		p := promote("equal", x, y)
		return lax.Eq(p[0], p[1])
	})
}

// NotEqual gives x != y.
func NotEqual(x, y any) array.Array {
	return binary("not_equal", x, y, func(x, y array.Array) array.Array {
		p := promote("not_equal", x, y)
		return lax.Ne(p[0], p[1])
	})
}

// Less gives x < y.
func Less(x, y any) array.Array {
	return binary("less", x, y, func(x, y array.Array) array.Array {
		p := promote("less", x, y)
		return ordered(lax.Lt, p[0], p[1])
	})
}

// LessEqual gives x <= y.
func LessEqual(x, y any) array.Array {
	return binary("less_equal", x, y, func(x, y array.Array) array.Array {
		p := promote("less_equal", x, y)
		return ordered(lax.Le, p[0], p[1])
	})
}

// Greater gives x > y.
func Greater(x, y any) array.Array {
	return binary("greater", x, y, func(x, y array.Array) array.Array {
		p := promote("greater", x, y)
		return ordered(lax.Gt, p[0], p[1])
	})
}

// GreaterEqual gives x >= y.
func GreaterEqual(x, y any) array.Array {
	return binary("greater_equal", x, y, func(x, y array.Array) array.Array {
		p := promote("greater_equal", x, y)
		return ordered(lax.Ge, p[0], p[1])
	})
}

// BitwiseAnd gives x & y.
func BitwiseAnd(x, y any) array.Array {
	return binary("bitwise_and", x, y, func(x, y array.Array) array.Array {
		p := promote("bitwise_and", x, y)
		return lax.And(p[0], p[1])
	})
}

// BitwiseOr gives x | y.
func BitwiseOr(x, y any) array.Array {
	return binary("bitwise_or", x, y, func(x, y array.Array) array.Array {
		p := promote("bitwise_or", x, y)
		return lax.Or(p[0], p[1])
	})
}

// BitwiseXor gives x ^ y.
func BitwiseXor(x, y any) array.Array {
	return binary("bitwise_xor", x, y, func(x, y array.Array) array.Array {
		p := promote("bitwise_xor", x, y)
		return lax.Xor(p[0], p[1])
	})
}

// LogicalAnd gives whether both are true.
func LogicalAnd(x, y any) array.Array {
	return binary("logical_and", x, y, func(x, y array.Array) array.Array {
		p := promote("logical_and", x, y)
		return lax.And(truth(p[0]), truth(p[1]))
	})
}

// LogicalOr gives whether either is true.
func LogicalOr(x, y any) array.Array {
	return binary("logical_or", x, y, func(x, y array.Array) array.Array {
		p := promote("logical_or", x, y)
		return lax.Or(truth(p[0]), truth(p[1]))
	})
}

// LogicalXor gives whether just one is true.
func LogicalXor(x, y any) array.Array {
	return binary("logical_xor", x, y, func(x, y array.Array) array.Array {
		p := promote("logical_xor", x, y)
		return lax.Xor(truth(p[0]), truth(p[1]))
	})
}

// ordered compares complex numbers by their real parts, then their imaginary
// parts.
func ordered(compare func(x, y any) array.Array, x, y array.Array) array.Array {
	if !x.DType().IsComplex() {
		return compare(x, y)
	}
	equal := lax.Eq(lax.Real(x), lax.Real(y))
	second := compare(lax.Imag(x), lax.Imag(y))
	return lax.Select(equal, second, compare(lax.Real(x), lax.Real(y)))
}

// LeftShift gives x << y.
func LeftShift(x, y any) array.Array {
	return binary("left_shift", x, y, func(x, y array.Array) array.Array {
		p := promoteNumeric("left_shift", x, y)
		return lax.ShiftLeft(p[0], p[1])
	})
}

// RightShift gives x >> y, with the sign kept for signed types.
func RightShift(x1, x2 any) array.Array {
	return binary12("right_shift", x1, x2, func(x, y array.Array) array.Array {
		p := promoteNumeric("right_shift", x, y)
		if p[0].DType().IsUnsigned() {
			return lax.ShiftRightLogical(p[0], p[1])
		}
		return lax.ShiftRightArithmetic(p[0], p[1])
	})
}

// Remainder gives x % y with the sign of y.
func Remainder(x1, x2 any) array.Array {
	return named("remainder", "", func(xs []array.Array) array.Array {
		p := promoteNumeric("remainder", xs...)
		x, y := p[0], p[1]
		zero := strong(x, 0)
		if y.DType().IsInt() {
			y = where(Equal(y, 0), lax.FullLike(y, 1, dtype.Invalid), y)
		}
		r := lax.Rem(x, y)
		nonZero := lax.Ne(r, zero)
		plus := lax.And(lax.Ne(lax.Lt(r, zero), lax.Lt(y, zero)), nonZero)
		return lax.Select(plus, lax.Add(r, y), r)
	}, value("remainder", "x1", x1), value("remainder", "x2", x2))
}

// Mod is Remainder.
func Mod(x1, x2 any) array.Array { return Remainder(x1, x2) }

// FloorDivide gives the largest integers below x / y.
func FloorDivide(x1, x2 any) array.Array {
	return named("floor_divide", "", func(xs []array.Array) array.Array {
		p := promoteNumeric("floor_divide", xs...)
		x, y := p[0], p[1]
		switch d := x.DType(); {
		case d.IsUnsigned():
			return lax.Div(x, y)
		case d.IsInt():
			q := lax.Div(x, y)
			down := LogicalAnd(NotEqual(lax.Sign(x), lax.Sign(y)), NotEqual(lax.Rem(x, y), 0))
			return where(down, Subtract(q, 1), q)
		case d.IsComplex():
			core.TypeErrorf("floor_divide does not support complex-valued inputs")
		}
		return floatFloorDivide(x, y)
	}, value("floor_divide", "x1", x1), value("floor_divide", "x2", x2))
}

// floatFloorDivide is the quotient of floatDivMod.
func floatFloorDivide(x, y array.Array) array.Array {
	q, _ := floatDivMod(x, y)
	return q
}

// floatDivMod follows CPython's division with remainder.
func floatDivMod(x, y array.Array) (quotient, remainder array.Array) {
	mod := lax.Rem(x, y)
	q := lax.Div(where(Equal(y, 0), x, lax.Sub(x, mod)), y)
	low := lax.And(NotEqual(mod, 0), NotEqual(lax.Sign(y), lax.Sign(mod)))
	mod = lax.Select(low, Add(mod, y), mod)
	q = lax.Select(low, Subtract(q, 1.0), q)
	return lax.Round(q, lax.AwayFromZero), mod
}

// Power gives x to the power y. A whole number y multiplies x out.
func Power(x1, x2 any) array.Array {
	x, y := arraylike("power", 0, x1), arraylike("power", 1, x2)
	if n, ok := wholeNumber(y); ok {
		return lax.IntegerPow(promoteTypes(numeric, x)[0], n)
	}
	return inline("_power", "", func(xs []array.Array) array.Array {
		xs = promoteShapes(xs...)
		p := promoteNumeric("power", xs...)
		if d := p[0].DType(); d.IsInt() || d.IsBool() {
			return powInts(p[0], p[1])
		}
		if xs[0].DType().IsInexact() && xs[1].DType().IsInt() {
			return lax.Pow(xs[0], xs[1])
		}
		return lax.Pow(p[0], p[1])
	}, x.Value(), y.Value())
}

// wholeNumber is the value of a known integer scalar.
func wholeNumber(x array.Array) (int, bool) {
	c, ok := x.Value().(*core.Const)
	if !ok || c.Aval().NDim() > 0 || !c.Aval().DType.IsInt() {
		return boolNumber(c, ok)
	}
	data, err := c.Host()
	if err != nil {
		core.Raise("RuntimeError", "%s", err)
	}
	return int(c.Aval().DType.GetInt(data)), true
}

// boolNumber is a plain boolean as the number that it is in Python.
func boolNumber(c *core.Const, ok bool) (int, bool) {
	if !ok {
		return 0, false
	}
	b, ok := c.Py.(bool)
	if b {
		return 1, true
	}
	return 0, ok
}

// powInts multiplies out powers of integers, bit by bit of the exponent.
func powInts(x, y array.Array) array.Array {
	zero, one := strong(y, 0), strong(y, 1)
	acc := where(lax.And(lax.Eq(x, zero), lax.Ne(y, zero)), zero, one)
	for range 6 { // a larger exponent overflows for any x above 1
		acc = where(lax.And(y, one), lax.Mul(acc, x), acc)
		x = lax.Mul(x, x)
		y = lax.ShiftRightLogical(y, one)
	}
	return acc
}
