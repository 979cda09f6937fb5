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
	o.FloorDiv, o.Mod, o.Pow, o.MatMul = FloorDivide, Remainder, Power, func(a, b any) Array { return MatMul(a, b) }
	o.Eq, o.Ne, o.Lt, o.Le, o.Gt, o.Ge = Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual
	o.And, o.Or, o.Xor, o.Lsh, o.Rsh = BitwiseAnd, BitwiseOr, BitwiseXor, LeftShift, RightShift
	o.Neg, o.Abs, o.Not = one(Negative), one(Abs), one(Invert)
	o.Sum = func(a Array) Array { return Sum(a) }
	o.Mean = func(a Array) Array { return Mean(a) }
	o.Max = func(a Array) Array { return Max(a) }
	o.Min = func(a Array) Array { return Min(a) }
	o.Prod = func(a Array) Array { return Prod(a) }
	o.SumAxis = func(a Array, axes []int) Array { return Sum(a, kw.Axis(axes...)) }
	o.MeanAxis = func(a Array, axes []int) Array { return Mean(a, kw.Axis(axes...)) }
	o.MaxAxis = func(a Array, axes []int) Array { return Max(a, kw.Axis(axes...)) }
	o.MinAxis = func(a Array, axes []int) Array { return Min(a, kw.Axis(axes...)) }
	o.ProdAxis = func(a Array, axes []int) Array { return Prod(a, kw.Axis(axes...)) }
	o.Transpose = func(a Array) Array { return Transpose(a) }
	o.TransposeAxes = func(a Array, axes []int) Array { return Transpose(a, axes...) }
	o.Ravel = one(Ravel)
	o.Reshape = func(a Array, shape []int) Array { return Reshape(a, shape) }
	o.AsType = func(a Array, dt dtype.DType) Array { return AsType(a, dt) }
}

func one(f func(any) Array) func(Array) Array { return func(a Array) Array { return f(a) } }
