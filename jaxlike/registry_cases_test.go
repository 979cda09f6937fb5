package jaxlike_test

import (
	"slices"

	jax "gopherlo/jaxlike"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
	"gopherlo/jaxlike/jnp"
	"gopherlo/jaxlike/lax"
	"gopherlo/metadata"
)

func unary(prim, kinds string, f func(any) arr, lo, hi float64) ruleCase {
	return ruleCase{prim: prim, kinds: kinds, f: func(xs []arr) any { return f(xs[0]) }, in: []operand{{[]int{2, 3}, lo, hi}}}
}

func binary(prim, kinds string, f func(x, y any) arr, x, y operand) ruleCase {
	return ruleCase{prim: prim, kinds: kinds, f: func(xs []arr) any { return f(xs[0], xs[1]) }, in: []operand{x, y}}
}

func (c ruleCase) noted(note string) ruleCase { c.note = note; return c }
func (c ruleCase) flatDerivative() ruleCase   { c.flat = true; return c }
func (c ruleCase) illConditioned() ruleCase   { c.narrow = true; return c }

// mat is an operand of two dimensions.
func mat(lo, hi float64) operand { return operand{[]int{2, 3}, lo, hi} }

func ruleCases() []ruleCase {
	var out []ruleCase
	for _, group := range [][]ruleCase{unaryCases(), binaryCases(), shapeCases(), reductionCases(), indexCases(), controlCases(), nestedControlCases(), laterCases()} {
		out = append(out, group...)
	}
	return out
}

func unaryCases() []ruleCase {
	return []ruleCase{
		unary("abs", "fci", lax.Abs, -1, -.2), unary("abs", "f", lax.Abs, .2, 1).noted("right"),
		unary("acos", "fc", lax.Acos, -.9, .9), unary("acosh", "fc", lax.Acosh, 1.3, 3), unary("asin", "fc", lax.Asin, -.9, .9),
		unary("asinh", "fc", lax.Asinh, -2, 2), unary("atan", "fc", lax.Atan, -2, 2), unary("atanh", "fc", lax.Atanh, -.8, .8),
		unary("cbrt", "f", lax.Cbrt, .3, 3), unary("ceil", "f", lax.Ceil, .1, .9), unary("floor", "f", lax.Floor, 1.1, 1.9),
		unary("round", "f", func(x any) arr { return lax.Round(x, lax.ToNearestEven) }, .6, 1.4),
		unary("round", "f", func(x any) arr { return lax.Round(x, lax.AwayFromZero) }, .6, 1.4).noted("away"),
		unary("conj", "c", lax.Conj, -1, 1), unary("cos", "fc", lax.Cos, -2, 2), unary("cosh", "fc", lax.Cosh, -2, 2),
		unary("exp", "fc", lax.Exp, -2, 2), unary("exp2", "fc", lax.Exp2, -2, 2), unary("expm1", "fc", lax.Expm1, -1, 2),
		unary("imag", "c", lax.Imag, -1, 1), unary("real", "c", lax.Real, -1, 1), unary("is_finite", "f", lax.IsFinite, -1, 1),
		unary("integer_pow", "fci", func(x any) arr { return lax.IntegerPow(x, 3) }, .4, 2),
		unary("integer_pow", "fc", func(x any) arr { return lax.IntegerPow(x, -2) }, .6, 2).noted("negative"),
		unary("integer_pow", "fc", func(x any) arr { return lax.IntegerPow(x, 0) }, .6, 2).noted("zero"),
		unary("log", "fc", lax.Log, .3, 3), unary("log1p", "fc", lax.Log1p, -.5, 2), unary("log2", "fc", lax.Log2, .3, 3),
		unary("logistic", "fc", lax.Logistic, -2, 2), unary("neg", "fci", lax.Neg, -1, 1), unary("not", "iub", lax.Not, -1, 1),
		unary("one_minus_square", "fc", lax.OneMinusSquare, -1, 1), unary("rsqrt", "fc", lax.Rsqrt, .4, 3),
		unary("sign", "fi", lax.Sign, .2, 1), unary("sign", "c", lax.Sign, .2, 1).noted("complex").flatDerivative(),
		unary("sin", "fc", lax.Sin, -2, 2), unary("sinh", "fc", lax.Sinh, -2, 2), unary("sqrt", "fc", lax.Sqrt, .3, 3),
		unary("square", "fci", lax.Square, -2, 2), unary("tan", "fc", lax.Tan, -1, 1), unary("tanh", "fc", lax.Tanh, -2, 2),
		unary("reduce_precision", "f", func(x any) arr { return lax.ReducePrecision(x, 11, 52) }, -1, 1).illConditioned(),
		unary("copy", "fci", func(x any) arr { return array.New(lax.CopyP.Bind1(nil, x.(arr).Value())) }, -1, 1),
		unary("stop_gradient", "fc", func(x any) arr { return lax.StopGradientAny(x).(arr) }, -1, 1).flatDerivative(),
		unary("optimization_barrier", "fci", func(x any) arr { return lax.OptimizationBarrierAny(x).(arr) }, -1, 1),
		unary("name", "fci", func(x any) arr { return lax.Name(x, "a").(arr) }, -1, 1),
		unary("convert_element_type", "fi", func(x any) arr { return lax.ConvertElementType(x, dtype.Complex128) }, -1, 1),
		unary("convert_element_type", "fc", func(x any) arr {
			return lax.ConvertElementType(lax.ConvertElementType(x, dtype.Complex64), dtype.Complex128)
		}, -1, 1).noted("narrower").flatDerivative(),
		unary("convert_element_type", "fib", func(x any) arr { return lax.ConvertElementType(x, dtype.Int16) }, 1.1, 1.4).noted("to int"),
		unary("xla_metadata_value", "fci", func(x any) arr { return metadata.Set(lax.Mul(x, x), metadata.Attrs{"k": "v"}) }, -1, 1),
	}
}

