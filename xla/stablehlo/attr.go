package stablehlo

import (
	"sort"

	"gopherlo/xla/hlo"
)

// Attr is an attribute's value: one of the types of this file, or a *Dense.
type Attr interface{ isAttr() }

// Named is an attribute with its key.
type Named struct {
	Key   string
	Value Attr
}

// Attrs are attributes sorted by key, as MLIR keeps them.
type Attrs []Named

// Get gives the attribute of that key, or nil.
func (a Attrs) Get(key string) Attr {
	for i := range a {
		if a[i].Key == key {
			return a[i].Value
		}
	}
	return nil
}

// Set adds or replaces an attribute.
func (a *Attrs) Set(key string, v Attr) {
	i := sort.Search(len(*a), func(i int) bool { return (*a)[i].Key >= key })
	if i < len(*a) && (*a)[i].Key == key {
		(*a)[i].Value = v
		return
	}
	*a = append(*a, Named{})
	copy((*a)[i+1:], (*a)[i:])
	(*a)[i] = Named{key, v}
}

// Delete removes an attribute.
func (a *Attrs) Delete(key string) {
	for i := range *a {
		if (*a)[i].Key == key {
			*a = append((*a)[:i:i], (*a)[i+1:]...)
			return
		}
	}
}

// Ints gives an Ints attribute's numbers, or nil.
func (a Attrs) Ints(key string) []int64 {
	v, _ := a.Get(key).(Ints)
	return v
}

// Int gives an Int attribute's number, or 0.
func (a Attrs) Int(key string) int64 {
	v, _ := a.Get(key).(Int)
	return v.Value
}

// Bool gives a Bool attribute's value, or false; a Unit counts as true.
func (a Attrs) Bool(key string) bool {
	switch v := a.Get(key).(type) {
	case Bool:
		return bool(v)
	case Unit:
		return true
	}
	return false
}

// Enum gives an Enum attribute's word, or "".
func (a Attrs) Enum(key string) string {
	v, _ := a.Get(key).(Enum)
	return v.Value
}

// The kinds of attributes. The comment shows how each prints.
type (
	// Bool prints true.
	Bool bool
	// Int prints 1 : i64. Bits is 64 when zero; Unsigned prints 1 : ui64.
	Int struct {
		Value    int64
		Bits     int
		Unsigned bool
	}
	// Float prints 1.500000e+00 : f64.
	Float struct {
		Value float64
		Elem  hlo.PrimitiveType
	}
	// String prints "text".
	String string
	// Unit prints its key alone.
	Unit struct{}
	// Symbol prints @name.
	Symbol string
	// Ints prints array<i64: 1, 2>.
	Ints []int64
	// Bools prints array<i1: true, false>.
	Bools []bool
	// Array prints [a, b].
	Array []Attr
	// Dict prints {key = value}.
	Dict Attrs
	// Index prints dense<[1, 0]> : tensor<2xindex>: a layout.
	Index []int64
	// TypeAttr prints a type.
	TypeAttr struct{ Type Type }
	// Enum prints #stablehlo<kind VALUE>, for example
	// #stablehlo<comparison_direction LT>.
	Enum struct{ Kind, Value string }
	// Raw prints as it is: an attribute of a dialect that this package does
	// not look into, for example #sdy.sharding<@mesh, [{"x"}]>.
	Raw string
)

// DotDims are the dimension numbers of dot_general.
type DotDims struct {
	LHSBatch, RHSBatch, LHSContracting, RHSContracting []int64
}

// GatherDims are the dimension numbers of gather.
type GatherDims struct {
	OffsetDims, CollapsedSliceDims, OperandBatchingDims, StartIndicesBatchingDims []int64

	StartIndexMap  []int64
	IndexVectorDim int64
}

// ScatterDims are the dimension numbers of scatter.
type ScatterDims struct {
	UpdateWindowDims, InsertedWindowDims, InputBatchingDims, ScatterIndicesBatchingDims []int64

	ScatterDimsToOperandDims []int64
	IndexVectorDim           int64
}

// ConvDims are the dimension numbers of convolution.
type ConvDims struct {
	InputBatch, InputFeature         int64
	InputSpatial                     []int64
	KernelInputFeature, KernelOutput int64
	KernelSpatial                    []int64
	OutputBatch, OutputFeature       int64
	OutputSpatial                    []int64
}

// DotAlgorithm is the algorithm attribute of dot_general. TF32, which is no
// element type, is hlo.InvalidType.
type DotAlgorithm struct {
	LHSType, RHSType, AccumulationType            hlo.PrimitiveType
	LHSComponents, RHSComponents, NumPrimitiveOps int64
	AllowImpreciseAccumulation                    bool
}

// OutputAlias is one entry of a custom call's output_operand_aliases.
type OutputAlias struct {
	OutputTupleIndices  []int64
	OperandIndex        int64
	OperandTupleIndices []int64
}

func (Bool) isAttr()          {}
func (Int) isAttr()           {}
func (Float) isAttr()         {}
func (String) isAttr()        {}
func (Unit) isAttr()          {}
func (Symbol) isAttr()        {}
func (Ints) isAttr()          {}
func (Bools) isAttr()         {}
func (Array) isAttr()         {}
func (Dict) isAttr()          {}
func (Index) isAttr()         {}
func (TypeAttr) isAttr()      {}
func (Enum) isAttr()          {}
func (Raw) isAttr()           {}
func (*Dense) isAttr()        {}
func (*DotDims) isAttr()      {}
func (*GatherDims) isAttr()   {}
func (*ScatterDims) isAttr()  {}
func (*ConvDims) isAttr()     {}
func (*DotAlgorithm) isAttr() {}
func (OutputAlias) isAttr()   {}
