package array

import (
	"fmt"
	"reflect"

	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
	"gopherlo/jaxlike/tree"
)

// host gives the bytes of a concrete array; raise is called with a tracer.
func (a Array) host(raise func(core.Value)) (*core.ShapedArray, []byte) {
	v := a.Value()
	c := core.ToConcrete(v)
	if c == nil {
		raise(v)
	}
	data, err := c.Host()
	if err != nil {
		panic(err)
	}
	return c.Aval(), data
}

func (a Array) scalarBytes(raise func(core.Value)) (dtype.DType, []byte) {
	v := a.Value()
	if n := v.Aval().NDim(); n != 0 {
		core.TypeErrorf("Only scalar arrays can be converted to Python scalars; got arr.ndim=%d", n)
	}
	aval, data := a.host(raise)
	return aval.DType, data
}

// untraced refuses values that are differentiated: JAX gives their int and bool,
// which no derivative goes through, but not their float.
func (a Array) untraced(fn string) {
	if v := a.Value(); v.Aval().NDim() == 0 {
		if _, known := v.(*core.Const); !known {
			core.RaiseConcretize(v, fn)
		}
	}
}

// Item is the array's one element as a Go number: int64, uint64, float64, bool
// or complex128.
func (a Array) Item() any {
	aval, b := a.host(func(v core.Value) {
		core.RaiseConcretization(v, "This occurred in the item() method of jax.Array")
	})
	if aval.Size() != 1 {
		core.ValueErrorf("can only convert an array of size 1 to a Python scalar")
	}
	return aval.DType.Get(b)
}

// Float is the array's one element.
func (a Array) Float() float64 {
	a.untraced("float")
	dt, b := a.scalarBytes(func(v core.Value) { core.RaiseConcretize(v, "float") })
	if dt.IsInt() || dt.IsBool() {
		return float64(dt.GetInt(b))
	}
	return dt.GetFloat(b)
}

// Int is the array's one element as an integer, cut towards zero.
func (a Array) Int() int {
	dt, b := a.scalarBytes(func(v core.Value) { core.RaiseConcretize(v, "int") })
	if dt.IsInt() || dt.IsBool() {
		return int(dt.GetInt(b))
	}
	return int(dt.GetFloat(b))
}

// IndexInt is Int where Go needs an integer, such as a loop bound or index.
func (a Array) IndexInt() int {
	if aval := a.Value().Aval(); aval.NDim() != 0 || !aval.DType.IsInt() && !aval.DType.IsBool() {
		core.TypeErrorf("Only integer scalar arrays can be converted to a scalar index.")
	}
	dt, b := a.scalarBytes(core.RaiseIndex)
	return int(dt.GetInt(b))
}

// Bool is the truth of the array's one element. A traced value raises JAX's
// TracerBoolConversionError.
func (a Array) Bool() bool {
	v := a.Value()
	if n := v.Aval().Size(); n != 1 {
		if n == 0 {
			core.ValueErrorf("The truth value of an empty array is ambiguous. Use `array.size > 0` to check that an array is not empty.")
		}
		core.ValueErrorf("The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()")
	}
	aval, b := a.host(core.RaiseBool)
	switch dt := aval.DType; {
	case dt.IsComplex():
		return dt.GetComplex(b) != 0
	case dt.IsFloat():
		return dt.GetFloat(b) != 0
	default:
		return dt.GetInt(b) != 0
	}
}

// Complex is the array's one element.
func (a Array) Complex() complex128 {
	a.untraced("complex")
	dt, b := a.scalarBytes(func(v core.Value) { core.RaiseConcretize(v, "complex") })
	if dt.IsComplex() {
		return dt.GetComplex(b)
	}
	return complex(a.Float(), 0)
}

// Bytes are the array's elements, row-major, little-endian. They must not be
// changed.
func (a Array) Bytes() []byte {
	_, data := a.host(core.RaiseArray)
	return data
}

// ToSlice is the array as Go numbers: a number for rank 0, else nested []any.
func (a Array) ToSlice() (out any) {
	a.view(func(aval *core.ShapedArray, data []byte) { out = nested(aval, data) })
	return out
}

// view calls f with the elements, in the device's own memory where that can be.
func (a Array) view(f func(aval *core.ShapedArray, data []byte)) {
	v := a.Value()
	c := core.ToConcrete(v)
	if c == nil {
		core.RaiseArray(v)
	}
	err := c.View(func(data []byte) error {
		f(c.Aval(), data)
		return nil
	})
	if err != nil {
		panic(err)
	}
}