func binaryCases() []ruleCase {
	col, row := operand{[]int{2, 1}, .3, 1}, operand{[]int{1, 3}, 1.2, 2}
	scalar := operand{nil, 1.2, 2}
	out := []ruleCase{
		binary("pow", "fc", lax.Pow, mat(.4, 2), mat(-1, 2)), binary("rem", "f", lax.Rem, mat(2.1, 2.9), mat(1.1, 1.3)).illConditioned(),
		binary("rem", "i", lax.Rem, mat(2, 3), mat(1, 2)).noted("int"), binary("atan2", "f", lax.Atan2, mat(.3, 2), mat(.4, 2)),
		binary("and", "iub", lax.And, mat(-2, 3), mat(-2, 3)), binary("or", "iub", lax.Or, mat(-2, 3), mat(-2, 3)), binary("xor", "iub", lax.Xor, mat(-2, 3), mat(-2, 3)),
		binary("shift_left", "iu", lax.ShiftLeft, mat(1, 3), mat(0, 1)), binary("shift_right_logical", "iu", lax.ShiftRightLogical, mat(-3, 3), mat(0, 1)),
		binary("shift_right_arithmetic", "iu", lax.ShiftRightArithmetic, mat(-3, 3), mat(0, 1)),
		binary("eq", "fciub", lax.Eq, mat(-1, 1), mat(-1, 1)), binary("ne", "fciub", lax.Ne, mat(-1, 1), mat(-1, 1)),
		binary("lt", "fiub", lax.Lt, mat(-1, 1), mat(-1, 1)), binary("le", "fiub", lax.Le, mat(-1, 1), mat(-1, 1)),
		binary("gt", "fiub", lax.Gt, mat(-1, 1), mat(-1, 1)), binary("ge", "fiub", lax.Ge, mat(-1, 1), mat(-1, 1)),
		{prim: "complex", kinds: "f", in: []operand{mat(-1, 1), mat(-1, 1)}, f: func(xs []arr) any {
			wide := func(x arr) arr { return lax.ConvertElementType(x, dtype.Float64) }
			return lax.Complex(wide(xs[0]), wide(xs[1]))
		}},
		{prim: "clamp", kinds: "fi", in: []operand{mat(0, .2), mat(.4, .6), mat(.8, 1)}, f: func(xs []arr) any { return lax.Clamp(xs[0], xs[1], xs[2]) }},
		{prim: "clamp", note: "scalar bounds", kinds: "f", flat: true, in: []operand{{nil, .7, .8}, mat(.4, .6), {nil, .9, 1}}, f: func(xs []arr) any { return lax.Clamp(xs[0], xs[1], xs[2]) }},
		{prim: "select_n", kinds: "fcib", in: []operand{mat(-1, 1), mat(-1, 1)}, f: func(xs []arr) any {
			return lax.Select(jnp.AsArray([][]bool{{true, false, true}, {false, true, false}}), xs[0], xs[1])
		}},
		{prim: "select_n", note: "scalar", kinds: "fi", in: []operand{mat(-1, 1), mat(-1, 1), {nil, -1, 1}}, f: func(xs []arr) any {
			return lax.Select(lax.Gt(xs[2], lax.ConstZero(xs[2])), xs[0], xs[1])
		}},
	}
	for _, b := range []struct {
		name  string
		f     func(x, y any) arr
		kinds string
	}{{"add", lax.Add, "fciu"}, {"sub", lax.Sub, "fciu"}, {"mul", lax.Mul, "fciu"}, {"div", lax.Div, "fci"}, {"max", lax.Max, "fiub"}, {"min", lax.Min, "fiub"}} {
		out = append(out, binary(b.name, b.kinds, b.f, mat(.3, 1), mat(1.2, 2)),
			binary(b.name, "f", b.f, mat(1.2, 2), mat(.3, 1)).noted("swapped"),
			binary(b.name, "f", b.f, col, row).noted("broadcast"), binary(b.name, "f", b.f, mat(.3, 1), scalar).noted("scalar"),
			binary(b.name, "f", b.f, scalar, mat(.3, 1)).noted("scalar-first"))
	}
	return append(out, ruleCase{prim: "mul", note: "same", kinds: "fc", in: []operand{mat(-1, 1)}, f: func(xs []arr) any { return lax.Mul(xs[0], xs[0]) }})
}

