package lax

import (
	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
)

// Log2P is the binary logarithm of each element.
var Log2P = core.NewPrimitive("log2")

func init() {
	Log2P.Define(core.Rules{
		AbstractEval: unop("log2", acceptInexact, same),
		JVP: ad.Std(Log2P, func(t, _ core.Value, in []core.Value, _ core.Params) core.Value {
			return div(t, mul(in[0], log(constLike(in[0], 2))))
		}),
		Batch: batching.Vectorized(Log2P),
		Lower: lowerLog2,
	})
}

// Log2 gives the binary logarithm of each element.
func Log2(x any) array.Array { return apply(Log2P, x) }

func lowerLog2(c *core.LowerCtx, args []hloValue, _ core.Params) []hloValue {
	ln := c.B.Unary("log", args[0])
	return []hloValue{c.B.Binary("multiply", ln, lowerFull(c, c.In[0], 1.4426950408889634))}
}
