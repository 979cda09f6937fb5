package jnp_test

import (
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
	"gopherlo/jaxlike/jnp"
	"gopherlo/jaxlike/kw"
	"gopherlo/jaxlike/lax"
)

// keyword makes an option of a Python keyword; nil values are none.
func keyword(name string, v any) kw.Option {
	if v == nil {
		return nil
	}
	number := func() float64 {
		if n, ok := v.(int); ok {
			return float64(n)
		}
		return v.(float64)
	}
	switch name {
	case "axis":
		return kw.Axis(ints(v)...)
	case "keepdims":
		return kw.KeepDims(v.(bool))
	case "dtype":
		return kw.DType(v.(dtype.DType))
	case "where":
		return kw.Where(v)
	case "initial":
		return kw.Initial(v)
	case "ddof":
		return kw.DDof(number())
	case "correction":
		return kw.Correction(number())
	case "stable":
		return kw.Stable(v.(bool))
	case "descending":
		return kw.Descending(v.(bool))
	case "k":
		return kw.K(v.(int))
	case "M":
		return kw.M(v.(int))
	case "offset":
		return kw.Offset(v.(int))
	case "axis1":
		return kw.Axis1(v.(int))
	case "axis2":
		return kw.Axis2(v.(int))
	case "indexing":
		return kw.Indexing(v.(string))
	case "sparse":
		return kw.Sparse(v.(bool))
	case "precision":
		return kw.Precision(v.(string))
	case "preferred_element_type":
		return kw.PreferredElementType(v.(dtype.DType))
	case "axes":
		return kw.Axes(v)
	case "ord":
		return kw.Ord(v)
	case "mode":
		return kw.Mode(v.(string))
	case "fill_value":
		return kw.FillValue(v)
	case "constant_values":
		return kw.ConstantValues(v)
	case "total_repeat_length":
		return kw.TotalRepeatLength(v.(int))
	case "n":
		return kw.N(v.(int))
	case "size":
		return kw.Size(v.(int))
	case "side":
		return kw.Side(v.(string))
	case "weights":
		return kw.Weights(v)
	case "method":
		return kw.Method(v.(string))
	case "num":
		return kw.Num(v.(int))
	case "endpoint":
		return kw.Endpoint(v.(bool))
	case "rtol":
		return kw.RTol(v)
	case "atol":
		return kw.ATol(v)
	case "equal_nan":
		return kw.EqualNaN(v.(bool))
	case "nan":
		return kw.NaN(v)
	case "posinf":
		return kw.PosInf(v)
	case "neginf":
		return kw.NegInf(v)
	case "alpha":
		return kw.Alpha(v)
	case "negative_slope":
		return kw.NegativeSlope(v)
	case "approximate":
		return kw.Approximate(v.(bool))
	case "b":
		return kw.B(v)
	case "epsilon":
		return kw.Epsilon(v)
	case "shape":
		return kw.Shape(ints(v)...)
	case "p":
		return kw.P(v)
	case "minval":
		return kw.MinVal(v)
	case "maxval":
		return kw.MaxVal(v)
	case "replace":
		return kw.Replace(v.(bool))
	case "independent":
		return kw.Independent(v.(bool))
	case "reverse":
		return kw.Reverse(v.(bool))
	}
	core.TypeErrorf("the test knows no keyword %s", name)
	return nil
}

// options are those of the keywords that the function takes.
func options[T kw.Option](k map[string]any) []T {
	var out []T
	for name, v := range k {
		o := keyword(name, v)
		if o == nil {
			continue
		}
		t, ok := o.(T)
		if !ok {
			core.TypeErrorf("the test's function takes no keyword %s", name)
		}
		out = append(out, t)
	}
	return out
}

// withNames moves positional arguments from the i-th on to keywords.
func withNames(a []any, k map[string]any, i int, names ...string) ([]any, map[string]any) {
	for j, name := range names {
		if len(a) > i+j {
			k[name] = a[i+j]
		}
	}
	if len(a) > i {
		a = a[:i]
	}
	return a, k
}