func shapeCases() []ruleCase {
	all := "fciub"
	cube := operand{[]int{2, 3, 2}, -1, 1}
	one := func(prim, note string, in operand, f func(x arr) any) ruleCase {
		return ruleCase{prim: prim, note: note, kinds: all, in: []operand{in}, f: func(xs []arr) any { return f(xs[0]) }}
	}
	return []ruleCase{
		one("broadcast_in_dim", "", mat(-1, 1), func(x arr) any { return lax.BroadcastInDim(x, []int{2, 4, 3}, []int{0, 2}) }),
		one("broadcast_in_dim", "ones", operand{[]int{2, 1}, -1, 1}, func(x arr) any { return lax.BroadcastInDim(x, []int{2, 3}, []int{0, 1}) }),
		one("reshape", "", cube, func(x arr) any { return lax.Reshape(x, []int{3, 4}) }),
		one("transpose", "", cube, func(x arr) any { return lax.Transpose(x, []int{2, 0, 1}) }),
		one("squeeze", "", operand{[]int{1, 3, 1}, -1, 1}, func(x arr) any { return lax.Squeeze(x, []int{0, 2}) }),
		one("rev", "", cube, func(x arr) any { return lax.Rev(x, []int{0, 2}) }),
		one("slice", "", operand{[]int{5, 4}, -1, 1}, func(x arr) any { return lax.Slice(x, []int{1, 0}, []int{5, 3}, nil) }),
		one("slice", "strides", operand{[]int{5, 4}, -1, 1}, func(x arr) any { return lax.Slice(x, []int{0, 1}, []int{5, 4}, []int{2, 3}) }),
		one("split", "", operand{[]int{2, 5}, -1, 1}, func(x arr) any {
			p := lax.Split(x, []int{2, 3}, 1)
			return jax.Tuple{p[0], p[1]}
		}),
		{prim: "pad", kinds: "fci", in: []operand{mat(-1, 1), {nil, -1, 1}}, f: func(xs []arr) any {
			return lax.Pad(xs[0], xs[1], [][3]int{{1, 2, 0}, {-1, 1, 1}})
		}},
		{prim: "concatenate", kinds: all, in: []operand{mat(-1, 1), {[]int{2, 2}, -1, 1}}, f: func(xs []arr) any { return lax.Concatenate(xs, 1) }},
		{prim: "dot_general", kinds: "fci", in: []operand{{[]int{2, 3}, -1, 1}, {[]int{3, 4}, -1, 1}}, f: dotCase(lax.DotDims{LHSContract: []int{1}, RHSContract: []int{0}})},
		{prim: "dot_general", note: "batch", kinds: "fc", in: []operand{{[]int{2, 3, 2}, -1, 1}, {[]int{4, 2, 2}, -1, 1}}, f: dotCase(lax.DotDims{LHSContract: []int{2}, RHSContract: []int{1}, LHSBatch: []int{0}, RHSBatch: []int{2}})},
		{prim: "dot_general", note: "outer", kinds: "f", in: []operand{{[]int{2}, -1, 1}, {[]int{3}, -1, 1}}, f: dotCase(lax.DotDims{})},
	}
}

