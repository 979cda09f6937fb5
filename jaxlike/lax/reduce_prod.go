package lax

import (
	"slices"

	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
)

// ReduceProdP multiplies the elements along axes.
var ReduceProdP = core.NewPrimitive("reduce_prod")

func init() {
	ReduceProdP.Define(core.Rules{
		AbstractEval: evalReduce("reduce_prod", acceptNumber, true),
		JVP:          jvpProd,
		Batch:        batching.Reducer(ReduceProdP),
		Lower:        lowerReduce("multiply", oneIdentity),
	})
}

// ReduceProd gives the product along the axes.
func ReduceProd(x any, axes []int) array.Array {
	return array.New(ReduceProdP.Bind1(core.P("axes", core.NewInts(axes...)), toValue("reduce_prod", x, 0)))
}

// jvpProd differentiates the product as a tree of halves (_reduce_jvp in JAX),
// which is right also where elements are zero.
func jvpProd(in, ts []core.Value, p core.Params) ([]core.Value, []core.Value) {
	axes := p.Ints("axes")
	shape := in[0].Aval().Shape
	rest := remaining(len(shape), axes)
	n := 1
	for _, a := range axes {
		n *= shape[a]
	}
	perm := append(slices.Clone(axes), rest...)
	flat := func(v core.Value) core.Value {
		return reshapeOrdered(v, append([]int{n}, pick(shape, rest)...), core.NewInts(perm...))
	}
	return ad.JVP(func(vs []core.Value) []core.Value {
		return []core.Value{prodTree(vs[0], len(rest)+1)}
	}, []core.Value{flat(in[0])}, []core.Value{flat(ad.Instantiate(ts[0]))}, false, true)
}

// prodTree multiplies halves until one row is left. JAX maps the product over all
// dimensions, which shows in names.
func prodTree(x core.Value, dims int) core.Value {
	for x.Aval().Shape[0] > 1 {
		n := x.Aval().Shape[0]
		half := (n + 1) / 2
		a, b := sliceFirst(x, 0, half), sliceFirst(x, half, n)
		if n-half != half {
			config := make([]PadDim, x.Aval().NDim())
			config[0].High.V = 1
			b = pad(b, constLike(x, 1), config)
		}
		core.With(func(s *core.State) {
			for range dims {
				s.Names = s.Names.Transform("vmap")
			}
		}, func() { x = mul(a, b) })
	}
	if x.Aval().Shape[0] == 0 {
		return fullOf(x.Aval().Shape[1:], constLike(x, 1))
	}
	return squeeze(x, []int{0})
}

func sliceFirst(x core.Value, from, to int) core.Value {
	limit := slices.Clone(x.Aval().Shape)
	limit[0] = to
	start := make([]int, len(limit))
	start[0] = from
	strides := slices.Repeat([]int{1}, len(limit))
	return slice(x, core.NewInts(start...), core.NewInts(limit...), core.NewInts(strides...))
}
