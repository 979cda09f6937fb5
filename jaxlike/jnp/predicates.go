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

// IsInf tells which elements are infinite.
func IsInf(x any) array.Array {
	return named("isinf", "", func(xs []array.Array) array.Array {
		x := xs[0]
		inf := func(v array.Array) array.Array { return lax.Eq(lax.Abs(v), lax.ConstLike(v, math.Inf(1))) }
		switch d := x.DType(); {
		case d.IsComplex():
			re, im := lax.Real(x), lax.Imag(x)
			return lax.Or(inf(re), inf(im))
		case d.IsFloat() && dtype.HasInf(d):
			return inf(x)
		}
		return lax.FullLike(x, false, dtype.Bool)
	}, value("isinf", "x", x))
}

// IsPosInf tells which elements are positive infinity.
func IsPosInf(x any) array.Array { return isSignedInf("isposinf", x, math.Inf(1)) }

// IsNegInf tells which elements are negative infinity.
func IsNegInf(x any) array.Array { return isSignedInf("isneginf", x, math.Inf(-1)) }

func isSignedInf(name string, v any, inf float64) array.Array {
	x := arraylike(name, 0, v)
	switch d := x.DType(); {
	case d.IsComplex():
		core.ValueErrorf("isposinf/isneginf are not well defined for complex types")
	case d.IsFloat() && dtype.HasInf(d):
		return lax.Eq(x, lax.ConstLike(x, inf))
	}
	return lax.FullLike(x, false, dtype.Bool)
}

// IsClose tells which elements differ by at most kw.ATol plus kw.RTol times
// the second one.
func IsClose(a, b any, opts ...kw.CloseOption) array.Array {
	return isClose(arraylike("isclose", 0, a), arraylike("isclose", 1, b), kw.Collect(opts))
}

func tolerances(s kw.Set) (rtol, atol array.Array) {
	r, a := s.RTol, s.ATol
	if r == nil {
		r = 1e-5
	}
	if a == nil {
		a = 1e-8
	}
	return arraylike("isclose", 2, r), arraylike("isclose", 3, a)
}

func isClose(a, b array.Array, s kw.Set) array.Array {
	rtol, atol := tolerances(s)
	return named("isclose", fmt.Sprint(s.EqualNaN), func(xs []array.Array) array.Array {
		p := promoteInexact("isclose", promote("isclose", xs[0], xs[1])...)
		x, y := p[0], p[1]
		d := x.DType().Real()
		r, t := lax.ConvertElementType(xs[2], d), lax.ConvertElementType(xs[3], d)
		nan := LogicalAnd(IsNaN(x), IsNaN(y))
		finite := IsFinite(y)
		near := lax.Le(lax.Abs(lax.Sub(x, y)), lax.Add(t, lax.Mul(r, lax.Abs(y))))
		out := LogicalOr(lax.Eq(x, y), LogicalAnd(finite, near))
		if s.EqualNaN {
			return LogicalOr(out, nan)
		}
		return out
	}, a.Value(), b.Value(), rtol.Value(), atol.Value())
}

// AllClose tells whether all elements are close; see IsClose.
func AllClose(a, b any, opts ...kw.CloseOption) array.Array {
	s := kw.Collect(opts)
	rtol, atol := tolerances(s)
	return named("allclose", fmt.Sprint(s.EqualNaN), func(xs []array.Array) array.Array {
		t := s
		t.RTol, t.ATol = xs[2], xs[3]
		return All(isClose(xs[0], xs[1], t))
	}, arraylike("allclose", 0, a).Value(), arraylike("allclose", 1, b).Value(), rtol.Value(), atol.Value())
}

// ArrayEqual tells whether two arrays have the same shape and elements.
func ArrayEqual(a1, a2 any, opts ...kw.CloseOption) array.Array {
	x, y := AsArray(a1), AsArray(a2)
	if !slices.Equal(x.Shape(), y.Shape()) {
		return AsArray(false)
	}
	eq := x.Eq(y)
	if kw.Collect(opts).EqualNaN {
		eq = LogicalOr(eq, LogicalAnd(IsNaN(x), IsNaN(y)))
	}
	return All(eq)
}

