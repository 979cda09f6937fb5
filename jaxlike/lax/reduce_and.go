package lax

import (
	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
)

// ReduceAndP is the bitwise or logical and along axes.
var ReduceAndP = core.NewPrimitive("reduce_and")

func init() {
	ReduceAndP.Define(core.Rules{
		AbstractEval: evalReduce("reduce_and", acceptBoolOrInt, false),
		JVP:          ad.ZeroJVP(ReduceAndP),
		Batch:        batching.Reducer(ReduceAndP),
		Lower:        lowerReduce("and", onesIdentity),
	})
}

// ReduceAnd gives the bitwise or logical and along the axes.
func ReduceAnd(x any, axes []int) array.Array {
	return array.New(ReduceAndP.Bind1(core.P("axes", core.NewInts(axes...)), toValue("reduce_and", x, 0)))
}
