package array

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
)

// MarshalJSON writes the elements as nested lists: floats with a point, so that
// they stay floats; an Array without a value as null. Complex numbers, NaN and
// infinities have no JSON and are errors, as they are to encoding/json, and so are
// tracers.
func (a Array) MarshalJSON() (text []byte, err error) {
	if a.v == nil && a.many == nil {
		return []byte("null"), nil
	}
	defer func() {
		if e, ok := recover().(*core.Error); ok {
			err = e
		}
	}()
	a.view(func(aval *core.ShapedArray, data []byte) { text, err = appendJSON(nil, aval.DType, aval.Shape, data) })
	return text, err
}

func appendJSON(text []byte, dt dtype.DType, dims []int, data []byte) ([]byte, error) {
	if len(dims) == 0 {
		return appendNumber(text, dt, data)
	}
	size := len(data) / max(dims[0], 1)
	text = append(text, '[')
	for i := range dims[0] {
		if i > 0 {
			text = append(text, ',')
		}
		var err error
		if text, err = appendJSON(text, dt, dims[1:], data[i*size:(i+1)*size]); err != nil {
			return nil, err
		}
	}
	return append(text, ']'), nil
}

func appendNumber(text []byte, dt dtype.DType, data []byte) ([]byte, error) {
	x := dt.Get(data)
	f, ok := x.(float64)
	if !ok {
		if dt.IsComplex() || dt.IsExtended() {
			return nil, &json.UnsupportedTypeError{Type: reflect.TypeOf(x)}
		}
		return fmt.Append(text, x), nil
	}
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return nil, &json.UnsupportedValueError{Value: reflect.ValueOf(x), Str: strconv.FormatFloat(f, 'g', -1, 64)}
	}
	number := strconv.FormatFloat(f, 'g', -1, min(max(dt.Bits(), 32), 64))
	if !strings.ContainsAny(number, ".e") {
		number += ".0"
	}
	return append(text, number...), nil
}

// UnmarshalJSON reads a number or nested lists of numbers, all of one length. The
// elements get the type of the value that a holds; else they are bools, integers,
// or floats if there is one among them.
func (a *Array) UnmarshalJSON(text []byte) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var x any
	if err := d.Decode(&x); err != nil {
		return err
	}
	if x == nil {
		return nil
	}
	shape, leaves, err := leavesOf(x)
	if err != nil {
		return err
	}
	dt := typeOfLeaves(leaves)
	if c, ok := a.v.(*core.Const); ok && a.many == nil {
		dt = c.Aval().DType
	}
	data := make([]byte, len(leaves)*dt.Size())
	for i, leaf := range leaves {
		if err := putLeaf(data[i*dt.Size():], dt, leaf); err != nil {
			return err
		}
	}
	*a = New(core.NewHostConst(core.NewAval(dt, shape...), data))
	return nil
}

// leavesOf gives the numbers of nested lists, row-major.
func leavesOf(x any) (shape []int, leaves []any, err error) {
	list, ok := x.([]any)
	if !ok {
		return nil, []any{x}, nil
	}
	shape = []int{len(list)}
	for i, e := range list {
		inner, more, err := leavesOf(e)
		if err != nil {
			return nil, nil, err
		}
		if i == 0 {
			shape = append(shape, inner...)
		} else if fmt.Sprint(shape[1:]) != fmt.Sprint(inner) {
			return nil, nil, fmt.Errorf("an Array in JSON has lists of different lengths: %v and %v", shape[1:], inner)
		}
		leaves = append(leaves, more...)
	}
	return shape, leaves, nil
}

func typeOfLeaves(leaves []any) dtype.DType {
	dt := dtype.DefaultFloat(core.X64())
	for i, leaf := range leaves {
		switch leaf := leaf.(type) {
		case bool:
			if i == 0 {
				dt = dtype.Bool
			}
		case json.Number:
			if strings.ContainsAny(leaf.String(), ".eE") {
				return dtype.DefaultFloat(core.X64())
			}
			if i == 0 {
				dt = dtype.DefaultInt(core.X64())
			}
		}
	}
	return dt
}

func putLeaf(b []byte, dt dtype.DType, leaf any) error {
	switch leaf := leaf.(type) {
	case bool:
		if dt.IsBool() {
			return dt.Put(b, leaf)
		}
	case json.Number:
		if dt.IsBool() {
			break
		}
		if n, err := leaf.Int64(); err == nil && dt.IsInt() {
			if dt == dtype.Int32 && int64(int32(n)) != n {
				return fmt.Errorf("%s in JSON is out of bounds for an Array of %s", leaf, dt)
			}
			return dt.Put(b, n)
		}
		f, err := leaf.Float64()
		if err != nil || dt.IsInt() {
			return fmt.Errorf("%s in JSON does not fit an Array of %s", leaf, dt)
		}
		return dt.Put(b, f)
	}
	return fmt.Errorf("%v in JSON is no element of an Array of %s", leaf, dt)
}
