package core

import (
	"slices"
	"strconv"
	"strings"

	"gopherlo/jaxlike/dtype"
)

// ShapedArray is the abstract value of an array: its shape, element type and
// whether the type is weak (came from a plain number and yields to others).
// It is immutable once made.
type ShapedArray struct {
	Shape []int
	DType dtype.DType
	Weak  bool
}

// NewAval makes a strongly typed abstract value.
func NewAval(dt dtype.DType, shape ...int) *ShapedArray {
	return &ShapedArray{Shape: shape, DType: dt}
}

// NDim is the number of dimensions.
func (a *ShapedArray) NDim() int { return len(a.Shape) }

// Size is the number of elements.
func (a *ShapedArray) Size() int {
	n := 1
	for _, d := range a.Shape {
		n *= d
	}
	return n
}

// Equal compares shape, dtype and weakness.
func (a *ShapedArray) Equal(b *ShapedArray) bool {
	return a == b || a.DType == b.DType && a.Weak == b.Weak && slices.Equal(a.Shape, b.Shape)
}

// SameType compares shape and dtype, not weakness.
func (a *ShapedArray) SameType(b *ShapedArray) bool {
	return a == b || a.DType == b.DType && slices.Equal(a.Shape, b.Shape)
}

// Strong is a without weakness.
func (a *ShapedArray) Strong() *ShapedArray {
	if !a.Weak {
		return a
	}
	return &ShapedArray{Shape: a.Shape, DType: a.DType}
}

// With gives a with another shape; dtype and weakness stay.
func (a *ShapedArray) With(shape []int) *ShapedArray {
	return &ShapedArray{Shape: shape, DType: a.DType, Weak: a.Weak}
}

// WithDType gives a with another element type.
func (a *ShapedArray) WithDType(dt dtype.DType, weak bool) *ShapedArray {
	return &ShapedArray{Shape: a.Shape, DType: dt, Weak: weak}
}

// Tangent is the type of a's tangents: itself for inexact types, float0 for
// the others (jax/_src/core.py, primal_dtype_to_tangent_dtype).
func (a *ShapedArray) Tangent() *ShapedArray {
	if a.DType.IsInexact() {
		return a
	}
	return &ShapedArray{Shape: a.Shape, DType: dtype.Float0, Weak: a.Weak}
}

// String is the type as a jaxpr prints it: "f32[2,3]". Weakness is not shown.
func (a *ShapedArray) String() string { return a.text(a.DType.Short()) }

// Long is the type with the dtype's long name: "float32[2,3]".
func (a *ShapedArray) Long() string { return a.text(a.DType.String()) }

// PyRepr is the type as Python's repr prints it.
func (a *ShapedArray) PyRepr() string {
	if a.Weak {
		return "ShapedArray(" + a.Long() + ", weak_type=True)"
	}
	return "ShapedArray(" + a.Long() + ")"
}

// LongWeak is Long with "~" before a weak type, as jax.typeof prints it.
func (a *ShapedArray) LongWeak() string {
	if a.Weak {
		return "~" + a.Long()
	}
	return a.Long()
}

func (a *ShapedArray) text(name string) string {
	var b strings.Builder
	b.WriteString(name)
	b.WriteByte('[')
	for i, d := range a.Shape {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Itoa(d))
	}
	b.WriteByte(']')
	return b.String()
}

// Key is a string that two abstract values share exactly when they are Equal.
func (a *ShapedArray) Key() string {
	if a.Weak {
		return "~" + a.String()
	}
	return a.String()
}

// AvalsKey joins the keys of several abstract values.
func AvalsKey(avals []*ShapedArray) string {
	var b strings.Builder
	for _, a := range avals {
		b.WriteString(a.Key())
		b.WriteByte(';')
	}
	return b.String()
}

// Mismatch says in what two types differ (aval_mismatch_extra in core.py).
func (a *ShapedArray) Mismatch(b *ShapedArray) string {
	var what []string
	if a.DType != b.DType {
		what = append(what, "the dtypes do not match")
	}
	if !slices.Equal(a.Shape, b.Shape) {
		what = append(what, "the shapes do not match")
	}
	if len(what) == 0 {
		return ""
	}
	return ", so " + strings.Join(what, ", and ")
}

// PyText is the type as Python's repr of it.
func (a *ShapedArray) PyText() string {
	if a.Weak {
		return "ShapedArray(" + a.Long() + ", weak_type=True)"
	}
	return "ShapedArray(" + a.Long() + ")"
}
