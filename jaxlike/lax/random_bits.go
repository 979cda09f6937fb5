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

// The primitives of random keys (jax/_src/random/prng.py). A key is one element
// of type key<fry>; in memory it is two words.
var (
	RandomSeedP   = core.NewPrimitive("random_seed")
	RandomSplitP  = core.NewPrimitive("random_split")
	RandomFoldInP = core.NewPrimitive("random_fold_in")
	RandomBitsP   = core.NewPrimitive("random_bits")
	RandomWrapP   = core.NewPrimitive("random_wrap")
	RandomUnwrapP = core.NewPrimitive("random_unwrap")
)

// keyImpl names the generator in programs.
type keyImpl string

// PyRepr is the tag that JAX prints.
func (k keyImpl) PyRepr() string { return string(k) }

const fry keyImpl = "fry"

func init() {
	define := func(prim *core.Primitive, eval abstractEval, batch batching.BatchRule, lower core.LowerRule) {
		prim.Define(core.Rules{AbstractEval: eval, JVP: ad.ZeroJVP(prim), Batch: batch, Lower: lower})
	}
	define(RandomSeedP, keysLike, batching.Vectorized(RandomSeedP), lowerKeys(func(p core.Params) partialeval.Fun {
		return func(in []core.Value) []core.Value { return []core.Value{threefrySeed(in[0])} }
	}))
	define(RandomSplitP, func(in []*core.ShapedArray, p core.Params) []*core.ShapedArray {
		return []*core.ShapedArray{core.NewAval(dtype.KeyFry, slices.Concat(in[0].Shape, p.Ints("shape"))...)}
	}, batching.Vectorized(RandomSplitP), lowerKeys(func(p core.Params) partialeval.Fun {
		return func(in []core.Value) []core.Value { return []core.Value{threefrySplit(in[0], p.Ints("shape"))} }
	}))
	define(RandomFoldInP, func(in []*core.ShapedArray, _ core.Params) []*core.ShapedArray {
		return []*core.ShapedArray{core.NewAval(dtype.KeyFry, broadcastOperands("random_fold_in", in)...)}
	}, batching.Broadcasting(RandomFoldInP), lowerKeys(func(core.Params) partialeval.Fun {
		return func(in []core.Value) []core.Value { return []core.Value{threefryFoldIn(in[0], in[1])} }
	}))
	define(RandomBitsP, func(in []*core.ShapedArray, p core.Params) []*core.ShapedArray {
		return []*core.ShapedArray{core.NewAval(uintOf(p.Int("bit_width")), slices.Concat(in[0].Shape, p.Ints("shape"))...)}
	}, batching.Vectorized(RandomBitsP), lowerKeys(func(p core.Params) partialeval.Fun {
		return func(in []core.Value) []core.Value {
			return []core.Value{threefryBits(in[0], p.Int("bit_width"), p.Ints("shape"))}
		}
	}))
	define(RandomWrapP, func(in []*core.ShapedArray, _ core.Params) []*core.ShapedArray {
		a := in[0]
		checkKeyData(a)
		return []*core.ShapedArray{core.NewAval(dtype.KeyFry, a.Shape[:a.NDim()-1]...)}
	}, func(_ core.AxisData, args []core.Value, dims []int, p core.Params) ([]core.Value, []int) {
		if dims[0] == core.NotMapped {
			return RandomWrapP.Bind(p, args...), dims
		}
		return RandomWrapP.Bind(p, batching.Front(args[0], dims[0], 1)), []int{0}
	}, lowerAsIs)
	define(RandomUnwrapP, func(in []*core.ShapedArray, _ core.Params) []*core.ShapedArray {
		if !in[0].DType.IsExtended() {
			core.TypeErrorf("random_unwrap takes key array operand, got keys.dtype=dtype('%s')", in[0].DType)
		}
		return []*core.ShapedArray{physical(in[0])}
	}, batching.Vectorized(RandomUnwrapP), lowerAsIs)
}

// checkKeyData refuses what cannot be the words of keys (_check_prng_key_data).
func checkKeyData(a *core.ShapedArray) {
	const start = "JAX encountered invalid PRNG key data: expected key_data"
	switch {
	case a.NDim() < 1:
		core.TypeErrorf(start + ".ndim >= 1; got ndim=0")
	case a.Shape[a.NDim()-1] != 2:
		core.TypeErrorf(start+".shape to end with (2,); got shape=%s for impl=PRNGImpl(threefry2x32)", shapeText(a.Shape))
	case a.DType != dtype.Uint32:
		core.TypeErrorf(start+".dtype = uint32; got dtype=%s", a.DType)
	}
}

func lowerAsIs(_ *core.LowerCtx, args []hloValue, _ core.Params) []hloValue { return args }

func keysLike(in []*core.ShapedArray, _ core.Params) []*core.ShapedArray {
	return []*core.ShapedArray{core.NewAval(dtype.KeyFry, in[0].Shape...)}
}

func uintOf(bits int) dtype.DType {
	return map[int]dtype.DType{8: dtype.Uint8, 16: dtype.Uint16, 32: dtype.Uint32, 64: dtype.Uint64}[bits]
}

