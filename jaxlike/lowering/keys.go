package lowering

import (
	"slices"
	"strings"

	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
	"gopherlo/xla/stablehlo"
)

// physical is the type of the words that hold values of an extended type: two
// 32-bit words for a random key.
func physical(a *core.ShapedArray) *core.ShapedArray {
	if !a.DType.IsExtended() {
		return a
	}
	return core.NewAval(dtype.Uint32, append(slices.Clone(a.Shape), 2)...)
}

func hasKeys(avals ...*core.ShapedArray) bool {
	return slices.ContainsFunc(avals, func(a *core.ShapedArray) bool { return a.DType.IsExtended() })
}

// onWords makes an equation that moves keys about one that moves their words:
// parameters get a last dimension of 2. Primitives that know keys, and calls,
// stay as they are.
func onWords(c *core.LowerCtx, e *core.Eqn) core.Params {
	p := e.Params
	if !hasKeys(c.In...) && !hasKeys(c.Out...) || e.Params.Get("jaxpr") != nil || strings.HasPrefix(e.Prim.Name, "random_") {
		return p
	}
	rank := c.In[0].NDim()
	more := func(name string, v int) {
		if t, ok := p.Get(name).(core.Ints); ok {
			p = p.With(name, append(slices.Clone(t), core.Int{V: v}))
		}
	}
	switch e.Prim.Name {
	case "gather", "scatter", "while", "cond":
		return p
	case "slice":
		more("start_indices", 0)
		more("limit_indices", 2)
		more("strides", 1)
	case "broadcast_in_dim":
		more("broadcast_dimensions", c.Out[0].NDim())
		more("shape", 2)
	case "reshape":
		more("new_sizes", 2)
		more("dimensions", rank)
	case "transpose":
		more("permutation", rank)
	case "tile":
		more("reps", 1)
	case "dynamic_slice":
		more("slice_sizes", 2)
	}
	for i, a := range c.In {
		c.In[i] = physical(a)
	}
	for i, a := range c.Out {
		c.Out[i] = physical(a)
	}
	return p
}

// constrainKeys marks keys that enter or leave the program as whole, as JAX
// does for types of its own.
func (m *moduleCtx) constrainKeys(b *stablehlo.Builder, avals []*core.ShapedArray, vals []*stablehlo.Value) {
	for i, a := range avals {
		if !a.DType.IsExtended() {
			continue
		}
		if len(m.module.Meshes) == 0 {
			m.module.Meshes = append(m.module.Meshes, &stablehlo.Mesh{Name: "empty_mesh", Text: "[]", Attrs: stablehlo.Attrs{{
				Key: "stablehlo.mesh", Value: stablehlo.Raw("{axes = []}"),
			}}})
		}
		dims := strings.Repeat("{?}, ", a.NDim()) + "{}"
		vals[i] = b.Op("sdy.sharding_constraint", []*stablehlo.Value{vals[i]}, []stablehlo.Type{vals[i].Type},
			stablehlo.Named{Key: "sharding", Value: stablehlo.Raw("<@empty_mesh, [" + dims + "]>")}).Results[0]
	}
}
