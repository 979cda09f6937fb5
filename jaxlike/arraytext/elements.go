package arraytext

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"gopherlo/jaxlike/dtype"
)

// formatter returns the function that prints one element so that all of shown
// line up; alone is set for an array of rank 0.
func formatter(d dtype.DType, shown [][]byte, alone bool) func([]byte) string {
	switch {
	case d == dtype.Bool:
		return boolFormat(alone)
	case !native(d): // str of each, unaligned
		return func(b []byte) string { return scalarStr(d, b) }
	case d.IsInt():
		return intFormat(d, shown)
	case d.IsComplex():
		return complexFormat(d, shown)
	}
	f := newFloatFormat(d, floats(d, shown), false)
	return func(b []byte) string { return f.format(d.GetFloat(b)) }
}

// native reports whether d is a type of NumPy itself; the others come from
// ml_dtypes and print with their own str.
func native(d dtype.DType) bool {
	switch d {
	case dtype.Float16, dtype.Float32, dtype.Float64, dtype.Complex64, dtype.Complex128:
		return true
	}
	return d.IsInt() && d.Bits() >= 8
}

func boolFormat(alone bool) func([]byte) string {
	yes := " True" // as wide as False
	if alone {
		yes = "True"
	}
	return func(b []byte) string {
		if b[0] != 0 {
			return yes
		}
		return "False"
	}
}

func intFormat(d dtype.DType, shown [][]byte) func([]byte) string {
	width := 0
	for _, b := range shown {
		width = max(width, len(scalarStr(d, b)))
	}
	return func(b []byte) string { return fmt.Sprintf("%*s", width, scalarStr(d, b)) }
}

func complexFormat(d dtype.DType, shown [][]byte) func([]byte) string {
	re, im := make([]float64, len(shown)), make([]float64, len(shown))
	for i, b := range shown {
		c := d.GetComplex(b)
		re[i], im[i] = real(c), imag(c)
	}
	part := d.Real()
	fr, fi := newFloatFormat(part, re, false), newFloatFormat(part, im, true)
	return func(b []byte) string {
		c := d.GetComplex(b)
		i := fi.format(imag(c))
		digits := strings.TrimRight(i, " ")
		return fr.format(real(c)) + digits + "j" + i[len(digits):]
	}
}

func floats(d dtype.DType, shown [][]byte) []float64 {
	out := make([]float64, len(shown))
	for i, b := range shown {
		out[i] = d.GetFloat(b)
	}
	return out
}

// floatFormat is NumPy's FloatingFormat: one notation and width for all
// elements.
type floatFormat struct {
	d         dtype.DType
	plus      bool
	exp       bool
	expDigits int
	precision int
	left      int
	right     int
}

// decimals is finfo(d).precision, the decimal digits that always survive.
func decimals(d dtype.DType) int {
	switch d {
	case dtype.Float16:
		return 3
	case dtype.Float32:
		return 6
	}
	return 15
}

func newFloatFormat(d dtype.DType, all []float64, plus bool) *floatFormat {
	f := &floatFormat{d: d, plus: plus}
	var finite []float64
	lo, hi := math.Inf(1), 0.0
	negInf := false
	for _, v := range all {
		if math.IsInf(v, 0) || math.IsNaN(v) {
			negInf = negInf || math.IsInf(v, -1)
			continue
		}
		finite = append(finite, v)
		if a := math.Abs(v); a != 0 {
			lo, hi = min(lo, a), max(hi, a)
		}
	}
	if hi > 0 {
		cutoff := math.Pow10(min(8, decimals(d)))
		f.exp = hi >= dtype.RoundFloat(d, cutoff) || lo < dtype.RoundFloat(d, 0.0001) || dtype.RoundFloat(d, hi/lo) > 1000
	}
	if f.exp {
		f.measureExp(finite)
	} else {
		f.measurePositional(finite)
	}
	if len(finite) < len(all) {
		offset := f.right + 1
		inf := 3
		if negInf || plus {
			inf = 4
		}
		f.left = max(f.left, 3-offset, inf-offset)
	}
	return f
}

func (f *floatFormat) measureExp(vs []float64) {
	for _, v := range vs {
		mant, exp, _ := strings.Cut(f.signed(scientific(f.d, v, precision, false)), "e")
		whole, frac, _ := strings.Cut(mant, ".")
		f.expDigits = max(f.expDigits, len(exp)-1)
		f.precision = max(f.precision, len(frac))
		f.left = max(f.left, len(whole))
	}
	f.right = f.expDigits + 2 + f.precision
}

