package lax

import (
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/core"
)

// OptimizationBarrierP is the identity that the compiler does not move
// operations across: all operands are ready before any result is used.
var OptimizationBarrierP = core.NewPrimitive("optimization_barrier")

func init() {
	OptimizationBarrierP.Define(core.Rules{
		Multi:        true,
		AbstractEval: func(in []*core.ShapedArray, _ core.Params) []*core.ShapedArray { return in },
		JVP: func(primals, tangents []core.Value, _ core.Params) ([]core.Value, []core.Value) {
			out := OptimizationBarrierP.Bind(nil, primals...)
			return out, barrierNonZero(tangents)
		},
		FancyTranspose: func(cts, args []core.Value, _ core.Params) {
			for i, ct := range barrierNonZero(cts) {
				if acc, ok := args[i].(core.Accum); ok {
					acc.Accumulate(ct)
				}
			}
		},
		Batch: func(_ core.AxisData, args []core.Value, dims []int, _ core.Params) ([]core.Value, []int) {
			return OptimizationBarrierP.Bind(nil, args...), dims
		},
		Lower: func(c *core.LowerCtx, args []hloValue, _ core.Params) []hloValue {
			return c.B.OptimizationBarrier(args...)
		},
	})
}

// barrierNonZero puts the values that are not symbolic zeros behind a barrier.
func barrierNonZero(vs []core.Value) []core.Value {
	out := append([]core.Value{}, vs...)
	nz := prune(vs)
	if len(nz) == 0 {
		return out
	}
	nz = OptimizationBarrierP.Bind(nil, nz...)
	for i, v := range out {
		if !core.IsZero(v) {
			out[i], nz = nz[0], nz[1:]
		}
	}
	return out
}

// OptimizationBarrier gives x, an array or a tree of arrays, behind a barrier
// that the compiler does not move operations across.
func OptimizationBarrier[T any](x T) T {
	res := OptimizationBarrierAny(x)
	v, ok := res.(T)
	if !ok {
		if err := array.IntoAny(res, &v); err != nil {
			core.TypeErrorf("%s", err)
		}
	}
	return v
}

// OptimizationBarrierAny is [OptimizationBarrier] where the type is not known.
func OptimizationBarrierAny(x any) any {
	o := takeApart(x, nil)
	outs := OptimizationBarrierP.Bind(nil, o.vals...)
	if _, ok := x.(array.Array); ok {
		return array.NewResults(outs, o.def)
	}
	return treeOf(o.def, outs)
}
