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

// asinhSlope is 1/sqrt(x*x+1), scaled so that nothing overflows
// (lax.py, _asinh_jvp).
func asinhSlope(x core.Value) core.Value {
	half := (1 << (dtype.ExponentBits(x.Aval().DType.Real()) - 1)) / 2
	scale := stopGradient(clamp(one(x), mul(abs(x), constLike(x, math.Ldexp(1, 2-half))), constLike(x, math.Ldexp(1, half+2))))
	inv := integerPow(scale, -1)
	y := mul(x, inv)
	return mul(inv, rsqrt(add(square(y), square(inv))))
}
