package jnp_test

import (
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
	"gopherlo/jaxlike/jnp"
	"gopherlo/jaxlike/kw"
	"gopherlo/jaxlike/lax"
)

func arr(v any) array.Array { return v.(array.Array) }

func list(x array.Array) []array.Array { return []array.Array{x} }

func dtypeOf(k map[string]any) []kw.CreationOption {
	if d, ok := k["dtype"].(dtype.DType); ok {
		return []kw.CreationOption{kw.DType(d)}
	}
	return nil
}

// op is an operator: a method where the left operand is an array.
func op(method func(a array.Array, b any) array.Array, f func(a, b any) array.Array) adapter {
	return func(a []any, _ map[string]any) []array.Array {
		if x, ok := a[0].(array.Array); ok {
			return list(method(x, a[1]))
		}
		return list(f(a[0], a[1]))
	}
}

func likeOf(k map[string]any) []kw.LikeOption {
	var o []kw.LikeOption
	if d, ok := k["dtype"].(dtype.DType); ok {
		o = append(o, kw.DType(d))
	}
	if s := ints(k["shape"]); s != nil {
		o = append(o, kw.Shape(s...))
	}
	return o
}

// dtypeArg takes a dtype given by position as a keyword.
func dtypeArg(a []any, i int, k map[string]any) map[string]any {
	if len(a) > i {
		k["dtype"] = a[i]
	}
	return k
}

func noPrecision(f func(a, b any, o ...kw.DotOption) array.Array) adapter {
	return func(a []any, k map[string]any) []array.Array {
		var o []kw.DotOption
		for name, v := range k {
			if p, ok := v.(string); ok && name == "precision" {
				o = append(o, kw.Precision(p))
				continue
			}
			if d, ok := v.(dtype.DType); ok && name == "preferred_element_type" {
				o = append(o, kw.PreferredElementType(d))
				continue
			}
			core.TypeErrorf("the test knows no keyword %s", name)
		}
		return list(f(a[0], a[1], o...))
	}
}

