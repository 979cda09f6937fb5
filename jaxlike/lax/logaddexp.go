package lax

import (
	"math"

	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/core"
)

// LogAddExp is log(exp(x) + exp(y)) without overflow (logaddexp in
// jax/_src/lax/other.py), with a derivative of its own.
func LogAddExp(x, y any) array.Array {
	return array.New(logAddExp(toValue("logaddexp", x, 0), toValue("logaddexp", y, 1)))
}

func logAddExp(x, y core.Value) core.Value {
	c := &core.CustomJVP{
		Name: "logaddexp", RuleName: "_logaddexp_jvp", Debug: &core.DebugInfo{TracedFor: "custom_jvp fun", FuncName: "logaddexp", FuncSource: "logaddexp"},
		Fun: func(in []core.Value) []core.Value { return []core.Value{logAddExpOf(in[0], in[1])} },
		Rule: func(in []core.Value) []core.Value {
			out := logAddExp(in[0], in[1])
			part := func(t, x core.Value) core.Value {
				return mul(t, exp(sub(withoutInf(x), withoutInf(out))))
			}
			return []core.Value{out, add(part(in[2], in[0]), part(in[3], in[1]))}
		},
	}
	return CustomJVP(c, x, y)[0]
}

func logAddExpOf(x, y core.Value) core.Value {
	d := x.Aval().DType
	if !d.IsInexact() {
		core.ValueErrorf("logaddexp requires floating-point or complex inputs; got %s", d)
	}
	high := maximum(x, y)
	if d.IsComplex() {
		delta := sub(add(x, y), mul(high, constLike(high, 2)))
		out := add(high, log1p(exp(delta)))
		return ComplexP.Bind1(nil, RealP.Bind1(nil, out), wrapBetween(ImagP.Bind1(nil, out), math.Pi))
	}
	delta := sub(x, y)
	nan := ne(delta, delta)
	special := add(x, y)
	return selectBool(nan, special, add(high, log1p(exp(neg(AbsP.Bind1(nil, delta))))))
}

// wrapBetween moves angles to between -a and a.
func wrapBetween(x core.Value, a float64) core.Value {
	half, whole, z := constLike(x, a), constLike(x, 2*a), zero(x)
	rest := RemP.Bind1(nil, add(x, half), whole)
	return sub(selectBool(lt(rest, z), add(rest, whole), rest), half)
}

func withoutInf(x core.Value) core.Value {
	re := x
	if x.Aval().DType.IsComplex() {
		re = RealP.Bind1(nil, x)
	}
	return selectBool(eq(re, constLike(re, math.Inf(1))), zeros(x), x)
}
