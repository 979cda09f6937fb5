package jnp

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"

	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
	"gopherlo/jaxlike/kw"
	"gopherlo/jaxlike/lax"
)

// AsType converts the elements.
func AsType(x any, d dtype.DType) array.Array {
	return lax.ConvertElementType(arraylike("astype", 0, x), core.UserDType("astype", d))
}

// Reshape gives a another shape; one dimension may be -1. kw.Order("F") reads
// and writes the elements column by column.
func Reshape(a, shape any, opts ...kw.ReshapeOption) array.Array {
	x := arraylike("reshape", 0, a)
	checkNewShape(shape)
	dims := shapeOf("reshape", shape)
	text := core.PyRepr(core.NewInts(dims...))
	if n, ok := shape.(int); ok {
		text = strconv.Itoa(n)
	}
	dims = newShape(x, dims, text)
	if !columnMajor(opts) {
		return lax.Reshape(x, dims)
	}
	axes, back := axesOf(x), slices.Clone(dims)
	slices.Reverse(axes)
	slices.Reverse(back)
	return Transpose(lax.ReshapeOrdered(x, back, axes))
}

// checkNewShape refuses traced sizes with the words of NumPy's protocol, by which
// JAX reads a new shape.
func checkNewShape(shape any) {
	traced := func(v any) core.Value {
		if a, ok := v.(array.Array); ok && core.ToConcrete(a.Value()) == nil {
			return a.Value()
		}
		return nil
	}
	if v := traced(shape); v != nil {
		core.TypeErrorf("expected a sequence of integers or a single integer, got '%s'", core.PyRepr(shape))
	}
	if rv := reflect.ValueOf(shape); rv.Kind() == reflect.Slice {
		for _, d := range items(rv) {
			if v := traced(d); v != nil {
				core.RaiseIndex(v)
			}
		}
	}
}

// columnMajor reads the order option: "C" (row by row) or "F".
func columnMajor(opts []kw.ReshapeOption) bool {
	switch order := kw.Collect(opts).Order; order {
	case "", "C":
		return false
	case "F":
		return true
	case "A":
		core.Raise("NotImplementedError", "np.reshape order=A is not implemented.")
	default:
		core.ValueErrorf("Unexpected value for 'order' argument: %s.", order)
	}
	return false
}

// newShape replaces -1 by what is left (_compute_newshape in JAX); asked is the
// shape as errors show it.
func newShape(x array.Array, shape []int, asked string) []int {
	text := func(s []int) string { return core.PyRepr(core.NewInts(s...)) }
	free, rest := -1, 1
	for i, d := range shape {
		if d != -1 {
			rest *= d
			continue
		}
		if free >= 0 {
			core.TypeErrorf("can only specify one unknown axis size with a `-1` value, got %s", asked)
		}
		free = i
	}
	if free < 0 {
		if x.Size() != rest {
			core.TypeErrorf("cannot reshape array of shape %s (size %d) into shape %s (size %d)", text(x.Shape()), x.Size(), asked, rest)
		}
		return shape
	}
	if rest == 0 || x.Size()%rest != 0 {
		core.TypeErrorf("cannot reshape array of shape %s (size %d) into shape %s because the product of specified axis sizes (%d) does not evenly divide %d", text(x.Shape()), x.Size(), asked, rest, x.Size())
	}
	out := slices.Clone(shape)
	out[free] = x.Size() / rest
	return out
}

// Ravel gives a as one dimension.
func Ravel(a any, opts ...kw.ReshapeOption) array.Array {
	order := kw.Collect(opts).Order
	return inline("ravel", order, func(xs []array.Array) array.Array {
		return Reshape(xs[0], xs[0].Size(), opts...)
	}, value("ravel", "a", a))
}

