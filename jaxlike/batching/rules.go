package batching

import (
	"slices"

	"gopherlo/internal/bug"
	"gopherlo/jaxlike/core"
)

// BatchRule is the shape of a Batch slot of core.Rules.
type BatchRule = func(axis core.AxisData, args []core.Value, dims []int, p core.Params) ([]core.Value, []int)

// Vectorized is the rule of elementwise primitives with one operand.
func Vectorized(prim *core.Primitive) BatchRule {
	return func(_ core.AxisData, args []core.Value, dims []int, p core.Params) ([]core.Value, []int) {
		out := prim.Bind(p, args...)
		return out, slices.Repeat(dims[:1], len(out))
	}
}

// Broadcasting is the rule of elementwise primitives with several operands,
// which broadcast size-1 dimensions and scalars by themselves.
func Broadcasting(prim *core.Primitive) BatchRule {
	return func(_ core.AxisData, args []core.Value, dims []int, p core.Params) ([]core.Value, []int) {
		if AllUnmapped(dims) {
			out := prim.Bind(p, args...)
			return out, slices.Repeat([]int{core.NotMapped}, len(out))
		}
		if dim, ok := agree(args, dims); ok {
			out := prim.Bind(p, args...)
			return out, slices.Repeat([]int{dim}, len(out))
		}
		out := prim.Bind(p, alignFront(args, dims)...)
		return out, make([]int, len(out))
	}
}

// agree tells whether all operands that are not scalars have the same shape
// and batch dimension.
func agree(args []core.Value, dims []int) (int, bool) {
	i := slices.IndexFunc(dims, func(d int) bool { return d != core.NotMapped })
	shape, dim := args[i].Aval().Shape, dims[i]
	for k, a := range args {
		if a.Aval().NDim() > 0 && (dims[k] != dim || !slices.Equal(a.Aval().Shape, shape)) {
			return 0, false
		}
	}
	return dim, true
}

// alignFront moves batch dimensions to the front, gives unmapped operands a
// leading 1 and mapped scalars trailing ones.
func alignFront(args []core.Value, dims []int) []core.Value {
	out := slices.Clone(args)
	nd := 0
	for i, a := range out {
		if a.Aval().NDim() > 0 {
			out[i] = Front(a, dims[i], 1)
		}
		nd = max(nd, out[i].Aval().NDim())
	}
	for i, a := range out {
		if n := a.Aval().NDim(); dims[i] != core.NotMapped && n != nd {
			extra := make([]int, 0, nd-n)
			for k := n; k < nd; k++ {
				extra = append(extra, k)
			}
			out[i] = ops.ExpandDims(a, extra)
		}
	}
	return out
}

// Reducer is the rule of reductions over the parameter "axes". JAX shifts the
// axes with NumPy, and they print so.
func Reducer(prim *core.Primitive) BatchRule {
	return func(_ core.AxisData, args []core.Value, dims []int, p core.Params) ([]core.Value, []int) {
		if AllUnmapped(dims) {
			out := prim.Bind(p, args...)
			return out, slices.Repeat([]int{core.NotMapped}, len(out))
		}
		axes := p.Ints("axes")
		shifted := make([]int, len(axes))
		outDim := dims[0]
		for i, a := range axes {
			shifted[i] = a
			if a >= dims[0] {
				shifted[i] = a + 1
			} else {
				outDim--
			}
		}
		out := prim.Bind(p.With("axes", core.NPInts(shifted...)), args...)
		return out, slices.Repeat([]int{outDim}, len(out))
	}
}

// Call is the rule of primitives whose parameter "jaxpr" is their body.
func Call(prim *core.Primitive) BatchRule {
	return func(axis core.AxisData, args []core.Value, dims []int, p core.Params) ([]core.Value, []int) {
		b := Jaxpr(p.Jaxpr("jaxpr"), axis, dims)
		return prim.Bind(p.With("jaxpr", b.Jaxpr), args...), b.OutDims
	}
}

// Size is the size of the batch among operands of which at least one is mapped.
func Size(args []core.Value, dims []int) int {
	for i, d := range dims {
		if d != core.NotMapped {
			return args[i].Aval().Shape[d]
		}
	}
	bug.Panicf("no operand is mapped")
	return 0
}
