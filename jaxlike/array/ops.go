package array

import "gopherlo/jaxlike/dtype"

// Ops are the operations behind the methods; jnp fills them in.
var Ops struct {
	Add, Sub, Mul, Div, FloorDiv, Mod, Pow, MatMul, Dot func(a, b any) Array
	Eq, Ne, Lt, Le, Gt, Ge                              func(a, b any) Array
	And, Or, Xor, Lsh, Rsh                              func(a, b any) Array
	Neg, Abs, Not, Real, Imag, Conj                     func(a Array) Array
	Transpose, Ravel                                    func(a Array) Array
	Reductions                                          map[string]func(a Array, axes []int) Array
	Reshape                                             func(a Array, shape []int) Array
	TransposeAxes                                       func(a Array, axes []int) Array
	AsType                                              func(a Array, dt dtype.DType) Array
	Index                                               func(a Array, index []any) Array
	Get                                                 func(a Array, index, opts []any) Array
	Rows                                                func(a Array) []Array
	Take                                                func(a Array, index []int, axis int) Array
	Update                                              func(op string, a Array, index []any, v any, opts []any) Array
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

// Dot is JAX's a.dot(b): for matrices their product, for vectors the sum of the
// products.
func (a Array) Dot(b any) Array { return Ops.Dot(a, b) }

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
func (a Array) Sum(axes ...int) Array { return Ops.Reductions["Sum"](a, axes) }

// Mean is the mean of the elements.
func (a Array) Mean(axes ...int) Array { return Ops.Reductions["Mean"](a, axes) }

// Max is the largest element.
func (a Array) Max(axes ...int) Array { return Ops.Reductions["Max"](a, axes) }

// Min is the smallest element.
func (a Array) Min(axes ...int) Array { return Ops.Reductions["Min"](a, axes) }

// Prod is the product of the elements.
func (a Array) Prod(axes ...int) Array { return Ops.Reductions["Prod"](a, axes) }

// Std is the standard deviation of the elements.
func (a Array) Std(axes ...int) Array { return Ops.Reductions["Std"](a, axes) }

// Var is the variance of the elements.
func (a Array) Var(axes ...int) Array { return Ops.Reductions["Var"](a, axes) }

// All tells whether all elements are true.
func (a Array) All(axes ...int) Array { return Ops.Reductions["All"](a, axes) }

// Any tells whether an element is true.
func (a Array) Any(axes ...int) Array { return Ops.Reductions["Any"](a, axes) }

// ArgMax is the index of the largest element, in the flattened array without an axis.
func (a Array) ArgMax(axis ...int) Array { return Ops.Reductions["ArgMax"](a, axis) }

// ArgMin is the index of the smallest element, in the flattened array without an axis.
func (a Array) ArgMin(axis ...int) Array { return Ops.Reductions["ArgMin"](a, axis) }

// CumSum gives the sums of the elements up to each one, along an axis or flattened.
func (a Array) CumSum(axis ...int) Array { return Ops.Reductions["CumSum"](a, axis) }

// CumProd gives the products of the elements up to each one, along an axis or flattened.
func (a Array) CumProd(axis ...int) Array { return Ops.Reductions["CumProd"](a, axis) }

// Squeeze takes away the dimensions of size 1, all or the given ones.
func (a Array) Squeeze(axes ...int) Array { return Ops.Reductions["Squeeze"](a, axes) }

// Reshape gives a the shape; one dimension may be -1.
func (a Array) Reshape(shape ...int) Array { return Ops.Reshape(a, shape) }

// Ravel is a as one dimension.
func (a Array) Ravel() Array { return Ops.Ravel(a) }

// Flatten is a as one dimension, as Ravel is.
func (a Array) Flatten() Array { return Ops.Ravel(a) }

// Real is the real part of the elements.
func (a Array) Real() Array { return Ops.Real(a) }

// Imag is the imaginary part of the elements.
func (a Array) Imag() Array { return Ops.Imag(a) }

// Conj is the complex conjugate of the elements.
func (a Array) Conj() Array { return Ops.Conj(a) }

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