// Transpose permutes the dimensions; without axes it reverses them.
func Transpose(a any, axes ...int) array.Array {
	x := arraylike("transpose", 0, a)
	perm := make([]int, 0, x.NDim())
	for _, d := range axes {
		perm = append(perm, core.CanonicalAxis(d, x.NDim()))
	}
	if len(axes) == 0 {
		for i := x.NDim() - 1; i >= 0; i-- {
			perm = append(perm, i)
		}
	}
	return lax.Transpose(x, perm)
}

// SwapAxes exchanges two dimensions.
func SwapAxes(a any, axis1, axis2 int) array.Array {
	return inline("swapaxes", fmt.Sprint(axis1, axis2), func(xs []array.Array) array.Array {
		x := xs[0]
		perm := axesOf(x)
		n := x.NDim()
		for _, d := range []int{axis1, axis2} {
			if d < -n || d >= n {
				core.Raise("IndexError", "index %d is out of bounds for axis 0 with size %d", d, n)
			}
		}
		i, j := core.CanonicalAxis(axis1, n), core.CanonicalAxis(axis2, n)
		perm[i], perm[j] = perm[j], perm[i]
		return lax.Transpose(x, perm)
	}, value("swapaxes", "a", a))
}

// MoveAxis moves dimensions to other places; both arguments are an int or a
// []int.
func MoveAxis(a, source, destination any) array.Array {
	from, to := shapeOf("moveaxis", source), shapeOf("moveaxis", destination)
	return inline("_moveaxis", fmt.Sprint(from, to), func(xs []array.Array) array.Array {
		x := xs[0]
		if len(from) != len(to) {
			core.ValueErrorf("Inconsistent number of elements: %d vs %d", len(from), len(to))
		}
		target := map[int]int{} // new place -> old dimension
		moved := map[int]bool{}
		for i := range from {
			s, d := core.CanonicalAxis(from[i], x.NDim()), core.CanonicalAxis(to[i], x.NDim())
			target[d], moved[s] = s, true
		}
		perm := slices.DeleteFunc(axesOf(x), func(d int) bool { return moved[d] })
		for d := range x.NDim() {
			if s, ok := target[d]; ok {
				perm = slices.Insert(perm, d, s)
			}
		}
		return lax.Transpose(x, perm)
	}, value("moveaxis", "a", a))
}

func axesOf(x array.Array) []int {
	out := make([]int, x.NDim())
	for i := range out {
		out[i] = i
	}
	return out
}

// Squeeze removes dimensions of size 1, all or those given by kw.Axis.
func Squeeze(a any, opts ...kw.SqueezeOption) array.Array {
	axis := kw.Collect(opts).Axis
	return inline("_squeeze", fmt.Sprint(axis, axis == nil), func(xs []array.Array) array.Array {
		dims := axis
		if dims == nil {
			for i, d := range xs[0].Shape() {
				if d == 1 {
					dims = append(dims, i)
				}
			}
		}
		return lax.Squeeze(xs[0], dims)
	}, value("squeeze", "a", a))
}

// ExpandDims adds dimensions of size 1 at the given places.
func ExpandDims(a any, axes ...int) array.Array {
	return lax.ExpandDims(arraylike("expand_dims", 0, a), axes)
}

// BroadcastTo repeats a to the shape.
func BroadcastTo(a, shape any) array.Array {
	return broadcastTo(arraylike("broadcast_to", 0, a), shapeOf("broadcast_to", shape))
}

func broadcastTo(x array.Array, shape []int) array.Array {
	xs := x.Shape()
	if slices.Equal(xs, shape) {
		return x
	}
	bad := func() {
		core.ValueErrorf("Incompatible types for broadcasting: input type=%s and requested type=%s", x.Aval().Long(), core.NewAval(x.DType(), shape...).Long())
	}
	lead := len(shape) - len(xs)
	if lead < 0 {
		core.ValueErrorf("Cannot broadcast to shape with fewer dimensions: arr_shape=%s shape=%s", core.PyRepr(core.NewInts(xs...)), core.PyRepr(core.NewInts(shape...)))
	}
	dims := make([]int, len(xs))
	for i, d := range xs {
		dims[i] = lead + i
		if d != shape[lead+i] && d != 1 {
			bad()
		}
	}
	return lax.BroadcastInDim(x, shape, dims)
}

