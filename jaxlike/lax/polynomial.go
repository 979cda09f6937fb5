package lax

import (
	"slices"

	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
)

// PolynomialP evaluates a polynomial: operands are the argument and the
// coefficients, the constant one first (polynomial_p in jax/_src/lax/lax.py).
var PolynomialP = core.NewPrimitive("polynomial")

func init() {
	PolynomialP.Define(core.Rules{
		AbstractEval: func(in []*core.ShapedArray, p core.Params) []*core.ShapedArray {
			return nary("polynomial", func(d dtype.DType) dtype.DType { return d }, slices.Repeat([]accepted{acceptNum}, len(in))...)(in, p)
		},
		JVP:       jvpPolynomial,
		Transpose: transposePolynomial,
		Batch:     batching.Broadcasting(PolynomialP),
		Lower:     lowerFun(func(in []core.Value, _ core.Params) core.Value { return horner(in[0], in[1:]) }),
	})
}

// polynomial is the polynomial with the given numbers as coefficients.
func polynomial(x core.Value, coeffs ...float64) core.Value {
	cs := make([]core.Value, len(coeffs))
	for i, c := range coeffs {
		cs[i] = constLike(x, c)
	}
	return polynomialOf(x, cs)
}

func polynomialOf(x core.Value, coeffs []core.Value) core.Value {
	switch len(coeffs) {
	case 0:
		return zeros(x)
	case 1:
		shape, c := BroadcastShapes(x.Aval().Shape, coeffs[0].Aval().Shape), coeffs[0]
		dims := make([]int, c.Aval().NDim())
		for i := range dims {
			dims[i] = len(shape) - len(dims) + i
		}
		return broadcastInDim(c, shape, core.NewInts(dims...))
	}
	return PolynomialP.Bind1(nil, append([]core.Value{x}, coeffs...)...)
}

func jvpPolynomial(in, ts []core.Value, _ core.Params) ([]core.Value, []core.Value) {
	x, coeffs := in[0], in[1:]
	y := PolynomialP.Bind1(nil, in...)
	t := ad.ZeroOf(y)
	if !core.IsZero(ts[0]) {
		var slopes []core.Value
		for k, c := range coeffs[1:] {
			slopes = append(slopes, mul(constLike(c, float64(k+1)), c))
		}
		for i, c := range slopes {
			slopes[i] = convert(c, x.Aval().DType, false)
		}
		t = ad.Add(t, mul(ts[0], polynomialOf(x, slopes)))
	}
	if slices.ContainsFunc(ts[1:], func(v core.Value) bool { return !core.IsZero(v) }) {
		dots := make([]core.Value, len(coeffs))
		for i, d := range ts[1:] {
			if dots[i] = d; core.IsZero(d) {
				dots[i] = zeros(coeffs[i])
			}
			dots[i] = convert(dots[i], x.Aval().DType, false)
		}
		t = ad.Add(t, polynomialOf(x, dots))
	}
	return []core.Value{y}, []core.Value{t}
}

// transposePolynomial gives the cotangents of the coefficients, in which a
// polynomial is linear.
func transposePolynomial(cts, args []core.Value, _ core.Params) []core.Value {
	out := make([]core.Value, len(args))
	power := cts[0]
	for k, c := range args[1:] {
		if u, ok := c.(core.Undefined); ok {
			out[k+1] = unbroadcast(u.Aval(), power)
		}
		if k+2 < len(args) {
			power = mul(power, args[0])
		}
	}
	return out
}

// horner multiplies a polynomial out, the highest power first.
func horner(x core.Value, coeffs []core.Value) core.Value {
	acc := coeffs[len(coeffs)-1]
	for _, c := range slices.Backward(coeffs[:len(coeffs)-1]) {
		acc = add(mul(acc, x), c)
	}
	return acc
}