// unaryWith adapts a function of one array with options.
func unaryWith[T kw.Option](f func(any, ...T) array.Array, names ...string) adapter {
	return func(a []any, k map[string]any) []array.Array {
		a, k = withNames(a, k, 1, names...)
		return list(f(a[0], options[T](k)...))
	}
}

// noneAxis turns an axis of None, where that is not the default, to kw.Axis().
func noneAxis(f adapter) adapter {
	return func(a []any, k map[string]any) []array.Array {
		if len(a) > 1 && a[1] == nil {
			a[1] = []any{}
		}
		if v, ok := k["axis"]; ok && v == nil {
			k["axis"] = []any{}
		}
		return f(a, k)
	}
}

func binaryWith[T kw.Option](f func(x, y any, o ...T) array.Array, names ...string) adapter {
	return func(a []any, k map[string]any) []array.Array {
		a, k = withNames(a, k, 2, names...)
		return list(f(a[0], a[1], options[T](k)...))
	}
}

func parts[T kw.Option](f func(x, y any, o ...T) []array.Array) adapter {
	return func(a []any, k map[string]any) []array.Array {
		a, k = withNames(a, k, 2, "axis")
		return f(a[0], a[1], options[T](k)...)
	}
}

func two2(f func(x, y any) []array.Array) adapter {
	return func(a []any, _ map[string]any) []array.Array { return f(a[0], a[1]) }
}

func number[T kw.Option](f func(n int, o ...T) array.Array, names ...string) adapter {
	return func(a []any, k map[string]any) []array.Array {
		a, k = withNames(a, k, 1, names...)
		if n, ok := k["N"]; ok {
			delete(k, "N")
			a = []any{n}
		}
		return list(f(a[0].(int), options[T](k)...))
	}
}

func along(f func(x any, axis int, reverse bool) array.Array) adapter {
	return func(a []any, k map[string]any) []array.Array {
		a, k = withNames(a, k, 1, "axis", "reverse")
		axis, _ := k["axis"].(int)
		rev, _ := k["reverse"].(bool)
		return list(f(a[0], axis, rev))
	}
}

