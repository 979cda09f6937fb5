package hlo

import "math"

// floatFormat describes a float type of at most 16 bits.
type floatFormat struct {
	exp, man int // bits of exponent and mantissa
	bias     int
	unsigned bool // no sign bit (f8e8m0fnu)
	fnuz     bool // no negative zero; its code is the only NaN
	noInf    bool // top exponent is finite (overflow gives NaN, or the largest value in noNaN types)
	noNaN    bool // every code is finite
}

// smallFloats follows the definitions in ml_dtypes and XLA's primitive_util.
var smallFloats = map[PrimitiveType]*floatFormat{
	F16:           {exp: 5, man: 10, bias: 15},
	BF16:          {exp: 8, man: 7, bias: 127},
	F8E5M2:        {exp: 5, man: 2, bias: 15},
	F8E4M3:        {exp: 4, man: 3, bias: 7},
	F8E3M4:        {exp: 3, man: 4, bias: 3},
	F8E4M3FN:      {exp: 4, man: 3, bias: 7, noInf: true},
	F8E4M3B11FNUZ: {exp: 4, man: 3, bias: 11, fnuz: true, noInf: true},
	F8E5M2FNUZ:    {exp: 5, man: 2, bias: 16, fnuz: true, noInf: true},
	F8E4M3FNUZ:    {exp: 4, man: 3, bias: 8, fnuz: true, noInf: true},
	F8E8M0FNU:     {exp: 8, man: 0, bias: 127, unsigned: true, noInf: true},
	F4E2M1FN:      {exp: 2, man: 1, bias: 1, noInf: true, noNaN: true},
	F6E3M2FN:      {exp: 3, man: 2, bias: 3, noInf: true, noNaN: true},
	F6E2M3FN:      {exp: 2, man: 3, bias: 1, noInf: true, noNaN: true},
}

func (f *floatFormat) signBit() uint32 { return 1 << (f.exp + f.man) }

// isNaN reports whether code b is a NaN.
func (f *floatFormat) isNaN(b uint32) bool {
	mag := b & (f.signBit() - 1)
	switch {
	case f.noNaN:
		return false
	case f.fnuz:
		return b&f.signBit() != 0 && mag == 0
	case f.noInf:
		return mag == f.signBit()-1
	}
	return mag>>f.man == 1<<f.exp-1 && mag&(1<<f.man-1) != 0
}

// nan is the NaN code that conversions give, without sign.
func (f *floatFormat) nan() uint32 {
	switch {
	case f.fnuz:
		return f.signBit()
	case f.noInf:
		return f.signBit() - 1
	}
	return (1<<f.exp-1)<<f.man | 1<<(f.man-1)
}

// maxFinite is the largest finite code.
func (f *floatFormat) maxFinite() uint32 {
	switch {
	case f.noNaN, f.fnuz:
		return f.signBit() - 1
	case f.noInf:
		return f.signBit() - 2
	}
	return (1<<f.exp-1)<<f.man - 1
}

func (f *floatFormat) decode(b uint32) float64 {
	neg := !f.unsigned && b&f.signBit() != 0
	sign := 1.0
	if neg {
		sign = -1
	}
	if f.isNaN(b) {
		return math.Copysign(math.NaN(), sign)
	}
	mag := b & (f.signBit() - 1)
	e, m := int(mag>>f.man), float64(mag&(1<<f.man-1))
	if !f.noInf && e == 1<<f.exp-1 {
		return math.Inf(int(sign))
	}
	if e == 0 && !f.unsigned {
		return sign * math.Ldexp(m, 1-f.bias-f.man)
	}
	return sign * math.Ldexp(m+float64(int(1)<<f.man), e-f.bias-f.man)
}

// encode rounds v to the nearest code, ties to even.
func (f *floatFormat) encode(v float64) uint32 {
	sign := uint32(0)
	if math.Signbit(v) && !f.unsigned {
		sign = f.signBit()
	}
	switch a := math.Abs(v); {
	case v != v || f.unsigned && v <= 0:
		if f.noNaN || f.fnuz {
			return f.signBit()
		}
		return sign | f.nan()
	case math.IsInf(v, 0):
		return f.overflow(sign)
	default:
		mag := f.round(a)
		if mag > f.maxFinite() {
			return f.overflow(sign)
		}
		if mag == 0 && f.fnuz {
			return 0
		}
		return sign | mag
	}
}

func (f *floatFormat) overflow(sign uint32) uint32 {
	switch {
	case f.noNaN:
		return sign | f.maxFinite()
	case f.fnuz:
		return f.signBit()
	case f.noInf:
		return sign | f.nan()
	}
	return sign | (1<<f.exp-1)<<f.man
}

// round gives the code of a >= 0 without regard to an upper limit.
func (f *floatFormat) round(a float64) uint32 {
	if a == 0 {
		return 0
	}
	_, e := math.Frexp(a)
	e-- // a = 1.x * 2^e
	lo := 1 - f.bias
	if f.unsigned {
		lo = -f.bias
	}
	e = max(e, lo)
	m := math.RoundToEven(math.Ldexp(a, f.man-e)) // units of the last place at exponent e
	if m >= 1<<60 || e+f.bias > 1<<20 {
		return math.MaxUint32
	}
	if f.unsigned {
		if m >= 2 {
			e++
		}
		return uint32(e + f.bias)
	}
	// With the hidden bit in m, adding carries into the exponent by itself.
	return uint32(int64(e-lo)<<f.man + int64(m))
}
