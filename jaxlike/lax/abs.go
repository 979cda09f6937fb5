package lax

import (
	"math"

	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
)

// AbsP is the magnitude of each element.
var AbsP = core.NewPrimitive("abs")

func init() {
	AbsP.Define(core.Rules{
		AbstractEval: unop("abs", acceptSigned, dtype.DType.Real),
		JVP: ad.Std(AbsP, func(t, out core.Value, in []core.Value, _ core.Params) core.Value {
			x := in[0]
			if d := x.Aval().DType; d.IsComplex() {
				return realPart(mul(t, div(conj(x), replaceZero(convert(out, d, false)))))
			}
			return selectBool(ge(x, zero(x)), t, neg(t))
		}),
		Batch: batching.Vectorized(AbsP),
		Lower: func(c *core.LowerCtx, args []hloValue, p core.Params) []hloValue {
			if c.In[0].DType.IsComplex() {
				return lowerFun(func(in []core.Value, _ core.Params) core.Value {
					return hypot(realPart(in[0]), imagPart(in[0]))
				})(c, args, p)
			}
			return []hloValue{c.B.Unary("abs", args[0])}
		},
	})
}

// Abs gives the magnitude of each element.
func Abs(x any) array.Array { return apply(AbsP, x) }

func abs(x core.Value) core.Value { return AbsP.Bind1(nil, x) }

// hypot is the length of the vector (x, y). Both are scaled by a power of two
// so that no square overflows or vanishes (lax.py, hypot).
func hypot(x, y core.Value) core.Value {
	d := x.Aval().DType
	maxExp := 1 << (dtype.ExponentBits(d) - 1)
	k := (dtype.MantissaBits(d) + maxExp - 2 + 1) / 2
	high := (maxExp - 1) / 2
	ax, ay := abs(x), abs(y)
	m := maximum(ax, ay)
	isHigh := ge(m, constLike(x, math.Ldexp(1, high)))
	isLow := le(m, constLike(x, math.Ldexp(1, high-k)))
	down, up, unit := fullLike(x, math.Ldexp(1, -k)), fullLike(x, math.Ldexp(1, k)), fullLike(x, 1)
	scaled := func(v core.Value) core.Value {
		return selectBool(isHigh, mul(v, down), selectBool(isLow, mul(v, up), v))
	}
	sx, sy := scaled(x), scaled(y)
	back := selectBool(isHigh, up, selectBool(isLow, down, unit))
	length := sqrt(add(square(sx), square(sy)))
	r := mul(length, back)
	inf := fullLike(x, math.Inf(1))
	strong := func(v core.Value) core.Value { return convert(v, dtype.Bool, false) } // as | does
	isInf, isInfY := eq(ax, inf), eq(ay, inf)
	r = selectBool(or(strong(isInf), strong(isInfY)), inf, r)
	div(sx, length) // the unit vector, which nobody uses here
	div(sy, length)
	return r
}
