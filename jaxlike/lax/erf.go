package lax

import (
	"math"

	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
)

// The error function, its complement and its inverse (jax/_src/lax/special.py).
var (
	ErfP    = core.NewPrimitive("erf")
	ErfcP   = core.NewPrimitive("erfc")
	ErfInvP = core.NewPrimitive("erf_inv")
)

func init() {
	// The bell curve exp(-x*x), which JAX computes in two parts for the last bit.
	bell := func(x core.Value) core.Value { return exp(neg(square(x))) }
	slope := func(factor float64) ad.OperandRule {
		return func(t, _ core.Value, in []core.Value, _ core.Params) core.Value {
			return mul(constLike(in[0], factor), mul(t, bell(in[0])))
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
