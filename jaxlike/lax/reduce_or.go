package lax

import (
	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
)

// ReduceOrP is the bitwise or logical or along axes.
var ReduceOrP = core.NewPrimitive("reduce_or")

func init() {
	ReduceOrP.Define(core.Rules{
		AbstractEval: evalReduce("reduce_or", acceptBoolOrInt, false),
		JVP:          ad.ZeroJVP(ReduceOrP),
		Batch:        batching.Reducer(ReduceOrP),
		Lower:        lowerReduce("or", zeroIdentity),
	})
}

// ReduceOr gives the bitwise or logical or along the axes.
func ReduceOr(x any, axes []int) array.Array {
	return array.New(ReduceOrP.Bind1(core.P("axes", core.NewInts(axes...)), toValue("reduce_or", x, 0)))
}
