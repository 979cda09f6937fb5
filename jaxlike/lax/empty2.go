package lax

import (
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
	"gopherlo/xla/stablehlo"
)

// Empty2P is a scalar whose value does not matter: what loops stack into, what
// a branch gives for another branch's residual. It lowers to zero.
var Empty2P = core.NewPrimitive("empty2")

// memorySpace is an enum of JAX that prints with its class.
type memorySpace string

// PyRepr is how the enum prints.
func (m memorySpace) PyRepr() string { return "MemorySpace." + string(m) }

func init() {
	Empty2P.Define(core.Rules{
		AbstractEval: func(_ []*core.ShapedArray, p core.Params) []*core.ShapedArray {
			return []*core.ShapedArray{core.NewAval(p.DType("dtype"))}
		},
		Lower: func(c *core.LowerCtx, _ []*stablehlo.Value, p core.Params) []*stablehlo.Value {
			return []*stablehlo.Value{c.Module.Constant(c, scalarConst(0, p.DType("dtype"), false))}
		},
		NotDifferentiable: "it has no operands",
		NoTranspose:       "it has no operands",
		NoBatch:           "it has no operands",
	})
}

func empty2(dt dtype.DType) core.Value {
	return Empty2P.Bind1(core.P("dtype", dt, "memory_space", memorySpace("Device")))
}

// emptyLike is an array of the type a whose values do not matter.
func emptyLike(a *core.ShapedArray) core.Value { return broadcast(empty2(a.DType), a.Shape) }
