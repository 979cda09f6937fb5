package lax

import (
	"slices"

	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
)

// BitcastConvertTypeP reads the bits of elements as another type.
var BitcastConvertTypeP = core.NewPrimitive("bitcast_convert_type")

func init() {
	BitcastConvertTypeP.Define(core.Rules{
		AbstractEval: func(in []*core.ShapedArray, p core.Params) []*core.ShapedArray {
			x, d := in[0], p.DType("new_dtype")
			special := func(t dtype.DType) bool { return t.IsBool() || t.IsComplex() }
			if x.DType != d && (special(x.DType) || special(d)) {
				core.TypeErrorf("lax.bitcast_convert_type does not support bool or complex values unless the operand and destination types match. Got operand dtype=%s, new_dtype=dtype('%s'). Consider using the arr.view() method instead.", x.DType, d)
			}
			shape, from, to := slices.Clone(x.Shape), x.DType.Bits(), d.Bits()
			switch {
			case from > to:
				shape = append(shape, from/to)
			case from < to:
				last := 1
				if len(shape) > 0 {
					last = shape[len(shape)-1]
				}
				if last*from != to {
					core.ValueErrorf("Attempting to convert array of shape %s from %s of size %d bits to %s of size %d, bits but %d * %d != %d", shapeText(x.Shape), x.DType, from, d, to, last, from, to)
				}
				shape = shape[:len(shape)-1]
			}
			return []*core.ShapedArray{core.NewAval(d, shape...)}
		},
		JVP:   ad.ZeroJVP(BitcastConvertTypeP),
		Batch: batching.Vectorized(BitcastConvertTypeP),
		Lower: func(c *core.LowerCtx, args []hloValue, _ core.Params) []hloValue {
			return []hloValue{c.B.BitcastConvert(args[0], typeOf(c.Out[0]))}
		},
	})
}

// BitcastConvertType reads the bits of x as elements of another type.
func BitcastConvertType(x any, d dtype.DType) array.Array {
	return array.New(bitcast(toValue("bitcast_convert_type", x, 0), d.Canonical(core.X64())))
}

func bitcast(x core.Value, d dtype.DType) core.Value {
	return BitcastConvertTypeP.Bind1(core.P("new_dtype", d), x)
}
