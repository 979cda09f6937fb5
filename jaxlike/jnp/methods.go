package jnp

import (
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/dtype"
	"gopherlo/jaxlike/kw"
)

// The methods of Array are these functions.
func init() {
	o := &array.Ops
	o.Add, o.Sub, o.Mul, o.Div = Add, Subtract, Multiply, TrueDivide
	o.FloorDiv, o.Mod, o.Pow, o.MatMul = FloorDivide, Remainder, Power, func(a, b any) array.Array { return MatMul(a, b) }
	o.Eq, o.Ne, o.Lt, o.Le, o.Gt, o.Ge = Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual
	o.And, o.Or, o.Xor, o.Lsh, o.Rsh = BitwiseAnd, BitwiseOr, BitwiseXor, LeftShift, RightShift
	o.Neg, o.Abs, o.Not = one(Negative), one(Abs), one(Invert)
	o.Sum = func(a array.Array) array.Array { return Sum(a) }
	o.Mean = func(a array.Array) array.Array { return Mean(a) }
	o.Max = func(a array.Array) array.Array { return Max(a) }
	o.Min = func(a array.Array) array.Array { return Min(a) }
	o.Prod = func(a array.Array) array.Array { return Prod(a) }
	o.SumAxis = func(a array.Array, axes []int) array.Array { return Sum(a, kw.Axis(axes...)) }
	o.MeanAxis = func(a array.Array, axes []int) array.Array { return Mean(a, kw.Axis(axes...)) }
	o.MaxAxis = func(a array.Array, axes []int) array.Array { return Max(a, kw.Axis(axes...)) }
	o.MinAxis = func(a array.Array, axes []int) array.Array { return Min(a, kw.Axis(axes...)) }
	o.ProdAxis = func(a array.Array, axes []int) array.Array { return Prod(a, kw.Axis(axes...)) }
	o.Transpose = func(a array.Array) array.Array { return Transpose(a) }
	o.TransposeAxes = func(a array.Array, axes []int) array.Array { return Transpose(a, axes...) }
	o.Ravel = one(Ravel)
	o.Reshape = func(a array.Array, shape []int) array.Array { return Reshape(a, shape) }
	o.AsType = func(a array.Array, dt dtype.DType) array.Array { return AsType(a, dt) }
}

func one(f func(any) array.Array) func(array.Array) array.Array {
	return func(a array.Array) array.Array { return f(a) }
}
