package jnp

import (
	"reflect"
	"strings"

	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
	"gopherlo/jaxlike/kw"
	"gopherlo/jaxlike/tree"
)

// The methods of Array are these functions.
func init() {
	o := &array.Ops
	o.Add, o.Sub, o.Mul = operator("+", Add), operator("-", Subtract), operator("*", Multiply)
	o.Div, o.FloorDiv, o.Mod = operator("/", TrueDivide), operator("//", FloorDivide), operator("%", Remainder)
	o.Pow = operator("** or pow()", Power)
	o.MatMul = operator("@", func(a, b any) array.Array { return MatMul(a, b) })
	o.Eq, o.Ne, o.Lt, o.Le, o.Gt, o.Ge = Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual
	o.And, o.Or, o.Xor, o.Lsh, o.Rsh = BitwiseAnd, BitwiseOr, BitwiseXor, LeftShift, RightShift
	o.Neg, o.Abs, o.Not = one(Negative), one(Abs), one(Invert)
	o.Real, o.Imag, o.Conj = one(Real), one(Imag), one(Conj)
	o.Take = func(a array.Array, index []int, axis int) array.Array { return Take(a, index, kw.Axis(axis)) }
	o.Dot = func(a, b any) array.Array { return Dot(a, b) }
	o.Reductions = map[string]func(array.Array, []int) array.Array{
		"Sum": along(Sum), "Mean": along(Mean), "Max": along(Max), "Min": along(Min), "Prod": along(Prod),
		"Std": along(Std), "Var": along(Var), "All": along(All), "Any": along(Any), "Squeeze": along(Squeeze),
		"ArgMax": along(ArgMax), "ArgMin": along(ArgMin), "CumSum": along(CumSum), "CumProd": along(CumProd),
	}
	o.Transpose = func(a array.Array) array.Array { return Transpose(a) }
	o.TransposeAxes = func(a array.Array, axes []int) array.Array { return Transpose(a, axes...) }
	o.Ravel = func(a array.Array) array.Array { return Ravel(a) }
	o.Reshape = func(a array.Array, shape []int) array.Array {
		if len(shape) == 1 {
			return Reshape(a, shape[0]) // errors show it so
		}
		return Reshape(a, shape)
	}
	o.AsType = func(a array.Array, dt dtype.DType) array.Array { return AsType(a, dt) }
}

func one(f func(any) array.Array) func(array.Array) array.Array {
	return func(a array.Array) array.Array { return f(a) }
}

// along is f over all dimensions, or over the axes that a method was given.
func along[O any](f func(any, ...O) array.Array) func(array.Array, []int) array.Array {
	return func(a array.Array, axes []int) array.Array {
		if len(axes) == 0 {
			return f(a)
		}
		return f(a, any(kw.Axis(axes...)).(O))
	}
}

// operator applies f where the other operand can be an array, and words the
// error of Python's operator otherwise.
func operator(symbol string, f func(a, b any) array.Array) func(a, b any) array.Array {
	return func(a, b any) array.Array {
		given := [2]any{a, b}
		for i, x := range given {
			switch x.(type) {
			case array.Array, float64, bool:
				continue
			case int: // the function says which argument it is if it is too wide
				continue
			}
			v, ok := array.ToValue(x)
			if !ok {
				core.TypeErrorf("unsupported operand type(s) for %s: '%s' and '%s'", symbol, operandName(symbol, a, b), operandName(symbol, b, a))
			}
			if k := reflect.TypeOf(x).Kind(); k == reflect.Slice || k == reflect.Array {
				given[i] = array.New(v) // to convert one takes long
			}
		}
		return f(given[0], given[1])
	}
}

// operandName is the class that the error names. JAX itself refuses to add,
// subtract or multiply sequences, in shorter words than Python's.
func operandName(symbol string, x, other any) string {
	if _, ok := x.(array.Array); !ok {
		return tree.ClassName(reflect.TypeOf(x))
	}
	sequence := tree.ClassName(reflect.TypeOf(other))
	if (sequence == "list" || sequence == "tuple") && strings.Contains("+-*", symbol) {
		return "ArrayImpl"
	}
	return "jaxlib._jax.ArrayImpl"
}