// NanToNum replaces NaN by 0 and infinities by the largest numbers, or by
// kw.NaN, kw.PosInf and kw.NegInf.
func NanToNum(x any, opts ...kw.NanToNumOption) array.Array {
	s := kw.Collect(opts)
	given := []*any{}
	args := []core.Value{arraylike("nan_to_num", 0, x).Value()}
	for _, v := range []*any{&s.NaN, &s.PosInf, &s.NegInf} {
		if *v != nil {
			given = append(given, v)
			args = append(args, value("nan_to_num", "nan", *v))
		}
	}
	return named("nan_to_num", fmt.Sprint(s.NaN != nil, s.PosInf != nil, s.NegInf != nil), func(xs []array.Array) array.Array {
		x := xs[0]
		for i, v := range given {
			*v = xs[1+i]
		}
		d := x.DType()
		if !d.IsInexact() {
			return x
		}
		if d.IsComplex() {
			return lax.Complex(finite(lax.Real(x), s), finite(lax.Imag(x), s))
		}
		return finite(x, s)
	}, args...)
}

func finite(x array.Array, s kw.Set) array.Array {
	d := x.DType()
	as := func(v any, otherwise float64) array.Array {
		if v == nil {
			return lax.Number(otherwise, d, false)
		}
		return AsArray(v, kw.DType(d))
	}
	out := where(IsNaN(x), as(s.NaN, 0), x)
	out = where(IsPosInf(out), as(s.PosInf, dtype.MaxFloat(d)), out)
	return where(IsNegInf(out), as(s.NegInf, -dtype.MaxFloat(d)), out)
}

// SignBit tells which elements have the sign bit set.
func SignBit(x any) array.Array {
	return named("signbit", "", func(xs []array.Array) array.Array {
		x := xs[0]
		switch d := x.DType(); {
		case d.IsInt():
			return lax.Lt(x, lax.ConstLike(x, 0))
		case d.IsBool():
			return lax.FullLike(x, false, dtype.Bool)
		case !d.IsFloat():
			core.ValueErrorf("jax.numpy.signbit is not well defined for %s", d)
		}
		bits := x.DType().Bits()
		i, ok := map[int]dtype.DType{16: dtype.Int16, 32: dtype.Int32, 64: dtype.Int64}[bits]
		if !ok {
			core.Raise("NotImplementedError", "jax.numpy.signbit only supports 16, 32, and 64-bit types.")
		}
		return lax.ConvertElementType(lax.BitcastConvertType(x, i).Rsh(bits-1), dtype.Bool)
	}, value("signbit", "x", x))
}

// Trunc cuts off the fraction.
func Trunc(x any) array.Array {
	return named("trunc", "", func(xs []array.Array) array.Array {
		x := xs[0]
		if d := x.DType(); d.IsBool() || d.IsInt() {
			return x
		}
		return where(lax.Lt(x, lax.ConstLike(x, 0)), Ceil(x), Floor(x))
	}, value("trunc", "x", x))
}

// RInt rounds to the nearest integers, halves to even.
func RInt(x any) array.Array {
	return named("rint", "", func(xs []array.Array) array.Array {
		x := xs[0]
		switch d := x.DType(); {
		case d.IsBool() || d.IsInt():
			return lax.ConvertElementType(x, dtype.DefaultFloat(core.X64()))
		case d.IsComplex():
			return lax.Complex(RInt(lax.Real(x)), RInt(lax.Imag(x)))
		}
		return lax.Round(x, lax.ToNearestEven)
	}, value("rint", "x", x))
}

// FAbs is the absolute value as a floating-point number.
func FAbs(x any) array.Array {
	return unary("fabs", x, func(x array.Array) array.Array {
		if x.DType().IsComplex() {
			core.TypeErrorf("ufunc 'fabs' does not support complex dtypes")
		}
		return lax.Abs(promoteInexact("fabs", x)[0])
	})
}

// Deg2Rad turns degrees into radians.
func Deg2Rad(x any) array.Array {
	return unary("deg2rad", x, func(x array.Array) array.Array {
		x = promoteInexact("deg2rad", x)[0]
		return lax.Mul(x, lax.ConstLike(x, math.Pi/180))
	})
}

