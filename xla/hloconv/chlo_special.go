package hloconv

import (
	"math"

	"gopherlo/xla/hlo"
)

// erfc uses 1 - erf below one and an approximation of its own above.
func erfc(e *expander, x *value) *value {
	wide := x.typ.Elem == hlo.F64
	var far *value
	if wide {
		far = erfcFar64(e, x)
	} else {
		far = erfcFar32(e, x)
	}
	one := e.like(1, x)
	var near *value
	if wide {
		near = erfNear64(e, x)
	} else {
		near = erfNear32(e, x)
	}
	near = e.sub(one, near)
	return e.sel(e.cmp("LT", e.abs(x), one), near, far)
}

func erfNear32(e *expander, x *value) *value {
	x2 := e.mul(x, x)
	return e.mul(x, e.poly(x2, erfT32))
}

func erfNear64(e *expander, x *value) *value {
	x2 := e.mul(x, x)
	n := e.mul(x, e.poly(x2, erfT64))
	return e.div(n, e.poly(x2, erfU64))
}

// erfcFar32 is exp(-x*x)/|x| times a polynomial in 1/x*x, reflected for
// negative x.
func erfcFar32(e *expander, x *value) *value {
	x2 := e.mul(x, x)
	z := e.neg(x2)
	ax := e.abs(x)
	one := e.like(1, x)
	r2 := e.div(one, x2)
	ez := e.exp(z)
	scale := e.mul(ez, e.div(one, ax))
	two := e.like(2, x)
	near := e.cmp("LT", ax, two)
	p := e.poly(r2, erfcP32)
	r := e.poly(r2, erfcR32)
	return erfcTail(e, x, z, e.mul(scale, e.sel(near, p, r)), 88.72283905206835, two)
}

func erfcFar64(e *expander, x *value) *value {
	z := e.neg(e.mul(x, x))
	ez := e.exp(z)
	ax := e.abs(x)
	n := e.mul(ez, e.poly(ax, erfcP64))
	near := e.div(n, e.poly(ax, erfcQ64))
	n = e.mul(ez, e.poly(ax, erfcR64))
	far := e.div(n, e.poly(ax, erfcS64))
	y := e.sel(e.cmp("LT", ax, e.like(8, x)), near, far)
	return erfcTail(e, x, z, y, 7.09782712893383996843e2, nil)
}

// erfcTail cuts y to zero where exp(z) underflows and reflects it for x < 0.
func erfcTail(e *expander, x, z, y *value, maxLog float64, two *value) *value {
	under := e.cmp("LT", z, e.like(-maxLog, x))
	zero := e.like(0, x)
	y = e.sel(under, zero, y)
	neg := e.cmp("LT", x, zero)
	if two == nil {
		two = e.like(2, x)
	}
	return e.sel(neg, e.sub(two, y), y)
}

func erfInv(e *expander, x *value) *value {
	w := e.neg(e.log1p(e.mul(x, e.neg(x))))
	var p *value
	if x.typ.Elem == hlo.F64 {
		p = erfInv64(e, x, w)
	} else {
		p = erfInv32(e, x, w)
	}
	y := e.mul(p, x)
	edge := e.cmp("EQ", e.abs(x), e.like(1, x))
	return e.sel(edge, e.mul(x, e.like(math.Inf(1), x)), y)
}

func erfInv32(e *expander, x, w *value) *value {
	lt := e.cmp("LT", w, e.like(5, x))
	coeff := func(i int) *value {
		a := e.like(erfInvA32[i], x)
		return e.sel(lt, a, e.like(erfInvB32[i], x))
	}
	near := e.sub(w, e.like(2.5, x))
	s := e.sqrt(w)
	w = e.sel(lt, near, e.sub(s, e.like(3, x)))
	p := coeff(0)
	for i := 1; i < len(erfInvA32); i++ {
		c := coeff(i)
		p = e.add(c, e.mul(p, w))
	}
	return p
}

