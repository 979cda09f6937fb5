package jnp

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"unicode/utf8"

	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
	"gopherlo/jaxlike/kw"
	"gopherlo/jaxlike/lax"
	"gopherlo/jaxlike/tree"
)

// shapeOf reads a shape argument: an int or a slice of ints.
func shapeOf(fun string, shape any) []int {
	switch s := shape.(type) {
	case int:
		return []int{s}
	case []int:
		return append([]int{}, s...)
	}
	rv := reflect.ValueOf(shape)
	if k := rv.Kind(); k == reflect.Slice || k == reflect.Array {
		out := make([]int, rv.Len())
		for i := range out {
			e := rv.Index(i)
			if e.Kind() == reflect.Interface {
				e = e.Elem()
			}
			if !e.CanInt() {
				raiseShape(items(rv), core.PyRepr(core.Tuple(items(rv))))
			}
			out[i] = int(e.Int())
		}
		return out
	}
	if _, isText := shape.(string); isText {
		core.TypeErrorf("Shapes must be 1D sequences of concrete values of integer type, got %v.", shape)
	}
	if a, ok := shape.(array.Array); ok && a.NDim() > 0 {
		raiseShape([]any{shape}, core.PyStr(shape))
	}
	raiseShape([]any{shape}, core.PyRepr(core.Tuple{shape}))
	return nil
}

// raiseShape words what is no shape; a traced size gets its origin.
func raiseShape(shape []any, text string) {
	msg := "Shapes must be 1D sequences of concrete values of integer type, got " + text + "."
	for _, d := range shape {
		if a, ok := d.(array.Array); ok && core.ToConcrete(a.Value()) == nil {
			core.TypeErrorf("%s\nIf using `jit`, try using `static_argnums` or applying `jit` to smaller subfunctions.%s", msg, core.Origin(a.Value()))
		}
	}
	core.TypeErrorf("%s", msg)
}

func items(rv reflect.Value) []any {
	out := make([]any, rv.Len())
	for i := range out {
		out[i] = rv.Index(i).Interface()
	}
	return out
}

func typeOr(fun string, s kw.Set, d dtype.DType) dtype.DType {
	if s.DType == dtype.Invalid {
		return d
	}
	return core.UserDType(fun, s.DType)
}

// Zeros gives an array of zeros; shape is an int or a []int.
func Zeros(shape any, opts ...kw.CreationOption) array.Array { return filled("zeros", shape, 0, opts) }

// Ones gives an array of ones.
func Ones(shape any, opts ...kw.CreationOption) array.Array { return filled("ones", shape, 1, opts) }

func filled(fun string, shape any, v int, opts []kw.CreationOption) array.Array {
	d := typeOr(fun, kw.Collect(opts), dtype.DefaultFloat(core.X64()))
	return lax.Full(shapeOf(fun, shape), v, d)
}

// Full gives an array of one value, or an array broadcast to the shape.
func Full(shape, fill any, opts ...kw.CreationOption) array.Array {
	d := core.UserDType("full", kw.Collect(opts).DType)
	x := arraylike("full", 0, fill)
	if x.NDim() == 0 {
		return lax.Full(shapeOf("full", shape), x, d)
	}
	if d != dtype.Invalid {
		x = lax.ConvertElementType(x, d)
	}
	return BroadcastTo(x, shapeOf("full", shape))
}

// ZerosLike gives zeros of a's shape and type.
func ZerosLike(a any, opts ...kw.LikeOption) array.Array {
	return like("zeros_like", a, 0, kw.Collect(opts))
}

// OnesLike gives ones of a's shape and type.
func OnesLike(a any, opts ...kw.LikeOption) array.Array {
	return like("ones_like", a, 1, kw.Collect(opts))
}

// FullLike gives an array of one value with a's shape and type.
func FullLike(a, fill any, opts ...kw.LikeOption) array.Array {
	return like("full_like", a, fill, kw.Collect(opts))
}

func like(fun string, a, fill any, s kw.Set) array.Array {
	x := arraylike(fun, 0, a)
	if s.Shape != nil {
		d, weak := x.DType(), x.WeakType()
		if s.DType != dtype.Invalid {
			d, weak = core.UserDType(fun, s.DType), false
		}
		return lax.Broadcast(lax.Convert(arraylike(fun, 1, fill), d, weak), s.Shape)
	}
	return lax.FullLike(x, fill, core.UserDType(fun, s.DType))
}

