package jnp

import (
	"reflect"
	"slices"

	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
	"gopherlo/jaxlike/kw"
	"gopherlo/jaxlike/lax"
	"gopherlo/jaxlike/tree"
)

// sequence takes a list of arrays: a slice of anything that is an array, or an
// Array, whose elements along the first dimension are meant.
func sequence(fun string, arrays any) []array.Array {
	if a, ok := arrays.(array.Array); ok && a.Results() == nil {
		if a.NDim() == 0 {
			core.TypeErrorf("iteration over a 0-d array")
		}
		return lax.Unstack(a, 0)
	}
	if a, ok := arrays.(array.Array); ok {
		out := make([]array.Array, len(a.Results().Leaves))
		for i, l := range a.Results().Leaves {
			out[i] = array.New(l)
		}
		return out
	}
	rv := reflect.ValueOf(arrays)
	if k := rv.Kind(); k != reflect.Slice && k != reflect.Array {
		core.TypeErrorf("%s requires a sequence of arrays, got %s", fun, tree.ClassOf(arrays))
	}
	out := make([]array.Array, rv.Len())
	for i := range out {
		out[i] = arraylike(fun, i, rv.Index(i).Interface())
	}
	return out
}

func promoteAll(xs []array.Array, d dtype.DType) []array.Array {
	if d == dtype.Invalid {
		return promoteTypes(same, xs...)
	}
	out := make([]array.Array, len(xs))
	for i, x := range xs {
		out[i] = AsArray(x, kw.DType(d))
	}
	return out
}

// Concatenate joins arrays along a dimension: the first, or kw.Axis; kw.Axis()
// without a number joins them as vectors.
func Concatenate(arrays any, opts ...kw.ConcatenateOption) array.Array {
	s := kw.Collect(opts)
	axis := 0
	switch {
	case s.Axis == nil:
	case len(s.Axis) == 0:
		xs := sequence("concatenate", arrays)
		for i, x := range xs {
			xs[i] = Ravel(x)
		}
		return concatenateAlong(xs, 0, s.DType)
	default:
		axis = s.Axis[0]
	}
	return concatenateAlong(arrays, axis, s.DType)
}

func concatenateAlong(arrays any, axis int, d dtype.DType) array.Array {
	if a, ok := arrays.(array.Array); ok && a.Results() == nil {
		if a.NDim() < 2 {
			core.ValueErrorf("Zero-dimensional arrays cannot be concatenated.")
		}
		return Reshape(MoveAxis(a, 0, core.CanonicalAxis(axis, a.NDim()-1)), joinedShape(a.Shape(), core.CanonicalAxis(axis, a.NDim()-1)))
	}
	xs := sequence("concatenate", arrays)
	if len(xs) == 0 {
		core.ValueErrorf("Need at least one array to concatenate.")
	}
	if xs[0].NDim() == 0 {
		core.ValueErrorf("Zero-dimensional arrays cannot be concatenated.")
	}
	axis = core.CanonicalAxis(axis, xs[0].NDim())
	return lax.Concatenate(promoteAll(xs, d), axis)
}

// joinedShape is the shape of the elements of an array joined along an axis.
func joinedShape(shape []int, axis int) []int {
	out := slices.Clone(shape[1:])
	out[axis] *= shape[0]
	return out
}

// Stack joins arrays of one shape along a new dimension.
func Stack(arrays any, opts ...kw.StackOption) array.Array {
	s := kw.Collect(opts)
	axis := 0
	if s.Axis != nil {
		axis = s.Axis[0]
	}
	if a, ok := arrays.(array.Array); ok && a.Results() == nil {
		axis = core.CanonicalAxis(axis, a.NDim())
		return concatenateAlong(lax.Unstack(ExpandDims(a, axis+1), 0), axis, s.DType)
	}
	xs := sequence("stack", arrays)
	if len(xs) == 0 {
		core.ValueErrorf("Need at least one array to stack.")
	}
	return lax.Stack(promoteAll(xs, s.DType), axis)
}

// VStack joins arrays along the first dimension; vectors are rows.
func VStack(tup any, opts ...kw.VStackOption) array.Array {
	xs := sequence("vstack", tup)
	for i, x := range xs {
		xs[i] = Atleast2D(x)
	}
	return concatenateAlong(xs, 0, kw.Collect(opts).DType)
}

// HStack joins arrays along the second dimension, vectors along the first.
func HStack(tup any, opts ...kw.VStackOption) array.Array {
	xs := sequence("hstack", tup)
	if len(xs) == 0 {
		core.Raise("IndexError", "list index out of range")
	}
	for i, x := range xs {
		xs[i] = Atleast1D(x)
	}
	axis := 1
	if xs[0].NDim() == 1 {
		axis = 0
	}
	return concatenateAlong(xs, axis, kw.Collect(opts).DType)
}