// Rad2Deg turns radians into degrees.
func Rad2Deg(x any) array.Array {
	return unary("rad2deg", x, func(x array.Array) array.Array {
		x = promoteInexact("rad2deg", x)[0]
		return lax.Mul(x, lax.ConstLike(x, 180/math.Pi))
	})
}

// Radians is Deg2Rad.
func Radians(x any) array.Array { return Deg2Rad(x) }

// Degrees is Rad2Deg.
func Degrees(x any) array.Array { return Rad2Deg(x) }

// LogAddExp gives log(exp(x1) + exp(x2)) without overflow.
func LogAddExp(x1, x2 any) array.Array {
	return binary12("logaddexp", x1, x2, func(x, y array.Array) array.Array {
		p := promoteInexact("logaddexp", x, y)
		return lax.LogAddExp(p[0], p[1])
	})
}

// FMod gives the remainder with the sign of x1.
func FMod(x1, x2 any) array.Array {
	return named("fmod", "", func(xs []array.Array) array.Array {
		x, y := xs[0], xs[1]
		if resultType(x, y).DType.IsInt() {
			y = where(y.Eq(0), lax.FullLike(y, 1, dtype.Invalid), y)
		}
		p := promoteNumeric("fmod", x, y)
		return lax.Rem(p[0], p[1])
	}, value("fmod", "x1", x1), value("fmod", "x2", x2))
}

// DivMod gives FloorDivide and Remainder.
func DivMod(x1, x2 any) (quotient, remainder array.Array) {
	out := lax.Named("divmod", "", func(vs []core.Value) []core.Value {
		p := promoteNumeric("divmod", wrap(vs)...)
		if p[0].DType().IsInt() {
			return unwrap(FloorDivide(p[0], p[1]), Remainder(p[0], p[1]))
		}
		q, r := floatDivMod(p[0], p[1])
		return unwrap(q, r)
	}, value("divmod", "x1", x1), value("divmod", "x2", x2))
	return array.New(out[0]), array.New(out[1])
}

// FloatPower is Power in floating-point numbers.
func FloatPower(x1, x2 any) array.Array {
	return binary("float_power", x1, x2, func(x, y array.Array) array.Array {
		p := promoteInexact("float_power", x, y)
		return lax.Pow(p[0], p[1])
	})
}

// CopySign gives x1 with the sign of x2.
func CopySign(x1, x2 any) array.Array {
	return named("copysign", "", func(xs []array.Array) array.Array {
		p := promoteInexact("copysign", xs...)
		if p[0].DType().IsComplex() {
			core.TypeErrorf("copysign does not support complex-valued inputs")
		}
		return where(AsType(SignBit(p[1]), dtype.Bool), lax.Abs(p[0]).Neg(), lax.Abs(p[0]))
	}, value("copysign", "x1", x1), value("copysign", "x2", x2))
}

// Heaviside gives 0 below zero, 1 above it, x2 at zero.
func Heaviside(x1, x2 any) array.Array {
	return named("heaviside", "", func(xs []array.Array) array.Array {
		p := promoteTypes(dtype.DType.ToInexact, xs...)
		x, y := p[0], p[1]
		zero := lax.ConstLike(x, 0)
		below, above := lax.Lt(x, zero), lax.Gt(x, zero)
		return where(below, zero, where(above, lax.ConstLike(x, 1), where(lax.Ne(x, x), x, y)))
	}, value("heaviside", "x1", x1), value("heaviside", "x2", x2))
}

// Angle gives the angle of complex numbers.
func Angle(z any) array.Array {
	return named("angle", "", func(xs []array.Array) array.Array {
		x := xs[0]
		re, im := Real(x), Imag(x)
		if d := re.DType(); !d.IsInexact() || x.NDim() == 0 && !x.DType().IsComplex() {
			d = dtype.DefaultFloat(core.X64())
			re, im = lax.ConvertElementType(re, d), lax.ConvertElementType(im, d)
		}
		return lax.Atan2(im, re)
	}, value("angle", "z", z))
}
