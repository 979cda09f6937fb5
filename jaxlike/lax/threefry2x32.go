package lax

import (
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
	"gopherlo/jaxlike/partialeval"
)

// Threefry2x32P mixes two words of a key with two words of a counter
// (threefry2x32_p in jax/_src/random/threefry2x32.py); Iota2x32P counts in two
// words.
var (
	Threefry2x32P = core.NewPrimitive("threefry2x32")
	Iota2x32P     = core.NewPrimitive("iota_2x32_shape")
)

func init() {
	Threefry2x32P.Define(core.Rules{
		Multi: true,
		AbstractEval: func(in []*core.ShapedArray, _ core.Params) []*core.ShapedArray {
			for _, a := range in {
				if a.DType != dtype.Uint32 {
					core.TypeErrorf("Arguments to threefry2x32 must have uint32 type, got %s", a.DType)
				}
			}
			a := core.NewAval(dtype.Uint32, broadcastOperands("threefry2x32", in)...)
			return []*core.ShapedArray{a, a}
		},
		NotDifferentiable: "its operands are integers",
		Batch:             batching.Broadcasting(Threefry2x32P),
		Outlined:          true,
		Lower: func(c *core.LowerCtx, args []hloValue, _ core.Params) []hloValue {
			return lowerPrograms(c, c.In, args, threefryRounds)
		},
	})
	Iota2x32P.Define(core.Rules{
		Multi: true,
		AbstractEval: func(_ []*core.ShapedArray, p core.Params) []*core.ShapedArray {
			a := core.NewAval(dtype.Uint32, p.Ints("shape")...)
			return []*core.ShapedArray{a, a}
		},
		NotDifferentiable: "it has no operands",
		NoBatch:           "it has no operands",
		Lower:             lowerIota2x32,
	})
}

func threefry(k1, k2, x1, x2 core.Value) (a, b core.Value) {
	out := Threefry2x32P.Bind(nil, k1, k2, x1, x2)
	return out[0], out[1]
}

func words(vs ...uint32) core.Value {
	data := make([]byte, 4*len(vs))
	for i, v := range vs {
		dtype.Uint32.PutInt(data[4*i:], int64(v))
	}
	return core.NewHostConst(core.NewAval(dtype.Uint32, len(vs)), data)
}

// threefryRounds are the 20 rounds, four in each turn of a loop.
func threefryRounds(in []core.Value) []core.Value {
	k1, k2 := in[0], in[1]
	k3 := xor(xor(k1, k2), core.NewScalar(uint64(466688986), dtype.Uint32, false))
	x0, x1 := add(in[2], k1), add(in[3], k2)
	count := dtype.Int32
	if core.X64() {
		count = dtype.Int64
	}
	state := []core.Value{scalarConst(0, count, false), x0, x1, k2, k3, k1, words(13, 15, 26, 6), words(17, 29, 16, 24)}
	avals := make([]*core.ShapedArray, len(state))
	for i, v := range state {
		avals[i] = v.Aval()
	}
	j, consts := partialeval.TraceToJaxpr(threefryTurn, avals, &core.DebugInfo{TracedFor: "scan"}).SeparateConsts()
	return bindScan(&body{jaxpr: j, consts: consts}, state, nil, 5, false, 1)[1:3]
}

func threefryTurn(s []core.Value) []core.Value {
	one := func() core.Value { return scalarConst(1, s[0].Aval().DType, false) }
	next := add(s[0], one())
	x0, x1 := s[1], s[2]
	for _, r := range UnstackP.Bind(core.P("axis", 0), s[6]) {
		x0 = add(x0, x1)
		left := ShiftLeftP.Bind1(nil, x1, r)
		right := ShiftRightLogicalP.Bind1(nil, x1, sub(scalarConst(32, dtype.Uint32, false), r))
		x1 = xor(x0, or(left, right))
	}
	x0, x1 = add(x0, s[3]), add(x1, s[4])
	x1 = add(x1, convert(add(s[0], one()), dtype.Uint32, false))
	return []core.Value{next, x0, x1, s[4], s[5], s[3], s[7], s[6]}
}

func xor(x, y core.Value) core.Value { return XorP.Bind1(nil, x, y) }

// lowerIota2x32 counts in 64 bits and takes the halves.
func lowerIota2x32(c *core.LowerCtx, _ []hloValue, p core.Params) []hloValue {
	shape := p.Ints("shape")
	wide := typeOf(c.Out[0])
	wide.Elem = elem(dtype.Uint64)
	full := func(n int) hloValue { return c.B.BroadcastInDim(c.B.Scalar(wide.Elem, n), wide) }
	stride := 1
	strides := make([]int, len(shape))
	for i := len(shape) - 1; i >= 0; i-- {
		strides[i] = stride
		stride *= shape[i]
	}
	iotas := make([]hloValue, len(shape))
	for i := range shape {
		iotas[i] = c.B.Iota(wide, int64(i))
	}
	for i, x := range iotas {
		iotas[i] = c.B.Binary("multiply", full(strides[i]), x)
	}
	sum := iotas[0]
	for _, x := range iotas[1:] {
		sum = c.B.Binary("add", sum, x)
	}
	high := c.B.Binary("shift_right_logical", sum, full(32))
	u32 := elem(dtype.Uint32)
	low := c.B.Convert(sum, u32)
	return []hloValue{c.B.Convert(high, u32), low}
}

// counters are two words for each element of a shape.
func counters(shape []int) (high, low core.Value) {
	if len(shape) == 0 {
		z := func() core.Value { return scalarConst(0, dtype.Uint32, false) }
		return z(), z()
	}
	out := Iota2x32P.Bind(core.P("shape", core.NewInts(shape...)))
	return out[0], out[1]
}