// lowerKeys lowers a function of one key, and perhaps a number, mapped over
// arrays of them.
func lowerKeys(rule func(p core.Params) partialeval.Fun) core.LowerRule {
	return func(c *core.LowerCtx, args []hloValue, p core.Params) []hloValue {
		in := make([]*core.ShapedArray, len(c.In))
		shapes := make([][]int, len(c.In))
		for i, a := range c.In {
			in[i], shapes[i] = physical(a), a.Shape
		}
		return lowerPrograms(c, in, args, mappedKeys(rule(p), shapes))
	}
}

// mappedKeys is f vectorized over the dimensions of its operands, of which some may
// be scalars.
func mappedKeys(f partialeval.Fun, shapes [][]int) partialeval.Fun {
	rank := 0
	for _, s := range shapes {
		rank = max(rank, len(s))
	}
	for range rank {
		inner := f
		f = func(in []core.Value) []core.Value {
			dims, size := make([]int, len(in)), 0
			for i := range in {
				dims[i] = core.NotMapped
				if len(shapes[i]) > 0 {
					dims[i], size = 0, in[i].Aval().Shape[0]
				}
			}
			return batching.Batch(inner, core.AxisData{Size: size}, in, dims, func(s []int) []int { return make([]int, len(s)) })
		}
	}
	return f
}

func keyWords(key core.Value) (k1, k2 core.Value) {
	ws := UnstackP.Bind(core.P("axis", 0), key)
	return ws[0], ws[1]
}

// threefrySeed makes a key of an integer.
func threefrySeed(seed core.Value) core.Value {
	a := seed.Aval()
	word := func(v core.Value) core.Value { return expandDims(convert(v, dtype.Uint32, false), []int{0}) }
	high := word(ShiftRightLogicalP.Bind1(nil, seed, constLike(seed, 32)))
	low := seed
	t, _ := dtype.Promote(core.X64(), dtype.Type{DType: a.DType, Weak: a.Weak}, dtype.Strong(dtype.Uint32))
	mask := core.NewScalar(uint64(0xffffffff), t.DType, false)
	if t.DType == dtype.Int32 {
		mask = core.NewScalar(int64(-1), t.DType, false)
	}
	low = and(convertDType(seed, t.DType), mask)
	return concatenate([]core.Value{high, word(low)}, 0)
}

func threefrySplit(key core.Value, shape []int) core.Value {
	return Named("_threefry_split", core.PyRepr(core.NewInts(shape...)), func(in []core.Value) []core.Value {
		k1, k2 := keyWords(in[0])
		high, low := counters(shape)
		b1, b2 := threefry(k1, k2, high, low)
		return []core.Value{StackP.Bind1(core.P("axis", b1.Aval().NDim()), b1, b2)}
	}, key)[0]
}

func threefryFoldIn(key, data core.Value) core.Value {
	return Named("_threefry_fold_in", "", func(in []core.Value) []core.Value {
		k1, k2 := keyWords(in[0])
		count := threefrySeed(in[1])
		halves := SplitP.Bind(core.P("sizes", core.NPInts(1, 1), "axis", 0), count)
		b1, b2 := threefry(k1, k2, halves[0], halves[1])
		return []core.Value{concatenate([]core.Value{b1, b2}, 0)}
	}, key, data)[0]
}

func threefryBits(key core.Value, width int, shape []int) core.Value {
	k1, k2 := keyWords(key)
	high, low := counters(shape)
	b1, b2 := threefry(k1, k2, high, low)
	d := uintOf(width)
	switch width {
	case 64:
		w1, w2 := convert(b1, d, false), convert(b2, d, false)
		return or(ShiftLeftP.Bind1(nil, w1, scalarConst(32, d, false)), w2)
	case 32:
		return xor(b1, b2)
	}
	return convert(xor(b1, b2), d, false)
}

// RandomSeed makes keys of integers.
func RandomSeed(seeds any) array.Array {
	return array.New(RandomSeedP.Bind1(core.P("impl", fry), toValue("random_seed", seeds, 0)))
}

// RandomSplit makes keys of the shape from each key.
func RandomSplit(keys any, shape []int) array.Array {
	return array.New(RandomSplitP.Bind1(core.P("shape", core.NewInts(shape...)), toValue("random_split", keys, 0)))
}

// RandomFoldIn mixes a number into each key.
func RandomFoldIn(keys, data any) array.Array {
	return array.New(RandomFoldInP.Bind1(nil, toValue("random_fold_in", keys, 0), toValue("random_fold_in", data, 1)))
}

// RandomBits gives an array of random bits for each key.
func RandomBits(keys any, width int, shape []int) array.Array {
	return array.New(RandomBitsP.Bind1(core.P("bit_width", width, "shape", core.NewInts(shape...)), toValue("random_bits", keys, 0)))
}

// RandomWrap takes pairs of words as keys.
func RandomWrap(data any) array.Array {
	return array.New(RandomWrapP.Bind1(core.P("impl", fry), toValue("random_wrap", data, 0)))
}

// RandomUnwrap gives the words of keys.
func RandomUnwrap(keys any) array.Array {
	return array.New(RandomUnwrapP.Bind1(nil, toValue("random_unwrap", keys, 0)))
}
