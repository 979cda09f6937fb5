package lax

import (
	"testing"

	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
	"gopherlo/jaxlike/partialeval"
)

func arr(d dtype.DType, shape ...int) array.Array {
	a := core.NewAval(d, shape...)
	return array.New(core.NewHostConst(a, make([]byte, a.Size()*d.Size())))
}

// staged runs f while staging, so that nothing is executed, and gives its error.
func staged(f func()) (msg string) {
	defer func() {
		if e, ok := recover().(error); ok {
			msg = e.Error()
		}
	}()
	partialeval.TraceToJaxpr(func([]core.Value) []core.Value { f(); return nil }, nil, &core.DebugInfo{})
	return ""
}

// TestErrors compares messages with JAX 0.12.0.1.
func TestErrors(t *testing.T) {
	f3, f4, i3 := arr(dtype.Float32, 3), arr(dtype.Float32, 4), arr(dtype.Int32, 3)
	for _, c := range []struct {
		f    func()
		want string
	}{
		{func() { Add(f3, i3) }, "lax.add requires arguments to have the same dtypes, got float32, int32. (Tip: jnp.add is a similar function that does automatic type promotion on inputs)."},
		{func() { Add(arr(dtype.Float32, 2, 3), f3) }, "add: arrays must have the same number of dimensions, got {1, 2}"},
		{func() { Add(arr(dtype.Float32, 2), f3) }, "add got incompatible shapes for broadcasting: (2,), (3,)."},
		{func() { Sin(1) }, "sin does not accept dtype int32. Accepted dtypes are subtypes of floating, complexfloating."},
		{func() { Neg(true) }, "neg does not accept dtype bool. Accepted dtypes are subtypes of integer, complexfloating, floating."},
		{func() { Add(arr(dtype.Bool, 2), arr(dtype.Bool, 2)) }, "add does not accept dtype bool at position 0. Accepted dtypes at position 0 are subtypes of integer, complexfloating, floating."},
		{func() { Sin("a") }, "Error interpreting argument to sin as a JAX value. The problematic value is of type <class 'str'> and was passed to sin at position 0."},
		{func() { Max(1, 2.0) }, "lax.max requires arguments to have the same dtypes, got int32, float32. (Tip: jnp.maximum is a similar function that does automatic type promotion on inputs)."},
		{func() { Select(arr(dtype.Bool, 3), f3, arr(dtype.Float32, 2)) }, "select cases must have the same shapes, got [(2,), (3,)]."},
		{func() { DotGeneral(f3, f4, DotDims{LHSContract: []int{0}, RHSContract: []int{0}}, "", dtype.Invalid) }, "dot_general requires contracting dimensions to have the same shape, got (3,) and (4,)."},
		{func() { Transpose(arr(dtype.Float32, 2, 3), []int{0}) }, "transpose permutation isn't a permutation of operand dimensions, got permutation (0,) for operand shape (2, 3)."},
		{func() { Squeeze(arr(dtype.Float32, 2, 3), []int{0}) }, "cannot select an axis to squeeze out which has size not equal to one, got shape=(2, 3) and dimensions=(0,)"},
		{func() { IntegerPow(arr(dtype.Int32, 2), -1) }, "Integers cannot be raised to negative powers, got integer_pow(int32[2], -1)"},
		{func() { Concatenate([]array.Array{f3, arr(dtype.Float32, 2, 2)}, 0) }, "Cannot concatenate arrays with different numbers of dimensions: got (3,), (2, 2)."},
		{func() { BroadcastInDim(f3, []int{-1, 3}, []int{1}) }, "broadcast_in_dim shape must have every element be nonnegative, got (-1, 3)."},
		{func() { Full([]int{2}, f3, dtype.Invalid) }, "full must be called with scalar fill_value, got fill_value.shape (3,)."},
	} {
		if got := staged(c.f); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}
