package lax

import (
	"slices"

	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
	"gopherlo/jaxlike/partialeval"
)

// ArgMaxP and ArgMinP are the positions of the largest and smallest elements
// (argmax_p and argmin_p in jax/_src/lax/lax.py).
var (
	ArgMaxP = core.NewPrimitive("argmax")
	ArgMinP = core.NewPrimitive("argmin")
)

func init() {
	for _, q := range []struct {
		prim     *core.Primitive
		better   func(x, y core.Value) core.Value
		identity func(dtype.DType) any
	}{{ArgMaxP, gt, lowestIdentity}, {ArgMinP, lt, highestIdentity}} {
		q.prim.Define(core.Rules{
			AbstractEval: evalArg,
			JVP:          ad.ZeroJVP(q.prim),
			Batch:        batching.Reducer(q.prim),
			Outlined:     true,
			Lower: func(c *core.LowerCtx, args []hloValue, p core.Params) []hloValue {
				return lowerProgram(c, c.In, args, func(in []core.Value) core.Value {
					return findBest(in[0], p.Ints("axes")[0], p.DType("index_dtype"), q.identity, q.better)
				})
			},
		})
	}
}

// ArgMax gives the position of the largest element along an axis.
func ArgMax(x any, axis int, indexDType dtype.DType) array.Array {
	return bindArg(ArgMaxP, x, axis, indexDType)
}

// ArgMin gives the position of the smallest element along an axis.
func ArgMin(x any, axis int, indexDType dtype.DType) array.Array {
	return bindArg(ArgMinP, x, axis, indexDType)
}

func bindArg(prim *core.Primitive, x any, axis int, d dtype.DType) array.Array {
	return array.New(prim.Bind1(core.P("axes", core.NewInts(axis), "index_dtype", d.Canonical(core.X64())), toValue(prim.Name, x, 0)))
}

func evalArg(in []*core.ShapedArray, p core.Params) []*core.ShapedArray {
	x, axis, d := in[0], p.Ints("axes")[0], p.DType("index_dtype")
	if axis < 0 || axis >= x.NDim() {
		core.ValueErrorf("Invalid axis %d for operand shape %s", axis, shapeText(x.Shape))
	}
	if x.Shape[axis] < 1 {
		core.ValueErrorf("argmin and argmax require non-empty reduced dimension. operand.shape=%s axis=%d", shapeText(x.Shape), axis)
	}
	if !d.IsInt() {
		core.TypeErrorf("index_dtype must be an integer type, but got %s", d)
	}
	return []*core.ShapedArray{core.NewAval(d, slices.Delete(slices.Clone(x.Shape), axis, axis+1)...)}
}

// findBest reduces elements together with their positions; NaN wins, and of
// equal elements the first.
func findBest(x core.Value, axis int, d dtype.DType, identity func(dtype.DType) any, better func(x, y core.Value) core.Value) core.Value {
	a := x.Aval()
	at := BroadcastedIota(d, a.Shape, axis).Value()
	pair := []*core.ShapedArray{core.NewAval(a.DType), core.NewAval(d)}
	j := partialeval.TraceToJaxpr(func(v []core.Value) []core.Value {
		x, ix, y, iy := v[0], v[1], v[2], v[3]
		take := or(better(x, y), ne(x, x))
		first := or(take, and(eq(x, y), lt(ix, iy)))
		return []core.Value{selectBool(take, x, y), selectBool(first, ix, iy)}
	}, append(pair, pair...), &core.DebugInfo{})
	start := core.NewScalar(pyNumber(identity(a.DType), a.DType), a.DType, false)
	return ReduceP.Bind(core.P("computation", nil, "jaxpr", j, "dimensions", core.NewInts(axis)), x, at, start, scalarConst(0, d, false))[1]
}

// pyNumber is an identity of a reduction in the form that constants hold.
func pyNumber(v any, d dtype.DType) any {
	switch v := v.(type) {
	case int64:
		if d.IsUnsigned() {
			return uint64(v)
		}
	case uint64:
		if !d.IsUnsigned() {
			return int64(v)
		}
	case int:
		return pyOf(v, d)
	}
	return v
}
