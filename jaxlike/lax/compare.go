package lax

import (
	"gopherlo/jaxlike/core"
	"gopherlo/xla/hlo"
	"gopherlo/xla/stablehlo"
)

// lowerCompare lowers a comparison in the direction EQ, NE, GE, GT, LE or LT.
func lowerCompare(direction string) core.LowerRule {
	return func(c *core.LowerCtx, args []hloValue, _ core.Params) []hloValue {
		if c.Eqn.In[0].Aval().DType.IsExtended() {
			return []hloValue{compareWords(c, args, direction)}
		}
		xs := broadcastArgs(c, args)
		out := c.B.CompareAs(direction, stablehlo.CompareType(elem(c.In[0].DType)), xs[0], xs[1])
		return []hloValue{out}
	}
}

// compareWords compares keys (EQ or NE): all of their words
// (_opaque_comparison_hlo in jax/_src/lax/lax.py).
func compareWords(c *core.LowerCtx, args []hloValue, direction string) hloValue {
	words := *c
	words.Out = []*core.ShapedArray{physical(c.Out[0].WithDType(c.Eqn.In[0].Aval().DType, false))}
	xs := broadcastArgs(&words, args)
	same := c.B.CompareAs(direction, stablehlo.CompareType(elem(words.Out[0].DType)), xs[0], xs[1])
	op, identity := "and", true
	if direction == "NE" {
		op, identity = "or", false
	}
	return c.B.ReduceOp(same, c.B.Scalar(hlo.PRED, identity), []int64{int64(c.Out[0].NDim())}, op)
}
