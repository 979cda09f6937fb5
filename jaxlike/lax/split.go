package lax

import (
	"slices"

	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/core"
)

// SplitP cuts an array along an axis into pieces of given sizes.
var SplitP = core.NewPrimitive("split")

func init() {
	SplitP.Define(core.Rules{
		Multi:        true,
		AbstractEval: evalSplit,
		JVP:          ad.LinearJVP(SplitP),
		Transpose: func(cts, args []core.Value, p core.Params) []core.Value {
			parts := make([]core.Value, len(cts))
			none := true
			for i, ct := range cts {
				none = none && core.IsZero(ct)
				parts[i] = ct
			}
			if none {
				return []core.Value{core.Zero{Of: args[0].Aval()}}
			}
			for i, ct := range parts {
				parts[i] = ad.Instantiate(ct)
			}
			return []core.Value{concatenate(parts, p.Int("axis"))}
		},
		Batch: func(_ core.AxisData, args []core.Value, dims []int, p core.Params) ([]core.Value, []int) {
			axis := p.Int("axis")
			if d := dims[0]; d != core.NotMapped && axis >= d {
				axis++
			}
			out := SplitP.Bind(p.With("axis", axis), args...)
			return out, slices.Repeat(dims[:1], len(out))
		},
		Lower: func(c *core.LowerCtx, args []hloValue, p core.Params) []hloValue {
			axis := p.Int("axis")
			start, limit := make([]int64, c.In[0].NDim()), int64s(c.In[0].Shape)
			out := make([]hloValue, len(c.Out))
			for i, a := range c.Out {
				limit[axis] = start[axis] + int64(a.Shape[axis])
				out[i] = c.B.Slice(args[0], slices.Clone(start), slices.Clone(limit), nil)
				start[axis] = limit[axis]
			}
			return out
		},
	})
}

// Split cuts x along an axis into pieces of the given sizes.
func Split(x any, sizes []int, axis int) []array.Array {
	v := toValue("split", x, 0)
	parts := split(v, core.NewInts(sizes...), core.CanonicalAxis(axis, v.Aval().NDim()))
	out := make([]array.Array, len(parts))
	for i, p := range parts {
		out[i] = array.New(p)
	}
	return out
}

// SplitWhole is Split with sizes that NumPy computed, as jnp.split gives them;
// jaxprs show the difference.
func SplitWhole(x any, sizes []int, axis int) []array.Array {
	v := toValue("split", x, 0)
	out := make([]array.Array, len(sizes))
	for i, p := range split(v, core.NPInts(sizes...), core.CanonicalAxis(axis, v.Aval().NDim())) {
		out[i] = array.New(p)
	}
	return out
}

func split(x core.Value, sizes core.Ints, axis int) []core.Value {
	return SplitP.Bind(core.P("sizes", sizes, "axis", axis), x)
}

func evalSplit(in []*core.ShapedArray, p core.Params) []*core.ShapedArray {
	sizes, axis := p.Ints("sizes"), p.Int("axis")
	list := func(vs []int) string { return core.PyRepr(core.List(anys(vs))) }
	sum := 0
	for _, s := range sizes {
		if s < 0 {
			core.ValueErrorf("Sizes passed to split must be nonnegative, got %s", list(sizes))
		}
		sum += s
	}
	if in[0].Shape[axis] != sum {
		core.ValueErrorf("Sum of sizes %d must be equal to dimension %d of the operand shape %s", sum, axis, list(in[0].Shape))
	}
	out := make([]*core.ShapedArray, len(sizes))
	for i, s := range sizes {
		shape := slices.Clone(in[0].Shape)
		shape[axis] = s
		out[i] = in[0].With(shape)
	}
	return out
}
