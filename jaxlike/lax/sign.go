package lax

import (
	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
)

// SignP is the sign of each element: -1, 0 or 1.
var SignP = core.NewPrimitive("sign")

func init() {
	SignP.Define(core.Rules{
		AbstractEval: unop("sign", acceptNum, same),
		JVP:          ad.ZeroJVP(SignP),
		Batch:        batching.Vectorized(SignP),
		Lower:        lowerSign,
	})
}

// Sign gives the sign of each element: -1, 0 or 1.
func Sign(x any) array.Array { return apply(SignP, x) }

func sign(x core.Value) core.Value { return SignP.Bind1(nil, x) }

// lowerSign: StableHLO's sign has no unsigned form.
func lowerSign(c *core.LowerCtx, args []hloValue, _ core.Params) []hloValue {
	if !c.In[0].DType.IsUnsigned() {
		return []hloValue{c.B.Unary("sign", args[0])}
	}
	isZero := c.B.CompareAs("EQ", "UNSIGNED", args[0], lowerFull(c, c.In[0], 0))
	return []hloValue{c.B.Select(isZero, lowerFull(c, c.In[0], 0), lowerFull(c, c.In[0], 1))}
}
