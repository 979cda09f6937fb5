package lax

import (
	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/tree"
)

// StopGradientP is the identity with derivative zero.
var StopGradientP = core.NewPrimitive("stop_gradient")

func init() {
	StopGradientP.Define(core.Rules{
		AbstractEval: func(in []*core.ShapedArray, _ core.Params) []*core.ShapedArray { return in },
		JVP: func(in, _ []core.Value, _ core.Params) ([]core.Value, []core.Value) {
			return []core.Value{stopGradient(in[0])}, []core.Value{ad.ZeroOf(in[0])}
		},
		Batch: func(_ core.AxisData, args []core.Value, dims []int, _ core.Params) ([]core.Value, []int) {
			return []core.Value{stopGradient(args[0])}, dims
		},
		Lower: func(_ *core.LowerCtx, args []hloValue, _ core.Params) []hloValue { return args },
		Impl:  func(args []core.Value, _ core.Params) []core.Value { return args },
	})
}

// stopGradient takes the primal of a differentiated value at once.
func stopGradient(x core.Value) core.Value {
	if t, ok := x.(*ad.JVPTracer); ok {
		return stopGradient(t.Primal())
	}
	if x.Aval().DType.IsExtended() {
		return x
	}
	return StopGradientP.Bind1(nil, x)
}

// StopGradient gives x, an array or a tree of arrays, as a constant for
// differentiation.
func StopGradient[T any](x T) T {
	v, _ := stopGradients(x, false).(T)
	return v
}

// StopGradientAny is [StopGradient] where the type is not known. Numbers become
// arrays.
func StopGradientAny(x any) any { return stopGradients(x, true) }

func stopGradients(x any, numbers bool) any {
	leaves, def := tree.Flatten(x)
	for i, l := range leaves {
		if _, ok := l.(array.Array); !ok && !numbers {
			continue
		}
		if v, ok := array.ToValue(l); ok {
			leaves[i] = array.New(stopGradient(v))
		}
	}
	return def.Unflatten(leaves)
}
