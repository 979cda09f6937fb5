// Package array holds the type that users handle: Array, a device array, a
// tracer, or the results of a call with several results. Package jaxlike
// re-exports it; the operations that its methods apply are installed by jnp, so
// that jnp can take and give Arrays.
package array

import (
	"reflect"

	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
	"gopherlo/jaxlike/tree"
)

// Array is an n-dimensional array, by value: copying it copies the handle. The
// zero Array holds nothing. A call with several results gives one Array that
// stands for all of them; Into and Out take it apart.
type Array struct {
	_    [0]func() // no key of a map: as in JAX, == compares the elements
	v    core.Value
	many *Results
}

// Results are the leaves of a result with its structure.
type Results struct {
	Leaves []core.Value
	Def    *tree.Def
	info   any
}

func init() {
	tree.RegisterLeaf(reflect.TypeFor[Array](), "jaxlib._jax.ArrayImpl")
	tree.RegisterClassOf(reflect.TypeFor[Array](), func(v any) string { return core.TracerClass(v.(Array).v) })
	tree.SetArrays(tree.Arrays{Expand: Expand, Pack: pack, Convert: ConvertLeaf})
	tree.RegisterClass(reflect.TypeFor[dtype.DType](), "jax._src.numpy.scalar_types._ScalarMeta")
}

// New makes an Array of one value.
func New(v core.Value) Array { return Array{v: v} }

// NewResults makes an Array of a result tree; a tree that is one leaf gives a
// plain Array.
func NewResults(leaves []core.Value, def *tree.Def) Array {
	if def.IsLeaf() {
		return Array{v: leaves[0]}
	}
	return Array{many: &Results{Leaves: leaves, Def: def}}
}

// pack makes an Array that stands for a tree of Arrays.
func pack(leaves []any, def *tree.Def) (any, bool) {
	vals := make([]core.Value, len(leaves))
	for i, l := range leaves {
		v, ok := ToValue(l)
		if !ok {
			return nil, false
		}
		vals[i] = v
	}
	return NewResults(vals, def), true
}

// Value is the Array's value; a result tree with one leaf stands for it. It
// raises a TypeError for several results.
func (a Array) Value() core.Value {
	if a.many != nil && len(a.many.Leaves) == 1 {
		return a.many.Leaves[0]
	}
	if a.IsNone() {
		core.TypeErrorf("None was used where an array is needed")
	}
	if a.many != nil {
		core.TypeErrorf("a result of structure %s was used where one array is needed; take it apart with Into or Out", a.many.Def)
	}
	if a.v == nil {
		core.TypeErrorf("an Array without a value was used; assign it first")
	}
	return a.v
}

// Const is the array's constant; ok is false for tracers and several results.
func (a Array) Const() (c *core.Const, ok bool) {
	c, ok = a.v.(*core.Const)
	return c, ok
}

// IsZero tells whether the Array holds nothing.
func (a Array) IsZero() bool { return a.v == nil && a.many == nil }

// IsNone tells whether the Array is Python's None: a nil argument, or the result
// of a function without results.
func (a Array) IsNone() bool {
	return a.many != nil && a.many.Def != nil && a.many.Def.Kind() == tree.KindNone
}

// Results gives the tree of several results, nil for one array.
func (a Array) Results() *Results { return a.many }

// Expand is for tree.Options: an Array of several results stands for its tree.
func Expand(v any) (any, bool) {
	a, ok := v.(Array)
	if !ok || a.many == nil {
		return nil, false
	}
	leaves := make([]any, len(a.many.Leaves))
	for i, l := range a.many.Leaves {
		leaves[i] = New(l)
	}
	return a.many.Def.Unflatten(leaves), true
}

// Aval is the abstract value.
func (a Array) Aval() *core.ShapedArray { return a.Value().Aval() }

// Shape is the list of dimensions.
func (a Array) Shape() []int { return append([]int{}, a.Aval().Shape...) }

// NDim is the number of dimensions.
func (a Array) NDim() int { return a.Aval().NDim() }

// Size is the number of elements.
func (a Array) Size() int { return a.Aval().Size() }

// DType is the element type.
func (a Array) DType() dtype.DType { return a.Aval().DType }

// WeakType tells whether the type came from a plain number.
func (a Array) WeakType() bool { return a.Aval().Weak }

// Len is the size of the first dimension.
func (a Array) Len() int {
	if a.NDim() == 0 {
		core.TypeErrorf("len() of unsized object")
	}
	return a.Aval().Shape[0]
}

// WithInfo makes an Array that carries something else; func types of the
// product use it to hand out what their closures hold.
func WithInfo(info any) Array { return Array{many: &Results{info: info}} }

// Info is what WithInfo was given, nil for other Arrays.
func (a Array) Info() any {
	if a.many == nil {
		return nil
	}
	return a.many.info
}