func erfInv64(e *expander, x, w *value) *value {
	lt625 := e.cmp("LT", w, e.like(6.25, x))
	lt16 := e.cmp("LT", w, e.like(16, x))
	coeff := func(i int) *value {
		c := e.like(erfInvA64[i], x)
		if i < len(erfInvB64) {
			c = e.sel(lt625, c, e.like(erfInvB64[i], x))
		}
		if i < len(erfInvC64) {
			c = e.sel(lt16, c, e.like(erfInvC64[i], x))
		}
		return c
	}
	s := e.sqrt(w)
	near := e.sub(w, e.like(3.125, x))
	a := e.like(3.25, w)
	far := e.sub(s, e.sel(lt16, a, e.like(5, w)))
	w = e.sel(lt625, near, far)
	p := coeff(0)
	for i := 1; i < len(erfInvA64); i++ {
		c := coeff(i)
		q := e.add(c, e.mul(p, w))
		switch {
		case i < len(erfInvC64):
			p = q
		case i < len(erfInvB64):
			p = e.sel(lt16, q, p)
		default:
			p = e.sel(lt625, q, p)
		}
	}
	return p
}

// chebyshev evaluates a Chebyshev series.
func (e *expander) chebyshev(x *value, coeffs []float64) *value {
	b0, b1, b2 := e.like(0, x), e.like(0, x), e.like(0, x)
	for _, c := range coeffs {
		b2, b1 = b1, b0
		b0 = e.mul(x, b1)
		b0 = e.sub(b0, b2)
		b0 = e.add(b0, e.like(c, x))
	}
	d := e.sub(b0, b2)
	return e.mul(d, e.like(0.5, x))
}

func besselI1e(e *expander, x *value) *value {
	a, b := besselA32, besselB32
	if x.typ.Elem == hlo.F64 {
		a, b = besselA64, besselB64
	}
	z := e.abs(x)
	half, two := e.like(0.5, x), e.like(2, x)
	c32, eight := e.like(32, x), e.like(8, x)
	t := e.sub(e.mul(half, z), two)
	near := e.mul(z, e.chebyshev(t, a))
	t = e.sub(e.div(c32, z), two)
	far := e.chebyshev(t, b)
	far = e.div(far, e.sqrt(z))
	le := e.cmp("LE", z, eight)
	y := e.sel(le, near, far)
	return e.mul(e.unary("sign", x), y)
}

// The gamma functions use Lanczos' approximation with g = 7 and 9 terms.
const (
	lanczosG    = 7.0
	lanczosBase = 0.99999999999980993227684700473478
)

var lanczos = []float64{
	676.520368121885098567009190444019, -1259.13921672240287047156078755283,
	771.3234287776530788486528258894, -176.61502916214059906584551354,
	12.507343278686904814458936853, -0.13857109526572011689554707,
	9.984369578019570859563e-6, 1.50563273514931155834e-7,
}

// lanczosStart gives 1/2, whether x is below it, 1, and the argument of the
// series: -x or x-1.
func lanczosStart(e *expander, x *value) (half, reflect, one, z *value) {
	half = e.like(0.5, x)
	reflect = e.cmp("LT", x, half)
	neg := e.neg(x)
	one = e.like(1, x)
	return half, reflect, one, e.sel(reflect, neg, e.sub(x, one))
}

// lanczosLog gives t = z + g + 1/2 and its logarithm.
func lanczosLog(e *expander, x, z *value) (t, logT *value) {
	c := e.like(lanczosG+0.5, x)
	t = e.add(c, z)
	l := e.like(math.Log(lanczosG+0.5), x)
	return t, e.add(l, e.log1p(e.div(z, c)))
}

