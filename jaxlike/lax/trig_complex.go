package lax

import "gopherlo/jaxlike/core"

// lowerTrig lowers sin or cos; complex ones by real functions of the parts.
func lowerTrig(op string, ofComplex func(in []core.Value, p core.Params) core.Value) core.LowerRule {
	byParts := lowerFun(ofComplex)
	return func(c *core.LowerCtx, args []hloValue, p core.Params) []hloValue {
		if c.In[0].DType.IsComplex() {
			return byParts(c, args, p)
		}
		return []hloValue{c.B.Unary(op, args[0])}
	}
}

// trigParts are what the sine and cosine of a complex number are made of: the
// real part, whether it is zero, its sine and cosine, and the hyperbolic sine
// and cosine of the imaginary part, by expm1 since that is precise near 0
// (lax.py, _sin_complex).
func trigParts(x core.Value) (a, isZero, sn, cs, snh, csh core.Value) {
	a = realPart(x)
	b := imagPart(x)
	isZero = eq(a, constLike(a, 0))
	two := constLike(a, 2)
	sn, cs = sin(a), cos(a)
	e1, e2 := expm1(b), expm1(neg(b))
	snh = div(sub(e1, e2), two)
	csh = div(add(add(e1, e2), two), two)
	return a, isZero, sn, cs, snh, csh
}

func sinComplex(in []core.Value, _ core.Params) core.Value {
	a, isZero, sn, cs, snh, csh := trigParts(in[0])
	re, im := mul(sn, csh), mul(cs, snh)
	return selectBool(isZero, complexOf(constLike(a, 0), im), complexOf(re, im))
}

func cosComplex(in []core.Value, _ core.Params) core.Value {
	a, isZero, sn, cs, snh, csh := trigParts(in[0])
	re, im := mul(cs, csh), mul(neg(sn), snh)
	return selectBool(isZero, complexOf(re, constLike(a, 0)), complexOf(re, im))
}