// functions adapts JAX's names to Go functions.
var functions = map[string]adapter{
	"jnp.sin": one(jnp.Sin), "jnp.cos": one(jnp.Cos), "jnp.tan": one(jnp.Tan), "jnp.arcsin": one(jnp.ArcSin),
	"jnp.arccos": one(jnp.ArcCos), "jnp.arctan": one(jnp.ArcTan), "jnp.sinh": one(jnp.Sinh), "jnp.cosh": one(jnp.Cosh),
	"jnp.tanh": one(jnp.Tanh), "jnp.arccosh": one(jnp.ArcCosh), "jnp.arctanh": one(jnp.ArcTanh), "jnp.exp": one(jnp.Exp),
	"jnp.exp2": one(jnp.Exp2), "jnp.expm1": one(jnp.Expm1), "jnp.log": one(jnp.Log), "jnp.log1p": one(jnp.Log1p),
	"jnp.log2": one(jnp.Log2), "jnp.log10": one(jnp.Log10), "jnp.sqrt": one(jnp.Sqrt), "jnp.cbrt": one(jnp.Cbrt),
	"jnp.square": one(jnp.Square), "jnp.reciprocal": one(jnp.Reciprocal), "jnp.abs": one(jnp.Abs),
	"jnp.absolute": one(jnp.Absolute), "jnp.sign": one(jnp.Sign), "jnp.negative": one(jnp.Negative),
	"jnp.positive": one(jnp.Positive), "jnp.floor": one(jnp.Floor), "jnp.ceil": one(jnp.Ceil),
	"jnp.isnan": one(jnp.IsNaN), "jnp.isfinite": one(jnp.IsFinite), "jnp.logical_not": one(jnp.LogicalNot),
	"jnp.bitwise_not": one(jnp.BitwiseNot), "jnp.ravel": func(a []any, k map[string]any) []array.Array {
		if k["order"] == "F" {
			return list(jnp.Ravel(a[0], kw.Order("F")))
		}
		return list(jnp.Ravel(a[0]))
	},
	"jnp.real": one(jnp.Real), "jnp.imag": one(jnp.Imag), "jnp.conj": one(jnp.Conj), "attr.real": one(jnp.Real),

	"jnp.add": two(jnp.Add), "jnp.subtract": two(jnp.Subtract), "jnp.multiply": two(jnp.Multiply),
	"jnp.divide": two(jnp.Divide), "jnp.true_divide": two(jnp.TrueDivide), "jnp.power": two(jnp.Power),
	"jnp.maximum": two(jnp.Maximum), "jnp.minimum": two(jnp.Minimum), "jnp.arctan2": two(jnp.ArcTan2),
	"jnp.equal": two(jnp.Equal), "jnp.not_equal": two(jnp.NotEqual), "jnp.less": two(jnp.Less),
	"jnp.less_equal": two(jnp.LessEqual), "jnp.greater": two(jnp.Greater), "jnp.greater_equal": two(jnp.GreaterEqual),
	"jnp.logical_and": two(jnp.LogicalAnd), "jnp.logical_or": two(jnp.LogicalOr), "jnp.logical_xor": two(jnp.LogicalXor),
	"jnp.bitwise_and": two(jnp.BitwiseAnd), "jnp.bitwise_or": two(jnp.BitwiseOr), "jnp.bitwise_xor": two(jnp.BitwiseXor),
	"jnp.left_shift": two(jnp.LeftShift), "jnp.right_shift": two(jnp.RightShift), "jnp.mod": two(jnp.Mod),
	"jnp.remainder": two(jnp.Remainder), "jnp.floor_divide": two(jnp.FloorDivide), "jnp.outer": two(jnp.Outer),

	"jnp.sum": reduce(jnp.Sum), "jnp.prod": reduce(jnp.Prod), "jnp.max": reduce(jnp.Max), "jnp.min": reduce(jnp.Min),
	"jnp.mean": reduce(jnp.Mean), "jnp.all": reduce(jnp.All), "jnp.any": reduce(jnp.Any),
	"method.sum": reduce(jnp.Sum), "method.mean": reduce(jnp.Mean), "method.min": reduce(jnp.Min), "method.max": reduce(jnp.Max),
	"method.all": reduce(jnp.All), "method.any": reduce(jnp.Any),

	"jnp.dot": noPrecision(jnp.Dot), "jnp.matmul": noPrecision(jnp.MatMul), "jnp.vdot": noPrecision(jnp.VDot),

	"jnp.zeros": func(a []any, k map[string]any) []array.Array {
		k = dtypeArg(a, 1, k)
		return list(jnp.Zeros(a[0], dtypeOf(k)...))
	},
	"jnp.ones": func(a []any, k map[string]any) []array.Array {
		k = dtypeArg(a, 1, k)
		return list(jnp.Ones(a[0], dtypeOf(k)...))
	},
	"jnp.full": func(a []any, k map[string]any) []array.Array {
		k = dtypeArg(a, 2, k)
		return list(jnp.Full(a[0], a[1], dtypeOf(k)...))
	},
	"jnp.arange": func(a []any, k map[string]any) []array.Array {
		if stop, ok := k["stop"]; ok {
			a = append(a, stop)
		}
		for _, o := range dtypeOf(k) {
			a = append(a, o)
		}
		return list(jnp.Arange(a...))
	},
	"jnp.zeros_like": func(a []any, k map[string]any) []array.Array { return list(jnp.ZerosLike(a[0], likeOf(k)...)) },
	"jnp.ones_like":  func(a []any, k map[string]any) []array.Array { return list(jnp.OnesLike(a[0], likeOf(k)...)) },
	"jnp.full_like":  func(a []any, k map[string]any) []array.Array { return list(jnp.FullLike(a[0], a[1], likeOf(k)...)) },
	"jnp.where":      func(a []any, _ map[string]any) []array.Array { return list(jnp.Where(a[0], a[1], a[2])) },
	"jnp.clip": func(a []any, k map[string]any) []array.Array {
		var o []kw.ClipOption
		for i, v := range a[1:] {
			if v != nil {
				o = append(o, []kw.ClipOption{kw.Min(v), kw.Max(v)}[i])
			}
		}
		for name, v := range k {
			o = append(o, map[string]kw.ClipOption{"min": kw.Min(v), "max": kw.Max(v)}[name])
		}
		return list(jnp.Clip(a[0], o...))
	},
	"jnp.round": func(a []any, k map[string]any) []array.Array {
		if d, ok := k["decimals"].(int); ok {
			a = append(a, d)
		}
		if len(a) > 1 {
			return list(jnp.Round(a[0], kw.Decimals(a[1].(int))))
		}
		return list(jnp.Round(a[0]))
	},
	"jnp.reshape": func(a []any, k map[string]any) []array.Array {
		if o, ok := k["order"].(string); ok {
			return list(jnp.Reshape(a[0], a[1], kw.Order(o)))
		}
		return list(jnp.Reshape(a[0], a[1]))
	},
	"method.reshape": func(a []any, _ map[string]any) []array.Array {
		if len(a) > 2 {
			return list(arr(a[0]).Reshape(ints(a[1:])...))
		}
		return list(jnp.Reshape(a[0], ints(a[1])))
	},
	"jnp.transpose": func(a []any, k map[string]any) []array.Array {
		if len(a) > 1 {
			return list(jnp.Transpose(a[0], ints(a[1])...))
		}
		return list(jnp.Transpose(a[0], ints(k["axes"])...))
	},
	"attr.T": one(func(x any) array.Array { return arr(x).T() }),
	"jnp.squeeze": func(a []any, k map[string]any) []array.Array {
		if len(a) > 1 {
			k["axis"] = a[1]
		}
		if v, ok := k["axis"]; ok && v != nil {
			return list(jnp.Squeeze(a[0], kw.Axis(ints(v)...)))
		}
		return list(jnp.Squeeze(a[0]))
	},
	"jnp.expand_dims": func(a []any, k map[string]any) []array.Array {
		if len(a) > 1 {
			k["axis"] = a[1]
		}
		return list(jnp.ExpandDims(a[0], ints(k["axis"])...))
	},
	"jnp.swapaxes":     func(a []any, _ map[string]any) []array.Array { return list(jnp.SwapAxes(a[0], a[1].(int), a[2].(int))) },
	"jnp.moveaxis":     func(a []any, _ map[string]any) []array.Array { return list(jnp.MoveAxis(a[0], a[1], a[2])) },
	"jnp.broadcast_to": func(a []any, _ map[string]any) []array.Array { return list(jnp.BroadcastTo(a[0], a[1])) },

	"op.add": op(array.Array.Add, jnp.Add), "op.sub": op(array.Array.Sub, jnp.Subtract), "op.mul": op(array.Array.Mul, jnp.Multiply),
	"op.truediv": op(array.Array.Div, jnp.TrueDivide), "op.pow": op(array.Array.Pow, jnp.Power), "op.mod": op(array.Array.Mod, jnp.Mod),
	"op.floordiv": op(array.Array.FloorDiv, jnp.FloorDivide),
	"op.eq":       two(jnp.Equal), "op.ne": two(jnp.NotEqual), "op.lt": two(jnp.Less), "op.le": two(jnp.LessEqual),
	"op.gt": two(jnp.Greater), "op.ge": two(jnp.GreaterEqual), "op.and_": two(jnp.BitwiseAnd), "op.or_": two(jnp.BitwiseOr),
	"op.xor": two(jnp.BitwiseXor), "op.lshift": two(jnp.LeftShift), "op.rshift": two(jnp.RightShift),
	"op.neg": one(jnp.Negative), "op.pos": one(jnp.Positive), "op.abs": one(jnp.Abs), "op.invert": one(jnp.Invert),
	"op.matmul": noPrecision(jnp.MatMul),

	"lax.neg": one(lax.Neg), "lax.sign": one(lax.Sign), "lax.floor": one(lax.Floor), "lax.ceil": one(lax.Ceil),
	"lax.is_finite": one(lax.IsFinite), "lax.exp": one(lax.Exp), "lax.exp2": one(lax.Exp2), "lax.log": one(lax.Log),
	"lax.expm1": one(lax.Expm1), "lax.log1p": one(lax.Log1p), "lax.tanh": one(lax.Tanh), "lax.logistic": one(lax.Logistic),
	"lax.sin": one(lax.Sin), "lax.cos": one(lax.Cos), "lax.tan": one(lax.Tan), "lax.asin": one(lax.Asin),
	"lax.acos": one(lax.Acos), "lax.atan": one(lax.Atan), "lax.sinh": one(lax.Sinh), "lax.cosh": one(lax.Cosh),
	"lax.acosh": one(lax.Acosh), "lax.atanh": one(lax.Atanh), "lax.abs": one(lax.Abs), "lax.sqrt": one(lax.Sqrt),
	"lax.rsqrt": one(lax.Rsqrt), "lax.cbrt": one(lax.Cbrt), "lax.square": one(lax.Square), "lax.bitwise_not": one(lax.Not),
	"lax.stop_gradient": one(func(x any) array.Array {
		if f, ok := x.(float64); ok {
			return lax.StopGradient(jnp.AsArray(f))
		}
		return lax.StopGradient(arr(x))
	}),

	"lax.add": two(lax.Add), "lax.sub": two(lax.Sub), "lax.mul": two(lax.Mul), "lax.div": two(lax.Div), "lax.rem": two(lax.Rem),
	"lax.max": two(lax.Max), "lax.min": two(lax.Min), "lax.atan2": two(lax.Atan2), "lax.pow": two(lax.Pow),
	"lax.eq": two(lax.Eq), "lax.ne": two(lax.Ne), "lax.ge": two(lax.Ge), "lax.gt": two(lax.Gt), "lax.le": two(lax.Le), "lax.lt": two(lax.Lt),
	"lax.bitwise_and": two(lax.And), "lax.bitwise_or": two(lax.Or), "lax.bitwise_xor": two(lax.Xor),
	"lax.shift_left": two(lax.ShiftLeft), "lax.shift_right_arithmetic": two(lax.ShiftRightArithmetic),
	"lax.shift_right_logical": two(lax.ShiftRightLogical),
	"lax.integer_pow":         func(a []any, _ map[string]any) []array.Array { return list(lax.IntegerPow(a[0], a[1].(int))) },
	"lax.select":              func(a []any, _ map[string]any) []array.Array { return list(lax.Select(a[0], a[1], a[2])) },
	"lax.clamp":               func(a []any, _ map[string]any) []array.Array { return list(lax.Clamp(a[0], a[1], a[2])) },
	"lax.convert_element_type": func(a []any, _ map[string]any) []array.Array {
		return list(lax.ConvertElementType(a[0], a[1].(dtype.DType)))
	},
	"lax.broadcast": func(a []any, _ map[string]any) []array.Array { return list(lax.Broadcast(a[0], ints(a[1]))) },
	"lax.broadcast_in_dim": func(a []any, _ map[string]any) []array.Array {
		return list(lax.BroadcastInDim(a[0], ints(a[1]), ints(a[2])))
	},
	"lax.reshape": func(a []any, _ map[string]any) []array.Array {
		if len(a) > 2 && a[2] != nil {
			return list(lax.ReshapeOrdered(a[0], ints(a[1]), ints(a[2])))
		}
		return list(lax.Reshape(a[0], ints(a[1])))
	},
	"lax.transpose":   func(a []any, _ map[string]any) []array.Array { return list(lax.Transpose(a[0], ints(a[1]))) },
	"lax.squeeze":     func(a []any, _ map[string]any) []array.Array { return list(lax.Squeeze(a[0], ints(a[1]))) },
	"lax.expand_dims": func(a []any, _ map[string]any) []array.Array { return list(lax.ExpandDims(a[0], ints(a[1]))) },
	"lax.rev":         func(a []any, _ map[string]any) []array.Array { return list(lax.Rev(a[0], ints(a[1]))) },
	"lax.iota":        func(a []any, _ map[string]any) []array.Array { return list(lax.Iota(a[0].(dtype.DType), a[1].(int))) },
	"lax.broadcasted_iota": func(a []any, _ map[string]any) []array.Array {
		return list(lax.BroadcastedIota(a[0].(dtype.DType), ints(a[1]), a[2].(int)))
	},
	"lax.concatenate": func(a []any, _ map[string]any) []array.Array {
		var xs []array.Array
		for _, x := range a[0].([]any) {
			xs = append(xs, arr(x))
		}
		return list(lax.Concatenate(xs, a[1].(int)))
	},
	"lax.slice": func(a []any, _ map[string]any) []array.Array {
		var strides []int
		if len(a) > 3 {
			strides = ints(a[3])
		}
		return list(lax.Slice(a[0], ints(a[1]), ints(a[2]), strides))
	},
	"lax.full": func(a []any, _ map[string]any) []array.Array {
		d := dtype.Invalid
		if len(a) > 2 {
			d, _ = a[2].(dtype.DType)
		}
		return list(lax.Full(ints(a[0]), a[1], d))
	},
	"lax.full_like": func(a []any, k map[string]any) []array.Array {
		k = dtypeArg(a, 2, k)
		d, _ := k["dtype"].(dtype.DType)
		return list(lax.FullLike(a[0], a[1], d))
	},
	"lax.dot": func(a []any, _ map[string]any) []array.Array {
		x, y := arr(a[0]), arr(a[1])
		return list(lax.DotGeneral(x, y, lax.DotDims{LHSContract: []int{x.NDim() - 1}, RHSContract: []int{0}}, "", dtype.Invalid))
	},
	"lax.dot_general": func(a []any, _ map[string]any) []array.Array {
		d := a[2].([]any)
		c, b := d[0].([]any), d[1].([]any)
		dims := lax.DotDims{LHSContract: ints(c[0]), RHSContract: ints(c[1]), LHSBatch: ints(b[0]), RHSBatch: ints(b[1])}
		return list(lax.DotGeneral(a[0], a[1], dims, "", dtype.Invalid))
	},
}