func dotCase(d lax.DotDims) func(xs []arr) any {
	return func(xs []arr) any { return lax.DotGeneral(xs[0], xs[1], d, "", 0) }
}

func reductionCases() []ruleCase {
	cube := operand{[]int{2, 3, 2}, .3, 1.5}
	red := func(prim, kinds string, f func(any, []int) arr) ruleCase {
		return ruleCase{prim: prim, kinds: kinds, in: []operand{cube}, f: func(xs []arr) any { return f(xs[0], []int{0, 2}) }}
	}
	return []ruleCase{
		red("reduce_sum", "fciu", lax.ReduceSum), red("reduce_prod", "fci", lax.ReduceProd), red("reduce_max", "fiu", lax.ReduceMax),
		red("reduce_min", "fiu", lax.ReduceMin), red("reduce_and", "iub", lax.ReduceAnd), red("reduce_or", "iub", lax.ReduceOr),
	}
}

// rows are the dimension numbers of x[indices], whole rows.
var rows = lax.GatherParams{
	Dims:  lax.GatherDims{Offset: core.NewInts(1), Collapsed: core.NewInts(0), StartIndexMap: core.NewInts(0)},
	Sizes: []int{1, 3}, Mode: lax.IndexClip,
}

func indexCases() []ruleCase {
	big := operand{[]int{4, 3}, .3, 1.5}
	at := func() arr { return jnp.AsArray([][]int32{{2}, {0}}) }
	out := []ruleCase{
		{prim: "dynamic_slice", kinds: "fcib", in: []operand{big}, f: func(xs []arr) any { return lax.DynamicSlice(xs[0], []any{int32(1), int32(1)}, []int{2, 2}) }},
		{prim: "dynamic_slice", note: "traced", kinds: "fi", in: []operand{big}, f: func(xs []arr) any {
			return lax.DynamicSlice(xs[0], []any{indexOf(xs[0]), int32(1)}, []int{2, 2})
		}},
		{prim: "dynamic_update_slice", kinds: "fcib", in: []operand{big, {[]int{2, 2}, -1, 1}}, f: func(xs []arr) any { return lax.DynamicUpdateSlice(xs[0], xs[1], []any{int32(1), int32(1)}) }},
		{prim: "dynamic_update_slice", note: "traced", kinds: "fi", in: []operand{big, {[]int{2, 2}, -1, 1}}, f: func(xs []arr) any {
			return lax.DynamicUpdateSlice(xs[0], xs[1], []any{indexOf(xs[0]), int32(1)})
		}},
		{prim: "gather", kinds: "fcib", in: []operand{big}, f: func(xs []arr) any { return lax.Gather(xs[0], at(), rows) }},
		{prim: "gather", note: "traced", kinds: "fi", in: []operand{big}, f: func(xs []arr) any {
			i := indexOf(xs[0])
			return lax.Gather(xs[0], lax.Reshape(i, []int{1, 1}), rows)
		}},
	}
	for _, k := range []struct {
		kind  lax.ScatterKind
		kinds string
	}{{lax.ScatterSet, "fci"}, {lax.ScatterAdd, "fci"}, {lax.ScatterSub, "fci"}, {lax.ScatterMul, "fci"}, {lax.ScatterMin, "fi"}, {lax.ScatterMax, "fi"}} {
		unique := rows
		unique.Unique = true
		c := ruleCase{prim: string(k.kind), kinds: k.kinds, in: []operand{big, {[]int{2, 3}, .3, 1.5}}, f: func(xs []arr) any {
			return k.kind.Scatter(xs[0], at(), xs[1], unique)
		}}
		c.flat = k.kind == lax.ScatterMin || k.kind == lax.ScatterMax
		out = append(out, c)
	}
	return append(out, ruleCase{prim: "scatter-add", note: "same row", kinds: "fi", in: []operand{big, {[]int{2, 3}, .3, 1.5}}, f: func(xs []arr) any {
		return lax.ScatterAdd.Scatter(xs[0], jnp.AsArray([][]int32{{1}, {1}}), xs[1], rows)
	}})
}

