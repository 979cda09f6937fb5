package lax

import (
	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
	"gopherlo/xla/stablehlo"
)

// ExpP is the exponential of each element.
var ExpP = core.NewPrimitive("exp")

func init() {
	ExpP.Define(core.Rules{
		AbstractEval: unop("exp", acceptInexact, same),
		JVP: ad.Std(ExpP, func(t, out core.Value, _ []core.Value, _ core.Params) core.Value {
			return mul(t, out)
		}),
		Batch:       batching.Vectorized(ExpP),
		Lower:       lowerExp,
		PrintParams: func(e *core.Eqn) core.Params { return e.Params },
	})
}

// accuracyMode is how accurate a function has to be (AccuracyMode in
// jax/_src/lax/lax.py).
type accuracyMode string

const accuracyHighest accuracyMode = "HIGHEST"

// PyRepr is the mode as it prints in jaxprs.
func (m accuracyMode) PyRepr() string { return "AccuracyMode." + string(m) }

// lowerExp gives the operation; one of a certain accuracy comes after one
// without, which nothing uses.
func lowerExp(c *core.LowerCtx, args []hloValue, p core.Params) []hloValue {
	out := c.B.Unary("exponential", args[0])
	if mode, ok := p.Get("accuracy").(accuracyMode); ok {
		out = c.B.Unary("exponential", args[0])
		out.Def.Attrs.Set("result_accuracy", stablehlo.Raw("#stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<"+string(mode)+">>"))
	}
	return []hloValue{out}
}

// Exp gives the exponential of each element.
func Exp(x any) array.Array { return apply(ExpP, x) }

func exp(x core.Value) core.Value { return ExpP.Bind1(nil, x) }
