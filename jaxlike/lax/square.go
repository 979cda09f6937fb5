package lax

import (
	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
)

// SquareP is the square of each element.
var SquareP = core.NewPrimitive("square")

func init() {
	SquareP.Define(core.Rules{
		AbstractEval: unop("square", acceptNum, same),
		JVP: ad.Std(SquareP, func(t, _ core.Value, in []core.Value, _ core.Params) core.Value {
			return mul(t, mul(constLike(in[0], 2), in[0]))
		}),
		Batch: batching.Vectorized(SquareP),
		Lower: lowerSquare,
	})
}

// Square gives the square of each element.
func Square(x any) array.Array { return apply(SquareP, x) }

func square(x core.Value) core.Value { return SquareP.Bind1(nil, x) }

func lowerSquare(c *core.LowerCtx, args []hloValue, _ core.Params) []hloValue {
	if c.In[0].DType.IsInt() {
		return []hloValue{c.B.Binary("multiply", args[0], args[0])}
	}
	return []hloValue{c.B.Unary("chlo.square", args[0])}
}
