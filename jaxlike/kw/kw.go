package kw

import "gopherlo/jaxlike/dtype"

// Option is a keyword option of some functions.
type Option interface{ set(*Set) }

// Set is what the options of one call say.
type Set struct {
	Axis                 []int // nil: not given
	KeepDims             bool
	DType                dtype.DType // dtype.Invalid: not given
	PreferredElementType dtype.DType
	Initial, Where       any // nil: not given
	Min, Max             any
	Shape                []int // nil: not given
	Decimals             int
	Num                  int // 0: not given
	NoEndpoint           bool
	Precision            string
	Copy                 bool
	RTol, ATol           any
	EqualNaN             bool
	KeepIntegers         bool
	Order                string // "": not given
	Length, BatchSize    *int   // nil: not given
	Reverse              bool
	Unroll               any // nil: not given; a bool or int

	arrays
}

// Collect reads the options of a call; of two that say the same, the later wins.
func Collect[T Option](opts []T) Set {
	var s Set
	for _, o := range opts {
		if any(o) != nil {
			o.set(&s)
		}
	}
	return s
}

// The types of the options. They are made by the functions of the same name.
type (
	// AxisOption is made by Axis.
	AxisOption []int
	// KeepDimsOption is made by KeepDims.
	KeepDimsOption bool
	// DTypeOption is made by DType.
	DTypeOption dtype.DType
	// PreferredElementTypeOption is made by PreferredElementType.
	PreferredElementTypeOption dtype.DType
	// InitialOption is made by Initial.
	InitialOption struct{ v any }
	// WhereOption is made by Where.
	WhereOption struct{ v any }
	// MinOption is made by Min.
	MinOption struct{ v any }
	// MaxOption is made by Max.
	MaxOption struct{ v any }
	// ShapeOption is made by Shape.
	ShapeOption []int
	// DecimalsOption is made by Decimals.
	DecimalsOption int
	// NumOption is made by Num.
	NumOption int
	// EndpointOption is made by Endpoint.
	EndpointOption bool
	// PrecisionOption is made by Precision.
	PrecisionOption string
	// CopyOption is made by Copy.
	CopyOption bool
	// RTolOption is made by RTol.
	RTolOption struct{ v any }
	// ATolOption is made by ATol.
	ATolOption struct{ v any }
	// EqualNaNOption is made by EqualNaN.
	EqualNaNOption bool
	// OrderOption is made by Order.
	OrderOption string
	// PromoteIntegersOption is made by PromoteIntegers.
	PromoteIntegersOption bool
	// LengthOption is made by Length.
	LengthOption int
	// ReverseOption is made by Reverse.
	ReverseOption bool
	// UnrollOption is made by Unroll.
	UnrollOption struct{ v any }
	// BatchSizeOption is made by BatchSize.
	BatchSizeOption int
)

func (o AxisOption) set(s *Set)                 { s.Axis = append([]int{}, o...) }
func (o KeepDimsOption) set(s *Set)             { s.KeepDims = bool(o) }
func (o DTypeOption) set(s *Set)                { s.DType = dtype.DType(o) }
func (o PreferredElementTypeOption) set(s *Set) { s.PreferredElementType = dtype.DType(o) }
func (o InitialOption) set(s *Set)              { s.Initial = o.v }
func (o WhereOption) set(s *Set)                { s.Where = o.v }
func (o MinOption) set(s *Set)                  { s.Min = o.v }
func (o MaxOption) set(s *Set)                  { s.Max = o.v }
func (o ShapeOption) set(s *Set)                { s.Shape = append([]int{}, o...) }
func (o DecimalsOption) set(s *Set)             { s.Decimals = int(o) }
func (o NumOption) set(s *Set)                  { s.Num = int(o) }
func (o EndpointOption) set(s *Set)             { s.NoEndpoint = !bool(o) }
func (o PrecisionOption) set(s *Set)            { s.Precision = string(o) }
func (o CopyOption) set(s *Set)                 { s.Copy = bool(o) }
func (o RTolOption) set(s *Set)                 { s.RTol = o.v }
func (o ATolOption) set(s *Set)                 { s.ATol = o.v }
func (o EqualNaNOption) set(s *Set)             { s.EqualNaN = bool(o) }
func (o OrderOption) set(s *Set)                { s.Order = string(o) }
func (o PromoteIntegersOption) set(s *Set)      { s.KeepIntegers = !bool(o) }
func (o LengthOption) set(s *Set)               { n := int(o); s.Length = &n }
func (o ReverseOption) set(s *Set)              { s.Reverse = bool(o) }
func (o UnrollOption) set(s *Set)               { s.Unroll = o.v }
func (o BatchSizeOption) set(s *Set)            { n := int(o); s.BatchSize = &n }

// Axis names the dimensions to work along; negative ones count from the end.
func Axis(axes ...int) AxisOption { return axes }

// KeepDims keeps reduced dimensions with size 1.
func KeepDims(keep bool) KeepDimsOption { return KeepDimsOption(keep) }

// DType gives the element type of the result.
func DType(d dtype.DType) DTypeOption { return DTypeOption(d) }

// PreferredElementType gives the element type that products are summed in.
func PreferredElementType(d dtype.DType) PreferredElementTypeOption {
	return PreferredElementTypeOption(d)
}

// Initial gives a value that takes part in a reduction first.
func Initial(v any) InitialOption { return InitialOption{v} }

// Where gives a mask of the elements that take part in a reduction.
func Where(mask any) WhereOption { return WhereOption{mask} }

// Min gives a lower bound.
func Min(v any) MinOption { return MinOption{v} }

// Max gives an upper bound.
func Max(v any) MaxOption { return MaxOption{v} }

// Shape gives the shape of the result.
func Shape(dims ...int) ShapeOption { return dims }

// Decimals gives the number of decimals to round to.
func Decimals(n int) DecimalsOption { return DecimalsOption(n) }

// Num gives the number of values.
func Num(n int) NumOption { return NumOption(n) }

// Endpoint tells whether the last value is the end of the range.
func Endpoint(include bool) EndpointOption { return EndpointOption(include) }

// Precision asks for more exact products: "default", "high" or "highest".
func Precision(p string) PrecisionOption { return PrecisionOption(p) }

// Copy asks for a copy.
func Copy(b bool) CopyOption { return CopyOption(b) }

// RTol gives a relative tolerance.
func RTol(v any) RTolOption { return RTolOption{v} }

// ATol gives an absolute tolerance.
func ATol(v any) ATolOption { return ATolOption{v} }

// EqualNaN makes NaN equal to NaN.
func EqualNaN(b bool) EqualNaNOption { return EqualNaNOption(b) }

// PromoteIntegers tells whether sums of narrow integers are widened.
func PromoteIntegers(b bool) PromoteIntegersOption { return PromoteIntegersOption(b) }

// Order gives the order of the elements: "C" (row by row) or "F" (column by
// column).
func Order(order string) OrderOption { return OrderOption(order) }

// Length gives the number of a loop's iterations.
func Length(n int) LengthOption { return LengthOption(n) }

// Reverse runs from the last element to the first.
func Reverse(on bool) ReverseOption { return ReverseOption(on) }

// Unroll says how many iterations of a loop are written out in one: a number, 0
// or true for all of them, false for one.
func Unroll(n any) UnrollOption { return UnrollOption{n} }

// BatchSize gives the number of elements that are worked on together.
func BatchSize(n int) BatchSizeOption { return BatchSizeOption(n) }