// Arange counts from start to stop by step: Arange(stop), Arange(start, stop),
// Arange(start, stop, step). Options may follow the numbers.
func Arange(args ...any) array.Array {
	nums, opts := splitOptions[kw.CreationOption](args)
	if len(nums) < 1 || len(nums) > 3 {
		core.TypeErrorf("arange() takes from 1 to 3 numbers but %d were given", len(nums))
	}
	vals := make([]array.Array, len(nums))
	for i, n := range nums {
		vals[i] = arraylike("arange", i, n)
		if vals[i].NDim() > 0 {
			core.ValueErrorf("jax.numpy.arange: arguments must be scalars; got %s=%s", []string{"start", "stop", "step"}[i], "array")
		}
	}
	d := typeOr("arange", kw.Collect(opts), resultType(vals...).DType)
	number := func(i int) float64 {
		name := []string{"start", "stop", "step"}[i]
		if len(vals) == 1 {
			name = "stop"
		}
		return hostNumber(vals[i], "It arose in the jnp.arange argument '"+name+"'")
	}
	size := func(n float64) []int { return []int{max(0, int(math.Ceil(n)))} }
	switch len(vals) {
	case 1:
		return lax.BroadcastedIota(d, size(number(0)), 0)
	case 2:
		if number(0) == 0 {
			return lax.BroadcastedIota(d, size(number(1)), 0)
		}
		return lax.Add(lax.ConvertElementType(vals[0], d), lax.BroadcastedIota(d, size(number(1)-number(0)), 0))
	}
	work := d
	if d.IsFloat() && d.Bits() < 32 {
		work = dtype.Float32
	}
	if number(2) == 0 {
		core.Raise("ZeroDivisionError", "division by zero")
	}
	iota := lax.BroadcastedIota(work, size((number(1)-number(0))/number(2)), 0)
	steps := lax.Mul(lax.ConvertElementType(vals[2], work), iota)
	return lax.ConvertElementType(lax.Add(lax.ConvertElementType(vals[0], work), steps), d)
}

// splitOptions separates trailing options from other arguments.
func splitOptions[T any](args []any) (rest []any, opts []T) {
	for _, a := range args {
		if o, ok := a.(T); ok {
			opts = append(opts, o)
		} else {
			rest = append(rest, a)
		}
	}
	return rest, opts
}

// hostNumber is the value of a scalar that must be known while tracing.
// where says in an error what it is for.
func hostNumber(x array.Array, where string) float64 {
	c, ok := x.Value().(*core.Const)
	if !ok {
		core.RaiseConcretization(x.Value(), where)
	}
	switch v := c.Py.(type) {
	case float64: // as written, not rounded to the array's type
		return v
	case complex128:
		core.ValueErrorf("Passing complex start/stop/step to jnp.arange is no longer supported starting in JAX v0.10.0.")
	}
	data, err := c.Host()
	if err != nil {
		core.Raise("RuntimeError", "%s", err)
	}
	return c.Aval().DType.GetFloat(data)
}

// Array makes an Array of a number, a slice of numbers, or nested slices of
// numbers and Arrays (jax.numpy.array). Of an Array it makes a copy.
func Array(object any, opts ...kw.ArrayOption) array.Array {
	if x, ok := object.(array.Array); ok {
		v := x.Value()
		if c, concrete := v.(*core.Const); !concrete || !c.HostMade {
			object = array.New(lax.CopyP.Bind1(nil, v))
		}
	}
	return asArray("array", object, kw.Collect(opts))
}

// AsArray makes an Array of a number, a slice of numbers, or nested slices of
// numbers and Arrays.
func AsArray(object any, opts ...kw.ArrayOption) array.Array {
	return asArray("asarray", object, kw.Collect(opts))
}

func asArray(fun string, object any, s kw.Set) array.Array {
	if s.DType != dtype.Invalid {
		object = plainAs(object, s.DType)
	}
	v, ok := array.ToValue(object)
	if !ok {
		v = stackLeaves(object).Value()
	}
	_, made := object.(array.Array)
	if s.DType == dtype.Invalid {
		if c, concrete := v.(*core.Const); concrete && c.Py == nil && made {
			return array.New(v) // stays what it is
		}
		return array.New(lax.Stage(v))
	}
	dt := core.UserDType(fun, s.DType)
	if c := hostConvert(v, dt); c != nil && !made {
		return array.New(lax.Stage(c))
	}
	return lax.ConvertElementType(array.New(v), dt)
}

// plainAs is object where its plain numbers can be asked for as dt. As NumPy's,
// integer types of at least a byte refuse what lies beyond them, and a large
// integer may be asked for as a float.
func plainAs(object any, dt dtype.DType) any {
	dt = dt.Canonical(core.X64())
	if n, ok := object.(int); ok && dt.IsInexact() && int(int32(n)) != n {
		return float64(n)
	}
	if dt.IsInt() && dt.Bits() >= 8 {
		checkRange(reflect.ValueOf(object), dt)
	}
	return object
}

func checkRange(v reflect.Value, dt dtype.DType) {
	switch v.Kind() {
	case reflect.Interface:
		checkRange(v.Elem(), dt)
	case reflect.Slice, reflect.Array:
		if row, ok := v.Interface().([]int); ok {
			for _, n := range row {
				core.CheckInteger(int64(n), dt)
			}
			return
		}
		switch v.Type().Elem().Kind() {
		case reflect.Int, reflect.Float64, reflect.Slice, reflect.Array, reflect.Interface:
			for i := range v.Len() {
				checkRange(v.Index(i), dt)
			}
		}
	case reflect.Int:
		core.CheckInteger(v.Int(), dt)
	case reflect.Float64:
		switch f := v.Float(); {
		case math.IsNaN(f):
			core.ValueErrorf("cannot convert float NaN to integer")
		case math.IsInf(f, 0):
			core.Raise("OverflowError", "cannot convert float infinity to integer")
		case f < math.MinInt64 || f >= math.MaxInt64:
			core.Raise("OverflowError", "Python int too large to convert to C long")
		default:
			core.CheckInteger(int64(f), dt)
		}
	}
}

