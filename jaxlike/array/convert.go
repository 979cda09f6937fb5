package array

import (
	"encoding/binary"
	"math"
	"math/big"
	"reflect"
	"slices"

	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
	"gopherlo/jaxlike/tree"
)

func init() { tree.RegisterLeaf(reflect.TypeFor[*big.Int](), "int") }

// ToValue makes a value of what JAX accepts as an array: an Array, a Go number
// (weakly typed), a slice or array of numbers (of any rank, rectangular), a
// core.Value. ok is false for anything else.
func ToValue(x any) (v core.Value, ok bool) {
	switch x := x.(type) {
	case Array:
		return x.Value(), true
	case core.Value:
		return x, true
	case nil:
		return nil, false
	case *big.Int: // as Python's int, which has no bounds
		return bigScalar(x), true
	}
	rv := reflect.ValueOf(x)
	if v, ok := scalar(rv); ok {
		return v, true
	}
	if k := rv.Kind(); k == reflect.Slice || k == reflect.Array {
		return sliceConst(rv)
	}
	return nil, false
}

// scalar makes a weakly typed constant of a Go int, float64, bool or
// complex128; Go numbers of a sized type (int8, float32) are strong, as NumPy's.
func scalar(rv reflect.Value) (core.Value, bool) {
	switch k := rv.Kind(); k {
	case reflect.Bool:
		return core.NewScalar(rv.Bool(), dtype.Bool, false), true
	case reflect.Int:
		return intScalar(rv.Int()), true
	case reflect.Float64:
		return core.NewScalar(rv.Float(), dtype.DefaultFloat(core.X64()), true), true
	case reflect.Complex128:
		return core.NewScalar(rv.Complex(), dtype.DefaultComplex(core.X64()), true), true
	default:
		dt, ok := dtype.ElemOfGo(k)
		if !ok {
			return nil, false
		}
		return sizedScalar(rv, dt.Canonical(core.X64())), true
	}
}

func bigScalar(n *big.Int) core.Value {
	if !n.IsInt64() {
		tooLarge(n, dtype.DefaultInt(core.X64()))
	}
	return intScalar(n.Int64())
}

func intScalar(n int64) core.Value {
	dt := dtype.DefaultInt(core.X64())
	if dt == dtype.Int32 && (n > math.MaxInt32 || n < math.MinInt32) {
		tooLarge(n, dt)
	}
	return core.NewScalar(n, dt, true)
}

// tooLarge raises JAX's error for a number of Python's that no element can hold.
func tooLarge(n any, dt dtype.DType) {
	core.Raise("OverflowError", "Python int %d too large to convert to %s", n, dt)
}

func sizedScalar(rv reflect.Value, dt dtype.DType) core.Value {
	switch {
	case rv.CanInt():
		return core.NewScalar(rv.Int(), dt, false)
	case rv.CanUint():
		return core.NewScalar(rv.Uint(), dt, false)
	case rv.CanFloat():
		return core.NewScalar(dtype.RoundFloat(dt, rv.Float()), dt, false)
	}
	return core.NewScalar(rv.Complex(), dt, false)
}

// sliceConst makes a strongly typed constant of a rectangular slice of numbers.
func sliceConst(rv reflect.Value) (core.Value, bool) {
	var shape []int
	t := rv.Type()
	first := rv
	for t.Kind() == reflect.Slice || t.Kind() == reflect.Array {
		n := 0
		if first.IsValid() {
			n = first.Len()
		}
		shape = append(shape, n)
		if n > 0 {
			first = first.Index(0)
		} else {
			first = reflect.Value{}
		}
		t = t.Elem()
	}
	dt, ok := elemOfSlice(t.Kind())
	if !ok {
		return nil, false
	}
	aval := core.NewAval(dt.Canonical(core.X64()), shape...)
	data := make([]byte, 0, aval.Size()*aval.DType.Size())
	data, ok = appendElems(data, rv, shape, aval.DType)
	if !ok {
		return nil, false
	}
	c := core.NewHostConst(aval, data)
	if rv.Kind() == reflect.Slice && rv.Len() > 0 {
		c.Slice = rv.UnsafePointer()
	}
	return c, true
}

func elemOfSlice(k reflect.Kind) (dtype.DType, bool) {
	switch k {
	case reflect.Int:
		return dtype.DefaultInt(core.X64()), true
	case reflect.Float64:
		return dtype.DefaultFloat(core.X64()), true
	case reflect.Complex128:
		return dtype.DefaultComplex(core.X64()), true
	}
	return dtype.ElemOfGo(k)
}

func appendElems(data []byte, rv reflect.Value, shape []int, dt dtype.DType) ([]byte, bool) {
	if len(shape) == 0 {
		if rv.Kind() == reflect.Int && dt == dtype.Int32 {
			core.CheckInteger(rv.Int(), dt)
		}
		n := len(data)
		data = append(data, make([]byte, dt.Size())...)
		return data, dt.Put(data[n:], rv.Interface()) == nil
	}
	if rv.Len() != shape[0] {
		return nil, false
	}
	if len(shape) == 1 {
		if data, ok := appendRow(data, rv, dt); ok {
			return data, true
		}
	}
	ok := true
	for i := range rv.Len() {
		if data, ok = appendElems(data, rv.Index(i), shape[1:], dt); !ok {
			return nil, false
		}
	}
	return data, true
}

// appendRow is appendElems for a row of the usual types, some twenty times faster; ok is
// false for others.
func appendRow(data []byte, rv reflect.Value, dt dtype.DType) (_ []byte, ok bool) {
	if !rv.CanInterface() {
		return data, false
	}
	start := len(data)
	data = slices.Grow(data, rv.Len()*dt.Size())[:start+rv.Len()*dt.Size()]
	to := data[start:]
	switch row := rv.Interface().(type) {
	case []float64:
		ok = putFloats(to, row, dt)
	case []float32:
		ok = putFloats(to, row, dt)
	case []int:
		if dt == dtype.Int32 {
			for _, x := range row {
				if int(int32(x)) != x {
					core.CheckInteger(int64(x), dt)
				}
			}
		}
		ok = putInts(to, row, dt)
	case []int64:
		ok = putInts(to, row, dt)
	case []int32:
		ok = putInts(to, row, dt)
	case []uint32:
		ok = dt == dtype.Uint32
		if ok {
			put32(to, row)
		}
	case []uint8:
		ok = dt == dtype.Uint8
		copy(to, row)
	}
	if !ok {
		return data[:start], false
	}
	return data, true
}

func putFloats[E float32 | float64](to []byte, row []E, dt dtype.DType) bool {
	switch dt {
	case dtype.Float32:
		for i, x := range row {
			binary.LittleEndian.PutUint32(to[4*i:], math.Float32bits(float32(x)))
		}
	case dtype.Float64:
		for i, x := range row {
			binary.LittleEndian.PutUint64(to[8*i:], math.Float64bits(float64(x)))
		}
	default:
		return false
	}
	return true
}

func putInts[E int | int32 | int64](to []byte, row []E, dt dtype.DType) bool {
	switch dt {
	case dtype.Int32:
		put32(to, row)
	case dtype.Int64:
		for i, x := range row {
			binary.LittleEndian.PutUint64(to[8*i:], uint64(x))
		}
	default:
		return false
	}
	return true
}

func put32[E int | int32 | int64 | uint32](to []byte, row []E) {
	for i, x := range row {
		binary.LittleEndian.PutUint32(to[4*i:], uint32(x))
	}
}