func lgamma(e *expander, x *value) *value {
	half, reflect, one, z := lanczosStart(e, x)
	a := e.like(lanczosBase, x)
	for i, k := range lanczos {
		c := e.like(k, x)
		n := e.like(i+1, x)
		a = e.add(a, e.div(c, e.add(z, n)))
	}
	t, logT := lanczosLog(e, x, z)
	q := e.div(t, logT)
	r := e.mul(e.sub(e.add(z, half), q), logT)
	logA := e.log(a)
	y := e.add(e.add(e.like((math.Log(2)+math.Log(math.Pi))/2, x), r), logA)

	ax := e.abs(x)
	frac := e.sub(ax, e.floor(ax))
	over := e.cmp("LT", half, frac)
	frac = e.sel(over, e.sub(one, frac), frac)
	denom := e.log(e.unary("sine", e.mul(e.like(math.Pi, x), frac)))
	m := e.sub(e.sub(e.like(math.Log(math.Pi), x), denom), y)
	fin := e.op("is_finite", denom.typ.WithElem(hlo.PRED), denom)
	m = e.sel(fin, m, e.neg(denom))
	y = e.sel(reflect, m, y)
	inf := e.cmp("EQ", e.abs(x), e.like(math.Inf(1), x))
	return e.sel(inf, e.like(math.Inf(1), x), y)
}

func digamma(e *expander, x *value) *value {
	_, reflect, _, z := lanczosStart(e, x)
	zero := e.like(0, x)
	a := e.like(lanczosBase, x)
	prime := zero
	for i, k := range lanczos {
		c := e.like(k, x)
		term := e.add(z, e.like(i+1, x))
		prime = e.sub(prime, e.div(c, e.mul(term, term)))
		a = e.add(a, e.div(c, term))
	}
	t, logT := lanczosLog(e, x, z)
	q := e.div(prime, a)
	g := e.div(e.like(lanczosG, x), t)
	y := e.sub(e.add(logT, q), g)
	reduced := e.add(x, e.abs(e.floor(e.add(x, e.like(0.5, x)))))
	pi := e.like(math.Pi, x)
	px := e.mul(pi, reduced)
	cos := e.unary("cosine", px)
	sin := e.unary("sine", px)
	m := e.sub(y, e.div(e.mul(pi, cos), sin))
	y = e.sel(reflect, m, y)
	return digammaPoles(e, x, zero, y)
}

// digammaPoles gives -inf at zero and NaN at the negative integers.
func digammaPoles(e *expander, x, zero, y *value) *value {
	isZero := e.cmp("EQ", x, zero)
	neg := e.cmp("LT", x, zero)
	isInt := e.cmp("EQ", x, e.floor(x))
	pole := e.binary("and", neg, isInt)
	y = e.sel(pole, e.like(math.NaN(), x), y)
	return e.sel(isZero, e.like(math.Inf(-1), x), y)
}

// zeta is Johansson's formula (5) of arXiv:1309.2877 with 9 terms of the sum
// and 12 of the tail.
func zeta(e *expander, x, q *value) *value {
	zero, one := e.like(0, q), e.like(1, q)
	acc := q
	nx := e.neg(x)
	sum := e.binary("power", q, nx)
	for range 9 {
		acc = e.add(acc, one)
		sum = e.add(sum, e.binary("power", acc, nx))
	}
	acc = e.add(acc, one)
	pow := e.binary("power", acc, nx)
	oneX := e.like(1, x)
	num := e.mul(pow, acc)
	tail := e.div(num, e.sub(x, oneX))
	r2 := e.div(one, e.mul(acc, acc))
	h := zero
	const terms = 12
	for i := range terms - 1 {
		l := e.add(x, e.like(2*terms-2-2*i, x))
		r := e.add(x, e.like(2*terms-3-2*i, x))
		h = e.mul(e.mul(l, r), e.mul(r2, e.add(h, e.like(1/zetaCoeffs[i], acc))))
	}
	half := e.like(0.5, pow)
	xa := e.div(x, acc)
	c := e.like(1/zetaCoeffs[terms-1], acc)
	bern := e.mul(pow, e.add(half, e.mul(xa, e.add(c, h))))
	exact := e.add(e.add(sum, tail), bern)
	ap, as := e.abs(pow), e.abs(sum)
	y := e.sel(e.cmp("LT", ap, e.mul(as, e.like(smallest(acc.typ.Elem), acc))), sum, exact)
	return zetaDomain(e, x, q, y, zero, one, oneX)
}