// hostConvert converts host data to another type on the host, as NumPy does; nil
// if v is none or a number, which the program that is recorded converts.
func hostConvert(v core.Value, dt dtype.DType) core.Value {
	c, ok := v.(*core.Const)
	if !ok || !c.HostMade || c.Py != nil || c.Buffer() != nil || dt.IsExtended() {
		return nil
	}
	data, err := c.Host()
	if err != nil {
		core.Raise("RuntimeError", "%s", err)
	}
	a := c.Aval()
	dt = dt.Canonical(core.X64())
	if a.DType == dt {
		return v
	}
	return core.NewHostConst(core.NewAval(dt, a.Shape...), dtype.Convert(dt, a.DType, data))
}

// hostStack stacks lists of numbers, however deep, on the host; nil if there is
// anything else among them.
func hostStack(rv reflect.Value) core.Value {
	parts := make([]*core.Const, rv.Len())
	xs := make([]array.Array, rv.Len())
	for i := range parts {
		e := rv.Index(i)
		for e.Kind() == reflect.Interface {
			e = e.Elem()
		}
		if !e.IsValid() || e.Type() == reflect.TypeFor[array.Array]() {
			return nil
		}
		v, ok := array.ToValue(e.Interface())
		if !ok && e.Kind() == reflect.Slice && e.Len() > 0 {
			v = hostStack(e)
		}
		c, host := v.(*core.Const)
		if !host || !c.HostMade || c.Buffer() != nil {
			return nil
		}
		parts[i], xs[i] = c, array.New(c)
	}
	t := resultType(xs...)
	shape := parts[0].Aval().Shape
	var data []byte
	for _, c := range parts {
		raw, err := c.Host()
		if err != nil || !slices.Equal(c.Aval().Shape, shape) || c.Aval().DType.IsExtended() {
			return nil
		}
		data = append(data, dtype.Convert(t.DType, c.Aval().DType, raw)...)
	}
	return core.NewHostConst(core.NewAval(t.DType, append([]int{len(parts)}, shape...)...), data)
}

// stackLeaves makes an array of a []any or []Array, however deep.
func stackLeaves(object any) array.Array {
	rv := reflect.ValueOf(object)
	switch rv.Kind() {
	case reflect.Slice, reflect.Array:
		checkRagged(rv)
	case reflect.Invalid:
		core.ValueErrorf("None is not a valid value for jnp.array")
	case reflect.String:
		core.TypeErrorf("Value '%s' with dtype <U%d is not a valid JAX array type. Only arrays of numeric types are supported by JAX.", object, utf8.RuneCountInString(rv.String()))
	default:
		core.TypeErrorf("Value '%s' with dtype object is not a valid JAX array type. Only arrays of numeric types are supported by JAX.", objectText(object))
	}
	if rv.Len() == 0 {
		return lax.Full([]int{0}, 0, dtype.DefaultFloat(core.X64()))
	}
	parts := make([]array.Array, rv.Len())
	if c := hostStack(rv); c != nil {
		return array.New(c)
	}
	for i := range parts {
		parts[i] = AsArray(rv.Index(i).Interface())
	}
	return lax.HostStack(promoteTypes(same, parts...))
}

// objectText shows a value that is no number.
func objectText(v any) string {
	switch reflect.TypeOf(v).Kind() {
	case reflect.Func, reflect.Struct, reflect.Pointer, reflect.Chan:
		return "<" + tree.ClassName(reflect.TypeOf(v)) + ">"
	}
	return fmt.Sprint(v)
}

// checkRagged raises what NumPy does for nested slices of numbers whose lengths
// differ. Slices that hold Arrays are checked when they are joined.
func checkRagged(rv reflect.Value) {
	level, shape := []reflect.Value{rv}, []int{}
	for {
		n, slices := -1, 0
		var next []reflect.Value
		for _, v := range level {
			for v.Kind() == reflect.Interface {
				v = v.Elem()
			}
			if v.IsValid() && v.Type() == reflect.TypeFor[array.Array]() {
				return
			}
			if k := v.Kind(); k != reflect.Slice && k != reflect.Array {
				continue
			}
			slices++
			if n >= 0 && n != v.Len() {
				n = -2
			} else if n == -1 {
				n = v.Len()
			}
			for i := range v.Len() {
				next = append(next, v.Index(i))
			}
		}
		switch {
		case slices == 0:
			return
		case slices < len(level) || n == -2:
			core.ValueErrorf("setting an array element with a sequence. The requested array has an inhomogeneous shape after %d dimensions. The detected shape was %s + inhomogeneous part.",
				len(shape), core.PyRepr(core.NewInts(shape...)))
		}
		shape, level = append(shape, n), next
	}
}