// Where gives x where the condition holds, else y.
func Where(condition, x, y any) array.Array {
	for i, v := range []any{condition, x, y} {
		if _, isInt := v.(int); !isInt {
			arraylike("where", i, v)
		}
	}
	return where(AsArray(condition), array.New(value("where", "x", x)), array.New(value("where", "y", y)))
}

func where(condition, x, y array.Array) array.Array {
	return named("_where", "", func(xs []array.Array) array.Array {
		c := xs[0]
		if !c.DType().IsBool() {
			c = lax.Ne(c, lax.ConstZero(c))
		}
		p := promoteTypes(same, xs[1], xs[2])
		if c.NDim() == 0 {
			p = broadcastArrays(p...)
		} else {
			all := broadcastArrays(c, p[0], p[1])
			c, p = all[0], all[1:]
		}
		if p[0].Size() == 0 {
			return p[0]
		}
		return lax.Select(c, p[0], p[1])
	}, condition.Value(), x.Value(), y.Value())
}

// broadcastArrays gives arrays their common shape.
func broadcastArrays(xs ...array.Array) []array.Array {
	shapes := make([][]int, len(xs))
	for i, x := range xs {
		shapes[i] = x.Shape()
	}
	shape := lax.BroadcastShapes(shapes...)
	out := make([]array.Array, len(xs))
	for i, x := range xs {
		out[i] = broadcastTo(x, shape)
	}
	return out
}

// Clip limits the elements by kw.Min and kw.Max.
func Clip(arr any, opts ...kw.ClipOption) array.Array {
	s := kw.Collect(opts)
	args := []core.Value{value("clip", "arr", arr)}
	for _, b := range []struct {
		name string
		v    any
	}{{"min", s.Min}, {"max", s.Max}} {
		if b.v != nil {
			args = append(args, value("clip", b.name, b.v))
		}
	}
	return named("clip", fmt.Sprint(s.Min != nil, s.Max != nil), func(xs []array.Array) array.Array {
		x, rest := xs[0], xs[1:]
		if s.Min != nil {
			x, rest = Maximum(rest[0], x), rest[1:]
		}
		if s.Max != nil {
			x = Minimum(rest[0], x)
		}
		return x
	}, args...)
}

// Round rounds to a number of decimals, halves to even.
func Round(a any, opts ...kw.RoundOption) array.Array {
	decimals := kw.Collect(opts).Decimals
	return named("round", fmt.Sprint(decimals), func(xs []array.Array) array.Array {
		x := xs[0]
		d := x.DType()
		if d.IsInt() {
			if decimals < 0 {
				core.Raise("NotImplementedError", "integer np.round not implemented for decimals < 0")
			}
			return x
		}
		switch {
		case d.IsBool():
			core.ValueErrorf("data type dtype('bool') not compatible with finfo")
		case d.IsComplex():
			return lax.Complex(roundFloat(lax.Real(x), decimals), roundFloat(lax.Imag(x), decimals))
		}
		return roundFloat(x, decimals)
	}, value("round", "a", a))
}

func roundFloat(x array.Array, decimals int) array.Array {
	if decimals == 0 {
		return lax.Round(x, lax.ToNearestEven)
	}
	d := x.DType()
	if d == dtype.Float16 { // scaling would overflow
		x = lax.ConvertElementType(x, dtype.Float32)
	}
	factor := lax.ConstLike(x, pow10(decimals))
	x = lax.Div(lax.Round(lax.Mul(x, factor), lax.ToNearestEven), factor)
	if d == dtype.Float16 {
		x = lax.ConvertElementType(x, d)
	}
	return x
}

func pow10(n int) float64 {
	v := 1.0
	for range max(n, -n) {
		v *= 10
	}
	if n < 0 {
		return 1 / v
	}
	return v
}
