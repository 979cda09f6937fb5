package array

import (
	"fmt"
	"testing"

	"gopherlo/jaxlike/core"
)

// TestFormat: elements are printed as Go prints numbers of their type, so that a
// verb that does not fit says so.
func TestFormat(t *testing.T) {
	of := func(x any) Array {
		v, ok := ToValue(x)
		if !ok {
			t.Fatalf("%v is no array", x)
		}
		return New(v)
	}
	loss, ints, yes := of(2.75), of([]int{1, 20}), of([][]bool{{true}, {false}})
	for _, c := range []struct {
		format string
		x      Array
		want   string
	}{
		{"%d", loss, "%!d(float32=2.75)"},
		{"%05d", loss, "%!d(float32=02.75)"},
		{"%t", loss, "%!t(float32=2.75)"},
		{"%q", loss, "%!q(float32=2.75)"},
		{"%x", loss, "0x1.6p+01"},
		{"%.1f", loss, "2.8"},
		{"%g", of(float32(0.1)), "0.1"},
		{"%g", of(complex64(0.1i)), "(0+0.1i)"},
		{"%d", of([]float32{1, 2.5}), "[%!d(float32=1) %!d(float32=2.5)]"},
		{"%d", ints, "[1 20]"},
		{"%03d", ints, "[001 020]"},
		{"%x", of([]int{10, 255}), "[a ff]"},
		{"%q", of(int8(65)), "'A'"},
		{"%t", ints, "[%!t(int64=1) %!t(int64=20)]"},
		{"%.2f", ints, "[1.00 20.00]"},
		{"%d", of(uint8(200)), "200"},
		{"%t", yes, "[[true] [false]]"},
		{"%d", yes, "[[%!d(bool=true)] [%!d(bool=false)]]"},
		{"%v", ints, "[ 1 20]"},
		{"%+v", ints, "Array([ 1, 20], dtype=int32)"},
		{"%6s|", of(1.5), "   1.5|"},
		{"%d", of([]float32{}), "[]"},
		{"%d", New(core.NewScalar(7, of(7).DType(), true)), "7"},
	} {
		if got := fmt.Sprintf(c.format, c.x); got != c.want {
			t.Errorf("%s of %s: %s, not %s", c.format, c.x.Repr(), got, c.want)
		}
	}
}
