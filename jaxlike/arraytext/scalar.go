package arraytext

import (
	"math"
	"strconv"
	"strings"

	"gopherlo/jaxlike/dtype"
)

// scalarStr prints one element as str of a NumPy scalar.
func scalarStr(d dtype.DType, b []byte) string {
	switch {
	case d == dtype.Bool:
		if b[0] != 0 {
			return "True"
		}
		return "False"
	case d.IsUnsigned():
		return strconv.FormatUint(uint64(d.GetInt(b)), 10)
	case d.IsInt():
		return strconv.FormatInt(d.GetInt(b), 10)
	case d.IsComplex():
		return complexStr(d, d.GetComplex(b))
	case d == dtype.Float0:
		return "(b'',)"
	case !native(d):
		return general(d.GetFloat(b))
	}
	return floatStr(d, d.GetFloat(b), ".0")
}

// general prints as C's %g, which is what ml_dtypes does.
func general(v float64) string {
	if s, ok := special(v); ok {
		return s
	}
	s := strconv.FormatFloat(v, 'e', 5, 64)
	_, e, _ := strings.Cut(s, "e")
	exp, _ := strconv.Atoi(e)
	if exp < -4 || exp >= 6 {
		mant, _, _ := strings.Cut(s, "e")
		return strings.TrimRight(strings.TrimRight(mant, "0"), ".") + "e" + e
	}
	s = strconv.FormatFloat(v, 'f', 5-exp, 64)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

func special(v float64) (string, bool) {
	switch {
	case math.IsNaN(v):
		return "nan", true
	case math.IsInf(v, 1):
		return "inf", true
	case math.IsInf(v, -1):
		return "-inf", true
	}
	return "", false
}

// floatStr prints a float scalar of NumPy: without exponent from 1e-4 up to a
// bound that depends on the type. whole ends a whole number in positional
// form: ".0", or nothing inside a complex number.
func floatStr(d dtype.DType, v float64, whole string) string {
	if s, ok := special(v); ok {
		return s
	}
	bound := 1e16
	if d != dtype.Float64 {
		bound = math.Pow10(decimals(d))
	}
	if a := math.Abs(v); a != 0 && (a < 1e-4 || a >= bound) {
		s := scientific(d, v, -1, false)
		return strings.Replace(s, ".e", "e", 1)
	}
	s := positional(d, v, -1)
	if rest, ok := strings.CutSuffix(s, "."); ok {
		return rest + whole
	}
	return s
}

// complexStr prints a complex scalar of NumPy: (1+2j), 2j where the real part
// is a positive zero.
func complexStr(d dtype.DType, c complex128) string {
	im := floatStr(d.Real(), imag(c), "")
	if re := real(c); re == 0 && !math.Signbit(re) {
		return im + "j"
	}
	if im[0] != '-' {
		im = "+" + im
	}
	return "(" + floatStr(d.Real(), real(c), "") + im + "j)"
}
