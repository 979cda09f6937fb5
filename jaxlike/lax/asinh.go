package lax

import (
	"math"

	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
)

// AsinhP is the inverse hyperbolic sine of each element.
var AsinhP = core.NewPrimitive("asinh")

func init() {
	AsinhP.Define(core.Rules{
		AbstractEval: unop("asinh", acceptInexact, same),
		JVP: ad.Std(AsinhP, func(t, _ core.Value, in []core.Value, _ core.Params) core.Value {
			return mul(t, asinhSlope(in[0]))
		}),
		Batch: batching.Vectorized(AsinhP),
		Lower: lowerUnary("chlo.asinh"),
	})
}

// Asinh gives the inverse hyperbolic sine of each element.
func Asinh(x any) array.Array { return apply(AsinhP, x) }

// asinhSlope is 1/sqrt(x*x+1), scaled so that nothing overflows; of a complex
// x*x+1 the parts are computed apart, which keeps the sides of the branch cuts
// (lax.py, _asinh_jvp).
func asinhSlope(x core.Value) core.Value {
	half := (1 << (dtype.ExponentBits(x.Aval().DType.Real()) - 1)) / 2
	inverse := func(size core.Value) core.Value {
		lowest, highest := math.Ldexp(1, 2-half), math.Ldexp(1, half+2)
		scale := clamp(one(size), mul(size, constLike(size, lowest)), constLike(size, highest))
		return integerPow(stopGradient(scale), -1)
	}
	if !x.Aval().DType.IsComplex() {
		inv := inverse(abs(x))
		y := mul(x, inv)
		return mul(inv, rsqrt(add(square(y), square(inv))))
	}
	re, im := realPart(x), imagPart(x)
	size := maximum(abs(re), abs(im))
	inv := inverse(size)
	re, im = mul(re, inv), mul(im, inv)
	reW := add(square(re), oneMinusSquare(im))
	r := rsqrt(complexOf(reW, mul(constLike(re, 2), mul(re, im))))
	atInf := eq(size, constLike(size, math.Inf(1)))
	reR := mul(realPart(r), inv)
	return selectBool(atInf, zeros(x), complexOf(reR, mul(imagPart(r), inv)))
}
