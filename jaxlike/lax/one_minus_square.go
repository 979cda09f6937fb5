package lax

import (
	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
)

// OneMinusSquareP is 1-x*x of each element, precise near 1.
var OneMinusSquareP = core.NewPrimitive("one_minus_square")

func init() {
	OneMinusSquareP.Define(core.Rules{
		AbstractEval: unop("one_minus_square", acceptNum, same),
		JVP: ad.Std(OneMinusSquareP, func(t, _ core.Value, in []core.Value, _ core.Params) core.Value {
			return mul(t, mul(constLike(in[0], -2), in[0]))
		}),
		Batch: batching.Vectorized(OneMinusSquareP),
		Lower: lowerFun(func(in []core.Value, _ core.Params) core.Value {
			x, c := in[0], one(in[0])
			return mul(add(c, x), sub(c, x))
		}),
	})
}

// OneMinusSquare gives 1-x*x of each element, precise near 1.
func OneMinusSquare(x any) array.Array { return apply(OneMinusSquareP, x) }

func oneMinusSquare(x core.Value) core.Value { return OneMinusSquareP.Bind1(nil, x) }