// zetaDomain gives NaN and infinity outside the function's domain.
func zetaDomain(e *expander, x, q, y, zero, one, oneX *value) *value {
	nan := e.like(math.NaN(), x)
	y = e.sel(e.cmp("LT", x, oneX), nan, y)
	le := e.cmp("LE", q, zero)
	frac := e.cmp("NE", x, e.floor(x))
	y = e.sel(e.binary("and", le, frac), nan, y)
	inf := e.like(math.Inf(1), x)
	qInt := e.cmp("EQ", q, e.floor(q))
	pole := e.binary("and", le, qInt)
	two := e.like(2, x)
	xInt := e.cmp("EQ", x, e.floor(x))
	even := e.cmp("EQ", e.binary("remainder", x, two), zero)
	evenInt := e.binary("and", xInt, even)
	y = e.sel(pole, e.sel(evenInt, inf, nan), y)
	return e.sel(e.cmp("EQ", x, one), inf, y)
}

func polygamma(e *expander, n, x *value) *value {
	one, two := e.like(1, x), e.like(2, x)
	sign := e.sub(e.mul(two, e.binary("remainder", n, two)), one)
	n1 := e.add(n, one)
	fact := e.exp(lgamma(e, n1))
	z := zeta(e, n1, x)
	y := e.mul(e.mul(sign, fact), z)
	zero := e.like(0, x)
	isZero := e.cmp("EQ", n, zero)
	y = e.sel(isZero, digamma(e, x), y)
	frac := e.cmp("NE", n, e.floor(n))
	neg := e.cmp("LT", n, zero)
	bad := e.binary("or", frac, neg)
	return e.sel(bad, e.like(math.NaN(), x), y)
}

// nextAfter works on the bits: one up or down in magnitude.
func nextAfter(e *expander, x, y *value) *value {
	bits := x.typ.Elem.Bits()
	elem := map[int]hlo.PrimitiveType{8: hlo.S8, 16: hlo.S16, 32: hlo.S32, 64: hlo.S64}[bits]
	t := x.typ.WithElem(elem)
	xi := e.op("bitcast_convert", t, x)
	yi := e.op("bitcast_convert", t, y)
	xNaN := e.cmp("NE", x, x)
	anyNaN := e.binary("or", xNaN, e.cmp("NE", y, y))
	nan := e.op("bitcast_convert", t, e.like(math.NaN(), x))
	signBit := int64(math.MinInt64) >> (64 - bits)
	sign, rest := e.like(signBit, xi), e.like(^signBit, xi)
	xAbs := e.binary("and", xi, rest)
	yAbs := e.binary("and", yi, rest)
	equal := e.cmp("EQ", x, y)
	zero := e.like(0, xi)
	xZero := e.cmp("EQ", xAbs, zero)
	yZero := e.cmp("EQ", yAbs, zero)
	xSign := e.binary("and", xi, sign)
	ySign := e.binary("and", yi, sign)
	one := e.like(1, xi)
	fromZero := e.binary("or", ySign, one)
	disagree := e.cmp("NE", xSign, ySign)
	larger := e.cmp("GT", xAbs, yAbs)
	down := e.binary("or", larger, disagree)
	minus := e.like(-1, xi)
	r := e.add(xi, e.sel(down, minus, one))
	r = e.sel(xZero, e.sel(yZero, yi, fromZero), r)
	r = e.sel(equal, yi, r)
	r = e.sel(anyNaN, nan, r)
	return e.op("bitcast_convert", x.typ, r)
}

// f32s rounds coefficients that the source gives as float.
func f32s(c ...float64) []float64 {
	for i := range c {
		c[i] = float64(float32(c[i]))
	}
	return c
}
