package array

import (
	"reflect"
	"slices"

	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
	"gopherlo/jaxlike/tree"
)

// ShapeDtypeStruct is the type of an array without its values. Functions can be
// traced and lowered for it, not called with it.
type ShapeDtypeStruct struct {
	Shape    []int
	DType    dtype.DType
	WeakType bool
}

func init() { tree.RegisterLeaf(reflect.TypeFor[ShapeDtypeStruct](), "jax._src.core.ShapeDtypeStruct") }

// String is the struct as JAX prints it.
func (s ShapeDtypeStruct) String() string {
	weak := ""
	if s.WeakType {
		weak = ", weak_type=True"
	}
	return "ShapeDtypeStruct(shape=" + core.PyRepr(core.NewInts(s.Shape...)) + ", dtype=" + s.DType.String() + weak + ")"
}

// Equal tells whether two structs say the same.
func (s ShapeDtypeStruct) Equal(o ShapeDtypeStruct) bool {
	return s.DType == o.DType && s.WeakType == o.WeakType && slices.Equal(s.Shape, o.Shape)
}

// Aval is the abstract value.
func (s ShapeDtypeStruct) Aval() *core.ShapedArray {
	return &core.ShapedArray{Shape: s.Shape, DType: s.DType, Weak: s.WeakType}
}

// StructOf is the type of an abstract value.
func StructOf(a *core.ShapedArray) ShapeDtypeStruct {
	return ShapeDtypeStruct{Shape: append([]int{}, a.Shape...), DType: a.DType, WeakType: a.Weak}
}
