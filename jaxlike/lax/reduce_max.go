package lax

import (
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
)

// ReduceMaxP is the largest element along axes.
var ReduceMaxP = core.NewPrimitive("reduce_max")

func init() {
	ReduceMaxP.Define(core.Rules{
		AbstractEval: evalReduce("reduce_max", acceptAny, true),
		JVP:          jvpChooser(ReduceMaxP),
		Batch:        batching.Reducer(ReduceMaxP),
		Lower:        lowerReduceExtreme("maximum", "GT", lowestIdentity),
	})
}

// ReduceMax gives the largest element along the axes.
func ReduceMax(x any, axes []int) array.Array {
	return array.New(bindReduce(ReduceMaxP, toValue("reduce_max", x, 0), core.NewInts(axes...)))
}