// indexOf is an index that depends on x's values: 0, 1 or 2.
func indexOf(x arr) arr {
	first := lax.Reshape(lax.Slice(x, []int{0, 0}, []int{1, 1}, nil), nil)
	return lax.Clamp(int32(0), lax.ConvertElementType(lax.Mul(first, lax.ConstLike(first, 2)), dtype.Int32), int32(2))
}

func controlCases() []ruleCase {
	v := operand{[]int{3}, .3, 1}
	sq := func(x arr) arr { return lax.Mul(lax.Sin(x), x) }
	wave := func(xs []arr) arr { return lax.Mul(lax.Sin(xs[0]), xs[1]) }
	two := []operand{v, v}
	custom := jax.CustomJVP(func(x arr) arr { return lax.Sin(x) }, func(ps, ts jax.Args) (arr, arr) {
		return lax.Sin(ps[0]), lax.Mul(ts[0], lax.Cos(ps[0]))
	})
	vjp := jax.CustomVJP(func(x arr) arr { return lax.Sin(x) }, func(x arr) (arr, arr) { return lax.Sin(x), lax.Cos(x) },
		func(c, ct arr) jax.Tuple { return jax.Tuple{lax.Mul(c, ct)} })
	return []ruleCase{
		{prim: "jit", kinds: "fc", in: two, f: func(xs []arr) any { return jax.Jit(wave)(xs) }},
		{prim: "remat2", kinds: "fc", in: two, f: func(xs []arr) any { return jax.Checkpoint(wave)(xs) }},
		{prim: "xla_metadata_call", kinds: "fc", in: two, f: func(xs []arr) any { return metadata.Call(wave, metadata.Attrs{"k": "v"})(xs) }},
		{prim: "custom_jvp_call", kinds: "fc", in: []operand{v}, f: func(xs []arr) any { return custom(xs[0]) }},
		{prim: "custom_vjp_call", kinds: "fc", in: []operand{v}, flat: true, f: func(xs []arr) any { return vjp(xs[0]) }},
		{prim: "cond", kinds: "fc", in: two, f: func(xs []arr) any {
			return lax.Cond(jnp.AsArray(true), func(a, b arr) arr { return wave([]arr{a, b}) }, func(a, b arr) arr { return lax.Add(a, b) }, xs[0], xs[1])
		}},
		{prim: "cond", note: "traced", kinds: "f", in: two, f: func(xs []arr) any {
			p := lax.Gt(jnp.Sum(xs[0]), lax.ConstLike(jnp.Sum(xs[0]), 1.9))
			return lax.Cond(p, func(a, b arr) arr { return wave([]arr{a, b}) }, func(a, b arr) arr { return lax.Add(a, b) }, xs[0], xs[1])
		}},
		{prim: "scan", kinds: "fc", in: []operand{v, {[]int{4, 3}, .3, 1}, v}, f: func(xs []arr) any {
			c, ys := lax.Scan(func(c, x arr) (arr, arr) { return lax.Mul(lax.Sin(c), x), lax.Mul(c, xs[2]) }, xs[0], xs[1])
			return jax.Tuple{c, ys}
		}},
		{prim: "while", kinds: "f", forward: true, in: []operand{v}, f: func(xs []arr) any {
			res := lax.WhileLoop(func(s []arr) arr { return lax.Lt(s[1], int32(3)) },
				func(s []arr) []arr { return []arr{sq(s[0]), lax.Add(s[1], int32(1))} }, []arr{xs[0], jnp.AsArray(int32(0))})
			return res.Out(0)
		}},
		{prim: "while", note: "traced", kinds: "f", forward: true, in: []operand{v}, f: func(xs []arr) any {
			return lax.WhileLoop(func(s arr) arr { m := jnp.Sum(s); return lax.Lt(m, lax.ConstLike(m, 4)) },
				func(s arr) arr { return lax.Add(s, lax.Mul(s, lax.ConstLike(s, .5))) }, xs[0])
		}},
	}
}

