package lax

import (
	"math"

	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
)

// The error function, its complement and its inverse (jax/_src/lax/special.py).
var (
	ErfP    = core.NewPrimitive("erf")
	ErfcP   = core.NewPrimitive("erfc")
	ErfInvP = core.NewPrimitive("erf_inv")
)

func init() {
	slope := func(factor float64) ad.OperandRule {
		return func(t, _ core.Value, in []core.Value, _ core.Params) core.Value {
			return mul(constLike(in[0], factor), mul(t, expNegSquare(in[0])))
		}
	}
	for _, q := range []struct {
		prim *core.Primitive
		rule ad.OperandRule
	}{
		{ErfP, slope(2 / math.Sqrt(math.Pi))},
		{ErfcP, slope(-2 / math.Sqrt(math.Pi))},
		{ErfInvP, func(t, out core.Value, in []core.Value, _ core.Params) core.Value {
			return mul(constLike(in[0], math.Sqrt(math.Pi)/2), mul(t, exp(square(out))))
		}},
	} {
		q.prim.Define(core.Rules{
			AbstractEval: unop(q.prim.Name, acceptFloat, same),
			JVP:          ad.Std(q.prim, q.rule),
			Batch:        batching.Vectorized(q.prim),
			Lower:        lowerUnary("chlo." + q.prim.Name),
		})
	}
}

// Erf gives the error function of each element.
func Erf(x any) array.Array { return apply(ErfP, x) }

// Erfc gives 1 - erf(x).
func Erfc(x any) array.Array { return apply(ErfcP, x) }

// ErfInv gives the inverse of the error function.
func ErfInv(x any) array.Array { return apply(ErfInvP, x) }

// expNegSquare is the bell curve exp(-x*x), with a derivative of its own
// (exp_neg_sq in jax/_src/lax/erf.py).
func expNegSquare(x core.Value) core.Value {
	c := &core.CustomJVP{
		Name: "exp_neg_sq", RuleName: "_exp_neg_sq_jvp", Debug: &core.DebugInfo{TracedFor: "custom_jvp fun", FuncName: "exp_neg_sq", FuncSource: "exp_neg_sq"},
		Fun: func(in []core.Value) []core.Value { return []core.Value{bell(in[0])} },
		Rule: func(in []core.Value) []core.Value {
			x, ans := in[0], expNegSquare(in[0])
			near := lt(AbsP.Bind1(nil, x), constLike(x, bellEnd(x)))
			safe := selectBool(near, x, zeros(x)) // where ans is 0, x may be infinite
			slope := array.New(constLike(x, -2)).Mul(array.New(safe)).Mul(array.New(ans)).Mul(array.New(in[1]))
			return []core.Value{ans, slope.Value()}
		},
	}
	return CustomJVP(c, x)[0]
}

// bellEnd is an argument at which the bell curve is 0.
func bellEnd(x core.Value) float64 {
	if x.Aval().DType == dtype.Float32 {
		return 11
	}
	return 28
}

// bell is exp(-x*x). The square is split in one that is exact and a small rest,
// so that its rounding does not grow in the exponential.
func bell(x core.Value) core.Value {
	bits, mask := dtype.Uint32, uint64(0xFFFFF000)
	switch x.Aval().DType {
	case dtype.Float32:
	case dtype.Float64:
		bits, mask = dtype.Uint64, 0xFFFFFFFFF8000000
	default:
		return exp(neg(square(x)))
	}
	ax := minimum(AbsP.Bind1(nil, x), constLike(x, bellEnd(x)))
	word := bitcast(ax, bits)
	high := array.New(bitcast(and(word, core.NewScalar(mask, bits, false)), x.Aval().DType))
	low := array.New(ax).Sub(high)
	main, rest := high.Mul(high), low.Mul(array.New(ax).Add(high))
	e := array.New(ExpP.Bind1(core.P("accuracy", accuracyHighest), main.Neg().Value()))
	return e.Add(e.Mul(array.New(expm1Small(rest.Neg().Value())))).Value()
}

// expm1Small is exp(u)-1 for small u.
func expm1Small(u core.Value) core.Value {
	coeffs := []float64{1, 0.5, 1. / 6, 1. / 24, 1. / 120}
	if u.Aval().DType == dtype.Float64 {
		coeffs = coeffs[:4]
	}
	return array.New(u).Mul(array.New(polynomial(u, coeffs...))).Value()
}