// DStack joins arrays along the third dimension.
func DStack(tup any, opts ...kw.VStackOption) array.Array {
	xs := sequence("dstack", tup)
	for i, x := range xs {
		xs[i] = Atleast3D(x)
	}
	return concatenateAlong(xs, 2, kw.Collect(opts).DType)
}

// ColumnStack joins vectors as columns.
func ColumnStack(tup any) array.Array {
	xs := sequence("column_stack", tup)
	for i, x := range xs {
		if x.NDim() < 2 {
			xs[i] = Atleast2D(x).T()
		}
	}
	return concatenateAlong(xs, 1, dtype.Invalid)
}

// Append joins values to the end of arr, both as vectors unless kw.Axis is given.
func Append(arr, values any, opts ...kw.FlipOption) array.Array {
	s := kw.Collect(opts)
	a, v := arraylike("append", 0, arr), arraylike("append", 1, values)
	if s.Axis == nil {
		return concatenateAlong([]array.Array{Ravel(a), Ravel(v)}, 0, dtype.Invalid)
	}
	return concatenateAlong([]array.Array{a, v}, s.Axis[0], dtype.Invalid)
}

// Atleast1D gives x with at least one dimension.
func Atleast1D(x any) array.Array {
	return named("atleast_1d", "", func(xs []array.Array) array.Array {
		if xs[0].NDim() == 0 {
			return lax.ExpandDims(xs[0], []int{0})
		}
		return xs[0]
	}, value("atleast_1d", "x", x))
}

// Atleast2D gives x with at least two dimensions; a vector is a row.
func Atleast2D(x any) array.Array {
	return named("atleast_2d", "", func(xs []array.Array) array.Array {
		switch x := xs[0]; x.NDim() {
		case 0:
			return lax.ExpandDims(x, []int{0, 1})
		case 1:
			return lax.ExpandDims(x, []int{0})
		}
		return xs[0]
	}, value("atleast_2d", "x", x))
}

// Atleast3D gives x with at least three dimensions.
func Atleast3D(x any) array.Array {
	return named("atleast_3d", "", func(xs []array.Array) array.Array {
		switch x := xs[0]; x.NDim() {
		case 0:
			return lax.ExpandDims(x, []int{0, 1, 2})
		case 1:
			return lax.ExpandDims(x, []int{0, 2})
		case 2:
			return lax.ExpandDims(x, []int{2})
		}
		return xs[0]
	}, value("atleast_3d", "x", x))
}

// Split cuts an array into equal parts, or at the given positions; indices is a
// number or a []int.
func Split(ary, indices any, opts ...kw.SplitOption) []array.Array {
	return splitAs("split", ary, indices, kw.Collect(opts))
}

// ArraySplit is Split where the parts need not be equal.
func ArraySplit(ary, indices any, opts ...kw.SplitOption) []array.Array {
	return splitAs("array_split", ary, indices, kw.Collect(opts))
}

// HSplit cuts along the second dimension, a vector along the first.
func HSplit(ary, indices any) []array.Array {
	a := arraylike("hsplit", 0, ary)
	if a.NDim() == 1 {
		return splitAt("hsplit", a, indices, 0)
	}
	return splitAt("hsplit", a, indices, 1)
}

// VSplit cuts along the first dimension.
func VSplit(ary, indices any) []array.Array {
	return splitAt("vsplit", arraylike("vsplit", 0, ary), indices, 0)
}

// DSplit cuts along the third dimension.
func DSplit(ary, indices any) []array.Array {
	return splitAt("dsplit", arraylike("dsplit", 0, ary), indices, 2)
}

func splitAs(fun string, ary, indices any, s kw.Set) []array.Array {
	axis := 0
	if s.Axis != nil {
		axis = s.Axis[0]
	}
	return splitAt(fun, arraylike(fun, 0, ary), indices, axis)
}

func splitAt(fun string, x array.Array, indices any, axis int) []array.Array {
	if axis >= x.NDim() {
		core.Raise("IndexError", "tuple index out of range")
	}
	axis = core.CanonicalAxis(axis, x.NDim())
	size := x.Shape()[axis]
	n, isCount := indices.(int)
	if a, ok := indices.(array.Array); ok && a.NDim() == 0 {
		n, isCount = int(hostNumber(a, "in jax.numpy."+fun+" argument 1")), true
	}
	if !isCount {
		return lax.SplitWhole(x, partsBetween(shapeOf(fun, indices), size), axis)
	}
	if n == 0 {
		core.Raise("ZeroDivisionError", "integer division or modulo by zero")
	}
	part, rest := size/n, size%n
	if rest != 0 && fun != "array_split" {
		core.ValueErrorf("array split does not result in an equal division: rest is %d", rest)
	}
	sizes := make([]int, n)
	for i := range sizes {
		sizes[i] = part
		if i < rest {
			sizes[i]++
		}
	}
	return lax.SplitWhole(x, sizes, axis)
}

