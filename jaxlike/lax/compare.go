package lax

import (
	"gopherlo/jaxlike/core"
	"gopherlo/xla/stablehlo"
)

// lowerCompare lowers a comparison in the direction EQ, NE, GE, GT, LE or LT.
func lowerCompare(direction string) core.LowerRule {
	return func(c *core.LowerCtx, args []hloValue, _ core.Params) []hloValue {
		xs := broadcastArgs(c, args)
		out := c.B.CompareAs(direction, stablehlo.CompareType(elem(c.In[0].DType)), xs[0], xs[1])
		return []hloValue{out}
	}
}
