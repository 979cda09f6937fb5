package stablehlo

import "gopherlo/xla/hlo"

// elemNames are MLIR's names of the element types.
var elemNames = map[hlo.PrimitiveType]string{
	hlo.PRED: "i1", hlo.S1: "si1", hlo.U1: "ui1",
	hlo.S2: "i2", hlo.S4: "i4", hlo.S8: "i8", hlo.S16: "i16", hlo.S32: "i32", hlo.S64: "i64",
	hlo.U2: "ui2", hlo.U4: "ui4", hlo.U8: "ui8", hlo.U16: "ui16", hlo.U32: "ui32", hlo.U64: "ui64",
	hlo.F16: "f16", hlo.BF16: "bf16", hlo.F32: "f32", hlo.F64: "f64",
	hlo.C64: "complex<f32>", hlo.C128: "complex<f64>",
	hlo.F8E5M2: "f8E5M2", hlo.F8E4M3: "f8E4M3", hlo.F8E3M4: "f8E3M4", hlo.F8E4M3FN: "f8E4M3FN",
	hlo.F8E4M3B11FNUZ: "f8E4M3B11FNUZ", hlo.F8E5M2FNUZ: "f8E5M2FNUZ", hlo.F8E4M3FNUZ: "f8E4M3FNUZ",
	hlo.F4E2M1FN: "f4E2M1FN", hlo.F8E8M0FNU: "f8E8M0FNU",
}

// String is the type as MLIR prints it: tensor<2x3xf32>.
func (t Type) String() string { return string(appendType(nil, t)) }