// partsBetween are the sizes of the parts that end at the positions.
func partsBetween(at []int, size int) []int {
	last := 0
	var sizes []int
	for _, i := range append(at, size) {
		if i < 0 {
			i += size
		}
		i = min(max(i, 0), size)
		sizes, last = append(sizes, i-last), i
	}
	return sizes
}

// Unstack takes an array apart along its first dimension, or kw.Axis.
func Unstack(x any, opts ...kw.SplitOption) []array.Array {
	s := kw.Collect(opts)
	axis := 0
	if s.Axis != nil {
		axis = s.Axis[0]
	}
	return lax.Unstack(arraylike("unstack", 0, x), axis)
}

// Tile repeats an array along its dimensions; reps is a number or a []int.
func Tile(a, reps any) array.Array {
	x := arraylike("tile", 0, a)
	checkRepetitions(reps)
	r := shapeOf("tile", reps)
	for len(r) < x.NDim() {
		r = append([]int{1}, r...)
	}
	if n := len(r) - x.NDim(); n > 0 {
		x = lax.ExpandDims(x, upTo(n))
	}
	return lax.Tile(x, r)
}

// checkRepetitions refuses traced counts as JAX does, which keeps them as a
// parameter of the primitive.
func checkRepetitions(reps any) {
	list := core.Tuple{reps}
	if rv := reflect.ValueOf(reps); rv.Kind() == reflect.Slice {
		list = core.Tuple(items(rv))
	}
	for _, r := range list {
		if a, ok := r.(array.Array); ok && core.ToConcrete(a.Value()) == nil {
			core.TypeErrorf("As of JAX v0.7, parameters to jaxpr equations must have __hash__ and __eq__ methods. In a call to primitive tile, the value of parameter reps was not hashable: %s", core.PyRepr(list))
		}
	}
}

func upTo(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// Repeat repeats each element: of the array as a vector, or along kw.Axis.
// repeats is a number, or one number for each element.
func Repeat(a, repeats any, opts ...kw.RepeatOption) array.Array {
	s := kw.Collect(opts)
	x := arraylike("repeat", 0, a)
	axis := 0
	if s.Axis == nil {
		x = Ravel(x)
	} else {
		axis = core.CanonicalAxis(s.Axis[0], x.NDim())
	}
	if n, ok := repeats.(int); ok && s.TotalRepeatLength == nil {
		shape, wide := x.Shape(), slices.Insert(x.Shape(), axis+1, n)
		dims := slices.Delete(upTo(len(wide)), axis+1, axis+2)
		shape[axis] *= n
		return lax.Reshape(lax.BroadcastInDim(x, wide, dims), shape)
	}
	return repeatEach(x, arraylike("repeat", 1, repeats), axis, s.TotalRepeatLength)
}

// repeatEach repeats elements by numbers of their own.
func repeatEach(x, repeats array.Array, axis int, total *int) array.Array {
	n, given := x.Shape()[axis], repeats
	repeats = Ravel(repeats)
	if m := repeats.Size(); m != n && m != 1 {
		core.ValueErrorf("operands could not be broadcast together with remapped shapes [original->remapped]: (%d,)  and requested shape (%d,)", m, n)
	}
	repeats = broadcastTo(repeats, []int{n})
	if total == nil {
		c, ok := repeats.Value().(*core.Const)
		if !ok {
			core.RaiseConcretization(given.Value(), "When jit-compiling jnp.repeat, the total number of repeats must be static. To fix this, either specify a static value for `repeats`, or pass a static value to `total_repeat_length`.")
		}
		sum := 0
		for _, v := range hostIntsOf(c) {
			sum += v
		}
		total = &sum
	}
	if *total == 0 {
		shape := x.Shape()
		shape[axis] = 0
		return lax.Full(shape, 0, x.DType())
	}
	before := Roll(repeats, 1).At(0).Set(0)
	starts := CumSum(before)
	marks := Zeros([]int{*total}, kw.DType(dtype.Int32)).At(starts).Add(1)
	return Take(x, CumSum(marks).Sub(1), kw.Axis(axis))
}

func hostIntsOf(c *core.Const) []int {
	data, err := c.Host()
	if err != nil {
		core.Raise("RuntimeError", "%s", err)
	}
	d := c.Aval().DType
	out := make([]int, c.Aval().Size())
	for i := range out {
		out[i] = int(d.GetInt(data[i*d.Size():]))
	}
	return out
}
