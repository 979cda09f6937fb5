package array

import (
	"reflect"
	"testing"

	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
)

// TestRows compares the short way to slices, and back, with the general one.
func TestRows(t *testing.T) {
	numbers := []any{
		[]float64{0, 1.5, -2.25, 3e30},
		[]float32{0, 1.5, -2.25, 3e30},
		[]int{0, 1, -2, 1 << 30},
		[]int32{0, 1, -2, 1 << 30},
		[]int64{0, 1, -2, 1 << 30},
		[]uint32{0, 1, 2, 1 << 31},
		[]uint8{0, 1, 200, 255},
		[]bool{true, false, true, true},
		[]int16{0, -1, 2, 3},
		[][]float32{{1, 2}, {3, 4}},
		[][]int{{1, 2, 3}, {4, 5, 6}},
		[][]bool{{true}, {false}},
		[]float64{},
		[][]float32{{}, {}},
	}
	targets := []any{
		[]float32{},
		[]float64{},
		[]int{},
		[]int32{},
		[]int64{},
		[]uint8{},
		[]bool{},
		[]int8{},
		[][]float32{},
		[][]float64{},
		[][]int{},
		[][]bool{},
		[][][]float32{},
	}
	for _, from := range numbers {
		v, ok := ToValue(from)
		if !ok {
			t.Fatalf("%T is no array", from)
		}
		a := New(v)
		if got := a.ToSlice(); !reflect.DeepEqual(got, general(from, a.DType())) {
			t.Errorf("%T becomes %v, not %v", from, got, from)
		}
		for _, target := range targets {
			to := reflect.TypeOf(target)
			items, _ := a.ToSlice().([]any)
			want, wantErr := sliceOf(items, to)
			got, err := a.Convert(to)
			if (err == nil) != (wantErr == nil) || err != nil && err.Error() != wantErr.Error() {
				t.Errorf("%T to %v: error %v, want %v", from, to, err, wantErr)
				continue
			}
			if err == nil && !reflect.DeepEqual(got.Interface(), want.Interface()) {
				t.Errorf("%T to %v: %v, want %v", from, to, got, want)
			}
		}
	}
}

// general is a slice as ToSlice gives it, each element stored alone.
func general(from any, dt dtype.DType) []any {
	rv := reflect.ValueOf(from)
	out := make([]any, rv.Len())
	for i := range out {
		if e := rv.Index(i); e.Kind() == reflect.Slice {
			out[i] = general(e.Interface(), dt)
		} else {
			b := make([]byte, dt.Size())
			if err := dt.Put(b, e.Interface()); err != nil {
				panic(err)
			}
			out[i] = dt.Get(b)
		}
	}
	return out
}

// TestRowsCheck: integers that the type cannot hold are refused.
func TestRowsCheck(t *testing.T) {
	defer func() {
		if e, ok := recover().(*core.Error); !ok || e.Name != "OverflowError" {
			t.Errorf("1<<40 in a slice of integers: %v", e)
		}
	}()
	ToValue([]int{1, 1 << 40})
}
