package lax

import (
	"slices"

	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
)

// ReduceSumP adds the elements along axes.
var ReduceSumP = core.NewPrimitive("reduce_sum")

func init() {
	ReduceSumP.Define(core.Rules{
		AbstractEval: evalReduce("reduce_sum", acceptNumber, true),
		JVP:          ad.LinearJVP(ReduceSumP),
		Transpose: ad.Linear(func(ct core.Value, args []core.Value, p core.Params) []core.Value {
			shape := args[0].Aval().Shape
			return []core.Value{broadcastInDim(ct, shape, core.NPInts(remaining(len(shape), p.Ints("axes"))...))}
		}),
		Batch: batching.Reducer(ReduceSumP),
		Lower: lowerReduce("add", zeroIdentity),
	})
}

// ReduceSum gives the sum along the axes.
func ReduceSum(x any, axes []int) array.Array {
	return array.New(reduceSum(toValue("reduce_sum", x, 0), core.NewInts(axes...)))
}

func reduceSum(x core.Value, axes core.Ints) core.Value { return bindReduce(ReduceSumP, x, axes) }

// remaining lists the dimensions of rank n that are not in axes.
func remaining(n int, axes ...[]int) []int {
	out := []int{}
	for i := range n {
		used := false
		for _, a := range axes {
			used = used || slices.Contains(a, i)
		}
		if !used {
			out = append(out, i)
		}
	}
	return out
}