// laterCases bind primitives by their names, for those whose functions live
// elsewhere.
func laterCases() []ruleCase {
	bind := func(prim string, p core.Params) func(xs []arr) any {
		return func(xs []arr) any {
			in := make([]core.Value, len(xs))
			for i, x := range xs {
				in[i] = x.Value()
			}
			outs := core.Lookup(prim).Bind(p, in...)
			if len(outs) == 1 {
				return array.New(outs[0])
			}
			t := jax.Tuple{}
			for _, o := range outs {
				t = append(t, array.New(o))
			}
			return t
		}
	}
	m := []operand{{[]int{4, 3}, .3, 1.5}}
	var out []ruleCase
	for _, c := range []struct {
		prim, kinds string
		flat        bool
	}{{"cumsum", "fci", false}, {"cumprod", "fc", false}, {"cummax", "fi", false}, {"cummin", "fi", false}, {"cumlogsumexp", "f", false}} {
		for _, rev := range []bool{false, true} {
			rc := ruleCase{prim: c.prim, kinds: c.kinds, flat: c.flat, in: m, f: bind(c.prim, core.P("axis", 0, "reverse", rev))}
			if rev {
				rc.note = "reverse"
			}
			out = append(out, rc)
		}
	}
	for _, name := range []string{"erf", "erfc", "lgamma", "digamma", "bessel_i0e", "bessel_i1e"} {
		out = append(out, ruleCase{prim: name, kinds: "f", in: m, f: bind(name, nil)})
	}
	out = append(out, ruleCase{prim: "polynomial", kinds: "f", in: slices.Repeat([]operand{mat(-1, 1)}, 4), f: bind("polynomial", nil)})
	out = append(out, ruleCase{prim: "erf_inv", kinds: "f", in: []operand{mat(-.8, .8)}, f: bind("erf_inv", nil)})
	pairOf := func(f func(x arr) (arr, arr)) func(xs []arr) any {
		return func(xs []arr) any { a, b := f(xs[0]); return jax.Tuple{a, b} }
	}
	image := []operand{{[]int{4, 4}, .3, 1.5}}
	window := func(op string) func(xs []arr) any {
		return func(xs []arr) any { return lax.ReduceWindow(xs[0], op, []int{2, 2}, []int{1, 2}, "VALID") }
	}
	out = append(out,
		ruleCase{prim: "stack", kinds: "fcib", in: []operand{mat(-1, 1), mat(-1, 1)}, f: func(xs []arr) any { return lax.Stack(xs, 1) }},
		ruleCase{prim: "unstack", kinds: "fcib", in: []operand{{[]int{2, 2}, -1, 1}}, f: pairOf(func(x arr) (arr, arr) {
			p := lax.Unstack(x, 1)
			return p[0], p[1]
		})},
		ruleCase{prim: "tile", kinds: "fcib", in: m, f: func(xs []arr) any { return lax.Tile(xs[0], []int{2, 1}) }},
		ruleCase{prim: "bitcast_convert_type", kinds: "i", flat: true, in: m, f: func(xs []arr) any { return lax.BitcastConvertType(xs[0], xs[0].DType()) }},
		ruleCase{prim: "top_k", kinds: "fi", in: m, f: func(xs []arr) any { values, _ := lax.TopK(xs[0], 2); return values }},
		ruleCase{prim: "reduce_window_sum", kinds: "fi", in: image, f: window("add")},
		ruleCase{prim: "reduce_window_max", kinds: "fi", in: image, f: window("max")},
		ruleCase{prim: "reduce_window_min", kinds: "fi", in: image, f: window("min")},
	)
	return append(out,
		ruleCase{prim: "sort", kinds: "fi", in: m, f: bind("sort", core.P("dimension", 0, "is_stable", true, "num_keys", 1))},
		ruleCase{prim: "argmax", kinds: "fi", in: m, f: bind("argmax", core.P("axes", core.NewInts(0), "index_dtype", dtype.Int32))},
		ruleCase{prim: "argmin", kinds: "fi", in: m, f: bind("argmin", core.P("axes", core.NewInts(1), "index_dtype", dtype.Int32))},
	)
}
