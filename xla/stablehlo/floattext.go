package stablehlo

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"gopherlo/xla/hlo"
)

// appendFloat appends a float as MLIR's AsmPrinter does (printFloatValue): six
// significant digits in exponent form when they read back the same, else
// APFloat's own digits, else the bits.
func appendFloat(buf []byte, e hlo.PrimitiveType, bits uint64) []byte {
	v := DecodeFloat(e, bits)
	if !math.IsNaN(v) && !math.IsInf(v, 0) {
		d := newDecimal(v)
		s := d.exponentForm()
		if p, err := strconv.ParseFloat(s, floatBits(e)); err == nil && EncodeFloat(e, p) == bits {
			return append(buf, s...)
		}
		if s := d.plainForm(2 + mantissaBits[e]*59/196); strings.Contains(s, ".") {
			return append(buf, s...)
		}
	}
	return append(append(buf, "0x"...), strings.ToUpper(strconv.FormatUint(bits, 16))...)
}

func floatBits(e hlo.PrimitiveType) int {
	if e == hlo.F32 {
		return 32
	}
	return 64
}

// decimal is a number as sig * 10**exp, exactly.
type decimal struct {
	neg bool
	sig *big.Int
	exp int
}

func newDecimal(v float64) decimal {
	fr, exp := math.Frexp(math.Abs(v))
	sig := uint64(math.Ldexp(fr, 53))
	if sig == 0 {
		return decimal{neg: math.Signbit(v), sig: new(big.Int)}
	}
	exp -= 53
	for sig&1 == 0 {
		sig >>= 1
		exp++
	}
	d := decimal{neg: math.Signbit(v), sig: new(big.Int).SetUint64(sig)}
	if exp >= 0 {
		d.sig.Lsh(d.sig, uint(exp))
		return d
	}
	d.sig.Mul(d.sig, new(big.Int).Exp(big.NewInt(5), big.NewInt(int64(-exp)), nil))
	d.exp = exp
	return d
}

// digits gives at most n significant digits, without trailing zeros, and the
// exponent of the last one. It cuts and rounds as APFloat::toString does
// (llvm/lib/Support/APFloat.cpp): a division by a power of ten that truncates,
// then rounding half up of what digits are left over.
func (d decimal) digits(n int) (string, int) {
	sig, exp := d.sig, d.exp
	if over := sig.BitLen() - (n*196+58)/59; over > 0 {
		if tens := over * 59 / 196; tens > 0 {
			sig = new(big.Int).Quo(sig, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(tens)), nil))
			exp += tens
		}
	}
	s := sig.String()
	if t := strings.TrimRight(s, "0"); len(t) < len(s) {
		exp += len(s) - len(t)
		s = t
	}
	if len(s) <= n {
		return s, exp
	}
	exp += len(s) - n
	up := s[n] >= '5'
	digits := []byte(s[:n])
	for i := n - 1; up && i >= 0; i-- {
		if digits[i] != '9' {
			digits[i]++
			up = false
			break
		}
		digits[i] = '0'
	}
	if up { // all nines
		return "1", exp + n
	}
	t := strings.TrimRight(string(digits), "0")
	return t, exp + n - len(t)
}

// exponentForm gives six significant digits, padded to seven: 6.931470e-01.
func (d decimal) exponentForm() string {
	sign := ""
	if d.neg {
		sign = "-"
	}
	if d.sig.Sign() == 0 {
		return sign + "0.000000e+00"
	}
	digits, last := d.digits(6)
	exp := last + len(digits) - 1
	digits += strings.Repeat("0", 7-len(digits))
	expSign := "e+"
	if exp < 0 {
		expSign, exp = "e-", -exp
	}
	if exp < 10 {
		expSign += "0"
	}
	return sign + digits[:1] + "." + digits[1:] + expSign + strconv.Itoa(exp)
}

// plainForm gives up to n significant digits as APFloat::toString with its
// default arguments does: 0.333333343, 9.99999974E-6, 16777216.
func (d decimal) plainForm(n int) string {
	digits, last := d.digits(n)
	if digits == "" {
		digits, last = "0", 0
	}
	sign := ""
	if d.neg {
		sign = "-"
	}
	const maxPadding = 3
	exp := last + len(digits) - 1 // of the first digit
	scientific := last > maxPadding
	if last < 0 {
		scientific = exp < -maxPadding
	}
	switch {
	case scientific:
		frac := digits[1:]
		if frac == "" {
			frac = "0"
		}
		expSign := "E"
		if exp >= 0 {
			expSign = "E+"
		}
		return sign + digits[:1] + "." + frac + expSign + strconv.Itoa(exp)
	case last >= 0:
		return sign + digits + strings.Repeat("0", last)
	case exp >= 0:
		return sign + digits[:exp+1] + "." + digits[exp+1:]
	}
	return sign + "0." + strings.Repeat("0", -exp-1) + digits
}
