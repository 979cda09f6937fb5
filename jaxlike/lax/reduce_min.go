package lax

import (
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
)

// ReduceMinP is the smallest element along axes.
var ReduceMinP = core.NewPrimitive("reduce_min")

func init() {
	ReduceMinP.Define(core.Rules{
		AbstractEval: evalReduce("reduce_min", acceptAny, true),
		JVP:          jvpChooser(ReduceMinP),
		Batch:        batching.Reducer(ReduceMinP),
		Lower:        lowerReduceExtreme("minimum", "LT", highestIdentity),
	})
}

// ReduceMin gives the smallest element along the axes.
func ReduceMin(x any, axes []int) array.Array {
	return array.New(bindReduce(ReduceMinP, toValue("reduce_min", x, 0), core.NewInts(axes...)))
}
