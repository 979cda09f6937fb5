package array

import "gopherlo/jaxlike/dtype"

// Ops are the operations behind the methods; jnp fills them in.
var Ops struct {
	Add, Sub, Mul, Div, FloorDiv, Mod, Pow, MatMul func(a, b any) Array
	Eq, Ne, Lt, Le, Gt, Ge                         func(a, b any) Array
	And, Or, Xor, Lsh, Rsh                         func(a, b any) Array
	Neg, Abs, Not, Sum, Mean, Max, Min, Prod       func(a Array) Array
	Transpose, Ravel                               func(a Array) Array
	SumAxis, MeanAxis, MaxAxis, MinAxis, ProdAxis  func(a Array, axes []int) Array
	Reshape                                        func(a Array, shape []int) Array
	TransposeAxes                                  func(a Array, axes []int) Array
	AsType                                         func(a Array, dt dtype.DType) Array
	Index                                          func(a Array, index []any) Array
	Get                                            func(a Array, index, opts []any) Array
	Rows                                           func(a Array) []Array
	Update                                         func(op string, a Array, index []any, v any, opts []any) Array
}

// Add is a + b; b is an Array or a number. The methods promote types as JAX.
func (a Array) Add(b any) Array { return Ops.Add(a, b) }

// Sub is a - b.
func (a Array) Sub(b any) Array { return Ops.Sub(a, b) }

// Mul is a * b.
func (a Array) Mul(b any) Array { return Ops.Mul(a, b) }

// Div is true division a / b; integers give floats.
func (a Array) Div(b any) Array { return Ops.Div(a, b) }

// FloorDiv is a // b.
func (a Array) FloorDiv(b any) Array { return Ops.FloorDiv(a, b) }

// Mod is a % b with the sign of b.
func (a Array) Mod(b any) Array { return Ops.Mod(a, b) }

// Pow is a ** b.
func (a Array) Pow(b any) Array { return Ops.Pow(a, b) }

// MatMul is a @ b.
func (a Array) MatMul(b any) Array { return Ops.MatMul(a, b) }

// Neg is -a.
func (a Array) Neg() Array { return Ops.Neg(a) }

// Abs is |a|.
func (a Array) Abs() Array { return Ops.Abs(a) }

// Eq is a == b, element by element.
func (a Array) Eq(b any) Array { return Ops.Eq(a, b) }

// Ne is a != b.
func (a Array) Ne(b any) Array { return Ops.Ne(a, b) }

// Lt is a < b.
func (a Array) Lt(b any) Array { return Ops.Lt(a, b) }

// Le is a <= b.
func (a Array) Le(b any) Array { return Ops.Le(a, b) }

// Gt is a > b.
func (a Array) Gt(b any) Array { return Ops.Gt(a, b) }

// Ge is a >= b.
func (a Array) Ge(b any) Array { return Ops.Ge(a, b) }

// And is a & b, bitwise or logical.
func (a Array) And(b any) Array { return Ops.And(a, b) }

// Or is a | b.
func (a Array) Or(b any) Array { return Ops.Or(a, b) }

// Xor is a ^ b.
func (a Array) Xor(b any) Array { return Ops.Xor(a, b) }

// Lsh is a << b.
func (a Array) Lsh(b any) Array { return Ops.Lsh(a, b) }

// Rsh is a >> b.
func (a Array) Rsh(b any) Array { return Ops.Rsh(a, b) }

// Not is ^a, bitwise or logical.
func (a Array) Not() Array { return Ops.Not(a) }

// Sum adds the elements, over all dimensions or the given ones.
func (a Array) Sum(axes ...int) Array { return reduce(a, axes, Ops.Sum, Ops.SumAxis) }

// Mean is the mean of the elements.
func (a Array) Mean(axes ...int) Array { return reduce(a, axes, Ops.Mean, Ops.MeanAxis) }

// Max is the largest element.
func (a Array) Max(axes ...int) Array { return reduce(a, axes, Ops.Max, Ops.MaxAxis) }

// Min is the smallest element.
func (a Array) Min(axes ...int) Array { return reduce(a, axes, Ops.Min, Ops.MinAxis) }

// Prod is the product of the elements.
func (a Array) Prod(axes ...int) Array { return reduce(a, axes, Ops.Prod, Ops.ProdAxis) }

func reduce(a Array, axes []int, all func(Array) Array, some func(Array, []int) Array) Array {
	if len(axes) == 0 {
		return all(a)
	}
	return some(a, axes)
}

// Reshape gives a the shape; one dimension may be -1.
func (a Array) Reshape(shape ...int) Array { return Ops.Reshape(a, shape) }

// Ravel is a as one dimension.
func (a Array) Ravel() Array { return Ops.Ravel(a) }

// T is a with its dimensions reversed.
func (a Array) T() Array { return Ops.Transpose(a) }

// Transpose permutes the dimensions; without arguments it reverses them.
func (a Array) Transpose(axes ...int) Array {
	if len(axes) == 0 {
		return Ops.Transpose(a)
	}
	return Ops.TransposeAxes(a, axes)
}

// AsType converts the elements.
func (a Array) AsType(dt dtype.DType) Array { return Ops.AsType(a, dt) }

// Index is a[index...]: integers, slices, Ellipsis, NewAxis or Arrays.
func (a Array) Index(index ...any) Array { return Ops.Index(a, index) }
