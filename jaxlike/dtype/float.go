package dtype

import "math"

// format describes a binary floating-point format of at most 16 bits.
type format struct {
	exp, man int // widths of exponent and mantissa
	bias     int
	max      uint32 // bits of the largest finite magnitude
	inf      uint32 // bits of +inf; equal to nan where the format has none
	nan      uint32 // bits of NaN
	fnuz     bool   // no negative zero; NaN has no sign
}

// formats lists the formats as ml_dtypes defines them; float8_e8m0fnu, which
// has neither sign nor mantissa, is handled apart.
var formats = map[DType]format{
	Float16:           {5, 10, 15, 0x7bff, 0x7c00, 0x7e00, false},
	BFloat16:          {8, 7, 127, 0x7f7f, 0x7f80, 0x7fc0, false},
	Float8E5M2:        {5, 2, 15, 0x7b, 0x7c, 0x7e, false},
	Float8E4M3:        {4, 3, 7, 0x77, 0x78, 0x7c, false},
	Float8E3M4:        {3, 4, 3, 0x6f, 0x70, 0x78, false},
	Float8E4M3FN:      {4, 3, 7, 0x7e, 0x7f, 0x7f, false},
	Float8E4M3B11FNUZ: {4, 3, 11, 0x7f, 0x80, 0x80, true},
	Float8E4M3FNUZ:    {4, 3, 8, 0x7f, 0x80, 0x80, true},
	Float8E5M2FNUZ:    {5, 2, 16, 0x7f, 0x80, 0x80, true},
	// Overflow saturates; NaN becomes a zero of the other sign.
	Float4E2M1FN: {2, 1, 1, 0x7, 0x7, 0x8, false},
}

func (f format) sign() uint32 { return 1 << (f.exp + f.man) }

// encode rounds v to the format, ties to even.
func (f format) encode(v float64) uint32 {
	var s uint32
	if math.Signbit(v) {
		s = f.sign()
	}
	if math.IsNaN(v) {
		if f.fnuz {
			return f.nan
		}
		return f.nan ^ s
	}
	b := f.magnitude(math.Abs(v))
	if f.fnuz && (b == 0 || b == f.nan) {
		return b
	}
	return b | s
}

func (f format) magnitude(a float64) uint32 {
	if a == 0 {
		return 0
	}
	if math.IsInf(a, 0) {
		return f.inf
	}
	_, e := math.Frexp(a)
	e-- // a = 1.x * 2^e
	if low := 1 - f.bias; e < low {
		e = low // subnormal: fixed step
	}
	q := uint32(math.RoundToEven(math.Ldexp(a, f.man-e)))
	// A carry out of the mantissa runs into the exponent, as it should.
	if field := e + f.bias - 1; field < 1<<(f.exp+1) {
		if b := uint32(field)<<f.man + q; b <= f.max {
			return b
		}
	}
	return f.inf
}

// decode returns the exact value of the bits.
func (f format) decode(b uint32) float64 {
	mag := b &^ f.sign()
	neg := b&f.sign() != 0
	var v float64
	switch {
	case f.fnuz && b == f.nan:
		return math.NaN()
	case mag > f.max:
		if mag != f.inf || f.inf == f.nan {
			return math.NaN()
		}
		v = math.Inf(1)
	default:
		e := int(mag >> f.man)
		m := float64(mag & (1<<f.man - 1))
		if e == 0 {
			v = math.Ldexp(m, 1-f.bias-f.man)
		} else {
			v = math.Ldexp(m+float64(int(1)<<f.man), e-f.bias-f.man)
		}
	}
	if neg {
		return math.Copysign(v, -1)
	}
	return v
}

// encodeE8M0 rounds to a power of two, upwards from the middle of two powers
// as ml_dtypes does; what is not positive and finite is NaN.
func encodeE8M0(v float64) uint32 {
	const nan = 0xff
	if !(float32(v) > 0) || v > math.MaxFloat32 {
		return nan
	}
	fr, e := math.Frexp(v)
	e--
	if fr >= 0.75 {
		e++
	}
	switch {
	case e < -127:
		return 0
	case e > 127:
		return nan
	}
	return uint32(e + 127)
}

// FloatBits returns the bits of v rounded to the floating-point type d (ties to
// even; overflow to infinity or NaN as the type has it).
func FloatBits(d DType, v float64) uint64 {
	switch d {
	case Float64:
		return math.Float64bits(v)
	case Float32:
		return uint64(math.Float32bits(float32(v)))
	case Float8E8M0FNU:
		return uint64(encodeE8M0(v))
	}
	return uint64(formats[d].encode(v))
}

// FromFloatBits returns the value of the bits of a floating-point type d.
func FromFloatBits(d DType, b uint64) float64 {
	switch d {
	case Float64:
		return math.Float64frombits(b)
	case Float32:
		return float64(math.Float32frombits(uint32(b)))
	case Float8E8M0FNU:
		if b == 0xff {
			return math.NaN()
		}
		return math.Ldexp(1, int(b)-127)
	}
	return formats[d].decode(uint32(b))
}

// RoundFloat returns v as a value of the floating-point type d would read back.
func RoundFloat(d DType, v float64) float64 { return FromFloatBits(d, FloatBits(d, v)) }

// MaxFloat returns the largest finite value of a floating-point type.
func MaxFloat(d DType) float64 {
	switch d {
	case Float64:
		return math.MaxFloat64
	case Float32:
		return math.MaxFloat32
	case Float8E8M0FNU:
		return math.Ldexp(1, 127)
	}
	f := formats[d]
	return f.decode(f.max)
}

// HasInf reports whether the floating-point type d has infinities.
func HasInf(d DType) bool {
	if d == Float32 || d == Float64 {
		return true
	}
	f, ok := formats[d]
	return ok && f.inf == f.max+1 && f.inf != f.nan
}

// MantissaBits returns the stored mantissa bits of a floating-point type
// (JAX's finfo.nmant).
func MantissaBits(d DType) int {
	switch d {
	case Float64:
		return 52
	case Float32:
		return 23
	}
	return formats[d].man
}

// ExponentBits returns the exponent bits of a floating-point type.
func ExponentBits(d DType) int {
	switch d {
	case Float64:
		return 11
	case Float32, Float8E8M0FNU:
		return 8
	}
	return formats[d].exp
}
