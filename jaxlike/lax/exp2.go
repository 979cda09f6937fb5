package lax

import (
	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
)

// Exp2P is two to the power of each element.
var Exp2P = core.NewPrimitive("exp2")

func init() {
	Exp2P.Define(core.Rules{
		AbstractEval: unop("exp2", acceptInexact, same),
		JVP: ad.Std(Exp2P, func(t, out core.Value, in []core.Value, _ core.Params) core.Value {
			return mul(log(constLike(in[0], 2)), mul(t, out))
		}),
		Batch: batching.Vectorized(Exp2P),
		Lower: lowerExp2,
	})
}

// Exp2 gives two to the power of each element.
func Exp2(x any) array.Array { return apply(Exp2P, x) }

func lowerExp2(c *core.LowerCtx, args []hloValue, _ core.Params) []hloValue {
	ln2 := lowerFull(c, c.In[0], 0.6931471805599453)
	return []hloValue{c.B.Unary("exponential", c.B.Binary("multiply", ln2, args[0]))}
}