func init() {
	more := map[string]adapter{
		"jnp.var": unaryWith(jnp.Var, "axis"), "jnp.std": unaryWith(jnp.Std, "axis"), "method.var": unaryWith(jnp.Var, "axis"),
		"method.std": unaryWith(jnp.Std, "axis"), "jnp.median": unaryWith(jnp.Median, "axis"), "jnp.ptp": unaryWith(jnp.Ptp, "axis"),
		"jnp.quantile": binaryWith(jnp.Quantile, "axis"), "jnp.percentile": binaryWith(jnp.Percentile, "axis"),
		"jnp.average": unaryWith(jnp.Average, "axis"), "jnp.count_nonzero": unaryWith(jnp.CountNonZero, "axis"),
		"jnp.argmax": unaryWith(jnp.ArgMax, "axis"), "jnp.argmin": unaryWith(jnp.ArgMin, "axis"),
		"method.argmax": unaryWith(jnp.ArgMax, "axis"), "method.argmin": unaryWith(jnp.ArgMin, "axis"),
		"jnp.cumsum": unaryWith(jnp.CumSum, "axis"), "jnp.cumprod": unaryWith(jnp.CumProd, "axis"), "method.cumsum": unaryWith(jnp.CumSum, "axis"),
		"method.cumprod": unaryWith(jnp.CumProd, "axis"),
		"jnp.sort":       noneAxis(unaryWith(jnp.Sort, "axis")), "jnp.argsort": noneAxis(unaryWith(jnp.ArgSort, "axis")),
		"jnp.concatenate": noneAxis(unaryWith(jnp.Concatenate, "axis")), "jnp.stack": unaryWith(jnp.Stack, "axis"),
		"jnp.vstack": unaryWith(jnp.VStack), "jnp.hstack": unaryWith(jnp.HStack), "jnp.dstack": unaryWith(jnp.DStack),
		"jnp.column_stack": one(jnp.ColumnStack), "jnp.append": binaryWith(jnp.Append, "axis"),
		"jnp.atleast_1d": one(jnp.Atleast1D), "jnp.atleast_2d": one(jnp.Atleast2D), "jnp.atleast_3d": one(jnp.Atleast3D),
		"jnp.split": parts(jnp.Split), "jnp.array_split": parts(jnp.ArraySplit), "jnp.hsplit": two2(jnp.HSplit),
		"jnp.vsplit": two2(jnp.VSplit), "jnp.dsplit": two2(jnp.DSplit),
		"jnp.tile": two(jnp.Tile), "jnp.repeat": binaryWith(jnp.Repeat, "axis"),
		"jnp.flip": unaryWith(jnp.Flip, "axis"), "jnp.fliplr": one(jnp.FlipLR), "jnp.flipud": one(jnp.FlipUD),
		"jnp.roll": binaryWith(jnp.Roll, "axis"), "jnp.pad": binaryWith(jnp.Pad, "mode"), "jnp.diff": unaryWith(jnp.Diff, "n", "axis"),
		"jnp.rot90": func(a []any, _ map[string]any) []array.Array {
			if len(a) > 1 {
				return list(jnp.Rot90(a[0], a[1].(int)))
			}
			return list(jnp.Rot90(a[0], 1))
		},
		"jnp.eye": number(jnp.Eye, "M", "k"), "jnp.identity": number(jnp.Identity, "dtype"), "jnp.tri": number(jnp.Tri, "M", "k"),
		"jnp.tril": unaryWith(jnp.TriL, "k"), "jnp.triu": unaryWith(jnp.TriU, "k"), "jnp.diag": unaryWith(jnp.Diag, "k"),
		"jnp.trace": unaryWith(jnp.Trace, "offset", "axis1", "axis2"),
		"jnp.meshgrid": func(a []any, k map[string]any) []array.Array {
			for _, o := range options[kw.MeshGridOption](k) {
				a = append(a, o)
			}
			return jnp.MeshGrid(a...)
		},
		"jnp.isin":     two(jnp.IsIn),
		"jnp.linspace": binaryWith(jnp.Linspace, "num"), "jnp.kron": two(jnp.Kron), "jnp.cross": two(jnp.Cross),
		"jnp.linalg.norm": unaryWith(jnp.Linalg.Norm, "ord", "axis"),
		"jnp.take":        binaryWith(jnp.Take, "axis"),
		"jnp.take_along_axis": func(a []any, k map[string]any) []array.Array {
			a, k = withNames(a, k, 2, "axis")
			axis, ok := k["axis"].(int)
			if !ok {
				axis = -1
			}
			delete(k, "axis")
			return list(jnp.TakeAlongAxis(a[0], a[1], axis, options[kw.TakeAlongAxisOption](k)...))
		},
		"jnp.einsum": func(a []any, k map[string]any) []array.Array {
			for _, o := range options[kw.EinsumOption](k) {
				a = append(a, o)
			}
			return list(jnp.Einsum(a[0].(string), a[1:]...))
		},
		"jnp.tensordot": binaryWith(jnp.TensorDot, "axes"), "jnp.inner": noPrecision(jnp.Inner),
		"jnp.isinf": one(jnp.IsInf), "jnp.isposinf": one(jnp.IsPosInf), "jnp.isneginf": one(jnp.IsNegInf), "jnp.signbit": one(jnp.SignBit),
		"jnp.trunc": one(jnp.Trunc), "jnp.rint": one(jnp.RInt), "jnp.fabs": one(jnp.FAbs), "jnp.deg2rad": one(jnp.Deg2Rad),
		"jnp.rad2deg": one(jnp.Rad2Deg), "jnp.radians": one(jnp.Radians), "jnp.degrees": one(jnp.Degrees),
		"jnp.isclose": binaryWith(jnp.IsClose, "rtol", "atol"), "jnp.allclose": binaryWith(jnp.AllClose, "rtol", "atol"),
		"jnp.array_equal": binaryWith(jnp.ArrayEqual), "jnp.nan_to_num": unaryWith(jnp.NanToNum),
		"jnp.logaddexp": two(jnp.LogAddExp), "jnp.fmod": two(jnp.FMod), "jnp.float_power": two(jnp.FloatPower),
		"jnp.copysign": two(jnp.CopySign), "jnp.heaviside": two(jnp.Heaviside), "jnp.angle": one(jnp.Angle),
		"jnp.divmod": func(a []any, _ map[string]any) []array.Array {
			q, r := jnp.DivMod(a[0], a[1])
			return []array.Array{q, r}
		},

		"lax.cumsum": along(lax.CumSum), "lax.cumprod": along(lax.CumProd), "lax.cummax": along(lax.CumMax), "lax.cummin": along(lax.CumMin),
		"lax.cumlogsumexp": along(lax.CumLogSumExp),
		"lax.argmax": func(a []any, _ map[string]any) []array.Array {
			return list(lax.ArgMax(a[0], a[1].(int), a[2].(dtype.DType)))
		},
		"lax.argmin": func(a []any, _ map[string]any) []array.Array {
			return list(lax.ArgMin(a[0], a[1].(int), a[2].(dtype.DType)))
		},
		"lax.top_k": func(a []any, _ map[string]any) []array.Array {
			v, i := lax.TopK(a[0], a[1].(int))
			return []array.Array{v, i}
		},
		"lax.sort": func(a []any, k map[string]any) []array.Array {
			a, k = withNames(a, k, 1, "dimension", "is_stable", "num_keys")
			dim, ok := k["dimension"].(int)
			if !ok {
				dim = -1
			}
			stable, ok := k["is_stable"].(bool)
			keys, ok2 := k["num_keys"].(int)
			if !ok2 {
				keys = 1
			}
			if xs, isList := a[0].([]any); isList {
				var as []array.Array
				for _, x := range xs {
					as = append(as, arr(x))
				}
				return lax.SortTogether(as, dim, stable || !ok, keys)
			}
			return list(lax.Sort(a[0], dim, stable || !ok))
		},
		"lax.sort_key_val": func(a []any, k map[string]any) []array.Array {
			x, y := lax.SortKeyVal(a[0], a[1], -1, true)
			return []array.Array{x, y}
		},
		"lax.bitcast_convert_type": func(a []any, _ map[string]any) []array.Array {
			return list(lax.BitcastConvertType(a[0], a[1].(dtype.DType)))
		},
		"lax.slice_in_dim": func(a []any, k map[string]any) []array.Array {
			a, k = withNames(a, k, 3, "stride", "axis")
			stride, ok := k["stride"].(int)
			if !ok {
				stride = 1
			}
			axis, _ := k["axis"].(int)
			limit := -1
			if n, ok := a[2].(int); ok {
				limit = n
			} else {
				limit = arr(a[0]).Shape()[axis]
			}
			start, _ := a[1].(int)
			return list(lax.SliceInDim(a[0], start, limit, stride, axis))
		},
		"lax.index_in_dim": func(a []any, k map[string]any) []array.Array {
			a, k = withNames(a, k, 2, "axis", "keepdims")
			axis, _ := k["axis"].(int)
			keep, ok := k["keepdims"].(bool)
			return list(lax.IndexInDim(a[0], a[1].(int), axis, keep || !ok))
		},
	}
	for name, f := range more {
		functions[name] = f
	}
}
