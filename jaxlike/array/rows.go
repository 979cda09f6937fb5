package array

import (
	"encoding/binary"
	"math"
	"reflect"

	"gopherlo/jaxlike/dtype"
)

// readRows makes nested slices of type to of an array of the shape, for the
// usual types of elements; ok is false for others.
func readRows(to reflect.Type, dt dtype.DType, shape []int, data []byte) (out reflect.Value, ok bool) {
	if len(shape) == 0 || to.Kind() != reflect.Slice {
		return out, false
	}
	out = reflect.MakeSlice(to, shape[0], shape[0])
	if len(shape) == 1 {
		return out, readElems(out, dt, data)
	}
	if shape[0] == 0 { // that the types fit below is for others to see
		return out, false
	}
	size := len(data) / shape[0]
	for i := range shape[0] {
		row, ok := readRows(to.Elem(), dt, shape[1:], data[i*size:(i+1)*size])
		if !ok {
			return out, false
		}
		out.Index(i).Set(row)
	}
	return out, true
}

func readElems(out reflect.Value, dt dtype.DType, data []byte) bool {
	switch row := out.Interface().(type) {
	case []float32:
		return readRow(row, dt, data)
	case []float64:
		return readRow(row, dt, data)
	case []int:
		return dt.IsInt() && readRow(row, dt, data)
	case []int32:
		return dt.IsInt() && readRow(row, dt, data)
	case []int64:
		return dt.IsInt() && readRow(row, dt, data)
	case []uint8:
		return dt == dtype.Uint8 && copy(row, data) == len(row)
	case []bool:
		if dt != dtype.Bool {
			return false
		}
		for i := range row {
			row[i] = data[i] != 0
		}
		return true
	}
	return false
}

// readRow converts elements as Go does; it is for integers only where dt is one
// of integers.
func readRow[E float32 | float64 | int | int32 | int64](row []E, dt dtype.DType, data []byte) bool {
	le := binary.LittleEndian
	switch dt {
	case dtype.Float32:
		for i := range row {
			row[i] = E(math.Float32frombits(le.Uint32(data[4*i:])))
		}
	case dtype.Float64:
		for i := range row {
			row[i] = E(math.Float64frombits(le.Uint64(data[8*i:])))
		}
	case dtype.Int32:
		for i := range row {
			row[i] = E(int32(le.Uint32(data[4*i:])))
		}
	case dtype.Int64:
		for i := range row {
			row[i] = E(int64(le.Uint64(data[8*i:])))
		}
	case dtype.Uint32:
		for i := range row {
			row[i] = E(le.Uint32(data[4*i:]))
		}
	case dtype.Uint8:
		for i := range row {
			row[i] = E(data[i])
		}
	default:
		return false
	}
	return true
}