func (f *floatFormat) measurePositional(vs []float64) {
	for _, v := range vs {
		whole, frac, _ := strings.Cut(f.signed(positional(f.d, v, precision)), ".")
		f.left = max(f.left, len(whole))
		f.right = max(f.right, len(frac))
	}
}

func (f *floatFormat) signed(s string) string {
	if f.plus && s[0] != '-' {
		return "+" + s
	}
	return s
}

func (f *floatFormat) format(v float64) string {
	var s string
	switch {
	case math.IsNaN(v):
		s = "nan"
		if f.plus {
			s = "+nan"
		}
		return fmt.Sprintf("%*s", f.left+f.right+1, s)
	case math.IsInf(v, 0):
		s = "inf"
		if v < 0 {
			s = "-inf"
		}
		return fmt.Sprintf("%*s", f.left+f.right+1, f.signed(s))
	case f.exp:
		s = f.signed(padExp(scientific(f.d, v, f.precision, true), f.expDigits))
	default:
		s = f.signed(positional(f.d, v, precision))
	}
	whole, frac, _ := strings.Cut(s, ".")
	s = strings.Repeat(" ", max(0, f.left-len(whole))) + s
	if !f.exp {
		s += strings.Repeat(" ", max(0, f.right-len(frac)))
	}
	return s
}

// shortest returns the fewest digits after the point of the d.ddde±xx form
// that identify v among the values of type d.
func shortest(d dtype.DType, v float64) int {
	switch d {
	case dtype.Float64:
		return mantDigits(strconv.FormatFloat(v, 'e', -1, 64))
	case dtype.Float32:
		return mantDigits(strconv.FormatFloat(v, 'e', -1, 32))
	}
	for n := range 17 {
		s := strconv.FormatFloat(v, 'e', n, 64)
		if r, _ := strconv.ParseFloat(s, 64); dtype.RoundFloat(d, r) == v {
			return n
		}
	}
	return 17
}

func mantDigits(s string) int {
	mant, _, _ := strings.Cut(s, "e")
	_, frac, _ := strings.Cut(mant, ".")
	return len(frac)
}

// digits prints v in the form d.ddde±xx with the shortest identifying digits
// (or, with prec >= 0, at most prec after the point, rounded from the exact
// value).
func digits(d dtype.DType, v float64, prec int) string {
	n := shortest(d, v)
	if prec >= 0 && n > prec {
		n = prec
		return strconv.FormatFloat(v, 'e', n, 64)
	}
	if d == dtype.Float32 {
		return strconv.FormatFloat(v, 'e', -1, 32)
	}
	return strconv.FormatFloat(v, 'e', n, 64)
}

// scientific prints with at most prec digits after the point; keep fills up to
// exactly prec with further exact digits, else trailing zeros go.
func scientific(d dtype.DType, v float64, prec int, keep bool) string {
	var s string
	if keep {
		s = strconv.FormatFloat(v, 'e', prec, 64)
	} else {
		s = digits(d, v, prec)
	}
	mant, exp, _ := strings.Cut(s, "e")
	if !strings.Contains(mant, ".") {
		mant += "."
	}
	if !keep {
		mant = strings.TrimRight(mant, "0")
	}
	return mant + "e" + exp
}

// padExp gives the exponent at least n digits.
func padExp(s string, n int) string {
	mant, exp, _ := strings.Cut(s, "e")
	return mant + "e" + exp[:1] + strings.Repeat("0", max(0, n-len(exp)+1)) + exp[1:]
}

// positional prints without exponent and with at most prec digits after the
// point (prec < 0: as many as identify v), trailing zeros cut: "1.", "0.25".
func positional(d dtype.DType, v float64, prec int) string {
	short := digits(d, v, -1)
	_, e, _ := strings.Cut(short, "e")
	exp, _ := strconv.Atoi(e)
	var s string
	if n := mantDigits(short) - exp; prec >= 0 && n > prec {
		s = strconv.FormatFloat(v, 'f', prec, 64)
	} else {
		s = shift(short, exp)
	}
	if !strings.Contains(s, ".") {
		s += "."
	}
	return strings.TrimRight(s, "0")
}

// shift writes the digits of the e-form s without its exponent.
func shift(s string, exp int) string {
	mant, _, _ := strings.Cut(s, "e")
	sign := ""
	if mant[0] == '-' {
		sign, mant = "-", mant[1:]
	}
	all := strings.Replace(mant, ".", "", 1)
	switch {
	case exp < 0:
		return sign + "0." + strings.Repeat("0", -exp-1) + all
	case exp >= len(all)-1:
		return sign + all + strings.Repeat("0", exp-len(all)+1)
	}
	return sign + all[:exp+1] + "." + all[exp+1:]
}