func nested(aval *core.ShapedArray, data []byte) any {
	size := aval.DType.Size()
	var build func(dims []int) any
	build = func(dims []int) any {
		if len(dims) == 0 {
			x := aval.DType.Get(data)
			data = data[size:]
			return x
		}
		out := make([]any, dims[0])
		for i := range out {
			out[i] = build(dims[1:])
		}
		return out
	}
	return build(aval.Shape)
}

// Floats are the elements as float64, row-major.
func (a Array) Floats() (out []float64) {
	a.view(func(aval *core.ShapedArray, data []byte) {
		size := aval.DType.Size()
		out = make([]float64, aval.Size())
		if readRow(out, aval.DType, data) {
			return
		}
		for i := range out {
			b := data[i*size:]
			if aval.DType.IsInt() || aval.DType.IsBool() {
				out[i] = float64(aval.DType.GetInt(b))
			} else {
				out[i] = aval.DType.GetFloat(b)
			}
		}
	})
	return out
}

// View calls f with the elements, row-major, little-endian: for large arrays in
// the runtime's own memory, without a copy, where that is the host's and lies
// so. f must not change or keep data.
func (a Array) View(f func(data []byte)) {
	a.view(func(_ *core.ShapedArray, data []byte) { f(data) })
}

// Convert makes a Go value of type to: a number, or a slice of numbers.
func (a Array) Convert(to reflect.Type) (reflect.Value, error) {
	v := reflect.New(to).Elem()
	switch k := to.Kind(); {
	case to == reflect.TypeFor[Array]():
		return reflect.ValueOf(a), nil
	case k == reflect.Bool:
		v.SetBool(a.Bool())
	case k >= reflect.Int && k <= reflect.Int64:
		v.SetInt(int64(a.Int()))
	case k >= reflect.Uint && k <= reflect.Uint64:
		v.SetUint(uint64(a.Int()))
	case k == reflect.Float32 || k == reflect.Float64:
		v.SetFloat(a.Float())
	case k == reflect.Complex64 || k == reflect.Complex128:
		v.SetComplex(a.Complex())
	case k == reflect.Slice:
		return a.convertSlice(to)
	default:
		return v, fmt.Errorf("an array of type %s cannot be stored in a variable of type %s", a.Aval().Long(), tree.TypeName(to))
	}
	return v, nil
}

func (a Array) convertSlice(to reflect.Type) (reflect.Value, error) {
	if a.NDim() == 0 {
		return reflect.Value{}, fmt.Errorf("an array of rank 0 cannot be stored in a variable of type %s", tree.TypeName(to))
	}
	var out reflect.Value
	a.view(func(aval *core.ShapedArray, data []byte) {
		if rows, ok := readRows(to, aval.DType, aval.Shape, data); ok {
			out = rows
		}
	})
	if out.IsValid() {
		return out, nil
	}
	items, _ := a.ToSlice().([]any)
	return sliceOf(items, to)
}

func sliceOf(items []any, to reflect.Type) (reflect.Value, error) {
	out := reflect.MakeSlice(to, len(items), len(items))
	for i, it := range items {
		if sub, ok := it.([]any); ok {
			if to.Elem().Kind() != reflect.Slice {
				return out, fmt.Errorf("the array has too many dimensions for a variable of type %s", tree.TypeName(to))
			}
			s, err := sliceOf(sub, to.Elem())
			if err != nil {
				return out, err
			}
			out.Index(i).Set(s)
			continue
		}
		rv := reflect.ValueOf(it)
		if !rv.CanConvert(to.Elem()) {
			return out, fmt.Errorf("%T cannot be stored in a variable of type %s", it, tree.TypeName(to.Elem()))
		}
		out.Index(i).Set(rv.Convert(to.Elem()))
	}
	return out, nil
}

// BlockUntilReady waits for the value and gives a.
func (a Array) BlockUntilReady() Array {
	for _, v := range a.leaves() {
		if c, ok := v.(*core.Const); ok {
			if b := c.Buffer(); b != nil {
				if err := b.Await(); err != nil {
					panic(err)
				}
			}
		}
	}
	return a
}

// Delete frees the array's device memory at once; using it later is an error.
func (a Array) Delete() {
	for _, v := range a.leaves() {
		if c, ok := v.(*core.Const); ok {
			c.Delete()
		}
	}
}

// IsDeleted tells whether the array was deleted or donated.
func (a Array) IsDeleted() bool {
	c, ok := a.Value().(*core.Const)
	return ok && c.Deleted()
}

func (a Array) leaves() []core.Value {
	if a.many != nil {
		return a.many.Leaves
	}
	return []core.Value{a.Value()}
}
