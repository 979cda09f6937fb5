package lax

import (
	"math"
	"slices"
	"strings"

	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
)

// SortP sorts arrays together along a dimension, by the first num_keys of them
// (sort_p in jax/_src/lax/lax.py).
var SortP = core.NewPrimitive("sort")

func init() {
	SortP.Define(core.Rules{
		Multi:        true,
		AbstractEval: evalSort,
		JVP:          jvpSort,
		Batch:        batchSort,
		Lower: func(c *core.LowerCtx, args []hloValue, p core.Params) []hloValue {
			scalars := make([]*core.ShapedArray, 2*len(args))
			for i, a := range c.In {
				scalars[2*i] = &core.ShapedArray{Shape: []int{}, DType: a.DType, Weak: a.Weak}
				scalars[2*i+1] = scalars[2*i]
			}
			stable, _ := p.Get("is_stable").(bool)
			return c.B.Sort(args, int64(p.Int("dimension")), stable, func(xs []hloValue) hloValue {
				return lowerProgram(c, scalars, xs, func(in []core.Value) core.Value { return sortsBefore(in, p.Int("num_keys")) })[0]
			})
		},
	})
}

// Sort sorts x along a dimension.
func Sort(x any, dimension int, stable bool) array.Array {
	return SortTogether([]array.Array{array.New(toValue("sort", x, 0))}, dimension, stable, 1)[0]
}

// SortTogether sorts arrays together along a dimension, by the first keys of
// them.
func SortTogether(xs []array.Array, dimension int, stable bool, keys int) []array.Array {
	if len(xs) == 0 {
		core.TypeErrorf("Sort requires at least one operand")
	}
	if keys < 1 || keys > len(xs) {
		core.ValueErrorf("num_keys=%d must be between 1 and len(operand)=%d", keys, len(xs))
	}
	vs := make([]core.Value, len(xs))
	for i, x := range xs {
		vs[i] = x.Value()
	}
	out := SortP.Bind(core.P("dimension", core.CanonicalAxis(dimension, vs[0].Aval().NDim()), "is_stable", stable, "num_keys", keys), vs...)
	res := make([]array.Array, len(out))
	for i, o := range out {
		res[i] = array.New(o)
	}
	return res
}

// SortKeyVal sorts keys and applies the same order to values.
func SortKeyVal(keys, values any, dimension int, stable bool) (sortedKeys, sortedValues array.Array) {
	out := SortTogether([]array.Array{array.New(toValue("sort", keys, 0)), array.New(toValue("sort", values, 1))}, dimension, stable, 1)
	return out[0], out[1]
}

func evalSort(in []*core.ShapedArray, _ core.Params) []*core.ShapedArray {
	texts := make([]string, len(in))
	differ := false
	for i, a := range in {
		texts[i] = shapeText(a.Shape)
		differ = differ || !slices.Equal(a.Shape, in[0].Shape)
	}
	if differ {
		core.TypeErrorf("Arguments to sort must have equal shapes, got: %s", strings.Join(texts, " "))
	}
	return in
}

func jvpSort(in, ts []core.Value, p core.Params) ([]core.Value, []core.Value) {
	shape, dim := in[0].Aval().Shape, p.Int("dimension")
	out := SortP.Bind(p, append(slices.Clone(in), BroadcastedIota(dtype.Uint32, shape, dim).Value())...)
	last := len(out) - 1
	var batch core.Ints
	for i := range shape {
		if i != dim {
			batch = append(batch, core.Int{V: i, NP: true})
		}
	}
	at := expandDims(out[last], []int{len(shape)})
	g := GatherParams{
		Dims:  GatherDims{Collapsed: core.NewInts(dim), StartIndexMap: core.NewInts(dim), OperandBatching: batch, IndicesBatching: batch},
		Sizes: slices.Repeat([]int{1}, len(shape)),
	}
	tangents := slices.Clone(ts)
	for i, t := range ts {
		if !core.IsZero(t) {
			tangents[i] = gather(t, at, g)
		}
	}
	return out[:last], tangents
}

func batchSort(_ core.AxisData, args []core.Value, dims []int, p core.Params) ([]core.Value, []int) {
	if batching.AllUnmapped(dims) {
		return SortP.Bind(p, args...), dims
	}
	k := slices.IndexFunc(dims, func(d int) bool { return d != core.NotMapped })
	shape, bd := args[k].Aval().Shape, dims[k]
	moved := make([]core.Value, len(args))
	for i, a := range args {
		if dims[i] == core.NotMapped {
			moved[i] = broadcastInDim(a, shape, core.NewInts(remaining(len(shape), []int{bd})...))
		} else {
			moved[i] = batching.Moveaxis(a, dims[i], bd)
		}
	}
	dim := p.Int("dimension")
	if bd <= dim {
		dim++
	}
	return SortP.Bind(p.With("dimension", dim), moved...), slices.Repeat([]int{bd}, len(args))
}

// sortsBefore compares elements, given in pairs, by their keys in order.
func sortsBefore(in []core.Value, keys int) core.Value {
	var xs, ys []core.Value
	for i := range keys {
		x, y := in[2*i], in[2*i+1]
		switch d := x.Aval().DType; {
		case d.IsComplex():
			xs = append(xs, sortable(RealP.Bind1(nil, x)), sortable(ImagP.Bind1(nil, x)))
			ys = append(ys, sortable(RealP.Bind1(nil, y)), sortable(ImagP.Bind1(nil, y)))
		case d.IsFloat():
			xs, ys = append(xs, sortable(x)), append(ys, sortable(y))
		default:
			xs, ys = append(xs, x), append(ys, y)
		}
	}
	var before core.Value
	for i := len(xs) - 1; i >= 0; i-- {
		less := LtToP.Bind1(nil, xs[i], ys[i])
		if before != nil {
			less = or(less, and(EqToP.Bind1(nil, xs[i], ys[i]), before))
		}
		before = less
	}
	return before
}

// sortable gives all zeros and all NaNs one form.
func sortable(x core.Value) core.Value {
	x1 := selectBool(eq(x, zero(x)), zeros(x), x)
	return selectBool(ne(x, x), fullLike(x1, math.NaN()), x1)
}
